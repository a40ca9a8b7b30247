"""Cursors: where the next page of a search begins, bound to its question and to a state of the
store.

A cursor holds numbers and a checksum, no content. Episodes recorded after the first page
do not enter later ones.
"""

import struct
from binascii import crc32
from dataclasses import dataclass

from memorycore.errors import InvalidCursorError
from memorycore.model.search import SearchRequest

_CHECK = 4
_BODY = struct.Struct(">QIq")


@dataclass(slots=True)
class Position:
    """Where a page begins: the newest episode that counts, and the place in the order.

    ``now`` is the instant of the first page, from which relative times count.
    """

    last_episode: int
    offset: int
    now: int


def write_cursor(request: SearchRequest, key: bytes, position: Position) -> str:
    """Write a position as an opaque text that fits only this question."""
    body = _BODY.pack(position.last_episode, position.offset, position.now)
    return (_check(request, key, body) + body).hex()


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
    check, body = raw[:_CHECK], raw[_CHECK:]
    is_written_so = raw.hex() == request.cursor and len(body) == _BODY.size
    if not is_written_so or check != _check(request, key, body):
        raise InvalidCursorError(
            "The cursor does not belong to this question.",
            hint="repeat the query and its filters as they were, or leave --cursor out",
        )
    return Position(*_BODY.unpack(body))


def _check(request: SearchRequest, key: bytes, body: bytes) -> bytes:
    """Give a checksum of the question and the position. It guards against mistakes: a cursor that
    somebody makes up can only move about in what the request may see anyway."""
    asked = (
        request.query,
        request.scopes,
        request.session,
        request.roles,
        request.since,
        request.until,
        request.zone,
    )
    return crc32(key + repr(asked).encode("utf-8", "replace") + body).to_bytes(_CHECK, "big")
