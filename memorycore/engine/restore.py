"""Put a backup back: check it, tell what it lacks, and let it take the store's place."""

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from memorycore.errors import (
    CorruptStoreError,
    NotAStoreError,
    RefusedError,
    StorageError,
    StoreBusyError,
)
from memorycore.model.backup import Contents
from memorycore.store import backup_files as files
from memorycore.store.backups import StoredBackup, has_ledger, insert_backup, list_backups
from memorycore.store.connection import (
    Connection,
    jittered_wait,
    open_connection,
    snapshot,
    translated,
    use_log,
)
from memorycore.store.copies import (
    check_whole,
    copy_into,
    has_receipts,
    make_private,
    read_contents,
    reading_sealed,
    require_sealed,
    seal,
)
from memorycore.store.digests import FURTHER, MAIN, count_changed
from memorycore.store.operations import last_number
from memorycore.store.repeats import Overdue, has_table, list_overdue, receipt_ids
from memorycore.store.schema import refuse_newer, schema_version
from memorycore.store.suppressions import find_key_check

FIRST_WITH_DIGESTS = 6
"""The schema from which on rows carry digests of themselves."""


@dataclass(slots=True)
class Today:
    """The store as it is today, and what it holds."""

    db: Connection
    contents: Contents
    is_replaced: bool = False


@contextmanager
def reading_backup(path: str) -> Iterator[tuple[Connection, Contents]]:
    """Check a backup in full and read it; nobody can write to it meanwhile, nor is it written.

    Raises:
        StoreMissingError, NotAStoreError, RefusedError: it is no backup.
        SchemaTooNewError: a newer version has written it.
        CorruptStoreError: it is damaged.
    """
    refuse_newer(require_sealed(path).schema)
    with reading_sealed(path) as db:
        try:
            check_whole(db, quick=False)
            _check_digests(db)
            contents = read_contents(db)
        except CorruptStoreError as error:
            raise CorruptStoreError(
                error.message, why="nothing was changed", hint="memoryctl backup list"
            ) from error
        if not contents.uid:
            raise NotAStoreError(
                f"{path} is a store that was never set up.", hint="memoryctl backup list"
            )
        yield db, contents


def _check_digests(db: Connection) -> None:
    if schema_version(db) < FIRST_WITH_DIGESTS:
        return
    with translated(db):
        changed = sum(count_changed(db, table) for table in (*MAIN, *FURTHER))
    if changed:
        raise CorruptStoreError(
            f"{os.path.basename(db.path)} is damaged: {changed:,} rows are not what they were.",
            hint="memoryctl backup list",
        )


@contextmanager
def reading_today(path: str, *, wait: float) -> Iterator[Today]:
    """Read today's store from one state of it, while others may go on."""
    db = open_connection(path, read_only=True, busy_timeout=wait)
    try:
        with snapshot(db):
            _require_store(db)
            yield Today(db, read_contents(db))
    finally:
        db.close()


@contextmanager
def holding_today(path: str, *, wait: float) -> Iterator[Today]:
    """Hold today's store, its log written into it, so that nobody else can reach it.

    Raises:
        StoreBusyError: another process has it open.
        StorageError: it is damaged.
    """
    before = os.stat(path)
    db = _open_sealed(path, wait)
    today = None
    try:
        with snapshot(db, alone=True):
            _require_unmoved(path, before)
            today = Today(db, read_contents(db))
            yield today
    finally:
        if not (today and today.is_replaced) and _is_unmoved(path, before):
            use_log(db)
        db.close()


def _open_sealed(path: str, wait: float) -> Connection:
    """Open a store that nobody else has open, its log written into it.

    Two who try at once would keep each other from it, as each holds the file that it has read from:
    so it is closed again between the tries.
    """
    pause = jittered_wait(wait)
    tries = 0
    while True:
        db = open_connection(path, read_only=False, busy_timeout=wait)
        try:
            _require_store(db)
            seal(db)
        except StoreBusyError:
            db.close()
            if not pause(tries):
                raise
            tries += 1
        except BaseException:
            db.close()
            raise
        else:
            return db


