"""What a search is asked and what it answers."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from memorycore.model.episode import Episode

MAX_LIMIT = 1000
MAX_QUERY_LENGTH = 100_000


@dataclass(slots=True)
class SearchRequest:
    """A question to the episodes of some scopes.

    ``since`` and ``until`` are times as they were given, read in ``zone``; ``now`` is the instant,
    in microseconds UTC, from which relative ones count on a first page.
    """

    query: str
    scopes: tuple[str, ...]
    limit: int = 10
    cursor: str | None = None
    session: str | None = None
    roles: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None
    zone: str = "UTC"
    now: int = 0
    explain: bool = False


@dataclass(slots=True)
class Part:
    """What one clause of the question gave a hit.

    ``score`` counts the neighbouring turns' words too; ``own`` only the hit's own.
    """

    label: str
    score: float
    own: float


@dataclass(slots=True)
class Hit:
    """An episode that answers, with its score in 0…1 and, if asked for, how it came about.

    score = min(1, sum of the parts / ``ideal`` × each factor).
    """

    episode: Episode
    score: float
    parts: tuple[Part, ...] = ()
    factors: tuple[tuple[str, float], ...] = ()
    ideal: float = 1.0

    def to_dict(self) -> dict[str, Any]:
        """Give the hit in the shape of ``memorycore.search.v1``."""
        shape = self.episode.to_dict() | {"score": round(self.score, 4)}
        if self.parts:
            shape["why"] = {
                "parts": {part.label: round(part.score, 4) for part in self.parts},
                "own": {part.label: round(part.own, 4) for part in self.parts},
                "ideal": round(self.ideal, 4),
                "factors": dict(self.factors),
            }
        return shape


@dataclass(slots=True)
class SearchResult:
    """The hits of one page, best first, and the cursor of the next page if there is one.

    ``words`` are the words that were looked for; empty when the question holds none.
    """

    hits: tuple[Hit, ...]
    next: str | None = None
    words: tuple[str, ...] = ()
    request: SearchRequest | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give the result in the shape of ``memorycore.search.v1``."""
        return {
            "schema": "memorycore.search.v1",
            "ok": True,
            "query": self.request.query if self.request else None,
            "scope": list(self.request.scopes) if self.request else [],
            "as_of": None,
            "known_at": None,
            "episodes": [hit.to_dict() for hit in self.hits],
            "next": self.next,
            "truncated": False,
            "warnings": [] if self.words else ["the query holds no word to look for"],
        }

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, at: int) -> Hit:
        return self.hits[at]
