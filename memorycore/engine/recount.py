"""Recount facts: list them, tell their history on both axes, and explain how they came about."""

from collections.abc import Sequence
from dataclasses import replace

from memorycore.engine.look import one_of
from memorycore.model.fact import Fact, Period
from memorycore.model.history import Difference, Explanation, HistoryLine, LinkView, Origin
from memorycore.model.identity import format_id, parse_id_of
from memorycore.model.predicate import Predicate
from memorycore.store.candidates import list_admitting, list_by_number
from memorycore.store.connection import Connection
from memorycore.store.entities import get_entity_row
from memorycore.store.fact_names import list_by_uid, load_names
from memorycore.store.fact_reads import (
    AsOf,
    Wanted,
    list_all_periods,
    list_fact_ids,
    list_periods,
    load_evidence,
    load_facts,
)
from memorycore.store.links import LinkRow, list_of_fact
from memorycore.store.operations import get_by_number
from memorycore.store.predicates import load_predicates

EVER = AsOf(None)
MAX_LISTED = 100_000


def find_fact(db: Connection, scopes: Sequence[str], asked: str) -> int:
    """Find the number of the one fact of an id, or of a unique start of it."""
    found = [_Named(*row) for row in list_by_uid(db, *parse_id_of("fct", asked), scopes)]
    return one_of(found, "fact", asked, scopes, prefix="fct").number


class _Named:
    def __init__(self, number: int, uid: bytes) -> None:
        self.number = number
        self.uid = uid


def read_fact(db: Connection, number: int, when: AsOf, *, zone: str) -> Fact:
    """Read one fact; with its last period where none answers the question."""
    fact = load_facts(db, [number], when, zone=zone)[number]
    if fact.period is not None:
        return fact
    return load_facts(db, [number], EVER, zone=zone)[number]


def list_facts(db: Connection, wanted: Wanted, *, limit: int, zone: str) -> list[Fact]:
    """List the facts that answer a question, by age."""
    numbers = list_fact_ids(db, wanted, limit=limit)
    facts = load_facts(db, numbers, wanted.when, zone=zone)
    return [facts[number] for number in numbers if number in facts]


def tell_history(
    db: Connection, facts: Sequence[int], *, known: int | None, zone: str
) -> list[HistoryLine]:
    """Tell the history of facts: every period that was ever believed, by when it begins.

    With ``known`` only what was believed after that operation.
    """
    loaded = load_facts(db, facts, EVER, zone=zone)
    periods = list_all_periods(db, facts, None if known is None else AsOf(None, known))
    ranges = [
        (fact, period) for number, fact in loaded.items() for period in periods.get(number, ())
    ]
    ranges.sort(key=lambda pair: (pair[1].valid_from, pair[1].known_from, pair[0].number))
    closers = _Closers(ranges)
    return [HistoryLine(fact, period, closers.find(fact, period)) for fact, period in ranges]


class _Closers:
    """Which periods, by start, can be the reason that another is no longer believed, or ended.

    For each instant the first is kept, and the first of another fact: no fact closes itself.
    """

    def __init__(self, ranges: Sequence[tuple[Fact, Period]]) -> None:
        self._learned: dict[int, list[tuple[Fact, Period]]] = {}
        self._beginning: dict[int, list[tuple[Fact, Period]]] = {}
        for fact, period in ranges:
            _keep(self._learned.setdefault(period.known_from, []), fact, period)
            if period.known_to is None:
                _keep(self._beginning.setdefault(period.valid_from, []), fact, period)

    def find(self, fact: Fact, period: Period) -> str | None:
        """Name the fact because of which a period was no longer believed, or ended."""
        if period.known_to is not None:
            found = self._learned.get(period.known_to, ())
        elif period.ended_by == "successor":
            found = self._beginning.get(period.valid_to, ())
        else:
            return None
        for other, later in found:
            if other.number != fact.number:
                is_met = period.known_to is None or later.valid_from < period.valid_to
                return other.id if is_met else None
        return None


def _keep(kept: list[tuple[Fact, Period]], fact: Fact, period: Period) -> None:
    if not kept or (len(kept) == 1 and kept[0][0].number != fact.number):
        kept.append((fact, period))


def compare(db: Connection, wanted: Wanted, later: AsOf, *, zone: str) -> Difference:
    """Say which facts hold at one instant and not at another."""
    first = list_fact_ids(db, wanted, limit=MAX_LISTED)
    second = list_fact_ids(db, replace(wanted, when=later), limit=MAX_LISTED)
    before, after = set(first), set(second)
    began = [number for number in second if number not in before]
    ended = [number for number in first if number not in after]
    loaded = load_facts(db, began, later, zone=zone) | load_facts(db, ended, wanted.when, zone=zone)
    return Difference(
        tuple(loaded[number] for number in began), tuple(loaded[number] for number in ended)
    )


def explain_fact(db: Connection, number: int, when: AsOf, *, zone: str) -> Explanation:
    """Explain a fact: its periods, its sentences, what admitted it, and what it is linked to."""
    fact = read_fact(db, number, when, zone=zone)
    predicates = load_predicates(db)
    return Explanation(
        fact,
        tuple(list_periods(db, number)),
        tuple(load_evidence(db, [number]).get(number, ())),
        tuple(_origins(db, number)),
        tuple(_links(db, number)),
        describe_policy(predicates[fact.predicate]),
    )


def describe_policy(predicate: Predicate) -> str:
    """Say in words how values of a predicate meet."""
    held = {
        "single": "one at a time",
        "multi": "several at a time",
        "temporal_multi": "several, each for a time",
    }
    met = {
        "supersede": "a later value replaces the one before",
        "coexist": "values stand beside each other",
        "merge": "texts that say the same are joined",
        "expire": f"a value holds {predicate.tau_days:g} days unless said otherwise",
        "review": "a person decides",
    }
    return f"{held[predicate.cardinality]}, {met[predicate.conflict_policy]}"


def _origins(db: Connection, number: int) -> list[Origin]:
    admitting = list_admitting(db, number)
    candidates = {
        one.candidate_id: one
        for one in list_by_number(db, [candidate for candidate, *_ in admitting])
    }
    origins = []
    for candidate_id, kind, reason, recorded in admitting:
        if candidate_id not in candidates:
            continue  # What it rests on is struck for another's sake.
        operation, candidate = get_by_number(db, recorded), candidates[candidate_id]
        origins.append(
            Origin(
                format_id("cand", candidate.uid),
                candidate.proposer,
                candidate.place,
                kind,
                reason,
                operation.id,
                operation.at,
                operation.actor,
            )
        )
    return origins


def _links(db: Connection, number: int) -> list[LinkView]:
    rows = list_of_fact(db, number)
    others = {_other(row, number) for row in rows} - {None}
    names = load_names(db, sorted(other for other in others if other is not None))
    views = []
    for row in rows:
        direction = "to" if row.from_fact_id == number else "from"
        if row.to_entity_id is not None:
            entity = get_entity_row(db, row.to_entity_id)
            views.append(LinkView(row.kind, "to", format_id("ent", entity.uid), entity.name))
        elif (other := _other(row, number)) in names:
            uid, text = names[other or 0]
            views.append(LinkView(row.kind, direction, format_id("fct", uid), text))
    return views


def _other(row: LinkRow, number: int) -> int | None:
    return row.to_fact_id if row.from_fact_id == number else row.from_fact_id
