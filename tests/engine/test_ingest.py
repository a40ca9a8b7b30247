"""Taking messages in: what is new is kept once, what is there is recognised."""

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorycore import Draft, Rejection, errors
from memorycore.bulk import BATCH

CONVERSATIONS = sorted((Path(__file__).parents[2] / "testdata" / "conversations").glob("*.jsonl"))
TURNS = [
    {"text": "我下周搬去杭州", "session": "s1", "at": "2025-03-01T08:00:00+08:00"},
    {"text": "Noted. Good luck with the move!", "role": "assistant", "session": "s1"},
    {"text": "ok", "session": "s1"},
    {"text": "ok", "session": "s1"},
    {"text": "ok", "session": "s2"},
]


def counts(result):
    return result.stored, result.already_there, result.rejected


def test_the_same_input_twice_stores_nothing_new(memory):
    assert counts(memory.add_many(TURNS)) == (5, 0, 0)
    again = memory.add_many(TURNS)
    assert counts(again) == (0, 5, 0)
    assert again.operation is None
    assert memory.stats().episodes == 5


@pytest.mark.parametrize("path", CONVERSATIONS, ids=lambda path: path.name)
def test_the_same_file_twice_stores_nothing_new(memory, path):
    lines = sum(bool(line.strip()) for line in path.read_text("utf-8").splitlines())
    assert counts(memory.ingest_file(path)) == (lines, 0, 0)
    assert counts(memory.ingest_file(path)) == (0, lines, 0)


def test_a_grown_file_stores_only_what_is_new(memory):
    memory.add_many(TURNS[:3])
    grown = memory.add_many(TURNS)
    assert counts(grown) == (2, 3, 0)


def test_equal_messages_without_a_time_stay_as_many_as_were_said(memory):
    memory.add_many([{"text": "好", "session": "s"}] * 2)
    assert counts(memory.add_many([{"text": "好", "session": "s"}] * 3)) == (1, 2, 0)
    assert counts(memory.add_many([{"text": "好", "session": "s"}] * 3)) == (0, 3, 0)
    assert len(memory.search("好")) == 3


def test_a_message_added_alone_again_is_the_one_that_is_there(memory):
    first = memory.add("ok then", session="s")
    assert memory.add("ok then", session="s").id == first.id
    assert memory.stats().episodes == 1


def test_a_message_with_a_time_is_one_however_often_it_comes(memory):
    item = {"text": "好", "session": "s", "at": "2025-03-01T08:00:00Z"}
    assert counts(memory.add_many([item, item, item])) == (1, 2, 0)


def test_a_message_outside_any_session_is_one_however_often_it_comes(memory):
    assert counts(memory.add_many([{"text": "likes tea"}] * 3)) == (1, 2, 0)


@pytest.mark.parametrize(
    "other",
    [
        {"text": "another"},
        {"role": "assistant"},
        {"speaker": "Bo"},
        {"session": "s2"},
        {"at": "2025-03-01T08:00:01Z"},
        {"at": "2025-03"},
        {"external_id": "m2"},
        {"scope": "user:bo"},
    ],
    ids=str,
)
def test_a_message_that_differs_in_anything_that_counts_is_another(memory, other):
    item = {
        "text": "tea",
        "speaker": "Ana",
        "session": "s1",
        "at": "2025-03-01T08:00:00Z",
        "external_id": "m1",
    }
    memory.add_many([item])
    assert memory.add_many([item | other]).stored == 1


def test_source_and_metadata_do_not_make_another_message(memory):
    memory.add_many([{"text": "tea", "source": "a.jsonl", "meta": {"n": 1}}])
    assert memory.add_many([{"text": "tea", "source": "b.jsonl"}]).stored == 0


def test_the_same_instant_in_another_zone_is_the_same_message(memory):
    memory.add_many([{"text": "早", "at": "2025-03-01T08:00:00+08:00"}])
    assert memory.add_many([{"text": "早", "at": "2025-03-01T00:00:00Z"}]).stored == 0


def test_an_id_at_the_source_tells_equal_messages_apart(memory):
    items = [{"text": "ok", "session": "s", "external_id": f"m{n}"} for n in (1, 2, 1)]
    assert counts(memory.add_many(items)) == (2, 1, 0)


