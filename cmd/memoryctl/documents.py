"""Reading what is named on the command line, questions and documents; ``-`` is standard input."""

import json
import sys
from typing import Any

from memorycore.errors import InvalidInputError, InvalidQueryError

MAX_BYTES = 1_000_000


def read_query(query: str | None, *, example: str) -> str:
    """Read the question of a command.

    Raises:
        InvalidQueryError: there is none; ``example`` shows one.
    """
    if query == "-":
        return sys.stdin.read()
    if query is None:
        raise InvalidQueryError("There is no query.", hint=f"memoryctl {example}")
    return query


def read_document(path: str) -> bytes:
    """Read a document, whole.

    Raises:
        InvalidInputError: it cannot be read, or is larger than any such document.
    """
    name = "standard input" if path == "-" else path
    try:
        if path == "-":
            raw = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with open(path, "rb") as file:
                raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        reason = error.strerror or "it cannot be opened"
        raise InvalidInputError(f"{name} cannot be read: {reason}.") from error
    if len(raw) > MAX_BYTES:
        raise InvalidInputError(f"{name} is larger than {MAX_BYTES // 1_000_000} MB.")
    return raw


def read_lines(path: str) -> list[dict[str, Any]]:
    """Read a file of JSON objects, one a line.

    Raises:
        InvalidInputError: it cannot be read, or a line is no JSON object.
    """
    found: list[dict[str, Any]] = []
    for number, line in enumerate(read_document(path).splitlines(), 1):
        if not line.strip():
            continue
        try:
            item = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InvalidInputError(f"line {number} is not JSON.") from error
        if not isinstance(item, dict):
            raise InvalidInputError(f"line {number} is no JSON object.")
        found.append(item)
    return found
