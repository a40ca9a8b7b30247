"""Public ids: a prefix for the kind of record and a ULID, 26 sortable characters.

A ULID is 48 bits of milliseconds and 80 random bits. The store keeps it as 16 bytes. An id says
when it was made and nothing else: it carries no content.
"""

import os
from collections.abc import Callable

from memorycore.errors import InvalidInputError

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
TEXT_LENGTH = 26
SHORTEST_PREFIX = 4
PREFIXES = {
    "ep": "episode",
    "fct": "fact",
    "ent": "entity",
    "cand": "candidate",
    "plan": "plan",
    "op": "operation",
    "rcpt": "receipt",
    "sup": "suppression",
    "job": "import job",
    "mem": "memory",
    "rvw": "queued review",
}

_VALUE = {character: value for value, character in enumerate(ALPHABET)}
_VALUE.update({"O": 0, "I": 1, "L": 1})
_RANDOM_BITS = 80
_STEP_BYTES = 8
_SHIFTS = range(5 * (TEXT_LENGTH - 1), -1, -5)

IdSource = Callable[[int], bytes]
"""Gives a new 16-byte id for an instant in microseconds; ids of one source only ever grow."""


def ulid_source(random_bytes: Callable[[int], bytes] = os.urandom) -> IdSource:
    """Make a source of ids that sort in the order they were made, even within a millisecond.

    Within one, each is a random step above the last: so the first characters tell them apart, and a
    shortened id is of use.
    """
    last = -1
    steps = b""

    def next_id(at: int) -> bytes:
        nonlocal last, steps
        millisecond = at // 1000 if at > 0 else 0
        if millisecond > last >> _RANDOM_BITS:
            drawn = int.from_bytes(random_bytes(_RANDOM_BITS // 8), "big")
            last = millisecond << _RANDOM_BITS | drawn
        else:
            steps = steps or random_bytes(_STEP_BYTES * 256)
            last += 1 + int.from_bytes(steps[:_STEP_BYTES], "big")
            steps = steps[_STEP_BYTES:]
        return last.to_bytes(16, "big")

    return next_id


def format_id(prefix: str, uid: bytes) -> str:
    """Write a 16-byte id as ``prefix_`` and 26 characters."""
    number = int.from_bytes(uid, "big")
    return prefix + "_" + "".join([ALPHABET[number >> shift & 31] for shift in _SHIFTS])


def parse_id(text: str) -> tuple[str, bytes, bytes]:
    """Read an id or the start of one.

    Returns the prefix and the lowest and highest 16-byte id that it can stand for (equal when the
    id is whole). Lower case and the look-alikes O, I and L are understood.

    Raises:
        InvalidInputError: it has no known prefix, a character that no id has, or too few of them.
    """
    if not isinstance(text, str):
        raise InvalidInputError("An id is a text.")
    prefix, underscore, body = text.strip().partition("_")
    digits = [_VALUE.get(character) for character in body.upper()]
    if prefix not in PREFIXES or not underscore or None in digits or len(digits) > TEXT_LENGTH:
        raise InvalidInputError(
            f"{text[:40]!r} is not an id.",
            hint="ids look like ep_01M8MD3KQ4ZJ0V7C2N9E6T1RBS; the first 4 characters after _ do",
        )
    if len(digits) < SHORTEST_PREFIX:
        raise InvalidInputError(
            f"{text!r} is too short.", hint=f"at least {SHORTEST_PREFIX} characters after the _"
        )
    value = 0
    for digit in digits:
        value = value << 5 | (digit or 0)
    free = 5 * (TEXT_LENGTH - len(digits))
    lowest = value << free
    highest = min(lowest | (1 << free) - 1, (1 << 128) - 1)
    if lowest >> 128:
        raise InvalidInputError(f"{text!r} is not an id: its first character is above 7.")
    return prefix, lowest.to_bytes(16, "big"), highest.to_bytes(16, "big")


def parse_id_of(prefix: str, text: str) -> tuple[bytes, bytes]:
    """Read an id that must be of one kind; give the lowest and highest id it can stand for.

    Raises:
        InvalidInputError: it is no id, or one of another kind.
    """
    found, lowest, highest = parse_id(text)
    if found != prefix:
        raise InvalidInputError(
            f"{text!r} names {_a(PREFIXES[found])}, not {_a(PREFIXES[prefix])}.", hint=f"{prefix}_…"
        )
    return lowest, highest


def _a(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
