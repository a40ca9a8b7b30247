"""One person as a store knows them: what is believed, what they said, and who names them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from memorycore.model.entity import Entity
from memorycore.model.episode import Episode
from memorycore.model.fact import Evidence, Fact, Period
from memorycore.model.review import CandidateView
from memorycore.model.review_result import ReviewRecord
from memorycore.model.time import format_instant

ROLES_IN_FACTS = ("subject", "object", "attributed", "linked")
"""How a fact can speak of somebody, the closest first."""


@dataclass(frozen=True, slots=True)
class SubjectMatch:
    """An entity that a name may mean, with how much there is of it.

    ``said`` counts what it has said; ``mentions`` the episodes of others that hold its name.
    """

    entity: Entity
    said: int
    mentions: int

    def to_dict(self) -> dict[str, Any]:
        """Give the match in the shape of the JSON outputs."""
        return self.entity.to_dict() | {"said": self.said, "mentions": self.mentions}


@dataclass(frozen=True, slots=True)
class SubjectMatches:
    """Those of just a name, and apart from them those whose name is only near it.

    ``left_out`` counts the near ones that are too many to be listed.
    """

    exact: tuple[SubjectMatch, ...]
    near: tuple[SubjectMatch, ...]
    left_out: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Give the matches in the shape of ``memorycore.subjects.v1``."""
        return {
            "schema": "memorycore.subjects.v1",
            "ok": True,
            "exact": [one.to_dict() for one in self.exact],
            "near": [one.to_dict() for one in self.near],
            "left_out": self.left_out,
        }


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A fact that speaks of somebody, with all periods that were ever believed of it.

    ``role`` says how it speaks of them: as its ``subject``, ``object``, ``attributed`` (they hold
    it), ``linked``; ``scope`` where all of a scope was asked for.
    """

    fact: Fact
    role: str
    periods: tuple[Period, ...]
    evidence: tuple[Evidence, ...]

    @property
    def now(self) -> tuple[Period, ...]:
        """The periods that are believed now; they may lie in the past."""
        if not self.fact.support:
            return ()
        return tuple(one for one in self.periods if one.known_to is None)

    @property
    def before(self) -> tuple[Period, ...]:
        """The periods that were believed once and are no longer."""
        return tuple(one for one in self.periods if one not in self.now)

    def when(self, period: Period) -> str:
        """Say for people when the fact is true in a period."""
        return replace(self.fact, period=period).when

    def to_dict(self) -> dict[str, Any]:
        """Give the fact in the shape of a line of ``facts.jsonl``."""
        shape = self.fact.to_dict()
        kept = ("id", "scope", "subject", "predicate", "object", "text", "rank", "fact_type")
        more = ("confidence", "importance", "valence", "attributed_to", "event", "pinned", "state")
        return {
            **{name: shape[name] for name in kept},
            "role": self.role,
            "now": [self._period(one) for one in self.now],
            "before": [self._period(one) for one in self.before],
            **{name: shape[name] for name in more},
            "sensitivity": self.fact.sensitivity,
            "evidence": [one.to_dict() | {"speaker": one.speaker} for one in self.evidence],
        }

    def _period(self, period: Period) -> dict[str, Any]:
        until = None if period.known_to is None else format_instant(period.known_to)
        return {
            "shown": self.when(period),
            "valid": period.to_dict(self.fact.zone),
            "known": {"from": format_instant(period.known_from), "to": until},
        }


@dataclass(frozen=True, slots=True)
class HeldEpisode:
    """An episode that belongs to what is held about somebody.

    ``why`` is ``said`` (they said it), ``evidence`` (another said it, and a fact about them rests
    on it), or ``scope`` where all of a scope was asked for.
    """

    episode: Episode
    why: str

    def to_dict(self) -> dict[str, Any]:
        """Give the episode in the shape of a line of ``episodes.jsonl``."""
        return self.episode.to_dict() | {"why": self.why}


@dataclass(frozen=True, slots=True)
class Mention:
    """What may be about somebody and may be not: a person is to decide. One of three is there.

    A near match is an entity of almost that name; an episode or a fact holds the name in its words.
    """

    entity: Entity | None = None
    episode: Episode | None = None
    fact: KnownFact | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give the mention in the shape of a line of ``mentions.jsonl``."""
        if self.entity is not None:
            return {"kind": "near_match", "entity": self.entity.to_dict()}
        if self.episode is not None:
            return {"kind": "episode", "episode": self.episode.to_dict()}
        assert self.fact is not None, "a mention is of something"
        return {"kind": "fact", "fact": self.fact.to_dict()}


