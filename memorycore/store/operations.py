"""The operations table: recorded time is its number, and its clock never steps back."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from memorycore.errors import AmbiguousIdError, NotFoundError
from memorycore.model.identity import IdSource, format_id
from memorycore.model.operation import Operation
from memorycore.model.operation_chain import CHANGED, NO_RECEIPT, Checkpoint, link
from memorycore.model.receipt_chain import START
from memorycore.store.connection import Connection

SELECT_LAST = """
SELECT o.operation_id, o.at, o.hash, e.entry_id, e.hash
FROM (SELECT 1) LEFT JOIN (
  SELECT operation_id, at, hash FROM operations ORDER BY operation_id DESC LIMIT 1) o
LEFT JOIN (SELECT entry_id, hash FROM receipt_entries ORDER BY entry_id DESC LIMIT 1) e
"""
INSERT_OPERATION = """
INSERT INTO operations(operation_id, uid, at, actor, kind, scope_id, undoes, after_entry_id, hash)
VALUES(:number, :uid, :at, :actor, :kind, :scope_id, :undoes, :entry_id, :hash)
RETURNING (SELECT s.name FROM scopes s WHERE s.scope_id = :scope_id),
  (SELECT u.uid FROM operations u WHERE u.operation_id = :undoes)
"""
HAS_OPERATION = "SELECT EXISTS(SELECT 1 FROM operations WHERE uid = :uid)"


def insert_operation(
    db: Connection,
    *,
    now: int,
    new_id: IdSource,
    actor: str,
    kind: str,
    scope_id: int | None = None,
    undoes: int | None = None,
) -> Operation:
    """Record a write under the write lock; its time is after every earlier one's."""
    last: Any = db.execute(SELECT_LAST).fetchone()
    last_number, last_at, last_hash, entry_id, receipts = last
    number, at = (last_number or 0) + 1, max(now, (last_at or 0) + 1)
    uid = new_id(at)
    hash_ = link(last_hash or START, number, uid, at, actor, kind, scope_id, undoes, receipts)
    values = {
        "number": number,
        "uid": uid,
        "at": at,
        "actor": actor,
        "kind": kind,
        "scope_id": scope_id,
        "undoes": undoes,
        "entry_id": entry_id,
        "hash": hash_,
    }
    rows: Any = db.execute(INSERT_OPERATION, values).fetchall()
    db.attest(HAS_OPERATION, {"uid": uid})
    [(scope, undoes_uid)] = rows
    return Operation(number, uid, at, actor, kind, undoes, hash_, scope, undoes_uid)


# An operation belongs to the scope it wrote to; the making of the store belongs to all. Without
# scopes, all are looked at.
OF_SCOPES = """
(:scopes IS NULL OR scope_id IS NULL OR scope_id IN (
  SELECT s.scope_id FROM scopes s JOIN json_each(:scopes) j ON j.value = s.name))
"""
OPERATION = "SELECT operation_id, uid, at, actor, kind, undoes, hash FROM operations o"
SELECT_BY_UID = f"""
{OPERATION}
WHERE uid BETWEEN :lowest AND :highest AND {OF_SCOPES} ORDER BY uid LIMIT 4
"""


def get_operation(
    db: Connection,
    lowest: bytes,
    highest: bytes,
    *,
    scopes: Sequence[str] | None,
    asked: str,
) -> Operation:
    """Find the one operation whose id lies in a range, among those of some scopes (or of all).

    Raises:
        NotFoundError: there is none.
        AmbiguousIdError: there are several.
    """
    found = [
        _read(db, row)
        for row in db.execute(
            SELECT_BY_UID, {"lowest": lowest, "highest": highest, "scopes": _listed(scopes)}
        )
    ]
    if not found:
        raise NotFoundError(f"There is no operation {asked}.", hint="memoryctl log")
    if len(found) > 1:
        fits = ", ".join(format_id("op", operation.uid) for operation in found[:3])
        raise AmbiguousIdError(f"{asked} fits several: {fits}", hint="one more character")
    return found[0]


SELECT_LATEST = f"""
{OPERATION}
WHERE {OF_SCOPES} ORDER BY operation_id DESC LIMIT :limit
"""


def list_operations(db: Connection, *, scopes: Sequence[str] | None, limit: int) -> list[Operation]:
    """List the operations of some scopes (or of all), newest first."""
    rows: Any = db.execute(SELECT_LATEST, {"scopes": _listed(scopes), "limit": limit})
    return [_read(db, row) for row in rows]


