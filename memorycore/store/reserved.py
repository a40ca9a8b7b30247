"""Places that no other file may take: stores, their backups, and what belongs beside a store."""

import os

from memorycore.errors import MemoryCoreError, RefusedError
from memorycore.store.connection import MEMORY
from memorycore.store.copies import read_header

BESIDE = ("-wal", "-shm", "-journal", ".forget.key", ".key", ".ballast")
"""The ends of the names of what belongs to a store and lies beside it."""


def refuse_reserved(path: str) -> None:
    """Refuse to write a file over a store or a backup of one, or to a name that belongs to a store.

    Raises:
        RefusedError: the place is one of these.
    """
    place = os.path.realpath(path)
    if _is_store(place):
        raise RefusedError(
            f"{path} is a memory store, or a backup of one.",
            why="nothing was written",
            hint="give another name",
        )
    refuse_beside(path)


def refuse_beside(path: str) -> None:
    """Refuse a name that belongs to a store: of its log, its keys, its ballast.

    Raises:
        RefusedError: it is one.
    """
    place = os.path.realpath(path)
    for end in BESIDE:
        if place.endswith(end) and _is_store(place.removesuffix(end)):
            raise RefusedError(
                f"{path} is a name that belongs to the store beside it.",
                why="nothing was written",
                hint="give another name",
            )


def _is_store(path: str) -> bool:
    if path == MEMORY or not os.path.isfile(path):
        return False
    try:
        return read_header(path) is not None
    except MemoryCoreError:
        # What cannot be read may be one.
        return True
