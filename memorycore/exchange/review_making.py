"""Making packets and observations out of what a host gives: checked at the door like any other."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel, ValidationError

from memorycore.errors import InvalidInputError, RefusedError
from memorycore.exchange.review_packet import (
    Language,
    MemoryClass,
    Scope,
    read_packet,
    write_packet,
)
from memorycore.exchange.review_shapes import (
    STRICT,
    CandidateKey,
    MemoryText,
    Short,
    place_of,
    reason_of,
)
from memorycore.model.review_actions import PACKET_RULE, Fault
from memorycore.model.review_language import language_fault
from memorycore.model.review_packet import (
    CEILING,
    PACKET_SCHEMA,
    Budget,
    PacketMemory,
    ReviewPacket,
)
from memorycore.model.review_policy import observation_reason
from memorycore.model.review_result import ReviewOutcome
from memorycore.model.review_said import Said
from memorycore.model.review_unsafe import find_unsafe_here
from memorycore.model.time import format_instant
from memorycore.model.unsafe import find_unsafe

TARGETS = "memoryctl review-packet list  and  memoryctl list facts  show what can be named"
FIELDS = "memoryctl help reviews  tells what a packet holds"


@dataclass(frozen=True, slots=True)
class Making:
    """What a packet is made of; ``now`` is when, microseconds UTC."""

    language: str
    workflow: str
    change: str
    checkpoint: str
    category: str | None
    project_identity: str | None
    project_key: str | None
    user_evidence: Sequence[str]
    request: Mapping[str, Any] | None
    evidence: Sequence[Mapping[str, Any]]
    budget: tuple[int, int, int] | None
    now: int

    def with_memories(self, packet: ReviewPacket, memories: Sequence[PacketMemory]) -> ReviewPacket:
        """Put memories into a packet."""
        return replace(packet, memories=tuple(memories))

    def require_sound(self, packet: ReviewPacket) -> None:
        """Check a packet that is whole.

        Raises:
            InvalidInputError, RefusedError: it cannot be.
        """
        _, faults = read_packet(write_packet(packet))
        _raise(faults)


def size_of_packet(packet: ReviewPacket) -> int:
    """Count the bytes of a packet's document as it is written, with a space after each mark."""
    return len(json.dumps(write_packet(packet), ensure_ascii=False).encode())


def make_packet(given: Making) -> ReviewPacket:
    """Make a packet without memories; what is left out of its evidence is filled in.

    Raises:
        InvalidInputError: a field cannot be. RefusedError: it holds what may not be kept.
    """
    budget = Budget(*given.budget) if given.budget is not None else Budget()
    if not _is_within(budget):
        raise InvalidInputError(
            f"A budget lies within {CEILING.max_actions} actions, {CEILING.max_evidence} pieces of "
            f"evidence and {CEILING.max_bytes:,} bytes."
        )
    document = {
        "schema": PACKET_SCHEMA,
        "language": given.language,
        "projectIdentity": given.project_identity,
        "projectKey": given.project_key,
        "workflow": given.workflow,
        "changeId": given.change,
        "createdAt": format_instant(given.now),
        "checkpoint": given.checkpoint,
        "category": given.category,
        "userEvidence": list(given.user_evidence),
        "explicitRequest": None if given.request is None else dict(given.request),
        "evidence": [_evidence(given, one, number) for number, one in enumerate(given.evidence, 1)],
        "memories": [],
    }
    told = {name: value for name, value in document.items() if value is not None}
    packet, faults = read_packet(told)
    # Whether a target is among the memories is seen once they are there.
    _raise([one for one in faults if one.place != "explicitRequest.targetId"])
    assert packet is not None, "a packet without faults can be read"
    return replace(packet, budget=budget)


def _is_within(budget: Budget) -> bool:
    pairs = (
        (budget.max_actions, CEILING.max_actions),
        (budget.max_evidence, CEILING.max_evidence),
        (budget.max_bytes, CEILING.max_bytes),
    )
    return all(type(given) is int and 1 <= given <= most for given, most in pairs)


def _evidence(given: Making, one: Mapping[str, Any], number: int) -> dict[str, Any]:
    scope = one.get("scope", "project" if given.project_key is not None else "global")
    filled: dict[str, Any] = {
        "key": f"e{number}",
        "scope": scope,
        "projectIdentity": given.project_identity,
        "projectKey": given.project_key if scope == "project" else None,
        "changeId": given.change,
        "success": True,
        "observedAt": format_instant(given.now),
    }
    told = {name: value for name, value in filled.items() if value is not None}
    return told | dict(one)


def _raise(faults: Sequence[Fault]) -> None:
    if not faults:
        return
    first = faults[0]
    message = f"The packet cannot be made: {first.place}: {first.reason}."
    if first.rule != PACKET_RULE:
        raise RefusedError(message, why=f"rule {first.rule}", hint="leave it out")
    hint = TARGETS if first.place == "explicitRequest.targetId" else FIELDS
    raise InvalidInputError(message, hint=hint)


@dataclass(frozen=True, slots=True)
class Observation:
    """What a host has observed."""

    text: str
    language: str
    workflow: str
    change: str
    candidate_key: str | None
    category: str | None
    scope: str
    project_identity: str | None
    memory_class: str | None


class ObservationIn(BaseModel):
    """An observation as it comes in."""

    model_config = STRICT

    text: MemoryText
    language: Language
    workflow: Short
    change: Short
    candidate_key: CandidateKey | None
    category: Short | None
    scope: Scope
    project_identity: Short
    memory_class: MemoryClass | None


_FIELDS = frozenset(field.alias or name for name, field in ObservationIn.model_fields.items())


def read_observation(given: Observation) -> tuple[Said, ReviewOutcome | None]:
    """Read an observation; with it the outcome, where it is not worth taking in.

    Raises:
        InvalidInputError: a field cannot be. RefusedError: it holds what may not be kept.
    """
    document = {
        field.alias or name: getattr(given, name)
        for name, field in ObservationIn.model_fields.items()
    }
    try:
        ObservationIn.model_validate(document)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = place_of(first["loc"], _FIELDS)
        hint = "memoryctl review-packet observe --help"
        raise InvalidInputError(f"{place}: {reason_of(first)}.", hint=hint) from error
    if given.candidate_key is None and given.category is None:
        raise InvalidInputError(
            "An observation needs a candidate key or a category.",
            why="it is by these that the same habit is recognised",
            hint="--candidate-key commit.scope",
        )
    unsafe = find_unsafe_here("\n".join(filter(None, (given.text, given.category))))
    if unsafe is None and given.candidate_key is not None:
        named = find_unsafe(given.candidate_key)
        unsafe = named if named is not None and named.code == "secret" else None
    if unsafe is not None:
        raise RefusedError(
            f"The observation was not kept: it holds {unsafe.label}.",
            why="rule CM-20",
            hint="say it without that",
        )
    category = given.category or "habit"
    said = Said(given.scope, given.text.strip(), category, given.memory_class, given.candidate_key)
    if fault := language_fault(given.text, given.language):
        raise InvalidInputError(f"text: {fault}.", why="rule CM-19", hint="--language")
    reason = observation_reason(given.text, given.category)
    if reason is not None:
        return said, ReviewOutcome("observe", "ignored", reason)
    return said, None
