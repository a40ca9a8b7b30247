"""Labelled turns: what somebody said, and what a careful reader keeps of it."""

from collections.abc import Collection, Iterator
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memorycore.errors import InvalidInputError, InvalidTimeError
from memorycore.exchange.candidate_line import Name
from memorycore.exchange.episode_line import read_time
from memorycore.exchange.reading import describe, require_text
from memorycore.model.draft import MAX_TEXT_LENGTH, Draft
from memorycore.model.name import MAX_VALUE_LENGTH
from memorycore.model.scoring import Label, Labelled, Wanted
from memorycore.model.time import format_moment, parse_moment
from memorycore.model.value import canonical_value

_STRICT = ConfigDict(strict=True, extra="forbid", frozen=True)
Value = Annotated[str, Field(min_length=1, max_length=MAX_VALUE_LENGTH)]


class LabelledFactIn(BaseModel):
    """A fact of a label; ``any_of`` are others that are as good, and may stand without it."""

    model_config = _STRICT

    predicate: Name | None = None
    alt_predicates: list[Name] = []
    object: Value | None = None
    alt: list[Value] = []
    kind: Name | None = None
    quote: Value | None = None
    act: Literal["assert", "correct", "retract"] = "assert"
    rank: Annotated[int, Field(ge=1, le=1000)] | None = None
    valid_from: Name | None = None
    alt_valid_from: list[Name] = []
    valid_to: Name | None = None
    alt_valid_to: list[Name] = []
    any_of: list["LabelledFactIn"] = []


class LabelledIn(BaseModel):
    """A turn with its label."""

    model_config = _STRICT

    id: Name
    lang: Literal["en", "zh"]
    text: Annotated[str, Field(min_length=1, max_length=MAX_TEXT_LENGTH)]
    role: Literal["user", "assistant", "system", "tool", "event", "document"] = "user"
    speaker: Name | None = None
    at: Name | None = None
    expect: list[LabelledFactIn]
    allow: list[LabelledFactIn] = []
    trap: (
        Literal["hypothetical", "negated", "quoted", "reported", "third_person", "question",
                "assistant", "joke", "past_habit", "generic", "one_time", "smalltalk", "fiction",
                "secret", "wish"]
        | None
    ) = None  # fmt: skip


_FIELDS = list(LabelledIn.model_fields)
_FACT_FIELDS = list(LabelledFactIn.model_fields)


def read_labelled(record: Any, *, place: str, predicates: Collection[str]) -> Labelled:
    """Read one labelled turn; ``predicates`` are those that a label may name.

    Raises:
        InvalidInputError: it is of another shape; the message names the field and what may stand
            there.
    """
    require_text(record)
    try:
        line = LabelledIn.model_validate(record)
    except ValidationError as error:
        is_of_fact = len(error.errors(include_url=False)[0]["loc"]) > 2
        raise InvalidInputError(describe(error, _FACT_FIELDS if is_of_fact else _FIELDS)) from error
    for name, facts in (("expect", line.expect), ("allow", line.allow)):
        for number, fact in enumerate(facts):
            _check(fact, f"{name}.{number}", line.text, predicates)
    turn = Draft(
        line.text,
        line.role,
        speaker=line.speaker,
        occurred=read_time(line.at, time_zone="UTC"),
        external_id=line.id,
        place=place,
    )
    return Labelled(turn, _label(line))


def _check(fact: LabelledFactIn, where: str, text: str, predicates: Collection[str]) -> None:
    if (fact.predicate is None) != (fact.object is None):
        raise InvalidInputError(f"{where} must have both a predicate and an object, or neither")
    if fact.predicate is None and not fact.any_of:
        raise InvalidInputError(f"{where} must have a predicate and an object, or any_of")
    for name in (*filter(None, [fact.predicate]), *fact.alt_predicates):
        if name not in predicates:
            known = ", ".join(sorted(predicates, key=str.lower))
            raise InvalidInputError(f"{where} names no predicate that is known; those are {known}")
    if fact.quote is not None and fact.quote not in text:
        raise InvalidInputError(f"{where}.quote does not stand in the text, letter for letter")
    for name, day in _dates_of(fact):
        if not _is_plain_date(day):
            like = "2025, 2025-03, 2025-W10 or 2025-03-05"
            raise InvalidInputError(f"{where}.{name} must be a date such as {like}")
    for number, other in enumerate(fact.any_of):
        _check(other, f"{where}.any_of.{number}", text, predicates)


def _dates_of(fact: LabelledFactIn) -> Iterator[tuple[str, str]]:
    for name, first, others in (
        ("valid_from", fact.valid_from, fact.alt_valid_from),
        ("valid_to", fact.valid_to, fact.alt_valid_to),
    ):
        yield from ((name, day) for day in filter(None, [first, *others]))


def _is_plain_date(text: str) -> bool:
    """Tell whether a date is written as candidates' dates are shown, else none can equal it."""
    try:
        moment = parse_moment(text, zone="UTC")
    except InvalidTimeError:
        return False
    return format_moment(moment.from_, moment.precision, moment.zone) == text


def _label(line: LabelledIn) -> Label:
    return Label(
        line.id,
        line.lang,
        tuple(_options(fact) for fact in line.expect),
        tuple(option for fact in line.allow for option in _options(fact)),
        line.trap,
    )


def _options(fact: LabelledFactIn) -> tuple[Wanted, ...]:
    others = tuple(option for one in fact.any_of for option in _options(one))
    if fact.predicate is None or fact.object is None:
        return others
    own = Wanted(
        (fact.predicate, *fact.alt_predicates),
        frozenset(map(canonical_value, (fact.object, *fact.alt))),
        fact.act,
        fact.rank,
        _among(fact.valid_from, fact.alt_valid_from),
        _among(fact.valid_to, fact.alt_valid_to),
        fact.object,
    )
    return (own, *others)


def _among(first: str | None, others: list[str]) -> frozenset[str]:
    return frozenset((first, *others)) if first is not None else frozenset()
