"""Tests of reading a model's answer: strict as a whole, patient with a single candidate."""

import json
from dataclasses import replace
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorycore.exchange.model_answer import (
    MAX_ANSWER_LENGTH,
    MAX_CANDIDATES,
    Reading,
    answer_schema,
    bare_answer,
    is_prose,
    is_storm,
    read_answer,
)
from memorycore.model.candidate import Candidate, Naming, Quote
from memorycore.model.heard import Heard
from memorycore.model.packet import Offered, Packet
from memorycore.model.predicate import Predicate
from memorycore.model.time import parse_moment

SAID = parse_moment("2022-01-16T23:30:00+08:00")
PACKET = Packet(
    (
        Heard("ep_A", "I moved to Braga last week. My favourite tea is oolong.", said_at=SAID),
        Heard("ep_B", "我最喜欢的小说是《边城》，2021年3月读的。", said_at=SAID),
    ),
    facts=(Offered("f0", "Ana lives in Porto", "fct_X"),),
    predicates=(
        Predicate("lives_in", aliases=("Resides_In",), object_kind="entity",
                  object_kinds=("place",), cardinality="single"),
        Predicate("likes"),
        Predicate("note", object_kind="literal", fact_type="note"),
        Predicate("FAVORITE_WORK", object_kind="entity", object_kinds=("work",), is_ranked=True),
    ),
    observation_date="2022-01-16",
    current_date="2026-02-18",
)  # fmt: skip
BRAGA = {"predicate": "lives_in", "object": "Braga", "quote": "I moved to Braga", "message": "m1"}


def answer(*items: Any) -> str:
    return json.dumps({"candidates": items}, ensure_ascii=False)


def read(*items: Any) -> Reading:
    return read_answer(answer(*items), PACKET)


def one(**change: Any) -> Candidate:
    (candidate,) = read(BRAGA | change).candidates
    return candidate


def codes(reading: Reading) -> list[str]:
    return [problem.code for problem in reading.problems]


def test_an_answer_becomes_candidates_with_their_quotes() -> None:
    reading = read(BRAGA)

    assert reading.quarantined == []
    assert reading.problems == []
    (candidate,) = reading.candidates
    assert candidate.predicate == "lives_in"
    assert candidate.quotes == (Quote("ep_A", text="I moved to Braga"),)
    assert (candidate.value, candidate.object, candidate.subject) == ("Braga", None, None)
    assert (candidate.act, candidate.is_tentative) == ("assert", False)


def test_nothing_is_a_normal_answer() -> None:
    assert read() == Reading([], [], [])
    assert read().is_readable


def test_every_field_is_taken() -> None:
    candidate = one(
        subject="Rui", object_kind="place", act="correct", target="f0", valid_from="2022-W01",
        time_text="last week", confidence=0.9, attributed_to="Tom", inferred=True, message=1,
    )  # fmt: skip

    assert candidate.subject == Naming("Rui")
    assert candidate.object == Naming("Braga", "place")
    assert candidate.value is None
    assert (candidate.act, candidate.target) == ("correct", "fct_X")
    assert candidate.valid_from is not None
    assert candidate.valid_from.basis == "relative"
    assert candidate.valid_from.moment == parse_moment("2022-W01", zone="+08:00")
    assert (candidate.confidence, candidate.is_inferred) == (0.9, True)
    assert candidate.attributed_to == Naming("Tom")


@pytest.mark.parametrize("name", ["user", "The user", "我", "用户", "  "])
def test_words_for_the_speaker_are_no_names(name: str) -> None:
    assert one(subject=name, attributed_to=name).subject is None
    assert one(subject=name, attributed_to=name).attributed_to is None


@pytest.mark.parametrize("name", ["Assistant", "the agent", "AI", "助手"])
def test_the_agent_is_another_than_a_person_who_speaks_of_it(name: str) -> None:
    assert one(subject=name).subject == Naming(name, "agent")
    assert one(attributed_to=name).attributed_to is None
    itself = replace(PACKET, turns=(replace(PACKET.turns[0], role="assistant"),))
    answer = json.dumps({"candidates": [BRAGA | {"subject": name}]})
    assert read_answer(answer, itself).candidates[0].subject is None


def test_a_kind_that_the_predicate_does_not_take_is_left_out() -> None:
    assert one(object_kind="pet").object is None
    assert one(object_kind="pet").value == "Braga"
    assert one(predicate="note", object_kind="place").is_literal