@dataclass(frozen=True, slots=True)
class SubjectCounts:
    """How much there is of somebody; ``near`` and what mentions them is counted apart."""

    facts: int
    said: int
    evidence: int
    candidates: int
    near: int
    naming_episodes: int
    naming_facts: int

    @property
    def mentions(self) -> int:
        """How many lines the mentions have."""
        return self.near + self.naming_episodes + self.naming_facts

    def to_dict(self) -> dict[str, int]:
        """Give the counts in the shape of the JSON outputs."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Subject:
    """Somebody on one page. ``entity`` is ``None`` where the subject is a whole scope.

    ``facts`` and ``mentions`` are at most so many as a page holds; ``counts`` counts all.
    """

    scope: str
    entity: Entity | None
    zone: str
    made_at: int
    counts: SubjectCounts
    first_said: str | None
    last_said: str | None
    facts: tuple[KnownFact, ...]
    candidates: tuple[CandidateView, ...]
    receipts: tuple[str, ...]
    mentions: tuple[Mention, ...]
    memories: tuple[ReviewRecord, ...] = ()
    """What reviews have observed and is on trial or in conflict: believed it is a fact."""

    def __repr__(self) -> str:
        return f"<Subject {self.entity.id if self.entity else self.scope}>"

    @property
    def name(self) -> str:
        return self.scope if self.entity is None else self.entity.name

    @property
    def is_cut(self) -> bool:
        """Whether there are more facts than the page holds."""
        return len(self.facts) < self.counts.facts

    def to_dict(self) -> dict[str, Any]:
        """Give the page in the shape of ``memorycore.subject.v1``."""
        entity = self.entity
        return {
            "schema": "memorycore.subject.v1",
            "ok": True,
            "subject": {
                "id": None if entity is None else entity.id,
                "scope": self.scope,
                "kind": "scope" if entity is None else entity.kind,
                "name": self.name,
                "distinction": None if entity is None else entity.distinction or None,
                "aliases": [] if entity is None else list(entity.aliases),
            },
            "made_at": format_instant(self.made_at),
            "time_zone": self.zone,
            "counts": self.counts.to_dict(),
            "said": {
                "count": self.counts.said,
                "first": self.first_said,
                "last": self.last_said,
            },
            "facts": [one.to_dict() for one in self.facts],
            "truncated": self.is_cut,
            "candidates": [one.to_dict() for one in self.candidates],
            "memories": [one.to_dict() for one in self.memories],
            "receipts": list(self.receipts),
            "mentions": [one.to_dict() for one in self.mentions],
        }


@dataclass(frozen=True, slots=True)
class Dossier:
    """All that is held about somebody. The three lists are read anew at each call, as they go.

    ``characters`` is how long the texts of all episodes are together.
    """

    page: Subject
    facts: Callable[[], Iterator[KnownFact]]
    episodes: Callable[[], Iterator[HeldEpisode]]
    mentions: Callable[[], Iterator[Mention]]
    characters: int


@dataclass(frozen=True, slots=True)
class SubjectExport:
    """What was written about somebody. ``path`` is ``None`` where it went to a stream."""

    path: str | None
    subject: str
    counts: SubjectCounts
    size_bytes: int

    def to_dict(self) -> dict[str, Any]:
        """Give the result in the shape of ``memorycore.subject_export.v1``."""
        return {
            "schema": "memorycore.subject_export.v1",
            "ok": True,
            "file": self.path,
            "subject": self.subject,
            "bytes": self.size_bytes,
            "counts": self.counts.to_dict(),
        }
