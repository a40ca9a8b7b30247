"""Admit candidates: the one function through which a statement becomes a fact.

For each candidate: resolve its names, look up what it meets, decide (pure), apply. All of it runs
in the transaction that is open, so that a plan can be shown by rolling it back.
"""

from dataclasses import replace

from memorycore.engine.alike import occasions_of_alike
from memorycore.engine.consolidate import (
    AdmitPolicy,
    Meeting,
    Standing,
    decide,
    hold_back,
)
from memorycore.engine.correct import correct
from memorycore.engine.event import update_event
from memorycore.engine.gate import object_text, refuse_source, refuse_statement
from memorycore.engine.known_as import CandidateNames
from memorycore.engine.merge import fill_rank, merge
from memorycore.engine.observe import observe
from memorycore.engine.resolve import Fault, Resolved, describes
from memorycore.engine.settle import Effect, foresee, rule_of
from memorycore.engine.statement import Decided, Pending, Statement
from memorycore.engine.workbench import Workbench
from memorycore.model.confidence import combine
from memorycore.model.decision import Decision
from memorycore.model.predicate import Predicate
from memorycore.model.timeline import TRUST
from memorycore.model.value import canonical_value, is_date, is_number
from memorycore.store.candidates import DecisionRow, take_words
from memorycore.store.evidence import is_known, list_classes
from memorycore.store.facts import KnownFact, has_any

REVIEWED = frozenset(("entity_ambiguous", "object_kind"))
"""Faults of naming that a person can settle; the others refuse the candidate."""


