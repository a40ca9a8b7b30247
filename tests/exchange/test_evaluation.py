"""Tests of the shapes of evaluation sets."""

from typing import Any

import pytest

from memorycore.errors import InvalidInputError
from memorycore.exchange.evaluation import (
    read_locomo_sample,
    read_uniform_episode,
    read_uniform_query,
)
from memorycore.model.draft import Draft
from memorycore.model.measure import Question
from memorycore.model.time import parse_moment

TURN = {
    "id": "t1",
    "scope": "u",
    "text": "去了里斯本",
    "session": "s",
    "speaker": "Ana",
    "time": "2024-05-01",
}
QUERY = {"id": "q1", "scope": "u", "text": "去哪了", "category": "single", "evidence": ["t1"]}


def sample(**change: Any) -> dict[str, Any]:
    return {
        "sample_id": "c1",
        "conversation": {
            "session_2": [{"speaker": "B", "dia_id": "D2:1", "text": "later"}],
            "session_1": [
                {"speaker": "A", "dia_id": "D1:1", "text": "first"},
                {"speaker": "B", "dia_id": "D1:2", "text": " "},
            ],
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "speaker_a": "A",
        },
        "qa": [
            {"question": "when?", "category": 2, "evidence": ["D1:1; D2:1"]},
            {"question": "trick?", "category": 5, "evidence": ["D1:1"]},
            {"question": "none?", "category": 1, "evidence": ["D9:9"]},
            {"question": "never?", "category": 1},
        ],
    } | change


def test_a_uniform_turn_is_a_draft_with_its_id_outside() -> None:
    assert read_uniform_episode(TURN, place="e line 1") == Draft(
        "去了里斯本", scope="u", session="s", speaker="Ana",
        occurred=parse_moment("2024-05-01"), external_id="t1", place="e line 1",
    )  # fmt: skip


def test_an_empty_speaker_is_none() -> None:
    assert read_uniform_episode(TURN | {"speaker": ""}, place="").speaker is None


def test_a_uniform_query_names_its_evidence() -> None:
    assert read_uniform_query(QUERY) == Question("q1", "u", "去哪了", "single", ("t1",))


@pytest.mark.parametrize(
    "change", [{"id": 1}, {"text": None}, {"time": "MARK"}, {"scope": ["MARK"]}, {"session": 5}]
)
def test_a_wrong_turn_is_refused_without_its_content(change: dict[str, Any]) -> None:
    with pytest.raises(InvalidInputError) as caught:
        read_uniform_episode(TURN | change, place="")

    assert "MARK" not in caught.value.message


@pytest.mark.parametrize("change", [{"evidence": []}, {"evidence": "MARK"}, {"category": 5}])
def test_a_wrong_query_is_refused_without_its_content(change: dict[str, Any]) -> None:
    with pytest.raises(InvalidInputError) as caught:
        read_uniform_query(QUERY | change)

    assert "MARK" not in caught.value.message


def test_a_dialogue_is_read_in_the_order_of_its_sessions() -> None:
    drafts, _ = read_locomo_sample(sample())

    assert [(draft.external_id, draft.session) for draft in drafts] == [
        ("c1/D1:1", "c1/S1"), ("c1/D2:1", "c1/S2"),
    ]  # fmt: skip


def test_only_questions_with_evidence_that_is_there_are_asked() -> None:
    _, questions = read_locomo_sample(sample())

    assert questions == [Question("c1/q0", "c1", "when?", "temporal", ("c1/D1:1", "c1/D2:1"))]


@pytest.mark.parametrize(
    "change",
    [
        {"sample_id": 1}, {"qa": "MARK"}, {"conversation": ["MARK"]},
        {"conversation": {"session_1": "MARK"}},
        {"conversation": {"session_1": [{"text": "MARK"}]}},
    ],
)  # fmt: skip
def test_a_wrong_dialogue_is_refused_without_its_content(change: dict[str, Any]) -> None:
    with pytest.raises(InvalidInputError) as caught:
        read_locomo_sample(sample(**change))

    assert "MARK" not in caught.value.message
