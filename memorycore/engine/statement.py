"""Candidates that are being decided, and the statements they turn out to make."""

from dataclasses import dataclass

from memorycore.engine.observe import Sighting
from memorycore.engine.resolve import Resolved
from memorycore.model.candidate import Candidate
from memorycore.model.decision import Decision
from memorycore.model.predicate import Predicate
from memorycore.model.timeline import Observation


@dataclass(frozen=True, slots=True)
class Pending:
    """A candidate that is to be decided, with the sentences it rests on."""

    candidate_id: int
    uid: bytes
    candidate: Candidate
    proposer: str
    sightings: tuple[Sighting, ...]
    approved: bool = False
    is_new: bool = True
    into: int | None = None
    """A fact that a person wants it merged into."""
    is_stated: bool = False
    """Whether its sentences are no talk but the statement itself, as a host reports it: how
    something is said tells nothing then."""

    @property
    def spans(self) -> dict[tuple[int, int], int]:
        """Where its sentences end, by their episode and the place where they begin."""
        return {(one.turn.episode_id, one.span_from): one.span_to for one in self.sightings}


@dataclass(frozen=True, slots=True)
class Statement:
    """A candidate whose names are resolved, with what its sentences observe.

    The object is an entity, or a text (``value``) with its canonical form (``value_key``).
    """

    candidate: Candidate
    predicate: Predicate
    subject: Resolved
    object: Resolved | None
    value: str | None
    value_key: str
    attributed: Resolved | None
    observations: tuple[Observation, ...]

    @property
    def object_key(self) -> str | None:
        """What the object is known by; ``None`` for an entity that is still to be made."""
        if self.object is None:
            return literal_key(self.value_key)
        if self.object.entity_id is None:
            return None
        return entity_key(self.object.entity_id)

    @property
    def object_name(self) -> str:
        return self.object.name if self.object is not None else self.value or ""


def entity_key(entity_id: int) -> str:
    """Give what an object is known by that is an entity."""
    return f"#{entity_id}"


def literal_key(value_key: str) -> str:
    """Give what an object is known by that is a text in its canonical form."""
    return f"={value_key}"


@dataclass(frozen=True, slots=True)
class Done:
    """A decision that was carried out, and the fact that it made or strengthened."""

    decision: Decision
    fact_id: int | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """What became of a candidate, and what it says in one line."""

    pending: Pending
    decision: Decision
    fact_id: int | None
    text: str
    statement: Statement | None = None
