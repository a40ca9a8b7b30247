"""The additive output of Mem0, ``{"memory": [...]}``: free texts that are only ever added.

They quote nothing. Their evidence is the only new message of a packet, or those of several that
share most words with them; where none does they have none. All of them wait for a person. Problems
are named by the rules of that form (M0).
"""

import json
import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memorycore.errors import InvalidInputError, InvalidTimeError
from memorycore.exchange.reading import describe, require_text
from memorycore.model.candidate import AskedLink, Candidate, Problem, Quarantined, Quote
from memorycore.model.draft import Rejection
from memorycore.model.heard import Heard
from memorycore.model.packet import Packet
from memorycore.model.phrase import TimePhrase, find_time_phrases
from memorycore.model.stopword import ENGLISH
from memorycore.model.time import DAY, Moment, parse_moment
from memorycore.model.word import CJK, fold, plain, split_words

MAX_WORDS = 100
MAX_TEXT_LENGTH = 2000
MAX_LINKS = 32
NEAR_DAYS = 31
"""Within so many days of the day of a run a time may have been counted from it."""
MAX_RESTS = 4
"""A memory that could rest on more turns than this names none of them."""
PREDICATES = {"user": "note", "assistant": "recommended"}
"""What a memory becomes, by whom it is attributed to."""

_NO_TURNS = "no turns are named: --session or --since says which it rests on, or its packet"
_WORD = re.compile(rf"[{CJK}]{{1,2}}|[^\W_]+(?:['’-][^\W_]+)*")
_UNPLACED = re.compile(
    r"\b(?:recently|lately|yesterday|today|tomorrow|tonight|just now|nowadays"
    r"|(?:last|next|this) (?:week|month|year|night|weekend|summer|winter|spring|autumn|fall"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday))\b"
    r"|最近|近来|昨天|昨日|今天|明天|前天|后天|刚才|刚刚|去年|今年|明年|[上下这本]个?[周月星]"
)
_SHARED = re.compile(
    r"\b(?:user|they|he|she)\b.{0,20}\b(?:shared|uploaded|sent|provided|pasted)\b"
    r".{0,20}\b(?:document|file|text|article|case|link|image|table)s?\W*\Z"
    r"|用户.{0,6}(?:分享|上传|发送|提供|粘贴|发)了?.{0,8}"
    r"(?:文档|文件|文章|案例|链接|图片|表格)\W*\Z"
)