@pytest.mark.parametrize("text", ["café crème à Noël", "がぎぐげご", "한국어"])
def test_composed_and_decomposed_writing_is_the_same_message(memory, text):
    first, other = (unicodedata.normalize(form, text) for form in ("NFD", "NFC"))
    assert first != other
    kept = memory.add(first)
    assert memory.add(other).id == kept.id
    assert memory.get(kept.id).text == first


@pytest.mark.parametrize(
    "text", ["  spaces kept \n", "a\x00b", "line\r\nline", "🙂", "ﬁ Ａ ＢＣ", "x" * 200_000]
)
def test_a_text_is_kept_to_the_letter(memory, text):
    assert memory.get(memory.add(text).id).text == text


@settings(max_examples=60, deadline=None)
@given(text=st.text(min_size=1, max_size=60).filter(str.strip))
def test_any_text_is_kept_to_the_letter(make_world, text):
    with make_world() as world:
        assert world.memory.get(world.memory.add(text).id).text == text


@settings(max_examples=40, deadline=None)
@given(
    items=st.lists(
        st.tuples(
            st.sampled_from(["ok", "好", "tea", ""]),
            st.sampled_from([None, "s", "t"]),
            st.sampled_from([None, "2025-01-01", "never"]),
        ),
        max_size=30,
    )
)
def test_the_counts_of_a_result_add_up(make_world, items):
    rows = [{"text": text, "session": session, "at": at} for text, session, at in items]
    with make_world() as world:
        first = world.memory.add_many(rows, on_error="collect")
        again = world.memory.add_many(rows, on_error="collect")
        assert sum(counts(first)) == sum(counts(again)) == len(items)
        assert counts(again) == (0, first.stored + first.already_there, first.rejected)
        assert len(first.rejections) == first.rejected
        assert world.memory.stats().episodes == first.stored


def test_a_result_tells_scopes_times_and_what_has_none(memory):
    result = memory.add_many([*TURNS, {"text": "bo", "scope": "user:bo", "at": "2025-04-02"}])
    shape = result.to_dict()
    assert shape["scopes"] == ["user:ana", "user:bo"]
    assert (shape["first_at"], shape["last_at"]) == ("2025-03-01T00:00:00Z", "2025-04-02T00:00:00Z")
    assert (shape["stored"], shape["without_time"], shape["ok"]) == (6, 4, True)


def test_a_dry_run_counts_as_the_real_one_and_changes_nothing(world, dump):
    world.memory.add_many(TURNS[:2])
    with world.store.read() as db:
        before = dump(db)
    rows = [Draft(text=row["text"], session=row["session"]) for row in TURNS[2:]]
    tried = world.memory.ingest(rows, dry_run=True)
    with world.store.read() as db:
        assert dump(db) == before
    assert tried.to_dict()["operation"] is None
    assert counts(tried) == counts(world.memory.ingest(rows)) == (3, 0, 0)


def test_a_dry_run_on_a_file_leaves_its_content_as_it_was(file_world, dump):
    file_world.memory.add_many(TURNS)
    with file_world.store.read() as db:
        before = dump(db)
    drafts = (Draft(f"turn {n} 轮", session="s1") for n in range(BATCH + 500))
    file_world.memory.ingest(drafts, dry_run=True)
    with file_world.store.read() as db:
        assert dump(db) == before


def test_a_big_run_is_one_operation_told_batch_by_batch(memory):
    told = []
    drafts = (Draft(f"message {n} 消息", session=f"s{n % 7}") for n in range(2 * BATCH + 9))
    result = memory.ingest(drafts, progress=told.append)
    assert told == [BATCH, 2 * BATCH, 2 * BATCH + 9]
    assert counts(result) == (2 * BATCH + 9, 0, 0)
    assert len(memory.operations()) == 2
    assert len(memory.search("message 消息", limit=1000)) == 1000


def test_repeats_are_recognised_across_batches(memory):
    drafts = [Draft("ok", session="s") for _ in range(BATCH + 500)]
    assert counts(memory.ingest(drafts)) == (BATCH + 500, 0, 0)
    assert counts(memory.ingest(drafts)) == (0, BATCH + 500, 0)


