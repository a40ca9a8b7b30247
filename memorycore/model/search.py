"""What a search is asked and what it answers."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from memorycore.model.episode import Episode
from memorycore.model.fact import Fact

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
    as_of: str | None = None
    known_at: str | None = None
    predicate: str | None = None
    entity: str | None = None
    include: tuple[str, ...] = ()
    min_confidence: float | None = None

    @property
    def is_about_facts(self) -> bool:
        """Whether it asks for what only facts have."""
        return not (self.predicate is None and self.entity is None and self.min_confidence is None)

    @property
    def is_about_episodes(self) -> bool:
        """Whether it asks for what only episodes have."""
        return bool(self.session or self.roles or self.since or self.until)


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

    score = min(1, (sum of the parts + ``session``) / ``ideal`` × each factor); ``session`` is what
    the turns of its session, taken together, add.
    """

    episode: Episode
    score: float
    parts: tuple[Part, ...] = ()
    factors: tuple[tuple[str, float], ...] = ()
    ideal: float = 1.0
    session: float = 0.0

    @property
    def text(self) -> str:
        return self.episode.text

    def to_dict(self) -> dict[str, Any]:
        """Give the hit in the shape of ``memorycore.search.v1``."""
        shape = {"kind": "episode"} | self.episode.to_dict() | {"score": round(self.score, 4)}
        if self.parts:
            shape["why"] = {
                "parts": {part.label: round(part.score, 4) for part in self.parts},
                "own": {part.label: round(part.own, 4) for part in self.parts},
                "session": round(self.session, 4),
                "ideal": round(self.ideal, 4),
                "factors": dict(self.factors),
            }
        return shape


@dataclass(slots=True)
class FactHit:
    """A fact that answers, with its score in 0…1."""

    fact: Fact
    score: float

    @property
    def text(self) -> str:
        return self.fact.text

    def to_dict(self) -> dict[str, Any]:
        """Give the hit in the shape of ``memorycore.search.v1``."""
        return self.fact.to_dict() | {"score": round(self.score, 4)}


@dataclass(slots=True)
class SearchResult:
    """The hits of one page, best first, and the cursor of the next page if there is one.

    ``facts`` are what is believed, ``hits`` the episodes; going through a result gives facts first.
    ``past`` counts facts that fit but did not hold at the time that was asked about. ``words`` are
    the words that were looked for; empty when the question holds none.
    """

    hits: tuple[Hit, ...]
    next: str | None = None
    words: tuple[str, ...] = ()
    request: SearchRequest | None = None
    facts: tuple[FactHit, ...] = ()
    past: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Give the result in the shape of ``memorycore.search.v1``."""
        return {
            "schema": "memorycore.search.v1",
            "ok": True,
            "query": self.request.query if self.request else None,
            "scope": list(self.request.scopes) if self.request else [],
            "as_of": self.request.as_of if self.request else None,
            "known_at": self.request.known_at if self.request else None,
            "facts": [hit.to_dict() for hit in self.facts],
            "episodes": [hit.to_dict() for hit in self.hits],
            "next": self.next,
            "truncated": False,
            "warnings": [] if self.words else ["the query holds no word to look for"],
        }

    def __iter__(self) -> Iterator[FactHit | Hit]:
        return iter((*self.facts, *self.hits))

    def __len__(self) -> int:
        return len(self.facts) + len(self.hits)

    def __getitem__(self, at: int) -> FactHit | Hit:
        answers: tuple[FactHit | Hit, ...] = (*self.facts, *self.hits)
        return answers[at]
