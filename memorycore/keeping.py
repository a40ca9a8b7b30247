"""What a handle can do to keep a store: back it up, mend its indexes, make its file small."""

import os
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from memorycore.errors import InvalidInputError, StoreMissingError
from memorycore.handle import DEFAULT_BUSY_TIMEOUT, Handle
from memorycore.model.given import require_path
from memorycore.open_store import Clock, OpenStore
from memorycore.store.connection import MEMORY
from memorycore.store.place import count_file_bytes, find_place, keep_private

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from memorycore.engine.back_up import Place, Progress
    from memorycore.model.backup import (
        Backup,
        Compacted,
        IndexState,
        KnownBackup,
        MigrationPlan,
    )
    from memorycore.store.backups import StoredBackup


class Keeper(Handle):
    """The use cases of upkeep. They concern the file as a whole, and so all scopes."""

    default_clock: ClassVar[Clock]

    @classmethod
    def plan_migration(cls, path: "str | PathLike[str]") -> "MigrationPlan":
        """Say what bringing a store's schema up to date takes; nothing is changed.

        Raises:
            StoreMissingError, NotAStoreError, SchemaTooNewError: there is no such store.
        """
        from memorycore.engine.upkeep import plan_migration
        from memorycore.store.connection import open_connection

        place = find_place(require_path(path))
        require_store(place)
        db = open_connection(place, read_only=True, busy_timeout=1)
        try:
            return plan_migration(db, free=free_disk(place))
        finally:
            db.close()

    @classmethod
    def migrate(
        cls,
        path: "str | PathLike[str]",
        *,
        clock: Clock | None = None,
        busy_timeout: float = DEFAULT_BUSY_TIMEOUT,
    ) -> "MigrationPlan":
        """Bring a store's schema up to date, with a copy of it beside it; give what was done.

        Many processes may do this at once: one does it, the others find it done.

        Raises:
            StoreMissingError, NotAStoreError, SchemaTooNewError: there is no such store.
            DiskFullError: there is less disk free than this takes.
        """
        from memorycore.engine.upkeep import refuse_full
        from memorycore.model.identity import ulid_source

        place = find_place(require_path(path))
        plan = cls.plan_migration(place)
        if plan.steps:
            refuse_full(place, needed=plan.needed, free=plan.free)
        now = clock or cls.default_clock
        store = OpenStore(place, read_only=False, clock=now, ids=ulid_source(), wait=busy_timeout)
        try:
            if plan.steps:
                store.create(time_zone="UTC", language="any")
        finally:
            store.close()
        return replace(plan, backup=store.saved)

    def backup(
        self,
        path: "str | PathLike[str]",
        *,
        keep: int | None = None,
        dry_run: bool = False,
        progress: "Progress | None" = None,
    ) -> "Backup":
        """Copy the store into a file of its own, checked and sealed, while others may write.

        ``path`` is a folder, in which the backup is named by the time, or a new file. ``keep`` lets
        the oldest backups of this store in that folder go, all but so many. No key is in a backup.
        ``progress`` is called with the bytes written so far.

        Raises:
            RefusedError: the name is taken, or a forgetting is not finished.
            CorruptStoreError: the copy was not sound; it is not kept.
            StorageError: the place cannot be written.
        """
        from memorycore.engine.back_up import (
            decide_place,
            list_surplus,
            make_backup,
            refuse_taken,
            refuse_unsettled,
        )
        from memorycore.model.backup import Backup
        from memorycore.store.backups import StoredBackup
        from memorycore.store.copies import read_contents
        from memorycore.store.stores import count_bytes

        self._require_file()
        now = self._store.clock()
        place = decide_place(require_path(path), self._store.path, now=now, keep=keep)
        with self._store.read() as db:
            refuse_unsettled(db)
            refuse_taken(place)
            made, contents, size = place.path, read_contents(db), count_bytes(db)
            if not dry_run:
                copy = StoredBackup(self._store.new_id(now), made, now, contents.recorded)
                made, contents, size = make_backup(
                    db, place, note=lambda: self._note(copy, place), progress=progress
                )
        removed = list_surplus(place, contents.uid, keep=keep, made=made, coming=1)
        if removed and not dry_run:
            self._remove(removed)
        took = self._store.clock() - now
        return Backup(made, now, size, took, contents, self._key_files(), tuple(removed), dry_run)

    def _note(self, copy: "StoredBackup", place: "Place") -> str:
        """Keep that there is a copy; give its name, which no other backup gets meanwhile."""
        from memorycore.store.backups import insert_backup, list_backups

        with self._store.write() as db:
            promised = {one.path for one in list_backups(db) if one.removed_at is None}
            return insert_backup(db, replace(copy, path=place.free(promised)))

    def _remove(self, paths: "Sequence[str]") -> None:
        from memorycore.store.backups import note_removed

        for path in paths:
            os.unlink(path)
        with self._store.write() as db:
            note_removed(db, paths, at=self._store.clock())

    @staticmethod
    def refuse_reserved(path: "str | PathLike[str]") -> None:
        """Refuse to write a file of one's own over a store, a backup, or what belongs to a store.

        Raises:
            RefusedError: the place is one of these.
        """
        from memorycore.store.reserved import refuse_reserved

        refuse_reserved(require_path(path))

    def backups(self) -> "list[KnownBackup]":
        """List the copies that this store knows of, oldest first, those that were removed too."""
        from memorycore.model.backup import KnownBackup
        from memorycore.store.backups import count_forgotten_after, list_backups

        with self._store.read() as db:
            return [
                KnownBackup(
                    one.path,
                    one.made_at,
                    one.removed_at,
                    os.path.isfile(one.path),
                    count_forgotten_after(db, one.recorded),
                )
                for one in list_backups(db)
            ]

    def _key_files(self) -> tuple[str, ...]:
        from memorycore.store.key_file import key_path
        from memorycore.store.suppression_key import suppression_key_path

        path = self._store.path
        return tuple(
            one for one in (key_path(path), suppression_key_path(path)) if os.path.exists(one)
        )

    def _require_file(self) -> None:
        if self._store.path == MEMORY:
            raise InvalidInputError("A store in memory has no file.", hint="open one in a file")

    def compact(self, *, dry_run: bool = False) -> "Compacted":
        """Write indexes and file anew without what is free in them, and empty the log.

        It takes free disk, and memory, of about the size of the file.

        Raises:
            StoreBusyError: another process writes.
            DiskFullError: there is less disk free than this takes.
        """
        from memorycore.engine.upkeep import compact, refuse_full
        from memorycore.model.backup import Compacted
        from memorycore.store.stores import count_bytes

        self._require_file()
        path = self._store.path
        with self._store.read() as db:
            needed = count_bytes(db)
        free = free_disk(path)
        before = _size(path)
        if dry_run:
            return Compacted(before, before, needed, free, dry_run=True)
        refuse_full(path, needed=needed, free=free)
        with self._store.maintain() as db:
            before = _size(path)
            is_done = compact(db)
        keep_private(path)
        return Compacted(before, _size(path), needed, free, is_pending=not is_done)

    def check_indexes(self) -> "list[IndexState]":
        """Compare both word indexes, and the counts of their rows, with the texts.

        It holds the write lock meanwhile: an index that changes cannot be compared.
        """
        from memorycore.engine.upkeep import check_indexes

        with self._store.write(dry_run=True) as db:
            return check_indexes(db)

    def mend_indexes(self) -> "list[IndexState]":
        """Make both word indexes and their counts anew from the texts; give how they were.

        All of it happens, or none.

        Raises:
            CorruptStoreError: they differ even so; nothing was changed.
        """
        from memorycore.engine.upkeep import mend_indexes

        with self._store.write() as db:
            return mend_indexes(db)


def require_store(path: str) -> None:
    """Check that there is a file at a place.

    Raises:
        StoreMissingError: there is none.
    """
    if not os.path.isfile(path):
        raise StoreMissingError(f"No memory store at {path}", hint="memoryctl init-db")


def _size(path: str) -> int:
    """Give the bytes of the file and of its log."""
    return count_file_bytes(path) + count_file_bytes(f"{path}-wal")


def free_disk(path: str) -> int:
    """Give the bytes that are free on the disk of a file."""
    import shutil

    return shutil.disk_usage(os.path.dirname(path)).free
