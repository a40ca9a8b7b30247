"""Receipts: one append-only chain of what was forgotten, without content."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from memorycore.model.forgetting import Receipt, Verification
from memorycore.model.identity import format_id
from memorycore.model.receipt_chain import (
    PHASES,
    START,
    ChainEntry,
    ChainFault,
    fault_in,
    hash_entry,
    write_body,
)
from memorycore.store.backups import StoredBackup, list_backups, unreached
from memorycore.store.connection import Connection, number_list

INSERT_RECEIPT = """
INSERT INTO receipts(uid, scope_id, operation_id, level)
VALUES(:uid, :scope_id, :operation_id, :level) RETURNING receipt_id
"""
LAST_HASH = "SELECT hash FROM receipt_entries ORDER BY entry_id DESC LIMIT 1"
INSERT_ENTRY = """
INSERT INTO receipt_entries(receipt_id, phase, body, previous, hash)
VALUES(:receipt_id, :phase, :body, :previous, :hash)
"""


def insert_receipt(
    db: Connection, *, uid: bytes, scope_id: int, operation_id: int, level: str
) -> int:
    """Begin a receipt; what it says is in its entries."""
    values = {"uid": uid, "scope_id": scope_id, "operation_id": operation_id, "level": level}
    return int(db.execute(INSERT_RECEIPT, values).get)


SELECT_LAST = "SELECT receipt_id FROM receipts WHERE scope_id = ? ORDER BY receipt_id DESC LIMIT 1"


def last_receipt(db: Connection, scope_id: int) -> int:
    """Give the number of a scope's newest receipt; 0 where nothing was ever forgotten."""
    return int(db.execute(SELECT_LAST, (scope_id,)).get or 0)


def append_entry(db: Connection, receipt_id: int, phase: str, body: dict[str, Any]) -> None:
    """Add an entry at the end of the chain."""
    found: Any = db.execute(LAST_HASH).get
    previous = START if found is None else bytes(found)
    text = write_body(body)
    db.execute(
        INSERT_ENTRY,
        {
            "receipt_id": receipt_id,
            "phase": phase,
            "body": text,
            "previous": previous,
            "hash": hash_entry(previous, phase, text),
        },
    )


RECEIPTS = """
SELECT r.receipt_id, r.uid, r.level, c.name, o.uid, o.actor,
  EXISTS(SELECT 1 FROM operation_kinds k WHERE k.kind = o.kind AND k.is_undoable)
FROM receipts r JOIN scopes c ON c.scope_id = r.scope_id
JOIN operations o ON o.operation_id = r.operation_id
"""
SELECT_ALL = (
    RECEIPTS
    + """WHERE c.name IN (SELECT value FROM json_each(:scopes))
ORDER BY r.receipt_id DESC LIMIT :limit"""
)
SELECT_BY_UID = (
    RECEIPTS
    + """WHERE r.uid BETWEEN :lowest AND :highest
  AND c.name IN (SELECT value FROM json_each(:scopes)) ORDER BY r.uid LIMIT 4"""
)
SELECT_ENTRIES = """
SELECT receipt_id, phase, body, previous, hash FROM receipt_entries
WHERE receipt_id IN (SELECT value FROM carray(?)) ORDER BY entry_id
"""


def list_receipts(db: Connection, scopes: Sequence[str], *, limit: int) -> list[Receipt]:
    """List the newest receipts of some scopes, newest first."""
    values = {"scopes": json.dumps(list(scopes)), "limit": limit}
    return _read(db, db.execute(SELECT_ALL, values).fetchall())


def find_receipts(
    db: Connection, scopes: Sequence[str], lowest: bytes, highest: bytes
) -> list[Receipt]:
    """Find the receipts (at most four) whose id lies in a range."""
    values = {"scopes": json.dumps(list(scopes)), "lowest": lowest, "highest": highest}
    return _read(db, db.execute(SELECT_BY_UID, values).fetchall())


def _read(db: Connection, rows: Sequence[Any]) -> list[Receipt]:
    numbers = number_list([row[0] for row in rows])
    entries: dict[int, list[Any]] = {}
    found: Any = db.execute(SELECT_ENTRIES, (numbers,))
    for number, *entry in found:
        entries.setdefault(number, []).append(entry)
    backups = list_backups(db)
    return [_receipt(row, entries[row[0]], backups) for row in rows if row[0] in entries]


