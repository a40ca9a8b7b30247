"""Copies of a store: made while others write, checked, and sealed into one file.

The pages are copied as they are: ``VACUUM INTO`` takes half as long again. So what is not stored
any more must be gone from the file before. A copy is made under another name in the same folder
and takes its own once it is checked and on the disk: no file of that name is ever half a backup.
"""

import contextlib
import os
import shlex
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import apsw

from memorycore.errors import (
    CorruptStoreError,
    NotAStoreError,
    RefusedError,
    StorageError,
    StoreBusyError,
    StoreMissingError,
)
from memorycore.model.backup import Contents
from memorycore.store.connection import (
    APPLICATION_ID,
    Connection,
    snapshot,
    transaction,
    translated,
)
from memorycore.store.place import count_file_bytes

Progress = Callable[[int], None]
SIDE_FILES = ("-wal", "-journal")
PAGES_AT_A_TIME = 4096
WHILE_COPYING = (("journal_mode", "OFF"), ("synchronous", "OFF"), ("cache_size", "-1024"))
"""A copy that breaks off is thrown away; one that is whole is brought to the disk at its end."""

_HEADER = struct.Struct(">16sHBB8xI28xI4xI28x")
_MAGIC = b"SQLite format 3\0"
_SEALED = 1


@dataclass(frozen=True, slots=True)
class Header:
    """What the first bytes of a file say: its schema, and whether it needs a log beside it.

    ``bytes`` is how long the file is when it is whole; 0 where that is not told.
    """

    schema: int
    is_sealed: bool
    bytes: int


def read_header(path: str) -> Header | None:
    """Read the first bytes of a database; ``None`` when they are not a store's.

    It is read through SQLite, which loses no lock that this process holds on it.

    Raises:
        StoreMissingError: there is no such file, or it cannot be read.
    """
    if os.path.isdir(path):
        raise StoreMissingError(
            f"{path} is a folder; a backup is a file.", hint="memoryctl backup list"
        )
    if not os.path.isfile(path):
        raise StoreMissingError(f"There is no backup at {path}", hint="memoryctl backup list")
    flags = apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY
    try:
        file = apsw.VFSFile("", os.path.realpath(path), [flags, 0])
    except apsw.Error as error:
        raise StoreMissingError(f"{path} cannot be read.", hint="check its permissions") from error
    try:
        data = file.xRead(_HEADER.size, 0)
    except apsw.Error as error:
        raise StorageError(f"{path} cannot be read.", hint="check the disk") from error
    finally:
        file.xClose()
    if len(data) < _HEADER.size:
        return None
    magic, page, writes, reads, pages, schema, application = _HEADER.unpack(data)
    if magic != _MAGIC or (application != APPLICATION_ID and reads == _SEALED):
        return None
    # A page of the largest size does not fit in its two bytes.
    return Header(schema, writes == reads == _SEALED, pages * (65536 if page == 1 else page))


def require_sealed(path: str) -> Header:
    """Check that a file is a store in one piece, and not one that is in use or lacks its log.

    Raises:
        StoreMissingError, NotAStoreError, RefusedError: it is not.
        CorruptStoreError: its end is missing.
    """
    header = read_header(path)
    if header is None:
        raise NotAStoreError(f"{path} is not a memory store.", hint="memoryctl backup list")
    left = [end for end in SIDE_FILES if count_file_bytes(path + end)]
    if left or not header.is_sealed:
        why = f"{os.path.basename(path)}{left[0]} is beside it" if left else "its log is not in it"
        raise RefusedError(
            f"{path} is no backup: it is a store in use, or a copy that lacks its log.",
            why=why,
            hint=f"memoryctl backup FILE --db {shlex.quote(path)}",
        )
    size = count_file_bytes(path)
    if size < header.bytes:
        raise CorruptStoreError(
            f"{path} is cut short: {size:,} of its {header.bytes:,} bytes are there.",
            why="the copying broke off, perhaps; nothing was changed",
            hint="memoryctl backup list",
        )
    return header


def open_private(path: str, *, read_only: bool) -> Connection:
    """Open a file that is no store in use: it may lie on a network file system too."""
    return Connection(path, read_only=read_only, busy_timeout=1)


COUNT_OBJECTS = "SELECT count(*) FROM sqlite_schema"


@contextmanager
def reading_sealed(path: str) -> Iterator[Connection]:
    """Read a store in one piece from one state of it; nobody can write to it meanwhile."""
    db = open_private(path, read_only=True)
    try:
        with snapshot(db):
            # Only what has been read from is held.
            db.execute(COUNT_OBJECTS).fetchall()
            yield db
    finally:
        db.close()


