"""An open store: its connections, its key, and the turns that threads take on them."""

import contextlib
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memorycore.errors import (
    ClosedError,
    DiskFullError,
    ForkedHandleError,
    InvalidInputError,
    MemoryCoreError,
    ReadOnlyStoreError,
    StorageError,
    StoreMissingError,
    UnknownOutcomeError,
)
from memorycore.keyring import Keyring
from memorycore.model.identity import IdSource
from memorycore.store.ballast import (
    DEFAULT_MB,
    FROM_BYTES,
    MAX_MB,
    cut_ballast,
    keep_ballast,
    release_ballast,
)
from memorycore.store.connection import (
    MEMORY,
    Connection,
    Witness,
    open_connection,
    snapshot,
    transaction,
    unchecked_links,
    use_log,
)
from memorycore.store.outcome import is_written, settle_outcome
from memorycore.store.place import find_place, keep_private, make_private_file
from memorycore.store.schema import NEWEST_SCHEMA, require_schema, schema_version
from memorycore.store.stores import StoreRow, count_bytes, find_store, insert_store

if TYPE_CHECKING:
    # Only writing needs the key and the migrations: a search starts without them.
    from memorycore.model.needles import Needles
    from memorycore.model.predicate import Predicate

MAX_WAIT_S = 86_400
FIRST_WITH_PREDICATES = 3
"""The schema from which on a store has predicates; one that was made without any keeps none."""

Clock = Callable[[], int]
"""Gives the present in microseconds UTC."""


