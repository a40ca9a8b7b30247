"""How many tokens a text comes to in a model's window: an estimate by script.

No model's own vocabulary is at hand. The estimate is made to be a little too high, so that what is
said to fit does: a Latin word counts a token for every four letters begun, digits one for every
three, a Han, kana or Hangul character one and a fifth, other letters half a token each, an emoji
three, any other sign one.
"""

import math
import re
from collections.abc import Callable

from memorycore.model.word import CJK

CountTokens = Callable[[str], int]
"""Counts the tokens of a text; a caller who knows the model gives its own."""

_PIECE = re.compile(
    rf"(?P<latin>[A-Za-zÀ-ɏ]+)|(?P<digits>\d+)|(?P<cjk>[{CJK}]+)|(?P<letters>[^\W\d_]+)|(?P<sign>\S)|\n"
)
_HAN_WEIGHT = 1.2
_FIRST_EMOJI = "\u2600"
_EMOJI_WEIGHT = 3


def estimate_tokens(text: str) -> int:
    """Estimate how many tokens a text comes to; 0 for an empty one."""
    total = 0.0
    for piece in _PIECE.finditer(text):
        length = piece.end() - piece.start()
        match piece.lastgroup:
            case "latin":
                total += math.ceil(length / 4)
            case "digits":
                total += math.ceil(length / 3)
            case "cjk":
                total += length * _HAN_WEIGHT
            case "letters":
                total += math.ceil(length / 2)
            case "sign":
                total += _EMOJI_WEIGHT if piece[0] >= _FIRST_EMOJI else 1
            case _:
                total += 1
    return math.ceil(total)