def copy_into(db: Connection, path: str, progress: Progress | None = None) -> None:
    """Write the state that a connection reads into a new file that only its owner may read.

    The connection is within a transaction, so that what others write meanwhile makes no page anew.
    ``progress`` is called with the bytes written so far.

    Raises:
        StorageError, DiskFullError: it could not be written.
    """
    make_private(path)
    copy = open_private(path, read_only=False)
    try:
        with translated(copy):
            for name, value in WHILE_COPYING:
                copy.execute(f"PRAGMA {name} = {value}").fetchall()
            page = int(db.execute("PRAGMA page_size").get)
            with copy.raw.backup("main", db.raw, "main") as work:
                while not work.done:
                    work.step(PAGES_AT_A_TIME)
                    if progress is not None:
                        progress((work.page_count - work.remaining) * page)
            seal(copy)
    finally:
        copy.close()


@contextmanager
def copied(db: Connection, path: str) -> Iterator[Connection]:
    """Give a copy of a store to try something on, in a transaction; it is gone afterwards."""
    copy_into(db, path)
    copy = open_private(path, read_only=False)
    try:
        with translated(copy):
            copy.execute("PRAGMA synchronous = OFF").fetchall()
        with transaction(copy, keep=False):
            yield copy
    finally:
        copy.close()
        for end in ("", *SIDE_FILES):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path + end)


def seal(db: Connection) -> None:
    """Make a file that nobody else has open one that needs no other beside it.

    Raises:
        StoreBusyError: another connection has it open.
    """
    # SQLite does not call the busy handler for this switch.
    with translated(db), contextlib.suppress(apsw.BusyError):
        if db.execute("PRAGMA journal_mode = DELETE").get == "delete":
            return
    raise StoreBusyError(
        f"Another process has {os.path.basename(db.path)} open.",
        why="nothing was changed",
        hint="end the programs that use it, and try again",
    )


def make_private(path: str) -> None:
    """Make an empty file of mode 0600; what an earlier run of this process left there goes.

    Raises:
        StorageError: the folder cannot be written.
    """
    try:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as error:
        raise StorageError(
            f"{path} cannot be written ({error.strerror}).", hint="give another place"
        ) from error


SELECT_TREES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0"


def check_whole(db: Connection, *, quick: bool) -> None:
    """Check a file page by page and link by link; not ``quick``, each index against its table too.

    What is ``quick`` leaves out walking the word indexes, which takes ten times as long as the rest
    and can be made up for: they can be made anew from the texts.

    Raises:
        CorruptStoreError: something is wrong; the message says how much, and nothing of content.
    """
    name = os.path.basename(db.path)
    with translated(db):
        found = _faults_of_trees(db) if quick else db.execute(CHECK_ALL).fetchall()
        if found:
            raise CorruptStoreError(
                f"{name} is damaged: {len(found)} faults in its pages.",
                hint="take another backup: memoryctl backup list",
            )
        loose = len(db.execute("PRAGMA foreign_key_check").fetchall())
        if loose:
            raise CorruptStoreError(
                f"{name} is damaged: {loose:,} links lead to nothing.",
                hint="take another backup: memoryctl backup list",
            )


CHECK_ALL = "SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'"
CHECK_TREE = "SELECT quick_check FROM pragma_quick_check(?) WHERE quick_check <> 'ok'"


def _faults_of_trees(db: Connection) -> list[object]:
    """List what is wrong in the pages of each table and its indexes."""
    names: list[Any] = db.execute(SELECT_TREES).fetchall()
    trees = ["sqlite_schema", *(name for (name,) in names)]
    return [fault for tree in trees for fault in db.execute(CHECK_TREE, (tree,))]


SELECT_CONTENTS = """
SELECT (SELECT uid FROM stores), (SELECT user_version FROM pragma_user_version),
  (SELECT coalesce(sum(indexed_episodes), 0) FROM scopes), {facts},
  (SELECT coalesce(max(operation_id), 0) FROM operations),
  (SELECT coalesce(max(at), 0) FROM operations)
"""
HAS_FACTS = "SELECT count(*) FROM pragma_table_info('scopes') WHERE name = 'indexed_facts'"
SUM_FACTS = "(SELECT coalesce(sum(indexed_facts), 0) FROM scopes)"


def read_contents(db: Connection) -> Contents:
    """Tell what a store of any schema holds; one that was never set up has no id."""
    with translated(db):
        facts = SUM_FACTS if db.execute(HAS_FACTS).get else "0"
        row: Any = db.execute(SELECT_CONTENTS.replace("{facts}", facts)).fetchone()
    uid, *rest = row
    return Contents(bytes(uid or b""), *rest)


HAS_RECEIPTS = "SELECT EXISTS(SELECT 1 FROM sqlite_schema WHERE name = 'receipt_entries')"


def has_receipts(db: Connection) -> bool:
    """Tell whether a store is of a schema that can forget."""
    return bool(db.execute(HAS_RECEIPTS).get)


def to_disk(path: str) -> None:
    """Have a file that nobody has open, or the names in a folder, on the disk itself."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
