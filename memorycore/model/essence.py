"""What is left of a text without its dress: the letters and digits by which it is known again.

A mark at the end, other quotation marks, an emoji, spaces or a character that nobody sees make no
new text. Marks between digits stay, since 3.5 is not 35.
"""

import re
import unicodedata
from collections.abc import Iterator

from memorycore.model.distinctive import HAN_WEIGHT
from memorycore.model.sentence import sentence_spans
from memorycore.model.word import CJK, fold

MAX_TOGETHER = 4
"""A forgotten text of at most so many sentences is found inside another one."""
MAX_PASSAGES = 2000
"""So many passages of one text are looked at, and what lies behind them is not."""
LEAST_INSIDE = 3.5
"""A passage of fewer words (or 6 characters of Han) may stand in any text."""

_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]+"
)
_LETTERLIKE = re.compile("[\u2122\u2139\u24c2\u3297\u3299\U0001f200-\U0001f2ff]")
"""Emoji that fold to letters."""
_INSIDE_NUMBERS = re.compile(r"(?<=\d)[.,:/-](?=\d)")
_AFTER_LETTERS = re.compile(r"(?<=[a-z])[+#]+")
_ARTICLE = re.compile(r"\A(?:the|an?)\s+(?=\S)")
_HAN = re.compile(f"[{CJK}]")
_WORD = re.compile(r"[^\W_]+")
_STROKES = re.compile("[\u0300-\u036f]+")
"""Accents and strokes that make no letter of their own with what they stand on."""
_KEPT = frozenset(("Mn", "Mc"))


def essence(text: str) -> str:
    """Give the letters and digits of a text, folded; one that has none is its folded self."""
    return _bare(_seen(text), _INSIDE_NUMBERS)


def name_essence(name: str) -> str:
    """Give the letters and digits of a name, without an article; C++ and C# stay two names."""
    return _bare(_ARTICLE.sub("", _seen(name).strip()), _AFTER_LETTERS)


def passages(text: str) -> Iterator[str]:
    """Give each run of sentences of a text that says enough to be known again, without the whole.

    Runs are of at most ``MAX_TOGETHER`` sentences; there are at most ``MAX_PASSAGES``.
    """
    spans = sentence_spans(text)
    left = MAX_PASSAGES
    for first in range(len(spans)):
        for last in range(first, min(first + MAX_TOGETHER, len(spans))):
            if last - first + 1 == len(spans):
                continue
            left -= 1
            if left < 0:
                return
            passage = text[spans[first][0] : spans[last][1]]
            if _says_enough(passage):
                yield passage


def _says_enough(passage: str) -> bool:
    folded = fold(passage)
    words = len(_WORD.findall(_HAN.sub(" ", folded)))
    return words + HAN_WEIGHT * len(_HAN.findall(folded)) >= LEAST_INSIDE


def _seen(text: str) -> str:
    """Fold a text, without what nobody sees and without strokes through it."""
    if text.isascii():
        return fold(text)
    return _STROKES.sub("", _UNSEEN.sub("", fold(_UNSEEN.sub("", _LETTERLIKE.sub("", text)))))


def _bare(folded: str, marks: re.Pattern[str]) -> str:
    """Leave out of a folded text what is no letter or digit, but for some marks."""
    if folded.isalnum():
        return folded
    kept = {at for found in marks.finditer(folded) for at in range(*found.span())}
    bare = "".join(
        char
        for at, char in enumerate(folded)
        if char.isalnum() or at in kept or unicodedata.category(char) in _KEPT
    )
    return bare if any(map(str.isalnum, bare)) else " ".join(folded.split())
