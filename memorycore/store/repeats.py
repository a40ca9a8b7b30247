"""What a store has forgotten since a copy of it was made, and what that is in the copy."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from memorycore.store.connection import Connection
from memorycore.store.erasures import ID_BYTES
from memorycore.store.operations import is_undone

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
SELECT kind, fingerprint FROM suppressions
WHERE receipt_id = ? AND recorded_to = 9223372036854775807 ORDER BY suppression_id
"""


@dataclass(frozen=True, slots=True)
class Overdue:
    """A forgetting that a copy does not know of yet.

    ``uids`` are the ids of what it covered, by kind of record; ``None`` where an older schema kept
    none. ``prints`` are kinds and fingerprints of what may not come back.
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
    prints: tuple[tuple[str, bytes], ...]


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
        prints: Any = db.execute(SELECT_STANDING, (number,)).fetchall()
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
                tuple(prints),
            )
        )
    return found


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
