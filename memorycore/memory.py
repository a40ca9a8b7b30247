"""Memory: an open store, with one method a use case.

A handle may be shared between threads; it must not cross a fork. Times and ids come from the clock
and the id source it was opened with.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

from memorycore.engine.answer import search as retrieve
from memorycore.errors import InvalidInputError, NotUndoableError, StoreMissingError
from memorycore.examining import Examiner
from memorycore.forgetting import Forgetter
from memorycore.handle import DEFAULT_BUSY_TIMEOUT, relieved
from memorycore.keeping import Keeper
from memorycore.looking import Looker
from memorycore.managing import Curator
from memorycore.model.episode import ON_SECRET, ROLES, Episode
from memorycore.model.fact import STATES
from memorycore.model.given import require_limit, require_names, require_path, require_share
from memorycore.model.identity import IdSource, parse_id_of, ulid_source
from memorycore.model.name import require_text
from memorycore.model.scope import DEFAULT_SCOPE
from memorycore.model.search import SearchRequest, SearchResult
from memorycore.model.time import load_zone
from memorycore.open_store import Clock, OpenStore
from memorycore.queueing import Queuer
from memorycore.recalling import Recaller
from memorycore.restoring import Restorer
from memorycore.store.ballast import DEFAULT_MB
from memorycore.store.connection import MEMORY, Connection
from memorycore.store.scopes import find_scope
from memorycore.subjects import Discloser

if TYPE_CHECKING:
    from os import PathLike

    # The write side is imported by the methods that write: a search starts without it.
    from memorycore.bulk import Progress
    from memorycore.engine.undo import UndoResult
    from memorycore.model.draft import Draft, Rejection
    from memorycore.model.ingest import IngestPolicy, IngestResult
    from memorycore.model.operation import Operation
    from memorycore.model.predicate import Predicate
    from memorycore.model.stats import Stats
    from memorycore.store.guard import Row


def system_clock() -> int:
    """Read the system's clock: microseconds UTC."""
    return time.time_ns() // 1000