def _is_unmoved(path: str, before: os.stat_result) -> bool:
    return os.path.exists(path) and os.path.samestat(before, os.stat(path))


def _require_unmoved(path: str, before: os.stat_result) -> None:
    """Check that a file is still the one of its name, and not one that was replaced meanwhile.

    Raises:
        StoreBusyError: another restore was faster.
    """
    if not _is_unmoved(path, before):
        raise StoreBusyError(
            f"Another process has replaced {path} meanwhile.",
            why="nothing was changed",
            hint="look at it, and try again if that is still wanted",
        )


def _require_store(db: Connection) -> None:
    found = schema_version(db)
    refuse_newer(found)
    if found == 0:
        raise NotAStoreError(
            f"{db.path} is empty: no store yet.", hint="take it away, or restore with --to FILE"
        )


def require_same(today: Contents, backup: Contents, path: str) -> None:
    """Refuse to put one store in the place of another.

    Raises:
        RefusedError: they are two.
    """
    if today.uid != backup.uid:
        raise RefusedError(
            f"{path} is another store than the one of this backup.",
            why="one store never takes another's place",
            hint="memoryctl restore FILE --to NEW.db",
        )


def needs_forget_key(db: Connection) -> bool:
    """Tell whether a store holds fingerprints that only their key gives a meaning."""
    return has_table(db, "suppression_keys") and find_key_check(db) is not None


def decide_overdue(today: Connection, backup: Connection) -> list[Overdue]:
    """List what today's store has forgotten since the backup, oldest first."""
    known = receipt_ids(backup) if has_receipts(backup) else set()
    return list_overdue(today, known)


def keep_ledger(
    db: Connection,
    today: Connection | None,
    copies: Sequence[StoredBackup],
    moved: Sequence[tuple[int, int]],
) -> None:
    """Let a store that was put back know of all copies that are known today, and of ``copies``.

    What a copy holds beyond this store's past has no number here. It is noted as if made before all
    that was forgotten since, but for what was forgotten before it: ``moved`` are the operations of
    that, then and now.
    """
    known = list_backups(today) if today is not None and has_ledger(today) else []
    paths = {one.path for one in known if one.removed_at is None}
    last = last_number(db) if not moved else moved[0][1] - 1
    for one in [*known, *(one for one in copies if one.path not in paths)]:
        follows = [now for then, now in moved if then <= one.recorded]
        recorded = max([min(one.recorded, last), *follows])
        insert_backup(db, replace(one, recorded=recorded))


def take_place(made: str, path: str, kept: str, today: Today) -> None:
    """Let a finished file take the place of today's store, which stays under another name."""
    files.drop_second_names(path, os.path.basename(path) + ".before-restore")
    if not files.can_be_linked(path, kept):
        with files.making(kept) as part:
            copy_into(today.db, part)
            os.rename(part, kept)
    files.replace(made, path, kept)
    today.is_replaced = True


def set_aside(made: str, path: str, kept: str) -> None:
    """Let a finished file take the place of a store that cannot be read; its log goes with it."""
    if files.can_be_linked(path, kept):
        os.link(path, kept)
    else:
        make_private(kept)
        shutil.copyfile(path, kept)
    for end in ("-wal", "-journal"):
        if os.path.exists(path + end):
            os.replace(path + end, kept + end)
    files.discard_side_files(path)
    files.replace(made, path, kept)


def require_alone(made: str) -> None:
    """Check that a file that was finished needs no log beside it.

    Raises:
        StorageError: its log is still there.
    """
    if os.path.exists(made + "-wal") and os.stat(made + "-wal").st_size:
        raise StorageError("The restored file could not be finished.", hint="try again")
