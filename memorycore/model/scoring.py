"""How good proposals are: counted against labels of what a careful reader keeps.

A label says what is wanted (``expect``) and what is neither wanted nor wrong (``allow``). Objects
are equal in their canonical form; other acceptable objects, predicates and dates are part of a
label. Dates count only where a label gives them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from memorycore.model.candidate import Candidate, When
from memorycore.model.draft import Draft
from memorycore.model.time import format_moment
from memorycore.model.value import canonical_value

__all__ = ["Counts", "Judgement", "Label", "Labelled", "Score", "Wanted", "judge", "score"]

_NOT_JUDGED = frozenset({"note", "recommended", "feels_about_agent"})


@dataclass(frozen=True, slots=True)
class Wanted:
    """A fact as a label gives it; empty dates are not judged. ``shown`` is its first object."""

    predicates: tuple[str, ...]
    objects: frozenset[str]
    act: str = "assert"
    rank: int | None = None
    valid_from: frozenset[str] = frozenset()
    valid_to: frozenset[str] = frozenset()
    shown: str = ""

    def accepts(self, candidate: Candidate) -> bool:
        """Say whether a candidate states it."""
        name = candidate.object.name if candidate.object else candidate.value or ""
        if candidate.predicate not in self.predicates or canonical_value(name) not in self.objects:
            return False
        return (
            candidate.act == self.act
            and candidate.rank == self.rank
            and _is_among(candidate.valid_from, self.valid_from)
            and _is_among(candidate.valid_to, self.valid_to)
        )


@dataclass(frozen=True, slots=True)
class Label:
    """What is wanted of a turn: each of ``expect`` is met by any one of its facts."""

    id: str
    language: str
    expect: tuple[tuple[Wanted, ...], ...] = ()
    allow: tuple[Wanted, ...] = ()
    trap: str | None = None


@dataclass(frozen=True, slots=True)
class Labelled:
    """A turn with its label."""

    turn: Draft
    label: Label


@dataclass(slots=True)
class Judgement:
    """What a turn's proposals came to: the facts met and missed, and what was wrong."""

    met: list[tuple[Wanted, ...]] = field(default_factory=list)
    missed: list[tuple[Wanted, ...]] = field(default_factory=list)
    wrong: list[Candidate] = field(default_factory=list)


@dataclass(slots=True)
class Counts:
    """How many proposals were right, wrong, and how many facts were missed."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    @property
    def precision(self) -> float:
        """The share of the judged proposals that are right; 1 where there are none."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        """The share of the wanted facts that were proposed; 1 where there are none."""
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0


@dataclass(slots=True)
class Score:
    """The figures of a set of turns, whole and by predicate, language and trap."""

    all: Counts = field(default_factory=Counts)
    by_predicate: dict[str, Counts] = field(default_factory=dict)
    by_language: dict[str, Counts] = field(default_factory=dict)
    by_language_and_predicate: dict[tuple[str, str], Counts] = field(default_factory=dict)
    traps: dict[str, tuple[int, int]] = field(default_factory=dict)
    """For each kind of trap: the turns with a wrong proposal, and all its turns."""

    def add(self, label: Label, judged: Judgement) -> None:
        """Count what one turn came to."""
        for met in judged.met:
            for counts in self._counts(label, met[0].predicates[0]):
                counts.right += 1
        for candidate in judged.wrong:
            for counts in self._counts(label, candidate.predicate):
                counts.wrong += 1
        for missed in judged.missed:
            for counts in self._counts(label, missed[0].predicates[0]):
                counts.missed += 1
        if label.trap:
            fell, turns = self.traps.get(label.trap, (0, 0))
            self.traps[label.trap] = (fell + bool(judged.wrong), turns + 1)

    def _counts(self, label: Label, predicate: str) -> tuple[Counts, ...]:
        return (
            self.all,
            self.by_predicate.setdefault(predicate, Counts()),
            self.by_language.setdefault(label.language, Counts()),
            self.by_language_and_predicate.setdefault((label.language, predicate), Counts()),
        )

    @property
    def false_admissions(self) -> float:
        """The share of the trap turns that gave any wrong proposal; 0 where there are none."""
        turns = sum(count for _, count in self.traps.values())
        return sum(fell for fell, _ in self.traps.values()) / turns if turns else 0.0


def _is_among(when: When | None, dates: frozenset[str]) -> bool:
    if not dates:
        return True
    if when is None:
        return False
    moment = when.moment
    said = format_moment(moment.from_, moment.precision, moment.zone) or ""
    return said in dates


def judge(label: Label, candidates: Iterable[Candidate]) -> Judgement:
    """Judge the proposals of one turn by its label.

    Each wanted fact is met once; a second proposal of it, and what is allowed, does not count.
    """
    result = Judgement(missed=list(label.expect))
    for candidate in candidates:
        if candidate.predicate in _NOT_JUDGED:
            continue
        met = next((one for one in result.missed if _meets(candidate, one)), None)
        if met is not None:
            result.missed.remove(met)
            result.met.append(met)
        elif not _is_allowed(candidate, label):
            result.wrong.append(candidate)
    return result


def score(turns: Iterable[tuple[Label, Sequence[Candidate]]]) -> Score:
    """Score the proposals of each turn against its label."""
    result = Score()
    for label, candidates in turns:
        result.add(label, judge(label, candidates))
    return result


def _meets(candidate: Candidate, options: Sequence[Wanted]) -> bool:
    return any(option.accepts(candidate) for option in options)


def _is_allowed(candidate: Candidate, label: Label) -> bool:
    return _meets(candidate, label.allow) or any(_meets(candidate, one) for one in label.expect)