class OpenStore(Keyring):
    """The connections to one store file, shared by every handle on it.

    Writes take turns on one connection. Each read runs on a connection of its own, taken from those
    that are free. A store in memory has one connection for everything.
    """

    def __init__(
        self,
        path: str,
        *,
        read_only: bool,
        clock: Clock,
        ids: IdSource,
        wait: float,
        ballast_mb: int = DEFAULT_MB,
    ) -> None:
        super().__init__()
        if not isinstance(wait, (int, float)) or not 0 <= wait <= MAX_WAIT_S:
            raise InvalidInputError(f"busy_timeout is 0 to {MAX_WAIT_S} seconds.")
        if not isinstance(ballast_mb, int) or not 0 <= ballast_mb <= MAX_MB:
            raise InvalidInputError(f"ballast_mb is 0 to {MAX_MB}, and whole.")
        self._pid = os.getpid()
        self.path = find_place(path)
        self.read_only = read_only
        self.clock = clock
        self.new_id = ids
        self._wait = wait
        self._ballast_mb = ballast_mb
        self._has_ballast = False
        self._write_turn = threading.RLock()
        self._free_turn = threading.Lock()
        self._writer: Connection | None = None
        self._free_readers: list[Connection] = []
        self._closed = False
        self._row: StoreRow | None = None
        self.sought: dict[int, tuple[int, Needles]] = {}
        """The words of forgettings that are not finished, by receipt; kept nowhere else."""
        self.saved: str | None = None  # the copy from before the schema was brought up to date

    def begin(self, *, create: bool, time_zone: str, language: str) -> None:
        """Check the store, and with ``create`` make it first if it is missing.

        Where the disk is full even for the files that SQLite needs beside it, a slice of the
        ballast makes room.
        """
        for is_last in (False, True):
            try:
                if create and not self.read_only and not self.is_made():
                    self.create(time_zone=time_zone, language=language)
                return self.check()
            except DiskFullError:
                if is_last or not self.give_way(whole=False):
                    raise
        return None

    def create(
        self,
        *,
        time_zone: str,
        language: str,
        predicates: "Sequence[Predicate] | None" = None,
        save: bool = True,
    ) -> int:
        """Make the store if it is missing, and bring its schema up to date.

        A store that is new to predicates gets those given, else those that come with memorycore.

        Returns the schema that was found: 0 for a new store. Many processes may do this at once.
        """
        from memorycore.engine.back_up import save_older
        from memorycore.model.time import load_zone
        from memorycore.store.backups import insert_backup
        from memorycore.store.migrate import apply_migrations

        load_zone(time_zone)
        if self.path != MEMORY:
            make_private_file(self.path)
        with self._write_turn:
            db = self._writer = self._writer or self._connect(read_only=False)
            try:
                found = schema_version(db)
                use_log(db)
                # A rebuilt table would drag along what refers to it; its links are checked last.
                with unchecked_links(db), transaction(db):
                    saved = save_older(db, now=self.clock, new_id=self.new_id) if save else None
                    found = apply_migrations(db)
                    if saved is not None:
                        self.saved = insert_backup(db, saved)
                    if find_store(db) is None:
                        self._settle_in(db, time_zone=time_zone, language=language)
                    if found < FIRST_WITH_PREDICATES:
                        self._seed(db, predicates)
            except BaseException:
                self._drop_writer()
                raise
        if 0 < found < NEWEST_SCHEMA and self.path != MEMORY:
            keep_private(self.path)
        return found

    def _seed(self, db: Connection, predicates: "Sequence[Predicate] | None") -> None:
        """Give a store that is new to predicates those given, else those of memorycore."""
        from memorycore.store.predicates import insert_predicate

        if predicates is None:
            from memorycore.exchange.predicate_file import load_seeded

            predicates = load_seeded()
        for predicate in predicates:
            # They belong to the making of the store, which is its first operation.
            insert_predicate(db, predicate, recorded=1)

    def _settle_in(self, db: Connection, *, time_zone: str, language: str) -> None:
        from memorycore.model.word import folding_version
        from memorycore.store.key_file import create_key
        from memorycore.store.operations import insert_operation

        now = self.clock()
        key = create_key(self.path)
        uid = self.new_id(now)
        insert_store(
            db, StoreRow(uid, time_zone, language, key.check_value(uid), folding_version())
        )
        insert_operation(db, now=now, new_id=self.new_id, actor="memorycore", kind="init")
        self._key = key

    def is_made(self) -> bool:
        """Tell whether there is a store, and not a file that somebody has only begun to fill."""
        if self.path == MEMORY or not os.path.exists(self.path):
            return False
        db = self._connect(read_only=True)
        try:
            return schema_version(db) > 0
        finally:
            _close(db)

    def check(self) -> None:
        """Check that the file is a store of the schema that this version knows."""
        if self.path != MEMORY and not os.path.exists(self.path):
            raise StoreMissingError(
                f"No memory store at {self.path}",
                hint="memoryctl init-db          (or point to one: --db FILE, MEMORYCORE_DB)",
            )
        with self.read():
            pass

    @property
    def row(self) -> StoreRow:
        """What the store knows about itself."""
        if self._row is None:
            with self.read() as db:
                self._row = find_store(db)
        if self._row is None:
            raise StoreMissingError(f"{self.path} was never set up.", hint="memoryctl init-db")
        return self._row

    @contextmanager
    def maintain(self) -> Iterator[Connection]:
        """Hold the writing connection for a block without a transaction, and no other of ours."""
        if self.read_only:
            raise ReadOnlyStoreError("The store was opened for reading only.")
        with self._write_turn:
            self._refuse_closed()
            with self.write():
                pass
            with self._free_turn:
                free, self._free_readers = self._free_readers, []
            for reader in free:
                _close(reader)
            db = self._writer
            assert db is not None
            try:
                yield db
            finally:
                if db.is_broken:
                    self._drop_writer()

    @contextmanager
    def write(self, *, dry_run: bool = False, unlinked: bool = False) -> Iterator[Connection]:
        """Hold the write lock for a block, committed as a whole; a dry run is rolled back.

        With ``unlinked`` the block itself sees to it that no link leads to nothing: it takes rows
        away together with all that refers to them, and SQLite need not search for that.

        Raises:
            StorageError: nothing was written. UnknownOutcomeError: not even that can be told.
        """
        if self.read_only:
            raise ReadOnlyStoreError("The store was opened for reading only.")
        with self._write_turn:
            self._refuse_closed()
            db = self._writer = self._writer or self._open_writer()
            links = unchecked_links(db) if unlinked else contextlib.nullcontext()
            is_due = False
            try:
                with links, transaction(db, keep=not dry_run):
                    yield db
                    is_due = not dry_run and not self._has_ballast and count_bytes(db) >= FROM_BYTES
            except (UnknownOutcomeError, DiskFullError) as error:
                self._drop_writer()
                if not self._has_happened(db.witness, error):
                    raise
            finally:
                if db.is_broken:
                    self._drop_writer()
            if is_due:
                self._has_ballast = keep_ballast(self.path, self._ballast_mb)

    def give_way(self, *, whole: bool = True) -> bool:
        """Give up the ballast, or a slice of it, since the disk is full; tell whether that helps.

        It is made again by a later write, when there is room.
        """
        if self.read_only or self.path == MEMORY:
            return False
        self._has_ballast = False
        return release_ballast(self.path) if whole else cut_ballast(self.path)

    def _open_writer(self) -> Connection:
        db = self._connect(read_only=False)
        try:
            require_schema(db)
            use_log(db)
        except BaseException:
            _close(db)
            raise
        return db

    def _has_happened(self, witness: Witness | None, error: StorageError) -> bool:
        """Tell whether a transaction that ended in an error is in the store all the same.

        Raises:
            StorageError: it is not, and cannot come to be any more.
        """
        if witness is None or self.path == MEMORY:
            return False
        try:
            db = self._connect(read_only=False)
            try:
                if isinstance(error, DiskFullError):
                    return is_written(db, witness)
                happened = settle_outcome(db, witness)
            finally:
                _close(db)
        except MemoryCoreError:
            return False
        if not happened:
            raise StorageError(
                "The commit failed, and nothing was written.",
                why=error.why,
                hint="send the same input again",
            ) from error
        return True

    def _drop_writer(self) -> None:
        if self._writer is not None and self.path != MEMORY:
            _close(self._writer)
            self._writer = None

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Read from one unchanging state of the store for a block."""
        if self.path == MEMORY:
            with self._write_turn:
                self._refuse_closed()
                assert self._writer is not None
                yield self._writer
            return
        db = self._take_reader()
        try:
            with snapshot(db):
                yield db
        finally:
            self._give_back(db)

    @contextmanager
    def read_apart(self) -> Iterator[Connection]:
        """Read as ``read`` does, on a connection of its own that has nothing cached."""
        if self.path == MEMORY:
            with self.read() as db:
                yield db
            return
        self._refuse_closed()
        db = self._connect(read_only=True)
        try:
            with snapshot(db):
                yield db
        finally:
            _close(db)

    def _take_reader(self) -> Connection:
        with self._free_turn:
            self._refuse_closed()
            if self._free_readers:
                return self._free_readers.pop()
        db = self._connect(read_only=True)
        try:
            with snapshot(db):
                require_schema(db)
        except BaseException:
            _close(db)
            raise
        return db

    def _give_back(self, db: Connection) -> None:
        with self._free_turn:
            if not self._closed and not db.is_broken:
                self._free_readers.append(db)
                return
        _close(db)

    def _connect(self, *, read_only: bool) -> Connection:
        return open_connection(self.path, read_only=read_only, busy_timeout=self._wait)

    def _refuse_closed(self) -> None:
        if os.getpid() != self._pid:
            raise ForkedHandleError(
                "This memory was opened in another process.", hint="open it again after the fork"
            )
        if self._closed:
            raise ClosedError("This memory has been closed.", hint="open it again")

    def close(self) -> None:
        """Close all connections. Closing twice is fine."""
        with self._write_turn, self._free_turn:
            self._closed = True
            connections = [*self._free_readers, *filter(None, [self._writer])]
            self._free_readers.clear()
            self._writer = None
            for db in connections:
                _close(db)


def _close(db: Connection) -> None:
    """Close a connection: what it has committed stands, whatever becomes of the closing."""
    with contextlib.suppress(MemoryCoreError):
        db.close()
