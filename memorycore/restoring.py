"""Putting a store back from a backup, with all that was forgotten since."""

import os
import shlex
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from memorycore.errors import (
    CorruptStoreError,
    InvalidInputError,
    MemoryCoreError,
    RefusedError,
)
from memorycore.handle import DEFAULT_BUSY_TIMEOUT, Handle
from memorycore.model.given import require_path
from memorycore.model.identity import IdSource, format_id, ulid_source
from memorycore.open_store import Clock, OpenStore
from memorycore.store.connection import MEMORY
from memorycore.store.place import find_place

if TYPE_CHECKING:
    from os import PathLike

    from memorycore.engine.back_up import Progress
    from memorycore.engine.restore import Today
    from memorycore.model.backup import Contents, Restored
    from memorycore.store.backups import StoredBackup
    from memorycore.store.connection import Connection
    from memorycore.store.repeats import Overdue

KEY_ENDS = (".key", ".forget.key")


class Restorer(Handle):
    """The use case of putting a backup back; it needs no store that is open, nor one at all."""

    default_clock: ClassVar[Clock]

    @classmethod
    def restore(
        cls,
        backup: "str | PathLike[str]",
        path: "str | PathLike[str]",
        *,
        to: "str | PathLike[str] | None" = None,
        no_replay: str | None = None,
        dry_run: bool = False,
        clock: Clock | None = None,
        ids: IdSource | None = None,
        busy_timeout: float = DEFAULT_BUSY_TIMEOUT,
        actor: str = "library",
        progress: "Progress | None" = None,
    ) -> "Restored":
        """Put a backup in the place of the store at ``path``, or with ``to`` into a new file.

        What the store has forgotten since the backup is carried out again before the file takes its
        place; ``no_replay``, a code that says why, leaves that out. The store that was there is
        kept beside it. The backup itself is only read. ``progress`` is called with bytes copied. A
        dry run carries the forgettings out in a copy, which it throws away.

        Raises:
            InvalidInputError: a place is a folder, or no file at all.
            StoreMissingError, NotAStoreError, SchemaTooNewError: the backup is none.
            CorruptStoreError: the backup is damaged, or what was forgotten cannot be read.
            RefusedError: it is another store's, in use, or ``to`` is taken.
            StoreBusyError: another process has the store open.
        """
        from memorycore.model.forgetting import require_codes

        if no_replay is not None:
            require_codes(no_replay, None, option="--no-replay-forgets")
        place = _require_file(find_place(require_path(path)))
        work = _Restoring(
            os.path.abspath(require_path(backup)),
            place,
            place if to is None else _new_place(require_path(to)),
            to is None,
            no_replay,
            dry_run,
            clock or cls.default_clock,
            ids or ulid_source(),
            busy_timeout,
            actor,
            progress,
        )
        return work.run()


