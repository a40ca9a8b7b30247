"""The operations table: recorded time is its number, and its clock never steps back."""

from typing import Any

from memorycore.errors import AmbiguousIdError, NotFoundError
from memorycore.model.identity import IdSource, format_id
from memorycore.model.operation import Operation
from memorycore.store.connection import Connection

LAST_AT = "SELECT at FROM operations ORDER BY operation_id DESC LIMIT 1"
INSERT_OPERATION = """
INSERT INTO operations(uid, at, actor, kind, scope_id, undoes)
VALUES(:uid, :at, :actor, :kind, :scope_id, :undoes)
RETURNING operation_id
"""


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
    at = max(now, (db.execute(LAST_AT).get or 0) + 1)
    uid = new_id(at)
    number = db.execute(
        INSERT_OPERATION,
        {
            "uid": uid,
            "at": at,
            "actor": actor,
            "kind": kind,
            "scope_id": scope_id,
            "undoes": undoes,
        },
    ).get
    return Operation(number, uid, at, actor, kind, undoes)


LAST_NUMBER = "SELECT coalesce(max(operation_id), 0) FROM operations"


def last_number(db: Connection) -> int:
    """Give the number of the newest operation: the state that a read sees."""
    return int(db.execute(LAST_NUMBER).get)


SELECT_BY_UID = """
SELECT operation_id, uid, at, actor, kind, undoes FROM operations
WHERE uid BETWEEN :lowest AND :highest ORDER BY uid LIMIT 4
"""


def get_operation(db: Connection, lowest: bytes, highest: bytes, *, asked: str) -> Operation:
    """Find the one operation whose id lies in a range.

    Raises:
        NotFoundError: there is none.
        AmbiguousIdError: there are several.
    """
    found = [
        Operation(*row) for row in db.execute(SELECT_BY_UID, {"lowest": lowest, "highest": highest})
    ]
    if not found:
        raise NotFoundError(f"There is no operation {asked}.", hint="memoryctl log")
    if len(found) > 1:
        fits = ", ".join(format_id("op", operation.uid) for operation in found[:3])
        raise AmbiguousIdError(f"{asked} fits several: {fits}", hint="one more character")
    return found[0]


SELECT_LATEST = """
SELECT operation_id, uid, at, actor, kind, undoes FROM operations
WHERE operation_id < :before ORDER BY operation_id DESC LIMIT :limit
"""


def list_operations(db: Connection, *, limit: int, before: int = 1 << 62) -> list[Operation]:
    """List operations, newest first."""
    rows = db.execute(SELECT_LATEST, {"before": before, "limit": limit})
    return [Operation(*row) for row in rows]


SELECT_UNDO_OF = """
SELECT operation_id FROM operations WHERE undoes = :number ORDER BY operation_id DESC LIMIT 1
"""


def is_undone(db: Connection, number: int) -> bool:
    """Tell whether an operation is taken back: by an undo that is not itself taken back."""
    undone = False
    while (row := db.execute(SELECT_UNDO_OF, {"number": number}).fetchone()) is not None:
        undone, number = not undone, int(row[0])
    return undone


SELECT_BY_NUMBER = """
SELECT operation_id, uid, at, actor, kind, undoes FROM operations WHERE operation_id = :number
"""


def get_by_number(db: Connection, number: int) -> Operation:
    """Read the operation of a number that another record holds."""
    row = db.execute(SELECT_BY_NUMBER, {"number": number}).fetchone()
    assert row is not None, "a link to no operation"
    return Operation(*row)


SELECT_INGESTS = """
SELECT operation_id, uid, at, actor, kind, undoes FROM operations
WHERE kind = 'ingest' AND scope_id = :scope_id ORDER BY operation_id DESC
"""


def find_last_undoable(db: Connection, scope_id: int) -> Operation | None:
    """Find the newest operation of a scope that stands and can be taken back."""
    rows: Any = db.execute(SELECT_INGESTS, {"scope_id": scope_id})
    return next((Operation(*row) for row in rows if not is_undone(db, row[0])), None)
