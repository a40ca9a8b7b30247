"""Tests of Mem0's additive output: rules M0-*, with their vectors."""

import json
from typing import Any

import pytest

from memorycore.exchange.model_additive import MAX_RESTS, read_additive_items
from memorycore.exchange.model_answer import Reading, read_answer
from memorycore.model.candidate import AskedLink, Quote
from memorycore.model.heard import Heard
from memorycore.model.packet import Offered, Packet
from memorycore.model.time import parse_moment

ONE = Packet(
    (Heard("ep_A", "I have moved to Braga."),),
    facts=(Offered("f0", "Ana lives in Porto", "fct_X"), Offered("f1", "Ana likes tea", "fct_Y")),
)
TWO = Packet((*ONE.turns, Heard("ep_B", "Try Café Vianna.", "assistant")), facts=ONE.facts)
MOVED = {"id": "0", "text": "Ana moved to Braga in January 2022", "attributed_to": "user"}


def read(*items: Any, packet: Packet = ONE) -> Reading:
    return read_answer(json.dumps({"memory": items}), packet)


def codes(reading: Reading) -> list[str]:
    return [problem.code for problem in reading.problems]


def test_an_empty_list_is_a_normal_answer() -> None:  # M0-2
    assert read() == Reading([], [], [])


def test_a_bare_list_is_rejected() -> None:  # M0-2
    assert not read_answer("[]", ONE).is_readable


@pytest.mark.parametrize(
    "change",
    [
        {"attributed_to": None},
        {"attributed_to": "system"},
        {"id": 0},
        {"id": None},
        {"text": ""},
        {"text": "  "},
        {"text": 7},
        {"text": "\ud800"},
        {"linked_memory_ids": "0"},
    ],
)
def test_an_item_of_another_shape_is_set_aside(change: dict[str, Any]) -> None:
    reading = read(MOVED | change, MOVED | {"id": "1"})

    assert len(reading.candidates) == 1
    assert [one.rejection.code for one in reading.quarantined] == ["M0-2"]


def test_an_item_without_attribution_is_set_aside() -> None:
    assert len(read({"id": "0", "text": "Ana moved"}).quarantined) == 1


def test_where_it_is_not_strict_an_id_may_be_a_number() -> None:
    candidates, quarantined, _ = read_additive_items([MOVED | {"id": 0}], ONE, strict=False)

    assert len(candidates) == 1
    assert quarantined == []


def test_a_memory_only_ever_adds_and_waits_for_a_person() -> None:  # M0-1
    (candidate,) = read(MOVED).candidates

    assert (candidate.predicate, candidate.act) == ("note", "assert")
    assert (candidate.value, candidate.is_literal) == (MOVED["text"], True)
    assert candidate.is_tentative
    assert candidate.target is None


def test_what_an_assistant_said_is_a_recommendation() -> None:  # M0-3
    (candidate,) = read(MOVED | {"attributed_to": "assistant"}).candidates

    assert candidate.predicate == "recommended"


def test_the_only_new_message_is_the_evidence() -> None:
    assert read(MOVED | {"text": "小安搬家了"}).candidates[0].quotes == (Quote("ep_A"),)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("Ana moved to Braga", ["ep_A"]),
        ("Was told to try CAFÉ Vianna", ["ep_B"]),
        ("小安对芒果过敏", ["ep_C"]),
        ("Braga has Café Luso", ["ep_A", "ep_B"]),
        ("and I have to", []),
        ("Ana plays the viola", []),
    ],
)
def test_of_several_messages_those_that_share_most_words_are_it(
    text: str, quoted: list[str]
) -> None:
    three = Packet((*TWO.turns, Heard("ep_C", "我对芒果過敏")))
    reading = read(MOVED | {"text": text}, packet=three)

    assert [quote.episode for quote in reading.candidates[0].quotes] == quoted
    assert codes(reading) == ([] if quoted else ["M0-evidence"])


