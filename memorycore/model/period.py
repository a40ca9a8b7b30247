"""Which days a time phrase names, seen from a day.

Weeks run from Monday to Sunday, and "last Monday" is the latest one before the day. A month or a
date without a year is the latest when it stands alone or the clause tells of what was, the coming
one when it tells of what will be, and without a sign the one that lies clearly nearer; a feast
alone is that of the reference's year. Early, mid and late are the thirds of a month and of a
season, and the first, the middle two and the last quarter of a year; the beginning and the end of
a month are its first and last day, those of a year its first and last month. Where two readings
are usual and name different days, there is none.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from memorycore.model.almanac import feast_days, season_days
from memorycore.model.time_spec import (
    Between,
    Clock,
    Count,
    Fixed,
    Near,
    Span,
    Spec,
    Unit,
    Vague,
    Weekday,
    Window,
    Yearly,
    is_explicit,
)

_DAY = timedelta(days=1)
_REACH = 45
_FAR = 290
"""Days after which a date without a year is no longer meant, if it lies near in the other way."""
MONTHS_OF = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
DAYS_OF = {"day": 1, "week": 7, "fortnight": 14}


class Frame(NamedTuple):
    """What a phrase is seen from: a day, and what its clause speaks of.

    ``tense`` is past, future, mixed, open (no sign of either) or alone (nothing else is said).
    """

    today: date
    tense: str


def resolve(spec: Spec, frame: Frame) -> Span | None:
    """Find the days that a phrase names; ``None`` when that is not certain.

    Raises:
        ValueError, OverflowError: they lie outside the years 1 to 9999.
    """
    match spec:
        case Fixed():
            return spec.span
        case Yearly():
            return _yearly(spec, frame)
        case Unit():
            return _unit(spec, frame.today)
        case Weekday():
            return _weekday(spec, frame)
        case Count():
            return _count(spec, frame)
        case Window():
            edge = _step(frame.today, spec.unit, spec.number * spec.sign)
            if edge is None:
                return None
            return Span(min(edge, frame.today), max(edge, frame.today), "range")
        case Between():
            return _between(spec, frame)
        case Near():
            return _near(spec, frame)
        case Clock() | Vague():
            return None


def month_days(year: int, month: int) -> tuple[date, date]:
    """Give the first and last day of a month that may be counted over the end of a year."""
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    first = date(year, month, 1)
    after = date(year + month // 12, month % 12 + 1, 1) if year < 9999 or month < 12 else date.max
    return first, after - _DAY


def _in_year(spec: Yearly, year: int) -> Span | None:
    if spec.kind == "year":
        return _part(Span(date(year, 1, 1), date(year, 12, 31), "year"), spec.part)
    if spec.kind == "month":
        return _part(Span(*month_days(year, spec.number), "month"), spec.part)
    if spec.kind == "date":
        first, last = month_days(year, spec.number)
        if not 0 < spec.day <= (spec.to or spec.day) <= last.day:
            return None
        if spec.weekday not in (None, first.replace(day=spec.day).weekday()):
            return None
        if spec.to > spec.day:
            return Span(first.replace(day=spec.day), first.replace(day=spec.to), "range")
        return Span(first.replace(day=spec.day), first.replace(day=spec.day), "day")
    if spec.kind == "season":
        return _part(Span(*season_days(spec.name, year), "range"), spec.part)
    if spec.kind in ("quarter", "half"):
        length = 3 if spec.kind == "quarter" else 6
        end = length * spec.number
        first, last = month_days(year, end - length + 1)[0], month_days(year, end)[1]
        return _part(Span(first, last, "quarter" if length == 3 else "range"), spec.part)
    days = feast_days(spec.name, year)
    if days is None:
        return None
    return Span(*days, "day" if days[0] == days[1] else "range")


def _part(span: Span, part: str) -> Span | None:
    """Narrow a period to its early, mid or late part, its start or its end."""
    if not part:
        return span
    first, last, precision = span
    if precision == "year":
        months = {
            "early": (1, 3),
            "mid": (4, 9),
            "late": (10, 12),
            "start": (1, 1),
            "end": (12, 12),
        }
        begin, end = months[part]
        name = "month" if begin == end else "quarter" if part != "mid" else "range"
        return Span(month_days(first.year, begin)[0], month_days(first.year, end)[1], name)
    if precision == "month":
        days = {"early": (1, 10), "mid": (11, 20), "late": (21, last.day), "start": (1, 1)}
        begin, end = days.get(part, (last.day, last.day))
        return Span(
            first.replace(day=begin), first.replace(day=end), "day" if begin == end else "range"
        )
    if precision == "week" or part in ("start", "end"):
        return None
    at = {"early": 0, "mid": 1, "late": 2}[part]
    return Span(*month_days(first.year, first.month + at), "month")


def _yearly(spec: Yearly, frame: Frame) -> Span | None:
    today = frame.today
    if spec.year is not None:
        return _in_year(spec, spec.year)
    if spec.shift is not None:
        if spec.name == "winter" and spec.shift == 0 and today.month < 3:
            return None  # the one that ends, or the one that comes
        return _in_year(spec, today.year + spec.shift)
    if spec.turn:
        return _turn(spec, today)
    return _nearest(spec, frame)


def _nearest(spec: Yearly, frame: Frame) -> Span | None:
    """Choose the year of what comes each year by what the clause says, and by how far it lies."""
    today, tense = frame
    near = list(_nearby(spec, today))
    latest = next((span for span in reversed(near) if span.first <= today), None)
    coming = next((span for span in near if span.last >= today), None)
    if spec.weekday is not None:
        return min(near, key=lambda span: abs(span.first - today), default=None)
    if latest is None or coming is None or tense in ("mixed", "recurring"):
        return None
    if spec.kind == "season" and tense == "open":
        return None
    if latest == coming:
        return latest
    back, ahead = (today - latest.last).days, (coming.first - today).days
    if tense == "alone":
        return _in_year(spec, today.year) if spec.kind == "feast" else latest
    if tense == "past":
        return latest if back < _FAR or ahead > _FAR else None
    if tense == "future":
        return coming if ahead < _FAR or back > _FAR else None
    if 2 * min(back, ahead) > max(back, ahead):
        return None
    return latest if back < ahead else coming


def _nearby(spec: Yearly, today: date) -> Iterator[Span]:
    for year in range(max(1, today.year - 5), min(9998, today.year + 5) + 1):
        span = _in_year(spec, year)
        if span:
            yield span


def _turn(spec: Yearly, today: date) -> Span | None:
    """Find the last, this or next one; where a year's own and the nearest differ there is none."""
    near = list(_nearby(spec, today))
    if spec.turn == "this":
        return next((span for span in near if span.first <= today <= span.last), None) or (
            _in_year(spec, today.year)
        )
    if spec.turn == "last":
        before = [span for span in near if span.last < today]
        same = before and before[-1].first.year < today.year
        return before[-1] if before and (same or spec.kind == "feast") else None
    after = [span for span in near if span.first > today]
    if not after or (after[0].first.year == today.year and spec.kind != "feast"):
        return None
    return after[0]


