"""The additive contract of Mem0: what a model is given that writes memories as free texts.

The sections and their order are those of that contract (M0). What somebody else has written stands
inside JSON on one line each, so that no text can begin a section of its own.
"""

from dataclasses import dataclass

from memorycore.model.heard import Heard
from memorycore.model.packet import MAX_BEFORE, MAX_BEFORE_LENGTH, Packet, json_line

MAX_RECENT = 20
"""Memories that were extracted just before, offered so that they are not written again."""
CUT = "..."


@dataclass(frozen=True, slots=True)
class AdditiveInputs:
    """What goes into a packet of the contract beside turns, facts and dates.

    ``summary`` is that of the conversation so far, ``recent`` what was extracted just before.
    ``language`` is that in which the memories are to be written, if one is required; ``for_agent``
    tells that it is an agent's own memory.
    """

    summary: str = ""
    recent: tuple[str, ...] = ()
    includes: str = ""
    excludes: str = ""
    instructions: str = ""
    feedback: str = ""
    language: str = ""
    for_agent: bool = False


def write_additive(packet: Packet) -> str:
    """Write a packet as the text that a model reads after the additive prompt."""
    inputs = packet.additive or AdditiveInputs()
    context = [json_line(text) for text in packet.context]
    sections = [
        ("Context", context),
        ("Summary", [json_line(inputs.summary)]),
        ("Last k Messages", [_message(turn, MAX_BEFORE_LENGTH) for turn in _last(packet)]),
        ("Recently Extracted Memories", [json_line(text) for text in inputs.recent[:MAX_RECENT]]),
        ("Existing Memories", [json_line(_existing(n, packet)) for n in range(len(packet.facts))]),
        ("New Messages", [_message(turn, None) for turn in packet.turns]),
        ("Observation Date", [packet.observation_date or "unknown"]),
        ("Current Date", [packet.current_date or "unknown"]),
        ("Custom Instructions", _instructions(inputs)),
        ("Language Requirement", [json_line(inputs.language)] if inputs.language else []),
    ]
    optional = ("Context", "Custom Instructions", "Language Requirement")
    parts = [
        f"## {name}\n" + "\n".join(lines or ["(empty)"])
        for name, lines in sections
        if lines or name not in optional
    ]
    return "\n\n".join([*parts, "# Output:"])


def _last(packet: Packet) -> tuple[Heard, ...]:
    return packet.before[-MAX_BEFORE:]


def _message(turn: Heard, longest: int | None) -> str:
    text = turn.text
    if longest is not None and len(text) > longest:
        text = text[:longest] + CUT
    name = {"name": turn.speaker} if turn.speaker else {}
    return json_line({"role": turn.role} | name | {"content": text})


def _existing(number: int, packet: Packet) -> dict[str, str]:
    return {"id": str(number), "text": packet.facts[number].text}


def _instructions(inputs: AdditiveInputs) -> list[str]:
    told = (
        ("includes", inputs.includes),
        ("excludes", inputs.excludes),
        ("instructions", inputs.instructions),
        ("feedback", inputs.feedback),
    )
    return [json_line({name: text}) for name, text in told if text.strip()]
