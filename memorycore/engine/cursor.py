"""Cursors: where the next page of a search begins, bound to its question and to a state of the
store.

A cursor holds numbers and a checksum, no content. Episodes recorded after the first page
do not enter later ones.
"""

import struct
from dataclasses import dataclass

from memorycore.errors import InvalidCursorError
from memorycore.model.search import SearchRequest

try:
    from _blake2 import blake2b  # what hashlib offers, without the large library that it loads
except ImportError:
    from hashlib import blake2b

_CHECK = 8
_BODY = struct.Struct(">QIqI")


@dataclass(slots=True)
class Position:
    """Where a page begins: the newest episode that counts, and the place in the order.

    ``facts`` counts the facts that were given before. ``now`` is the instant of the first page,
    from which relative times count.
    """

    last_episode: int
    offset: int
    now: int
    facts: int = 0


def write_cursor(request: SearchRequest, key: bytes, position: Position) -> str:
    """Write a position as an opaque text that fits only this question."""
    body = _BODY.pack(position.last_episode, position.offset, position.now, position.facts)
    check = _check(request, key, body)
    return (check + _veil(key, check, body)).hex()


def read_cursor(request: SearchRequest, key: bytes) -> Position | None:
    """Read the cursor of a request; ``None`` for a first page.

    Raises:
        InvalidCursorError: it is damaged, or was given for another question.
    """
    if request.cursor is None:
        return None
    try:
        raw = bytes.fromhex(request.cursor)
    except ValueError:
        raw = b""
    check, veiled = raw[:_CHECK], raw[_CHECK:]
    body = _veil(key, check, veiled[: _BODY.size])
    is_written_so = raw.hex() == request.cursor and len(veiled) == _BODY.size
    if not is_written_so or check != _check(request, key, body):
        raise InvalidCursorError(
            "The cursor does not belong to this question.",
            hint="repeat the query and its filters as they were, or leave --cursor out",
        )
    return Position(*_BODY.unpack(body))


def _check(request: SearchRequest, key: bytes, body: bytes) -> bytes:
    """Give a checksum of the question and the position."""
    asked = (
        request.query,
        request.scopes,
        request.session,
        request.roles,
        request.since,
        request.until,
        request.zone,
        request.as_of,
        request.known_at,
        request.predicate,
        request.entity,
        request.include,
        request.min_confidence,
    )
    text = repr(asked).encode("utf-8", "replace")
    return bytes(blake2b(text + body, key=key, digest_size=_CHECK).digest())


def _veil(key: bytes, check: bytes, body: bytes) -> bytes:
    """Hide a position, or show it again: its numbers tell how much other scopes hold."""
    pad = blake2b(check, key=key, digest_size=_BODY.size, person=b"veil").digest()
    return bytes(one ^ other for one, other in zip(body, pad, strict=False))
