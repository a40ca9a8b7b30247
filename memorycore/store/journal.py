"""What an operation did, kept without content, so that it can be taken back.

Rows that an operation adds carry its number and an open end. In one transaction they have
consecutive numbers, so a range stands for them. Fields that it changes are kept with the value
before.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from memorycore.store.connection import Connection

TABLES = {
    "alias": ("aliases", "alias_id"),
    "evidence": ("evidence", "evidence_id"),
    "link": ("links", "link_id"),
    "candidate": ("candidates", "candidate_id"),
    "decision": ("decisions", "decision_id"),
    "review_item": ("review_items", "review_item_id"),
    "quarantined": ("quarantined", "quarantined_id"),
    "predicate_version": ("predicate_versions", "version_id"),
    "harvest": ("harvests", "harvest_id"),
    "struck": ("struck_spans", "struck_id"),
    "suppression": ("suppressions", "suppression_id"),
    "decided_link": ("decided_links", "decided_link_id"),
    "memory": ("review_records", "review_record_id"),
    "review_observation": ("review_observations", "observation_id"),
    "review_removal": ("review_removals", "removal_id"),
    "review_use": ("review_uses", "use_id"),
    "review_pause": ("review_pauses", "pause_id"),
    "review_applied": ("review_applied", "applied_id"),
}
"""The records whose rows are added and closed, each with its table and number."""
FIELDS = {
    "episode": ("episodes", "episode_id"),
    "fact": ("facts", "fact_id"),
    "entity": ("entities", "entity_id"),
    "import_job": ("import_jobs", "job_id"),
    "import_item": ("import_items", "item_id"),
}
"""Further records of which an operation may change fields."""
COPIES = {
    ("fact", "timeline_id"): (
        "UPDATE fact_periods SET timeline_id = ? WHERE fact_id = ?",
        "UPDATE evidence SET timeline_id = ? WHERE fact_id = ?",
    ),
    ("fact", "subject_id"): ("UPDATE fact_periods SET subject_id = ? WHERE fact_id = ?",),
    ("evidence", "fact_id"): (
        "UPDATE evidence SET timeline_id = (SELECT timeline_id FROM facts WHERE fact_id = ?) "
        "WHERE evidence_id = ?",
    ),
}
"""Where a field stands a second time, for the sake of an index."""

MAX_IDS = "SELECT " + ", ".join(
    f"(SELECT coalesce(max({number}), 0) FROM {table})" for table, number in TABLES.values()
)
INSERT_ROWS = """
INSERT INTO operation_rows(operation_id, record, first_id, last_id)
VALUES(:operation_id, :record, :first_id, :last_id)
"""
HAS_ROWS = """
SELECT EXISTS(SELECT 1 FROM operation_rows
  WHERE operation_id = :operation_id AND record = :record AND first_id = :first_id)
