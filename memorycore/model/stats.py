"""Counts of what is in a store."""

from dataclasses import dataclass
from typing import Any

from memorycore.model.time import format_instant


@dataclass(frozen=True, slots=True)
class ScopeStats:
    """Counts of one scope."""

    name: str
    sessions: int
    episodes: int
    facts: int = 0


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts of a store. Only what may be seen is counted; times are microseconds UTC.

    ``pending`` counts candidates that no one has decided on, ``reviews`` those that wait for a
    person.
    """

    schema: int
    episodes: int
    with_time: int
    first_at: int | None
    last_at: int | None
    operations: int
    file_bytes: int
    time_zone: str
    language: str
    scopes: tuple[ScopeStats, ...]
    facts: int = 0
    entities: int = 0
    pending: int = 0
    reviews: int = 0
    predicates: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Give the counts in the shape of ``memorycore.stats.v1``."""
        return {
            "schema": "memorycore.stats.v1",
            "ok": True,
            "store_schema": self.schema,
            "episodes": self.episodes,
            "without_time": self.episodes - self.with_time,
            "first_at": None if self.first_at is None else format_instant(self.first_at),
            "last_at": None if self.last_at is None else format_instant(self.last_at),
            "facts": self.facts,
            "entities": self.entities,
            "candidates": self.pending,
            "reviews": self.reviews,
            "predicates": self.predicates,
            "operations": self.operations,
            "file_bytes": self.file_bytes,
            "time_zone": self.time_zone,
            "language": self.language,
            "scopes": [
                {
                    "name": scope.name,
                    "sessions": scope.sessions,
                    "episodes": scope.episodes,
                    "facts": scope.facts,
                }
                for scope in self.scopes
            ],
        }
