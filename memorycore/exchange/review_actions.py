"""The document ``comet.memory.actions.v1``: read strictly, each fault under the rule it breaks."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, ValidationError

from memorycore.errors import InvalidInputError
from memorycore.exchange.reading import Doubled, note_doubled, parse_json, require_text
from memorycore.exchange.review_packet import Language, MemoryClass
from memorycore.exchange.review_shapes import (
    STRICT,
    CandidateKey,
    ListsIn,
    MemoryText,
    Short,
    Text,
    place_of,
    reason_of,
    write_lists,
)
from memorycore.model.review_actions import ACTIONS, ACTIONS_SCHEMA, Fault, ReviewAction
from memorycore.model.review_packet import MAX_COLLECTION, ReviewPacket
from memorycore.model.review_rules import action_faults

MAX_DOCUMENT_BYTES = 64 * 1024
TWICE = "a key of it is told twice"
EvidenceKeys = Annotated[list[Short], Field(max_length=MAX_COLLECTION)]
Scope = Literal["global", "project"]


class SkipIn(BaseModel):
    """Nothing is to be stored."""

    model_config = STRICT

    action: Literal["skip"]
    language: Language
    reason: Text
    evidence_keys: EvidenceKeys = []


class ChangeIn(ListsIn):
    """What create and update share."""

    language: Language
    project_key: Short | None = None
    candidate_key: CandidateKey | None = None
    evidence_keys: EvidenceKeys = Field(default=[])
    title: Short | None = None
    reason: Text | None = None
    memory_class: MemoryClass | None = None


class CreateIn(ChangeIn):
    """A new memory."""

    action: Literal["create"]
    scope: Scope
    category: Short
    text: MemoryText


class UpdateIn(ChangeIn):
    """A memory of the packet is to say something else."""

    action: Literal["update"]
    target_id: Short
    scope: Scope | None = None
    category: Short | None = None
    text: MemoryText | None = None


class ForgetIn(BaseModel):
    """A memory of the packet is to go."""

    model_config = STRICT

    action: Literal["forget"]
    language: Language
    target_id: Short
    scope: Scope | None = None
    project_key: Short | None = None
    evidence_keys: EvidenceKeys = []
    reason: Text | None = None
    permanent: bool = False


_SHAPES: dict[str, type[BaseModel]] = {
    "skip": SkipIn,
    "create": CreateIn,
    "update": UpdateIn,
    "forget": ForgetIn,
}
_KNOWN = frozenset(
    field.alias or name for shape in _SHAPES.values() for name, field in shape.model_fields.items()
)
_NEEDS = {"create": "CM-11", "update": "CM-12", "forget": "CM-13"}
_RULES = {
    "language": "CM-6",
    "locale": "CM-6",
    "type": "CM-5",
    "operation": "CM-5",
    "action": "CM-5",
    "scope": "CM-8",
    "projectKey": "CM-8",
    "evidenceKeys": "CM-15",
    "permanent": "CM-13",
}


def read_actions(document: bytes | str | dict[str, Any]) -> tuple[list[ReviewAction], list[Fault]]:
    """Read a document of actions; where there are faults, none of it may be used."""
    try:
        if isinstance(document, (bytes, str)):
            if len(document) > MAX_DOCUMENT_BYTES:
                raise InvalidInputError("it is larger than any answer may be")
            document = parse_json(document, pairs=note_doubled)
        require_text(document)
    except InvalidInputError as error:
        return [], [Fault("CM-3", "document", error.message)]
    if not isinstance(document, dict):
        return [], [Fault("CM-3", "document", "it is not one JSON object")]
    if isinstance(document, Doubled):
        return [], [Fault("CM-1", "document", TWICE)]
    if set(document) != {"schema", "actions"}:
        return [], [Fault("CM-1", "document", "it has just the two keys schema and actions")]
    if document["schema"] != ACTIONS_SCHEMA:
        return [], [Fault("CM-2", "schema", f"it must be {ACTIONS_SCHEMA}")]
    given = document["actions"]
    if not isinstance(given, list) or not given:
        return [], [Fault("CM-4", "actions", "it must be a list that is not empty")]
    actions: list[ReviewAction] = []
    faults: list[Fault] = []
    for number, item in enumerate(given):
        action, found = _read_action(item, number)
        faults += found
        if action is not None:
            actions.append(action)
    return actions, faults


def check_actions(
    packet: ReviewPacket, document: bytes | str | dict[str, Any]
) -> tuple[list[ReviewAction], list[Fault]]:
    """Read actions and judge them as the answer to a packet, the set as a whole."""
    actions, faults = read_actions(document)
    return actions, faults or action_faults(packet, actions)


def _read_action(item: Any, number: int) -> tuple[ReviewAction | None, list[Fault]]:
    place = f"actions[{number}]"
    if not isinstance(item, dict):
        return None, [Fault("CM-5", place, "an action is a JSON object")]
    if isinstance(item, Doubled):
        return None, [Fault("CM-5", place, TWICE)]
    kind = item.get("action")
    if not isinstance(kind, str) or kind not in ACTIONS:
        return None, [Fault("CM-5", f"{place}.action", f"it must be one of {', '.join(ACTIONS)}")]
    try:
        shape = _SHAPES[kind].model_validate(item)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        return None, [
            Fault(
                _rule(kind, one),
                f"{place}.{place_of(one['loc'], _KNOWN)}" if one["loc"] else place,
                reason_of(one),
            )
            for one in found
        ]
    return _action(shape), []


def _rule(kind: str, error: Any) -> str:
    """Name the rule that an action of the wrong shape breaks."""
    field = str(error["loc"][0]) if error["loc"] else ""
    is_alias = error["type"] == "extra_forbidden" and field in ("type", "operation", "locale")
    if kind == "skip" and field not in ("language", "action") and not is_alias:
        return "CM-7"
    if field == "scope" and error["type"] == "missing":
        return "CM-11"
    if field == "targetId":
        return _NEEDS[kind] if error["type"] == "missing" else "CM-14"
    if field in _RULES:
        return _RULES[field]
    if error["type"] == "extra_forbidden":
        return "CM-22"
    return _NEEDS[kind]


def _action(shape: BaseModel) -> ReviewAction:
    """Make a record of an action that has the right shape."""
    given = shape.model_dump()
    lists = shape.lists() if isinstance(shape, ListsIn) else None
    for name in ("tags", "path_patterns", "task_types", "operations", "phases"):
        given.pop(name, None)
    given["evidence_keys"] = tuple(given["evidence_keys"])
    return ReviewAction(**given) if lists is None else ReviewAction(**given, lists=lists)


def write_actions(actions: list[ReviewAction]) -> dict[str, Any]:
    """Write actions as their document."""
    return {"schema": ACTIONS_SCHEMA, "actions": [_write_action(one) for one in actions]}


def _write_action(one: ReviewAction) -> dict[str, Any]:
    document = {
        "action": one.action,
        "language": one.language,
        "scope": one.scope,
        "projectKey": one.project_key,
        "targetId": one.target_id,
        "candidateKey": one.candidate_key,
        "evidenceKeys": list(one.evidence_keys) or None,
        "category": one.category,
        "title": one.title,
        "reason": one.reason,
        "text": one.text,
        "memoryClass": one.memory_class,
        "permanent": one.permanent or None,
    }
    told = {name: value for name, value in document.items() if value is not None}
    return told | write_lists(one.lists)


def actions_schema(packet: ReviewPacket) -> dict[str, Any]:
    """Give the JSON schema of an answer to a packet, for an endpoint that keeps to one."""
    texts = {"type": "array", "items": {"type": "string"}, "maxItems": 16}
    keys = [one.key for one in packet.evidence]
    targets = [one.id for one in packet.memories]
    evidence = {"type": "array", "items": {"type": "string", **({"enum": keys} if keys else {})}}
    fields = {
        "action": {"type": "string", "enum": list(ACTIONS)},
        "language": {"type": "string", "enum": [packet.language]},
        "scope": {"type": "string", "enum": ["global", "project"]},
        "projectKey": {"type": "string"},
        "targetId": {"type": "string", **({"enum": targets} if targets else {})},
        "candidateKey": {"type": "string"},
        "evidenceKeys": evidence,
        "category": {"type": "string"},
        "title": {"type": "string"},
        "reason": {"type": "string"},
        "text": {"type": "string"},
        "memoryClass": {
            "type": "string",
            "enum": ["user-fact", "user-preference", "collaboration-habit", "project-convention"],
        },
        "permanent": {"type": "boolean"},
        "tags": texts,
    }
    most = 1 if packet.budget is None else packet.budget.max_actions
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["schema", "actions"],
        "properties": {
            "schema": {"type": "string", "enum": [ACTIONS_SCHEMA]},
            "actions": {
                "type": "array",
                "minItems": 1,
                "maxItems": most,
                "items": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["action", "language"],
                    "properties": fields,
                },
            },
        },
    }
