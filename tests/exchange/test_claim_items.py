"""Tests of the memory export that claims are drawn from (I1-I5)."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorycore.exchange.claim_items import Item, read_items
from memorycore.model.candidate import Problem

PAYLOAD = {
    "scene_id": "harbour",
    "character_id": "nil",
    "conv_id": "k1",
    "user_id": "harbour:nil",
    "agent_id": "nil",
    "data": "最喜欢的小说是《雾港来信》",
    "hash": "h1",
    "created_at": "2026-05-01T08:00:00+08:00",
}
LINE = {"id": "q-1", "payload": PAYLOAD, "exported_at": "2026-05-09T00:00:00Z", "other": 1}


def line(said: dict[str, Any] | None = None, **change: Any) -> bytes:
    record = LINE | {"payload": PAYLOAD | (said or {})} | change
    return json.dumps({k: v for k, v in record.items() if v != "DROP"}).encode()


def read(*lines: bytes, **given_: str) -> tuple[list[Item], list[Problem]]:
    places = ((f"export line {number}", raw) for number, raw in enumerate(lines, 1))
    return read_items(places, given=given_)


def codes(*lines: bytes, **given_: str) -> list[tuple[str, str]]:
    return [(problem.code, problem.severity) for problem in read(*lines, **given_)[1]]


def test_a_line_of_the_export_becomes_an_item() -> None:
    items, problems = read(line() + b"\r\n")

    assert problems == []
    assert items == [
        Item("q-1", "mem:h1", "harbour", "k1", PAYLOAD["created_at"], "2026-05-09T00:00:00Z",
             PAYLOAD["data"])
    ]  # fmt: skip
    assert items[0].place == "export line 1"


@pytest.mark.parametrize("raw", [b"", b"\n", b"[]", b"7", b"{", b"\xff", b'{"a": NaN}'])
def test_a_line_that_is_no_object_breaks_i1(raw: bytes) -> None:
    items, problems = read(raw, line())

    assert [(problem.place, problem.code) for problem in problems] == [("export line 1", "I1")]
    assert len(items) == 1


@pytest.mark.parametrize("id_", ["", 7, None, "DROP"])
def test_an_id_that_is_no_text_breaks_i2(id_: object) -> None:
    assert codes(line(id=id_)) == [("I2", "reject")]


@pytest.mark.parametrize("key", [key for key in PAYLOAD if key != "created_at"])
@pytest.mark.parametrize("value", ["", None, 5])
def test_a_field_of_the_payload_that_is_empty_breaks_i3(key: str, value: object) -> None:
    assert codes(line({key: value})) == [("I3", "reject")]


@pytest.mark.parametrize("created", ["yesterday", 5, ""])
def test_a_time_in_another_form_breaks_i3(created: object) -> None:
    assert codes(line({"created_at": created})) == [("I3", "reject")]


@pytest.mark.parametrize("change", [{"payload": "DROP"}, {"payload": None}, {"payload": "x"}])
def test_no_payload_breaks_i3(change: dict[str, object]) -> None:
    assert codes(line(**change)) == [("I3", "reject")]


def test_without_a_creation_time_the_export_time_must_do() -> None:
    items, problems = read(line({"created_at": None}))

    assert problems == []
    assert items[0].created_at is None
    assert codes(line({"created_at": None}, exported_at="soon")) == [("I3", "reject")]
    assert codes(line({"created_at": None}, exported_at="DROP")) == []
    assert codes(line(exported_at="soon")) == []


def test_an_item_of_another_scene_than_was_given_breaks_i4() -> None:
    assert codes(line(), scene_id="harbour", agent_id="nil") == []
    assert codes(line(), scene_id="garden") == [("I4", "reject")]


def test_one_hash_with_different_data_breaks_i5_for_both() -> None:
    one, other = line(), line({"data": "别的"}, id="q-2")

    assert codes(one, other) == [("I5", "reject")] * 2
    assert read(one, other)[0] == []


def test_a_memory_under_two_points_is_known_by_both() -> None:
    items, problems = read(line(), line(id="q-2"), line())

    assert [item.point_id for item in items] == ["q-1", "q-2"]
    assert [(problem.code, problem.severity) for problem in problems] == [("I5", "merge")] * 2


def test_no_reason_shows_content() -> None:
    broken = [b'{"MARK', line({"created_at": "MARK"}), line({"data": ["MARK"]}), line(id=["MARK"])]

    assert not any("MARK" in problem.reason for problem in read(*broken)[1])


@given(raw=st.binary(max_size=40))
def test_any_bytes_are_an_item_or_a_problem(raw: bytes) -> None:
    items, problems = read(raw, line())

    assert len(items) + len(problems) == 2