def test_what_is_called_sensitive_is() -> None:
    assert one(sensitive=True).sensitivity == "sensitive"
    assert one(sensitive=False).sensitivity == one().sensitivity == "normal"


def test_other_names_of_an_object_must_stand_in_the_message() -> None:
    aliases = ["Lisbon", "brag", "ＢＲＡＧＡ", "x" * 500]
    assert one(object_kind="place", object_aliases=aliases).object == Naming(
        "Braga", "place", ("ＢＲＡＧＡ",)
    )
    assert one(object_aliases=["x"]).object is None
    assert one(predicate="note", object_aliases=["Braga"]).object is None


def test_an_alias_of_a_predicate_is_that_predicate() -> None:
    assert one(predicate="resides_in").predicate == "lives_in"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"predicate": "is_king_of"}, "unknown_predicate"),
        ({"message": "m3"}, "unknown_message"),
        ({"message": 0}, "unknown_message"),
        ({"message": "f1"}, "unknown_message"),
        ({"message": "ep_A"}, "unknown_message"),
        ({"message": True}, "invalid_input"),
        ({"message": 1.0}, "invalid_input"),
        ({"quote": ""}, "invalid_input"),
        ({"quote": None}, "invalid_input"),
        ({"object": None}, "invalid_input"),
        ({"object": ["Braga"]}, "invalid_input"),
        ({"object": "x" * 2001}, "invalid_input"),
        ({"confidence": 1.2}, "invalid_input"),
        ({"confidence": "0.9"}, "invalid_input"),
        ({"rank": 1.5}, "invalid_input"),
        ({"rank": 10**30}, "invalid_input"),
        ({"inferred": "true"}, "invalid_input"),
        ({"act": "delete"}, "invalid_input"),
        ({"fact_id": "fct_X"}, "invalid_input"),
        ({"object": "half \ud800"}, "invalid_input"),
    ],
)
def test_a_bad_candidate_is_set_aside_and_the_others_are_kept(
    change: dict[str, Any], code: str
) -> None:
    text = json.dumps({"candidates": [BRAGA | change, BRAGA]})
    reading = read_answer(text, PACKET)

    assert len(reading.candidates) == 1
    (aside,) = reading.quarantined
    assert aside.rejection.code == code
    assert aside.text is not None
    aside.text.encode()
    assert reading.is_readable


@pytest.mark.parametrize("target", ["f7", "fct_X", "7", 7, "m0", -1])
def test_a_target_that_was_not_offered_is_known_to_be_none(target: Any) -> None:
    found = one(act="retract", target=target).target

    assert found is not None
    assert not found.startswith("fct_")


def test_a_retraction_needs_no_object() -> None:
    candidate = one(act="retract", object=None, target="f0")

    assert (candidate.act, candidate.value, candidate.target) == ("retract", None, "fct_X")


def test_invented_quotes_stay_for_admission_to_refuse() -> None:
    assert one(quote="I moved to Paris").quotes == (Quote("ep_A", text="I moved to Paris"),)


def test_a_rank_needs_its_words() -> None:
    book = {"predicate": "FAVORITE_WORK", "object": "边城", "message": "m2", "rank": 1}
    reading = read(book | {"quote": "我最喜欢的小说是《边城》"}, book | {"quote": "《边城》"})

    assert [candidate.rank for candidate in reading.candidates] == [1, None]
    assert codes(reading) == ["rank_not_said"]


def test_a_date_rests_on_words_of_the_message() -> None:
    read_in = {
        "predicate": "note",
        "object": "读《边城》",
        "quote": "2021年3月读的",
        "message": "m2",
    }
    reading = read(
        read_in | {"valid_from": "2021-03", "time_text": "2021年3月"},
        BRAGA | {"valid_from": "2026-02-11"},
        BRAGA | {"valid_from": "2026-02-11", "time_text": "last month", "quote": "Braga"},
        BRAGA | {"valid_from": "last week", "time_text": "last week", "quote": "moved"},
    )

    assert codes(reading) == ["time_not_said", "time_not_said", "invalid_time"]
    first, *others = reading.candidates
    assert first.valid_from is not None
    assert first.valid_from.basis == "explicit"
    assert [candidate.valid_from for candidate in others] == [None, None, None]


