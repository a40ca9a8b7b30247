"""The document ``comet.memory.review.v1``: read strictly, written within its budget."""

import json
import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, Field, ValidationError

from memorycore.errors import InvalidInputError, InvalidTimeError
from memorycore.exchange.reading import Doubled, note_doubled, parse_json, require_text
from memorycore.exchange.review_shapes import (
    STRICT,
    CandidateKey,
    Key,
    ListsIn,
    Short,
    Text,
    place_of,
    reason_of,
    write_lists,
)
from memorycore.model.review_actions import PACKET_RULE, Fault
from memorycore.model.review_packet import (
    CEILING,
    MAX_COLLECTION,
    MAX_USER_EVIDENCE,
    PACKET_SCHEMA,
    Budget,
    ExplicitRequest,
    PacketEvidence,
    PacketMemory,
    ReviewPacket,
)
from memorycore.model.review_rules import packet_faults
from memorycore.model.time import format_instant, parse_moment

Language = Literal["zh-CN", "en"]
Scope = Literal["global", "project"]
MemoryClass = Literal["user-fact", "user-preference", "collaboration-habit", "project-convention"]
MemoryType = Literal["core-profile", "collaboration-policy", "personal-episode"]


_OFFSET = re.compile(r"(?:[Zz]|[+-]\d{2}(?::?\d{2})?)\s*\Z")


def _timed(text: str) -> str:
    try:
        _instant(text)
    except InvalidTimeError as error:
        raise ValueError("it is no ISO 8601 time with its offset") from error
    return text


def _instant(text: str) -> int:
    moment = parse_moment(text[:40], zone="UTC")
    if moment.precision != "instant":
        raise InvalidTimeError("a day is no instant")
    if not _OFFSET.search(text):
        raise InvalidTimeError("without an offset it is an instant of nobody knows where")
    return moment.from_


Timestamp = Annotated[str, AfterValidator(_timed)]
"""An instant, as ISO 8601 with its offset from UTC."""


class BudgetIn(BaseModel):
    """What a packet may hold."""

    model_config = STRICT

    max_actions: Annotated[int, Field(ge=1, le=CEILING.max_actions)]
    max_evidence: Annotated[int, Field(ge=1, le=CEILING.max_evidence)]
    max_bytes: Annotated[int, Field(ge=1, le=CEILING.max_bytes)]


class RequestIn(ListsIn):
    """What the user asks for outright."""

    action: Literal["remember", "correct", "forget"]
    target_id: Short | None = None
    permanent: bool = False
    scope: Scope | None = None
    project_key: Key | None = None
    memory_class: MemoryClass | None = None
    category: Short | None = None
    title: Short | None = None
    reason: Text | None = None
    text: Text | None = None


class EvidenceIn(ListsIn):
    """One observation."""

    key: Short
    scope: Scope
    project_identity: Short | None = None
    project_key: Key | None = None
    candidate_key: CandidateKey | None = None
    change_id: Short
    success: bool
    observed_at: Timestamp
    text: Text | None = None
    category: Short | None = None
    memory_class: MemoryClass | None = None


class MemoryIn(BaseModel):
    """One memory that is there. Older packets say ``active`` in place of ``state``."""

    model_config = STRICT

    id: Short
    scope: Scope
    project_identity: Short | None = None
    project_key: Key | None = None
    category: Short
    text: Text
    title: Short | None = None
    reason: Text | None = None
    memory_class: MemoryClass | None = None
    kind: Literal["explicit", "inferred"]
    memory_type: MemoryType = "collaboration-policy"
    state: Literal["trial", "proven", "superseded"] | None = None
    active: bool | None = None


class PacketIn(BaseModel):
    """A packet; its budget is read apart, since one that is wrong only narrows the answer."""

    model_config = STRICT

    schema_: Annotated[Literal["comet.memory.review.v1"], Field(alias="schema")]
    language: Language
    project_identity: Short | None = None
    project_key: Key | None = None
    workflow: Short
    change_id: Short
    created_at: Timestamp
    checkpoint: Text
    category: Short | None = None
    user_evidence: Annotated[list[Text], Field(max_length=MAX_USER_EVIDENCE)]
    explicit_request: RequestIn | None = None
    evidence: Annotated[list[EvidenceIn], Field(max_length=MAX_COLLECTION)]
    memories: Annotated[list[MemoryIn], Field(max_length=MAX_COLLECTION)]
    budget: Any = None


_KNOWN = frozenset(
    field.alias or name
    for shape in (PacketIn, RequestIn, EvidenceIn, MemoryIn, BudgetIn)
    for name, field in shape.model_fields.items()
)


