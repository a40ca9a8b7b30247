"""The records in Mem0's exports, as pydantic models (shapes MX-1 to MX-7)."""

import hashlib
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memorycore.errors import InvalidInputError
from memorycore.exchange.episode_line import read_time, write_meta
from memorycore.exchange.reading import describe
from memorycore.model.draft import Draft

Shape = TypeVar("Shape", bound=BaseModel)

EVENTS = frozenset(("ADD", "UPDATE", "DELETE", "NONE"))


class Payload(BaseModel):
    """What Mem0 keeps of a memory. Other keys are kept as metadata."""

    model_config = ConfigDict(strict=True, extra="allow", frozen=True)

    data: str
    hash: str | None = None
    created_at: str | None = None
    conv_id: str | None = None


class Point(BaseModel):
    """A line of the dump (MX-1)."""

    model_config = ConfigDict(strict=True, extra="allow", frozen=True)

    id: str | int
    payload: Payload | None


class MemoryRow(BaseModel):
    """A memory as the interfaces give it and the import takes it (MX-2 to MX-5, MX-7).

    Of times any value is taken: one that cannot be read is told, and the memory is kept. Other keys
    are kept as metadata.
    """

    model_config = ConfigDict(strict=True, extra="allow", frozen=True)

    id: str | int | None = None
    memory: str | None = None
    text: str | None = None
    content: str | None = None
    hash: str | None = None
    created_at: Any = None
    updated_at: Any = None
    run_id: str | int | None = None
    metadata: dict[str, Any] | None = None
    event: str | None = None
    previous_memory: str | None = None
    old_memory: str | None = None

    @property
    def said(self) -> str | None:
        """Give the text of the memory, by whichever name it stands."""
        return next((one for one in (self.memory, self.text, self.content) if one), None)

    @property
    def replaced(self) -> str | None:
        """Give the text that stood there before."""
        return self.previous_memory or self.old_memory


class HistoryRow(BaseModel):
    """A row of Mem0's history of changes (MX-6)."""

    model_config = ConfigDict(strict=True, extra="allow", frozen=True)

    id: str | int | None = None
    memory_id: str | int
    old_memory: str | None = None
    new_memory: str | None = None
    event: str
    created_at: Any = None
    updated_at: Any = None
    actor_id: str | None = None
    role: str | None = None


class Relation(BaseModel):
    """An edge of Mem0's graph, beside the result of an add (MX-7)."""

    model_config = ConfigDict(strict=True, extra="allow", frozen=True)

    source: str = Field(min_length=1)
    relationship: str = Field(min_length=1)
    destination: str | None = None
    target: str | None = None


def read_shape(shape: type[Shape], record: Any) -> Shape:
    """Read a record as one of the models.

    Raises:
        InvalidInputError: it is of another shape; the message names the field.
    """
    try:
        return shape.model_validate(record)
    except ValidationError as error:
        raise InvalidInputError(describe(error, list(shape.model_fields))) from error


def hash_of(text: str) -> str:
    """Give the hash that Mem0 itself gives a text: the MD5 of its UTF-8."""
    return hashlib.md5(text.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()


def read_point(record: Any, *, time_zone: str, place: str, source: str) -> Draft:
    """Read one point as an episode.

    Its hash, as ``mem:<hash>``, is the id at the source; one without has the MD5 of its text, which
    is how Mem0 makes them. The time is the memory's own; that of the export is never taken for it.

    Raises:
        InvalidInputError: it is of another shape, or has no payload.
    """
    point = read_shape(Point, record)
    if point.payload is None:
        raise InvalidInputError("the payload is null: the point holds no memory")
    moment = read_time(point.payload.created_at, time_zone=time_zone)
    draft = draft_of_point(point, point.payload, place=place, source=source)
    draft.occurred = moment
    return draft


def draft_of_point(point: Point, payload: Payload, *, place: str, source: str) -> Draft:
    """Give a point as an episode, without its time."""
    kept: dict[str, Any] = {"point": {"id": point.id, **(point.model_extra or {})}}
    if payload.model_extra:
        kept["payload"] = payload.model_extra
    return Draft(
        payload.data,
        "document",
        None,
        payload.conv_id or None,
        source=source,
        external_id=f"mem:{payload.hash or hash_of(payload.data)}",
        meta=write_meta(kept),
        place=place,
    )


def shape_of_record(record: Any) -> str | None:
    """Tell the shape of one record by its keys: MX-1, MX-6, MX-7, or MX-5 for any other memory."""
    if not isinstance(record, Mapping):
        return None
    if "payload" in record:
        return "MX-1"
    is_change = isinstance(record.get("event"), str) and record["event"].upper() in EVENTS
    if "memory_id" in record and is_change:
        return "MX-6"
    if not any(isinstance(record.get(key), str) for key in ("memory", "text", "content")):
        return None
    return "MX-7" if is_change else "MX-5"
