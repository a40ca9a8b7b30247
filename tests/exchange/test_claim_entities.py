"""Tests of the rules that one entity row must keep by itself (E1-E9, W4, W5)."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from memorycore.exchange.claims import read_claims


def entity(id_: str, **change: Any) -> dict[str, Any]:
    prefix, _, body = id_.partition(":")
    return {
        "record_type": "entity",
        "entity_type": prefix.capitalize(),
        "entity_id": id_,
        "props": {"name": body},
        "aliases": [],
        "tags": [],
        "confidence": 0.9,
    } | change


WORK = entity("work:雾港来信")


def codes(record: dict[str, Any], *, offered_tags: Sequence[str] = ()) -> set[tuple[str, str]]:
    problems = read_claims(
        json.dumps(record).encode(),
        source="s.jsonl",
        items=lambda _: [],
        known=lambda _: [],
        offered_tags=offered_tags,
        strict=True,
    ).problems
    return {(problem.code, problem.severity) for problem in problems}


def without(record: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name != key}


@pytest.mark.parametrize(
    "record",
    [
        WORK,
        entity("author:林拾"),
        entity("agent:nil"),
        entity("user:harbour:nil:2", props={"display": "nil"}),
        entity("chapter:雾港来信#第三章", props={"title": "第三章"}),
        entity("chapter:UNKNOWN#第三章"),
        entity("topic:比较文学"),
        entity("tag:写作技巧"),
        entity("tag:啰嗦", confidence=1),
        entity("work:The Salt Map", props={"title": "The Salt Map", "year": 2001}),
    ],
)
def test_a_good_entity_row_breaks_no_rule(record: dict[str, Any]) -> None:
    assert codes(record) == set()


@pytest.mark.parametrize("key", ["entity_type", "entity_id", "props", "aliases", "tags"])
def test_a_missing_key_of_an_entity_breaks_e1(key: str) -> None:
    assert codes(without(WORK, key)) == {("E1", "reject")}


@pytest.mark.parametrize(
    "change",
    [
        {"props": []},
        {"props": None},
        {"aliases": "x"},
        {"aliases": [1]},
        {"tags": None},
        {"tags": {}},
        {"confidence": True},
        {"confidence": "0.9"},
        {"confidence": 1.01},
        {"confidence": -0.1},
        {"confidence": 10**400},
        {"confidence": None},
    ],
)
def test_a_field_of_an_entity_of_another_type_breaks_e2(change: dict[str, Any]) -> None:
    assert codes(WORK | change) == {("E2", "reject")}


@pytest.mark.parametrize("kind", ["Book", "work", "", None, 5])
def test_another_entity_type_breaks_e3(kind: Any) -> None:
    assert codes(WORK | {"entity_type": kind}) == {("E3", "reject")}


@pytest.mark.parametrize("id_", ["author:雾港来信", "雾港来信", "Work:雾港来信", "work", "", 5])
def test_an_id_with_another_prefix_breaks_e4(id_: Any) -> None:
    assert codes(WORK | {"entity_id": id_}) == {("E4", "reject")}


@pytest.mark.parametrize(
    "body", ["", "《雾港来信》", "雾“港”", '"雾港"', " 雾港", "雾港 ", "雾  港", "雾港\n"]
)
def test_a_body_that_is_not_bare_breaks_e5(body: str) -> None:
    assert codes(WORK | {"entity_id": f"work:{body}"}) == {("E5", "reject")}


@pytest.mark.parametrize("body", ["第三章", "雾港来信#", "#第三章", "雾港来信#三#四", "#"])
def test_a_chapter_without_both_sides_breaks_e6(body: str) -> None:
    assert codes(entity(f"chapter:{body}")) == {("E6", "reject")}


@pytest.mark.parametrize("props", [{}, {"born": "1902"}, {"name": ""}, {"title": " "}, {"name": 5}])
def test_an_entity_without_a_readable_name_breaks_e7(props: dict[str, Any]) -> None:
    assert codes(WORK | {"props": props}) == {("E7", "reject")}


@pytest.mark.parametrize("body", ["读起来啰嗦", "讀起來囉嗦", "写作不够诚实", "觉得"])
def test_a_tag_with_context_in_its_id_or_name_breaks_e8(body: str) -> None:
    assert codes(entity(f"tag:{body}")) == {("E8", "reject")}
    assert codes(entity("tag:啰嗦", props={"name": body})) == {("E8", "reject")}
    assert codes(entity(f"topic:{body}")) == set()


@pytest.mark.parametrize("body", ["Slow Burn", "slowburn", "ｓｌｏｗ burn"])
def test_a_tag_with_the_key_of_an_offered_one_but_another_id_breaks_e9(body: str) -> None:
    assert codes(entity(f"tag:{body}"), offered_tags=["tag:slow burn"]) == {("E9", "reject")}


@pytest.mark.parametrize("body", ["不夠有趣", "不够太有趣", "够有趣"])
def test_a_new_tag_much_like_an_offered_one_warns_w5(body: str) -> None:
    assert codes(entity(f"tag:{body}"), offered_tags=["tag:不够有趣"]) == {("W5", "warn")}


@pytest.mark.parametrize("body", ["不够有趣", "啰嗦"])
def test_an_offered_tag_or_a_quite_new_one_is_fine(body: str) -> None:
    assert codes(entity(f"tag:{body}"), offered_tags=["tag:不够有趣"]) == set()


def test_an_unknown_key_of_an_entity_is_taken_with_a_warning_w4() -> None:
    assert codes(WORK | {"note": 1}) == {("W4", "warn")}
    assert codes(WORK | {"props": {"title": "雾港来信", "year": 1999}}) == set()
