"""Tests of packets as lines: what goes out, and that only an unchanged packet comes back."""

import json
from typing import Any

import jsonschema
import pytest

from memorycore.errors import InvalidInputError
from memorycore.exchange.packet_line import read_answer_line, write_packet_line
from memorycore.model.heard import Heard
from memorycore.model.packet import Offered, Packet
from memorycore.model.predicate import Predicate

EPISODES = [f"ep_{number:026d}" for number in range(12)]
FACT = "fct_" + "0" * 26
PACKET = Packet(
    tuple(Heard(one, f"第{n}句 I like tea.") for n, one in enumerate(EPISODES)),
    facts=(Offered("f0", "Ana likes coffee", FACT),),
    predicates=(Predicate("likes"),),
    observation_date="2022-01-16",
    language="zh",
)
MESSAGES = [{"role": "user", "content": "…"}]
LINE = write_packet_line(PACKET, scope="user:ana", messages=MESSAGES)
ANSWER: dict[str, Any] = {"candidates": []}


def back(**change: Any) -> dict[str, Any]:
    return {"packet": LINE["packet"], "answer": ANSWER} | change


def test_a_line_says_what_its_numbers_mean_and_how_to_answer() -> None:
    assert list(LINE) == ["packet", "language", "observation_date", "messages", "response_schema"]
    assert LINE["packet"]["turns"]["m12"] == EPISODES[11]
    assert LINE["packet"]["facts"] == {"f0": FACT}
    assert (LINE["language"], LINE["observation_date"]) == ("zh", "2022-01-16")
    jsonschema.validate(ANSWER, LINE["response_schema"])


def test_the_part_that_comes_back_holds_no_words() -> None:
    assert "tea" not in json.dumps(LINE["packet"])
    assert "coffee" not in json.dumps(LINE["packet"])


def test_a_packet_is_read_back_whatever_became_of_the_order_of_its_keys() -> None:
    tossed = json.loads(json.dumps(back(), sort_keys=True))
    returned = read_answer_line(tossed)

    assert returned.turns == EPISODES
    assert (returned.facts, returned.scope) == ([FACT], "user:ana")
    assert list(tossed["packet"]["turns"])[1] == "m10"


@pytest.mark.parametrize(
    "answer",
    [
        ANSWER,
        json.dumps(ANSWER),
        {"choices": [{"message": {"content": json.dumps(ANSWER)}, "finish_reason": "stop"}]},
        {"choices": [{"message": {"content": [{"type": "text", "text": json.dumps(ANSWER)}]}}]},
        {"message": {"role": "assistant", "content": json.dumps(ANSWER)}, "done_reason": "stop"},
    ],
    ids=["JSON", "text", "a response", "a response in parts", "another response"],
)
def test_an_answer_comes_in_any_of_its_forms(answer: Any) -> None:
    returned = read_answer_line(back(answer=answer))

    assert json.loads(returned.text) == ANSWER
    assert not returned.is_truncated


def test_a_packet_that_a_shell_has_quoted_and_other_fields_are_no_matter() -> None:
    line = LINE | {"packet": json.dumps(LINE["packet"]), "answer": ANSWER, "usage": {"tokens": 7}}

    assert read_answer_line(line).turns == EPISODES


@pytest.mark.parametrize(
    "answer",
    [
        {"choices": [{"message": {"content": '{"cand'}, "finish_reason": "length"}]},
        {"message": {"content": '{"cand'}, "done_reason": "length"},
    ],
)
def test_an_answer_that_breaks_off_is_told(answer: Any) -> None:
    assert read_answer_line(back(answer=answer)).is_truncated


@pytest.mark.parametrize("answer", [None, "", {"choices": []}, {"message": {"content": None}}])
def test_an_answer_without_a_text_is_empty(answer: Any) -> None:
    assert read_answer_line(back(answer=answer)).text == ""


def changed(**change: Any) -> dict[str, Any]:
    return LINE["packet"] | change


TURNS = LINE["packet"]["turns"]
UNFIT: dict[str, Any] = {
    "a list": [],
    "no packet": {"answer": ANSWER},
    "no answer": {"packet": LINE["packet"]},
    "an id alone": back(packet=LINE["packet"]["id"]),
    "null": back(packet=None),
    "other turns": back(packet=changed(turns=TURNS | {"m1": EPISODES[1]})),
    "turns that changed places": back(
        packet=changed(turns=TURNS | {"m1": EPISODES[1], "m2": EPISODES[0]})
    ),
    "a turn less": back(packet=changed(turns={k: TURNS[k] for k in TURNS if k != "m1"})),
    "another scope": back(packet=changed(scope="user:bob")),
    "no turns": back(packet=changed(turns={})),
    "numbers of another kind": back(packet=changed(turns={"1": EPISODES[0]})),
    "no ids": back(packet=changed(turns={"m1": "Ana likes tea"})),
    "ids as numbers": back(packet=changed(turns={"m1": 7})),
    "an id with a line end": back(packet=changed(turns={"m1": EPISODES[0] + "\n"})),
    "more fields": back(packet=changed(text="Ana")),
    "too many turns": back(packet=changed(turns={f"m{n}": EPISODES[0] for n in range(1, 99)})),
    "half a character": back(answer="\ud83d"),
    "an error": back(answer={"error": {"message": "out of memory while reading: Ana"}}),
    "filtered out": back(answer={"choices": [{"finish_reason": "content_filter"}]}),
}


@pytest.mark.parametrize("line", UNFIT.values(), ids=UNFIT)
def test_a_line_that_is_no_answer_is_refused_without_its_words(line: Any) -> None:
    with pytest.raises(InvalidInputError) as caught:
        read_answer_line(line)

    assert "Ana" not in str(caught.value.to_dict())
    assert "tea" not in str(caught.value.to_dict())