def read_packet(document: bytes | str | dict[str, Any]) -> tuple[ReviewPacket | None, list[Fault]]:
    """Read a packet; give it with the faults that make it invalid.

    A budget that is missing or wrong makes no packet invalid: it leaves only a skip as an answer.
    """
    try:
        given = document
        if isinstance(document, (bytes, str)):
            given = parse_json(document, pairs=_once)
        require_text(given)
        shape = PacketIn.model_validate(given)
        packet = _packet(shape)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        return None, [
            Fault(PACKET_RULE, place_of(one["loc"], _KNOWN), reason_of(one)) for one in found
        ]
    except InvalidInputError as error:
        return None, [Fault(PACKET_RULE, "document", error.message)]
    faults = packet_faults(packet)
    if packet.budget is not None and size_of(given) > packet.budget.max_bytes:
        faults.append(Fault(PACKET_RULE, "document", "it has more bytes than its budget allows"))
    if packet.budget is None and size_of(given) > CEILING.max_bytes:
        faults.append(Fault(PACKET_RULE, "document", "it is larger than any packet may be"))
    return packet, faults


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = note_doubled(pairs)
    if isinstance(found, Doubled):
        raise InvalidInputError("a key is told twice")
    return found


def size_of(document: Any) -> int:
    """Count the bytes of a document, written without spaces."""
    return len(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode())


def _packet(shape: PacketIn) -> ReviewPacket:
    return ReviewPacket(
        shape.language,
        shape.workflow,
        shape.change_id,
        _instant(shape.created_at),
        shape.checkpoint,
        shape.project_identity,
        shape.project_key,
        shape.category,
        tuple(shape.user_evidence),
        None if shape.explicit_request is None else _request(shape.explicit_request),
        tuple(map(_evidence, shape.evidence)),
        tuple(map(_memory, shape.memories)),
        _budget(shape.budget),
    )


def _budget(given: Any) -> Budget | None:
    try:
        one = BudgetIn.model_validate(given)
    except ValidationError:
        return None
    return Budget(one.max_actions, one.max_evidence, one.max_bytes)


def _request(one: RequestIn) -> ExplicitRequest:
    return ExplicitRequest(
        one.action, one.target_id, one.permanent, one.scope, one.project_key, one.memory_class,
        one.category, one.title, one.reason, one.text, one.lists(),
    )  # fmt: skip


def _evidence(one: EvidenceIn) -> PacketEvidence:
    observed = _instant(one.observed_at)
    return PacketEvidence(
        one.key, one.scope, one.change_id, one.success, observed, one.project_identity,
        one.project_key, one.candidate_key, one.text, one.category, one.memory_class, one.lists(),
    )  # fmt: skip


def _memory(one: MemoryIn) -> PacketMemory:
    if (one.state is None) == (one.active is None):
        raise InvalidInputError("a memory has a state")
    state = one.state or ("proven" if one.active else "superseded")
    return PacketMemory(
        one.id, one.scope, one.category, one.text, one.kind, state, one.memory_type,
        one.project_identity, one.project_key, one.title, one.reason, one.memory_class,
    )  # fmt: skip


def write_packet(packet: ReviewPacket) -> dict[str, Any]:
    """Write a packet as its document; what is not told is left out."""
    budget = packet.budget
    document = {
        "schema": PACKET_SCHEMA,
        "language": packet.language,
        "projectIdentity": packet.project_identity,
        "projectKey": packet.project_key,
        "workflow": packet.workflow,
        "changeId": packet.change_id,
        "createdAt": format_instant(packet.created_at),
        "checkpoint": packet.checkpoint,
        "category": packet.category,
        "userEvidence": list(packet.user_evidence),
        "explicitRequest": None if packet.request is None else _write_request(packet.request),
        "evidence": [_write_evidence(one) for one in packet.evidence],
        "memories": [_write_memory(one) for one in packet.memories],
        "budget": None
        if budget is None
        else {
            "maxActions": budget.max_actions,
            "maxEvidence": budget.max_evidence,
            "maxBytes": budget.max_bytes,
        },
    }
    return _told(document)


def _told(document: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if value is not None}


def _write_request(one: ExplicitRequest) -> dict[str, Any]:
    document = {
        "action": one.action,
        "targetId": one.target_id,
        "permanent": one.permanent or None,
        "scope": one.scope,
        "projectKey": one.project_key,
        "memoryClass": one.memory_class,
        "category": one.category,
        "title": one.title,
        "reason": one.reason,
        "text": one.text,
    }
    return _told(document) | write_lists(one.lists)


def _write_evidence(one: PacketEvidence) -> dict[str, Any]:
    document = {
        "key": one.key,
        "scope": one.scope,
        "projectIdentity": one.project_identity,
        "projectKey": one.project_key,
        "candidateKey": one.candidate_key,
        "changeId": one.change_id,
        "success": one.success,
        "observedAt": format_instant(one.observed_at),
        "text": one.text,
        "category": one.category,
        "memoryClass": one.memory_class,
    }
    return _told(document) | write_lists(one.lists)


def _write_memory(one: PacketMemory) -> dict[str, Any]:
    return _told(
        {
            "id": one.id,
            "scope": one.scope,
            "projectIdentity": one.project_identity,
            "projectKey": one.project_key,
            "category": one.category,
            "text": one.text,
            "title": one.title,
            "reason": one.reason,
            "memoryClass": one.memory_class,
            "kind": one.kind,
            "memoryType": one.memory_type,
            "state": one.state,
        }
    )
