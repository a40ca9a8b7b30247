"""Errors and warnings name no key, name or value that may give something away."""

import json

import pytest

from memorycore.errors import InvalidInputError
from memorycore.exchange.candidate_line import read_candidate_lines
from memorycore.exchange.claim_lines import Row
from memorycore.exchange.claim_rules import read_claim, read_entity
from memorycore.exchange.predicate_file import read_predicates
from memorycore.exchange.reading import is_plain_key
from memorycore.model.candidate import Candidate, Quarantined

TOKEN = "gh" + "p_" + "a1B2" * 9
LOUD = [TOKEN, "x" * 41, "a b", "wick" + "@" + "moss.example.com", "<b>", "a-b", ""]
GOOD = {"predicate": "likes", "object": "tea", "external_id": "e1"}
ROW = {
    "record_type": "entity",
    "entity_type": "Work",
    "entity_id": "work:纸灯",
    "props": {"name": "纸灯"},
    "aliases": [],
    "tags": [],
    "confidence": 0.9,
}


def read_line(record: object) -> Candidate | Quarantined:
    raw = json.dumps(record).encode()
    [read] = read_candidate_lines([("f line 1", raw)], time_zone="UTC")
    return read


@pytest.mark.parametrize("key", ["note", "备注", "more_2"])
def test_a_plain_word_may_be_named(key: str) -> None:
    assert is_plain_key(key)
    read = read_line({**GOOD, key: 1})
    assert isinstance(read, Quarantined)
    assert f"unknown field {key};" in read.rejection.reason


@pytest.mark.parametrize("key", LOUD)
def test_another_key_is_not_named(key: str) -> None:
    read = read_line({**GOOD, key: 1})

    assert isinstance(read, Quarantined)
    assert read.rejection.reason.startswith("unknown field; known ones are predicate")


@pytest.mark.parametrize("key", LOUD)
def test_a_claim_stream_names_no_such_key(key: str) -> None:
    row = Row("s line 1", "", {**ROW, key: 1})

    assert read_entity(row, ()) is not None
    assert [(one.code, one.reason) for one in row.problems] == [("W4", "unknown key")]


@pytest.mark.parametrize("key", [TOKEN, TOKEN + "_x"])
def test_a_file_of_predicates_names_no_such_key(key: str) -> None:
    for text in (
        f"{key} = 1",
        f'[[predicate]]\nname = "x"\n{key} = 1',
        f'[[predicate]]\nname="{key}"',
    ):
        with pytest.raises(InvalidInputError) as caught:
            read_predicates(text, source="p.toml")
        assert TOKEN[:12] not in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        {"subject": " "}, {"subject": "\u200b"}, {"subject": {"name": "a\u0000b"}},
        {"object": {"name": "tea", "kind": "a b"}}, {"object": {"name": "tea", "kind": "k" * 65}},
        {"object": {"name": "tea", "aliases": ["\u001b[2J"]}}, {"object": "\u3164"},
        {"participants": ["\u2060"]}, {"ref": " "}, {"event_type": "\t"},
    ],
)  # fmt: skip
def test_a_name_that_is_none_is_quarantined(change: dict[str, object]) -> None:
    assert isinstance(read_line(GOOD), Candidate)
    assert isinstance(read_line(GOOD | change), Quarantined)


@pytest.mark.parametrize("body", ["\u200b", "纸\u0000灯", "x" * 501])
def test_a_name_in_an_entity_id_is_one(body: str) -> None:
    row = Row("s line 1", "", ROW | {"entity_id": f"work:{body}"})

    assert read_entity(row, ()) is None
    assert [one.code for one in row.problems] == ["E5"]


@pytest.mark.parametrize("body", ["\u200b", "纸\u001b灯"])
def test_a_name_in_a_claim_is_one(body: str) -> None:
    work = f"work:{body}"
    record = {
        "record_type": "claim",
        "claim_id": f"claim:FAVORITE_WORK|reading|agent:nil|{work}",
        "predicate": "FAVORITE_WORK",
        "subject": {"entity_type": "Agent", "entity_id": "agent:nil"},
        "object": {"entity_type": "Work", "entity_id": work},
        "domain": "reading",
        "confidence": 0.9,
        "status": "active",
        "rank": None,
        "updated_at": "2026-05-01T08:00:00+08:00",
        "evidence": [
            {
                "memory_item_id": "mem:h1",
                "point_id": "q-1",
                "conv_id": "k1",
                "scene_id": "harbour",
                "created_at": "2026-05-01T08:00:00+08:00",
                "text": "x",
            }
        ],
    }
    row = Row("s line 1", "", record)

    assert read_claim(row, strict=False) is not None
    assert [one.code for one in row.problems] == ["C6"]
