"""The ledger of backups: which copies of this store were made, and up to which operation."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from memorycore.model.forgetting import Unreached
from memorycore.store.connection import Connection
from memorycore.store.operations import is_undone


@dataclass(frozen=True, slots=True)
class StoredBackup:
    """A copy that is known. ``recorded`` is the last operation that it holds."""

    uid: bytes
    path: str
    made_at: int
    recorded: int
    removed_at: int | None = None


INSERT = """
INSERT INTO backups(uid, path, made_at, recorded, removed_at)
VALUES(:uid, :path, :made_at, :recorded, :removed_at)
ON CONFLICT(uid) DO UPDATE SET removed_at = excluded.removed_at
"""


def insert_backup(db: Connection, backup: StoredBackup) -> str:
    """Note a copy, or of one that is known already whether it was removed; give its path."""
    db.execute(
        INSERT,
        {
            "uid": backup.uid,
            "path": backup.path,
            "made_at": backup.made_at,
            "recorded": backup.recorded,
            "removed_at": backup.removed_at,
        },
    )
    return backup.path


SELECT_ALL = "SELECT uid, path, made_at, recorded, removed_at FROM backups ORDER BY made_at, uid"


def list_backups(db: Connection) -> list[StoredBackup]:
    """List the copies that are known, those that were removed too, oldest first."""
    rows: Any = db.execute(SELECT_ALL)
    return [StoredBackup(*row) for row in rows]


def unreached(
    backups: Sequence[StoredBackup], *, before: int | None = None, at: int = 0
) -> tuple[Unreached, ...]:
    """List the copies that may hold what is forgotten now, or was by an operation at an instant."""
    if before is None:
        return tuple(Unreached("backup", one.made_at) for one in backups if one.removed_at is None)
    return tuple(
        Unreached("backup", one.made_at, one.removed_at)
        for one in backups
        if one.recorded < before and (one.removed_at is None or one.removed_at > at)
    )


NOTE_REMOVED = "UPDATE backups SET removed_at = :at WHERE path = :path AND removed_at IS NULL"


def note_removed(db: Connection, paths: Iterable[str], *, at: int) -> None:
    """Note that copies are no longer there."""
    db.executemany(NOTE_REMOVED, [{"path": path, "at": at} for path in paths])


HAS_LEDGER = "SELECT EXISTS(SELECT 1 FROM sqlite_schema WHERE name = 'backups')"


def has_ledger(db: Connection) -> bool:
    """Tell whether a store is of a schema that knows its copies."""
    return bool(db.execute(HAS_LEDGER).get)


SELECT_AFTER = "SELECT level, operation_id FROM receipts WHERE operation_id > ?"


def count_forgotten_after(db: Connection, recorded: int) -> int:
    """Count the forgettings after an operation, but for a hiding that was taken back."""
    rows: Any = db.execute(SELECT_AFTER, (recorded,)).fetchall()
    return sum(level != "soft" or not is_undone(db, operation) for level, operation in rows)
