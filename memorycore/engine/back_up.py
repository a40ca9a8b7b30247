"""Back a store up: decide where, copy what a snapshot shows, check the copy, give it its name."""

import os
from collections.abc import Callable, Collection
from dataclasses import dataclass

from memorycore.errors import InvalidInputError, RefusedError
from memorycore.model.backup import Contents
from memorycore.model.identity import IdSource
from memorycore.store import backup_files as files
from memorycore.store import residue
from memorycore.store.backups import StoredBackup
from memorycore.store.connection import (
    MEMORY,
    Connection,
    open_connection,
    snapshot,
    translated,
)
from memorycore.store.copies import (
    check_whole,
    copy_into,
    has_receipts,
    open_private,
    read_contents,
    reading_sealed,
)
from memorycore.store.receipts import list_pending
from memorycore.store.reserved import refuse_reserved
from memorycore.store.schema import NEWEST_SCHEMA, schema_version

Progress = Callable[[int], None]
END = ".db"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a backup goes: the file, and the folder in which older ones may be let go.

    ``start`` is what a file that is named by the time begins with; a number may follow.
    """

    path: str
    folder: str
    stem: str
    start: str | None = None

    @property
    def in_folder(self) -> bool:
        return self.start is not None

    def free(self, promised: Collection[str]) -> str:
        """Give the name that is free now, and that no other backup of the store was promised."""
        return self.path if self.start is None else files.free_name(self.start, END, promised)


def decide_place(path: str, store_path: str, *, now: int, keep: int | None) -> Place:
    """Decide which file a backup becomes.

    Raises:
        InvalidInputError: ``keep`` is below one, or goes with a file.
        RefusedError: the name belongs to a store.
    """
    into = files.is_folder(path)
    if keep is not None and (type(keep) is not int or keep < 1 or not into):
        raise InvalidInputError(
            "So many backups cannot be kept."
            if into
            else "Backups are kept by number in a folder, and this is a file.",
            hint="memoryctl backup FOLDER --keep 14",
        )
    stem = files.stem_of(store_path)
    where = os.path.abspath(path)
    if into:
        start = os.path.join(where, f"{stem}-{files.stamp_of(now)}")
        return Place(files.free_name(start, END), where, stem, start)
    refuse_reserved(where)
    return Place(where, os.path.dirname(where), stem)


def refuse_taken(place: Place) -> None:
    """Refuse the name that was given if something is there; one of the time finds a free number.

    Raises:
        RefusedError: it is taken.
    """
    if not place.in_folder:
        files.refuse_existing(place.path)


def refuse_unsettled(db: Connection) -> None:
    """Refuse to copy a file that may still hold remains of what was forgotten.

    Raises:
        RefusedError: it may.
    """
    pending = len(list_pending(db))
    if pending:
        raise RefusedError(
            f"The file may still hold what {pending:,} forgettings took away; no copy was made.",
            why="a backup must not hold what was forgotten",
            hint="memoryctl forget finish",
        )


def make_backup(
    db: Connection,
    place: Place,
    *,
    note: Callable[[], str] | None = None,
    tidy: Callable[[str], None] = lambda path: None,
    progress: Progress | None = None,
) -> tuple[str, Contents, int]:
    """Write the backup of what a snapshot shows; give its path, what it holds, and its bytes.

    ``tidy`` works on the copy before it is checked; ``note`` keeps that there is one and says which
    name it takes, just before it does: of a backup that nobody knows of nobody could say what it
    still holds.

    Raises:
        RefusedError: the name is taken; nothing was changed.
        CorruptStoreError: the copy is not sound, and was thrown away.
    """
    if place.in_folder:
        files.make_folder(place.folder)
    refuse_taken(place)
    for name in (place.stem, os.path.basename(place.path)):
        files.discard_leftovers(place.folder, name)
    with files.making(place.path) as made:
        copy_into(db, made, progress)
        tidy(made)
        with reading_sealed(made) as copy:
            check_whole(copy, quick=True)
            contents = read_contents(copy)
        size = os.stat(made).st_size
        path = place.path if note is None else note()
        files.publish(made, path)
    return path, contents, size


def save_older(db: Connection, *, now: Callable[[], int], new_id: IdSource) -> StoredBackup | None:
    """Put a copy of a store of an older schema beside it; ``None`` where the schema is the newest.

    ``db`` holds the write lock and has changed nothing yet, so the copy is of what others see. The
    store notes the copy once it can.
    """
    found = schema_version(db)
    if db.path == MEMORY or not 0 < found < NEWEST_SCHEMA:
        return None
    at = now()
    path = files.free_name(f"{db.path}.schema-{found}-{files.stamp_of(at)}", ".db")
    place = Place(path, os.path.dirname(path), os.path.basename(db.path))
    reader = open_connection(db.path, read_only=True, busy_timeout=db.busy_timeout)
    try:
        with snapshot(reader):
            _, contents, _ = make_backup(reader, place, tidy=_sweep)
    finally:
        reader.close()
    return StoredBackup(new_id(at), path, at, contents.recorded)


def _sweep(path: str) -> None:
    """Write a copy anew where a forgetting that was not finished may have left something in it."""
    copy = open_private(path, read_only=False)
    try:
        if has_receipts(copy) and list_pending(copy):
            with translated(copy):
                residue.rebuild(copy)
    finally:
        copy.close()


def list_surplus(
    place: Place, uid: bytes, *, keep: int | None, made: str, coming: int = 0
) -> list[str]:
    """List the oldest backups of this store beyond ``keep``, ``coming`` ones counted in.

    The one that was ``made`` is never among them.
    """
    if keep is None:
        return []
    found = files.own_backups(place.folder, place.stem, uid)
    others = [path for path in found if path != made]
    return others[: max(0, len(others) + max(coming, len(found) - len(others)) - keep)]
