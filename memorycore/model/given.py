"""What a caller may hand in where a path, a limit, a share or some names are asked for."""

import os
from collections.abc import Collection

from memorycore.errors import InvalidInputError

MOST = 2**63 - 1
"""The greatest number that a store can count to."""


def require_path(path: object, what: str = "The path") -> str:
    """Give a path as text if a file can have it.

    Raises:
        InvalidInputError: it is no path, or holds a NUL or half a character.
    """
    hint = "the path of a file, as a text or a pathlib.Path"
    if not isinstance(path, (str, os.PathLike)):
        raise InvalidInputError(f"{what} must be a path, not {type(path).__name__}.", hint=hint)
    name = os.fspath(path)
    if not isinstance(name, str):
        raise InvalidInputError(f"{what} must be a text, not {type(name).__name__}.", hint=hint)
    if "\0" in name:
        raise InvalidInputError(f"{what} {name[:100]!r} holds a NUL.", hint=hint)
    try:
        os.fsencode(name)
    except UnicodeEncodeError as error:
        raise InvalidInputError(
            f"{what} {name[:100]!r} holds half a character (a lone surrogate).", hint=hint
        ) from error
    return name


def require_limit(limit: int, what: str = "limit") -> int:
    """Give a limit, or a place in a list, back if it is a whole number that can be counted to.

    Raises:
        InvalidInputError: it is no whole number, negative or too great.
    """
    if type(limit) is not int or not 0 <= limit <= MOST:
        raise InvalidInputError(
            f"{what} is {_shown(limit)}; it must be a whole number from 0 on.", hint=f"{what}=20"
        )
    return limit


def require_share(share: float | None, what: str) -> float | None:
    """Give a number between 0 and 1 back, or ``None``.

    Raises:
        InvalidInputError: it is neither.
    """
    if share is None:
        return None
    if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 <= share <= 1:
        raise InvalidInputError(f"{what} is {_shown(share)}; it is between 0 and 1.", hint="0.6")
    return share


def require_names(given: Collection[str], each: str, known: Collection[str]) -> tuple[str, ...]:
    """Give names of a closed list back as a tuple.

    Raises:
        InvalidInputError: they are no list of texts, or one is not known.
    """
    hint = ", ".join(known)
    if isinstance(given, (str, bytes)) or not isinstance(given, Collection):
        raise InvalidInputError(f"A list of each {each} is wanted, not {_shown(given)}.", hint=hint)
    for name in given:
        if not isinstance(name, str) or name not in known:
            raise InvalidInputError(f"{_shown(name)} is no {each}.", hint=hint)
    return tuple(given)


def _shown(value: object) -> str:
    return repr(value)[:60] if isinstance(value, (str, float)) else _of_kind(value)


def _of_kind(value: object) -> str:
    """Show a value that may be huge, or may not be shown at all, by what it is."""
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, int):
        return str(value) if abs(value) < MOST else "too great a number"
    return f"a {type(value).__name__}"
