"""Merge: where a predicate says so, texts that say more of the same become one fact.

The parts stay, consolidated; the merged fact rests on the evidence of all and is linked to each, so
that it can be taken apart again.
"""

from collections.abc import Sequence
from dataclasses import replace

from memorycore.engine.settle import apply_effect, foresee, refresh, rule_of, settle
from memorycore.engine.statement import Done, Pending, Statement
from memorycore.engine.workbench import Workbench
from memorycore.errors import InvalidInputError
from memorycore.model.decision import Decision
from memorycore.model.detail import numbers_in
from memorycore.model.timeline import Observation
from memorycore.model.value import canonical_value
from memorycore.store.evidence import is_known
from memorycore.store.evidence_copies import copy_evidence, copy_evidence_of
from memorycore.store.fact_names import list_literals, object_text
from memorycore.store.facts import KnownFact, get_known, list_places
from memorycore.store.journal import change_field
from memorycore.store.links import find_merged, link_facts

NEWEST = 50
"""So many of a subject's newest texts under a predicate are compared."""
ALIKE = 85.0
"""From this likeness on (0…100) two texts say the same in other words."""


def merge(
    bench: Workbench, pending: Pending, statement: Statement, same: KnownFact | None
) -> Done | None:
    """Merge a statement into a fact that says much the same; ``None`` when there is none.

    Raises:
        InvalidInputError: the fact that a person named does not speak of the same.
    """
    if pending.into is not None:
        _check_into(bench, statement, pending.into)
    if same is not None:
        if same.lifecycle != "consolidated":
            return None
        return _strengthen(bench, pending, statement, same)
    if statement.object is not None or statement.subject.entity_id is None:
        return None
    into = pending.into if pending.into is not None else _near(bench, statement)
    if into is None:
        return None
    old_text = object_text(bench.db, into)
    text = joined(old_text, statement.object_name)
    old = get_known(bench.db, into)
    part = _record(bench, pending, statement)
    merged = part
    if text not in (old_text, statement.object_name):
        whole = replace(statement, value=text, value_key=canonical_value(text))
        known = bench.same(whole)
        merged = known[0].fact_id if known else _record(bench, pending, whole)
        if merged == part:
            return Done(Decision("add", "coexists"), part)
    elif text == old_text:
        merged = into
    for piece in {into, part} - {merged}:
        absorb(bench, piece, merged)
    bench.evidence_changed()
    settle_merged(bench, merged)
    return Done(Decision("merge", "merged", old.fact_id), merged)


def _check_into(bench: Workbench, statement: Statement, into: int) -> None:
    [place] = list_places(bench.db, [into])
    here = (statement.subject.entity_id, statement.predicate.number)
    if (place.subject_id, place.predicate_id) != here or not get_known(bench.db, into).support:
        raise InvalidInputError(
            "It can only be merged into a fact of the same subject and predicate that stands."
        )
    if statement.object is not None or place.object_id is not None:
        raise InvalidInputError(
            "Only texts can be merged.", hint="memoryctl entity merge A B  makes two names one"
        )


def _record(bench: Workbench, pending: Pending, statement: Statement) -> int:
    fact_id = bench.next_fact_id()
    observations = [replace(one, fact_id=fact_id) for one in statement.observations]
    rule = rule_of(statement.predicate, statement.candidate.rank)
    effect = foresee(bench.db, None, fact_id, observations, rule)
    return bench.record(pending, statement, None, effect, observations)


def _strengthen(
    bench: Workbench, pending: Pending, statement: Statement, part: KnownFact
) -> Done | None:
    """Count a sentence for a part, and for the fact that the part was merged into."""
    merged = find_merged(bench.db, part.fact_id)
    if merged is None:
        return None
    observations = [replace(one, fact_id=part.fact_id) for one in statement.observations]
    rule = rule_of(statement.predicate, part.rank)
    effect = foresee(bench.db, part.timeline_id, part.fact_id, observations, rule)
    bench.record(pending, statement, part, effect, observations)
    _copy_new(bench, pending, part.fact_id, merged, observations)
    return Done(Decision("reinforce", "same_statement", part.fact_id), merged)


def _copy_new(
    bench: Workbench,
    pending: Pending,
    part: int,
    merged: int,
    observations: Sequence[Observation],
) -> None:
    """Let a merged fact rest on the new sentences of a part too."""
    known = get_known(bench.db, merged)
    added = [
        replace(one, fact_id=merged)
        for one in observations
        if not is_known(bench.db, merged, (*one.sequence, one.starts, one.ends))
    ]
    if not added:
        return
    rule = rule_of(bench.predicate_of(known.predicate_id), known.rank)
    effect = foresee(bench.db, known.timeline_id, merged, added, rule)
    copy_evidence_of(
        bench.db,
        pending.candidate_id,
        from_fact=part,
        to_fact=merged,
        timeline_id=known.timeline_id,
        recorded=bench.recorded,
    )
    bench.evidence_changed()
    apply_effect(bench.db, effect, recorded=bench.believed_from)


def _near(bench: Workbench, statement: Statement) -> int | None:
    """Find the newest fact that says much the same, with the same numbers."""
    subject_id = statement.subject.entity_id
    assert subject_id is not None
    texts = list_literals(bench.db, subject_id, statement.predicate.number, limit=NEWEST)
    mine = statement.object_name
    return next((fact_id for fact_id, text in texts if says_the_same(text, mine)), None)


def says_the_same(one: str, other: str) -> bool:
    """Tell whether two texts say much the same: one holds the other, or they are very alike.

    Texts that differ in a number never do.
    """
    if numbers_in(one) != numbers_in(other):
        return False
    first, second = canonical_value(one), canonical_value(other)
    if min(len(first), len(second)) >= 4 and (first in second or second in first):
        return True
    from rapidfuzz.fuzz import ratio

    return bool(ratio(first, second) >= ALIKE)


def joined(one: str, other: str) -> str:
    """Join two texts into one that holds both."""
    first, second = canonical_value(one), canonical_value(other)
    if second in first:
        return one
    if first in second:
        return other
    return f"{one}{'；' if not one.isascii() else '; '}{other}"


def fill_rank(bench: Workbench, statement: Statement, fact_id: int) -> int | None:
    """Merge a fact without rank into the same one with its rank; give the one that was merged."""
    if statement.candidate.rank is None:
        return None
    for fact in bench.same(statement):
        if fact.rank is None and fact.support and fact.fact_id != fact_id:
            absorb(bench, fact.fact_id, fact_id)
            bench.evidence_changed()
            settle_merged(bench, fact_id)
            return fact.fact_id
    return None


def absorb(bench: Workbench, part: int, merged: int) -> None:
    """Let a fact go into another one, which rests on its sentences too."""
    timeline_id = get_known(bench.db, merged).timeline_id
    copy_evidence(bench.db, part, merged, timeline_id, recorded=bench.recorded)
    link_facts(bench.db, "MERGED_FROM", merged, part, recorded=bench.recorded)
    change_field(bench.db, bench.recorded, "fact", part, "lifecycle", "consolidated")


def settle_merged(bench: Workbench, fact_id: int) -> None:
    """Bring a fact that has got the sentences of others to what they say."""
    known = get_known(bench.db, fact_id)
    predicate = bench.predicate_of(known.predicate_id)
    settle(
        bench.db, known.timeline_id, rule_of(predicate, known.rank), recorded=bench.believed_from
    )
    refresh(bench.db, fact_id)
