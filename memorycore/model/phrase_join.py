"""Neighbours that are one time phrase: a day and its hour, the ends of a range, "the day after"."""

import re
from dataclasses import replace

from memorycore.model.phrase_rule import Hit
from memorycore.model.phrase_zh import hour_of
from memorycore.model.time_spec import (
    Between,
    Clock,
    Count,
    Fixed,
    Near,
    Spec,
    Unit,
    Vague,
    Weekday,
    Yearly,
)

__all__ = ["has_year", "is_date", "join_hits"]

_RANGE = re.compile(r"\s{0,3}(?:to|until|till|through|thru|-|–|—|~|到|至)\s{0,3}(?:the\s{1,3})?\Z")
_RANGE_FROM = re.compile(r"(?:\b(?P<from>from|between)\s{1,3}(?:the\s{1,3})?|从|自)\Z")
_YEAR_GAP = re.compile(r"的|,?\s{1,3}(?:(?:in|on|at|during)\s{1,3})?(?:the\s{1,3})?")
_CLOCK_GAP = re.compile(r"(?:,?\s{0,3}(?:at|around|about|by|from)?\s{0,3}|的|在)\Z")
_DAY_GAP = re.compile(r"\s{1,3}(?:on\s{1,3})?\Z")
_DATE_GAP = re.compile(r",?\s{0,3}(?:the\s{1,3})?\Z")
_SIDE = re.compile(r"\s{1,3}(?P<side>before|after)\s{1,3}(?:the\s{1,3})?\Z")
_BRACKET = re.compile(r"\s{0,3}[(（]?\s{0,3}\Z")
_PART_OF_DAY = re.compile(r"(?:morning|afternoon|evening|night)\Z|[早晚]\Z|今夜\Z")
_PERIODS = ("month", "year", "quarter", "season", "unit", "day", "feast", "years")


def join_hits(hits: list[Hit], folded: str) -> list[Hit]:
    """Join neighbours that are one phrase: a day and its hour, the ends of a range."""
    joined: list[Hit] = []
    for hit in hits:
        while joined:
            both = _join(joined[-1], hit, folded)
            if both is None:
                break
            joined.pop()
            hit = both
        joined.append(hit)
    return joined


def _join(left: Hit, right: Hit, folded: str) -> Hit | None:
    gap = folded[left.end : right.start]
    if len(gap) > 20:
        return None
    if isinstance(right.spec, Clock):
        return _join_clock(left, right, gap, folded)
    if left.iso or right.iso:
        return None
    if isinstance(left.spec, Clock):
        if left.clock is None and _is_day(right) and _DAY_GAP.match(gap):
            clock = _clock(left.spec, "")
            return replace(right, start=left.start, clock=clock, weak=False)
        return None
    if isinstance(left.spec, Weekday) and left.spec.day < 7:
        if is_date(right) and _DATE_GAP.match(gap):
            return replace(_on_weekday(right, left.spec.day), start=left.start)
        side = _SIDE.match(gap)
        if side and is_date(right):
            near = Near(right.spec, -1 if side["side"] == "before" else 1, left.spec.day)
            return Hit(left.start, right.end, near, "near")
    if isinstance(right.spec, Weekday) and is_date(left) and _BRACKET.match(gap):
        close = 1 if folded[right.end : right.end + 1] in (")", "）") and gap.strip() else 0
        return replace(_on_weekday(left, right.spec.day), end=right.end + close)
    return (
        _join_anchor(left, right, gap)
        or _join_year(left, right, gap)
        or (_join_range(left, right, gap, folded))
    )


def _join_anchor(left: Hit, right: Hit, gap: str) -> Hit | None:
    """Join "two weeks before" and "the day after" to what they are counted from."""
    spec = left.spec
    if left.kind not in ("anchor", "beside") or not re.fullmatch(r"\s{1,3}(?:the\s)?", gap):
        return None
    if not isinstance(spec, Count) or isinstance(right.spec, Vague):
        return None
    if left.kind == "beside" and spec.unit != "day":
        return Hit(left.start, right.end, Vague(), "anchored")
    return Hit(left.start, right.end, replace(spec, anchor=right.spec), "anchored")


def _join_year(left: Hit, right: Hit, gap: str) -> Hit | None:
    """Join "last year" and "in May", in any order, and 三年前 and 的今天."""
    if gap == "的" and right.spec == Unit("day", 0):
        return replace(left, end=right.end, spec=_same_day(left.spec))
    if not _YEAR_GAP.fullmatch(gap):
        return None
    for one, other in ((left, right), (right, left)):
        shift, spec = _years_away(one.spec), other.spec
        if shift is None or not isinstance(spec, Yearly) or spec.kind == "year":
            continue
        if not has_year(spec) and not spec.turn:
            spec = replace(spec, shift=shift)
            return replace(other, start=left.start, end=right.end, spec=spec, weak=False)
    return None


