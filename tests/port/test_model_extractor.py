"""Tests of a model as an extractor."""

import json
from dataclasses import replace

import httpx2
import pytest

from memorycore.errors import InvalidInputError
from memorycore.model.additive import AdditiveInputs
from memorycore.model.heard import Heard
from memorycore.model.packet import MAX_CONTEXT
from memorycore.model.predicate import Predicate
from memorycore.port.extractor import Extracted, Extractor, Surroundings
from memorycore.port.model_client import Endpoint
from memorycore.port.model_extractor import ModelExtractor, PacketMaker
from memorycore.port.model_proposer import ModelProposer

TURNS = [Heard("ep_1", "I like tea."), Heard("ep_2", "Hello!")]
AROUND = Surroundings(
    before=(Heard("ep_0", "What do you drink?", "assistant"),),
    facts=(("fct_A", "Ana likes coffee"),),
    tags=("too wordy",),
    predicates=(Predicate("likes"),),
    current_date="2026-02-18",
)
TEA = {"predicate": "likes", "object": "tea", "quote": "I like tea", "message": "m1",
       "target": "f0", "act": "correct"}  # fmt: skip


def extract(turns: list[Heard], item: dict[str, str] = TEA) -> tuple[list[Extracted], list[str]]:
    asked: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(json.loads(request.content)["messages"][1]["content"])
        choice = {"message": {"content": json.dumps({"candidates": [item]})}}
        usage = {"prompt_tokens": 30, "completion_tokens": 12}
        return httpx2.Response(200, json={"choices": [choice], "usage": usage})

    transport = httpx2.MockTransport(answer)
    reader: Extractor = ModelExtractor(
        ModelProposer(Endpoint("http://model.test/v1", "m"), transport=transport)
    )
    return list(reader.extract(turns, AROUND)), asked


def test_turns_become_packets_with_what_is_known_around_them() -> None:
    (found,), (packet,) = extract(TURNS)

    (candidate,) = found.candidates
    assert (candidate.value, candidate.target) == ("tea", "fct_A")
    assert (found.turns, found.silent, found.unread, found.spent.tokens) == (2, 1, 0, 42)
    assert (found.spent.calls, found.spent.form) == (1, "json_schema")
    assert '{"fact": "f0", "text": "Ana likes coffee"}' in packet
    assert '{"tag_id": "tag:too wordy", "name": "too wordy"}' in packet
    assert "What do you drink?" in packet
    assert "2026-02-18" in packet


def test_a_part_is_given_for_each_answer() -> None:
    found, asked = extract([Heard(f"ep_{n}", "I like tea.") for n in range(20)])

    assert [one.turns for one in found] == [8, 8, 4]
    assert len(asked) == 3


def test_what_was_left_out_is_told() -> None:
    (found,), _ = extract(TURNS, TEA | {"caused_by": "c7"})
    assert [(one.code, one.severity) for one in found.problems] == [("unknown_cause", "warn")]


def test_nothing_is_asked_without_turns() -> None:
    assert extract([]) == ([], [])


def test_what_was_wrong_with_an_answer_is_told() -> None:
    wrong = TEA | {"valid_from": "2024"}
    with_wrong = json.dumps({"candidates": [wrong]})
    transport = httpx2.MockTransport(
        lambda _: httpx2.Response(200, json={"choices": [{"message": {"content": with_wrong}}]})
    )
    reader = ModelExtractor(ModelProposer(Endpoint("http://m.test/v1", "m"), transport=transport))
    [found] = reader.extract(TURNS, AROUND)

    assert [one.code for one in found.problems] == ["time_not_said"]


def test_turns_without_a_readable_answer_are_counted_apart() -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        is_easy = "Braga" in json.loads(request.content)["messages"][1]["content"]
        text = '{"candidates": []}' if is_easy else "I cannot tell."
        return httpx2.Response(200, json={"choices": [{"message": {"content": text}}]})

    transport = httpx2.MockTransport(answer)
    reader = ModelExtractor(ModelProposer(Endpoint("http://m.test/v1", "m"), transport=transport))
    [found] = reader.extract(TURNS, AROUND)

    assert (found.turns, found.silent, found.unread) == (2, 0, 2)


def test_documents_go_out_with_each_packet_and_may_not_be_too_long() -> None:
    maker = PacketMaker(context=["Ana runs a tea house."])

    (packet,) = maker.packets(TURNS, AROUND)

    assert packet.context == ("Ana runs a tea house.",)
    with pytest.raises(InvalidInputError, match="longer than"):
        PacketMaker(context=["x" * (MAX_CONTEXT + 1)])


def test_the_additive_contract_is_told_what_was_learned_just_before() -> None:
    maker = PacketMaker(additive=AdditiveInputs(summary="about tea"))
    around = replace(AROUND, recent=("Ana likes coffee",), is_agent=True)

    (packet,) = maker.packets(TURNS, around)

    assert packet.additive == AdditiveInputs("about tea", ("Ana likes coffee",), for_agent=True)
    assert maker.version != PacketMaker().version
