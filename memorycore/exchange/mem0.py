"""Mem0's point dump (shape MX-1): one point a line, with the memory in its payload."""

from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from memorycore.errors import InvalidInputError
from memorycore.exchange.episode_line import read_time, write_meta
from memorycore.exchange.reading import describe
from memorycore.model.draft import Draft


class Payload(BaseModel):
    """What Mem0 keeps of a memory. Other keys are kept as metadata."""

    model_config = ConfigDict(strict=True, extra="allow", frozen=True)

    data: str
    hash: str | None = None
    created_at: str | None = None
    conv_id: str | None = None


class Point(BaseModel):
    """A line of the dump."""

    model_config = ConfigDict(strict=True, extra="allow", frozen=True)

    id: str | int
    payload: Payload | None


def read_point(record: Any, *, time_zone: str, place: str, source: str) -> Draft:
    """Read one point as an episode.

    Its hash, as ``mem:<hash>``, is the id at the source; a point without one is known by its point
    id. The time is the memory's own; the time of the export is never taken for it.

    Raises:
        InvalidInputError: it is of another shape, or has no payload.
    """
    try:
        point = Point.model_validate(record)
    except ValidationError as error:
        raise InvalidInputError(describe(error, ["id", "payload"])) from error
    payload = point.payload
    if payload is None:
        raise InvalidInputError("the payload is null: the point holds no memory")
    kept = {"point": {"id": point.id, **(point.model_extra or {})}}
    if payload.model_extra:
        kept["payload"] = payload.model_extra
    return Draft(
        payload.data,
        "document",
        None,
        payload.conv_id or None,
        occurred=read_time(payload.created_at, time_zone=time_zone),
        source=source,
        external_id=f"mem:{payload.hash}" if payload.hash else f"point:{point.id}",
        meta=write_meta(kept),
        place=place,
    )