def _same_day(spec: Spec) -> Spec:
    """Make 去年的今天 of 去年: the same day of another month or year."""
    if isinstance(spec, Count):
        return spec
    if isinstance(spec, Unit) and spec.unit == "month" and not (spec.day or spec.part):
        return Count("month", abs(spec.shift), 1 if spec.shift > 0 else -1)
    if isinstance(spec, Yearly) and spec.kind == "year" and not spec.part and spec.shift:
        return Count("year", abs(spec.shift), 1 if spec.shift > 0 else -1)
    return Vague()


def _years_away(spec: Spec) -> int | None:
    if isinstance(spec, Count) and spec.unit == "year" and spec.anchor is None:
        return int(spec.number) * spec.sign if spec.number == int(spec.number) else None
    if isinstance(spec, Unit) and spec.unit == "year" and not spec.part:
        return spec.shift
    return None


def _on_weekday(hit: Hit, weekday: int) -> Hit:
    """Bind a date to the weekday beside it: it tells the year, or that one of them is wrong."""
    spec = hit.spec
    if isinstance(spec, Yearly):
        return replace(hit, spec=replace(spec, weekday=weekday), weak=False)
    if isinstance(spec, Fixed) and spec.span and spec.span.first.weekday() != weekday:
        return replace(hit, spec=Vague())
    return hit


def _is_day(hit: Hit) -> bool:
    spec = hit.spec
    return (
        isinstance(spec, Weekday)
        or (isinstance(spec, Unit) and (spec.unit == "day" or spec.day > 0))
        or is_date(hit)
        or hit.kind == "feast"
    )


def is_date(hit: Hit) -> bool:
    """Say whether a phrase names a day of the calendar."""
    spec = hit.spec
    return (isinstance(spec, Yearly) and spec.day > 0) or (
        isinstance(spec, Fixed) and spec.span is not None and spec.span.precision == "day"
    )


def _clock(clock: Clock, part: str) -> tuple[int, int] | None:
    hour = hour_of(clock, part)
    if hour is None or (hour == 24 and clock.minute):
        return None
    return hour, clock.minute


def _join_clock(left: Hit, right: Hit, gap: str, folded: str) -> Hit | None:
    if left.clock or not _is_day(left) or not _CLOCK_GAP.match(gap):
        return None
    spec = right.spec
    if not isinstance(spec, Clock):
        return None
    named = _PART_OF_DAY.search(folded, left.start, left.end)
    part = {"早": "早上", "晚": "晚上", "morning": "早上", "evening": "晚上", "night": "晚上"}.get(
        named[0] if named else "", named[0] if named else ""
    )
    if isinstance(left.spec, Fixed) and ":" in folded[right.start : right.end]:
        spec = replace(spec, exact=True)
    unclear = spec.hour is not None and right.weak and not (spec.part or part or spec.exact)
    if unclear and not re.search(r"[钟半整分:]", folded[right.start : right.end]):
        return None
    return replace(left, end=right.end, clock=_clock(spec, part), weak=False)


def _join_range(left: Hit, right: Hit, gap: str, folded: str) -> Hit | None:
    before = _RANGE_FROM.search(folded[max(0, left.start - 12) : left.start])
    between = bool(before and before["from"] == "between") and gap.strip() == "and"
    between = between or (gap.strip() == "and" and _are_neighbours(left.spec, right.spec))
    if not between and not _RANGE.match(gap):
        return None
    if not between and not gap.strip():
        return None
    start = left.start - (len(before[0]) if before else 0)
    if isinstance(left.spec, Weekday) and isinstance(right.spec, Weekday):
        return Hit(start, right.end, Vague(), "range")
    if left.kind not in _PERIODS or right.kind not in _PERIODS or left.relation != "at":
        return None
    dash = gap.strip() in ("-", "–", "—", "~")
    if left.weak and right.weak and not (before or dash or between):
        return None
    first, last = left.spec, right.spec
    if isinstance(first, Yearly) and isinstance(last, Yearly):
        first, last = _share_year(first, last)
    return Hit(start, right.end, Between(first, last), "range")


def _are_neighbours(first: Spec, last: Spec) -> bool:
    """Say whether two are months of which the second follows the first: June and July."""
    months = [spec for spec in (first, last) if isinstance(spec, Yearly) and spec.kind == "month"]
    return len(months) == 2 and months[1].number - months[0].number == 1


def _share_year(first: Yearly, last: Yearly) -> tuple[Yearly, Yearly]:
    """Give the ends of a range the year that only one of them names."""
    known, other = first, last
    if has_year(first) == has_year(last):
        return first, last
    order = (first.number, first.day) <= (last.number, last.day)
    if has_year(last):
        known, other = last, first
    step = 0 if order else (1 if known is first else -1)
    year = None if known.year is None else known.year + step
    shift = None if known.shift is None else known.shift + step
    other = replace(other, year=year, shift=shift)
    return (known, other) if known is first else (other, known)


def has_year(spec: Yearly) -> bool:
    """Say whether a yearly period is one of a certain year."""
    return spec.year is not None or spec.shift is not None
