"""Details that a claim lost or made up, seen by comparing it with the words it was drawn from.

Numbers are compared whole and by what they mean: "37" is "三十七", "2" is "两" and "two". Latin
words are compared folded, without accents and without the endings of number, owner and tense.

High precision first: a detail is lost only when it stands right beside words that the object took
over. Dates, times, counts of times and what follows a preposition stand beside by chance.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from memorycore.model.stopword import ENGLISH
from memorycore.model.word import CJK, fold

__all__ = ["invented_details", "lost_details", "numbers_in"]

_ENGLISH_NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
}
_HAN_DIGITS = {char: at for at, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_HAN_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}
_HAN = "零〇一二两三四五六七八九十百千万亿"
_NO_NUMBER = frozenset("万一 千万 万千 一一 三两 万万".split())
_COUNTED = (
    "个名位只条张本台件辆部份家间座栋套双盒瓶杯碗包袋箱颗粒棵支把块元岁年月日号点时秒次天周层楼"
    "公米斤克升度人种门页章集首篇句字倍成届期级步斤里口"
)
_DIGITS = re.compile(r"[0-9]+(?:,[0-9]{3}(?![0-9]))*(?:\.[0-9]+)*")
_SCALED = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,6}))?([千万亿])")
_HAN_NUMBER = re.compile(f"[{_HAN}]{{1,24}}")
_STRICT_HAN_NUMBER = re.compile(
    f"(?<![星期周礼拜万统唯第])[{_HAN}]{{2,24}}(?![起些直样般])"
    f"|(?<![星期拜周万统唯{_HAN}])[二三四五六七八九十两](?=[{_COUNTED}](?!别)|分钟)"
)
_NUMBER_WORD = re.compile(r"(?<![a-z])(?:" + "|".join(_ENGLISH_NUMBERS) + r")(?![a-z])")
_CJK_RUN = re.compile(f"[{CJK}]+")
_LETTER = "a-z\u00df-\u024f"
_LATIN = re.compile(f"[{_LETTER}]+(?:['’][{_LETTER}]+)?")
_MARKS = re.compile("[\u0300-\u036f]")
_OWNER = re.compile("['’]s?$")
_ENDINGS = re.compile(r"(?:ies|es|s|ied|ed|d|ing|y|e)$")

_TOKEN = re.compile(
    f"[0-9]+(?:[.,][0-9]+)*[{_LETTER}]{{0,12}}(?![{_LETTER}0-9])"
    f"|[{_LETTER}0-9](?:[{_LETTER}0-9]|[.'’](?=[{_LETTER}0-9])|[+#])*|[{CJK}]+",
    re.IGNORECASE,
)
_DIGIT = re.compile("[0-9]")
_IN_SENTENCE = re.compile(r"[^\s.!?。！？\"'“*-]\s*$")
_YEAR = re.compile("(?:19|20)[0-9]{2}")
_CALENDAR = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june
    july august september october november december mr mrs ms dr ok
    """.split()
)
_BEFORE_TIME = frozenset("in at since by until till from around about on before after".split())
_COUNTS = re.compile(
    r"\s*(?:times?|years?|yrs?|days?|weeks?|months?|hours?|hrs?|minutes?|mins?|seconds?|am|pm"
    r"|o'clock|percent|%|km|kg|miles?|of|or|to|[:/%-]"
    r"|[年月日号点次天周岁元块个小分秒时米公斤杯瓶碗倍度])",
    re.IGNORECASE,
)
_ENDS_PHRASE = re.compile(rf"\s*(?:$|[^\w\s]|[{CJK}])|\s+([A-Za-z]+)")
_HAN_MEASURED = re.compile(
    f"([0-9]+(?:[.][0-9]+)*|[{_HAN}]{{1,12}}) ?[个名位只条张本台件辆部份间座套双颗棵支把种门款] ?$"
)
_MEANS = "用在跟和给对从到去把以按靠通与同比的"


class _Token(NamedTuple):
    text: str
    start: int
    end: int
    proper: bool
    """Whether it is written like a name: with a capital, or with a digit."""


def numbers_in(text: str) -> frozenset[str]:
    """Give the numbers of a text in one form, whatever script they are written in.

    One and 一 are left out when written as words: they are articles more often than numbers.
    """
    return frozenset(_numbers(fold(text), strict=True))


