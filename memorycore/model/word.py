"""From text to index words: one folding and one segmentation for the index and for queries.

Han, kana and Hangul have no spaces between words. Each run of them becomes its overlapping pairs
and its last single character, so that every character begins exactly one word: a substring of one,
two or more characters is a prefix, a word, or a phrase. Other writing is cut at what is no letter
or digit. Emoji are no letters to SQLite, so they are written as words. Stored text is never
changed by this.
"""

import os
import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from operator import add

CJK = (
    "\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U000323af"
)
MAX_WORD_LENGTH = 64
"""Longer runs of letters and digits (base64, say) are cut into pieces of this many characters."""

CONTEXT_LENGTH = 400
"""Turns longer than this (code points) have no context and are none: they stand for themselves."""

_CJK_RUN = re.compile(f"([{CJK}]+)")
_EMOJI = (
    "\u231a-\u23ff\u24c2\u25aa-\u27bf\u2934\u2935\u2b05-\u2b55\u3030\u303d\u3297\u3299"
    "\U0001f000-\U0001f3fa\U0001f400-\U0001faff"
)
_ASCII_WORD = re.compile(rf"[a-z0-9]{{1,{MAX_WORD_LENGTH}}}")
_PIECE = re.compile(rf"[^\W_](?:[^\W_]|[\u0300-\u036f])*|[{_EMOJI}]")
_SCOPE_DIGITS = 4096
_SCOPE_LAST, _SCOPE_MORE = 0xE000, 0xF000


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of a folded text: a Latin (or other spaced) word, or a run of Han, kana or Hangul."""

    text: str
    is_cjk: bool


@cache
def _folding() -> tuple[str, dict[int, int]]:
    # Not through importlib.resources: importing that costs more than a whole search.
    with open(os.path.join(os.path.dirname(__file__), "han_folding.txt"), encoding="utf-8") as file:
        lines = file.read().split("\n")
    table: dict[int, int] = str.maketrans(lines[1], lines[2])
    # Full-width ASCII is in the table too: it spares most Chinese texts a normalisation.
    table.update((code, code - 0xFEE0) for code in range(0xFF01, 0xFF5F))
    return lines[0], table


def folding_version() -> str:
    """Name the version of the folding; an index built with another one must be rebuilt."""
    return _folding()[0]


def fold(text: str) -> str:
    """Fold a text for comparison: NFKC, lower case, traditional characters to simplified ones."""
    if text.isascii():
        return text.lower()
    table = _folding()[1]
    folded = text.translate(table)
    if not unicodedata.is_normalized("NFKC", folded):
        folded = unicodedata.normalize("NFKC", folded).translate(table)
    folded = folded.casefold()
    if not unicodedata.is_normalized("NFKC", folded):
        folded = unicodedata.normalize("NFKC", folded)
    return folded


def plain(text: str) -> str:
    """Give a text as texts are compared: folded, with single spaces."""
    return " ".join(fold(text).split())


def split_runs(text: str) -> list[Run]:
    """Cut a text into runs, in order; punctuation, NUL and lone surrogates separate them."""
    runs = []
    for piece in _PIECE.findall(fold(text)):
        if not piece[0].isalnum():
            runs.append(Run(_emoji_word(piece), is_cjk=False))
            continue
        for number, part in enumerate(_CJK_RUN.split(piece)):
            if number % 2:
                runs.append(Run(part, is_cjk=True))
            else:
                runs += [Run(word, is_cjk=False) for word in _cut(part)]
    return runs


def split_words(text: str) -> list[str]:
    """Cut a text into its index words."""
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    words: list[str] = []
    for piece in _PIECE.findall(fold(text)):
        if piece.isascii():
            words += _cut(piece)
        elif not piece[0].isalnum():
            words.append(_emoji_word(piece))
        else:
            for number, part in enumerate(_CJK_RUN.split(piece)):
                if number % 2:
                    words += map(add, part, part[1:])
                    words.append(part[-1])
                elif part:
                    words += _cut(part)
    return words


def _cut(word: str) -> list[str]:
    if len(word) <= MAX_WORD_LENGTH:
        return [word] if word else []
    return [word[at : at + MAX_WORD_LENGTH] for at in range(0, len(word), MAX_WORD_LENGTH)]


def _emoji_word(character: str) -> str:
    return f"emoji{ord(character):x}"


def scope_mark(scope_id: int) -> str:
    """Give the characters that stand before every index word of a scope.

    They are private-use characters, which no folded text has as part of a word: so a query reads
    the postings of its own scope and cannot name another's. All but the last come from their own
    range, which keeps one scope's mark from being the start of another's.
    """
    mark = chr(_SCOPE_LAST + scope_id % _SCOPE_DIGITS)
    rest = scope_id // _SCOPE_DIGITS
    while rest:
        mark = chr(_SCOPE_MORE + rest % 2048) + mark
        rest //= 2048
    return mark


def index_text(scope_id: int, text: str) -> str:
    """Write a text as the words that the search index holds for it."""
    return (
        _cut_again(scope_id, text) if len(text) <= CONTEXT_LENGTH else _index_text(scope_id, text)
    )


def _index_text(scope_id: int, text: str) -> str:
    words = split_words(text)
    mark = scope_mark(scope_id)
    return mark + f" {mark}".join(words) if words else ""


_cut_again = lru_cache(maxsize=32)(_index_text)
"""A turn is asked for its words, and again and again as a neighbour of the turns around it."""


def context_text(scope_id: int, text: str) -> str:
    """Write a text as its neighbours' context: its words, or none when it is a long text."""
    return index_text(scope_id, text) if len(text) <= CONTEXT_LENGTH else ""
