"""The days of feasts and the months of seasons, year by year, lunar ones from a table 1950-2050.

What differs between countries is left out, or taken where the name alone says which one is meant:
Mother's and Father's Day as in the US and China, Labour Day in English as in the US.
"""

import os
from collections.abc import Callable
from datetime import date, timedelta
from functools import cache

_LUNAR = ("spring", "qingming", "dragon", "qixi", "autumn", "ninth")
_FIXED = {
    "new_year": (1, 1),
    "valentine": (2, 14),
    "women": (3, 8),
    "patrick": (3, 17),
    "fools": (4, 1),
    "may_day": (5, 1),
    "children": (6, 1),
    "juneteenth": (6, 19),
    "july_4": (7, 4),
    "teachers": (9, 10),
    "national": (10, 1),
    "halloween": (10, 31),
    "singles": (11, 11),
    "double_12": (12, 12),
    "christmas_eve": (12, 24),
    "christmas": (12, 25),
    "boxing": (12, 26),
    "new_year_eve": (12, 31),
}
_PERIODS = {
    "national_week": ((10, 1), (10, 7)),
    "may_week": ((5, 1), (5, 5)),
    "summer_holidays": ((7, 1), (8, 31)),
    "summer_vacation": ((6, 1), (8, 31)),
}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}


def season_days(name: str, year: int) -> tuple[date, date]:
    """Give the first and the last day of a season; winter begins in December of its year."""
    month = _SEASONS[name]
    end = date(year + 1, 3, 1) if month == 12 else date(year, month + 3, 1)
    return date(year, month, 1), end - timedelta(days=1)


def feast_days(name: str, year: int) -> tuple[date, date] | None:
    """Give the first and the last day of a feast; ``None`` where it is not known or not held."""
    if name in _PERIODS:
        (month, day), (last_month, last_day) = _PERIODS[name]
        return date(year, month, day), date(year, last_month, last_day)
    if name == "winter_holidays":
        return date(year, 1, 1), date(year, 3, 1) - timedelta(days=1)
    day_of_it = _day(name, year)
    return (day_of_it, day_of_it) if day_of_it else None


def _day(name: str, year: int) -> date | None:
    if name in _FIXED:
        return date(year, *_FIXED[name])
    if name in _MOVING:
        return _MOVING[name](year)
    if name.startswith("new_moon_"):
        begin = _lunar().get(year, {}).get("spring")
        return begin and begin + timedelta(days=int(name[9:]) - 1)
    return _lunar().get(year, {}).get(name)


@cache
def _lunar() -> dict[int, dict[str, date]]:
    with open(os.path.join(os.path.dirname(__file__), "lunar_days.txt"), encoding="utf-8") as file:
        lines = [line.split() for line in file if not line.startswith("#")]
    return {
        int(line[0]): {
            name: date(int(line[0]), int(day[:2]), int(day[2:]))
            for name, day in zip(_LUNAR, line[1:], strict=True)
        }
        for line in lines
    }


def _easter(year: int) -> date:
    """Give the western Easter Sunday (the Gregorian computus)."""
    golden, century = year % 19, year // 100
    skipped = century - century // 4 - (8 * century + 13) // 25
    moon = (19 * golden + skipped + 15) % 30
    moon -= (moon // 28) * (1 - (29 // (moon + 1)) * ((21 - golden) // 11))
    weekday = (year + year // 4 + moon + 2 - century + century // 4) % 7
    offset = moon - weekday
    month = 3 + (offset + 40) // 44
    return date(year, month, offset + 28 - 31 * (month // 4))


def _nth(month: int, weekday: int, number: int) -> Callable[[int], date]:
    """Find the number-th such weekday of a month, Monday being 0."""

    def find(year: int) -> date:
        first = date(year, month, 1)
        return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (number - 1))

    return find


def _memorial(year: int) -> date:
    last = date(year, 5, 31)
    return last - timedelta(days=last.weekday())


_MOVING: dict[str, Callable[[int], date]] = {
    "easter": _easter,
    "good_friday": lambda year: _easter(year) - timedelta(days=2),
    "easter_monday": lambda year: _easter(year) + timedelta(days=1),
    "mothers": _nth(5, 6, 2),
    "fathers": _nth(6, 6, 3),
    "memorial": _memorial,
    "labor": _nth(9, 0, 1),
    "thanksgiving": _nth(11, 3, 4),
    "black_friday": lambda year: _nth(11, 3, 4)(year) + timedelta(days=1),
}
