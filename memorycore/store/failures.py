"""Failures of SQLite as errors of ours: what happened, why, and what to try; never any content."""

import os
import shlex
from typing import TYPE_CHECKING

import apsw

from memorycore.errors import (
    CorruptStoreError,
    DiskFullError,
    MemoryCoreError,
    NotAStoreError,
    ReadOnlyStoreError,
    StorageError,
    StoreBusyError,
    StoreMissingError,
)

if TYPE_CHECKING:
    from memorycore.store.connection import Connection


def as_ours(error: apsw.Error, db: "Connection") -> MemoryCoreError:
    """Give the error of ours that stands for one of SQLite's."""
    name, code = os.path.basename(db.path), _code(error)
    match error:
        case apsw.BusyError():
            return StoreBusyError(
                f"The store is busy: another process has been writing for {db.busy_timeout:g} s.",
                why="nothing was written; your input is safe to send again",
                hint="try again, or raise --busy-timeout",
            )
        case apsw.Error() if code in (apsw.SQLITE_FULL, apsw.SQLITE_IOERR_SHMSIZE):
            return DiskFullError(
                f"The disk is full. Nothing of this step was written to {name}.",
                hint="free some space and send the same input again: what is there is kept once",
            )
        case apsw.NotADBError():
            return NotAStoreError(
                f"{db.path} is not a memory store.", hint="point to one: --db FILE, MEMORYCORE_DB"
            )
        case apsw.Error() if code == apsw.SQLITE_READONLY_ROLLBACK:
            return ReadOnlyStoreError(
                f"A process that wrote to {db.path} was killed, and what it left is to be taken "
                "back before anybody can read.",
                why="this user may not write to the file or its folder; for somebody who may, any "
                "command does it",
                hint=f"memoryctl stats --db {shlex.quote(db.path)}",
            )
        case apsw.ReadOnlyError():
            return ReadOnlyStoreError(
                f"{db.path} cannot be written.",
                why="the file or its folder is read-only for this user",
                hint="check its permissions, or give another place: --db FILE",
            )
        case apsw.CantOpenError():
            return _cannot_open(db)
        case apsw.CorruptError():
            return damaged(db, "SQLite cannot make sense of a page")
        case _:
            return StorageError(
                f"SQLite refused: {_plain(error)}.",
                hint="check the disk and who may read and write there, then memoryctl doctor",
            )


def damaged(db: "Connection", how: str) -> CorruptStoreError:
    """Give the error for a store that is damaged in some way."""
    return CorruptStoreError(
        f"{os.path.basename(db.path)} is damaged: {how}.",
        hint="stop writing to it and restore a copy",
    )


def _cannot_open(db: "Connection") -> MemoryCoreError:
    path = db.path
    if db.read_only and not os.path.exists(path):
        return StoreMissingError(f"No memory store at {path}", hint="memoryctl init-db")
    unreadable = [path + end for end in ("", "-wal", "-shm") if _is_barred(path + end)]
    if unreadable:
        return ReadOnlyStoreError(
            f"{path} cannot be opened.",
            why=f"this user may not read {unreadable[0]}",
            hint="check its permissions",
        )
    if db.read_only:
        return ReadOnlyStoreError(
            f"{path} cannot be opened.",
            why="its folder is read-only and no other process has the store open, so SQLite cannot "
            "make the two files it needs beside it",
            hint="copy the store, with all files beside it, to a folder that can be written",
        )
    return ReadOnlyStoreError(
        f"{path} cannot be created or opened.",
        why="its folder is missing, or read-only for this user",
        hint="give another place: --db FILE",
    )


def _is_barred(path: str) -> bool:
    return os.path.exists(path) and not os.access(path, os.R_OK)


def _code(error: apsw.Error) -> int:
    return getattr(error, "extendedresult", 0) or getattr(error, "result", 0)


def _plain(error: apsw.Error) -> str:
    """Name an SQLite error by its code: its text may quote what was bound."""
    return f"{type(error).__name__} {_code(error)}"