def _unit(spec: Unit, today: date) -> Span | None:
    if spec.unit == "day":
        day = today + timedelta(days=spec.shift)
        return Span(day, day, "day")
    if spec.unit in ("week", "weekend"):
        monday = today + timedelta(days=7 * spec.shift - today.weekday())
        if spec.unit == "weekend":
            return Span(monday + 5 * _DAY, monday + 6 * _DAY, "range")
        if spec.day:
            day = monday + timedelta(days=spec.day - 1)
            return Span(day, day, "day")
        return _part(Span(monday, monday + 6 * _DAY, "week"), spec.part)
    if spec.unit == "month":
        first, last = month_days(today.year, today.month + spec.shift)
        if spec.day:
            if spec.day > last.day:
                return None
            return Span(first.replace(day=spec.day), first.replace(day=spec.day), "day")
        span = Span(first, last, "month")
    elif spec.unit == "quarter":
        begin = (today.month - 1) // 3 * 3 + 1 + 3 * spec.shift
        span = Span(
            month_days(today.year, begin)[0], month_days(today.year, begin + 2)[1], "quarter"
        )
    else:
        year = today.year + spec.shift
        span = Span(date(year, 1, 1), date(year, 12, 31), "year")
    if spec.part == "before":  # earlier this month
        return Span(span.first, today, "range")
    if spec.part == "after":
        return Span(today, span.last, "range")
    return _part(span, spec.part)


