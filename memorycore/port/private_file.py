"""A file that only its owner may read, and that is there whole or not at all."""

import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from memorycore.errors import InvalidInputError, RefusedError

PRIVATE = 0o600


@contextmanager
def private_file(path: str, *, force: bool) -> Iterator[BinaryIO]:
    """Open a new file for writing; it comes to its place when the block ends well.

    Raises:
        RefusedError: there is a file already, and ``force`` is false.
        InvalidInputError: the place cannot be written.
    """
    beside = f"{path}.part-{os.getpid()}"
    try:
        if force and os.path.isdir(path):
            raise IsADirectoryError(21, "it is a folder")
        if not force:
            # It keeps the name for us, so that nobody's file of that name is ever written over.
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
        handle = _begin(path, beside, force=force)
    except FileExistsError as error:
        raise RefusedError(
            f"{path} is there already.", why="nothing was written", hint="another name, or --force"
        ) from error
    except OSError as error:
        raise InvalidInputError(
            f"{path} cannot be written ({error.strerror}).", hint="another place: -O FILE.zip"
        ) from error
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        _take_away(path, beside, force=force)
        raise


def _begin(path: str, beside: str, *, force: bool) -> int:
    try:
        return os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE)
    except OSError:
        if not force:
            os.unlink(path)
        raise


def _take_away(path: str, beside: str, *, force: bool) -> None:
    for name in (beside,) if force else (beside, path):
        with contextlib.suppress(OSError):
            os.unlink(name)