class Admission:
    """Admits candidates of one scope, one after the other, inside one transaction."""

    def __init__(self, bench: Workbench, policy: AdmitPolicy) -> None:
        self._bench = bench
        self._policy = policy

    def admit(self, pending: Pending) -> Decided:
        """Decide on a candidate, and carry the decision out."""
        predicate = self._bench.predicate(pending.candidate.predicate)
        if predicate is None:
            return self._close(pending, Decision("review", "unknown_predicate", proposed="add"))
        statement = self._read(pending, predicate)
        if isinstance(statement, Decision):
            return self._close(pending, statement)
        return self._consolidate(pending, statement)

    def is_suppressed(self, pending: Pending) -> bool:
        """Tell whether the store was told to forget what a candidate says."""
        predicate = self._bench.predicate(pending.candidate.predicate)
        named = None if predicate is None else self._named(pending, predicate)
        if predicate is None or named is None or isinstance(named, Decision):
            return False
        return self._is_suppressed(pending, predicate, named)

    def _read(self, pending: Pending, predicate: Predicate) -> Statement | Decision:
        """Resolve a candidate into a statement, or say why it is none."""
        candidate = pending.candidate
        if not pending.sightings:
            return Decision("reject", "episode_not_visible")
        by_person = pending.proposer == "person"
        is_wished = pending.approved or by_person or pending.is_stated
        reason = None
        if not is_wished:
            heard = [one.as_read() for one in pending.sightings]
            reason = refuse_statement(candidate, heard, predicate)
        if reason is not None:
            return Decision("reject", reason)
        named = self._named(pending, predicate)
        if isinstance(named, Decision):
            return named
        subject, object_, attributed = named
        if candidate.act != "retract" and self._is_suppressed(pending, predicate, named):
            return Decision("reject", "suppressed")
        if reason := refuse_source(subject, pending.sightings, predicate, pending.proposer):
            return Decision("reject", reason)
        if candidate.rank is not None and predicate.cardinality == "single":
            return Decision("reject", "bad_rank")
        value = None if object_ is not None else object_text(candidate)
        key = canonical_value(value) if value is not None else ""
        if value is not None and not _is_of_type(value, predicate):
            return Decision("reject", "bad_value")
        observations = observe(
            candidate,
            pending.sightings,
            predicate,
            now=self._bench.scene.operation.at,
            by_person=by_person,
        )
        if observations is None:
            return Decision("reject", "bad_period")
        return Statement(
            candidate, predicate, subject, object_, value, key, attributed, tuple(observations)
        )

    def _is_suppressed(
        self,
        pending: Pending,
        predicate: Predicate,
        named: tuple[Resolved, Resolved | None, Resolved | None],
    ) -> bool:
        """Tell whether the store was told to forget a statement, by any of its names."""
        db, scene = self._bench.db, self._bench.scene
        if not scene.suppression.is_active(db, scene.scope_id):
            return False
        subject, object_, _ = named
        speaker = self._bench.resolver.speaker(pending.sightings[0].turn)
        names = CandidateNames(db, scene.scope_id, scene.scope, speaker)
        told = names.of(pending.candidate, predicate.name, subject, object_)
        return scene.suppression.refuses_statement(db, scene.scope_id, scene.scope, told)

    def _named(
        self, pending: Pending, predicate: Predicate
    ) -> tuple[Resolved, Resolved | None, Resolved | None] | Decision:
        candidate, turn = pending.candidate, pending.sightings[0].turn
        resolver = self._bench.resolver
        subject = resolver.subject(candidate.subject, turn, predicate)
        if isinstance(subject, Fault):
            return _fault(subject)
        if candidate.act == "retract" and candidate.object is None and candidate.value is None:
            return subject, None, None
        is_text = candidate.object is None and predicate.object_kind == "entity"
        if (
            is_text
            and not pending.approved
            and (candidate.is_literal or describes(candidate.value or ""))
        ):
            return Decision("review", "object_kind", proposed="add")
        object_ = resolver.object(candidate.object, candidate.value, predicate)
        if isinstance(object_, Fault):
            return _fault(object_)
        attributed = None
        if candidate.attributed_to is not None:
            found = resolver.named_entity(candidate.attributed_to, (), "person")
            if isinstance(found, Fault):
                return _fault(found)
            attributed = found
        return subject, object_, attributed

    def _consolidate(self, pending: Pending, statement: Statement) -> Decided:
        candidate, predicate = statement.candidate, statement.predicate
        standing = self._standing(pending, statement)
        decision = hold_back(candidate, predicate, standing, self._policy)
        if decision is not None:
            return self._close(pending, decision, statement)
        if candidate.act != "assert" or candidate.target is not None:
            done = correct(self._bench, pending, statement, standing)
            if done is not None:
                return self._close(pending, done.decision, statement, done.fact_id)
        same = self._same(statement)
        if isinstance(same, Decision):
            return self._close(pending, same, statement)
        # What is stated was told apart by who reports it; likeness says nothing about it.
        is_joined = same is not None or not pending.is_stated
        if pending.into is not None or (predicate.conflict_policy == "merge" and is_joined):
            done = merge(self._bench, pending, statement, same)
            if done is not None:
                return self._close(pending, done.decision, statement, done.fact_id)
        return self._meet(pending, statement, standing, same)

    def _standing(self, pending: Pending, statement: Statement) -> Standing:
        occasions = {one.occasion for one in statement.observations}
        if statement.candidate.is_inferred and statement.predicate.min_evidence > 1:
            occasions |= occasions_of_alike(self._bench, pending, statement)
        best: dict[int, float] = {}
        for one in statement.observations:
            best[one.occasion] = max(best.get(one.occasion, 0.0), one.reliability)
        sure = combine(best.values())
        return Standing(pending.proposer, pending.approved, sure, len(occasions))

    def _same(self, statement: Statement) -> KnownFact | Decision | None:
        """Find the fact that says the same: with the same rank, or where none is told."""
        known = self._bench.same(statement)
        rank = statement.candidate.rank
        exact = [fact for fact in known if fact.rank == rank]
        if exact:
            return exact[0]
        if rank is None and known:
            return max(known, key=lambda fact: fact.confidence)
        if any(fact.rank is not None and fact.support for fact in known):
            return Decision("review", "two_ranks", known[0].fact_id, "add")
        return None

    def _meet(
        self, pending: Pending, statement: Statement, standing: Standing, same: KnownFact | None
    ) -> Decided:
        """Let a statement meet its timeline."""
        db, predicate = self._bench.db, statement.predicate
        if same is not None and all(
            is_known(db, same.fact_id, (*one.sequence, one.starts, one.ends))
            for one in statement.observations
        ):
            decision = Decision("ignore", "same_evidence", same.fact_id)
            self._bench.remember_ref(statement.candidate.ref, same.fact_id)
            return self._close(pending, decision, statement, same.fact_id)
        fact_id = same.fact_id if same is not None else self._bench.next_fact_id()
        rank = same.rank if same is not None else statement.candidate.rank
        timeline_id = (
            same.timeline_id if same is not None else self._bench.timeline_for(statement, rank)
        )
        observations = [replace(one, fact_id=fact_id) for one in statement.observations]
        rule = rule_of(predicate, rank)
        effect = foresee(db, timeline_id, fact_id, observations, rule)
        meeting = self._meeting(statement, same, fact_id, effect)
        decision = decide(meeting, standing)
        if decision.kind == "review":
            return self._close(pending, decision, statement)
        self._bench.record(pending, statement, same, effect, observations)
        if same is not None:
            update_event(self._bench, statement, fact_id, observations)
        if same is None and (unranked := fill_rank(self._bench, statement, fact_id)) is not None:
            decision = Decision("merge", "rank_filled", unranked)
        return self._close(pending, decision, statement, fact_id)

    def _meeting(
        self, statement: Statement, same: KnownFact | None, fact_id: int, effect: Effect
    ) -> Meeting:
        rivals = effect.facts - {fact_id}
        trust = min(TRUST[one.source_class] for one in statement.observations)
        trust_of = {
            rival: max((TRUST[name] for name in list_classes(self._bench.db, rival)), default=0)
            for rival in rivals
        }
        subject_id = statement.subject.entity_id
        has_others = (
            statement.predicate.cardinality != "single"
            and subject_id is not None
            and has_any(self._bench.db, subject_id, statement.predicate.number)
        )
        is_known = same is not None and same.support > 0
        return Meeting(fact_id, effect, is_known, has_others, trust, trust_of)

    def _close(
        self,
        pending: Pending,
        decision: Decision,
        statement: Statement | None = None,
        fact_id: int | None = None,
    ) -> Decided:
        """Keep the decision, and put the candidate up for review if it waits for a person."""
        bench = self._bench
        row = DecisionRow(
            pending.candidate_id,
            decision.kind,
            decision.reason,
            fact_id,
            decision.target_id,
            bench.recorded,
        )
        bench.keep(row, decision, pending)
        if decision.reason == "suppressed":
            # It may say what was told to be forgotten in words that no sentence has.
            take_words(bench.db, pending.candidate_id)
        text = bench.text_of(pending, statement)
        return Decided(pending, decision, fact_id, text, statement)


def _fault(fault: Fault) -> Decision:
    if fault.reason in REVIEWED:
        return Decision("review", fault.reason, proposed="add")
    return Decision("reject", fault.reason)


def _is_of_type(value: str, predicate: Predicate) -> bool:
    if predicate.value_type == "number":
        return is_number(value)
    return predicate.value_type != "date" or is_date(value)
