"""The first and the last day of the calendar are shown, also where a zone has none of them."""

import io

import pytest

from memorycore import Memory
from memorycore.model.history import end_of
from memorycore.model.time import FIRST, LAST, format_instant, format_moment

EDGES = [
    ("Asia/Kolkata", "9999-12-31T23:00:00Z"),
    ("America/New_York", "0001-01-01T01:00:00Z"),
    ("-12:00", "0001-01-01T00:00:00Z"),
    ("+14:00", "9999-12-31T23:59:59.999999Z"),
]


@pytest.mark.parametrize(("zone", "instant"), EDGES)
def test_a_fact_at_the_edge_of_time_can_be_read_by_every_door(
    store_path: str, zone: str, instant: str
) -> None:
    with Memory.open(store_path, scope="user:ana", create=True, time_zone=zone) as memory:
        memory.remember("I like tea.", predicate="likes", object="tea", valid_from=instant)
        [fact] = memory.facts(include=["past", "upcoming"])

        assert fact.to_dict()
        assert instant[:4] in fact.when
        assert memory.subject("user:ana").to_dict()
        assert memory.explain(fact.id).to_dict()
        assert memory.export_subject("user:ana", io.BytesIO())
        assert memory.history(fact.id)


@pytest.mark.parametrize("precision", ["instant", "day", "week", "month", "quarter", "year"])
@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata", "America/New_York", "+14:00", "-12:00"])
@pytest.mark.parametrize("instant", [FIRST, LAST - 1, LAST])
def test_any_instant_can_be_written_in_any_zone(instant: int, zone: str, precision: str) -> None:
    year = "0001" if instant == FIRST else "9999"

    assert format_instant(instant, zone).startswith(year)
    assert str(format_moment(instant, precision, zone)).startswith((year, "10000", "0000"))
    assert end_of(instant, precision, zone) >= instant
