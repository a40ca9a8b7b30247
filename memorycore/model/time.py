"""Canonical times: microseconds UTC, half-open periods, and what was known about them.

An instant is an ``int``. A text such as ``2024-09`` is a period with a precision; the zone it was
given in is kept for display. What is not known stays ``None``: no time is ever filled from today.
"""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo

from memorycore.errors import InvalidTimeError

MICROSECONDS = 1_000_000
DAY = 86_400 * MICROSECONDS

FIRST = -62135596800 * MICROSECONDS
LAST = 253402300800 * MICROSECONDS
"""The years 1 to 9999 in UTC, half-open: what can be written as ISO 8601."""

_MICROSECOND = timedelta(microseconds=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_YEAR = r"([0-9]{4})\Z"
_MONTH = r"([0-9]{4})-([0-9]{2})\Z"
_AGO = r"-([0-9]{1,5})(h|d|w|mo|y)\Z"
_OFFSET = r"[+-]([01]\d|2[0-3]):[0-5]\d\Z"
_HINT = "an ISO date or time such as 2024-09, 2024-09-15 or 2024-09-15T08:30:00+02:00"


@dataclass(frozen=True, slots=True)
class Moment:
    """A time as it was given: a half-open period, how precise it is, and its zone.

    ``from_`` and ``to`` are microseconds UTC; for an instant ``to`` is one microsecond later.
    ``zone`` is an offset such as ``+08:00`` or a name such as ``Asia/Shanghai``.
    """

    from_: int
    to: int
    precision: str
    zone: str


def parse_moment(text: str, *, zone: str = "UTC") -> Moment:
    """Read an ISO 8601 date or time of any precision.

    ``zone`` is used where the text has no offset of its own.

    Raises:
        InvalidTimeError: it is no such time; nothing is guessed.
    """
    given = text.strip()
    try:
        has_clock = ":" in given or "T" in given
        moment = None if has_clock else _parse_period(given, zone)
        moment = moment or _parse_instant(given, zone)
        if not FIRST <= moment.from_ < moment.to <= LAST:
            raise OverflowError("or a day that its zone left out")
        return moment
    except OverflowError as error:
        raise InvalidTimeError(f"{given[:40]!r} lies outside the years 1 to 9999.") from error
    except ValueError as error:
        raise InvalidTimeError(f"{given[:40]!r} is not a time I will guess.", hint=_HINT) from error


def parse_bound(text: str, *, now: int, zone: str = "UTC") -> Moment:
    """Read a time of a question: what ``parse_moment`` takes, ``now``, or ``-3d`` (h, d, w, mo, y).

    Raises:
        InvalidTimeError: it is none of these.
    """
    given = text.strip()
    if given == "now":
        return Moment(now, now + 1, "instant", zone)
    if match := re.match(_AGO, given):
        try:
            instant = _before(now, int(match[1]), match[2])
        except (ValueError, OverflowError) as error:
            raise InvalidTimeError(f"{given!r} lies before the first year.") from error
        return Moment(instant, instant + 1, "instant", zone)
    return parse_moment(given, zone=zone)


def _before(now: int, count: int, unit: str) -> int:
    if unit in ("h", "d", "w"):
        return now - count * {"h": DAY // 24, "d": DAY, "w": 7 * DAY}[unit]
    from dateutil.relativedelta import relativedelta

    step = relativedelta(months=count) if unit == "mo" else relativedelta(years=count)
    return to_microseconds(from_microseconds(now) - step)


def _parse_period(text: str, zone: str) -> Moment | None:
    """Read a date of year, month, week or day precision; ``None`` if it is none."""
    if match := re.match(_YEAR, text):
        year = int(match[1])
        return _period(date(year, 1, 1), _next_year(year), "year", zone)
    if match := re.match(_MONTH, text):
        start = date(int(match[1]), int(match[2]), 1)
        after = start.replace(day=28) + timedelta(days=4)
        return _period(start, after.replace(day=1), "month", zone)
    if " " in text:
        return None
    start = date.fromisoformat(text)
    if "W" in text and len(text.replace("-", "")) == len("2024W05"):
        return _period(start, start + timedelta(days=7), "week", zone)
    return _period(start, start + timedelta(days=1), "day", zone)


def _next_year(year: int) -> date:
    return date(year + 1, 1, 1)


def _period(start: date, end: date, precision: str, zone: str) -> Moment:
    where = load_zone(zone)
    return Moment(
        to_microseconds(datetime(start.year, start.month, start.day, tzinfo=where)),
        to_microseconds(datetime(end.year, end.month, end.day, tzinfo=where)),
        precision,
        zone,
    )


def _parse_instant(text: str, zone: str) -> Moment:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        from dateutil.parser import isoparse

        moment = isoparse(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=load_zone(zone))
    else:
        zone = _offset_text(text, moment)
    instant = to_microseconds(moment)
    return Moment(instant, instant + 1, "instant", zone)


def _offset_text(text: str, moment: datetime) -> str:
    if text[-6:-5] == "+" and text[-3:-2] == ":":
        return text[-6:]  # as it stands in nearly all
    offset = moment.utcoffset() or timedelta()
    minutes = round(offset.total_seconds() / 60)
    sign = "-" if minutes < 0 else "+"
    return f"{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def load_zone(name: str) -> tzinfo:
    """Find a time zone by its IANA name, ``UTC``, or an offset such as ``+08:00``.

    Raises:
        InvalidTimeError: there is no such zone.
    """
    if name == "UTC":
        return UTC
    if re.match(_OFFSET, name):
        sign = -1 if name[0] == "-" else 1
        return timezone(sign * timedelta(hours=int(name[1:3]), minutes=int(name[4:6])))
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise InvalidTimeError(
            f"{name[:40]!r} is not a time zone.", hint="Europe/Berlin, Asia/Shanghai, UTC or +08:00"
        ) from error


def to_microseconds(moment: datetime) -> int:
    """Give the microseconds UTC of a zoned datetime, exactly (no float on the way)."""
    return (moment - _EPOCH) // _MICROSECOND


def from_microseconds(instant: int) -> datetime:
    """Give the datetime in UTC of an instant."""
    return _EPOCH + timedelta(microseconds=instant)


def local_time(instant: int, zone: str) -> datetime:
    """Give the datetime of an instant in a zone, or in UTC where the zone's calendar has no such.

    The end of the last year is the last microsecond before it.
    """
    moment = from_microseconds(min(instant, LAST - 1))
    try:
        return moment.astimezone(load_zone(zone))
    except OverflowError:  # the year 0 or 10000 there
        return moment


def format_instant(instant: int, zone: str | None = None) -> str:
    """Write an instant as ISO 8601 in a zone (UTC with a Z when none is given)."""
    moment = local_time(instant, zone or "UTC")
    if moment.tzinfo is UTC and zone in (None, "UTC"):
        return moment.replace(tzinfo=None).isoformat() + "Z"
    return moment.isoformat()


def format_moment(from_: int | None, precision: str, zone: str | None) -> str | None:
    """Write a stored time with just the precision that is known; ``None`` when none is."""
    if from_ is None or precision == "unknown":
        return None
    if precision in ("instant", "range"):
        return format_instant(from_, zone)
    local = local_time(from_, zone or "UTC")
    if precision == "year":
        return f"{local.year:04d}"
    if precision == "month":
        return f"{local.year:04d}-{local.month:02d}"
    if precision == "week":
        year, week, _ = local.isocalendar()
        return f"{year:04d}-W{week:02d}"
    return local.date().isoformat()
