"""What is handed out about one person: the documents of a subject export, strict and versioned."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class _Document(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class EntityOut(_Document):
    """A person or a thing that facts speak of."""

    id: str
    name: str
    kind: str


class LiteralOut(_Document):
    """An object that is a text."""

    value: str


class ValidOut(_Document):
    """When it is true, as precisely as it is known; an end that is null is open."""

    from_: Annotated[str | None, Field(alias="from")]
    from_precision: str
    from_basis: str
    to: str | None
    to_precision: str | None
    to_basis: str | None
    ended_by: str | None
    certainty: str


class KnownOut(_Document):
    """When it was believed (UTC); an end that is null is open, and null twice is never."""

    from_: Annotated[str | None, Field(alias="from")]
    to: str | None


class PeriodOut(_Document):
    """A period on both axes, and the first of them in words."""

    shown: str
    valid: ValidOut
    known: KnownOut


class EvidenceOut(_Document):
    """A sentence: code points from ``start`` to ``end`` of the text of an episode."""

    episode: str
    start: int
    end: int
    quote: str
    role: str
    session: str | None
    speaker: str | None
    at: str | None
    stands: Annotated[bool, Field(description="Whether it still counts.")]


class EventOut(_Document):
    """What kind of event a fact tells of, and what became of it."""

    type: str | None
    status: str | None


class StateOut(_Document):
    """The three statuses of a fact."""

    validity: str
    visibility: Literal["visible"]
    lifecycle: str


class FactOut(_Document):
    """A line of facts.jsonl: a statement with all that is and was believed of it."""

    id: str
    scope: str
    subject: EntityOut
    predicate: str
    object: EntityOut | LiteralOut
    text: str
    rank: int | None
    fact_type: str
    role: Annotated[
        Literal["subject", "object", "attributed", "linked", "scope", "named"],
        Field(description="How it speaks of the person; named: only its words hold the name."),
    ]
    now: Annotated[list[PeriodOut], Field(description="Believed now; may lie in the past.")]
    before: Annotated[list[PeriodOut], Field(description="Believed once, and no longer.")]
    confidence: float
    importance: float
    valence: float | None
    attributed_to: str | None
    event: EventOut | None
    pinned: bool
    state: StateOut
    sensitivity: str
    evidence: list[EvidenceOut]


class EpisodeOut(_Document):
    """Something that was said or happened, verbatim; what was forgotten in it is masked."""

    id: str
    scope: str
    session: str | None
    role: str
    speaker: str | None
    at: str | None
    at_precision: str
    text: str
    source: str | None
    external_id: str | None
    meta: dict[str, Any] | None


class HeldEpisodeOut(EpisodeOut):
    """A line of episodes.jsonl."""

    why: Annotated[
        Literal["said", "evidence", "scope"],
        Field(description="They said it; another said it and a fact rests on it; all of a scope."),
    ]


class NearOut(_Document):
    """An entity of almost the same name."""

    id: str
    scope: str
    kind: str
    name: str
    distinction: str | None
    aliases: list[str]
    facts: int
    merged_into: str | None
    likeness: Annotated[float, Field(ge=0, le=1)]


class NearMention(_Document):
    """A line of mentions.jsonl: an entity that may be the same person."""

    kind: Literal["near_match"]
    entity: NearOut


class EpisodeMention(_Document):
    """A line of mentions.jsonl: somebody else's words that hold the name."""

    kind: Literal["episode"]
    episode: EpisodeOut


class FactMention(_Document):
    """A line of mentions.jsonl: a fact about something else whose words hold the name."""

    kind: Literal["fact"]
    fact: FactOut


class MentionOut(_Document):
    """A line of mentions.jsonl, whichever it is."""

    mention: Annotated[NearMention | EpisodeMention | FactMention, Field(discriminator="kind")]


class SpanOut(_Document):
    """A sentence that a candidate rests on."""

    episode: str
    start: int
    end: int
    quote: str
    role: str
    session: str | None
    at: str | None
    stands: bool


