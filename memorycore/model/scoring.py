"""How good proposals are: counted against labels of what a careful reader keeps.

A label says what is wanted (``expect``) and what is neither wanted nor wrong (``allow``). Objects
are equal in their canonical form; other acceptable objects, predicates and dates are part of a
label. Dates count only where a label gives them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memorycore.model.candidate import Candidate, When
from memorycore.model.time import format_moment
from memorycore.model.value import canonical_value

__all__ = ["Counts", "Label", "Score", "Wanted", "read_label", "score"]

_NOT_JUDGED = frozenset({"note", "recommended", "feels_about_agent"})


@dataclass(frozen=True, slots=True)
class Wanted:
    """A fact as a label gives it; empty dates are not judged."""

    predicates: tuple[str, ...]
    objects: frozenset[str]
    act: str = "assert"
    rank: int | None = None
    valid_from: frozenset[str] = frozenset()
    valid_to: frozenset[str] = frozenset()

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

    @property
    def false_admissions(self) -> float:
        """The share of the trap turns that gave any wrong proposal; 0 where there are none."""
        turns = sum(count for _, count in self.traps.values())
        return sum(fell for fell, _ in self.traps.values()) / turns if turns else 0.0


def read_label(given: Mapping[str, Any]) -> Label:
    """Read a label of a turn from a line of labelled data."""
    return Label(
        id=given["id"],
        language=given["lang"],
        expect=tuple(_options(fact) for fact in given.get("expect", ())),
        allow=tuple(option for fact in given.get("allow", ()) for option in _options(fact)),
        trap=given.get("trap"),
    )


def _options(fact: Mapping[str, Any]) -> tuple[Wanted, ...]:
    others = tuple(option for one in fact.get("any_of", ()) for option in _options(one))
    if "predicate" not in fact:
        return others
    objects = (fact["object"], *fact.get("alt", ()))
    own = Wanted(
        predicates=(fact["predicate"], *fact.get("alt_predicates", ())),
        objects=frozenset(map(canonical_value, objects)),
        act=fact.get("act", "assert"),
        rank=fact.get("rank"),
        valid_from=_dates(fact, "valid_from"),
        valid_to=_dates(fact, "valid_to"),
    )
    return (own, *others)


def _dates(fact: Mapping[str, Any], key: str) -> frozenset[str]:
    return frozenset((fact[key], *fact.get(f"alt_{key}", ()))) if key in fact else frozenset()


def _is_among(when: When | None, dates: frozenset[str]) -> bool:
    if not dates:
        return True
    if when is None:
        return False
    moment = when.moment
    said = format_moment(moment.from_, moment.precision, moment.zone) or ""
    return said in dates


def score(turns: Iterable[tuple[Label, Sequence[Candidate]]]) -> Score:
    """Score the proposals of each turn against its label.

    Each wanted fact is met once; a second proposal of it, and what is allowed, does not count.
    """
    result = Score()
    for label, candidates in turns:
        open_facts = list(label.expect)
        fell = False
        for candidate in candidates:
            if candidate.predicate in _NOT_JUDGED:
                continue
            met = next((one for one in open_facts if _meets(candidate, one)), None)
            if met is not None:
                open_facts.remove(met)
                for counts in _counts(result, label, met[0].predicates[0]):
                    counts.right += 1
            elif not _is_allowed(candidate, label):
                fell = True
                for counts in _counts(result, label, candidate.predicate):
                    counts.wrong += 1
        for missed in open_facts:
            for counts in _counts(result, label, missed[0].predicates[0]):
                counts.missed += 1
        if label.trap:
            wrong, turns_of = result.traps.get(label.trap, (0, 0))
            result.traps[label.trap] = (wrong + fell, turns_of + 1)
    return result


def _meets(candidate: Candidate, options: Sequence[Wanted]) -> bool:
    return any(option.accepts(candidate) for option in options)


def _is_allowed(candidate: Candidate, label: Label) -> bool:
    return _meets(candidate, label.allow) or any(_meets(candidate, one) for one in label.expect)


def _counts(result: Score, label: Label, predicate: str) -> tuple[Counts, ...]:
    return (
        result.all,
        result.by_predicate.setdefault(predicate, Counts()),
        result.by_language.setdefault(label.language, Counts()),
        result.by_language_and_predicate.setdefault((label.language, predicate), Counts()),
    )
