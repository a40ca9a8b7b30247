"""Reading a large JSON array item by item, by the same strict rules as single lines."""

import codecs
import io
import json
import zlib
from collections.abc import Iterator
from typing import Any

from memorycore.errors import InvalidInputError
from memorycore.exchange.reading import refuse_constant

CHUNK_BYTES = 64 * 1024
MAX_ITEM_LENGTH = 16 * 1024 * 1024
"""Characters in one item; a longer one is not read into memory."""
LONGEST_TOKEN = 16
"""A word, number or escape that breaks off at the end of what was read is no longer."""
_BLANK = " \t\r\n"


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
    window.at += 1
    if window.next_character() == "]":
        return
    decoder = json.JSONDecoder(parse_constant=refuse_constant)
    while True:
        window.next_character()
        yield _item(window, decoder)
        separator = window.next_character()
        window.at += 1
        if separator == "]":
            return
        if separator != ",":
            raise ItemError("not JSON: a comma or the end of the array is missing")


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
