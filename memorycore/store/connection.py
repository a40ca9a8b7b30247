"""Connections: the one place where the store's file is opened and its settings are made.

A transaction is opened at the top, by ``transaction`` or ``snapshot``; functions elsewhere in the
store run inside it. No apsw error leaves this package: ``translated`` turns each into one of ours.
"""

import contextlib
import os
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from weakref import WeakSet

import apsw

from memorycore.errors import (
    DiskFullError,
    ForkedHandleError,
    MemoryCoreError,
    ReadOnlyStoreError,
    StorageError,
    UnknownOutcomeError,
)
from memorycore.store.failures import as_ours, damaged
from memorycore.store.functions import register_functions
from memorycore.store.mounts import refuse_network_file_system

APPLICATION_ID = 0x4D434F52
OLDEST_SQLITE = (3, 51, 3)
MEMORY = ":memory:"
STATEMENTS = 256
"""So many statements are kept prepared: a forgetting has about a hundred."""
LONG_HOLD_S = 0.05
ROLLBACK_WAIT_S = 1
GIVE_WAY_S = 0.006
"""Twice the longest step in which a writer that waits looks again."""

_SETTINGS = (
    ("synchronous", "FULL"),
    ("secure_delete", "ON"),
    ("foreign_keys", "ON"),
    ("recursive_triggers", "ON"),
    ("trusted_schema", "OFF"),
    ("temp_store", "MEMORY"),
    ("cache_size", "-65536"),
    ("mmap_size", "0"),
    # Pages that are written again and again, the ends of indexes, are copied less often.
    ("wal_autocheckpoint", "4000"),
)

Witness = tuple[str, Mapping[str, object]]
"""A question to the store, with its bindings: the answer is 1 once a transaction is in it."""


class Connection:
    """One SQLite connection to a store, with the wait for locks and the check against forks.

    ``is_broken`` says that SQLite has failed on it: nothing that it has cached can be trusted, and
    who holds it closes it. ``witness`` is of the transaction that was begun last.
    """

    def __init__(self, path: str, *, read_only: bool, busy_timeout: float) -> None:
        flags = (
            apsw.SQLITE_OPEN_READONLY
            if read_only
            else (apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
        )
        self.path = path
        self.read_only = read_only
        self.busy_timeout = busy_timeout
        self.is_abandoned = False
        self.is_broken = False
        self.witness: Witness | None = None
        self.gives_way_until = 0.0
        with translated(self):
            self.raw = apsw.Connection(path, flags=flags, statementcachesize=STATEMENTS)
            self._settle()

    def _settle(self) -> None:
        raw = self.raw
        raw.set_busy_handler(jittered_wait(self.busy_timeout))
        raw.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
        raw.config(apsw.SQLITE_DBCONFIG_DQS_DDL, 0)
        raw.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        # Else a plan may hang on what is bound, and is made anew whenever that is bound anew.
        raw.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        raw.transaction_mode = "IMMEDIATE"
        register_functions(raw)
        for name, value in _SETTINGS:
            raw.execute(f"PRAGMA {name} = {value}").fetchall()
        _live.add(self)

    def execute(self, sql: str, bindings: object = None) -> apsw.Cursor:
        """Run SQL in the transaction that is open (or on its own, for a single read)."""
        self.check()
        return self.raw.execute(sql, bindings)  # type: ignore[arg-type]

    def executemany(self, sql: str, rows: object) -> None:
        """Run one statement for each row of bindings."""
        self.check()
        self.raw.executemany(sql, rows)  # type: ignore[arg-type]

    def attest(self, question: str, values: Mapping[str, object]) -> None:
        """Keep the first question of a transaction whose answer shows later that it is written."""
        self.witness = self.witness or (question, values)

    def check(self) -> None:
        """Refuse a handle that a fork brought into another process."""
        if self.is_abandoned:
            raise ForkedHandleError(
                "This store handle was opened in another process.",
                hint="open the store again after the fork",
            )

    def close(self) -> None:
        """Close the connection; in a forked child leave the parent's locks alone."""
        if not self.is_abandoned:
            with translated(self):
                self.raw.close()


_live: WeakSet[Connection] = WeakSet()
_abandoned: list[apsw.Connection] = []


def _abandon_after_fork() -> None:
    """Keep a child's copies from being closed: that would act on the parent's files."""
    for connection in _live:
        connection.is_abandoned = True
        _abandoned.append(connection.raw)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_abandon_after_fork)


def use_log(db: Connection) -> None:
    """Make the store keep its write-ahead log; called only once the file is known to be a store."""
    wait = jittered_wait(db.busy_timeout)
    tries = 0
    with translated(db):
        while db.execute("PRAGMA journal_mode").get not in ("wal", "memory"):
            try:
                mode = db.execute("PRAGMA journal_mode = WAL").get
            except apsw.BusyError:
                # SQLite does not call the busy handler for this switch.
                if not wait(tries):
                    raise
                tries += 1
            else:
                _require_log(mode, db)


def _require_log(mode: object, db: Connection) -> None:
    if mode not in ("wal", "memory"):
        raise StorageError(
            f"{db.path} cannot keep a write-ahead log here (SQLite answers {mode!r}).",
            hint="keep the store on a local disk: --db FILE or MEMORYCORE_DB",
        )


