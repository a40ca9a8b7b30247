"""Feasts and seasons, against known days."""

from datetime import date, timedelta
from itertools import pairwise

import pytest

from memorycore.model.almanac import feast_days, season_days

LUNAR = ("spring", "dragon", "qixi", "autumn", "ninth")


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("spring", "2024-02-10"),
        ("spring", "2023-01-22"),
        ("new_moon_0", "2025-01-28"),
        ("new_moon_15", "2024-02-24"),
        ("dragon", "2023-06-22"),
        ("autumn", "1978-09-17"),
        ("autumn", "2025-10-06"),
        ("qixi", "2024-08-10"),
        ("ninth", "2024-10-11"),
        ("qingming", "2024-04-04"),
        ("qingming", "2023-04-05"),
        ("easter", "2024-03-31"),
        ("easter", "1981-04-19"),
        ("easter", "1954-04-18"),
        ("easter", "2038-04-25"),
        ("easter", "2285-03-22"),
        ("good_friday", "2023-04-07"),
        ("thanksgiving", "2024-11-28"),
        ("labor", "2025-09-01"),
        ("memorial", "2024-05-27"),
        ("mothers", "2024-05-12"),
        ("christmas", "2024-12-25"),
    ],
)
def test_a_feast_is_on_its_day(name: str, day: str) -> None:
    expected = date.fromisoformat(day)
    assert feast_days(name, expected.year) == (expected, expected)


def test_lunar_feasts_lie_where_moons_can_put_them() -> None:
    for year in range(1950, 2051):
        days = []
        for name in LUNAR:
            found = feast_days(name, year)
            assert found is not None
            days.append(found[0])
        assert date(year, 1, 21) <= days[0] <= date(year, 2, 21)
        gaps = [(later - first).days for first, later in pairwise(days)]
        for gap, least in zip(gaps, (120, 60, 36, 22), strict=True):
            assert least <= gap <= least + 34  # a leap month may lie between


def test_easter_is_a_sunday_in_spring() -> None:
    for year in range(1583, 4000):
        found = feast_days("easter", year)
        assert found is not None
        assert found[0].weekday() == 6
        assert date(year, 3, 22) <= found[0] <= date(year, 4, 25)


def test_beyond_the_table_a_lunar_feast_is_not_known() -> None:
    assert feast_days("spring", 1949) is None
    assert feast_days("new_moon_3", 2051) is None
    assert feast_days("no such feast", 2024) is None


def test_seasons_follow_one_another_and_winter_ends_in_the_next_year() -> None:
    names = ("spring", "summer", "autumn", "winter")
    for year in (2023, 2024):
        spans = [season_days(name, year) for name in names]
        for before, after in pairwise(spans):
            assert after[0] - before[1] == timedelta(days=1)
    assert season_days("winter", 2023) == (date(2023, 12, 1), date(2024, 2, 29))
