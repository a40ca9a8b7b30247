"""Look: find a record by the start of its id, and read the two axes of a question."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from memorycore.errors import AmbiguousIdError, NotFoundError
from memorycore.model.identity import format_id
from memorycore.model.time import parse_bound
from memorycore.store.connection import Connection
from memorycore.store.fact_reads import AsOf, last_operation_until


class HasUid(Protocol):
    """A record with an id."""

    @property
    def uid(self) -> bytes:
        """Its sixteen bytes."""


Record = TypeVar("Record", bound=HasUid)


def one_of(
    found: Sequence[Record], kind: str, asked: str, scopes: Sequence[str], *, prefix: str
) -> Record:
    """Give the one record that was found.

    Raises:
        NotFoundError: there is none.
        AmbiguousIdError: there are several.
    """
    if not found:
        raise NotFoundError(
            f"There is no {kind} {asked} in {', '.join(sorted(scopes)) or 'these scopes'}.",
            hint=_listing(kind, scopes),
        )
    if len(found) > 1:
        fits = ", ".join(format_id(prefix, one.uid) for one in found[:3])
        hint = "one more character" if asked.startswith(f"{prefix}_") else "name it by its id"
        raise AmbiguousIdError(f"{asked} fits several: {fits}", hint=hint)
    return found[0]


def _listing(kind: str, scopes: Sequence[str]) -> str:
    """Give the command that lists what could have been meant."""
    words = ["memoryctl", *_LISTED[kind].split()]
    if words[1] == "list":
        words += [word for scope in scopes for word in ("--scope", scope)]
    return shlex.join(words)


_LISTED = {
    "fact": "list facts",
    "entity": "list entities",
    "candidate": "list candidates",
    "episode": "list episodes",
    "operation": "log",
    "receipt": "receipts list",
    "plan": "forget plans",
    "suppression": "suppression list",
    "import job": "import status",
    "memory": "review-packet list",
    "queued review": "review-packet queue list",
}
"""How each kind is listed."""


@dataclass(frozen=True, slots=True)
class Unnamed:
    """A record that is known by number and id only."""

    number: int
    uid: bytes


@dataclass(frozen=True, slots=True)
class Instant:
    """The two axes of a question as they were asked, ``None`` where now is meant."""

    as_of: str | None = None
    known_at: str | None = None


def read_as_of(db: Connection, asked: Instant, *, now: int, zone: str) -> AsOf:
    """Read the two axes of a question.

    A day, month or year means its last instant: what was true, or believed, by its end.

    Raises:
        InvalidTimeError: one of them is no time.
    """
    valid_at = now if asked.as_of is None else last_instant(asked.as_of, now=now, zone=zone)
    if asked.known_at is None:
        return AsOf(valid_at)
    known_at = last_instant(asked.known_at, now=now, zone=zone)
    return AsOf(valid_at, last_operation_until(db, known_at))


def last_instant(text: str, *, now: int, zone: str) -> int:
    """Read a time of a question as an instant: the last one of the period that it names."""
    return parse_bound(text, now=now, zone=zone).to - 1
