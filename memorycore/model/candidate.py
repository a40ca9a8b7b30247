"""Candidates: statements that were proposed and are not yet believed."""

from dataclasses import dataclass, field
from typing import Any

from memorycore.errors import InvalidInputError
from memorycore.model.draft import Rejection
from memorycore.model.name import is_kind, name_fault, value_fault
from memorycore.model.scope import parse_scope
from memorycore.model.time import FIRST, LAST, Moment

ACTS = ("assert", "correct", "retract")
"""What a candidate asks for: that something holds, that something else held, that it never did."""
PROPOSERS = ("file", "person", "rules", "model")
EVENT_STATUSES = ("planned", "occurred", "cancelled", "ongoing", "unknown")
LINK_KINDS = ("CAUSED_BY", "EXPLAINS", "SUPPORTS", "INHIBITS", "PRECEDES", "PART_OF", "RELATED_TO",
              "DERIVED_FROM", "ABOUT_ENTITY")  # fmt: skip
"""The links that a candidate may ask for; the others are the engine's to make."""
SENSITIVITIES = ("normal", "sensitive", "restricted")
BASES = ("explicit", "relative", "inferred", "unknown")
PRECISIONS = ("instant", "day", "week", "month", "quarter", "year", "range", "unknown")
MAX_RANK = 1000
MAX_KEY_LENGTH = 2000
"""Code points in the key of a claim, which names a predicate and two entities."""


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
    for code point; ``None`` is the whole episode. ``start`` says which of several places is meant.
    """

    episode: str | None = None
    external_id: str | None = None
    text: str | None = None
    start: int | None = None


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


_SHARES = (("confidence", 0), ("valence", -1), ("arousal", 0), ("importance", 0))
_FLAGS = ("is_literal", "is_inferred", "is_tentative")
_NAMES = (("predicate", 500), ("event_type", 500), ("target", 500), ("ref", 500),
          ("claim_key", MAX_KEY_LENGTH), ("place", MAX_KEY_LENGTH))  # fmt: skip
_CHOICES = (("act", ACTS), ("sensitivity", SENSITIVITIES), ("event_status", EVENT_STATUSES))


def check_candidate(candidate: Any) -> None:
    """Refuse what is no well-formed candidate, whoever made it.

    Raises:
        InvalidInputError: the message names the field, never its value.
    """
    if not isinstance(candidate, Candidate):
        raise InvalidInputError("is no candidate")
    for name, longest in _NAMES:
        text = getattr(candidate, name)
        is_left_out = (text is None and name != "predicate") or (text == "" and name == "place")
        if not is_left_out and (fault := name_fault(text, longest=longest)):
            raise InvalidInputError(f"{name} {fault}")
    for name, choices in _CHOICES:
        value = getattr(candidate, name)
        if value not in choices and not (value is None and name == "event_status"):
            raise InvalidInputError(f"{name} must be one of {', '.join(choices)}")
    for name, lowest in _SHARES:
        value = getattr(candidate, name)
        if value is not None and not _is_between(value, lowest, 1):
            raise InvalidInputError(f"{name} must be a number from {lowest} to 1")
    rank = candidate.rank
    if rank is not None and not (type(rank) is int and 1 <= rank <= MAX_RANK):
        raise InvalidInputError(f"rank must be a whole number from 1 to {MAX_RANK}")
    for name in _FLAGS:
        if not isinstance(getattr(candidate, name), bool):
            raise InvalidInputError(f"{name} must be true or false")
    _check_namings(candidate)
    if candidate.value is not None and (fault := value_fault(candidate.value)):
        raise InvalidInputError(f"the object {fault}")
    if candidate.scope is not None:
        parse_scope(candidate.scope)
    _check_when("valid_from", candidate.valid_from)
    _check_when("valid_to", candidate.valid_to)
    _check_parts(candidate)


def _is_between(value: object, lowest: float, highest: float) -> bool:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and lowest <= value <= highest  # type: ignore[operator]  # which no NaN is


def _check_namings(candidate: Candidate) -> None:
    _check_naming("subject", candidate.subject)
    _check_naming("object", candidate.object)
    _check_naming("attributed_to", candidate.attributed_to)
    if not isinstance(candidate.participants, tuple):
        raise InvalidInputError("participants must be a tuple")
    for naming in candidate.participants:
        _check_naming("participants", naming)
        if naming is None:
            raise InvalidInputError("participants must hold namings")


def _check_naming(what: str, naming: object) -> None:
    if naming is None:
        return
    if not isinstance(naming, Naming) or not isinstance(naming.aliases, tuple):
        raise InvalidInputError(f"{what} must be a naming, its aliases a tuple")
    if fault := name_fault(naming.name):
        raise InvalidInputError(f"{what} {fault}")
    if naming.kind is not None and not is_kind(naming.kind):
        raise InvalidInputError(
            f"the kind of {what} must be letters, digits, _ and -, at most 64 of them"
        )
    for alias in naming.aliases:
        if fault := name_fault(alias):
            raise InvalidInputError(f"an alias of {what} {fault}")


def _check_when(what: str, when: object) -> None:
    if when is None:
        return
    if not isinstance(when, When) or not isinstance(when.moment, Moment):
        raise InvalidInputError(f"{what} must be a time")
    moment = when.moment
    if when.basis not in BASES or moment.precision not in PRECISIONS:
        raise InvalidInputError(f"{what} has a basis or precision that does not exist")
    if type(moment.from_) is not int or type(moment.to) is not int or name_fault(moment.zone):
        raise InvalidInputError(f"{what} must be a time")
    if not FIRST <= moment.from_ < moment.to <= LAST:
        raise InvalidInputError(f"{what} must lie in the years 1 to 9999, and end after it begins")


def _check_parts(candidate: Candidate) -> None:
    if not isinstance(candidate.quotes, tuple) or not isinstance(candidate.links, tuple):
        raise InvalidInputError("quotes and links must be tuples")
    for quote in candidate.quotes:
        if not isinstance(quote, Quote):
            raise InvalidInputError("quotes must hold quotes")
        for text in (quote.episode, quote.external_id, quote.text):
            if text is not None and not _is_text(text):
                raise InvalidInputError("a quote holds what is no text, or half a character")
        if "\0" in (quote.external_id or ""):
            raise InvalidInputError("the external_id of a quote holds a control character (NUL)")
    for link in candidate.links:
        if not isinstance(link, AskedLink) or link.kind not in LINK_KINDS:
            raise InvalidInputError(f"links must be of a kind of {', '.join(LINK_KINDS)}")
        if fault := name_fault(link.to):
            raise InvalidInputError(f"what a link leads to {fault}")


def _is_text(text: object) -> bool:
    if not isinstance(text, str):
        return False
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
