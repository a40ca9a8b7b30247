"""From rules to phrases: find them in a text, join what belongs together, and drop the doubtful."""

import re
from datetime import date
from functools import cache

from memorycore.model.phrase_context import is_time, settle
from memorycore.model.phrase_en import english_table
from memorycore.model.phrase_join import join_hits
from memorycore.model.phrase_rule import Hit, Match, Rule, Table, match_at
from memorycore.model.phrase_zh import chinese_table
from memorycore.model.time_spec import Fixed, Span, Spec, Vague, Yearly

__all__ = ["find_hits"]

_DATE = re.compile(
    r"(?P<y>(?:1[6-9]|20)\d\d)(?P<s>[-/.])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})(?![\d])(?!(?P=s)\d)"
)
_ISO = re.compile(
    r"(?:1[6-9]|20)\d\d-\d\d-\d\d(?:t| )(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?"
    r" ?(?:z\b|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?(?![\d:])"
)
_MONTH = re.compile(r"(?P<y>(?:19|20)\d\d)[-/](?P<m>0[1-9]|1[0-2])(?![\d/-])(?!\.\d)")
_TURNED = re.compile(
    r"(?P<a>\d{1,2})(?P<s>[-/.])(?P<b>\d{1,2})(?P=s)(?P<y>(?:19|20)\d\d|\d\d)(?![\d/.-])"
)
_YEARS = re.compile(
    r"(?P<y>(?:19|20)\d\d)年?\s?(?:-|–|—|~|到|至)\s?(?P<z>(?:19|20)\d\d)年?(?![\d/:.-])"
)


def _iso_date(found: Match) -> Spec | None:
    try:
        day = date(int(found["y"]), int(found["m"]), int(found["d"]))
    except ValueError:
        return None
    return Fixed(Span(day, day, "day"))


def _turned_date(found: Match) -> Spec | None:
    """Read 05/07/2023, the month first; a point puts the day first, a dash neither."""
    first, second, year = int(found["a"]), int(found["b"]), found["y"]
    if len(year) == 2:
        short = 1 <= first <= 31 and 1 <= second <= 31 and min(first, second) <= 12
        return Vague() if short and found["s"] == "/" else None
    if found["s"] == "." or first > 12:
        first, second = second, first
    elif found["s"] == "-" and first <= 12 and second <= 12 and first != second:
        return Vague()
    try:
        day = date(int(year), first, second)
    except ValueError:
        return None
    return Fixed(Span(day, day, "day"))


def _year_range(found: Match) -> Spec | None:
    first, last = int(found["y"]), int(found["z"])
    if last <= first:
        return None
    return Fixed(Span(date(first, 1, 1), date(last, 12, 31), "range"))


_NUMERIC = (
    Rule(_ISO, lambda _: Vague(), "iso", False),
    Rule(_DATE, _iso_date, "month", False),
    Rule(
        _MONTH, lambda found: Yearly("month", int(found["m"]), year=int(found["y"])), "month", False
    ),
    Rule(_TURNED, _turned_date, "month", False),
    Rule(_YEARS, _year_range, "years", False),
)
_NUMERALS = frozenset("零〇一二三四五六七八九十百千万两几数")
_AFTER_MARK = r"(?<=[,:])(?<![0-9].)[0-9]{1,4}(?=[年月])"
"""A year or month right after a comma or colon, where Chinese has no blank."""
_ASCII = r"(?<![a-zà-ɏ])[a-z]+|(?<![a-z0-9_$€£¥#.,/:@+])[0-9]+"


@cache
def _tables() -> tuple[Table, Table, re.Pattern[str], re.Pattern[str]]:
    """Give the rules for plain ASCII texts and for all, and what phrases of each may begin with."""
    english, chinese = english_table(), chinese_table()
    english["#"] = (*_NUMERIC, *english["#"])
    whole = dict(english)
    for word, rules in chinese.items():
        whole[word] = (*whole.get(word, ()), *rules)
    han = "".join(word for word in chinese if len(word) == 1 and not word.isascii())
    return english, whole, re.compile(_ASCII), re.compile(f"{_ASCII}|{_AFTER_MARK}|[{han}]")


def find_hits(folded: str, text: str) -> list[Hit]:
    """Find the phrases of a text, folded place by place, without those that are doubtful."""
    english, whole, ascii_start, any_start = _tables()
    table, start = (english, ascii_start) if folded.isascii() else (whole, any_start)
    hits: list[Hit] = []
    done = 0
    for found in start.finditer(folded):
        at = found.start()
        word = found[0]
        rules = table.get("#" if "0" <= word[0] <= "9" else word)
        if rules is None or at < done:
            continue
        if done < at and word in _NUMERALS and folded[at - 1] in _NUMERALS:
            continue  # inside of a number
        hit = match_at(rules, folded, at)
        if hit:
            done = hit.end
            hits.append(hit)
    if not hits:
        return hits
    for hit in hits:
        if hit.kind == "iso":
            hit.iso = text[hit.start : hit.end].upper().replace(" +", "+")
    hits = join_hits([hit for hit in hits if is_time(hit, folded, text)], folded)
    return [hit for hit in hits if settle(hit, folded)]