def _weekday(spec: Weekday, frame: Frame) -> Span | None:
    today = frame.today
    if spec.day == 7:
        return _weekend(spec, frame)
    if spec.date:
        span = (today + timedelta(days=away) for away in range(-_REACH, _REACH + 1))
        days = [day for day in span if (day.day, day.weekday()) == (spec.date, spec.day)]
        return Span(days[0], days[0], "day") if len(days) == 1 else None
    back = (today.weekday() - spec.day) % 7
    if spec.turn == "last":
        day = today - timedelta(days=back or 7)
    elif spec.turn == "next":
        if 7 - back <= 6 - today.weekday():
            return None  # in this week still: that one for some, the next week's for others
        day = today + timedelta(days=7 - back)
    elif spec.turn == "coming":
        day = today + timedelta(days=7 - back)
    elif frame.tense in ("past", "alone"):
        day = today - timedelta(days=back)
    elif frame.tense == "future":
        day = today + timedelta(days=(7 - back) % 7)
    else:
        return None
    return Span(day, day, "day")


def _weekend(spec: Weekday, frame: Frame) -> Span | None:
    today = frame.today
    saturday = today + timedelta(days=5 - today.weekday())
    if (spec.turn or frame.tense) == "past" and today.weekday() < 5:
        saturday -= timedelta(days=7)
    elif (spec.turn or frame.tense) not in ("past", "future"):
        return None
    return Span(saturday, saturday + _DAY, "range")


def _step(day: date, unit: str, number: float) -> date | None:
    """Go so many units from a day; a month's end stays within its month."""
    if unit in DAYS_OF:
        if unit == "day" and number != int(number):
            return None
        days = number * DAYS_OF[unit]
        return day + timedelta(days=int(days)) if days == int(days) else None
    if unit not in MONTHS_OF:
        return None
    months = number * MONTHS_OF[unit]
    if months != int(months):
        if abs(months) != 0.5:
            return None
        return day + timedelta(days=15 if months > 0 else -15)
    total = day.year * 12 + day.month - 1 + int(months)
    if not 12 <= total < 120_000:
        raise OverflowError(f"{number} {unit} from {day}")
    _, last = month_days(total // 12, total % 12 + 1)
    return last.replace(day=min(day.day, last.day))


def _count(spec: Count, frame: Frame) -> Span | None:
    start = frame.today
    if spec.anchor is not None:
        anchor = resolve(spec.anchor, frame)
        if anchor is None or anchor.first != anchor.last:
            return None
        start = anchor.first
    day = _step(start, spec.unit, spec.number * spec.sign)
    return Span(day, day, "day") if day else None


def _between(spec: Between, frame: Frame) -> Span | None:
    first, last = spec.first, spec.last
    begin = resolve(first, frame)
    if begin is None:
        return None
    if isinstance(last, Yearly) and last.year is None and last.shift is None and not last.turn:
        span = _in_year(last, begin.first.year)
        if span is None or span.first < begin.first:
            span = _in_year(last, begin.first.year + 1)
        if span and frame.tense not in ("past", "future") and not is_explicit(first):
            if begin.first <= frame.today <= span.last:
                return None  # the one that runs, or last year's
        elif span and frame.tense == "past" and span.first > frame.today:
            back = Frame(begin.first - _DAY, "past")
            return _between(spec, back)
    else:
        span = resolve(last, frame)
    if span is None or span.last < begin.first:
        return None
    return Span(begin.first, span.last, "range")


def _near(spec: Near, frame: Frame) -> Span | None:
    span = resolve(spec.what, frame)
    if span is None:
        return None
    if spec.weekday is None:
        if span.last - span.first > 6 * _DAY:
            return Span(*span[:2], "range")
        margin = timedelta(days=spec.days)
        return Span(span.first - margin, span.last + margin, "range")
    if span.first != span.last:
        return None
    if spec.weekday == 8:
        monday = span.first - timedelta(days=span.first.weekday())
        return Span(monday, monday + 6 * _DAY, "week")
    if spec.weekday == 7:
        return None
    step = spec.days  # before: -1, after: 1
    day = span.first + timedelta(days=step)
    while day.weekday() != spec.weekday:
        day += timedelta(days=step)
    return Span(day, day, "day")
