"""Tests of Mem0's point dump, shape MX-1."""

import json
from typing import Any

import pytest

from memorycore.errors import InvalidInputError
from memorycore.exchange.mem0 import hash_of, read_point
from memorycore.model.draft import Draft
from memorycore.model.time import parse_moment

PAYLOAD = {
    "scene_id": "tea_room",
    "character_id": "mira",
    "conv_id": "c7",
    "user_id": "tea_room:mira",
    "data": "喜欢乌龙茶 🍵",
    "hash": "aa01",
    "created_at": "2026-03-01T09:00:00+08:00",
}
POINT = {
    "id": "p-1",
    "payload": PAYLOAD,
    "collection": "demo_global",
    "isolation": "global",
    "exported_at": "2026-03-09T00:00:00Z",
}


def read(point: Any) -> Draft:
    return read_point(point, time_zone="UTC", place="d line 1", source="d")


def payload(**change: Any) -> dict[str, Any]:
    return POINT | {"payload": PAYLOAD | change}


def test_a_point_becomes_a_document_of_its_conversation() -> None:
    draft = read(POINT)

    assert (draft.text, draft.role) == ("喜欢乌龙茶 🍵", "document")
    assert (draft.session, draft.source, draft.place) == ("c7", "d", "d line 1")
    assert draft.external_id == "mem:aa01"
    assert draft.occurred == parse_moment("2026-03-01T09:00:00+08:00")


def test_other_keys_of_point_and_payload_are_kept_as_metadata() -> None:
    assert json.loads(read(POINT).meta or "") == {
        "payload": {
            "scene_id": "tea_room",
            "character_id": "mira",
            "user_id": "tea_room:mira",
        },
        "point": {
            "id": "p-1",
            "collection": "demo_global",
            "isolation": "global",
            "exported_at": "2026-03-09T00:00:00Z",
        },
    }


@pytest.mark.parametrize("change", [{"created_at": None}, {}])
def test_a_missing_creation_time_stays_unknown(change: dict[str, Any]) -> None:
    without = {key: value for key, value in PAYLOAD.items() if key != "created_at"}

    draft = read(POINT | {"payload": without | change})

    assert draft.occurred is None
    assert json.loads(draft.meta or "")["point"]["exported_at"] == "2026-03-09T00:00:00Z"


@pytest.mark.parametrize("hash_", [None, ""])
def test_a_point_without_a_hash_is_known_by_that_of_its_text(hash_: str | None) -> None:
    assert read(payload(data="x", hash=hash_)).external_id == f"mem:{hash_of('x')}"


def test_a_number_may_be_the_id_of_a_point() -> None:
    draft = read({"id": 42, "payload": {"data": "x"}})

    assert json.loads(draft.meta or "") == {"point": {"id": 42}}


def test_an_empty_conversation_is_none() -> None:
    assert read(payload(conv_id="")).session is None


def test_empty_data_is_left_to_the_admission_of_texts() -> None:
    assert read(payload(data="")).text == ""


def test_a_null_payload_holds_no_memory() -> None:
    with pytest.raises(InvalidInputError, match="payload is null"):
        read(POINT | {"payload": None})


@pytest.mark.parametrize(
    ("point", "said"),
    [
        (payload(data=5), "payload.data: "),
        (payload(data=None), "payload.data: "),
        (payload(hash=5), "payload.hash: "),
        (payload(created_at=1772326800), "payload.created_at: "),
        (payload(created_at="MARK"), "ISO 8601"),
        (payload(note="MARK\ud83d"), "meta holds something"),
        (POINT | {"payload": "MARK"}, "payload must be"),
        (POINT | {"payload": {"hash": "MARK"}}, "the field payload.data is missing"),
        ({"payload": PAYLOAD}, "the field id is missing"),
        ({"id": "MARK"}, "the field payload is missing"),
        (POINT | {"id": 1.5}, "id"),
        (["MARK"], "the record must be"),
        ("MARK", "the record must be"),
    ],
)
def test_a_wrong_point_is_refused_without_its_content(point: Any, said: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        read(point)

    assert said in caught.value.message
    assert "MARK" not in caught.value.message


@pytest.mark.parametrize(
    "key",
    [
        "isolation",
        pytest.param("point"),
    ],
)
def test_a_key_that_stands_twice_loses_no_value(key: str) -> None:
    point = payload(**{key: "of the payload"}) | {key: "of the point"}

    kept = read(point).meta or ""

    assert "of the payload" in kept
    assert "of the point" in kept