def _receipt(row: Any, entries: Sequence[Any], backups: Sequence[StoredBackup]) -> Receipt:
    bodies = {phase: json.loads(body) for phase, body, _, _ in entries}
    first = bodies["logical"]
    proof = bodies.get("verified")
    is_soft = row[2] == "soft"
    left = () if is_soft else unreached(backups, before=first["recorded"], at=first["at"])
    return Receipt(
        bytes(row[1]),
        row[2],
        first["target"],
        row[3],
        first["reason"],
        first["ticket"],
        row[5],
        first["plan"],
        format_id("op", row[4]),
        first["at"],
        first["counts"],
        _phases(bodies),
        None if proof is None else _verification(proof),
        bytes(entries[0][2]),
        bytes(entries[-1][3]),
        bool(row[6]),
        first.get("repeats"),
        left,
    )


def _phases(bodies: dict[str, Any]) -> dict[str, int | None]:
    ended = {phase: bodies[phase]["at"] if phase in bodies else None for phase in PHASES}
    # The index rows go in the transaction that lets nobody read the rest any more.
    return {"logical": ended["logical"], "index": ended["logical"], **ended}


def _verification(body: dict[str, Any]) -> Verification:
    return Verification(
        body["kind"], body["texts"], body["words"], body["terms"], body["found"], body["bytes"]
    )


SELECT_PENDING = """
SELECT r.receipt_id FROM receipts r
WHERE r.level <> 'soft' AND NOT EXISTS(
  SELECT 1 FROM receipt_entries e WHERE e.receipt_id = r.receipt_id AND e.phase = 'verified'
    AND e.body ->> '$.found' = 0)
ORDER BY r.receipt_id
"""
SELECT_UID = "SELECT uid FROM receipts WHERE receipt_id = ?"
HAS_PHASE = "SELECT EXISTS(SELECT 1 FROM receipt_entries WHERE receipt_id = ? AND phase = ?)"


def list_pending(db: Connection) -> list[int]:
    """List the receipts of which the file may still hold remains, of all scopes."""
    return [row[0] for row in db.execute(SELECT_PENDING)]


def has_phase(db: Connection, receipt_id: int, phase: str) -> bool:
    """Tell whether a phase of a receipt has ended."""
    return bool(db.execute(HAS_PHASE, (receipt_id, phase)).get)


SELECT_CHAIN = """
SELECT e.entry_id, e.phase, e.body, e.previous, e.hash, r.uid, r.level, r.operation_id
FROM receipt_entries e LEFT JOIN receipts r ON r.receipt_id = e.receipt_id ORDER BY e.entry_id
"""


def walk_chain(db: Connection) -> Iterator[tuple[ChainEntry, ChainFault | None]]:
    """Go through the chain; give each entry, with what is wrong with it if anything."""
    before = START
    rows: Any = db.execute(SELECT_CHAIN)
    for number, phase, body, previous, hash_, uid, level, operation in rows:
        receipt = None if uid is None else format_id("rcpt", uid)
        entry = ChainEntry(number, phase, body, bytes(previous), bytes(hash_))
        reason = fault_in(before, entry)
        if reason is None and (uid is None or not _is_of(body, receipt, level, operation)):
            reason = "it is not the entry of its receipt"
        yield entry, None if reason is None else ChainFault(receipt, number, reason)
        before = entry.hash


SELECT_BARE = """
SELECT r.uid FROM receipts r
WHERE NOT EXISTS(SELECT 1 FROM receipt_entries e WHERE e.receipt_id = r.receipt_id)
ORDER BY r.receipt_id LIMIT 1
"""


def first_bare_receipt(db: Connection, *, after: int) -> ChainFault | None:
    """Name a receipt whose entries are gone from the end of the chain, if there is one."""
    uid: Any = db.execute(SELECT_BARE).get
    if uid is None:
        return None
    return ChainFault(format_id("rcpt", bytes(uid)), after + 1, "its entries are gone")


def _is_of(body: str, receipt: str | None, level: str, operation: int) -> bool:
    held = json.loads(body)
    return bool(
        isinstance(held, dict)
        and held.get("receipt") == receipt
        and held.get("level", level) == level
        and held.get("recorded", operation) == operation
    )


def receipt_uid(db: Connection, receipt_id: int) -> bytes:
    """Give the id of a receipt."""
    uid: Any = db.execute(SELECT_UID, (receipt_id,)).get
    return bytes(uid)
