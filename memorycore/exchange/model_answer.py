"""What a model answers: read strictly, checked against its packet, made candidates.

Nothing is guessed: an answer is one JSON object, perhaps in a fence or after its thinking. What
one candidate gets wrong costs that candidate alone, and it is kept aside with its reason.
"""

import json
import re
from dataclasses import replace
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memorycore.errors import InvalidInputError
from memorycore.exchange.candidate_line import Name, Share
from memorycore.exchange.model_additive import additive_schema, read_additive_items
from memorycore.exchange.model_causes import link_causes
from memorycore.exchange.model_time import ENDS, check_date
from memorycore.exchange.reading import describe, parse_json, require_text
from memorycore.model.candidate import Candidate, Naming, Problem, Quarantined, Quote
from memorycore.model.draft import Rejection
from memorycore.model.heard import Heard
from memorycore.model.name import MAX_VALUE_LENGTH, SPEAKER_WORDS, bare, stands_in
from memorycore.model.packet import Packet
from memorycore.model.predicate import Predicate
from memorycore.model.tag import is_near, same_tag
from memorycore.model.wording import canonical_tag, said_ranks

MAX_ANSWER_LENGTH = 1_000_000
MAX_CANDIDATES = 500
MAX_ALIASES = 16
MAX_KEPT = 4000
"""Code points that are kept of a text that is no candidate."""