class Memory(Curator, Discloser, Examiner, Forgetter, Keeper, Looker, Queuer, Recaller, Restorer):
    """A long-term memory in one file.

    ``scope`` is whose memory is written and read; ``reads`` names further scopes to read. Open it
    with ``Memory.open``; use it as a context manager, or ``close`` it.
    """

    default_clock = staticmethod(system_clock)

    @classmethod
    def open(
        cls,
        path: "str | PathLike[str]",
        *,
        scope: str = DEFAULT_SCOPE,
        reads: Sequence[str] = (),
        create: bool = True,
        read_only: bool = False,
        clock: Clock = system_clock,
        ids: IdSource | None = None,
        busy_timeout: float = DEFAULT_BUSY_TIMEOUT,
        time_zone: str = "UTC",
        language: str = "any",
        actor: str = "library",
        on_secret: Literal["reject", "mask", "keep"] = "reject",
        ballast_mb: int = DEFAULT_MB,
    ) -> Self:
        """Open a store; make it first if it is missing and ``create`` is true.

        ``path`` is a file or ``":memory:"``. A new store keeps ``time_zone`` (of times without an
        offset) and ``language``. ``busy_timeout`` is in seconds. ``ballast_mb`` are set aside in a
        file beside a store of more than a megabyte, so that forgetting works on a full disk; 0 sets
        none aside.

        Raises:
            StoreMissingError: there is no file and ``create`` is false (or ``read_only`` true).
            NotAStoreError, SchemaTooNewError, SchemaTooOldError: the file is not such a store.
            NetworkFileSystemError: it lies where locks cannot be trusted.
        """
        if on_secret not in ON_SECRET:
            raise InvalidInputError(f"{on_secret!r} is no policy.", hint="reject, mask or keep")
        path, language = require_path(path), require_text(language, "language")
        store = OpenStore(
            path, read_only=read_only, clock=clock, ids=ids or ulid_source(), wait=busy_timeout,
            ballast_mb=ballast_mb,
        )  # fmt: skip
        memory = cls(store, scope=scope, reads=reads, actor=actor, on_secret=on_secret)
        if path == MEMORY and (read_only or not create):
            raise StoreMissingError("A store in memory is always a new one.")
        store.begin(create=create, time_zone=time_zone, language=language)
        return memory

    @classmethod
    def init(
        cls,
        path: "str | PathLike[str]",
        *,
        clock: Clock = system_clock,
        busy_timeout: float = DEFAULT_BUSY_TIMEOUT,
        time_zone: str = "UTC",
        language: str = "any",
        predicates: "Sequence[Predicate] | str | None" = None,
    ) -> int:
        """Make a store or bring its schema up to date; give the schema found (0: none).

        A new store knows ``predicates``, records or the text of a TOML file, else those that come
        with memorycore. Many processes may do this at once. Raises NotAStoreError,
        SchemaTooNewError, or InvalidInputError when the predicates cannot be.
        """
        if predicates is not None:
            from memorycore.exchange.predicate_file import read_whole

            predicates = read_whole(predicates)
        store = OpenStore(
            require_path(path), read_only=False, clock=clock, ids=ulid_source(), wait=busy_timeout
        )
        try:
            language = require_text(language, "language")
            return store.create(time_zone=time_zone, language=language, predicates=predicates)
        finally:
            store.close()

    def check_key(self) -> None:
        """Check that the store's key is there, as writing needs it; raises KeyFileError."""
        self._store.key()

    def scoped(
        self, scope: str, reads: Sequence[str] = (), *, time_zone: str | None = None
    ) -> "Memory":
        """Give a handle on the same open store for another scope, or one that reads and shows times
        in another zone.
        """
        if time_zone is not None:
            load_zone(time_zone)
        same = {"actor": self._actor, "on_secret": self._on_secret}
        zone = time_zone or self._time_zone
        return Memory(self._store, scope=scope, reads=reads, time_zone=zone, **same)

    def close(self) -> None:
        """Close the store for every handle on it."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(
        self,
        text: str,
        *,
        role: str = "user",
        speaker: str | None = None,
        at: str | None = None,
        session: str | None = None,
        source: str | None = None,
        external_id: str | None = None,
        meta: Mapping[str, Any] | None = None,
    ) -> Episode:
        """Keep one message, in one committed transaction, and give its episode.

        ``at`` is ISO 8601, read in the store's zone if it has no offset; left out, the time is
        unknown. The same message again gives the episode that is there.

        Raises:
            InvalidInputError: an argument cannot be read.
            SecretRefusedError: the text looks like it holds a secret, and the policy rejects it.
            StoreBusyError: another process held the write lock too long; nothing was written.
        """
        from memorycore.bulk import take_one
        from memorycore.exchange.episode_line import read_episode

        item = {
            "text": text,
            "role": role,
            "speaker": speaker,
            "at": at,
            "session": session,
            "source": source,
            "external_id": external_id,
            "meta": dict(meta) if isinstance(meta, Mapping) else meta,
        }
        record = read_episode(item, time_zone=self.time_zone, place="add")
        return take_one(self._store, record, self._policy(fail_fast=True))

    def add_many(
        self,
        items: "Iterable[Draft | Mapping[str, Any]]",
        *,
        on_error: Literal["raise", "collect"] = "raise",
    ) -> "IngestResult":
        """Keep many messages, a few thousand to a transaction.

        An item is a ``Draft`` or a mapping with the fields of the JSON lines format. With
        ``on_error="collect"`` items that cannot be taken are listed in the result; with ``"raise"``
        the first one stops the run, and what was committed before it stands.

        Raises:
            InvalidInputError, SecretRefusedError: an item cannot be taken (``on_error="raise"``).
        """
        from memorycore.exchange.episode_line import read_items

        records = read_items(items, time_zone=self.time_zone)
        return self.ingest(records, fail_fast=on_error != "collect")

    def ingest(
        self,
        records: "Iterable[Draft | Rejection]",
        *,
        fail_fast: bool = False,
        only_scope: bool = False,
        dry_run: bool = False,
        progress: "Progress | None" = None,
    ) -> "IngestResult":
        """Keep what a reader reads; a dry run does so in one transaction that is rolled back."""
        from memorycore.bulk import take_in

        policy = self._policy(fail_fast=fail_fast, only_scope=only_scope)
        return take_in(self._store, records, policy, dry_run=dry_run, progress=progress)

    def _policy(self, *, fail_fast: bool, only_scope: bool = False) -> "IngestPolicy":
        from memorycore.model.ingest import IngestPolicy

        return IngestPolicy(
            scope=self.scope,
            only_scope=only_scope,
            on_secret=self._on_secret,
            fail_fast=fail_fast,
            actor=self._actor,
        )

    def ingest_file(
        self,
        path: "str | PathLike[str]",
        *,
        format: str = "auto",  # noqa: A002 (the public name)
        session: str | None = None,
        role: str | None = None,
        at: str | None = None,
        source: str | None = None,
        time_zone: str | None = None,
        **settings: Any,
    ) -> "IngestResult":
        """Keep the conversations of a file (``-`` is standard input; ``.gz`` is unpacked).

        ``format`` is ``auto``, ``jsonl``, ``chat``, ``text`` or ``mem0``. ``session``, ``role`` and
        ``at`` stand in for what a record leaves out; ``source`` is the file's name unless given;
        times without an offset are read in ``time_zone``, else in the store's. Further settings are
        those of ``ingest``.

        Raises:
            InvalidInputError: the file cannot be read, or its format cannot be told.
        """
        from memorycore.bulk import open_records

        zone = time_zone or self.time_zone
        with open_records(
            require_path(path), format, source=source, zone=zone, session=session, role=role, at=at
        ) as records:
            return self.ingest(records, **settings)

    @relieved
    def undo(
        self, operation: str | None = None, *, dry_run: bool = False, all_scopes: bool = False
    ) -> "UndoResult":
        """Take an operation back: the one named, else the newest of this scope that stands.

        With ``all_scopes`` an operation of another scope may be named.

        Raises:
            NotFoundError: there is no such operation in this handle's scopes.
            NotUndoableError: it was taken back already, or nothing is left to take back.
        """
        from memorycore.engine.undo import undo

        with self._store.write(dry_run=dry_run) as db:
            return undo(
                db,
                self._undo_target(db, operation, None if all_scopes else self.scopes),
                now=self._store.clock(),
                new_id=self._store.new_id,
                actor=self._actor,
                dry_run=dry_run,
            )

    def _undo_target(
        self, db: Connection, operation: str | None, scopes: Sequence[str] | None
    ) -> "Operation":
        from memorycore.store.operations import find_last_undoable, get_operation

        if operation is not None:
            return get_operation(db, *parse_id_of("op", operation), scopes=scopes, asked=operation)
        scope_id = find_scope(db, self.scope)
        target = None if scope_id is None else find_last_undoable(db, scope_id)
        if target is None:
            raise NotUndoableError(
                f"There is nothing to take back in {self.scope}.",
                hint="memoryctl log, then memoryctl undo OP",
            )
        return target

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        cursor: str | None = None,
        session: str | None = None,
        roles: Sequence[str] = (),
        since: str | None = None,
        until: str | None = None,
        as_of: str | None = None,
        known_at: str | None = None,
        predicate: str | None = None,
        entity: str | None = None,
        include: Sequence[str] = (),
        min_confidence: float | None = None,
        time_zone: str | None = None,
        explain: bool = False,
    ) -> SearchResult:
        """Find the facts and episodes that answer a question, best first, in this handle's scopes.

        Facts are those that hold now; ``as_of`` asks for another time, ``known_at`` for what was
        believed then, ``include`` for ``past``, ``upcoming``, ``consolidated`` or ``archived``.
        ``predicate``, ``entity`` and ``min_confidence`` narrow to facts; ``session``, ``roles``,
        ``since`` and ``until`` to episodes.

        ``since`` and ``until`` are ISO dates of any precision, ``now``, or ``-3d`` (h, d, w, mo,
        y); the day, month or year that ``until`` names is still in. Without an offset they are
        read in ``time_zone``, else in the store's. Episodes without a time are in no such window.
        ``cursor`` is the ``next`` of the page before.

        Raises:
            InvalidQueryError: the query is empty or longer than 100,000 characters.
            InvalidTimeError: a time cannot be read.
            InvalidCursorError: the cursor belongs to another question.
        """
        for name in (session, predicate, entity):
            if name is not None:
                require_text(name, "A name that narrows a search")
        request = SearchRequest(
            query, self.scopes, limit=limit, cursor=cursor, session=session,
            roles=require_names(roles, "role", ROLES),
            include=require_names(include, "state", STATES),
            since=since, until=until, zone=time_zone or self.time_zone, now=self._store.clock(),
            explain=explain, as_of=as_of, known_at=known_at, predicate=predicate, entity=entity,
            min_confidence=require_share(min_confidence, "min_confidence"),
        )  # fmt: skip
        cursor_key = self._store.row.uid
        with self._store.read() as db:
            return retrieve(db, request, cursor_key=cursor_key)

    def operations(self, *, limit: int = 20, all_scopes: bool = False) -> "list[Operation]":
        """List the newest operations of this handle's scopes (or of all), newest first."""
        from memorycore.store.operations import list_operations

        with self._store.read() as db:
            scopes = None if all_scopes else self.scopes
            return list_operations(db, scopes=scopes, limit=require_limit(limit))

    def stats(self, *, all_scopes: bool = False) -> "Stats":
        """Count what is in this handle's scopes, or in all."""
        from memorycore.engine.count import count_store

        row = self._store.row
        with self._store.read() as db:
            return count_store(db, row, None if all_scopes else self.scopes)

    def sql(self, query: str, params: Mapping[str, Any] | None = None) -> "Iterator[Row]":
        """Run one SELECT over views such as ``episodes``, ``facts``, ``evidence`` and ``links``.

        They hold what this handle may see. Yields a row at a time, a mapping by column name.

        Raises:
            RefusedError: the statement reads or does anything else.
            InvalidQueryError: it is no valid SQL.
        """
        from memorycore.store.guard import run_read_only

        # On a connection of its own: it changes what may be read there.
        with self._store.read_apart() as db:
            rows = run_read_only(db, query, params or {}, scopes=self.scopes)
            yield from list(rows) if self._store.path == MEMORY else rows