COUNT_OPERATIONS = f"SELECT count(*) FROM operations WHERE {OF_SCOPES}"


def count_operations(db: Connection, scopes: Sequence[str] | None) -> int:
    """Count the operations of some scopes, or of all."""
    return int(db.execute(COUNT_OPERATIONS, {"scopes": _listed(scopes)}).get)


def _listed(scopes: Sequence[str] | None) -> str | None:
    return None if scopes is None else json.dumps(list(scopes))


SELECT_UNDO_OF = """
SELECT operation_id FROM operations WHERE undoes = :number ORDER BY operation_id DESC LIMIT 1
"""


def is_undone(db: Connection, number: int) -> bool:
    """Tell whether an operation is taken back: by an undo that is not itself taken back."""
    undone = False
    while (row := db.execute(SELECT_UNDO_OF, {"number": number}).fetchone()) is not None:
        undone, number = not undone, int(row[0])
    return undone


SELECT_ABOUT = """
SELECT (SELECT s.name FROM scopes s WHERE s.scope_id = o.scope_id),
  (SELECT u.uid FROM operations u WHERE u.operation_id = o.undoes)
FROM operations o WHERE o.operation_id = :number
"""


def _read(db: Connection, row: Any) -> Operation:
    about: Any = db.execute(SELECT_ABOUT, {"number": row[0]}).fetchall()
    [(scope, undoes_uid)] = about
    undone = is_undone(db, row[0])
    return replace(Operation(*row), scope=scope, undoes_uid=undoes_uid, undone=undone)


def find_undo(db: Connection, number: int) -> Operation | None:
    """Find the newest operation that took another back."""
    row: Any = db.execute(SELECT_UNDO_OF, {"number": number}).fetchone()
    return None if row is None else get_by_number(db, int(row[0]))


LAST_NUMBER = "SELECT coalesce(max(operation_id), 0) FROM operations"


def last_number(db: Connection) -> int:
    """Give the number of the last operation: where the store stands."""
    return int(db.execute(LAST_NUMBER).get)


SELECT_BY_NUMBER = f"{OPERATION} WHERE operation_id = :number"


def get_by_number(db: Connection, number: int) -> Operation:
    """Read the operation of a number that another record holds: its own row, and no more."""
    row = db.execute(SELECT_BY_NUMBER, {"number": number}).fetchone()
    assert row is not None, "a link to no operation"
    return Operation(*row)


SELECT_SCOPE = "SELECT scope_id FROM operations WHERE operation_id = :number"


def scope_of(db: Connection, number: int) -> int | None:
    """Give the scope that an operation wrote to."""
    found: Any = db.execute(SELECT_SCOPE, {"number": number}).get
    return None if found is None else int(found)


SELECT_UNDOABLE = f"""
{OPERATION}
WHERE kind IN (SELECT kind FROM operation_kinds WHERE is_undoable) AND kind <> 'undo'
  AND scope_id = :scope_id
ORDER BY operation_id DESC
"""
IS_UNDOABLE = "SELECT is_undoable FROM operation_kinds WHERE kind = :kind"


def is_undoable(db: Connection, kind: str) -> bool:
    """Tell whether operations of a kind can be taken back."""
    return bool(db.execute(IS_UNDOABLE, {"kind": kind}).get)


def find_last_undoable(db: Connection, scope_id: int) -> Operation | None:
    """Find the newest operation of a scope that stands and can be taken back."""
    rows: Any = db.execute(SELECT_UNDOABLE, {"scope_id": scope_id})
    return next((Operation(*row) for row in rows if not is_undone(db, row[0])), None)


SELECT_CHAIN = """
SELECT o.operation_id, o.uid, o.at, o.actor, o.kind, o.scope_id, o.undoes, e.hash, o.hash,
  o.after_entry_id IS NOT NULL AND e.hash IS NULL
FROM operations o LEFT JOIN receipt_entries e ON e.entry_id = o.after_entry_id
ORDER BY o.operation_id
"""


def walk_operations(db: Connection) -> Iterator[tuple[Checkpoint, str | None]]:
    """Go through the chain of operations; give each with what is wrong with it, if anything."""
    before = START
    rows: Any = db.execute(SELECT_CHAIN)
    for *fields, hash_, lacks_receipt in rows:
        reason = NO_RECEIPT if lacks_receipt else None
        if reason is None and link(before, *fields) != hash_:
            reason = CHANGED
        yield Checkpoint(bytes(fields[1]), bytes(hash_)), reason
        before = bytes(hash_)
