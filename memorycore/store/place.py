"""The place of a store's file: what may be there, and how a new file is made."""

import contextlib
import os
import stat

from memorycore.errors import NotAStoreError, ReadOnlyStoreError
from memorycore.store.connection import MEMORY

_ANOTHER = "another place: --db FILE"
SMALLEST_DATABASE = 512
"""Bytes: SQLite's smallest page."""


def find_place(path: str) -> str:
    """Give the file that a path stands for, with all links followed.

    Raises:
        NotAStoreError: there is something there that is not a file.
    """
    if path == MEMORY:
        return path
    place = os.path.realpath(path)
    if os.path.isdir(place):
        shown = path or "The current folder"
        raise NotAStoreError(
            f"{shown} is a folder, not a file.", hint=f"--db {os.path.join(path, 'memory.db')}"
        )
    if os.path.exists(place) and not os.path.isfile(place):
        raise NotAStoreError(f"{path} is a pipe or a device, not a file.", hint=_ANOTHER)
    if os.path.islink(place):
        raise NotAStoreError(f"{path} is a link that leads round to itself.", hint=_ANOTHER)
    return place


def make_private_file(path: str) -> None:
    """Make an empty file that only its owner may read, unless there is one already."""
    if os.path.isfile(path) and 0 < os.path.getsize(path) < SMALLEST_DATABASE:
        # SQLite would take it for an empty file and write over it.
        raise NotAStoreError(f"{path} is not a memory store.", hint=_ANOTHER)
    try:
        os.makedirs(os.path.dirname(os.path.abspath(path)), mode=0o700, exist_ok=True)
        _make_file(path)
    except FileExistsError:
        if os.path.isfile(path) and os.path.getsize(path) == 0:
            os.chmod(path, 0o600)
    except OSError as error:
        raise ReadOnlyStoreError(
            f"{path} cannot be created ({error.strerror}).",
            hint="give a place that can be written: --db FILE",
        ) from error


def keep_private(path: str) -> None:
    """Take from everybody but its owner what they may do with a store's file and its log.

    What the owner may not do is left as it is. Who is not the owner changes nothing.
    """
    for end in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError, PermissionError):
            mode = private_mode(os.stat(path + end))
            os.chmod(path + end, mode)


def private_mode(found: os.stat_result) -> int:
    """Give the mode of a file without what others than its owner may do."""
    return stat.S_IMODE(found.st_mode) & stat.S_IRWXU


def _make_file(path: str) -> None:
    """Make the file without a descriptor, where the system lets us.

    Closing one would drop the locks that another thread may have got on the file meanwhile.
    """
    try:
        os.mknod(path, 0o600 | stat.S_IFREG)
    except (AttributeError, PermissionError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def count_file_bytes(path: str) -> int:
    """Give the size of a file, 0 where there is none."""
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0
