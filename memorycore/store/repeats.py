"""What a store has forgotten since a copy of it was made, and what that is in the copy."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import apsw

from memorycore.store.connection import Connection
from memorycore.store.erasures import ID_BYTES
from memorycore.store.operations import is_undone
from memorycore.store.suppressions import Entry

TABLES = {
    "episode": ("episodes", "episode_id"),
    "fact": ("facts", "fact_id"),
    "entity": ("entities", "entity_id"),
}
SELECT_RECEIPT_IDS = "SELECT uid FROM receipts"
SELECT_RECEIPTS = """
SELECT r.receipt_id, r.uid, r.level, c.name, r.operation_id, e.body
FROM receipts r JOIN scopes c ON c.scope_id = r.scope_id
JOIN receipt_entries e ON e.receipt_id = r.receipt_id AND e.phase = 'logical'
ORDER BY r.receipt_id
"""
HAS_TABLE = "SELECT EXISTS(SELECT 1 FROM sqlite_schema WHERE name = ?)"
SELECT_UIDS = "SELECT record, uids FROM erasures WHERE receipt_id = ?"
SELECT_STANDING = """
SELECT {entry}, kind, fingerprint FROM suppressions
WHERE receipt_id = ? AND recorded_to = 9223372036854775807 ORDER BY suppression_id
"""


@dataclass(frozen=True, slots=True)
class Overdue:
    """A forgetting that a copy does not know of yet.

    ``uids`` are the ids of what it covered, by kind of record; ``None`` where an older schema kept
    none. ``prints`` are kinds and fingerprints of what may not come back, under all its names.
    """

    uid: bytes
    operation: int
    level: str
    scope: str
    kind: str
    reason: str
    ticket: str | None
    derived: str
    uids: dict[str, tuple[bytes, ...]] | None
    prints: tuple[Entry, ...]


def has_table(db: Connection, name: str) -> bool:
    """Tell whether a store of some schema has a table."""
    return bool(db.execute(HAS_TABLE, (name,)).get)


def receipt_ids(db: Connection) -> set[bytes]:
    """Give the ids of all receipts."""
    return {bytes(row[0]) for row in db.execute(SELECT_RECEIPT_IDS)}


def list_overdue(db: Connection, known: Collection[bytes]) -> list[Overdue]:
    """List the forgettings of a store that are not among those known, oldest first.

    A soft one that was taken back is none.
    """
    if not has_table(db, "receipts"):
        return []
    rows: Any = db.execute(SELECT_RECEIPTS).fetchall()
    with_uids = has_table(db, "erasures")
    found = []
    for number, uid, level, scope, operation, body in rows:
        if uid in known or (level == "soft" and is_undone(db, operation)):
            continue
        said = json.loads(body)
        uids = _uids(db, number) if with_uids else {}
        counted = any(said["counts"].get(name) for name in ("episodes", "facts", "entities"))
        derived = said.get("derived") or ("forget" if uids.get("fact") else "keep")
        found.append(
            Overdue(
                uid,
                operation,
                level,
                scope,
                said["target"],
                said["reason"],
                said["ticket"],
                derived,
                None if counted and not uids else uids,
                _prints(db, number, with_names=with_uids),
            )
        )
    return found


def _prints(db: Connection, receipt_id: int, *, with_names: bool) -> tuple[Entry, ...]:
    """List what a forgetting keeps out; an older schema has a suppression for each name."""
    sql = SELECT_STANDING.format(entry="entry_id" if with_names else "suppression_id")
    rows: Any = db.execute(sql, (receipt_id,))
    entries: dict[int, tuple[str, list[bytes]]] = {}
    for entry, kind, fingerprint in rows:
        entries.setdefault(entry, (kind, []))[1].append(fingerprint)
    return tuple((kind, tuple(prints)) for kind, prints in entries.values())


def _uids(db: Connection, receipt_id: int) -> dict[str, tuple[bytes, ...]]:
    rows: Any = db.execute(SELECT_UIDS, (receipt_id,))
    return {
        record: tuple(uids[at : at + ID_BYTES] for at in range(0, len(uids), ID_BYTES))
        for record, uids in rows
    }


SELECT_NUMBERS = """
SELECT {number} FROM {table} WHERE scope_id = :scope_id
  AND uid IN (SELECT value FROM carray(:uids)) {only} ORDER BY 1
"""
ONLY_LEFT = "AND visibility IN ('visible', 'hidden')"


def numbers_of(
    db: Connection, record: str, scope_id: int, uids: Sequence[bytes], *, anchors: bool
) -> list[int]:
    """Give the numbers of records of a scope by their ids; emptied ones only with ``anchors``."""
    if not uids:
        return []
    table, number = TABLES[record]
    only = "" if anchors or record == "entity" else ONLY_LEFT
    sql = SELECT_NUMBERS.format(table=table, number=number, only=only)
    values = {"scope_id": scope_id, "uids": apsw.carray(tuple(uids))}
    return [row[0] for row in db.execute(sql, values)]


COUNT_OTHERS = """
SELECT EXISTS(SELECT 1 FROM {table} WHERE scope_id = :scope_id AND {number} NOT IN (
  SELECT value FROM json_each(:numbers)) AND visibility IN ('visible', 'hidden'))
"""


def is_all(db: Connection, record: str, scope_id: int, numbers: Sequence[int]) -> bool:
    """Tell whether nothing of a kind is left in a scope beside some records."""
    table, number = TABLES[record]
    sql = COUNT_OTHERS.format(table=table, number=number)
    values = {"scope_id": scope_id, "numbers": json.dumps(list(numbers))}
    return not db.execute(sql, values).get


SELECT_IN_STATE = """
SELECT t.uid FROM {table} t JOIN scopes c ON c.scope_id = t.scope_id
WHERE (:scope IS NULL OR c.name = :scope)
  AND t.visibility IN (SELECT value FROM json_each(:states))