@dataclass(frozen=True, slots=True)
class _Restoring:
    """One restore: the backup, today's store, and the place that the new file takes."""

    backup: str
    store: str
    target: str
    in_place: bool
    no_replay: str | None
    dry_run: bool
    clock: Clock
    ids: IdSource
    wait: float
    actor: str
    progress: "Progress | None"

    def run(self) -> "Restored":
        """Check, build the new file under another name, and let it take its place."""
        from memorycore.engine.restore import needs_forget_key, reading_backup
        from memorycore.store.backup_files import discard_leftovers, free_name, make_folder, making
        from memorycore.store.reserved import refuse_beside

        refuse_beside(self.target)
        self._refuse_itself()
        if not self.in_place:
            self._refuse_taken()
        with reading_backup(self.backup) as (source, contents), self._today(contents) as today:
            overdue = self._overdue(source, today)
            replaces = self.in_place and os.path.exists(self.store)
            kept = free_name(f"{self.store}.before-restore", "") if replaces else None
            if self.dry_run:
                after = self._rehearse(source, today, overdue) if overdue else contents
                outcome = _Outcome(after, True, needs_forget_key(source))
                return self._told(contents, outcome, today, kept, overdue)
            folder, name = os.path.split(self.target)
            make_folder(folder)
            discard_leftovers(folder, name)
            with making(self.target, "restoring") as made:
                outcome = self._build(source, contents, made, today, overdue, kept)
                self._take_place(source, made, kept, today)
        return self._told(contents, outcome, today, kept, overdue)

    def _refuse_itself(self) -> None:
        if self.in_place and os.path.realpath(self.backup) == self.store:
            raise RefusedError(
                f"{self.backup} is the store itself, and no backup of it.",
                hint="memoryctl backup list",
            )

    def _refuse_taken(self) -> None:
        from memorycore.store.backup_files import refuse_existing

        refuse_existing(self.target)
        for end in KEY_ENDS:
            there, own = self.target + end, self.store + end
            if os.path.exists(there) and (not os.path.exists(own) or _read(there) != _read(own)):
                raise RefusedError(
                    f"{there} is there already, and is another key; nothing was written.",
                    hint="give another name: --to FILE",
                )

    @contextmanager
    def _today(self, backup: "Contents") -> "Iterator[Today | None]":
        """Give today's store, held where it is to be replaced; ``None`` where there is none."""
        from memorycore.engine.restore import holding_today, reading_today, require_same

        opened = holding_today if self.in_place and not self.dry_run else reading_today
        with ExitStack() as stack:
            today = None
            if os.path.exists(self.store):
                try:
                    today = stack.enter_context(opened(self.store, wait=self.wait))
                except CorruptStoreError as error:
                    if self.no_replay is None:
                        raise _unreadable(error, self.store) from error
            if today is not None and self.in_place:
                require_same(today.contents, backup, self.store)
            yield None if today is not None and today.contents.uid != backup.uid else today

    def _overdue(self, source: "Connection", today: "Today | None") -> "list[Overdue]":
        from memorycore.engine.restore import decide_overdue

        if today is None or self.no_replay is not None:
            return []
        return decide_overdue(today.db, source)

    def _rehearse(
        self, source: "Connection", today: "Today | None", overdue: "Sequence[Overdue]"
    ) -> "Contents":
        """Forget in a copy what is overdue, and tell what is left; the copy is thrown away."""
        from memorycore.store.backup_files import discard_leftovers, making
        from memorycore.store.copies import copy_into, read_contents

        place = self.target if os.path.isdir(os.path.dirname(self.target)) else self.store
        discard_leftovers(*os.path.split(place))
        with making(place, "restoring") as made:
            copy_into(source, made, self.progress)
            store = self._open(made)
            try:
                store.create(time_zone="UTC", language="any", save=False)
                self._write(store, today, overdue, ())
                with store.read() as db:
                    return read_contents(db)
            finally:
                store.close()

    def _open(self, made: str) -> OpenStore:
        return OpenStore(
            made,
            read_only=False,
            clock=self.clock,
            ids=self.ids,
            wait=self.wait,
            ballast_mb=0,
        )

    def _build(
        self,
        source: "Connection",
        contents: "Contents",
        made: str,
        today: "Today | None",
        overdue: "Sequence[Overdue]",
        kept: str | None,
    ) -> "_Outcome":
        """Make the new file under its first name, and let it forget what is overdue."""
        from memorycore.engine.restore import require_alone
        from memorycore.store.backups import StoredBackup
        from memorycore.store.copies import copy_into

        copy_into(source, made, self.progress)
        now = self.clock()
        copies = [StoredBackup(self.ids(now), self.backup, contents.last_at, contents.recorded)]
        if kept is not None:
            # It holds all that this store ever will know, and more.
            last = contents.recorded if today is None else today.contents.recorded
            copies.append(StoredBackup(self.ids(now), kept, now, last))
        store = self._open(made)
        try:
            store.create(time_zone="UTC", language="any", save=False)
            self._write(store, today, overdue, copies)
            outcome = _finish(store)
        finally:
            store.close()
        require_alone(made)
        return outcome

    def _write(
        self,
        store: OpenStore,
        today: "Today | None",
        overdue: "Sequence[Overdue]",
        copies: "Sequence[StoredBackup]",
    ) -> None:
        from memorycore.engine.replay import follow_key, replay
        from memorycore.engine.restore import keep_ledger
        from memorycore.store.operations import insert_operation

        now, actor = self.clock(), self.actor
        if self.no_replay is not None:
            actor = f"{actor} (forgettings not repeated: {self.no_replay})"
        with store.write(unlinked=True) as db:
            insert_operation(db, now=now, new_id=self.ids, actor=actor, kind="restore")
            moved: list[tuple[int, int]] = []
            if today is not None:
                follow_key(db, today.db)
            if today is not None and self.no_replay is None:
                done = replay(db, today.db, overdue, actor=self.actor, now=now, new_id=self.ids)
                store.sought.update(done.sought)
                moved = done.moved
            keep_ledger(db, None if today is None else today.db, copies, moved)

    def _take_place(
        self, source: "Connection", made: str, kept: str | None, today: "Today | None"
    ) -> None:
        from memorycore.engine.restore import set_aside, take_place
        from memorycore.store.backup_files import publish

        if kept is None:
            if not self.in_place:
                self._copy_keys(source)
            publish(made, self.target)
        elif today is None:
            set_aside(made, self.store, kept)
        else:
            take_place(made, self.store, kept, today)

    def _copy_keys(self, source: "Connection") -> None:
        """Put the keys of today's store beside the new file, where they are its own."""
        from memorycore.store.key_file import write_secret

        if self._has_own_key(source, self.store):
            for end in KEY_ENDS:
                if os.path.exists(self.store + end):
                    write_secret(self.target + end, _read(self.store + end))

    def _has_own_key(self, db: "Connection", path: str) -> bool:
        from memorycore.store.key_file import read_key, require_own_key
        from memorycore.store.stores import find_store

        row = find_store(db)
        assert row is not None, "a backup was set up"
        try:
            require_own_key(
                read_key(path), store_uid=row.uid, key_check=row.key_check, store_path=path
            )
        except MemoryCoreError:
            return False
        return True

    def _told(
        self,
        contents: "Contents",
        outcome: "_Outcome",
        today: "Today | None",
        kept: str | None,
        overdue: "Sequence[Overdue]",
    ) -> "Restored":
        from memorycore.model.backup import Restored

        beside = self.store if self.dry_run else self.target
        needed = KEY_ENDS if outcome.needs_forget_key else KEY_ENDS[:1]
        missing = tuple(beside + end for end in needed if not os.path.exists(beside + end))
        return Restored(
            self.target,
            self.backup,
            contents.last_at,
            outcome.contents,
            None if today is None or not self.in_place else today.contents,
            kept,
            tuple(format_id("rcpt", one.uid) for one in overdue),
            today is not None,
            self.no_replay is None,
            outcome.is_settled,
            missing,
            self.dry_run,
        )


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What the new file holds, and whether nothing is left in it of what is forgotten."""

    contents: "Contents"
    is_settled: bool
    needs_forget_key: bool


def _finish(store: OpenStore) -> _Outcome:
    """Let the new file forget in its bytes too, and check it."""
    from memorycore.engine.finish import finish
    from memorycore.engine.restore import needs_forget_key
    from memorycore.store.copies import check_whole, read_contents
    from memorycore.store.receipts import list_pending

    with store.maintain() as db:
        pending = list_pending(db)
        if pending:
            finish(db, pending, store.sought, clock=store.clock)
        if left := list_pending(db):
            # Where a word seems to be there still, nothing but the whole file written anew tells.
            finish(db, left, {}, clock=store.clock)
        check_whole(db, quick=True)
        return _Outcome(read_contents(db), not list_pending(db), needs_forget_key(db))


def _require_file(place: str) -> str:
    """Check that a store is to lie in a file.

    Raises:
        InvalidInputError: it is to lie in memory.
    """
    if place == MEMORY:
        raise InvalidInputError("A store in memory has no file.", hint="give one: --db FILE")
    return place


def _new_place(path: str) -> str:
    """Give the file that a new name stands for, with all links followed.

    Raises:
        InvalidInputError: it is the name of a folder.
    """
    if not os.path.basename(path) or os.path.isdir(path):
        example = os.path.join(path, "memory.db")
        raise InvalidInputError(
            f"{path or 'The current folder'} is a folder, and a store is a file.",
            hint=f"--to {shlex.quote(example)}",
        )
    return os.path.realpath(path)


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _unreadable(error: MemoryCoreError, path: str) -> MemoryCoreError:
    return CorruptStoreError(
        f"{path} is damaged, so what was forgotten after the backup cannot be read from it.",
        why=error.message,
        hint="--no-replay-forgets REASON puts the backup back as it is",
    )
