"""The ballast: a file beside the store whose room is given up when the disk is full.

Forgetting needs room too: a purge first writes into the log what it takes away. The file holds
nothing, and a store that is small has none: it would be larger than what it is for.
"""

import contextlib
import os
import stat

from memorycore.store.connection import MEMORY

DEFAULT_MB = 8
MAX_MB = 65_536
FROM_BYTES = 1 << 20
"""So large is a store before it gets its ballast."""
SLICE_BYTES = 1 << 20
"""So much is cut off where a process only needs to open the store."""
CHUNK = bytes(1 << 16)


def ballast_path(store_path: str) -> str:
    """Name the file."""
    return store_path + ".ballast"


def keep_ballast(store_path: str, megabytes: int) -> bool:
    """Make the file where it is missing and the disk has twice its room; tell whether it is there.

    Whatever keeps it from being made is no error: the store works without.
    """
    if store_path == MEMORY or not megabytes:
        return False
    path, size = ballast_path(store_path), megabytes << 20
    try:
        if os.path.exists(path):
            return True
        disk = os.statvfs(os.path.dirname(path) or ".")
        if disk.f_bavail * disk.f_frsize < 2 * size:
            return False
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError:
        return False
    try:
        with os.fdopen(handle, "wb") as file:
            _take_room(file.fileno(), size)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(path)
        return False
    return True


def _take_room(handle: int, size: int) -> None:
    """Have the file system set blocks aside: a file with holes would take none."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(handle, 0, size)
        return
    for _ in range(size // len(CHUNK)):
        os.write(handle, CHUNK)


def cut_ballast(store_path: str) -> bool:
    """Give up a slice of the room; tell whether there was any."""
    path = ballast_path(store_path)
    try:
        found = os.lstat(path)
        if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1:
            return False  # cutting it would cut a file of somebody's
        left = found.st_size - SLICE_BYTES
        if left <= 0:
            return release_ballast(store_path)
        os.truncate(path, left)
    except OSError:
        return False
    return True


def release_ballast(store_path: str) -> bool:
    """Give up all of the room; tell whether there was any."""
    if store_path == MEMORY:
        return False
    try:
        os.unlink(ballast_path(store_path))
    except OSError:
        return False
    return True
