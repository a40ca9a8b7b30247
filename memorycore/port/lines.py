"""Reading long files line by line, in little memory, with every line named by its number."""

import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from memorycore.errors import InvalidInputError
from memorycore.model.draft import Rejection

MAX_LINE_BYTES = 16 * 1024 * 1024
"""A line longer than this is not read into memory; it is passed over and named."""
HEAD_BYTES = 64 * 1024
_BOM = b"\xef\xbb\xbf"
_WIDE_BOMS = (b"\xff\xfe", b"\xfe\xff")


@contextmanager
def open_input(path: str) -> Iterator[io.BufferedReader]:
    """Open a file for reading bytes; ``-`` is standard input, ``.gz`` is unpacked on the way.

    Raises:
        InvalidInputError: there is no such file, it cannot be read, or it is UTF-16.
    """
    if path == "-":
        yield _checked(io.BufferedReader(sys.stdin.buffer, HEAD_BYTES), "standard input")  # type: ignore[arg-type]
        return
    try:
        plain: BinaryIO = open(path, "rb")  # noqa: SIM115 (closed below, with what wraps it)
    except OSError as error:
        raise InvalidInputError(
            f"{path} cannot be read ({error.strerror}).",
            hint="give a file, or - for standard input",
        ) from error
    with plain:
        raw = gzip.GzipFile(fileobj=plain) if path.endswith(".gz") else plain
        yield _checked(io.BufferedReader(cast(io.RawIOBase, raw), HEAD_BYTES), Path(path).name)


def _checked(stream: io.BufferedReader, name: str) -> io.BufferedReader:
    try:
        head = stream.peek(4)
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidInputError(f"{name} cannot be read ({error}).") from error
    if head.startswith(_WIDE_BOMS):
        raise InvalidInputError(
            f"{name} is UTF-16; only UTF-8 is read.", hint="iconv -f UTF-16 -t UTF-8 FILE"
        )
    if head.startswith(_BOM):
        stream.read(len(_BOM))
    return stream


def read_lines(stream: io.BufferedReader, source: str) -> Iterator[tuple[str, bytes] | Rejection]:
    """Go through the lines that are not blank: each with its place; too long ones as rejections."""
    number = 0
    while line := read_some(stream, source):
        number += 1
        place = f"{source} line {number}"
        if len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = read_some(stream, source)
            yield Rejection(
                place, "too_long", f"a line of more than {MAX_LINE_BYTES // 1024**2} MiB"
            )
        elif line.strip():
            yield place, line.rstrip(b"\r\n")


def read_some(stream: io.BufferedReader, source: str) -> bytes:
    """Read up to the end of a line, or as much of it as is read at once.

    Raises:
        InvalidInputError: the file breaks off or its compression is damaged.
    """
    try:
        return stream.readline(MAX_LINE_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidInputError(
            f"{source} cannot be read to its end.",
            why=str(error),
            hint="what was read before is kept; repair the file and give it again",
        ) from error