"""


def ids_in_state(
    db: Connection, record: str, scope: str | None, states: Sequence[str]
) -> set[bytes]:
    """Give the ids of the episodes or facts of a scope, or of all, that are in some visibility."""
    if record == "fact" and not has_table(db, "facts"):
        return set()
    sql = SELECT_IN_STATE.format(table=TABLES[record][0])
    rows: Any = db.execute(sql, {"scope": scope, "states": json.dumps(list(states))})
    return {bytes(row[0]) for row in rows}


SELECT_OPERATION_IDS = "SELECT uid FROM operations"
SELECT_CANDIDATES = """
SELECT c.candidate_id, c.uid, o.uid, c.statement FROM candidates c
JOIN operations o ON o.operation_id = c.recorded_from
"""
SELECT_LINES = """
SELECT q.quarantined_id, o.uid, q.text FROM quarantined q
JOIN operations o ON o.operation_id = q.recorded_from WHERE {state}
"""
SELECT_FACTS = """
SELECT f.uid, o.uid FROM facts f JOIN operations o ON o.operation_id = f.recorded
JOIN scopes c ON c.scope_id = f.scope_id WHERE c.name = :scope
"""


def _past(today: Connection) -> set[bytes]:
    """Give the ids of the operations in which two copies of a store may agree."""
    return {bytes(row[0]) for row in today.execute(SELECT_OPERATION_IDS)}


@dataclass(frozen=True, slots=True)
class Cleared:
    """What a store has cleared of what it never believed, by number in a copy, and its texts."""

    candidates: list[int]
    deleted: list[int]
    lines: list[int]
    texts: list[str]
    reviews: list[int] = field(default_factory=list)
    packets: list[int] = field(default_factory=list)


def cleared_since(db: Connection, today: Connection) -> Cleared:
    """List the candidates and the lines of a copy that today's store has cleared, or has no more.

    They are told by what recorded them: of what the store of today never knew nothing is said.
    """
    if not has_table(today, "quarantined"):
        return Cleared([], [], [], [])
    past = _past(today)
    standing: Any = today.execute(SELECT_CANDIDATES).fetchall()
    said_today = {row[1]: row[3] for row in standing}
    rows: Any = db.execute(SELECT_CANDIDATES).fetchall()
    known = [row for row in rows if row[2] in past]
    deleted = [row for row in known if row[1] not in said_today]
    blank = [row for row in known if row[3] and said_today.get(row[1], "") is None]
    gone: Any = today.execute(SELECT_LINES.format(state="q.visibility = 'forgotten'"))
    cleared = {row[:2] for row in gone}
    said: Any = db.execute(SELECT_LINES.format(state="q.visibility <> 'forgotten'")).fetchall()
    lines = [row for row in said if row[:2] in cleared]
    return Cleared(
        [row[0] for row in blank],
        [row[0] for row in deleted],
        [row[0] for row in lines],
        [row[-1] for row in (*blank, *deleted, *lines) if row[-1]],
    )


SELECT_REVIEWS = "SELECT review_record_id, uid, shape FROM review_records"
SELECT_PACKETS = "SELECT queue_id, uid, packet FROM review_queue"


def reviews_cleared(db: Connection, today: Connection) -> Cleared:
    """List the review records and packets of a copy that today's store has cleared."""
    if not has_table(today, "review_records") or not has_table(db, "review_records"):
        return Cleared([], [], [], [])
    found: list[list[Any]] = []
    for sql in (SELECT_REVIEWS, SELECT_PACKETS):
        rows: Any = today.execute(sql).fetchall()
        cleared = {uid for _, uid, text in rows if text is None}
        said: Any = db.execute(sql).fetchall()
        found.append([row for row in said if row[1] in cleared and row[2] is not None])
    texts = [row[2] for rows in found for row in rows]
    numbers = [[row[0] for row in rows] for rows in found]
    return Cleared([], [], [], texts, *numbers)


def facts_gone(db: Connection, today: Connection, scope: str) -> set[bytes]:
    """Give the ids of the facts of a scope that today's store has had and has no more."""
    past = _past(today)
    rows: Any = today.execute(SELECT_FACTS, {"scope": scope})
    left = {uid for uid, _ in rows}
    found: Any = db.execute(SELECT_FACTS, {"scope": scope})
    return {uid for uid, by in found if by in past and uid not in left}


COUNT_SEEN = """
SELECT count(*) FROM {table} WHERE visibility = 'visible' AND uid IN (
  SELECT value FROM carray(:uids))
"""


def count_seen(db: Connection, record: str, uids: Sequence[bytes]) -> int:
    """Count those of some episodes or facts that may be seen."""
    if not uids:
        return 0
    sql = COUNT_SEEN.format(table=TABLES[record][0])
    return int(db.execute(sql, {"uids": apsw.carray(tuple(uids))}).get)


UPSERT_ERASED = """
INSERT INTO erasures(receipt_id, record, uids) VALUES(:receipt_id, :record, :uids)
ON CONFLICT(receipt_id, record) DO UPDATE SET uids = excluded.uids
"""


def widen_erasures(db: Connection, receipt_id: int, uids: dict[str, tuple[bytes, ...]]) -> None:
    """Let a receipt name what the one that it repeats has named, though it was not there.

    Another copy may hold it still.
    """
    had = _uids(db, receipt_id)
    for record, named in uids.items():
        joined = b"".join(dict.fromkeys([*had.get(record, ()), *named]))
        if joined:
            values = {"receipt_id": receipt_id, "record": record, "uids": joined}
            db.execute(UPSERT_ERASED, values)
