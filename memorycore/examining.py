"""What a handle can find out about its store as a whole, and mend of what is derived in it."""

import os
import stat
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memorycore.errors import CorruptStoreError, KeyFileError
from memorycore.handle import Handle
from memorycore.store.connection import MEMORY

if TYPE_CHECKING:
    from memorycore.engine.derive import Stale
    from memorycore.engine.examine import Place
    from memorycore.model.check import Check
    from memorycore.store.connection import Connection

COPY_END = ".repair"
NOT_DERIVED = ("store", "rows", "links")
"""Checks that must hold before anything is mended: mending would write over what they found."""


class Examiner(Handle):
    """The use cases of looking after a store. They concern all scopes."""

    def examine(self, *, deep: bool = False) -> "Iterator[Check]":
        """Check everything that must hold in the store; give each check as it is done.

        With ``deep`` each index is compared with its table, each link followed, each row with its
        digest, unused room is looked through for flipped bits, and periods, confidence and word
        indexes are derived anew and compared; that holds the write lock, and takes minutes in a
        large store. Nothing is changed.
        """
        from memorycore.engine.examine import attempt, describe_stale, examine
        from memorycore.model.check import Check

        yield from examine(self._store.read_apart, self._place(), deep=deep)
        if deep and self._store.read_only:
            yield Check("derived", "off", "not compared: the store was opened for reading only")
        elif deep:
            yield from attempt("derived", lambda: describe_stale(self._find_stale()))

    def _find_stale(self) -> "Stale":
        from memorycore.engine.derive import find_stale

        with self._store.write(dry_run=True) as db:
            return find_stale(db)

    def _place(self) -> "Place":
        from memorycore.engine.examine import Place
        from memorycore.store.place import count_file_bytes
        from memorycore.store.schema import NEWEST_SCHEMA
        from memorycore.store.stores import library_version

        path = self._store.path
        is_private = True
        if path != MEMORY:
            is_private = not stat.S_IMODE(os.stat(path).st_mode) & 0o077
        return Place(
            path,
            self._store.clock(),
            NEWEST_SCHEMA,
            count_file_bytes(path),
            count_file_bytes(f"{path}-wal"),
            self._fault_in_keys(),
            is_private,
            "_sqlite3" in sys.modules,
            library_version(),
        )

    def _fault_in_keys(self) -> str | None:
        from memorycore.store.suppressions import find_key_check

        try:
            self._store.key()
            with self._store.read() as db:
                if find_key_check(db) is not None:
                    self._store.suppression_key(db)
        except KeyFileError as error:
            return error.message
        return None

    def repair(self, *, dry_run: bool = False) -> "Stale":
        """Derive anew what differs from what it is derived from; give what that was.

        It is done in a copy beside the store first, which is examined; only then in the store, in
        one transaction that ends with the same comparison. What is not derived, such as a damaged
        row, is never touched, and nothing is mended while there is such damage.

        Raises:
            CorruptStoreError: something is damaged that is not derived, or the repair did not
                hold; nothing was changed.
        """
        self._refuse_damage()
        stale = self._find_stale()
        if stale.is_right:
            return stale
        if self._store.path != MEMORY:
            self._rehearse()
        with self._store.write(dry_run=dry_run) as db:
            self._mend(db)
        return stale

    def _refuse_damage(self) -> None:
        from memorycore.store.soundness import has_broken_index

        with self._store.read() as db:
            # Of such a fault the check of the store speaks too, and it can be mended.
            passes = {"store"} if has_broken_index(db) else set()
        for check in self.examine():
            if check.name in NOT_DERIVED and check.state == "fail" and check.name not in passes:
                raise CorruptStoreError(
                    f"Nothing was mended: {check.name}: {check.detail}.",
                    why="what is damaged there is not derived from anything",
                    hint="memoryctl backup list, then memoryctl restore FILE",
                )

    def _rehearse(self) -> None:
        """Mend a copy of the store, and look whether that holds."""
        from memorycore.store.copies import copied

        with self._store.read() as db, copied(db, self._store.path + COPY_END) as copy:
            self._mend(copy)

    def _mend(self, db: "Connection") -> None:
        from memorycore.engine.derive import derive, find_stale

        stale = find_stale(db)
        if stale.is_right:
            return
        operation = self._record(db, "repair")
        derive(db, stale, recorded=operation.number)
        if not find_stale(db).is_right:
            raise CorruptStoreError(
                "What was derived anew differs even so.",
                why="nothing was changed",
                hint="memoryctl backup list, then memoryctl restore FILE",
            )
