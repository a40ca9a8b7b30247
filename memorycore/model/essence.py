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
_NO_TEXT = re.compile(r"(?:[^\w.,:/-]|_|(?<!\d)[.,:/-]|[.,:/-](?!\d))+")
_NO_NAME = re.compile(r"(?:[^\w.,:/+#-]|_|(?<!\d)[.,:/-]|[.,:/-](?!\d)|(?<![a-z+#])[+#])+")
"""What is left out: all but letters, digits, and the marks inside numbers or after a name."""
_ARTICLE = re.compile(r"\A(?:the|an?)\s+(?=\S)")
_HAN = re.compile(f"[{CJK}]")
_WORD = re.compile(r"[^\W_]+")
_STROKES = re.compile("[\u0300-\u036f]+")
"""Accents and strokes that make no letter of their own with what they stand on."""
_KEPT = frozenset(("Mn", "Mc"))


def essence(text: str) -> str:
    """Give the letters and digits of a text, folded; one that has none is its folded self."""
    seen = _seen(text)
    return _bare(seen, _NO_TEXT) or " ".join(seen.split())


def name_essence(name: str) -> str:
    """Give the letters and digits of a name, without an article; C++ and C# stay two names."""
    seen = _ARTICLE.sub("", _seen(name).strip())
    return _bare(seen, _NO_NAME) or " ".join(seen.split())


def passages(text: str) -> Iterator[str]:
    """Give the essence of each run of sentences that says enough, but not of the whole text.

    Runs are of at most ``MAX_TOGETHER`` sentences; at most ``MAX_PASSAGES`` are looked at.
    """
    spans = sentence_spans(text)
    if len(spans) < 2:
        return
    seen = [_seen(text[begin:end]) for begin, end in spans[:MAX_PASSAGES]]
    said = [(_bare(one, _NO_TEXT), _weight(one)) for one in seen]
    left = MAX_PASSAGES
    for first in range(len(said)):
        words, weight = "", 0.0
        for one, its in said[first : first + MAX_TOGETHER]:
            words, weight, left = words + one, weight + its, left - 1
            if left < 0:
                return
            if weight >= LEAST_INSIDE:
                yield words


def _weight(folded: str) -> float:
    """Say of how many words a folded text is."""
    if folded.isascii():
        return len(_WORD.findall(folded))
    return len(_WORD.findall(_HAN.sub(" ", folded))) + HAN_WEIGHT * len(_HAN.findall(folded))


def _seen(text: str) -> str:
    """Fold a text, without what nobody sees and without strokes through it."""
    if text.isascii():
        return fold(text)
    return _STROKES.sub("", _UNSEEN.sub("", fold(_UNSEEN.sub("", _LETTERLIKE.sub("", text)))))


def _bare(folded: str, left_out: re.Pattern[str]) -> str:
    """Leave out of a folded text what is no letter or digit, but for some marks."""
    return left_out.sub("" if folded.isascii() else _vowels, folded)


def _vowels(found: re.Match[str]) -> str:
    """Give the signs that are a part of the letter before them, as in Devanagari."""
    if found[0] in " ,.，。":
        return ""
    return "".join(char for char in found[0] if unicodedata.category(char) in _KEPT)