def _numbers(folded: str, strict: bool) -> Iterator[str]:
    for scaled in _SCALED.finditer(folded):
        yield _times(scaled[1], scaled[2] or "", _HAN_SCALES[scaled[3]])
    for found in _DIGITS.finditer(folded):
        if not strict or folded[found.end() : found.end() + 1] not in tuple("千万亿"):
            yield _plain(found[0])
    for found in _NUMBER_WORD.finditer(folded):
        if not strict or found[0] != "one":
            yield _ENGLISH_NUMBERS[found[0]]
    if folded.isascii():
        return
    for found in (_STRICT_HAN_NUMBER if strict else _HAN_NUMBER).finditer(folded):
        value = _han_value(found[0])
        if value is not None and not (strict and found[0] in _NO_NUMBER):
            yield value


def _plain(digits: str) -> str:
    head, dot, tail = digits.replace(",", "").partition(".")
    head = head.lstrip("0") or "0"
    return f"{head}.{tail}" if dot and tail.strip("0") else head


def _times(whole: str, decimals: str, scale: int) -> str:
    zeros = len(str(scale)) - 1
    shifted = whole + decimals[:zeros].ljust(zeros, "0")
    return _plain(f"{shifted}.{decimals[zeros:]}" if decimals[zeros:] else shifted)


def _han_value(numeral: str) -> str | None:
    if not any(char in _HAN_SCALES for char in numeral):
        return _plain("".join(str(_HAN_DIGITS[char]) for char in numeral))
    total = section = digit = 0
    for char in numeral:
        if char in _HAN_DIGITS:
            digit = _HAN_DIGITS[char]
            continue
        scale = _HAN_SCALES[char]
        if scale > 10_000:
            total, section = (total + section + digit or 1) * scale, 0
        elif scale == 10_000:
            total, section = total + (section + digit or 1) * scale, 0
        else:
            section += (digit or 1) * scale
        digit = 0
    value = str(total + section + digit)
    return value if len(value) <= 24 else None


def invented_details(quotes: Sequence[str], object_text: str) -> tuple[str, ...]:
    """Name the numbers in digits and the Latin words of an object that no quote holds."""
    target = _letters(object_text)
    if _DIGIT.search(target) is None and _LATIN.search(target) is None:
        return ()
    known_numbers: set[str] = set()
    known_words: set[str] = set()
    for quote in quotes:
        folded = _letters(quote)
        known_numbers.update(_numbers(folded, strict=False))
        words = _LATIN.findall(folded)
        known_words.update(form for word in words for form in _forms(word))
        known_words.update(first + second for first, second in pairwise(words))
    lost: list[str] = []
    for found in _DIGITS.finditer(target):
        scaled = _SCALED.match(target, found.start())
        number = next(_numbers(scaled[0], strict=True)) if scaled else _plain(found[0])
        if number not in known_numbers and _plain(found[0]) not in known_numbers:
            lost.append(found[0])
    words = _LATIN.findall(target)
    for at, word in enumerate(words):
        if _ENGLISH_NUMBERS.get(word) in known_numbers or word in ENGLISH:
            continue
        joined = {"".join(words[max(0, at - 1) : at + 1]), "".join(words[at : at + 2])}
        if known_words.isdisjoint(_forms(word) | (joined - {word})):
            lost.append(word)
    return tuple(dict.fromkeys(lost))


def _letters(text: str) -> str:
    return _unmarked(fold(text))


def _unmarked(text: str) -> str:
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", _MARKS.sub("", unicodedata.normalize("NFKD", text)))


def _forms(word: str) -> set[str]:
    bare = _OWNER.sub("", word)
    stem = _ENDINGS.sub("", bare)
    if len(stem) > 3 and stem[-1] == stem[-2]:
        stem = stem[:-1]
    return {word, bare, stem} if len(stem) >= 3 else {word, bare}


def lost_details(quote: str, object_text: str) -> tuple[str, ...]:
    """Name the numbers, versions and names beside the object's own words that the object lacks."""
    text = _unmarked(unicodedata.normalize("NFKC", quote))
    folded = fold(text)
    low = folded if len(folded) == len(text) else text
    tokens = _tokens(text)
    target = _letters(object_text)
    mine = {form for word in _LATIN.findall(target) if word not in ENGLISH for form in _forms(word)}
    runs = list(dict.fromkeys(_CJK_RUN.findall(target)))
    lost: list[str] = []
    for at, token in enumerate(tokens):
        if _CJK_RUN.match(token.text):
            spans = _shared(token, runs)
        elif token.text not in ENGLISH and not mine.isdisjoint(_forms(_letters(token.text))):
            spans = [(token.start, token.end)]
        else:
            continue
        for start, end in spans:
            lost += _measured(low, start)
            lost += _beside(text, tokens, at, start, end)
    if not lost:
        return ()
    known = set(_numbers(target, strict=False))
    return tuple(
        detail for detail in dict.fromkeys(lost) if not _holds(detail, target, mine, known)
    )