def test_what_many_messages_share_rests_on_none_of_them() -> None:
    many = Packet(tuple(Heard(f"ep_{n}", "tea again") for n in range(MAX_RESTS + 1)))

    assert read(MOVED | {"text": "likes tea"}, packet=many).candidates[0].quotes == ()


def test_without_messages_there_is_no_evidence_and_it_is_said_how_to_name_some() -> None:
    reading = read(MOVED, packet=Packet(()))

    assert reading.candidates[0].quotes == ()
    assert "--session or --since" in reading.problems[0].reason


def test_ids_that_do_not_count_up_are_noted() -> None:
    assert codes(read(MOVED, MOVED | {"id": "2", "text": "Ana likes tea"})) == ["M0-2"]


def test_links_lead_to_facts_that_were_offered() -> None:
    reading = read(MOVED | {"linked_memory_ids": ["0", "f1", "7", "fct_X", "0"]})

    assert reading.candidates[0].links == (
        AskedLink("RELATED_TO", "fct_X"),
        AskedLink("RELATED_TO", "fct_Y"),
    )
    assert codes(reading) == ["M0-link", "M0-link"]


def test_of_the_same_text_twice_the_first_is_kept() -> None:  # M0-7
    again = MOVED | {"id": "1", "text": "ana moved  to BRAGA in January 2022"}
    reading = read(MOVED, again)

    assert len(reading.candidates) == 1
    assert codes(reading) == ["M0-7"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("word " * 120, "M0-length"),
        ("Ana recently moved to Braga", "M0-5"),
        ("Ana saw the sea yesterday", "M0-5"),
        ("小安昨天去了海边", "M0-5"),
        ("User shared a document", "M0-9"),
        ("用户分享了一份文档", "M0-9"),
    ],
)
def test_lesser_faults_are_noted_and_the_memory_is_kept(text: str, code: str) -> None:
    reading = read(MOVED | {"text": text})

    assert len(reading.candidates) == 1
    assert codes(reading) == [code]


@pytest.mark.parametrize(
    "text", ["User shared a document on glaciers: the Aletsch lost 1.2 km since 1980", "a " * 100]
)
def test_what_is_in_order_is_not_noted(text: str) -> None:
    assert codes(read(MOVED | {"text": text})) == []


@pytest.mark.parametrize(
    "text", [f"```json\n{json.dumps({'memory': [MOVED]})}\n```", json.dumps({"memory": [MOVED]})]
)
def test_a_fence_is_taken_off_and_prose_is_not_searched(text: str) -> None:  # M0-12
    assert len(read_answer(text, ONE).candidates) == 1
    assert not read_answer(f"Here: {text}", ONE).is_readable


OLD = Packet(
    (Heard("ep_A", "I recently read it.", said_at=parse_moment("2022-01-16")),),
    observation_date="2022-01-16",
    current_date="2026-02-18",
)


@pytest.mark.parametrize(
    ("text", "noted"),
    [
        ("User read it in early January 2022", []),
        ("User read it in early February 2026", ["M0-5"]),
        ("User read it on 2026-02-10", ["M0-5"]),
        ("用户在 2026 年 2 月上旬读了它", ["M0-5"]),
        ("User read it recently", ["M0-5"]),
        ("User read it in 2021", []),
    ],
)
def test_recently_lies_near_the_observation_and_not_near_today(  # M0-5
    text: str, noted: list[str]
) -> None:
    assert codes(read(MOVED | {"text": text}, packet=OLD)) == noted


def test_a_date_that_a_message_named_may_lie_near_today() -> None:
    said = Heard("ep_A", "The fair is in February 2026.", said_at=parse_moment("2022-01-16"))
    packet = Packet((said,), observation_date="2022-01-16", current_date="2026-02-18")

    assert codes(read(MOVED | {"text": "The fair is in February 2026"}, packet=packet)) == []


def test_near_the_observation_no_time_is_suspected() -> None:
    packet = Packet(OLD.turns, observation_date="2026-02-16", current_date="2026-02-18")

    assert codes(read(MOVED | {"text": "User read it in February 2026"}, packet=packet)) == []
