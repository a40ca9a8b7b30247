"""Cursors: where the next page of a search begins, bound to its question and to a state of the
store.

A cursor holds numbers and a keyed fingerprint, no content. Episodes recorded after the first page
do not enter later ones.
"""

import binascii
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass

from memorycore.errors import InvalidCursorError
from memorycore.model.search import SearchRequest

_DIGEST = 8
_BODY = struct.Struct(">QIq")


@dataclass(frozen=True, slots=True)
class Position:
    """The newest episode that counts, the place in the order where a page begins, and the instant
    of the first page, from which relative times count."""

    last_episode: int
    offset: int
    now: int


def write_cursor(request: SearchRequest, key: bytes, position: Position) -> str:
    """Write a position as an opaque text that fits only this question."""
    body = _BODY.pack(position.last_episode, position.offset, position.now)
    return urlsafe_b64encode(_digest(request, key, body) + body).decode().rstrip("=")


def read_cursor(request: SearchRequest, key: bytes) -> Position | None:
    """Read the cursor of a request; ``None`` for a first page.

    Raises:
        InvalidCursorError: it is damaged, or was given for another question.
    """
    if request.cursor is None:
        return None
    try:
        raw = urlsafe_b64decode(request.cursor + "=" * (-len(request.cursor) % 4))
    except (binascii.Error, ValueError):
        raw = b""
    digest, body = raw[:_DIGEST], raw[_DIGEST:]
    if len(body) != _BODY.size or digest != _digest(request, key, body):
        raise InvalidCursorError(
            "The cursor does not belong to this question.",
            hint="repeat the query and its filters as they were, or leave --cursor out",
        )
    return Position(*_BODY.unpack(body))


def _digest(request: SearchRequest, key: bytes, body: bytes) -> bytes:
    import hashlib  # only a full page needs it, and it loads a large library

    asked = (
        request.query,
        request.scopes,
        request.session,
        request.roles,
        request.since,
        request.until,
        request.zone,
    )
    state = hashlib.blake2b(key=key, digest_size=_DIGEST)
    state.update(repr(asked).encode("utf-8", "replace"))
    state.update(body)
    return state.digest()