"""


class Journal:
    """The journal of one operation in one transaction: made at its start, written at its end."""

    def __init__(self, db: Connection, operation_id: int) -> None:
        self._db = db
        self.operation_id = operation_id
        self._before = self._last_ids()

    def _last_ids(self) -> Sequence[int]:
        row: Any = self._db.execute(MAX_IDS).fetchone()
        return tuple(row)

    def first_new(self, record: str) -> int:
        """Give the lowest number that a row of this transaction can have."""
        return self._before[list(TABLES).index(record)] + 1

    def write(self) -> None:
        """Keep which rows the operation has added in this transaction."""
        for record, before, after in zip(TABLES, self._before, self._last_ids(), strict=True):
            if after > before:
                key = {"operation_id": self.operation_id, "record": record, "first_id": before + 1}
                self._db.execute(INSERT_ROWS, key | {"last_id": after})
                self._db.attest(HAS_ROWS, key)
        self._before = self._last_ids()


INSERT_CHANGE = """
INSERT INTO changes(operation_id, record, row_id, field, old, new)
VALUES(:operation_id, :record, :row_id, :field, :old, :new)
"""


def change_field(
    db: Connection, operation_id: int, record: str, row_id: int, field: str, new: object
) -> None:
    """Set a field of a record, and keep what it was so that it can be taken back."""
    old = get_field(db, record, row_id, field)
    if old == new:
        return
    if field == "recorded_to" and get_field(db, record, row_id, "recorded_from") == new:
        # A row of this very operation was never in force: there is nothing to take back.
        set_field(db, record, row_id, field, new)
        return
    if set_field(db, record, row_id, field, new):
        values = {"record": record, "row_id": row_id, "field": field, "old": old, "new": new}
        db.execute(INSERT_CHANGE, values | {"operation_id": operation_id})


def get_field(db: Connection, record: str, row_id: int, field: str) -> Any:
    """Read one field of a record."""
    table, number = (FIELDS | TABLES)[record]
    return db.execute(f"SELECT {field} FROM {table} WHERE {number} = ?", (row_id,)).get


def set_field(db: Connection, record: str, row_id: int, field: str, new: object) -> bool:
    """Set a field of a record; tell whether that could be done beside the other rows."""
    table, number = (FIELDS | TABLES)[record]
    db.execute(f"UPDATE OR IGNORE {table} SET {field} = ? WHERE {number} = ?", (new, row_id))
    for copy in COPIES.get((record, field), ()):
        db.execute(copy, (new, row_id))
    return bool(get_field(db, record, row_id, field) == new)


@dataclass(frozen=True, slots=True)
class Change:
    """A field that an operation has changed."""

    record: str
    row_id: int
    field: str
    old: Any
    new: Any


SELECT_ROWS = """
SELECT record, first_id, last_id FROM operation_rows WHERE operation_id = :operation_id
ORDER BY record, first_id
"""
SELECT_CHANGES = """
SELECT record, row_id, field, old, new FROM changes WHERE operation_id = :operation_id
ORDER BY change_id DESC
"""


def list_rows(db: Connection, operation_id: int) -> list[tuple[str, int, int]]:
    """List the ranges of rows that an operation has added: record, first and last number."""
    rows: Any = db.execute(SELECT_ROWS, {"operation_id": operation_id})
    return list(rows)


def list_changes(db: Connection, operation_id: int) -> list[Change]:
    """List the fields that an operation has changed, newest first."""
    rows: Any = db.execute(SELECT_CHANGES, {"operation_id": operation_id})
    return [Change(*row) for row in rows]


SELECT_STANDING = """
SELECT {number} FROM {table}
WHERE {number} BETWEEN :first AND :last AND recorded_to = 9223372036854775807
"""


def list_standing(db: Connection, record: str, first: int, last: int) -> list[int]:
    """List the rows of a range that stand."""
    table, number = TABLES[record]
    sql = SELECT_STANDING.replace("{table}", table).replace("{number}", number)
    return [row[0] for row in db.execute(sql, {"first": first, "last": last})]


SELECT_ENDED = """
SELECT {number} FROM {table}
WHERE {number} BETWEEN :first AND :last AND recorded_to < 9223372036854775807
"""


def list_ended(db: Connection, record: str, first: int, last: int) -> list[int]:
    """List the rows of a range that an operation has ended."""
    table, number = TABLES[record]
    sql = SELECT_ENDED.replace("{table}", table).replace("{number}", number)
    return [row[0] for row in db.execute(sql, {"first": first, "last": last})]


SELECT_OLD = """
SELECT old FROM changes
WHERE operation_id = :operation_id AND record = :record AND row_id = :row_id AND field = :field
ORDER BY change_id LIMIT 1
"""


def find_old(db: Connection, operation_id: int, change: Change) -> Any:
    """Tell what the field of a change was before an operation changed it."""
    values = {"record": change.record, "row_id": change.row_id, "field": change.field}
    return db.execute(SELECT_OLD, values | {"operation_id": operation_id}).get


def close_rows(db: Connection, operation_id: int, record: str, numbers: Iterable[int]) -> None:
    """End rows with an operation, and keep that it was this one."""
    for number in numbers:
        change_field(db, operation_id, record, number, "recorded_to", operation_id)


LAST_NUMBERS = "SELECT " + ", ".join(
    f"(SELECT coalesce(max({number}), 0) FROM {table})"
    for table, number in (TABLES | FIELDS).values()
)
SELECT_RANGES = """
SELECT operation_id, first_id, last_id FROM operation_rows WHERE record = :record
ORDER BY operation_id DESC
"""
DELETE_RANGE = """
DELETE FROM operation_rows
WHERE operation_id = :operation_id AND record = :record AND first_id = :first_id
"""
SHORTEN_RANGE = """
UPDATE operation_rows SET last_id = :last_id
WHERE operation_id = :operation_id AND record = :record AND first_id = :first_id
"""
DELETE_LATER_CHANGES = "DELETE FROM changes WHERE record = :record AND row_id > :last_id"


def last_numbers(db: Connection) -> dict[str, int]:
    """Give the highest number of each kind of record."""
    row: Any = db.execute(LAST_NUMBERS).fetchone()
    return dict(zip(TABLES | FIELDS, row, strict=True))


def trim_journal(db: Connection, before: Mapping[str, int]) -> None:
    """Take out what operations remember of rows above the last that is left.

    ``before`` gives the last of each kind before any were taken away. The next rows get those
    numbers, and are no rows of theirs.
    """
    for record, last in last_numbers(db).items():
        if last == before[record]:
            continue
        db.execute(DELETE_LATER_CHANGES, {"record": record, "last_id": last})
        ranges: Any = db.execute(SELECT_RANGES, {"record": record})
        stale = list(takewhile(lambda row: row[2] > last, ranges))  # noqa: B023
        for operation_id, first_id, _ in stale:
            key = {"operation_id": operation_id, "record": record, "first_id": first_id}
            if first_id > last:
                db.execute(DELETE_RANGE, key)
            else:
                db.execute(SHORTEN_RANGE, key | {"last_id": last})