class CandidateOut(_Document):
    """A statement that was proposed and waits; it is not believed."""

    id: str
    scope: str
    state: Literal["pending", "review"]
    text: str
    statement: dict[str, Any] | None
    evidence: list[SpanOut]
    proposer: str
    place: str
    decision: str | None
    reason: str | None
    because: str | None
    proposed: str | None
    fact: str | None
    target: str | None
    target_text: str | None
    at: str


class MemoryOut(_Document):
    """What reviews have observed, and is on trial or in conflict."""

    id: str
    scope: str
    kind: Literal["explicit", "inferred"]
    state: Literal["trial", "conflict"]
    text: str
    category: str
    memory_class: str | None
    memory_type: str
    candidate_key: str | None
    successes: int
    fact: str | None


class WhoOut(_Document):
    """Whom it is about; ``id`` is null where that is a whole scope."""

    id: str | None
    scope: str
    kind: str
    name: str
    distinction: str | None
    aliases: list[str]


class CountsOut(_Document):
    """How much there is in all; the last three are apart and may be about others."""

    facts: int
    said: int
    evidence: int
    candidates: int
    near: int
    naming_episodes: int
    naming_facts: int


class SaidOut(_Document):
    """How much they said, and when first and last."""

    count: int
    first: str | None
    last: str | None


class SubjectOut(_Document):
    """subject.json: one person on one page."""

    schema_: Annotated[Literal["memorycore.subject.v1"], Field(alias="schema")]
    ok: Literal[True]
    subject: WhoOut
    made_at: str
    time_zone: str
    counts: CountsOut
    said: SaidOut
    facts: list[FactOut]
    truncated: Annotated[bool, Field(description="Whether more facts are in facts.jsonl.")]
    candidates: list[CandidateOut]
    memories: Annotated[list[MemoryOut], Field(description="Observed, and not believed.")]
    receipts: Annotated[list[str], Field(description="What was forgotten in the scope, by id.")]
    mentions: list[NearMention | EpisodeMention | FactMention]


def write_page(shape: dict[str, Any]) -> str:
    """Write subject.json; the shape is checked first."""
    return SubjectOut.model_validate(shape).model_dump_json(by_alias=True, indent=2) + "\n"


def write_fact(shape: dict[str, Any]) -> str:
    """Write a line of facts.jsonl."""
    return FactOut.model_validate(shape).model_dump_json(by_alias=True) + "\n"


def write_episode(shape: dict[str, Any]) -> str:
    """Write a line of episodes.jsonl."""
    return HeldEpisodeOut.model_validate(shape).model_dump_json(by_alias=True) + "\n"


def write_mention(shape: dict[str, Any]) -> str:
    """Write a line of mentions.jsonl."""
    checked = MentionOut.model_validate({"mention": shape}).mention
    return checked.model_dump_json(by_alias=True) + "\n"


def write_schema() -> str:
    """Write the JSON Schema of all four documents, each under its name in ``$defs``."""
    import json

    from pydantic.json_schema import models_json_schema

    lines = (SubjectOut, FactOut, HeldEpisodeOut, NearMention, EpisodeMention, FactMention)
    _, schema = models_json_schema(
        [(model, "serialization") for model in lines], title="memorycore.subject.v1"
    )
    files = {
        "subject.json": {"$ref": "#/$defs/SubjectOut"},
        "facts.jsonl": {"$ref": "#/$defs/FactOut"},
        "episodes.jsonl": {"$ref": "#/$defs/HeldEpisodeOut"},
        "mentions.jsonl": {
            "anyOf": [
                {"$ref": f"#/$defs/{name}"}
                for name in ("NearMention", "EpisodeMention", "FactMention")
            ]
        },
    }
    dialect = "https://json-schema.org/draft/2020-12/schema"
    whole = {"$schema": dialect, "$ref": "#/$defs/SubjectOut", "x-files": files} | schema
    return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"
