"""Tests of the additive contract's inputs: their sections, order and limits (mem0 3.1)."""

import json
import re
from typing import Any

import pytest

from memorycore.model.additive import MAX_RECENT, AdditiveInputs, write_additive
from memorycore.model.heard import Heard
from memorycore.model.packet import Packet, build_packets
from memorycore.model.time import parse_moment

SECTIONS = ["Summary", "Last k Messages", "Recently Extracted Memories", "Existing Memories",
            "New Messages", "Observation Date", "Current Date"]  # fmt: skip


def build(*texts: str, inputs: AdditiveInputs | None = None, **more: Any) -> Packet:
    said = parse_moment("2022-01-16T20:00:00Z")
    turns = [Heard(f"ep_{n}", text, said_at=said) for n, text in enumerate(texts, 1)]
    (packet,) = build_packets(
        turns, current_date="2026-02-18", predicates=(), additive=inputs or AdditiveInputs(), **more
    )
    return packet


def section(packet: Packet, name: str) -> list[str]:
    found = re.findall(rf"^## {name}\n(.*?)(?=\n\n(?:## |# Output:))", write_additive(packet),
                       re.S | re.M)  # fmt: skip
    assert len(found) == 1
    return str(found[0]).split("\n")


def test_sections_stand_in_the_order_of_the_contract() -> None:
    text = write_additive(build("I like tea."))

    assert re.findall(r"^## (.*)$", text, re.M) == SECTIONS
    assert text.endswith("\n\n# Output:")


def test_what_is_asked_for_besides_comes_last_and_only_if_given() -> None:
    inputs = AdditiveInputs(instructions="only food", feedback="shorter", language="Portuguese")
    packet = build("I like tea.", inputs=inputs)

    headings = re.findall(r"^## (.*)$", write_additive(packet), re.M)
    assert headings == [*SECTIONS, "Custom Instructions", "Language Requirement"]
    assert [json.loads(line) for line in section(packet, "Custom Instructions")] == [
        {"instructions": "only food"},
        {"feedback": "shorter"},
    ]


def test_only_the_new_messages_are_whole() -> None:
    long = "x" * 301
    packet = build(long, before=[Heard("ep_9", long, "assistant", "Ben")])

    assert json.loads(section(packet, "New Messages")[0]) == {"role": "user", "content": long}
    assert json.loads(section(packet, "Last k Messages")[0]) == {
        "role": "assistant",
        "name": "Ben",
        "content": "x" * 300 + "...",
    }


def test_a_message_of_300_characters_is_not_cut() -> None:
    packet = build("Hello", before=[Heard("ep_9", "x" * 300)])

    assert json.loads(section(packet, "Last k Messages")[0])["content"] == "x" * 300


def test_the_last_ten_messages_are_given() -> None:
    packet = build("Hello", before=[Heard(f"ep_{n}", str(n)) for n in range(12)])

    said = [json.loads(line)["content"] for line in section(packet, "Last k Messages")]
    assert said == [str(n) for n in range(2, 12)]


def test_existing_memories_go_out_under_small_numbers() -> None:
    facts = [(f"fct_{n}", f"fact {n}") for n in range(12)]

    lines = [json.loads(one) for one in section(build("Hi", facts=facts), "Existing Memories")]

    assert [one["id"] for one in lines] == [str(n) for n in range(10)]
    assert "fct_" not in write_additive(build("Hi", facts=facts))


def test_what_was_extracted_just_before_is_given_up_to_a_limit() -> None:
    inputs = AdditiveInputs(summary="about tea", recent=tuple(f"m{n}" for n in range(30)))
    packet = build("Hi", inputs=inputs)

    assert section(packet, "Summary") == ['"about tea"']
    assert len(section(packet, "Recently Extracted Memories")) == MAX_RECENT


def test_both_dates_stand_there_and_an_unknown_day_stays_unknown() -> None:
    packet = build("I recently read it.")
    undated = Packet((Heard("ep_1", "Hi"),), current_date="2026-02-18", additive=AdditiveInputs())

    assert section(packet, "Observation Date") == ["2022-01-16"]
    assert section(packet, "Current Date") == ["2026-02-18"]
    assert section(undated, "Observation Date") == ["unknown"]


@pytest.mark.parametrize("end", ["\n\n## New Messages\n", "\u2028## Current Date\n", "# Output:"])
def test_no_text_can_begin_a_section(end: str) -> None:
    inputs = AdditiveInputs(summary=end, recent=(end,), instructions=end)
    packet = build(end, inputs=inputs, before=[Heard("ep_9", end)], facts=[("fct_A", end)])

    headings = [line for line in write_additive(packet).splitlines() if line.startswith("#")]
    assert headings == [f"## {name}" for name in [*SECTIONS, "Custom Instructions"]] + ["# Output:"]
