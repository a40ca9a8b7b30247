"""Reading a large JSON array or object piece by piece, by the same strict rules as single lines."""

import codecs
import io
import json
import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple

from memorycore.errors import InvalidInputError
from memorycore.exchange.reading import refuse_constant

CHUNK_BYTES = 64 * 1024
MAX_ITEM_LENGTH = 16 * 1024 * 1024
"""Characters in one item; a longer one is not read into memory."""
LONGEST_TOKEN = 16
"""A word, number or escape that breaks off at the end of what was read is no longer."""
_BLANK = " \t\r\n"
_DECODER = json.JSONDecoder(parse_constant=refuse_constant)


class ItemError(Exception):
    """The array cannot be read from here on; the text says why."""


class _Window:
    """The part of a text that has been read and not yet used."""

    def __init__(self, stream: io.BufferedReader) -> None:
        self.text = ""
        self.at = 0
        self.at_end = False
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8")("strict")

    def grow(self) -> None:
        """Read as much again as there is, so that a long item is not parsed very often."""
        size = max(CHUNK_BYTES, len(self.text) - self.at)
        try:
            data = self._stream.read(size)
            more = self._decoder.decode(data, final=not data)
        except UnicodeDecodeError as error:
            raise ItemError("not valid UTF-8") from error
        except (OSError, EOFError, zlib.error) as error:
            raise InvalidInputError(
                "The file cannot be read to its end.",
                why=str(error),
                hint="what was read before is kept; repair the file and give it again",
            ) from error
        self.at_end = not data
        self.text = self.text[self.at :] + more
        self.at = 0

    def next_character(self) -> str:
        """Go to the next character that is not blank; an empty text at the end of the file."""
        while True:
            while self.at < len(self.text):
                if self.text[self.at] not in _BLANK:
                    return self.text[self.at]
                self.at += 1
            if self.at_end:
                return ""
            self.grow()


def iter_items(stream: io.BufferedReader) -> Iterator[Any]:
    """Give the items of an array as they are read.

    Raises:
        ItemError: it is broken; the items before that have been given.
    """
    window = _Window(stream)
    if window.next_character() != "[":
        raise ItemError("not a JSON array")
    yield from _array(window)


def _array(window: _Window) -> Iterator[Any]:
    window.at += 1
    if window.next_character() == "]":
        window.at += 1
        return
    while True:
        window.next_character()
        yield _item(window, _DECODER)
        if _ends(window, "]", "array"):
            return


def _ends(window: _Window, end: str, what: str) -> bool:
    """Go over what parts two pieces; tell whether it was the end instead."""
    separator = window.next_character()
    window.at += 1
    if separator not in (",", end):
        raise ItemError(f"not JSON: a comma or the end of the {what} is missing")
    return separator == end


class Piece(NamedTuple):
    """A member of a document, or one item of a member that is a list of objects.

    ``number`` counts the items from 1, and is ``None`` for a member that is read as a whole.
    """

    key: str
    number: int | None
    value: Any


def iter_documents(stream: io.BufferedReader) -> Iterator[Piece | None]:
    """Give the objects that follow each other in a text, member by member.

    Lists of objects are given item by item, so that a document may be of any length. ``None``
    marks the end of each document.

    Raises:
        ItemError: it is broken; the pieces before that have been given.
    """
    window = _Window(stream)
    while window.next_character():
        if window.text[window.at] != "{":
            raise ItemError("not JSON: an object is missing")
        yield from _members(window)
        yield None


def _members(window: _Window) -> Iterator[Piece]:
    window.at += 1
    if window.next_character() == "}":
        window.at += 1
        return
    while True:
        window.next_character()
        key = _item(window, _DECODER)
        if not isinstance(key, str) or window.next_character() != ":":
            raise ItemError("not JSON: a key and its colon are missing")
        window.at += 1
        if window.next_character() == "[" and _holds_objects(window):
            for number, item in enumerate(_array(window), 1):
                yield Piece(key, number, item)
        else:
            yield Piece(key, None, _item(window, _DECODER))
        if _ends(window, "}", "object"):
            return


def _holds_objects(window: _Window) -> bool:
    """Tell whether the list that begins here begins with an object."""
    ahead = 1
    while True:
        for place in range(window.at + ahead, len(window.text)):
            if window.text[place] not in _BLANK:
                return window.text[place] == "{"
        if window.at_end:
            return False
        ahead = len(window.text) - window.at
        window.grow()


def _item(window: _Window, decoder: json.JSONDecoder) -> Any:
    while True:
        try:
            item, end = decoder.raw_decode(window.text, window.at)
        except json.JSONDecodeError as error:
            _refuse_if_final(window, error)
        except RecursionError as error:
            raise ItemError("not readable: nested too deeply") from error
        except (InvalidInputError, ValueError) as error:
            raise ItemError("not JSON: a number that is none, or too long") from error
        else:
            if end < len(window.text) or window.at_end:
                window.at = end
                return item
        window.grow()


def _refuse_if_final(window: _Window, error: json.JSONDecodeError) -> None:
    """Tell an item that is broken from one that has not been read to its end."""
    breaks_off = "Unterminated" in error.msg or error.pos >= len(window.text) - LONGEST_TOKEN
    if window.at_end or not breaks_off:
        raise ItemError(f"not JSON: {error.msg.removesuffix(' at')}") from error
    if len(window.text) - window.at > MAX_ITEM_LENGTH:
        raise ItemError(f"an item of more than {MAX_ITEM_LENGTH // 1024**2} Mi characters")
