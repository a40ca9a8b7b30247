"""Correct: a sentence says that an earlier statement was wrong, not that the world has changed.

The earlier one is retracted on the recorded axis: its evidence no longer counts. What is right
takes its period.
"""

from dataclasses import replace

from memorycore.engine.consolidate import Standing
from memorycore.engine.settle import foresee, rule_of, settle
from memorycore.engine.statement import Done, Pending, Statement
from memorycore.engine.workbench import Workbench
from memorycore.errors import InvalidInputError
from memorycore.model.decision import Decision
from memorycore.model.identity import parse_id_of
from memorycore.model.timeline import TRUST, Observation
from memorycore.store.evidence import list_classes, list_numbers, list_of_fact
from memorycore.store.facts import KnownFact, find_last, get_known, list_by_uid
from memorycore.store.journal import change_field
from memorycore.store.links import link_facts


def correct(
    bench: Workbench, pending: Pending, statement: Statement, standing: Standing
) -> Done | None:
    """Carry a correction or retraction out; ``None`` when it is a statement like any other."""
    candidate = statement.candidate
    target = _target(bench, statement)
    if isinstance(target, Decision):
        return Done(target)
    if candidate.act == "assert":
        return None
    if target is None:
        if candidate.act == "correct":
            return None
        return Done(Decision("ignore", "nothing_to_retract"))
    if _is_same(bench, statement, target) and candidate.act == "correct":
        return None
    trust = min(TRUST[one.source_class] for one in statement.observations)
    trusted = min((TRUST[name] for name in list_classes(bench.db, target.fact_id)), default=0)
    if trust < trusted and not standing.approved:
        return Done(Decision("review", "low_trust", target.fact_id, "correct"))
    before = list_of_fact(bench.db, target.fact_id)
    retract(bench, target)
    if candidate.act == "retract":
        return Done(Decision("correct", "retracted", target.fact_id), target.fact_id)
    fact_id = _put_right(bench, pending, statement, before)
    link_facts(bench.db, "CORRECTS", fact_id, target.fact_id, recorded=bench.recorded)
    return Done(Decision("correct", "corrected", target.fact_id), fact_id)


def retract(bench: Workbench, target: KnownFact) -> None:
    """Let the evidence of a fact no longer count, and settle its timeline without it."""
    bench.indexing.touch([target.fact_id])
    for number in list_numbers(bench.db, target.fact_id):
        change_field(bench.db, bench.recorded, "evidence", number, "recorded_to", bench.recorded)
    predicate = bench.predicate_of(target.predicate_id)
    rule = rule_of(predicate, target.rank)
    settle(bench.db, target.timeline_id, rule, recorded=bench.recorded)


def _target(bench: Workbench, statement: Statement) -> KnownFact | Decision | None:
    """Find the fact that is meant: the one named, else the one that holds now."""
    candidate, db = statement.candidate, bench.db
    if candidate.target is not None:
        try:
            lowest, highest = parse_id_of("fct", candidate.target)
        except InvalidInputError:
            return Decision("review", "unknown_target")
        found = list_by_uid(db, lowest, highest, [bench.scene.scope])
        if len(found) != 1:
            return Decision("review", "unknown_target")
        known = get_known(db, found[0][0])
        return known if known.support else Decision("review", "unknown_target")
    if candidate.act == "retract" and statement.object_name:
        return next((fact for fact in bench.same(statement) if fact.support), None)
    predicate, subject_id = statement.predicate, statement.subject.entity_id
    if subject_id is None:
        return None
    if predicate.cardinality == "single" or candidate.act == "retract":
        return find_last(db, subject_id, predicate.number)
    if predicate.opposite is not None:
        opposite = bench.predicate(predicate.opposite)
        assert opposite is not None, "an opposite that is not there"
        other = replace(statement, predicate=opposite)
        return next((fact for fact in bench.same(other) if fact.support), None)
    return None


def _is_same(bench: Workbench, statement: Statement, target: KnownFact) -> bool:
    return any(fact.fact_id == target.fact_id for fact in bench.same(statement))


def _put_right(
    bench: Workbench, pending: Pending, statement: Statement, before: list[Observation]
) -> int:
    """Record the right statement, over the period of the wrong one unless it says its own."""
    candidate, predicate = statement.candidate, statement.predicate
    observations = list(statement.observations)
    if candidate.valid_from is None and before:
        first = min(before, key=lambda one: one.starts)
        last = max(before, key=lambda one: one.ends)
        observations = [
            replace(one, starts=first.starts, from_mark=first.from_mark)
            if candidate.valid_to is not None and first.starts < one.ends
            else replace(
                one,
                starts=first.starts,
                from_mark=first.from_mark,
                ends=last.ends,
                to_mark=last.to_mark,
                ended_by=last.ended_by,
            )
            for one in observations
        ]
    known = bench.same(statement)
    same = next((fact for fact in known if fact.rank == candidate.rank), None)
    fact_id = same.fact_id if same is not None else bench.next_fact_id()
    observations = [replace(one, fact_id=fact_id) for one in observations]
    timeline_id = (
        same.timeline_id if same is not None else bench.timeline_for(statement, candidate.rank)
    )
    rule = rule_of(predicate, candidate.rank)
    effect = foresee(bench.db, timeline_id, fact_id, observations, rule)
    return bench.record(pending, statement, same, effect, observations)
