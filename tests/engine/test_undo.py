"""Taking an operation back, letting it stand again, and what may not be taken back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorycore import errors

TEA = {"text": "喜欢喝茶 likes tea", "session": "s", "at": "2025-03-01"}


def texts(memory, query="茶 tea"):
    return sorted(hit.episode.text for hit in memory.search(query))


def test_what_was_ingested_is_out_of_search_and_of_every_listing(memory):
    kept = memory.add("green tea", session="s")
    gone = memory.add_many([TEA]).operation
    result = memory.undo(gone.id)
    assert (result.withdrawn, result.restored, result.undone.id) == (1, 0, gone.id)
    assert texts(memory) == ["green tea"]
    assert memory.stats().episodes == 1
    assert [row["id"] for row in memory.sql("SELECT * FROM episodes")] == [kept.id]


def test_a_withdrawn_episode_cannot_be_got_by_its_id(memory):
    episode = memory.add("tea")
    memory.undo()
    with pytest.raises(errors.NotFoundError):
        memory.get(episode.id)


def test_the_rows_of_what_was_withdrawn_are_kept(world):
    world.memory.add("tea")
    undone = world.memory.undo().operation
    assert world.rows("SELECT withdrawn, fingerprint FROM episodes") == [(undone.number, None)]
    assert world.rows("SELECT text FROM episode_texts") == [("tea",)]


def test_neighbours_no_longer_match_the_words_of_what_was_withdrawn(memory):
    memory.add("what do you drink", session="s")
    memory.add("oolong 乌龙", session="s")
    memory.undo()
    assert len(memory.search("oolong 乌龙 drink tea")) == 1
    assert len(memory.search("oolong 乌龙")) == 0


def test_what_was_withdrawn_may_come_in_again(memory):
    memory.add_many([TEA])
    memory.undo()
    assert memory.add_many([TEA]).stored == 1
    assert len(texts(memory)) == 1


def test_taking_an_undo_back_lets_the_episodes_stand_again(memory):
    first = memory.add_many([TEA, {"text": "black tea", "session": "s"}])
    undone = memory.undo().operation
    result = memory.undo(undone.id)
    assert (result.withdrawn, result.restored) == (0, 2)
    assert texts(memory) == ["black tea", "喜欢喝茶 likes tea"]
    assert memory.add_many([TEA]).already_there == 1
    assert first.operation.number == 2


def test_a_restored_episode_is_the_same_record(memory):
    before = memory.add(**TEA | {"speaker": "Ana", "meta": {"n": 1}})
    memory.undo(memory.undo().operation.id)
    assert memory.get(before.id) == before


def test_what_came_in_anew_since_is_not_doubled_by_a_redo(memory):
    memory.add_many([TEA, {"text": "black tea", "session": "s"}])
    undone = memory.undo().operation
    memory.add_many([TEA])
    assert memory.undo(undone.id).restored == 1
    assert texts(memory) == ["black tea", "喜欢喝茶 likes tea"]


def test_equal_messages_without_a_time_are_all_restored(memory):
    memory.add_many([{"text": "tea", "session": "s"}] * 3)
    assert memory.undo(memory.undo().operation.id).restored == 3
    assert memory.add_many([{"text": "tea", "session": "s"}] * 3).already_there == 3


def test_a_repeat_that_came_later_is_restored(memory):
    memory.add_many([{"text": "tea", "session": "s"}] * 2)
    memory.add_many([{"text": "tea", "session": "s"}] * 3)
    assert memory.undo(memory.undo().operation.id).restored == 1
    assert memory.add_many([{"text": "tea", "session": "s"}] * 3).already_there == 3


def test_a_message_whose_speaker_is_known_under_another_writing_is_recognised_again(memory):
    memory.add("hello there", speaker="Ana")
    memory.add_many([{"text": "tea", "speaker": "ana"}])
    memory.undo(memory.undo().operation.id)
    assert memory.add_many([{"text": "tea", "speaker": "ana"}]).already_there == 1


def test_an_operation_is_taken_back_only_once(memory):
    operation = memory.add_many([TEA]).operation
    undone = memory.undo(operation.id).operation
    with pytest.raises(errors.NotUndoableError, match="taken back already"):
        memory.undo(operation.id)
    memory.undo(undone.id)
    with pytest.raises(errors.NotUndoableError, match="taken back already"):
        memory.undo(undone.id)


def test_a_redo_can_be_taken_back(memory):
    memory.add_many([TEA])
    redone = memory.undo(memory.undo().operation.id).operation
    memory.undo(redone.id)
    assert texts(memory) == []


def test_undos_of_undos_show_and_hide_in_turn(memory):
    newest = memory.add_many([TEA, {"text": "black tea", "session": "s"}]).operation
    for depth in range(1, 9):
        newest = memory.undo(newest.id).operation
        assert memory.stats().episodes == len(texts(memory)) == (0 if depth % 2 else 2)


@pytest.mark.slow
def test_a_long_chain_of_undos_can_still_be_followed(memory):
    newest = memory.add_many([TEA]).operation
    for _ in range(1000):
        newest = memory.undo(newest.id).operation
    assert memory.undo().withdrawn == 1


def test_without_a_name_what_stands_again_after_a_redo_is_taken_back(memory):
    memory.add_many([TEA])
    memory.undo(memory.undo().operation.id)
    assert memory.undo().withdrawn == 1


def test_the_making_of_a_store_cannot_be_taken_back(memory):
    made = memory.operations()[-1]
    assert made.kind == "init"
    with pytest.raises(errors.NotUndoableError, match="init"):
        memory.undo(made.id)


def test_where_nothing_was_ingested_there_is_nothing_to_take_back(memory):
    with pytest.raises(errors.NotUndoableError, match="nothing to take back"):
        memory.undo()


def test_an_operation_that_is_not_there_is_not_found(memory):
    with pytest.raises(errors.NotFoundError):
        memory.undo("op_7ZZZZZZZZZZZZZZZZZZZZZZZZZ")


@pytest.mark.parametrize("id_", ["ep_00000000000000000000000001", "tea", "op_1", ""])
def test_what_is_no_id_of_an_operation_is_refused(memory, id_):
    with pytest.raises(errors.InvalidInputError):
        memory.undo(id_)


def test_without_a_name_the_newest_of_the_scope_that_stands_is_taken_back(memory):
    bo = memory.scoped("user:bo")
    first, second = memory.add_many([TEA]), memory.add_many([{"text": "black tea"}])
    bo.add("bo's tea")
    assert memory.undo().undone.number == second.operation.number
    assert memory.undo().undone.number == first.operation.number
    assert len(bo.search("tea")) == 1


def test_an_unknown_scope_takes_nothing_of_another_back(memory):
    memory.add("tea")
    with pytest.raises(errors.NotUndoableError):
        memory.scoped("user:nobody").undo()
    assert texts(memory) == ["tea"]


def test_a_dry_run_tells_what_would_happen_and_changes_nothing(world, dump):
    world.memory.add_many([TEA, {"text": "black tea"}])
    with world.store.read() as db:
        before = dump(db)
    result = world.memory.undo(dry_run=True)
    assert (result.withdrawn, result.to_dict()["operation"]) == (2, None)
    with world.store.read() as db:
        assert dump(db) == before


def test_an_operation_over_several_scopes_is_taken_back_whole(memory):
    memory.add_many([TEA, TEA | {"scope": "user:bo"}])
    assert memory.undo().withdrawn == 2
    assert len(memory.scoped("user:bo").search("tea")) == 0


def test_an_operation_of_several_batches_is_taken_back_whole(memory):
    memory.add_many({"text": f"tea {n}", "session": f"s{n % 3}"} for n in range(1200))
    assert memory.undo().withdrawn == 1200
    assert len(memory.search("tea")) == 0
    assert memory.stats().scopes[0].episodes == 0


@settings(max_examples=40, deadline=None)
@given(
    runs=st.lists(
        st.lists(st.sampled_from(["tea", "茶", "ok"]), min_size=1, max_size=4),
        min_size=1,
        max_size=5,
    ),
    order=st.randoms(use_true_random=False),
)
def test_when_everything_is_taken_back_in_any_order_nothing_is_left(make_world, runs, order):
    with make_world() as world:
        made = [
            world.memory.add_many({"text": text, "session": "s"} for text in run).operation
            for run in runs
        ]
        standing = [operation.id for operation in made if operation]
        order.shuffle(standing)
        for operation in standing:
            world.memory.undo(operation)
        assert world.memory.stats().episodes == 0
        assert all(not len(world.memory.search(word)) for word in ("tea", "茶", "ok"))


@settings(max_examples=40, deadline=None)
@given(items=st.lists(st.sampled_from(["tea", "茶", "ok"]), min_size=1, max_size=8))
def test_an_undo_and_its_undo_give_the_same_answers_as_before(make_world, items):
    with make_world() as world:
        world.memory.add("first of the session", session="s")
        world.memory.add_many({"text": text, "session": "s"} for text in items)
        before = [list(world.memory.search(word)) for word in ("tea", "茶", "ok", "first")]
        world.memory.undo(world.memory.undo().operation.id)
        after = [list(world.memory.search(word)) for word in ("tea", "茶", "ok", "first")]
        assert after == before
