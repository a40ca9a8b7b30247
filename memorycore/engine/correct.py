"""Correct: a sentence says that an earlier statement was wrong, not that the world has changed.

The earlier one is retracted on the recorded axis: its evidence no longer counts. What is right
takes its period.
"""

import re
from dataclasses import replace

from memorycore.engine.consolidate import Standing
from memorycore.engine.settle import foresee, rule_of, settle
from memorycore.engine.statement import Done, Pending, Statement
from memorycore.engine.workbench import Workbench
from memorycore.errors import InvalidInputError
from memorycore.model.decision import Decision
from memorycore.model.identity import parse_id_of
from memorycore.model.timeline import TRUST, Observation
from memorycore.model.word import fold
from memorycore.store.evidence import list_classes, list_numbers, list_of_fact
from memorycore.store.fact_names import list_by_uid, list_texts, object_text
from memorycore.store.facts import KnownFact, find_last, get_known, list_places
from memorycore.store.journal import change_field
from memorycore.store.links import link_facts


def correct(
    bench: Workbench, pending: Pending, statement: Statement, standing: Standing
) -> Done | None:
    """Carry a correction or retraction out; ``None`` when it is a statement like any other."""
    candidate = statement.candidate
    target = _target(bench, pending, statement)
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
    trusted = max((TRUST[name] for name in list_classes(bench.db, target.fact_id)), default=0)
    if trust < trusted and not standing.approved:
        return Done(Decision("review", "low_trust", target.fact_id, "correct"))
    if not standing.is_wished and not _is_about(bench, pending, statement, target):
        return Done(Decision("review", "not_spoken_of", target.fact_id, "correct"))
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
    settle(bench.db, target.timeline_id, rule, recorded=bench.believed_from)


def _target(
    bench: Workbench, pending: Pending, statement: Statement
) -> KnownFact | Decision | None:
    """Find the fact that is meant.

    It is the one named, else the one that the sentence speaks of, else the one that holds now.
    """
    candidate, db = statement.candidate, bench.db
    predicate, subject_id = statement.predicate, statement.subject.entity_id
    if candidate.target is not None:
        return _named_target(bench, statement)
    if candidate.act == "retract" and statement.object_name:
        return next((fact for fact in bench.same(statement) if fact.support), None)
    if subject_id is None:
        return None
    if candidate.act == "retract" and predicate.cardinality != "single":
        return Decision("review", "unknown_target")
    if predicate.cardinality == "single":
        return _spoken_of(bench, pending, statement) or find_last(db, subject_id, predicate.number)
    if predicate.opposite is not None:
        opposite = bench.predicate(predicate.opposite)
        assert opposite is not None, "an opposite that is not there"
        other = replace(statement, predicate=opposite)
        return next((fact for fact in bench.same(other) if fact.support), None)
    return None


def _named_target(bench: Workbench, statement: Statement) -> KnownFact | Decision:
    """Find the fact of an id: it must stand, and be of this subject and predicate."""
    unknown = Decision("review", "unknown_target")
    try:
        lowest, highest = parse_id_of("fct", statement.candidate.target or "")
    except InvalidInputError:
        return unknown
    found = list_by_uid(bench.db, lowest, highest, [bench.scene.scope])
    if len(found) != 1:
        return unknown
    place = list_places(bench.db, [found[0][0]])[0]
    kinds = {statement.predicate.name, statement.predicate.opposite}
    of_this = bench.predicate_of(place.predicate_id).name in kinds
    known = get_known(bench.db, found[0][0])
    if not known.support or not of_this or place.subject_id != statement.subject.entity_id:
        return unknown
    return known


def _spoken_of(bench: Workbench, pending: Pending, statement: Statement) -> KnownFact | None:
    """Find the one value that the sentence names besides the new one: that one was wrong."""
    subject_id = statement.subject.entity_id
    assert subject_id is not None, "who is new has said nothing yet"
    said = fold(" ".join(sighting.quote for sighting in pending.sightings))
    new = fold(statement.object_name)
    named = [
        fact_id
        for fact_id, text in list_texts(bench.db, subject_id, statement.predicate.number)
        if fold(text) != new and _stands_in(fold(text), said)
    ]
    return get_known(bench.db, named[0]) if len(named) == 1 else None


def _is_about(bench: Workbench, pending: Pending, statement: Statement, target: KnownFact) -> bool:
    """Tell whether a retraction speaks of what it takes back; a correction names what is right."""
    if statement.candidate.act == "correct":
        return True
    said = fold(" ".join(sighting.quote for sighting in pending.sightings))
    return _stands_in(fold(object_text(bench.db, target.fact_id)), said)


def _stands_in(name: str, text: str) -> bool:
    """Tell whether a name stands in a text, as a word where it is written in letters."""
    if not name.isascii():
        return name in text
    return re.search(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", text) is not None


def _is_same(bench: Workbench, statement: Statement, target: KnownFact) -> bool:
    return any(fact.fact_id == target.fact_id for fact in bench.same(statement))


def _over_the_same(statement: Statement, before: list[Observation]) -> list[Observation]:
    """Let what is right hold over each period of what was wrong, but not past its own end."""
    if statement.candidate.valid_to is not None:
        starts = min(one.starts for one in before)
        mark = next(one.from_mark for one in before if one.starts == starts)
        return [
            replace(one, starts=starts, from_mark=mark) if starts < one.ends else one
            for one in statement.observations
        ]
    said = statement.observations[0]
    periods = {(one.starts, one.ends): one for one in before}
    return [
        replace(
            said,
            starts=old.starts,
            from_mark=old.from_mark,
            ends=old.ends,
            to_mark=old.to_mark,
            ended_by=old.ended_by,
        )
        for old in periods.values()
    ]


def _put_right(
    bench: Workbench, pending: Pending, statement: Statement, before: list[Observation]
) -> int:
    """Record the right statement, over the period of the wrong one unless it says its own."""
    candidate, predicate = statement.candidate, statement.predicate
    observations = list(statement.observations)
    if candidate.valid_from is None and before:
        observations = _over_the_same(statement, before)
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