class MemoryOut(BaseModel):
    """One memory of the form."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)

    id: str
    text: Annotated[str, Field(min_length=1, max_length=MAX_TEXT_LENGTH)]
    attributed_to: Literal["user", "assistant"]
    linked_memory_ids: Annotated[list[str], Field(max_length=MAX_LINKS)] | None = None


def additive_schema(packet: Packet) -> dict[str, Any]:
    """Give the JSON Schema of an additive answer; links are to what the packet offers only."""
    text = {"type": "string"}
    offered = [str(number) for number in range(len(packet.facts))]
    link = text | {"enum": offered} if offered else text
    fields = {
        "id": text,
        "text": text,
        "attributed_to": text | {"enum": list(PREDICATES)},
        "linked_memory_ids": {"type": "array", "items": link},
    }
    return _object({"memory": {"type": "array", "items": _object(fields)}})


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def read_additive_items(
    items: list[Any], packet: Packet, *, strict: bool = True
) -> tuple[list[Candidate], list[Quarantined], list[Problem]]:
    """Read the items; one that breaks a rule of shape is set aside, and a lesser fault noted.

    Without ``strict`` an id may be a number.
    """
    candidates: list[Candidate] = []
    quarantined: list[Quarantined] = []
    problems: list[Problem] = []
    first = packet.turns[0].episode if packet.turns else "model"
    seen: set[str] = set()
    for number, item in enumerate(items):
        place = f"{first} memory {number}"
        try:
            memory = _read(item, strict=strict)
        except InvalidInputError as error:
            text = json.dumps(item, ensure_ascii=False)[: 2 * MAX_TEXT_LENGTH]
            text = text.encode("utf-8", "backslashreplace").decode()
            quarantined.append(Quarantined(Rejection(place, "M0-2", error.message), text))
            continue
        if memory.id != str(number):
            problems.append(Problem(place, "M0-2", "warn", "ids do not count from 0"))
        key = plain(memory.text)
        if key in seen:
            problems.append(Problem(place, "M0-7", "warn", "the same text stands there already"))
            continue
        seen.add(key)
        problems += _notes(memory, packet, place)
        candidates.append(_candidate(memory, packet, place, problems))
    return candidates, quarantined, problems


def _read(item: Any, *, strict: bool) -> MemoryOut:
    require_text(item)
    is_number = isinstance(item, dict) and type(item.get("id")) is int
    if is_number and not strict:
        item = item | {"id": str(item["id"])}
    try:
        memory = MemoryOut.model_validate(item)
    except ValidationError as error:
        raise InvalidInputError(describe(error, list(MemoryOut.model_fields))) from error
    if not memory.text.strip():
        raise InvalidInputError("text is empty")
    return memory


def _notes(memory: MemoryOut, packet: Packet, place: str) -> list[Problem]:
    notes = []
    if len(_WORD.findall(memory.text)) > MAX_WORDS:
        notes.append(Problem(place, "M0-length", "warn", f"more than {MAX_WORDS} words"))
    if _UNPLACED.search(fold(memory.text)):
        notes.append(Problem(place, "M0-5", "warn", "a relative time was left unresolved"))
    elif _is_by_current_date(memory.text, packet):
        notes.append(Problem(place, "M0-5", "warn", "a time was counted from the day of the run"))
    if _SHARED.search(fold(memory.text)):
        notes.append(Problem(place, "M0-9", "warn", "says that something was shared, not what"))
    return notes


def _is_by_current_date(text: str, packet: Packet) -> bool:
    """Tell whether a memory names a time near the day of the run that no message has named.

    That is told only where the conversation lies well before that day.
    """
    observed, current = _day(packet.observation_date), _day(packet.current_date)
    if observed is None or current is None or current.from_ - observed.to < 2 * NEAR_DAYS * DAY:
        return False
    said = [phrase.moment for turn in packet.turns for phrase in _phrases(turn.text, turn.said_at)]
    for phrase in _phrases(text, None):
        near = phrase.moment
        if near is None or abs(near.from_ - current.from_) > NEAR_DAYS * DAY:
            continue
        if all(one is None or one.to <= near.from_ or near.to <= one.from_ for one in said):
            return True
    return False


def _phrases(text: str, said_at: Moment | None) -> tuple[TimePhrase, ...]:
    return find_time_phrases(text, said_at=said_at)


def _day(text: str | None) -> Moment | None:
    try:
        return None if text is None else parse_moment(text)
    except InvalidTimeError:
        return None


def _candidate(memory: MemoryOut, packet: Packet, place: str, problems: list[Problem]) -> Candidate:
    quotes = tuple(Quote(turn.episode) for turn in _rests_on(memory.text, packet.turns))
    if not quotes:
        why = "no message shares its words" if packet.turns else _NO_TURNS
        problems.append(Problem(place, "M0-evidence", "warn", why))
    links = []
    for given in dict.fromkeys(memory.linked_memory_ids or ()):
        number = given.strip().removeprefix("f")
        is_number = number.isascii() and number.isdecimal() and len(number) < 4
        fact = packet.fact(int(number)) if is_number else None
        if fact is None:
            problems.append(Problem(place, "M0-link", "warn", "a link to what was not offered"))
        else:
            links.append(AskedLink("RELATED_TO", fact))
    return Candidate(
        PREDICATES[memory.attributed_to],
        quotes,
        value=memory.text.strip(),
        is_literal=True,
        is_tentative=True,
        links=tuple(links),
        place=place,
    )


def _rests_on(text: str, turns: Sequence[Heard]) -> list[Heard]:
    """Choose the turns that a memory rests on: the only one, or those that share most with it."""
    if len(turns) <= 1:
        return list(turns)
    words = _telling(text)
    shared = [len(words & _telling(turn.text)) for turn in turns]
    most = max(shared)
    best = [turn for turn, count in zip(turns, shared, strict=True) if count == most]
    return best if most and len(best) <= MAX_RESTS else []


def _telling(text: str) -> set[str]:
    """Give the words of a text that could tell where it comes from."""
    return {word for word in split_words(text) if len(word) > 1 and word not in ENGLISH}