_FENCE = re.compile(r"```(?:json|JSON)?[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL)
_THINKING = re.compile(r"\s*<think>.*?</think>", re.DOTALL)
_STORM = re.compile(r"[0-9]{120,}|(.{1,16}?)\1{40,}\Z", re.DOTALL)
_NUMBER = re.compile(r"[mf]?([0-9]{1,6})\Z")
_AGENT = frozenset(("assistant", "the assistant", "agent", "the agent", "ai", "助手", "助理"))
"""Words by which models name the agent, beside those for whoever speaks, though they are asked to
leave the field out. They name another where it is not the agent who speaks."""


class CandidateOut(BaseModel):
    """One candidate as a model writes it; ``null`` stands for what it leaves out."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    predicate: Name
    subject: Name | None = None
    object: Annotated[str, Field(min_length=1, max_length=MAX_VALUE_LENGTH)] | None = None
    object_kind: Name | None = None
    quote: Annotated[str, Field(min_length=1, max_length=MAX_VALUE_LENGTH)]
    message: int | Name
    act: Literal["assert", "correct", "retract"] | None = None
    target: int | Name | None = None
    valid_from: Name | None = None
    valid_to: Name | None = None
    time_text: Name | None = None
    confidence: Share | None = None
    rank: Annotated[int, Field(ge=1, le=1000)] | None = None
    attributed_to: Name | None = None
    inferred: bool | None = None
    caused_by: int | Name | None = None
    sensitive: bool | None = None
    object_aliases: Annotated[list[Name], Field(max_length=MAX_ALIASES)] | None = None


_FIELDS = list(CandidateOut.model_fields)


class Reading(NamedTuple):
    """What an answer holds. A problem of severity ``reject`` says that it could not be read."""

    candidates: list[Candidate]
    quarantined: list[Quarantined]
    problems: list[Problem]

    @property
    def is_readable(self) -> bool:
        """Tell whether the answer as a whole was of the shape that was asked for."""
        return all(problem.severity != "reject" for problem in self.problems)


def answer_schema(packet: Packet) -> dict[str, Any]:
    """Give the JSON Schema of the answer to a packet.

    It keeps to what servers that enforce schemas understand: all fields required, ``null`` for
    none, no bounds.
    """
    if packet.additive is not None:
        return additive_schema(packet)
    text, maybe = {"type": "string"}, {"type": ["string", "null"]}
    facts = [one.number for one in packet.facts]
    fields: dict[str, Any] = {
        "predicate": {"type": "string", "enum": [one.name for one in packet.predicates]},
        "subject": maybe,
        "object": maybe,
        "object_kind": maybe,
        "quote": text,
        "message": {"type": "string", "enum": [f"m{n + 1}" for n in range(len(packet.turns))]},
        "act": {"type": "string", "enum": ["assert", "correct", "retract"]},
        "target": {"type": ["string", "null"], "enum": [*facts, None]},
        "valid_from": maybe,
        "valid_to": maybe,
        "time_text": maybe,
        "confidence": {"type": ["number", "null"]},
        "rank": {"type": ["integer", "null"]},
        "attributed_to": maybe,
        "inferred": {"type": "boolean"},
        "caused_by": maybe,
        "sensitive": {"type": "boolean"},
        "object_aliases": {"type": ["array", "null"], "items": text},
    }
    if not packet.predicates:
        fields["predicate"] = text
    item = _object(fields)
    return _object({"candidates": {"type": "array", "items": item}})


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def bare_answer(text: str) -> str:
    """Take an answer out of its fence, and its thinking off; what remains is looked at as it is."""
    text = text.lstrip("\ufeff")
    if thinking := _THINKING.match(text):
        text = text[thinking.end() :]
    text = text.strip()
    fenced = _FENCE.fullmatch(text)
    return fenced[1].strip() if fenced else text


def is_prose(text: str) -> bool:
    """Tell whether an answer does not even begin as JSON."""
    bare = bare_answer(text)
    return bool(bare) and not bare.startswith(("{", "[", "```"))


def is_storm(text: str) -> bool:
    """Tell whether an answer has run into repeating itself: digits without end, or one phrase."""
    return _STORM.search(text[-MAX_KEPT:]) is not None


def read_answer(
    text: str, packet: Packet, *, repaired: bool = False, strict: bool = True
) -> Reading:
    """Read the answer to a packet: our own form, or the additive one of Mem0.

    What comes from a repaired answer is tentative: a person looks at it. Without ``strict`` the
    lesser faults of the additive form are put right.
    """
    try:
        items, is_additive = _items(text)
    except InvalidInputError as error:
        return Reading([], [], [Problem(_place(packet, 0), error.code, "reject", error.message)])
    if is_additive:
        return Reading(*read_additive_items(items, packet, strict=strict))
    reading = Reading([], [], [])
    misshapen = 0
    seen: dict[tuple[Any, ...], int] = {}
    at: dict[int, int] = {}
    causes: dict[int, int | str] = {}
    for number, item in enumerate(items, 1):
        try:
            candidate, notes = _read(item, packet, _place(packet, number))
        except InvalidInputError as error:
            misshapen += error.hint is None
            reading.quarantined.append(_aside(item, packet, number, error))
            continue
        reading.problems.extend(notes)
        key = (candidate.predicate, candidate.subject, candidate.object, candidate.value,
               candidate.act, candidate.target, candidate.quotes)  # fmt: skip
        at[number] = seen.setdefault(key, len(reading.candidates))
        if at[number] < len(reading.candidates):
            place = _place(packet, number)
            reading.problems.append(Problem(place, "repeated", "warn", "stands there already"))
            continue
        if (cause := item.get("caused_by")) is not None:
            causes[at[number]] = cause
        reading.candidates.append(
            replace(candidate, is_tentative=repaired or candidate.is_tentative)
        )
    reading.problems.extend(link_causes(reading.candidates, causes, at, packet))
    if items and misshapen == len(items):
        reason = reading.quarantined[0].rejection.reason
        problem = Problem(_place(packet, 0), "invalid_input", "reject", f"no candidate: {reason}")
        return Reading([], reading.quarantined, [problem])
    return reading


def _items(text: str) -> tuple[list[Any], bool]:
    """Give the items of an answer, and whether they are Mem0's."""
    if len(text) > MAX_ANSWER_LENGTH:
        raise InvalidInputError(f"longer than {MAX_ANSWER_LENGTH} characters")
    bare = bare_answer(text)
    if not bare:
        raise InvalidInputError("empty")
    if is_prose(text):
        raise InvalidInputError("prose, not one JSON object")
    found = parse_json(bare)
    if not isinstance(found, dict):
        raise InvalidInputError("not a JSON object")
    if len(found) != 1 or not (found.keys() & {"candidates", "memory"}):
        raise InvalidInputError('not an object with the one field "candidates"')
    name, items = next(iter(found.items()))
    if not isinstance(items, list):
        raise InvalidInputError(f"{name} is not a list")
    if len(items) > MAX_CANDIDATES:
        raise InvalidInputError(f"more than {MAX_CANDIDATES} items")
    return items, name == "memory"


def _place(packet: Packet, number: int) -> str:
    first = packet.turns[0].episode if packet.turns else "model"
    return f"{first} candidate {number}" if number else first


def _aside(item: Any, packet: Packet, number: int, error: InvalidInputError) -> Quarantined:
    text = json.dumps(item, ensure_ascii=False)[:MAX_KEPT]
    text = text.encode("utf-8", "backslashreplace").decode()
    code = error.hint or error.code
    return Quarantined(Rejection(_place(packet, number), code, error.message), text)


def _read(item: Any, packet: Packet, place: str) -> tuple[Candidate, list[Problem]]:
    """Read one candidate.

    Raises:
        InvalidInputError: it is none; the hint is the code if its shape was right.
    """
    require_text(item)
    try:
        out = CandidateOut.model_validate(item)
    except ValidationError as error:
        raise InvalidInputError(describe(error, _FIELDS)) from error
    if out.object is None and out.act != "retract":
        raise InvalidInputError("the field object is missing")
    predicate = _predicate(out.predicate, packet)
    if predicate is None:
        raise InvalidInputError("the predicate was not offered", hint="unknown_predicate")
    number = _number(out.message, "m")
    turn = packet.turn(number) if number is not None else None
    if turn is None:
        raise InvalidInputError("the message is none of those given", hint="unknown_message")
    notes: list[Problem] = []
    start, end = (check_date(name, getattr(out, name), out.time_text, turn, out.quote)
                  for name in ENDS)  # fmt: skip
    notes += [Problem(place, *dated.note[:1], "warn", dated.note[1])
              for dated in (start, end) if dated.note]  # fmt: skip
    said = _tag(out, packet, place, notes) if _is_tag(out, predicate) else out.object
    candidate = Candidate(
        predicate.name,
        (Quote(turn.episode, text=out.quote),),
        subject=_subject(out.subject, turn),
        object=_object_of(said, out, predicate, turn),
        value=said,
        is_literal=predicate.object_kind == "literal",
        act=out.act or "assert",
        target=_target(out, packet),
        rank=_rank(out, place, notes),
        confidence=out.confidence,
        valid_from=start.when,
        valid_to=end.when,
        attributed_to=_naming(out.attributed_to),
        is_inferred=bool(out.inferred),
        sensitivity="sensitive" if out.sensitive else "normal",
        is_tentative=start.needs_person or end.needs_person,
        place=place,
    )
    if candidate.object is not None:
        candidate = replace(candidate, value=None)
    return candidate, notes


def _predicate(name: str, packet: Packet) -> Predicate | None:
    key = name.strip().casefold()
    for one in packet.predicates:
        if key in (one.name.casefold(), *map(str.casefold, one.aliases)):
            return one
    return None


def _number(given: int | str, letter: str) -> int | None:
    if isinstance(given, int):
        return given
    match = _NUMBER.match(given.strip())
    is_ours = match and (given.strip()[0] in (letter, *"0123456789"))
    return int(match[1]) if match and is_ours else None


def _target(out: CandidateOut, packet: Packet) -> str | None:
    """Give the fact that is meant; one that was not offered stays what it is, and is unknown."""
    if out.target is None:
        return None
    number = _number(out.target, "f")
    fact = packet.fact(number) if number is not None else None
    return fact or f"not offered: {out.target}"[:80]


def _subject(name: str | None, turn: Heard) -> Naming | None:
    naming = _naming(name)
    if naming is None and turn.role != "assistant" and (name or "").strip().casefold() in _AGENT:
        return Naming((name or "").strip(), "agent")
    return naming


def _naming(name: str | None) -> Naming | None:
    if name is None or name.strip().casefold() in SPEAKER_WORDS | _AGENT or not name.strip():
        return None
    return Naming(name.strip())


def _object_of(
    said: str | None, out: CandidateOut, predicate: Predicate, turn: Heard
) -> Naming | None:
    """Take an object as a name of a kind only where the predicate knows that kind.

    Other names of it count only if the message has them.
    """
    if said is None or predicate.object_kind == "literal":
        return None
    text = bare(turn.text)
    aliases = tuple(
        name.strip() for name in out.object_aliases or () if stands_in(bare(name), text)
    )
    kind = (out.object_kind or "").strip().lower()
    if kind and kind in predicate.object_kinds:
        return Naming(said.strip(), kind, aliases)
    if aliases and predicate.object_kind == "entity":
        return Naming(said.strip(), None, aliases)
    return None


def _is_tag(out: CandidateOut, predicate: Predicate) -> bool:
    """Tell whether an object is a tag: it is called one, or the predicate takes it for one."""
    kind = (out.object_kind or "").strip().lower()
    if kind not in predicate.object_kinds:
        kind = next(iter(predicate.object_kinds), "")
    return bool(out.object) and kind == "tag" and predicate.object_kind != "literal"


def _tag(out: CandidateOut, packet: Packet, place: str, notes: list[Problem]) -> str:
    """Give a tag its normal form, and the name of the offered one that it is (E8, E9, T1-T6)."""
    assert out.object is not None
    tag = canonical_tag(out.object) or out.object
    offered = [name for _, name in packet.tags]
    if (known := same_tag(tag, offered)) is not None:
        return known
    if any(is_near(tag, name) for name in offered):
        notes.append(Problem(place, "W5", "warn", "a new tag, much like one that is in use"))
    return tag


def _rank(out: CandidateOut, place: str, notes: list[Problem]) -> int | None:
    """Take a rank only where the quote has its ordering words (C11)."""
    if out.rank is None or out.rank in said_ranks(out.quote):
        return out.rank
    notes.append(Problem(place, "rank_not_said", "warn", "no ordering word gives that rank"))
    return None
