"""What an operation did is kept, so that it can be taken back, and nothing more."""

import apsw
import pytest

from memorycore.store.journal import (
    TABLES,
    Journal,
    change_field,
    close_rows,
    get_field,
    list_changes,
    list_rows,
    list_standing,
    set_field,
)

OPEN = 9223372036854775807


@pytest.fixture
def db(ground, ground_world):
    """The open transaction of the ground, as the store sees it."""
    with ground_world.store.read() as db:
        yield db


def test_the_rows_of_a_transaction_are_kept_as_ranges(ground, db):
    journal = Journal(db, 1)
    assert journal.first_new("link") == 1
    for name in ("Anne", "Anna", "Ann"):
        ground.insert("aliases", name=name, name_key=name.lower())
    ground.insert("links")
    journal.write()
    assert list_rows(db, 1) == [("alias", 1, 3), ("link", 1, 1)]


def test_a_journal_that_is_written_twice_keeps_each_row_once(ground, db):
    journal = Journal(db, 1)
    ground.insert("aliases")
    journal.write()
    journal.write()
    ground.insert("aliases", name="Ann", name_key="ann")
    journal.write()
    assert list_rows(db, 1) == [("alias", 1, 1), ("alias", 2, 2)]


def test_nothing_done_is_nothing_kept(ground, db):
    Journal(db, 1).write()
    assert list_rows(db, 1) == []


def test_a_change_is_kept_with_the_value_before(ground, db):
    change_field(db, 1, "fact", 1, "lifecycle", "consolidated")
    change_field(db, 1, "fact", 1, "is_pinned", 1)
    kept = [(one.record, one.row_id, one.field, one.old, one.new) for one in list_changes(db, 1)]
    assert kept == [
        ("fact", 1, "is_pinned", 0, 1),
        ("fact", 1, "lifecycle", "active", "consolidated"),
    ]
    assert get_field(db, "fact", 1, "lifecycle") == "consolidated"


def test_setting_a_field_to_what_it_is_keeps_nothing(ground, db):
    change_field(db, 1, "fact", 1, "lifecycle", "active")
    assert list_changes(db, 1) == []


def test_rows_are_closed_with_the_operation_and_that_is_kept(ground, db):
    ground.insert("aliases")
    assert list_standing(db, "alias", 1, 9) == [1]
    close_rows(db, 3, "alias", [1])
    assert list_standing(db, "alias", 1, 9) == []
    [change] = list_changes(db, 3)
    assert (change.field, change.old, change.new) == ("recorded_to", OPEN, 3)


def test_a_fact_that_moves_takes_the_copies_of_its_timeline_along(ground, db):
    ground.insert("fact_periods")
    ground.insert("evidence", fact_id=77, timeline_id=77)
    assert set_field(db, "fact", 77, "timeline_id", 78)
    for table in ("fact_periods", "evidence"):
        assert db.execute(f"SELECT timeline_id FROM {table} WHERE fact_id = 77").get == 78


def test_evidence_that_moves_joins_the_timeline_of_its_new_fact(ground, db):
    assert set_field(db, "evidence", 1, "fact_id", 77)
    assert db.execute("SELECT timeline_id FROM evidence WHERE evidence_id = 1").get == 77


def test_a_field_that_cannot_be_set_beside_other_rows_is_left_and_told(ground, db):
    ground.insert("aliases", recorded_to=3)
    ground.insert("aliases")
    assert not set_field(db, "alias", 1, "recorded_to", OPEN)
    assert get_field(db, "alias", 1, "recorded_to") == 3


def test_a_change_that_could_not_be_made_is_not_kept(ground, db):
    ground.insert("aliases", recorded_to=3)
    ground.insert("aliases")
    change_field(db, 4, "alias", 1, "recorded_to", OPEN)
    assert list_changes(db, 4) == []


def test_what_the_schema_forbids_is_forbidden_to_the_journal(ground, db):
    with pytest.raises(apsw.ConstraintError, match="one scope"):
        change_field(db, 1, "fact", 1, "subject_id", ground.number("Bea"))


@pytest.mark.parametrize("record", TABLES)
def test_every_record_of_the_journal_has_a_number_and_an_end(ground, db, record):
    table, number = TABLES[record]
    columns = db.execute("SELECT name, pk FROM pragma_table_info(?)", (table,)).fetchall()
    assert dict(columns)[number] == 1
    assert {"recorded_from", "recorded_to"} <= {name for name, _ in columns}


def test_an_operation_that_learned_can_be_read_back_row_by_row(told_path, raw):
    db = raw(told_path)
    kept = db.execute(
        "SELECT record, sum(last_id - first_id + 1) FROM operation_rows GROUP BY record"
    ).fetchall()
    for record, count in kept:
        assert db.execute(f"SELECT count(*) FROM {TABLES[record][0]}").get == count
    assert {"evidence", "candidate", "decision"} <= {record for record, _ in kept}
