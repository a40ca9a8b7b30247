"""The memory export that claims are drawn from: one memory item a line (seed 000, I1-I5)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memorycore.errors import InvalidInputError, InvalidTimeError
from memorycore.exchange.reading import describe, parse_json
from memorycore.model.candidate import Problem
from memorycore.model.time import parse_moment

NonEmpty = Annotated[str, Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class Item:
    """A memory item: what a claim's evidence must link to and repeat word for word."""

    point_id: str
    memory_item_id: str
    scene_id: str
    conv_id: str
    created_at: str | None
    exported_at: str | None
    text: str
    place: str = field(default="", compare=False)


class _Payload(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)

    scene_id: NonEmpty
    character_id: NonEmpty
    conv_id: NonEmpty
    user_id: NonEmpty
    agent_id: NonEmpty
    data: NonEmpty
    hash: NonEmpty
    created_at: str | None = None


class _Line(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)

    id: NonEmpty
    payload: _Payload
    exported_at: str | None = None


def read_items(
    lines: Iterable[tuple[str, bytes]], *, given: Mapping[str, str] | None = None
) -> tuple[list[Item], list[Problem]]:
    """Read the lines of an export, each with its place.

    ``given`` holds what the caller says of all of them, such as ``scene_id`` (I4). A memory that
    stands under several points is an item for each of them, for evidence may name any.
    """
    items: list[Item] = []
    problems: list[Problem] = []
    for place, raw in lines:
        read = _read_item(place, raw, given or {})
        if isinstance(read, Item):
            items.append(read)
        else:
            problems.append(read)
    kept, clashes = _by_hash(items)
    return kept, problems + clashes


def _read_item(place: str, raw: bytes, given: Mapping[str, str]) -> Item | Problem:
    try:
        record = parse_json(raw.strip())
    except InvalidInputError as error:
        reason = error.message if raw.strip() else "the line is blank"
        return Problem(place, "I1", "reject", reason)
    if not isinstance(record, dict):
        return Problem(place, "I1", "reject", "the line is no JSON object")
    try:
        line = _Line.model_validate(record)
    except ValidationError as error:
        is_id = any(part["loc"][:1] == ("id",) for part in error.errors(include_input=False))
        reason = describe(error, list(_Line.model_fields))
        return Problem(place, "I2" if is_id else "I3", "reject", reason)
    payload = line.payload
    time = payload.created_at if payload.created_at is not None else line.exported_at
    if time is not None and not _is_time(time):
        return Problem(place, "I3", "reject", "the time is not in ISO 8601")
    values: dict[str, Any] = payload.model_dump()
    for name, value in given.items():
        if values.get(name) != value:
            return Problem(place, "I4", "reject", f"payload.{name} is not the one that was given")
    return Item(
        line.id,
        f"mem:{payload.hash}",
        payload.scene_id,
        payload.conv_id,
        payload.created_at,
        line.exported_at,
        payload.data,
        place,
    )


def _is_time(text: str) -> bool:
    try:
        parse_moment(text)
    except InvalidTimeError:
        return False
    return True


def _by_hash(items: list[Item]) -> tuple[list[Item], list[Problem]]:
    """Hold that a hash names one memory; which of two different ones it means, nobody can tell."""
    texts: dict[str, set[str]] = defaultdict(set)
    for item in items:
        texts[item.memory_item_id].add(item.text)
    kept: dict[Item, None] = {}
    seen: set[str] = set()
    problems = []
    for item in items:
        if len(texts[item.memory_item_id]) > 1:
            reason = "payload.hash stands at items with different data"
            problems.append(Problem(item.place, "I5", "reject", reason))
            continue
        if item.memory_item_id in seen:
            reason = "the memory stands in the export already"
            problems.append(Problem(item.place, "I5", "merge", reason))
        seen.add(item.memory_item_id)
        kept.setdefault(item)
    return list(kept), problems
