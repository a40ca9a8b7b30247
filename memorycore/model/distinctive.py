"""Whether a text is so much its own that the same words later are the same thing said again."""

import re

from memorycore.model.word import CJK, fold

_HAN = re.compile(f"[{CJK}]")
_WORD = re.compile(r"[^\W_]+")
LEAST = 3.0
"""So many words make a text its own: "thank you" is said every day, "I like coffee" is not."""
HAN_WEIGHT = 0.6
"""A character of Han, kana or Hangul is so much of a word."""


def is_distinctive(text: str) -> bool:
    """Tell whether a text says enough to be recognised wherever it comes again."""
    folded = fold(text)
    characters = len(_HAN.findall(folded))
    words = len(_WORD.findall(_HAN.sub(" ", folded)))
    return words + HAN_WEIGHT * characters >= LEAST
