"""Operations and receipts hold each other in a chain, so that a change of any of them shows."""

import pytest

from memorycore import errors
from memorycore.model.operation_chain import read_checkpoint
from memorycore.store.connection import transaction, unchecked_links

UNGUARD = """
DROP TRIGGER operations_are_append_only; DROP TRIGGER operations_are_kept;
DROP TRIGGER receipt_entries_are_append_only; DROP TRIGGER receipt_entries_are_kept;
"""


@pytest.fixture
def told(file_world):
    """A store in a file with five operations, one of them a forgetting."""
    memory = file_world.memory
    kept = memory.add("I live in 杭州 now.", session="s1")
    memory.add("Tea, no coffee. 喝茶", session="s1")
    memory.forget(kept.id, level="redact")
    memory.add("It rains today. 下雨了", session="s2")
    return file_world


def alter(world, sql):
    """Change rows as another program could, past all that guards them."""
    with world.store.maintain() as db, unchecked_links(db), transaction(db):
        db.execute(UNGUARD + sql).fetchall()


def test_an_untouched_log_holds_and_gives_a_checkpoint(told):
    proof = told.memory.verify_log()
    assert (proof.holds, proof.operations) == (True, 5)
    assert proof.last.operation == told.memory.operations(limit=1)[0].id
    assert read_checkpoint(str(proof.last)) == proof.last


def test_an_operation_shows_its_link_as_its_proof(told):
    [newest] = told.memory.operations(limit=1)
    assert newest.to_dict()["hash"] == str(told.memory.verify_log().last).split()[1]


def test_an_undo_gives_its_link_as_its_proof(told):
    undone = told.memory.undo()
    assert undone.to_dict()["proof"] == str(told.memory.verify_log().last).split()[1]


@pytest.mark.parametrize(
    "change",
    [
        "at = at + 1",
        "actor = 'mallory'",
        "kind = 'undo'",
        "scope_id = NULL",
        "undoes = 1",
        "uid = zeroblob(16)",
        "hash = zeroblob(32)",
    ],
)
@pytest.mark.parametrize("number", [2, 4])
def test_the_first_operation_that_was_altered_is_named(told, change, number):
    alter(told, f"UPDATE operations SET {change} WHERE operation_id = {number}")
    proof = told.memory.verify_log()
    assert (proof.holds, proof.operations, proof.fault.place) == (False, number - 1, number)


def test_an_operation_that_was_taken_away_is_missed(told):
    alter(told, "DELETE FROM operations WHERE operation_id = 3")
    proof = told.memory.verify_log()
    assert (proof.operations, proof.fault.place) == (2, 3)


def test_a_log_that_was_cut_off_at_its_end_fails_its_checkpoint(told):
    kept = str(told.memory.verify_log().last)
    alter(told, "DELETE FROM operations WHERE operation_id = 5")
    assert told.memory.verify_log().fault is None
    assert told.memory.verify_log(checkpoint=kept).fault is not None


def test_a_receipt_that_is_gone_is_missed_by_the_operation_after_it(told):
    alter(told, "DELETE FROM receipt_entries")
    proof = told.memory.verify_log()
    assert proof.fault.place == 5
    assert "receipts" in proof.fault.reason


def test_an_older_checkpoint_still_holds_after_more_was_written(told):
    kept = str(told.memory.verify_log().last)
    told.memory.add("More. 更多")
    assert told.memory.verify_log(checkpoint=kept).holds


def test_a_log_that_was_written_anew_as_a_whole_fails_its_checkpoint(told, make_world, tmp_path):
    kept = str(told.memory.verify_log().last)
    with make_world(str(tmp_path / "other.db")) as other:
        other.memory.add("I live in 杭州 now.", session="s1")
        assert other.memory.verify_log().holds
        assert not other.memory.verify_log(checkpoint=kept).holds


@pytest.mark.parametrize("text", ["", "op_01M8", "a b", "op_01M8MD3KQ4ZJ0V7C2N9E6T1RBS md5:00"])
def test_what_is_no_checkpoint_is_refused(told, text):
    with pytest.raises(errors.InvalidInputError):
        told.memory.verify_log(checkpoint=text)
