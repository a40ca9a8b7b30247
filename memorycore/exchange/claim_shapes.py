"""The shape of entity rows and claims, and the first rule that each misshapen field breaks."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memorycore.exchange.claim_items import NonEmpty
from memorycore.exchange.claim_lines import Row
from memorycore.exchange.reading import is_plain_key
from memorycore.model.candidate import MAX_RANK

DOMAINS = {
    "PREFERS_AUTHOR": "reading",
    "FAVORITE_WORK": "reading",
    "DISCUSSED_WORK": "reading",
    "DISCUSSED_CHAPTER": "reading",
    "PREFERS_NARRATIVE_STYLE": "reading",
    "SELF_TRAIT": "writing",
    "TRIED_STYLE": "writing",
    "SELF_CRITIQUE": "writing",
    "PREFERS_TOPIC": "daily",
}
"""The predicates of version 1, each with its domain."""
OBJECT_TYPES = {
    "PREFERS_AUTHOR": ("Author",),
    "FAVORITE_WORK": ("Work",),
    "DISCUSSED_WORK": ("Work",),
    "DISCUSSED_CHAPTER": ("Chapter",),
    "PREFERS_NARRATIVE_STYLE": ("Topic",),
    "SELF_TRAIT": ("Tag", "Topic"),
    "TRIED_STYLE": ("Topic",),
    "SELF_CRITIQUE": ("Tag", "Topic"),
    "PREFERS_TOPIC": ("Topic", "Tag"),
}
KINDS = {
    "agent": "agent",
    "user": "person",
    "author": "author",
    "work": "work",
    "chapter": "chapter",
    "topic": "topic",
    "tag": "tag",
}
"""The prefix of each entity id, and the kind of entity that it is here."""
NAMED_TYPES = ("Author", "Work", "Chapter")
"""What must be named in the evidence; a topic or tag may be a normalised wording."""
EntityType = Literal["Agent", "User", "Author", "Work", "Chapter", "Topic", "Tag"]
Confidence = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class Shape(BaseModel):
    """An object of the format; keys that it does not have are kept, to be noted."""

    model_config = ConfigDict(strict=True, extra="allow", frozen=True)


class EntityIn(Shape):
    """An entity row, as it comes in."""

    record_type: str
    entity_type: EntityType
    entity_id: str
    props: dict[str, Any]
    aliases: list[str]
    tags: list[str]
    confidence: Confidence


class SubjectIn(Shape):
    """Who a claim speaks of."""

    entity_type: Literal["Agent", "User"]
    entity_id: str


class ObjectIn(Shape):
    """What a claim says of its subject, always an entity."""

    entity_type: EntityType
    entity_id: str


class EvidenceIn(Shape):
    """A memory item that a claim rests on."""

    memory_item_id: NonEmpty
    point_id: NonEmpty
    conv_id: NonEmpty
    scene_id: NonEmpty
    created_at: NonEmpty
    text: NonEmpty


class ClaimIn(Shape):
    """A claim, as it comes in."""

    record_type: str
    claim_id: NonEmpty
    predicate: str
    subject: SubjectIn
    object: ObjectIn
    domain: Literal["reading", "writing", "daily"]
    confidence: Confidence
    status: Literal["active", "candidate"]
    rank: Annotated[int, Field(ge=1, le=MAX_RANK)] | None
    updated_at: str
    evidence: Annotated[list[EvidenceIn], Field(min_length=1)]


ENTITY_CODES = {"entity_type": "E3", "entity_id": "E4", "record_type": "S4"}
"""The rule that each field of an entity row breaks when it has another type; others break E2."""
CLAIM_CODES = {
    "record_type": "S4",
    "claim_id": "C7",
    "predicate": "C2",
    "subject": "C5",
    "object": "C6",
    "domain": "C4",
    "confidence": "C8",
    "status": "C9",
    "rank": "C11",
    "updated_at": "C12",
    "evidence": "C13",
}
"""The rule that each field of a claim breaks when it has another type."""
ShapeT = TypeVar("ShapeT", bound=Shape)


def body_of(entity_type: str, entity_id: str) -> str | None:
    """Give what follows the first colon of an id, or ``None`` when its prefix is another type's."""
    prefix, colon, body = entity_id.partition(":")
    return body if colon and prefix == entity_type.lower() else None


def name_parts(entity_type: str, body: str) -> list[str]:
    """Give the names in the body of an id: both sides of a chapter's, except ``UNKNOWN``."""
    if entity_type != "Chapter":
        return [body]
    return [part for part in body.split("#") if part != "UNKNOWN"]


def read_shape(row: Row, shape: type[ShapeT], codes: Mapping[str, str], rest: str) -> ShapeT | None:
    """Validate a record, noting under its own rule every field that is missing or of no such type.

    A key that is missing at the top breaks rule 1 of its kind, E1 or C1.
    """
    try:
        read = shape.model_validate(row.record)
    except ValidationError as error:
        for part in error.errors(include_url=False, include_context=False, include_input=False):
            top = str(part["loc"][0]) if part["loc"] else ""
            name = ".".join(map(str, part["loc"]))
            if part["type"] == "missing":
                code = rest[0] + "1" if len(part["loc"]) == 1 else codes.get(top, rest)
                row.flag(code, f"the field {name} is missing")
            else:
                said = part["msg"]
                row.flag(codes.get(top, rest), f"{name}: {said[0].lower()}{said[1:]}")
        return None
    return read


def note_unknown(row: Row, *shapes: Shape) -> None:
    """Note the keys that the format does not have (W4); what is no plain word is not named."""
    keys = {key for shape in shapes for key in shape.model_extra or {}}
    if keys:
        shown = [key for key in sorted(keys) if is_plain_key(key)][:5]
        row.flag("W4", " ".join(filter(None, ["unknown key", ", ".join(shown)])), "warn")
