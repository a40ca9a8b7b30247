"""The operations table: recorded time is its number, and its clock never steps back."""

from memorycore.errors import AmbiguousIdError, NotFoundError
from memorycore.model.identity import IdSource, format_id
from memorycore.model.operation import Operation
from memorycore.store.connection import Connection

LAST_AT = "SELECT coalesce(max(at), 0) FROM operations"
INSERT_OPERATION = """
INSERT INTO operations(uid, at, actor, kind, scope_id, undoes, idempotency_key)
VALUES(:uid, :at, :actor, :kind, :scope_id, :undoes, :idempotency_key)
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
    idempotency_key: bytes | None = None,
) -> Operation:
    """Record a write under the write lock; its time is after every earlier one's."""
    at = max(now, db.execute(LAST_AT).get + 1)
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
            "idempotency_key": idempotency_key,
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


SELECT_UNDO_OF = (
    "SELECT operation_id FROM operations WHERE undoes = :number ORDER BY 1 DESC LIMIT 1"
)


def find_undo_of(db: Connection, number: int) -> int | None:
    """Give the newest operation that took this one back."""
    row = db.execute(SELECT_UNDO_OF, {"number": number}).fetchone()
    return row[0] if row else None


SELECT_UNDOABLE = """
SELECT operation_id, uid, at, actor, kind, undoes FROM operations o
WHERE kind = 'ingest' AND (:scope_id IS NULL OR scope_id = :scope_id)
  AND (SELECT count(*) FROM operations u WHERE u.undoes = o.operation_id) = 0
ORDER BY operation_id DESC LIMIT 1
"""


def find_last_undoable(db: Connection, scope_id: int | None) -> Operation | None:
    """Find the newest operation of a scope that has not been taken back."""
    row = db.execute(SELECT_UNDOABLE, {"scope_id": scope_id}).fetchone()
    return Operation(*row) if row else None


SELECT_BY_KEY = (
    "SELECT operation_id, uid, at, actor, kind, undoes FROM operations WHERE idempotency_key = :key"
)


def find_by_idempotency_key(db: Connection, key: bytes) -> Operation | None:
    """Find the operation that was made under a caller's key."""
    row = db.execute(SELECT_BY_KEY, {"key": key}).fetchone()
    return Operation(*row) if row else None
