"""The word index is true to the texts, whatever happened before."""

from collections import defaultdict
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorycore import errors
from memorycore.engine.upkeep import require_indexes
from memorycore.store.search_index import (
    Turn,
    documents,
    merge_segments,
    read_documents,
)

TEXTS = st.one_of(
    st.sampled_from(
        [
            "",
            "好",
            "？！……",
            "... ...",
            "tea",
            "green tea 绿茶",
            "今天讨论了部署方案",
            "部署",
            "a\x00b nul",
            "\x00",
            "🙂🙂",
            "DON'T stop",
            "word " * 90,
            "长" * 399,
            "长" * 400,
            "长" * 401,
            "x" * 300,
            "x y " * 101,
            "繁體中文與ＡＢＣ",
            "한국어 かな",
            "ﬁne café",
            'quote " AND OR NOT * ^ : {body}',
        ]
    ),
    st.text(max_size=12),
)
ITEMS = st.lists(
    st.tuples(TEXTS, st.sampled_from([None, "s1", "s2"]), st.sampled_from(["a", "b"])),
    min_size=1,
    max_size=6,
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), ITEMS),
        st.tuples(st.just("undo"), st.integers(0, 9)),
        st.tuples(st.just("again"), st.integers(0, 9)),
    ),
    min_size=1,
    max_size=12,
)
SEEN = """
SELECT e.episode_id, e.scope_id, e.session_id, t.text
FROM episodes e JOIN episode_texts t USING(episode_id)
WHERE e.withdrawn IS NULL ORDER BY e.episode_id
"""


def take(world, items):
    return world.memory.add_many(
        ({"text": text, "session": session, "scope": scope} for text, session, scope in items),
        on_error="collect",
    )


def carry_out(world, steps):
    """Do the steps; an undo takes back one of the operations there are, if it still can be."""
    taken = []
    for verb, what in steps:
        if verb == "add":
            take(world, what)
            taken.append(what)
        elif verb == "again" and taken:
            take(world, taken[what % len(taken)])
        elif verb == "undo":
            known = world.memory.operations(limit=100)
            try:
                world.memory.undo(known[what % len(known)].id)
            except errors.NotUndoableError:
                continue


def expected_documents(rows):
    """Compute from the texts alone what the index must hold."""
    turns = defaultdict(list)
    for row in rows:
        turn = Turn(*row)
        turns[turn.session_id or -turn.episode_id].append(turn)
    return sorted(row for group in turns.values() for row in documents(group))


def assert_true(world):
    with world.store.write() as db:
        require_indexes(db)
    seen = world.rows(SEEN)
    with world.store.read() as db:
        numbers = [row[0] for row in seen]
        held = read_documents(db, numbers) if numbers else []
        assert sorted(held) == expected_documents(seen)
        assert db.execute("SELECT count(*) FROM episode_documents").get == len(seen)
    counted = world.rows(
        "SELECT indexed_episodes, (SELECT count(*) FROM episodes e WHERE e.scope_id = s.scope_id "
        "AND e.withdrawn IS NULL) FROM scopes s"
    )
    assert all(kept == real for kept, real in counted)


def assert_nothing_withdrawn_is_found(world):
    rows = world.rows(
        "SELECT e.uid, s.name, t.text FROM episodes e JOIN episode_texts t USING(episode_id) "
        "JOIN scopes s USING(scope_id) WHERE e.withdrawn IS NOT NULL"
    )
    gone = {uid for uid, _, _ in rows}
    for text in {text for _, _, text in rows if text.strip()}:
        for scope in ("a", "b"):
            found = world.memory.scoped(scope).search(text, limit=100)
            assert not gone & {hit.episode.uid for hit in found}


@settings(max_examples=120, deadline=None)
@given(steps=STEPS)
def test_after_any_history_the_index_is_true_and_the_withdrawn_is_not_found(make_world, steps):
    with make_world() as world:
        carry_out(world, steps)
        assert_true(world)
        assert_nothing_withdrawn_is_found(world)


@settings(max_examples=40, deadline=None)
@given(steps=STEPS)
def test_after_each_step_of_a_history_the_index_is_true(make_world, steps):
    with make_world() as world:
        for step in steps:
            carry_out(world, [step])
            assert_true(world)


@settings(max_examples=25, deadline=None)
@given(items=st.lists(TEXTS, min_size=1, max_size=12), cuts=st.sets(st.integers(1, 11)))
def test_the_index_does_not_depend_on_how_a_session_was_cut_into_batches(make_world, items, cuts):
    whole = [(text, "s", "a") for text in items]
    borders = [0, *sorted(cuts), len(whole)]
    with make_world() as at_once, make_world() as piecewise:
        take(at_once, [*whole, ("end", "s", "a")])
        for start, end in pairwise(borders):
            if whole[start:end]:
                # Untimed repeats are numbered in a run: the run so far is given again.
                take(piecewise, whole[:end])
        take(piecewise, [*whole, ("end", "s", "a")])
        assert expected_documents(at_once.rows(SEEN)) == expected_documents(piecewise.rows(SEEN))
        assert_true(piecewise)


def texts_of(world, *sessions):
    for session in sessions:
        take(world, [(f"{session} turn {number}", session, "a") for number in range(6)])


def test_undoing_in_the_middle_of_a_session_moves_the_neighbours_together(world):
    first = take(world, [("one", "s", "a"), ("two", "s", "a")]).operation
    middle = take(world, [(f"middle {n}", "s", "a") for n in range(5)]).operation
    last = take(world, [("eight", "s", "a"), ("nine", "s", "a")]).operation
    memory = world.memory.scoped("a")
    for operation in (middle, first, last):
        undone = memory.undo(operation.id).operation
        assert_true(world)
        memory.undo(undone.id)
        assert_true(world)


def test_merging_segments_ends_and_keeps_the_index_true(world):
    for number in range(30):
        texts_of(world, f"s{number}")
    for _ in range(100):
        with world.store.write() as db:
            if not merge_segments(db):
                break
    else:
        pytest.fail("merging never ends")
    assert_true(world)


def test_a_row_that_does_not_belong_is_found_by_the_check(world):
    world.memory.add("部署方案")
    world.write("INSERT INTO episode_index(rowid, body, ctx) VALUES(77, 'planted', '')")
    with pytest.raises(errors.CorruptStoreError), world.store.write() as db:
        require_indexes(db)


def test_a_wrong_old_text_is_found_by_the_check(world):
    world.memory.add("部署方案")
    world.write(
        "INSERT INTO episode_index(episode_index, rowid, body, ctx) VALUES('delete', 1, 'x', '')"
    )
    with pytest.raises(errors.CorruptStoreError), world.store.write() as db:
        require_indexes(db)
