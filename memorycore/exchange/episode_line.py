"""Our own episode format: one JSON object a line, of which only ``text`` is needed."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memorycore.errors import InvalidInputError, InvalidTimeError
from memorycore.exchange.reading import describe
from memorycore.model.draft import ROLE_ALIASES, Draft, Rejection
from memorycore.model.episode import ROLES
from memorycore.model.scope import parse_scope
from memorycore.model.time import Moment, parse_moment


class EpisodeIn(BaseModel):
    """One message or event, as it comes in."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    text: Annotated[str, Field(description="What was said or happened, verbatim.")]
    role: Annotated[str, Field(description="user, assistant, system, tool, event or document.")] = (
        "user"
    )
    speaker: Annotated[str | None, Field(description="Who said it, by name.")] = None
    at: Annotated[
        str | None, Field(description="When, in ISO 8601; absent or null is unknown.")
    ] = None
    session: Annotated[str | None, Field(description="The conversation it belongs to.")] = None
    scope: Annotated[str | None, Field(description="Whose memory, such as user:ana.")] = None
    source: Annotated[str | None, Field(description="Where it was taken from.")] = None
    external_id: Annotated[str | None, Field(description="Its id at the source.")] = None
    meta: Annotated[
        dict[str, Any] | None, Field(description="Anything else worth keeping; not searched.")
    ] = None


MAX_META_DEPTH = 32
MAX_META_LENGTH = 200_000

_FIELDS = list(EpisodeIn.model_fields)
_KNOWN_ROLES = {role: role for role in ROLES} | ROLE_ALIASES


def read_role(text: str) -> str:
    """Read a role, by one of our names or a common other one.

    Raises:
        InvalidInputError: it is unknown.
    """
    role = _KNOWN_ROLES.get(text) or _KNOWN_ROLES.get(text.strip().lower())
    if role is None:
        raise InvalidInputError(f"unknown role; known ones are {', '.join(ROLES)}")
    return role


def read_time(text: str | None, *, time_zone: str) -> Moment | None:
    """Read a time, or ``None`` for an unknown one.

    Raises:
        InvalidInputError: the text is no time.
    """
    if text is None:
        return None
    try:
        return parse_moment(text, zone=time_zone)
    except InvalidTimeError as error:
        raise InvalidInputError(
            "at is no ISO 8601 time; leave it out when it is unknown"
        ) from error


def _is_flat_enough(value: Any, left: int) -> bool:
    if isinstance(value, Mapping):
        value = value.values()
    elif not isinstance(value, (list, tuple)):
        return True
    return left > 0 and all(_is_flat_enough(part, left - 1) for part in value)


def write_meta(meta: Mapping[str, Any] | None) -> str | None:
    """Write metadata as compact JSON, or ``None`` for none.

    Raises:
        InvalidInputError: it holds something that JSON cannot.
    """
    if not meta:
        return None
    if not _is_flat_enough(meta, MAX_META_DEPTH):
        raise InvalidInputError(f"meta is nested deeper than {MAX_META_DEPTH}")
    try:
        text = json.dumps(meta, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInputError("meta holds something that is not JSON") from error
    if len(text) > MAX_META_LENGTH:
        raise InvalidInputError(f"meta is longer than {MAX_META_LENGTH} characters as JSON")
    return text


def read_episode(item: Any, *, time_zone: str, place: str, source: str | None = None) -> Draft:
    """Read one record of the format.

    Raises:
        InvalidInputError: it is of another shape; the message names the field.
    """
    try:
        line = EpisodeIn.model_validate(item)
    except ValidationError as error:
        raise InvalidInputError(describe(error, _FIELDS)) from error
    return Draft(
        line.text,
        read_role(line.role),
        None if line.scope is None else parse_scope(line.scope),
        line.session,
        line.speaker,
        read_time(line.at, time_zone=time_zone),
        line.source or source,
        line.external_id,
        write_meta(line.meta),
        place,
    )


def read_items(
    items: Iterable[Draft | Mapping[str, Any]], *, time_zone: str
) -> Iterator[Draft | Rejection]:
    """Read records given by a program; each that cannot be read becomes a rejection."""
    for number, item in enumerate(items, 1):
        if isinstance(item, Draft):
            yield item
            continue
        place = f"item {number}"
        try:
            yield read_episode(item, time_zone=time_zone, place=place)
        except InvalidInputError as error:
            yield Rejection(place, error.code, error.message)
