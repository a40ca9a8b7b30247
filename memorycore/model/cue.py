"""What a question waits for, told by its words: a time or a number; and who speaks of themselves.

A turn that holds such a thing answers a little sooner than one that shares the same words and does
not. All of it is a matter of words, for Chinese and English; a turn is never left out for it.
"""

import re
from dataclasses import dataclass

TIME_FACTOR = 1.3
COUNT_FACTOR = 1.1
HAN_FACTOR = 1.1
"""Chinese words for times and numbers are short and stand in many turns: they tell less."""

_ASKS_WHEN = re.compile(r"\s*when\b|\bhow long\b|\bwh(?:at|ich) (?:date|day|month|year)\b", re.I)
_ASKS_COUNT = re.compile(r"\bhow (?:many|much|often)\b", re.I)
_HAN_WHEN = re.compile(r"什么时候|何时|几[号点月]|哪一?[天年月]|多久|多长时间|星期几|周几|日期")
_HAN_COUNT = re.compile(r"多少|几[个次只位岁条天]|多[大高重长]|号码")

_TIMES = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|last|next|this (?:week|weekend|month|morning|year)"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|since|(?:year|month|week|day)s?|recently|\d{4})\b",
    re.I,
)
_COUNTS = re.compile(
    r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|once|twice|second|third|fourth"
    r"|several|couple)\b",
    re.I,
)
_HAN_TIMES = re.compile(
    r"\d[年月日号点]|[一二三四五六七八九十][月日号点年]|[今明昨前后]天|[去今明前]年"
    r"|[上下这本]个?[周月]|周[一二三四五六日末天]|星期|礼拜|[早晚]上|[上下]午|凌晨|傍晚"
)
_HAN_COUNTS = re.compile(r"[\d一二两三四五六七八九十百千万亿]")
_OWN_VOICE = re.compile(r"\b(?:i|me|my|we|our)\b|我|咱", re.I)


@dataclass(frozen=True, slots=True)
class Cue:
    """What an answer may hold, and by how much a turn that holds it counts more."""

    name: str
    pattern: re.Pattern[str]
    factor: float

    def fits(self, text: str) -> bool:
        """Say whether a turn holds it."""
        return self.pattern.search(text) is not None


_CUES = (
    (_ASKS_WHEN, Cue("tells when", _TIMES, TIME_FACTOR)),
    (_ASKS_COUNT, Cue("tells how many", _COUNTS, COUNT_FACTOR)),
    (_HAN_WHEN, Cue("tells when", _HAN_TIMES, HAN_FACTOR)),
    (_HAN_COUNT, Cue("tells how many", _HAN_COUNTS, HAN_FACTOR)),
)


def read_cue(question: str) -> Cue | None:
    """Tell what kind of answer a question waits for, if its words say so."""
    return next((cue for asks, cue in _CUES if asks.search(question)), None)


def speaks_of_self(text: str) -> bool:
    """Tell whether somebody speaks of themselves in a turn."""
    return _OWN_VOICE.search(text) is not None
