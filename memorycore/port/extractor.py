"""What is asked of an extractor: it reads turns and proposes candidates, nothing else."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from memorycore.model.candidate import Candidate, Problem, Quarantined
from memorycore.model.heard import Heard
from memorycore.model.predicate import Predicate
from memorycore.model.spent import Spent


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a store knows that helps to read turns: none of it is evidence.

    ``before`` are the last turns before; ``facts`` the nearest facts as (id, text); ``tags`` the
    nearest tags by name; ``current_date`` is the day of the run, from which no time counts;
    ``recent`` are the newest facts as texts, and ``is_agent`` tells whose memory it is.
    """

    before: tuple[Heard, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    tags: tuple[str, ...] = ()
    predicates: tuple[Predicate, ...] = ()
    current_date: str = ""
    recent: tuple[str, ...] = ()
    is_agent: bool = False


@dataclass(slots=True)
class Extracted:
    """What an extractor gives for some turns, and how many of them gave nothing.

    ``problems`` tell what was left out of a candidate, and which turns could not be read;
    ``unread`` counts those turns, of which nobody knows what they hold.
    """

    candidates: list[Candidate] = field(default_factory=list)
    quarantined: list[Quarantined] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    turns: int = 0
    silent: int = 0
    unread: int = 0
    spent: Spent = field(default_factory=Spent)


class Reader(Protocol):
    """Takes turns, ``page`` of them at a time.

    ``needs_surroundings`` says whether it wants to know what is around them.
    """

    name: str
    version: str
    page: int
    needs_surroundings: bool


class Extractor(Reader, Protocol):
    """Reads turns and proposes candidates.

    It may raise ModelError; what it gave before is kept.
    """

    def extract(self, turns: Sequence[Heard], around: Surroundings) -> Iterator[Extracted]:
        """Propose candidates from turns, in one or more parts."""
