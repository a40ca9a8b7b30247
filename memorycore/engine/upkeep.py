"""Upkeep: make the file small, compare the word indexes with the texts, and mend them."""

from memorycore.errors import CorruptStoreError, DiskFullError, NotAStoreError
from memorycore.model.backup import IndexState, MigrationPlan
from memorycore.store import reindexing, residue
from memorycore.store.connection import Connection, translated
from memorycore.store.migrate import list_pending_migrations
from memorycore.store.schema import NEWEST_SCHEMA, refuse_newer, schema_version
from memorycore.store.stores import count_bytes


def refuse_full(path: str, *, needed: int, free: int) -> None:
    """Refuse what would break off for want of disk.

    Raises:
        DiskFullError: less is free than is needed; nothing was written.
    """
    if free < needed:
        raise DiskFullError(
            f"This takes {needed / 1e6:,.1f} MB of free disk beside {path}, "
            f"and {free / 1e6:,.1f} MB are free. Nothing was written.",
            hint="free some space",
        )


def plan_migration(db: Connection, *, free: int) -> MigrationPlan:
    """Say what brings a store's schema up to date: the steps, and the disk for copy and log.

    Raises:
        NotAStoreError, SchemaTooNewError: the file is no store, or a newer version's.
    """
    found = schema_version(db)
    refuse_newer(found)
    if found == 0:
        raise NotAStoreError(f"{db.path} is empty: no store yet.", hint="memoryctl init-db")
    steps = [(one.number, one.name, one.purpose) for one in list_pending_migrations(found)]
    with translated(db):
        size = count_bytes(db)
    return MigrationPlan(found, NEWEST_SCHEMA, tuple(steps), size, 2 * size, free)


def compact(db: Connection) -> bool:
    """Write indexes and file anew; tell whether the log could be emptied, as no reader held it."""
    with translated(db):
        residue.rebuild(db)
        return residue.truncate_log(db)


def check_indexes(db: Connection) -> list[IndexState]:
    """Compare the indexes with the texts, in the transaction that is open."""
    return [reindexing.compare(db, index) for index in reindexing.INDEXES]


def require_indexes(db: Connection) -> None:
    """Check that both indexes hold just the words of the texts, in a transaction that may write.

    Raises:
        CorruptStoreError: one of them does not.
    """
    wrong = [state.name for state in check_indexes(db) if not state.is_right]
    if wrong:
        raise CorruptStoreError(
            f"The word index of {' and '.join(wrong)} differs from the texts.",
            hint="memoryctl reindex --fix",
        )


def mend_indexes(db: Connection) -> list[IndexState]:
    """Make the indexes anew in the transaction that is open; give how they stood before.

    Raises:
        CorruptStoreError: they differ from the texts even so.
    """
    found = check_indexes(db)
    for index in reindexing.INDEXES:
        reindexing.rebuild(db, index)
    require_indexes(db)
    return found
