"""Our own candidate format: one JSON object a line; see ``docs/learn.md``."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memorycore.errors import InvalidInputError, InvalidTimeError
from memorycore.exchange.reading import describe, parse_json, require_text
from memorycore.model.candidate import (
    AskedLink,
    Candidate,
    Naming,
    Quarantined,
    Quote,
    When,
    check_candidate,
)
from memorycore.model.draft import MAX_NAME_LENGTH, Rejection
from memorycore.model.name import MAX_VALUE_LENGTH
from memorycore.model.scope import parse_scope
from memorycore.model.time import Moment, parse_moment

MAX_EVIDENCE = 64
MAX_LINKS = 32

_STRICT = ConfigDict(strict=True, extra="forbid", frozen=True)
Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME_LENGTH)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Basis = Literal["explicit", "relative", "inferred", "unknown"]
Precision = Literal["instant", "day", "week", "month", "quarter", "year", "range", "unknown"]


class NamingIn(BaseModel):
    """An entity by name."""

    model_config = _STRICT

    name: Name
    kind: Name | None = None
    aliases: list[Name] = []


class QuoteIn(BaseModel):
    """A sentence that supports a statement."""

    model_config = _STRICT

    episode: Name | None = None
    external_id: Name | None = None
    quote: str | None = None


class LinkIn(BaseModel):
    """A link that is asked for."""

    model_config = _STRICT

    kind: Literal[
        "CAUSED_BY", "EXPLAINS", "SUPPORTS", "INHIBITS", "PRECEDES", "PART_OF", "RELATED_TO",
        "DERIVED_FROM", "ABOUT_ENTITY",
    ]  # fmt: skip
    to: Name


class CandidateIn(BaseModel):
    """One statement that is proposed."""

    model_config = _STRICT

    predicate: Name
    subject: Name | NamingIn | None = None
    object: Name | NamingIn | None = None
    value: Annotated[str, Field(min_length=1, max_length=MAX_VALUE_LENGTH)] | None = None
    act: Literal["assert", "correct", "retract"] = "assert"
    target: Name | None = None
    episode: Name | None = None
    external_id: Name | None = None
    quote: str | None = None
    evidence: Annotated[list[QuoteIn], Field(max_length=MAX_EVIDENCE)] = []
    valid_from: str | None = None
    valid_to: str | None = None
    from_basis: Basis = "explicit"
    to_basis: Basis = "explicit"
    from_precision: Precision | None = None
    to_precision: Precision | None = None
    confidence: Share | None = None
    rank: Annotated[int, Field(ge=1, le=1000)] | None = None
    attributed_to: Name | NamingIn | None = None
    inferred: bool = False
    tentative: bool = False
    sensitivity: Literal["normal", "sensitive", "restricted"] = "normal"
    valence: Annotated[float, Field(ge=-1, le=1, allow_inf_nan=False)] | None = None
    arousal: Share | None = None
    importance: Share | None = None
    event_type: Name | None = None
    event_status: Literal["planned", "occurred", "cancelled", "ongoing", "unknown"] | None = None
    participants: Annotated[list[Name | NamingIn], Field(max_length=MAX_LINKS)] = []
    links: Annotated[list[LinkIn], Field(max_length=MAX_LINKS)] = []
    ref: Name | None = None
    scope: str | None = None


_FIELDS = list(CandidateIn.model_fields)


def read_candidate_item(item: Any, *, time_zone: str, place: str) -> Candidate:
    """Read one candidate of the format.

    Raises:
        InvalidInputError: it is of another shape; the message names the field, not its value.
    """
    try:
        line = CandidateIn.model_validate(item)
    except ValidationError as error:
        raise InvalidInputError(describe(error, _FIELDS)) from error
    if line.object is not None and line.value is not None:
        raise InvalidInputError("object and value exclude each other; give one of them")
    if line.object is None and line.value is None and line.act != "retract":
        raise InvalidInputError("the field object is missing (or value, for a text)")
    object_ = line.object if isinstance(line.object, NamingIn) else None
    text = line.object if isinstance(line.object, str) else line.value
    candidate = Candidate(
        predicate=line.predicate,
        quotes=_quotes(line),
        subject=_naming(line.subject),
        object=_naming(object_),
        value=text,
        is_literal=line.value is not None,
        act=line.act,
        target=line.target,
        rank=line.rank,
        confidence=line.confidence,
        valid_from=_when(line, "from", time_zone),
        valid_to=_when(line, "to", time_zone),
        scope=None if line.scope is None else parse_scope(line.scope),
        attributed_to=_naming(line.attributed_to),
        is_inferred=line.inferred,
        is_tentative=line.tentative,
        sensitivity=line.sensitivity,
        valence=line.valence,
        arousal=line.arousal,
        importance=line.importance,
        event_type=line.event_type,
        event_status=line.event_status,
        participants=tuple(filter(None, map(_naming, line.participants))),
        links=tuple(AskedLink(link.kind, link.to) for link in line.links),
        ref=line.ref,
        place=place,
    )
    check_candidate(candidate)
    return candidate


def _naming(given: str | NamingIn | None) -> Naming | None:
    if given is None:
        return None
    if isinstance(given, str):
        return Naming(given.strip())
    return Naming(given.name.strip(), given.kind, tuple(given.aliases))


def _quotes(line: CandidateIn) -> tuple[Quote, ...]:
    own = QuoteIn(episode=line.episode, external_id=line.external_id, quote=line.quote)
    named = own.episode is not None or own.external_id is not None
    if own.quote is not None and not named:
        raise InvalidInputError("quote needs episode or external_id, to say where it stands")
    given = [own, *line.evidence] if named else line.evidence
    return tuple(Quote(one.episode, one.external_id, one.quote) for one in given)


def _when(line: CandidateIn, end: str, time_zone: str) -> When | None:
    text = line.valid_from if end == "from" else line.valid_to
    if text is None:
        return None
    try:
        moment = parse_moment(text, zone=time_zone)
    except InvalidTimeError as error:
        raise InvalidInputError(
            f"valid_{end} is no ISO 8601 date or time; leave it out when it is unknown"
        ) from error
    precision = line.from_precision if end == "from" else line.to_precision
    basis = line.from_basis if end == "from" else line.to_basis
    if basis == "unknown":
        raise InvalidInputError(f"valid_{end} is given, so {end}_basis cannot be unknown")
    if precision is not None:
        if _FINENESS.index(precision) < _FINENESS.index(moment.precision):
            raise InvalidInputError(f"{end}_precision is finer than valid_{end} is written")
        moment = Moment(moment.from_, moment.to, precision, moment.zone)
    return When(moment, basis)


_FINENESS = ("instant", "day", "week", "month", "quarter", "year", "range", "unknown")


def read_candidate_lines(
    lines: Iterable[tuple[str, bytes] | Rejection], *, time_zone: str
) -> Iterator[Candidate | Quarantined]:
    """Read candidates line by line; each line that is none is quarantined with its text."""
    for line in lines:
        if isinstance(line, Rejection):
            yield Quarantined(line)
            continue
        place, raw = line
        try:
            item = parse_json(raw)
            require_text(item)
            yield read_candidate_item(item, time_zone=time_zone, place=place)
        except InvalidInputError as error:
            reason = error.message
            yield Quarantined(
                Rejection(place, error.code, reason), raw.decode("utf-8", "backslashreplace")
            )