def _holds(detail: str, target: str, mine: set[str], known: set[str]) -> bool:
    if detail[0].isdigit() or detail in _ENGLISH_NUMBERS or detail[0] in _HAN:
        written = rf"(?<![0-9]){re.escape(detail)}(?![0-9])"
        return set(_numbers(detail, strict=False)) <= known or bool(re.search(written, target))
    return detail in target or not mine.isdisjoint(_forms(_letters(detail)))


def _tokens(text: str) -> list[_Token]:
    found = list(_TOKEN.finditer(text))
    capitals = [token[0][0].isupper() for token in found if token[0][0].isalpha()]
    titled = len(capitals) > 3 and sum(capitals) * 5 > len(capitals) * 3
    tokens = []
    for token in found:
        word = fold(token[0])
        cased = word != token[0] and not titled
        proper = _DIGIT.search(word) is not None or (cased and _is_name(text, token))
        ordinary = word in ENGLISH or word in _CALENDAR or word.endswith(("'s", "’s", "'m", "’m"))
        tokens.append(_Token(word, token.start(), token.end(), proper and not ordinary))
    return tokens


def _is_name(text: str, token: re.Match[str]) -> bool:
    """Tell whether a word has a capital that no sentence has put there by beginning with it."""
    if any(map(str.isupper, token[0][1:])):
        return True
    before = text[max(0, token.start() - 9) : token.start()]
    return token[0][0].isupper() and _IN_SENTENCE.search(before) is not None


def _shared(token: _Token, runs: list[str]) -> list[tuple[int, int]]:
    spans = []
    for run in runs:
        at = token.text.find(run) if len(token.text) == token.end - token.start else -1
        if at >= 0:
            spans.append((token.start + at, token.start + at + len(run)))
    return spans


def _measured(text: str, start: int) -> list[str]:
    found = _HAN_MEASURED.search(text[max(0, start - 40) : start])
    return [found[1]] if found and found[1] != "一" else []


def _beside(text: str, tokens: list[_Token], at: int, start: int, end: int) -> list[str]:
    token = tokens[at]
    names: list[str] = []
    number = at - 1
    if start == token.start and number >= 0 and _touch(text, tokens[number].end, start):
        names += _before(text, tokens, number, token)
    number = at + 1
    if end != token.end or number == len(tokens):
        return names
    while number < len(tokens) and _touch(text, tokens[number - 1].end, tokens[number].start):
        if not tokens[number].proper or not _stands_after(text, tokens, number):
            break
        names.append(tokens[number].text)
        number += 1
    return names


def _before(text: str, tokens: list[_Token], number: int, shared: _Token) -> list[str]:
    names: list[str] = []
    while number >= 0 and _touch(text, tokens[number].end, shared.start):
        token = tokens[number]
        lead = tokens[number - 1].text if number else ""
        counted = token.text.isdigit() or token.text in _ENGLISH_NUMBERS
        if counted and token.text != "one":
            if lead not in _BEFORE_TIME and not _YEAR.fullmatch(token.text):
                names.append(token.text)
            break
        if not token.proper or token.text[0].isdigit():
            break
        if shared.text[0] > "\u2e80" and lead and lead[-1] in _MEANS:
            break
        names.append(token.text)
        shared, number = token, number - 1
    return names[::-1]


def _stands_after(text: str, tokens: list[_Token], at: int) -> bool:
    token = tokens[at]
    if not token.text[0].isdigit() or "." in token.text:
        return True
    if _YEAR.fullmatch(token.text) or _COUNTS.match(text, token.end):
        return False
    if at + 1 < len(tokens) and tokens[at + 1].proper:
        return True
    after = _ENDS_PHRASE.match(text, token.end)
    return after is not None and (after[1] is None or after[1].lower() in ENGLISH)


def _touch(text: str, end: int, start: int) -> bool:
    return text[end:start] in ("", " ", "-")
