"""Review: a person admits, rejects or edits what waits. Approving replays the decision."""

from dataclasses import replace

from memorycore.engine.correct import retract
from memorycore.engine.learn import Learning
from memorycore.engine.propose import load_pending
from memorycore.engine.settle import refresh, rule_of, settle
from memorycore.engine.statement import Decided, Pending
from memorycore.engine.veil import name_as_shown
from memorycore.engine.workbench import Workbench
from memorycore.errors import InvalidInputError
from memorycore.model.candidate_text import read_candidate, shape_of
from memorycore.model.decision import Decision
from memorycore.model.identity import format_id
from memorycore.model.review import CandidateView
from memorycore.store.candidates import (
    DecisionRow,
    StoredCandidate,
    find_decision,
    find_review,
    list_admitting,
)
from memorycore.store.connection import Connection
from memorycore.store.entities import scope_names
from memorycore.store.evidence import list_of_candidate, places_of
from memorycore.store.fact_names import load_names
from memorycore.store.fact_reads import load_spans
from memorycore.store.facts import get_known, list_timelines
from memorycore.store.journal import change_field
from memorycore.store.links import list_contradicted
from memorycore.store.operations import get_by_number

MAX_REASON_LENGTH = 200


def view_candidate(db: Connection, stored: StoredCandidate) -> CandidateView:
    """Read a candidate whole, with what became of it."""
    decision = find_decision(db, stored.candidate_id)
    review = find_review(db, stored.candidate_id)
    fact_id = decision.fact_id if decision else None
    target_id = decision.target_id if decision else None
    names = load_names(db, [number for number in (fact_id, target_id) if number is not None])
    fact, target = names.get(fact_id or 0), names.get(target_id or 0)
    operation = get_by_number(db, stored.recorded_from)
    evidence = tuple(load_spans(db, stored.spans))
    statement = None
    if stored.statement is not None:
        candidate = read_candidate(stored.statement, place=stored.place)
        texts = (one.text for one in evidence)
        statement = shape_of(name_as_shown(db, stored.scope_id, candidate, texts))
    return CandidateView(
        stored.uid,
        scope_names(db)[stored.scope_id],
        stored.proposer,
        stored.place,
        stored.state,
        statement,
        evidence,
        decision.kind if decision else None,
        decision.reason if decision else None,
        review.proposed if review is not None and review.state == "open" else None,
        format_id("fct", fact[0]) if fact else None,
        format_id("fct", target[0]) if target else None,
        target[1] if target else None,
        operation.at,
    )


def approve(
    learning: Learning,
    db: Connection,
    stored: StoredCandidate,
    *,
    now: int,
    into: int | None = None,
) -> Decided:
    """Admit a candidate that waits, as a person says; a conflict is decided for it.

    Raises:
        InvalidInputError: its sentences are gone, or ``into`` does not speak of the same.
    """
    bench = learning.bench(db, now)
    pending = load_pending(db, bench.scene.scope_id, [stored])
    if not pending or not pending[0].sightings:
        raise InvalidInputError(
            "What it rests on is no longer there.", hint="memoryctl review reject ID --reason gone"
        )
    decision = find_decision(db, stored.candidate_id)
    if decision is not None and decision.kind == "conflict":
        if into is not None:
            raise InvalidInputError("A conflict is decided for one of the two, not merged.")
        decided = _overrule(bench, pending[0], decision.fact_id)
    else:
        approved = replace(pending[0], approved=True, into=into)
        decided = learning.decide(bench, approved)
    learning.finish(bench, [decided])
    return decided


def _overrule(bench: Workbench, pending: Pending, winner: int | None) -> Decided:
    """Decide a conflict for a candidate: all that it contradicts now no longer counts."""
    assert winner is not None, "a conflict is of a fact"
    if not get_known(bench.db, winner).support:
        raise InvalidInputError(
            "What it says no longer stands.", hint="memoryctl review reject ID --reason gone"
        )
    losers = list_contradicted(bench.db, winner)
    for overruled in losers:
        retract(bench, get_known(bench.db, overruled))
        _close_conflicts(bench, overruled)
    loser = losers[0] if losers else None
    decision = Decision("correct" if losers else "reinforce", "approved", loser)
    row = DecisionRow(
        pending.candidate_id,
        decision.kind,
        decision.reason,
        winner,
        decision.target_id,
        bench.recorded,
    )
    bench.keep(row, decision, pending)
    return Decided(pending, decision, winner, bench.text_of(pending, None))


def _close_conflicts(bench: Workbench, loser: int) -> None:
    """Let nobody be asked any more about a fact that was overruled."""
    for candidate_id, kind, _, _ in list_admitting(bench.db, loser):
        review = find_review(bench.db, candidate_id)
        if kind == "conflict" and review is not None and review.state == "open":
            number = review.review_item_id
            change_field(bench.db, bench.recorded, "review_item", number, "state", "rejected")
            change_field(bench.db, bench.recorded, "review_item", number, "verdict", "overruled")
            change_field(bench.db, bench.recorded, "candidate", candidate_id, "state", "decided")


def reject(
    learning: Learning, db: Connection, stored: StoredCandidate, reason: str, *, now: int
) -> Decided:
    """Reject a candidate that waits; what it brought into a conflict no longer counts."""
    _check_reason(reason)
    bench = learning.bench(db, now)
    review = find_review(db, stored.candidate_id)
    _withdraw(bench, stored.candidate_id)
    pending = waiting(bench, stored)
    decision = Decision("reject", "rejected")
    bench.keep(
        DecisionRow(stored.candidate_id, "reject", "rejected", None, None, bench.recorded),
        decision,
        pending,
        verdict="rejected",
    )
    if review is not None:
        change_field(db, bench.recorded, "review_item", review.review_item_id, "verdict", reason)
    decided = Decided(pending, decision, None, bench.text_of(pending, None))
    learning.finish(bench, [decided])
    return decided


def _check_reason(reason: str) -> None:
    if not reason.strip() or len(reason) > MAX_REASON_LENGTH or not reason.isprintable():
        raise InvalidInputError(
            f"A reason is needed, in at most {MAX_REASON_LENGTH} characters.",
            hint="--reason wrong",
        )


def waiting(bench: Workbench, stored: StoredCandidate) -> Pending:
    """Read a candidate that waits, with its sentences."""
    loaded = load_pending(bench.db, bench.scene.scope_id, [stored])
    if loaded:
        return loaded[0]
    raise InvalidInputError("This candidate was not kept, so there is nothing to decide.")


def _withdraw(bench: Workbench, candidate_id: int) -> None:
    """Let the evidence that a candidate brought no longer count."""
    rows = list_of_candidate(bench.db, candidate_id)
    facts = sorted({fact_id for _, fact_id, _ in places_of(bench.db, rows)})
    bench.indexing.touch(facts)
    for number in rows:
        change_field(bench.db, bench.recorded, "evidence", number, "recorded_to", bench.recorded)
    for timeline_id, predicate_id, rank in list_timelines(bench.db, facts):
        rule = rule_of(bench.predicate_of(predicate_id), rank)
        settle(bench.db, timeline_id, rule, recorded=bench.believed_from)
    for fact_id in facts:
        refresh(bench.db, fact_id)


def close_edited(bench: Workbench, stored: StoredCandidate) -> None:
    """Say of a candidate that a person has changed it into another."""
    _withdraw(bench, stored.candidate_id)
    pending = waiting(bench, stored)
    row = DecisionRow(stored.candidate_id, "reject", "edited", None, None, bench.recorded)
    bench.keep(row, Decision("reject", "edited"), pending, verdict="edited")
