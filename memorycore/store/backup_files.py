"""The files of backups: their names, what an earlier run left, and which are a store's own."""

import contextlib
import itertools
import os
import re
import threading
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from memorycore.errors import RefusedError, StorageError
from memorycore.store.copies import (
    SIDE_FILES,
    read_contents,
    read_header,
    reading_sealed,
    to_disk,
)
from memorycore.store.place import keep_private, private_mode

_STAMP = re.compile(r"-(?P<at>\d{8}T\d{6}Z)(-(?P<number>\d+))?\.db")
_MADE = (
    r"(-\d{8}T\d{6}Z(-\d+)?\.db|\.schema-\d+-\d{8}T\d{6}Z(-\d+)?\.db|\.before-restore(-\d+)?)?"
    r"\.(part|restoring)-(?P<process>\d+)(-\d+)?(-wal|-shm|-journal)?"
)
"""What follows on the name of a store, or of a backup, in the name of a file that is being made."""

_making: set[str] = set()
"""The files that this process is making."""
_making_turn = threading.Lock()


def is_folder(path: str) -> bool:
    """Tell whether a backup goes into a folder: it is one, or is named without an ending."""
    if os.path.isdir(path):
        return True
    named = os.path.basename(path)
    return not os.path.exists(path) and not os.path.splitext(named)[1]


def stem_of(store_path: str) -> str:
    """Give what the names of a store's backups begin with."""
    return os.path.splitext(os.path.basename(store_path))[0]


def stamp_of(at: int) -> str:
    """Write an instant as it stands in a name: 20261129T195819Z."""
    return f"{datetime.fromtimestamp(at // 1_000_000, UTC):%Y%m%dT%H%M%SZ}"


def free_name(start: str, end: str, promised: Collection[str] = ()) -> str:
    """Give a name that nothing has, nor is to get: numbered where the plain one is taken."""
    numbers = itertools.count(2)
    path = start + end
    while os.path.lexists(path) or path in promised:
        path = f"{start}-{next(numbers)}{end}"
    return path


def make_folder(path: str) -> None:
    """Make a folder that only its owner may look into, unless there is one already.

    Raises:
        StorageError: it cannot be made.
    """
    try:
        os.makedirs(path, mode=0o700, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"{path} cannot be made ({error.strerror}).", hint="give another folder"
        ) from error


def refuse_existing(path: str) -> None:
    """Refuse a name that is taken.

    Raises:
        RefusedError: something is there.
    """
    if os.path.lexists(path):
        raise RefusedError(
            f"{path} is there already; nothing was written.", hint="give another name"
        )


@contextmanager
def making(path: str, kind: str = "part") -> Iterator[str]:
    """Give the name under which a file is made by this process; what is left of it goes at the end.

    In a container each run may have the number of the one before: what this process is making is
    told from what one of that number has left.
    """
    with _making_turn:
        made = free_name(f"{path}.{kind}-{os.getpid()}", "", _making)
        _making.add(made)
    try:
        yield made
    finally:
        discard(made)
        _making.discard(made)


def publish(made: str, path: str) -> None:
    """Give a finished file its name, if that is still free.

    Raises:
        RefusedError: the name was taken meanwhile.
        StorageError: the folder refuses.
    """
    to_disk(made)
    try:
        os.link(made, path)
    except FileExistsError:
        refuse_existing(path)
        raise
    except OSError:
        # Some file systems have no second names.
        refuse_existing(path)
        os.rename(made, path)
    else:
        os.unlink(made)
    to_disk(os.path.dirname(path))


def replace(made: str, path: str, kept: str) -> None:
    """Let a finished file take another's place at one stroke, and keep that one under a name.

    Both are their owner's alone, and the owner may do with the new one what it could with the old.

    Where the file system has no second names, what stood there was copied to ``kept`` before.
    """
    before = os.stat(path)
    os.chmod(made, private_mode(before))
    if before.st_uid != os.stat(made).st_uid and hasattr(os, "chown"):
        with contextlib.suppress(PermissionError):
            os.chown(made, before.st_uid, before.st_gid)
    to_disk(made)
    if not os.path.exists(kept):
        os.link(path, kept)
    keep_private(kept)
    os.replace(made, path)
    to_disk(os.path.dirname(path))


def can_be_linked(path: str, other: str) -> bool:
    """Tell whether a file may have a second name here; none is left by this."""
    try:
        os.link(path, other)
    except OSError:
        return False
    os.unlink(other)
    return True


def drop_second_names(path: str, start: str) -> None:
    """Take the second names of a file away that a run left which was broken off."""
    folder = os.path.dirname(path)
    for entry in _names(folder):
        other = os.path.join(folder, entry)
        if entry.startswith(start) and other != path and os.path.samefile(other, path):
            os.unlink(other)


def discard(path: str) -> None:
    """Take a file that was not finished away, and what SQLite has put beside it."""
    for end in ("", "-wal", "-shm", "-journal"):
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            os.unlink(path + end)


def discard_side_files(path: str) -> None:
    """Take away what SQLite has put beside a file that is no longer the one it was made for."""
    for end in ("-wal", "-shm", "-journal"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path + end)


def discard_leftovers(folder: str, name: str) -> None:
    """Take away what processes that have ended left half made of a name: it holds memories, too."""
    pattern = re.compile(re.escape(name) + _MADE)
    for entry in _names(folder):
        part = pattern.fullmatch(entry)
        path = os.path.join(folder, entry)
        if part and not _is_made(path, int(part["process"])):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)


def _is_made(path: str, process: int) -> bool:
    """Tell whether a process of that number is at work on a file."""
    if process == os.getpid():
        return any(path.startswith(made) for made in _making)
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def own_backups(folder: str, stem: str, uid: bytes) -> list[str]:
    """List the backups of one store in a folder, oldest first, by their names and what is in them.

    A file of such a name that is in use, or is another store's, is none.
    """
    named = ((entry, _STAMP.fullmatch(entry, len(stem))) for entry in _names(folder))
    found = sorted(
        (part["at"], int(part["number"] or 1), os.path.join(folder, entry))
        for entry, part in named
        if part and entry.startswith(stem)
    )
    return [path for _, _, path in found if _is_own(path, uid)]


def _is_own(path: str, uid: bytes) -> bool:
    if os.path.islink(path) or not os.path.isfile(path):
        return False
    if any(os.path.exists(path + end) for end in SIDE_FILES):
        return False
    try:
        header = read_header(path)
        if header is None or not header.is_sealed:
            return False
        with reading_sealed(path) as db:
            return read_contents(db).uid == uid
    except StorageError:
        return False


def _names(folder: str) -> Iterable[str]:
    try:
        return os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []
