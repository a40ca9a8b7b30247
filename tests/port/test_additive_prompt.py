"""The additive prompts keep their own rules: each example is read and checked like an answer."""

import json
import re

import pytest

from memorycore.exchange.model_answer import answer_schema, read_answer
from memorycore.model.additive import AdditiveInputs
from memorycore.model.heard import Heard
from memorycore.model.packet import Offered, Packet
from memorycore.model.time import parse_moment
from memorycore.port.model_proposer import LANGUAGES, read_prompt, write_messages

FACTS = (Offered("f0", "lives in Porto", "fct_X"), Offered("f1", "likes tea", "fct_Y"))
DAY = parse_moment("2022-01-16")


def examples(language: str) -> list[tuple[int, str, str]]:
    pattern = r"## (?:Example|例) (\d+)[^\n]*\n\n```messages\n(.*?)\n```\n```json\n(.*?)\n```"
    found = re.findall(pattern, read_prompt("additive", language), re.S)
    return [(int(number), lines, answer) for number, lines, answer in found]


CASES = [one for language in LANGUAGES for one in examples(language)]


def packet_of(lines: str) -> Packet:
    shapes = [json.loads(line) for line in lines.splitlines()]
    turns = [
        Heard(f"ep_{n}", one["content"], one["role"], one.get("name"), DAY)
        for n, one in enumerate(shapes)
    ]
    return Packet(
        tuple(turns),
        facts=FACTS,
        observation_date="2022-01-16",
        current_date="2026-02-18",
        additive=AdditiveInputs(),
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_examples_bear_the_numbers_of_the_contract(language: str) -> None:  # M0-11
    assert [number for number, _, _ in examples(language)] == [1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12]


@pytest.mark.parametrize(("number", "lines", "answer"), CASES)
def test_an_example_would_be_read_without_a_remark(number: int, lines: str, answer: str) -> None:
    reading = read_answer(answer, packet_of(lines))

    assert reading.quarantined == []
    assert [one for one in reading.problems if one.code != "M0-evidence"] == []
    assert len(reading.candidates) == {1: 3, 2: 2, 3: 0, 6: 3, 11: 5}.get(number, 1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_examples_keep_links_and_real_persons(language: str) -> None:
    answers = {number: json.loads(answer)["memory"] for number, _, answer in examples(language)}

    assert answers[10][0]["linked_memory_ids"] == ["0"]
    assert answers[2][1]["attributed_to"] == "assistant"
    assert answers[12][0]["attributed_to"] == "user"  # M0-10


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_agent_s_own_memory_is_asked_for_in_its_own_words(language: str) -> None:
    packet = Packet((Heard("ep_1", "Hi"),), language=language, additive=AdditiveInputs())
    agents = Packet(packet.turns, language=language, additive=AdditiveInputs(for_agent=True))

    base = write_messages(packet)[0]["content"]
    own = write_messages(agents)[0]["content"]
    assert own.startswith(base)
    assert own.endswith(read_prompt("additive_agent", language))


def test_the_schema_offers_only_what_the_packet_offers() -> None:
    schema = answer_schema(packet_of('{"role": "user", "content": "Hi"}'))

    fields = schema["properties"]["memory"]["items"]["properties"]
    assert fields["linked_memory_ids"]["items"]["enum"] == ["0", "1"]
    assert fields["attributed_to"]["enum"] == ["user", "assistant"]