def test_without_an_observation_date_a_relative_time_stays_unknown() -> None:
    undated = Packet((Heard("ep_A", "I moved to Braga last week"),), (), (), (), PACKET.predicates)
    item = BRAGA | {"valid_from": "2026-02-09", "time_text": "last week"}
    reading = read_answer(answer(item), undated)

    assert reading.candidates[0].valid_from is None
    assert codes(reading) == ["no_observation_date"]


def test_the_same_candidate_twice_counts_once() -> None:
    reading = read(BRAGA, BRAGA)

    assert len(reading.candidates) == 1
    assert codes(reading) == ["repeated"]


def test_what_comes_of_a_repaired_answer_is_tentative() -> None:
    assert read_answer(answer(BRAGA), PACKET, repaired=True).candidates[0].is_tentative


GOOD = answer(BRAGA)


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```",
        f"\ufeff{GOOD}\n",
        f"<think>They say {{braces}} and move.</think>\n\n{GOOD}",
        f"<think>\n</think>```json\n{GOOD}\n```",
    ],
)
def test_a_fence_or_thinking_around_the_answer_is_taken_off(text: str) -> None:
    assert len(read_answer(text, PACKET).candidates) == 1
    assert not is_prose(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  \n",
        "I could not find anything.",
        f"Sure! Here is {{the}} answer: {GOOD}",
        f"Here you are:\n```json\n{GOOD}\n```",
        f"{GOOD}\nI hope this helps!",
        GOOD[:-5],
        GOOD + GOOD,
        "[]",
        "null",
        '{"facts": []}',
        '{"candidates": {}}',
        '{"candidates": [], "notes": "none"}',
        '{"candidates": [{"predicate": "likes", "confidence": NaN}]}',
        '{"candidates": [{"rank": ' + "9" * 5000 + "}]}",
        '{"candidates": ' + "[" * 100_000,
        answer({"text": "Ana moved"}, {"text": "Ana likes tea"}),
        answer(*["x"] * (MAX_CANDIDATES + 1)),
        " " * MAX_ANSWER_LENGTH + GOOD,
    ],
    ids=range(19),
)
def test_what_is_no_single_json_object_of_the_form_is_rejected(text: str) -> None:
    reading = read_answer(text, PACKET)

    assert reading.candidates == []
    assert not reading.is_readable
    assert "Braga" not in " ".join(problem.reason for problem in reading.problems)


@pytest.mark.parametrize(
    "text", ["1" * 200, '{"a": 0.' + "3" * 500, "x\n" + "the same " * 60, "好的" * 100]
)
def test_repetition_without_end_is_noticed(text: str) -> None:
    assert is_storm(text)


def test_an_ordinary_answer_is_no_repetition() -> None:
    assert not is_storm(answer(*[BRAGA | {"object": f"Place {n}"} for n in range(40)])[:-20])


@given(st.text())
def test_no_text_breaks_the_reader(text: str) -> None:
    bare_answer(text)
    read_answer(text, PACKET)


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(
            (
                "predicate",
                "object",
                "quote",
                "message",
                "target",
                "valid_from",
                "time_text",
                "rank",
            ),
            json_values,
        ),
    )
)
def test_no_candidate_breaks_the_reader(change: dict[str, Any]) -> None:  # fmt: skip
    read_answer(json.dumps({"candidates": [BRAGA | change, BRAGA]}), PACKET)


def test_the_schema_names_what_was_offered_and_nothing_else() -> None:
    schema = answer_schema(PACKET)
    fields = schema["properties"]["candidates"]["items"]["properties"]

    jsonschema.Draft202012Validator.check_schema(schema)
    assert fields["predicate"]["enum"] == ["lives_in", "likes", "note", "FAVORITE_WORK"]
    assert fields["message"]["enum"] == ["m1", "m2"]
    assert fields["target"]["enum"] == ["f0", None]
    full = dict.fromkeys(fields) | BRAGA | {"act": "assert", "inferred": False, "sensitive": False}
    jsonschema.validate({"candidates": [full]}, schema)
    assert len(read(full).candidates) == 1
    for wrong in ({"message": "m9"}, {"predicate": "x"}, {"target": "f1"}, {"more": 1}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({"candidates": [full | wrong]}, schema)


def test_every_object_of_the_schema_is_closed_and_whole() -> None:
    """What servers that enforce schemas strictly ask for."""

    def look(part: Any) -> None:
        if isinstance(part, dict):
            if part.get("type") == "object":
                assert part["additionalProperties"] is False
                assert part["required"] == list(part["properties"])
            for inner in part.values():
                look(inner)

    look(answer_schema(PACKET))