@contextmanager
def unchecked_links(db: Connection) -> Iterator[None]:
    """Let tables that others refer to be rebuilt in a block; who does so checks the links after."""
    with translated(db):
        db.execute("PRAGMA foreign_keys = OFF").fetchall()
        try:
            yield
        finally:
            if not db.is_broken:
                db.execute("PRAGMA foreign_keys = ON").fetchall()


@contextmanager
def unguarded_indexes(db: Connection) -> Iterator[None]:
    """Let the tables in which a word index keeps itself be written to in a block."""
    db.raw.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
    try:
        yield
    finally:
        db.raw.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)


def open_connection(path: str, *, read_only: bool, busy_timeout: float) -> Connection:
    """Open a connection to a store's file.

    Raises:
        StorageError: the SQLite library is older than 3.51.3, or the file cannot be opened.
        NetworkFileSystemError: the file lies where locks cannot be trusted.
    """
    found = tuple(int(part) for part in apsw.sqlite_lib_version().split("."))
    if found < OLDEST_SQLITE:
        raise StorageError(
            f"SQLite {apsw.sqlite_lib_version()} can corrupt a log that is reset under load.",
            hint="pip install -U apsw",
        )
    if path != MEMORY:
        refuse_network_file_system(path)
        if read_only:
            _finish_rollback(path)
    return Connection(path, read_only=read_only, busy_timeout=busy_timeout)


def _finish_rollback(path: str) -> None:
    """Take back what a process that was killed has half written to a file without a log.

    Every reader but one that may only read does so. Whoever may not, or comes while another does,
    goes on, and sees for itself whether the file can be read.
    """
    if not (_is_filled(path + "-journal") and _is_filled(path)):
        return
    with (
        contextlib.suppress(MemoryCoreError),
        contextlib.closing(Connection(path, read_only=False, busy_timeout=ROLLBACK_WAIT_S)) as db,
        translated(db),
    ):
        db.execute("PRAGMA schema_version").fetchall()


def _is_filled(path: str) -> bool:
    try:
        return os.stat(path).st_size > 0
    except OSError:
        return False


def jittered_wait(limit: float) -> Callable[[int], bool]:
    """Wait in short random steps: twice the throughput of SQLite's own back-off, and fairer."""
    import random

    started = 0.0

    def wait(tries: int) -> bool:
        nonlocal started
        if tries == 0:
            started = time.monotonic()
        time.sleep(random.uniform(0.0003, 0.003))
        return time.monotonic() - started < limit

    return wait


def number_list(numbers: Iterable[int]) -> object:
    """Bind numbers as one value, for ``IN (SELECT value FROM carray(?))``; none is NULL."""
    values = array("q", numbers)
    return apsw.carray(values) if values else None


@contextmanager
def transaction(db: Connection, *, keep: bool = True) -> Iterator[None]:
    """Hold the write lock for a block: all of it is committed, or none. Without ``keep``, none.

    Raises:
        StoreBusyError: another process held the lock until the wait ran out.
        DiskFullError: no room; nothing of the block was written.
        UnknownOutcomeError: the commit failed in a way that leaves its outcome open.
    """
    if db.read_only:
        raise ReadOnlyStoreError("The store was opened for reading only.")
    with translated(db):
        _give_way(db)
        db.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        db.witness = None
        try:
            yield
        except BaseException:
            _roll_back(db)
            raise
        if not keep:
            _roll_back(db)
    if keep:
        _commit(db)
    ended = time.monotonic()
    if ended - began > LONG_HOLD_S:
        db.gives_way_until = ended + GIVE_WAY_S


def _give_way(db: Connection) -> None:
    """Let those who wait go first after a long hold: a run of batches would starve them."""
    pause = db.gives_way_until - time.monotonic()
    if pause > 0:
        time.sleep(pause)


@contextmanager
def snapshot(db: Connection, *, alone: bool = False) -> Iterator[None]:
    """Read from one unchanging state of the store for a block; ``alone`` keeps all others out."""
    with translated(db):
        db.execute("BEGIN EXCLUSIVE" if alone else "BEGIN DEFERRED")
        try:
            yield
        finally:
            _roll_back(db)


def _commit(db: Connection) -> None:
    try:
        with translated(db):
            db.execute("COMMIT")
    except DiskFullError:
        raise
    except MemoryCoreError as error:
        if db.raw.in_transaction:
            # SQLite has refused to commit, and would still have it: a lock, a link to nothing.
            with translated(db):
                _roll_back(db)
            raise
        raise UnknownOutcomeError(
            "The commit failed; whether it is on disk is not known.",
            why=error.message,
            hint="once the disk is well, send the same input again: what is there is kept once",
        ) from error


def _roll_back(db: Connection) -> None:
    if db.raw.in_transaction:
        db.raw.execute("ROLLBACK")


@contextmanager
def translated(db: Connection) -> Iterator[None]:
    """Turn each apsw error of a block into one of ours, without any content of the store."""
    try:
        yield
    except apsw.Error as error:
        if not isinstance(error, apsw.BusyError):
            db.is_broken = True
        raise as_ours(error, db) from error
    except UnicodeDecodeError:
        db.is_broken = True
        # Python's error holds the text itself, so that is not passed on.
        raise damaged(db, "a text in it is none") from None
