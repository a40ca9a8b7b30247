"""Candidates: statements that were proposed and are not yet believed."""

from dataclasses import dataclass, field

from memorycore.model.draft import Rejection
from memorycore.model.time import Moment

ACTS = ("assert", "correct", "retract")
"""What a candidate asks for: that something holds, that something else held, that it never did."""
PROPOSERS = ("file", "person", "rules", "model")
EVENT_STATUSES = ("planned", "occurred", "cancelled", "ongoing", "unknown")
LINK_KINDS = ("CAUSED_BY", "EXPLAINS", "SUPPORTS", "INHIBITS", "PRECEDES", "PART_OF", "RELATED_TO",
              "DERIVED_FROM", "ABOUT_ENTITY")  # fmt: skip
"""The links that a candidate may ask for; the others are the engine's to make."""


@dataclass(frozen=True, slots=True)
class Naming:
    """How a proposer names an entity: a name, its kind if it is told, and other names of it."""

    name: str
    kind: str | None = None
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Quote:
    """A piece of evidence as it was proposed.

    The episode is named by our id or by its id at the source. ``text`` must stand in it, code point
    for code point; ``None`` is the whole episode.
    """

    episode: str | None = None
    external_id: str | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class When:
    """An end of a period as it was said: the time, and how it came to be known."""

    moment: Moment
    basis: str = "explicit"


@dataclass(frozen=True, slots=True)
class AskedLink:
    """A link that a candidate asks for.

    It leads to a fact by id, to another candidate by its ``ref``, or to an entity by name.
    """

    kind: str
    to: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A statement as it was proposed, read and well-formed, with what it rests on.

    Without ``subject`` it speaks of whoever said it. The object is an entity (``object``) or a text
    (``value``); a text may still turn out to name an entity, unless ``is_literal`` says that it is
    just a text. ``confidence`` is in 0…1.
    """

    predicate: str
    quotes: tuple[Quote, ...]
    subject: Naming | None = None
    object: Naming | None = None
    value: str | None = None
    is_literal: bool = False
    act: str = "assert"
    target: str | None = None
    rank: int | None = None
    confidence: float | None = None
    valid_from: When | None = None
    valid_to: When | None = None
    scope: str | None = None
    attributed_to: Naming | None = None
    is_inferred: bool = False
    is_tentative: bool = False
    sensitivity: str = "normal"
    valence: float | None = None
    arousal: float | None = None
    importance: float | None = None
    event_type: str | None = None
    event_status: str | None = None
    participants: tuple[Naming, ...] = ()
    links: tuple[AskedLink, ...] = ()
    ref: str | None = None
    claim_key: str | None = None
    place: str = ""


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A line that is no candidate: why, and its text as it came, so that nothing is lost."""

    rejection: Rejection
    text: str | None = None


@dataclass(slots=True)
class Problem:
    """A rule of a format that a document breaks: where, which, how badly, and in words."""

    place: str
    code: str
    severity: str
    reason: str


@dataclass(slots=True)
class Proposed:
    """What a proposer gives: candidates, the entities they name, and what could not be read."""

    candidates: list[Candidate] = field(default_factory=list)
    entities: list[Naming] = field(default_factory=list)
    quarantined: list[Quarantined] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
