"""One written form for values that mean the same: the object key of a literal.

Numbers written in digits, whole dates and common units become canonical; words stay words, so
"thirty-seven" and "37" are two values. A decimal loses zeros only when nothing else follows the
point ("3.0" is "3"), because "3.10" may be a version and is not "3.1".
"""

import re
from datetime import date

from memorycore.model.word import fold

__all__ = ["canonical_value", "is_date", "is_number"]

_OUTER = " \t\r\n.,;:!?、。…・·'\"`´‘’“”„‚«»‹›()[]{}<>《》〈〉「」『』【】〔〕~—–―_*|\\/-"
_PAIRS = {")": "(", "]": "[", "}": "{", ">": "<", "》": "《", "」": "「", "』": "『", "】": "【"}
_SPACES = re.compile(r"\s+")
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])")
_EMPTY_DECIMALS = re.compile(r"(?<![\d.,])(\d+)\.0+(?![\d.,])")
_DATE = re.compile(
    r"(?<![\d./-])(\d{4})(?: ?年 ?(\d{1,2}) ?月 ?(\d{1,2}) ?[日号]|([-/.])(\d{1,2})\4(\d{1,2}))"
    r"(?![\d/-]|\.\d)"
)
_MONTH = re.compile(r"(?<![\d./-])(\d{4}) ?年 ?(\d{1,2}) ?月(?! ?\d)")
_NUMBER = re.compile(r"-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)\Z")
_MINUS_ZERO = re.compile(r"-0(?:\.0+)?\Z")
_ISO = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?\Z")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_NAME = (
    r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_ENGLISH_DATE = re.compile(
    rf"\b(?:{_NAME} (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})"
    rf"|(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_NAME},? (\d{{4}}))(?![\d-])"
)
_UNITS = {
    "kg": "公斤|千克|kilograms?|kilogrammes?|kilos?|kgs?",
    "km": "公里|千米|kilomet(?:er|re)s?|kms?",
    "cm": "厘米|公分|centimet(?:er|re)s?|cms?",
    "mm": "毫米|millimet(?:er|re)s?|mms?",
    "m": "米(?![饭粉线色酒])|met(?:er|re)s?",
    "ml": "毫升|millilit(?:er|re)s?|mls?",
    "l": "公升|升|lit(?:er|re)s?",
    "mg": "毫克|milligrams?|mgs?",
    "g": "克(?![拉])|grams?|grammes?",
    "lb": "pounds?|lbs?",
    "mi": "英里|miles?",
    "h": "个?小时|hours?|hrs?",
    "min": "分钟|minutes?|mins?",
    "°c": "摄氏度|degrees? celsius|°c",
    "%": "percent|per cent|%",
}
_UNIT = re.compile(
    r"(?<![\d.])(\d+(?:\.\d+)?) ?(?:"
    + "|".join(f"(?P<u{number}>{words})" for number, words in enumerate(_UNITS.values()))
    + r"|(?P<same>kg|km|cm|mm|m|ml|l|mg|g|lb|mi|h|min))(?![a-z0-9])"
)
_UNIT_NAMES = tuple(_UNITS)


def canonical_value(text: str) -> str:
    """Write a literal in the one form by which equal values are found equal.

    The result of a result is itself. A text that holds a letter, a digit or an emoji never gives an
    empty result; one of punctuation alone gives its folded self.
    """
    value = _canonical(text)
    for _ in range(8):
        again = _canonical(value)
        if again == value:
            break
        value = again
    return value


def _canonical(text: str) -> str:
    value = _SPACES.sub(" ", fold(text)).strip()
    value = _strip_outer(value) or value
    if not any(map(str.isdigit, value)):
        return value
    value = _THOUSANDS.sub(lambda found: found[0].replace(",", ""), value)
    value = _DATE.sub(
        lambda found: _date(found, found[1], found[2] or found[5], found[3] or found[6]), value
    )
    value = _MONTH.sub(lambda found: _date(found, found[1], found[2], None), value)
    value = _ENGLISH_DATE.sub(_english_date, value)
    value = _EMPTY_DECIMALS.sub(r"\1", value)
    return "0" if _MINUS_ZERO.match(value) else _UNIT.sub(_unit, value)


def is_number(text: str) -> bool:
    """Tell whether a text is a number in digits, which its canonical form writes in ASCII."""
    return _has_plain_digits(text) and _NUMBER.match(canonical_value(text)) is not None


def _has_plain_digits(text: str) -> bool:
    return all(char.isdecimal() for char in text if char.isdigit())  # a raised 2 is none


def is_date(text: str) -> bool:
    """Tell whether a text is a year, a month or a day that is in the calendar."""
    found = _ISO.match(canonical_value(text))
    if found is None or not _has_plain_digits(text):
        return False
    try:
        date(int(found[1]), int(found[2] or 1), int(found[3] or 1))
    except ValueError:
        return False
    return True


def _strip_outer(value: str) -> str:
    start, end = 0, len(value)
    while start < end and value[start] in _OUTER:
        start += 1
    # A point or a minus that belongs to a name or a number stays: ".net", "-5".
    if start and start < end:
        lead = value[start - 1]
        digit = "0" <= value[start] <= "9"
        if (lead == "-" and digit) or (lead == "." and value[start].isalnum()):
            start -= 1 if start == 1 or value[start - 2] != lead else 0
    while end > start and value[end - 1] in _OUTER:
        opening = _PAIRS.get(value[end - 1])
        if opening is not None and value.find(opening, start, end) >= 0:
            break
        end -= 1
    return value[start:end]


def _date(found: re.Match[str], year: str, month: str, day: str | None) -> str:
    if not 1 <= int(month) <= 12 or not (day is None or 1 <= int(day) <= 31):
        return found[0]
    return f"{year}-{int(month):02}" + ("" if day is None else f"-{int(day):02}")


def _english_date(found: re.Match[str]) -> str:
    name, day, year = found.group(1, 2, 3) if found[1] else found.group(5, 4, 6)
    return _date(found, year, str(_MONTHS.index(name[:3]) + 1), day)


def _unit(found: re.Match[str]) -> str:
    for number, name in enumerate(_UNIT_NAMES):
        if found[f"u{number}"]:
            return found[1] + name
    return found[1] + found["same"]
