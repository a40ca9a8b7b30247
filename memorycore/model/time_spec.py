"""What a time phrase names, in the terms it was said in: a month, "last week", "three days ago"."""

from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, TypeAlias


class Span(NamedTuple):
    """Whole days, the last one included, and how precise they are."""

    first: date
    last: date
    precision: str


@dataclass(frozen=True, slots=True)
class Fixed:
    """Days that are known without a reference."""

    span: Span | None


@dataclass(frozen=True, slots=True)
class Yearly:
    """A year, or what comes once in each: a month, date, season, quarter, half or feast.

    ``year`` is a number, ``shift`` counts years from the reference's; ``turn`` is last, this or
    next. ``number`` is the month, quarter or half; ``day`` to ``to`` are days of the month.
    ``weekday`` (Monday 0) is what the day must be.
    """

    kind: str
    number: int = 0
    day: int = 0
    to: int = 0
    name: str = ""
    year: int | None = None
    shift: int | None = None
    turn: str = ""
    part: str = ""
    weekday: int | None = None


@dataclass(frozen=True, slots=True)
class Unit:
    """A day, week, weekend, month, quarter or year counted from the reference's own.

    ``day`` is the day of that month, or the weekday of that week, Monday being 1.
    """

    unit: str
    shift: int
    day: int = 0
    part: str = ""


@dataclass(frozen=True, slots=True)
class Weekday:
    """A weekday (Monday 0), or with 7 a weekend; ``turn`` is last, next, coming or empty.

    ``date`` is the day of the month that it is.
    """

    day: int
    turn: str = ""
    date: int = 0


@dataclass(frozen=True, slots=True)
class Count:
    """So many days or months (halves allowed) before or after the reference or an anchor."""

    unit: str
    number: float
    sign: int
    anchor: "Spec | None" = None


@dataclass(frozen=True, slots=True)
class Window:
    """The last or next so many units, with the reference's day in it."""

    unit: str
    number: float
    sign: int


@dataclass(frozen=True, slots=True)
class Between:
    """From the first day of one to the last day of another."""

    first: "Spec"
    last: "Spec"


@dataclass(frozen=True, slots=True)
class Near:
    """The days around something, or (``weekday``) what lies next to it."""

    what: "Spec"
    days: int = 0
    weekday: int | None = None


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day; it belongs to a day beside it and is none without one.

    ``part`` is the part of the day that was named, ``exact`` that the hour needs none.
    """

    hour: int | None = None
    minute: int = 0
    part: str = ""
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Vague:
    """What names a time and cannot be placed."""


Spec: TypeAlias = Fixed | Yearly | Unit | Weekday | Count | Window | Between | Near | Clock | Vague


def is_explicit(spec: Spec) -> bool:
    """Say whether a reference adds nothing to what a phrase names."""
    match spec:
        case Fixed():
            return True
        case Yearly():
            return spec.year is not None
        case Between():
            return is_explicit(spec.first) and is_explicit(spec.last)
        case Near():
            return is_explicit(spec.what)
        case Count():
            return spec.anchor is not None and is_explicit(spec.anchor)
        case _:
            return False