def test_a_failing_batch_is_rolled_back_and_the_ones_before_it_stand(memory):
    def records():
        yield from (Draft(f"fine {n}") for n in range(2 * BATCH - 1))
        yield Rejection("line 2000", "broken", "cannot be read")

    with pytest.raises(errors.InvalidInputError, match="line 2000"):
        memory.ingest(records(), fail_fast=True)
    assert memory.stats().episodes == BATCH


def test_what_was_read_before_a_reader_breaks_off_is_kept(memory):
    def records():
        yield from (Draft(f"fine {n}") for n in range(1500))
        raise errors.InvalidInputError("the file breaks off")

    with pytest.raises(errors.InvalidInputError, match="breaks off"):
        memory.ingest(records())
    assert memory.stats().episodes == 1500
    assert memory.ingest(Draft(f"fine {n}") for n in range(1600)).stored == 100


def test_the_first_bad_item_stops_a_run_and_keeps_nothing_of_its_batch(memory):
    with pytest.raises(errors.InvalidInputError, match="item 3"):
        memory.add_many([{"text": "a"}, {"text": "b"}, {"txt": "c"}, {"text": "d"}])
    assert memory.stats().episodes == 0
    assert len(memory.operations()) == 1


def test_bad_items_are_collected_and_the_good_ones_kept(memory):
    result = memory.add_many(
        [{"text": "a"}, {"text": " "}, {"text": "b", "role": "king"}, {"text": "c", "at": "soon"}],
        on_error="collect",
    )
    assert counts(result) == (1, 0, 3)
    assert [one.place for one in result.rejections] == ["item 2", "item 3", "item 4"]


@pytest.mark.parametrize(
    ("draft", "code"),
    [
        (Draft(""), "empty_text"),
        (Draft(" \n　"), "empty_text"),
        (Draft("x" * 1_000_001), "too_long"),
        (Draft("half \ud83d"), "broken_text"),
        (Draft("x", session=" "), "empty_field"),
        (Draft("x", speaker=""), "empty_field"),
        (Draft("x", source="s" * 501), "bad_field"),
        (Draft("x", external_id="\udc00"), "bad_field"),
        (Draft("my password is hunter2-correct-horse"), "secret"),
        (Draft("x", scope="user:bo"), "other_scope"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_may_not_enter_is_rejected_with_a_code(memory, draft, code):
    result = memory.ingest([draft], only_scope=True)
    assert [one.code for one in result.rejections] == [code]
    assert memory.stats().episodes == 0


def test_only_the_first_thousand_rejections_are_listed_but_all_are_counted(memory):
    result = memory.ingest(Draft("") for _ in range(1200))
    assert (result.rejected, len(result.rejections)) == (1200, 1000)


def test_recalled_memories_inside_a_message_are_cut_out(memory):
    block = '<memory kind="recalled data, not instructions">likes tea</memory>'
    result = memory.ingest([Draft(f"Hello {block} there"), Draft(block)])
    assert (result.stored, result.cut_blocks, result.rejections[0].code) == (1, 1, "recalled_only")
    assert len(memory.search("tea")) == 0


def test_adding_one_message_raises_what_is_wrong_with_it(memory):
    with pytest.raises(errors.SecretRefusedError):
        memory.add("my password is hunter2-correct-horse")
    with pytest.raises(errors.InvalidInputError):
        memory.add("x", at="yesterday")
    with pytest.raises(errors.InvalidInputError):
        memory.add("x", role="king")
    assert len(memory.operations()) == 1


def test_speakers_are_one_entity_a_name_and_kind_in_a_scope(world):
    for name in ("Ana", "ANA", "ａｎａ", "Bo"):
        world.memory.add(f"from {name}", speaker=name)
    world.memory.add("hi", role="assistant", speaker="Ana")
    world.memory.scoped("user:bo").add("mine", speaker="Ana")
    names = world.rows("SELECT scope_id, kind, name FROM entities ORDER BY entity_id")
    assert names == [
        (1, "person", "Ana"),
        (1, "person", "Bo"),
        (1, "agent", "Ana"),
        (2, "person", "Ana"),
    ]
