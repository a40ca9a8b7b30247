"""Packets as JSON lines for those who run the model elsewhere, and the answers that come back.

A line carries under ``packet`` all that is needed to take its answer back, as ids; a store keeps
nothing of it. Whatever tool the line passes through need only keep that field beside the answer.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memorycore.errors import InvalidInputError
from memorycore.exchange.candidate_line import Name
from memorycore.exchange.model_answer import answer_schema
from memorycore.exchange.reading import describe, parse_json, require_text
from memorycore.model.identity import format_id
from memorycore.model.packet import MAX_FACTS, MAX_TURNS, Packet

MAX_NUMBERED = 10 * MAX_TURNS
"""Turns in a packet that is taken back: more than any that goes out."""

Id = Annotated[str, Field(pattern=r"^[a-z]{2,4}_[0-9A-Z]{26}$")]
_KEEP = "keep the field packet of its line beside the answer"
_TURN = re.compile(r"m([1-9][0-9]{0,3})\Z")
_FACT = re.compile(r"f(0|[1-9][0-9]{0,3})\Z")


class PacketOut(BaseModel):
    """What stands for a packet: its scope, and what its numbers mean."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    id: Name
    scope: Name
    turns: Annotated[dict[str, Id], Field(min_length=1, max_length=MAX_NUMBERED)]
    facts: Annotated[dict[str, Id], Field(max_length=MAX_FACTS)] = {}


class Returned(NamedTuple):
    """An answer that came back: to which packet, its text, and whether it breaks off."""

    id: str
    scope: str
    turns: list[str]
    facts: list[str]
    text: str
    is_truncated: bool


def write_packet_line(
    packet: Packet, *, scope: str, messages: Sequence[dict[str, str]]
) -> dict[str, Any]:
    """Write a packet as the document of its line."""
    turns = [turn.episode for turn in packet.turns]
    facts = [one.fact for one in packet.facts]
    return {
        "packet": {
            "id": _packet_id(scope, turns, facts),
            "scope": scope,
            "turns": {f"m{number}": turn for number, turn in enumerate(turns, 1)},
            "facts": {f"f{number}": fact for number, fact in enumerate(facts)},
        },
        "language": packet.language,
        "observation_date": packet.observation_date,
        "messages": list(messages),
        "response_schema": answer_schema(packet),
    }


def _packet_id(scope: str, turns: Sequence[str], facts: Sequence[str]) -> str:
    """Name a packet by the ids in it, so that one whose numbering was changed is told."""
    text = json.dumps([scope, *turns, "", *facts], ensure_ascii=False)
    return format_id("pkt", hashlib.sha256(text.encode()).digest()[:16])


def read_answer_line(line: Any) -> Returned:
    """Read one line of answers: its packet, and the answer in any of the forms it comes in.

    The answer is the text of a model, what that text says, or the whole response of an endpoint.
    Other fields are not looked at.

    Raises:
        InvalidInputError: it is no such line, or its packet is not one that went out.
    """
    if not isinstance(line, dict):
        raise InvalidInputError("not a JSON object")
    require_text(line)
    if "packet" not in line:
        raise InvalidInputError(f"names no packet; {_KEEP}")
    if "answer" not in line:
        raise InvalidInputError("has no field answer")
    turns, facts, shape = _read_packet(line["packet"])
    text, is_truncated = _text_of(line["answer"])
    return Returned(shape.id, shape.scope, turns, facts, text, is_truncated)


def _read_packet(given: Any) -> tuple[list[str], list[str], PacketOut]:
    if isinstance(given, str) and given.lstrip().startswith("{"):
        given = parse_json(given)
    if not isinstance(given, dict):
        raise InvalidInputError(f"its packet is no JSON object; {_KEEP}")
    try:
        shape = PacketOut.model_validate(given)
    except ValidationError as error:
        raise InvalidInputError(
            f"its packet: {describe(error, list(PacketOut.model_fields))}"
        ) from error
    turns = _in_order(shape.turns, _TURN, first=1)
    facts = _in_order(shape.facts, _FACT, first=0)
    if shape.id != _packet_id(shape.scope, turns, facts):
        raise InvalidInputError(f"its packet was changed on the way; {_KEEP}")
    return turns, facts, shape


def _in_order(numbered: dict[str, str], form: re.Pattern[str], *, first: int) -> list[str]:
    """Give ids in the order of their numbers, which must leave none out."""
    found = {int(match[1]): one for key, one in numbered.items() if (match := form.match(key))}
    if sorted(found) != list(range(first, first + len(numbered))):
        raise InvalidInputError(f"its packet was changed on the way; {_KEEP}")
    return [found[number] for number in sorted(found)]


def _text_of(answer: Any) -> tuple[str, bool]:
    """Give the text of an answer, and whether it breaks off."""
    if isinstance(answer, str):
        return answer, False
    if answer is None:
        return "", False
    if isinstance(answer, dict) and answer.get("error"):
        raise InvalidInputError("its answer is the error of an endpoint", hint="model_fault")
    if isinstance(answer, dict) and (said := _said(answer)) is not None:
        message, reason = said
        content = message.get("content")
        if isinstance(content, list):
            content = "".join(
                part["text"]
                for part in content
                if isinstance(part, dict) and isinstance(part.get("text"), str)
            )
        if reason == "content_filter":
            raise InvalidInputError("its answer was filtered out", hint="content_filter")
        is_cut = reason in ("length", "max_tokens")
        return content if isinstance(content, str) else "", is_cut
    return json.dumps(answer, ensure_ascii=False), False


def _said(answer: dict[str, Any]) -> tuple[dict[str, Any], Any] | None:
    """Find the message in the whole response of an endpoint, and why it ended."""
    choices = answer.get("choices")
    if isinstance(choices, list):
        choice = choices[0] if choices and isinstance(choices[0], dict) else {}
        message = choice.get("message")
        return (message if isinstance(message, dict) else {}), choice.get("finish_reason")
    message = answer.get("message")
    if isinstance(message, dict) and "content" in message:
        return message, answer.get("done_reason")
    return None
