"""What one admitting transaction works with: names, predicates, numbers, and what is to be written.

Rows that nothing looks up again inside the transaction are collected and written at its end.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from memorycore.engine.resolve import Resolved, Resolver
from memorycore.engine.settle import Effect, apply_effect
from memorycore.engine.statement import Pending, Statement, entity_key, literal_key
from memorycore.engine.strike import strike
from memorycore.engine.suppress import Suppression
from memorycore.model.candidate import AskedLink
from memorycore.model.confidence import combine
from memorycore.model.decision import Decision
from memorycore.model.identity import IdSource
from memorycore.model.operation import Operation
from memorycore.model.predicate import Predicate
from memorycore.model.timeline import Observation, validity_of
from memorycore.model.value import canonical_value
from memorycore.model.word import fold
from memorycore.store.candidates import (
    DecisionRow,
    delete_decision,
    find_decision,
    find_review,
    insert_decisions,
    insert_review,
    set_new_state,
)
from memorycore.store.connection import Connection
from memorycore.store.entities import (
    ensure_entity,
    get_entity_row,
    has_name,
    insert_alias,
    list_aliases,
    list_hidden_aliases,
    name_key,
)
from memorycore.store.evidence import EvidenceRow, insert_evidence, is_known, next_evidence_id
from memorycore.store.fact_index import FactIndexing
from memorycore.store.facts import (
    FactRow,
    KnownFact,
    find_timeline,
    insert_fact,
    list_of_entity,
    list_of_object,
    list_same,
    next_fact_id,
)
from memorycore.store.forgotten import begins_hidden
from memorycore.store.hidden_names import has_hidden_names
from memorycore.store.journal import Journal, change_field, close_rows
from memorycore.store.key_file import Key
from memorycore.store.operations import last_number
from memorycore.store.orphans import involved
from memorycore.store.periods import close_period, insert_periods, list_open


@dataclass(slots=True)
class Scene:
    """Whose memory is written, by which operation, and with which key and source of ids."""

    scope_id: int
    scope: str
    operation: Operation
    key: Key
    new_id: IdSource
    suppression: Suppression


class Workbench:
    """The services of one admitting transaction."""

    def __init__(
        self, db: Connection, scene: Scene, predicates: Mapping[str, Predicate], journal: Journal
    ) -> None:
        self.db = db
        self.scene = scene
        self.recorded = scene.operation.number
        # A long run commits in parts. What follows from its evidence is believed from now on, and
        # that is after the operations that others have recorded since it began.
        self.believed_from = last_number(db)
        self.resolver = Resolver(db, scene.scope_id, scene.scope)
        self.indexing = FactIndexing(db)
        self.journal = journal
        self.refs: dict[str, int | None] = {}
        self.asked_links: list[tuple[int, AskedLink]] = []
        self._predicates = dict(predicates)
        self._by_number = {predicate.number: predicate for predicate in predicates.values()}
        for predicate in predicates.values():
            for alias in (predicate.name, *predicate.aliases):
                self._predicates.setdefault(fold(alias), predicate)
        self._next_fact = next_fact_id(db)
        self._next_evidence = next_evidence_id(db)
        self._decisions: list[DecisionRow] = []
        self.named: set[int] = set()
        """The entities whose names have changed, or who they are one with."""
        self.heard: set[int] = set()
        """The entities that something new was said of: a hidden name may be among it."""
        self._hides_names = has_hidden_names(db)

    def predicate(self, name: str) -> Predicate | None:
        """Find a predicate by its name, or by an alias in any case."""
        return self._predicates.get(name) or self._predicates.get(fold(name))

    def predicate_of(self, number: int) -> Predicate:
        """Give the predicate of a number that a fact holds."""
        return self._by_number[number]

    def next_fact_id(self) -> int:
        """Give the number that the next new fact will have."""
        return self._next_fact

    def same(self, statement: Statement) -> list[KnownFact]:
        """Find the facts that say the same, one for each rank; a name and its text are the same."""
        subject_id, predicate_id = statement.subject.entity_id, statement.predicate.number
        if subject_id is None:
            return []
        key = statement.object_key
        found = list_same(self.db, subject_id, predicate_id, key) if key is not None else []
        if not found and statement.object is not None:
            text = literal_key(canonical_value(statement.object.name))
            found = list_same(self.db, subject_id, predicate_id, text)
        return found

    def timeline_for(self, statement: Statement, rank: int | None) -> int | None:
        """Find the timeline that a new fact joins, if there is one."""
        subject_id, predicate = statement.subject.entity_id, statement.predicate
        if subject_id is None:
            return None
        if predicate.cardinality == "single":
            return find_timeline(self.db, subject_id, predicate.number, None)
        if predicate.is_ranked and rank is not None:
            return find_timeline(self.db, subject_id, predicate.number, rank)
        opposite = self.predicate(predicate.opposite) if predicate.opposite else None
        if opposite is not None:
            known = self.same(replace(statement, predicate=opposite))
            return known[0].timeline_id if known else None
        return None

    def entity(self, resolved: Resolved) -> int:
        """Give the number of an entity, making it and its aliases if they are new."""
        entity_id = resolved.entity_id
        if entity_id is None:
            entity_id = ensure_entity(
                self.db,
                self.scene.scope_id,
                resolved.name,
                kind=resolved.kind,
                now=self.scene.operation.at,
                new_id=self.scene.new_id,
                recorded=self.recorded,
            )
            self.resolver.forget(resolved.name)
        for alias in resolved.aliases:
            # A proposer cannot make somebody's name another one's.
            if all(row.entity_id == entity_id for row in self.resolver.named(alias)):
                self.add_alias(entity_id, alias)
        return entity_id

    def add_alias(self, entity_id: int, name: str) -> bool:
        """Give an entity another name; tell whether it is new."""
        if not name.strip() or has_name(self.db, entity_id, name):
            return False
        self._touch_names(entity_id)
        self.named.add(entity_id)
        # Said anew, it is shown: the one that is hidden stands back for it.
        close_rows(self.db, self.recorded, "alias", list_hidden_aliases(self.db, entity_id, name))
        insert_alias(self.db, entity_id, self.scene.scope_id, name, recorded=self.recorded)
        self.resolver.forget(name)
        return True

    def remove_alias(self, entity_id: int, name: str) -> bool:
        """Take another name away from an entity; tell whether it had it."""
        numbers = [
            number
            for number, alias in list_aliases(self.db, entity_id)
            if name_key(alias) == name_key(name)
        ]
        if numbers:
            self._touch_names(entity_id)
            self.named.add(entity_id)
            close_rows(self.db, self.recorded, "alias", numbers)
            self.resolver.forget(name)
        return bool(numbers)

    def _touch_names(self, entity_id: int) -> None:
        """Name the facts that are found by another name of an entity, before that changes."""
        facts = list_of_entity if self._hides_names else list_of_object
        self.indexing.touch(facts(self.db, entity_id))

    def record(
        self,
        pending: Pending,
        statement: Statement,
        same: KnownFact | None,
        effect: Effect,
        observations: Sequence[Observation],
        *,
        lifecycle: str = "active",
    ) -> int:
        """Write what was decided: the fact if it is new, its evidence, and its timeline."""
        subject_id = self.entity(statement.subject)
        fact_id = observations[0].fact_id
        spans = pending.spans
        if same is None:
            self._insert_fact(statement, subject_id, effect, observations)
            self.indexing.add(fact_id)
        elif not same.support or begins_hidden(self.db, fact_id):
            # Else its words in the index stay as they are.
            self.indexing.touch([fact_id])
        self._insert_evidence(pending, effect.timeline_id, observations, spans)
        if same is not None and same.visibility == "hidden":
            # What is hidden stays so, however often it is said again.
            struck = [(*place, end) for place, end in spans.items()]
            strike(self.db, self.indexing, struck, recorded=self.recorded)
        if same is None and not effect.before and effect.facts == {fact_id}:
            places = {fact_id: (statement.predicate.number, subject_id)}
            insert_periods(
                self.db, effect.timeline_id, places, effect.new, recorded=self.believed_from
            )
        else:
            apply_effect(self.db, effect, recorded=self.believed_from)
        self._remember_links(statement, fact_id)
        if self._hides_names:
            self.heard.update(involved(self.db, [], [fact_id]))
        return fact_id

    def _insert_fact(
        self,
        statement: Statement,
        subject_id: int,
        effect: Effect,
        observations: Sequence[Observation],
    ) -> None:
        candidate, predicate = statement.candidate, statement.predicate
        object_id = None if statement.object is None else self.entity(statement.object)
        key = literal_key(statement.value_key) if object_id is None else entity_key(object_id)
        pieces = [piece for piece in effect.after if piece.fact_id == self._next_fact]
        best: dict[int, float] = {}
        for one in observations:
            best[one.occasion] = max(best.get(one.occasion, 0.0), one.reliability)
        validity = validity_of(pieces)
        insert_fact(
            self.db,
            FactRow(
                self._next_fact,
                self.scene.new_id(self.scene.operation.at),
                self.scene.scope_id,
                effect.timeline_id,
                subject_id,
                predicate.number,
                object_id,
                statement.value if object_id is None else None,
                key,
                candidate.rank,
                predicate.fact_type,
                combine(best.values(), contested=validity == "uncertain"),
                predicate.importance if candidate.importance is None else candidate.importance,
                candidate.valence,
                candidate.arousal,
                "sensitive" if predicate.is_sensitive else candidate.sensitivity,
                validity,
                None if statement.attributed is None else self.entity(statement.attributed),
                candidate.event_type,
                candidate.event_status,
                0,
                candidate.claim_key,
                len(observations),
                self._next_evidence,
                self.recorded,
            ),
        )
        self._next_fact += 1

    def _insert_evidence(
        self,
        pending: Pending,
        timeline_id: int,
        observations: Sequence[Observation],
        spans: Mapping[tuple[int, int], int],
    ) -> None:
        rows = [
            EvidenceRow(
                one.fact_id,
                timeline_id,
                *one.sequence,
                spans[one.sequence],
                pending.candidate_id,
                one.starts,
                one.ends,
                one.from_mark.precision,
                one.from_mark.basis,
                one.to_mark.precision,
                one.to_mark.basis,
                one.ended_by,
                one.asserted_at,
                one.source_class,
                one.reliability,
                one.occasion,
                self.recorded,
            )
            for one in observations
            if not is_known(self.db, one.fact_id, (*one.sequence, one.starts, one.ends))
        ]
        insert_evidence(self.db, rows)
        self._next_evidence += len(rows)

    def close_periods(self, fact_id: int) -> None:
        """End the belief in all periods of a fact, before it moves to another timeline."""
        for period_id, since in list_open(self.db, fact_id):
            close_period(self.db, period_id, since, recorded=self.believed_from)

    def evidence_changed(self) -> None:
        """Look the next number up again: evidence was copied."""
        self._next_evidence = next_evidence_id(self.db)

    def remember_ref(self, ref: str | None, fact_id: int) -> None:
        """Remember which fact a candidate's ``ref`` names; one that names two names none."""
        if ref is not None:
            is_clear = self.refs.get(ref, fact_id) == fact_id
            self.refs[ref] = fact_id if is_clear else None

    def _remember_links(self, statement: Statement, fact_id: int) -> None:
        candidate = statement.candidate
        self.remember_ref(candidate.ref, fact_id)
        self.asked_links += [(fact_id, link) for link in candidate.links]
        self.asked_links += [
            (fact_id, AskedLink("ABOUT_ENTITY", naming.name)) for naming in candidate.participants
        ]

    def keep(
        self,
        row: DecisionRow,
        decision: Decision,
        pending: Pending,
        *,
        verdict: str = "admitted",
    ) -> None:
        """Keep a decision; one that waits for a person becomes a review item.

        ``verdict`` is what became of the review item that was open, if there was one.
        """
        if not pending.is_new:
            self._replace_decision(pending.candidate_id, verdict)
        self._decisions.append(row)
        state = "review" if decision.kind in ("review", "conflict") else "decided"
        if not pending.is_new:
            change_field(self.db, self.recorded, "candidate", pending.candidate_id, "state", state)
        elif state == "review":
            set_new_state(self.db, pending.candidate_id, state)
        if state == "review":
            insert_review(self.db, row, proposed=decision.proposed or decision.kind)

    def _replace_decision(self, candidate_id: int, verdict: str) -> None:
        """End what was decided and what was asked of a person before."""
        self.flush()
        if (old := find_decision(self.db, candidate_id)) is not None:
            if old.recorded_from == self.recorded:
                delete_decision(self.db, old.decision_id)
            else:
                change_field(
                    self.db,
                    self.recorded,
                    "decision",
                    old.decision_id,
                    "recorded_to",
                    self.recorded,
                )
        review = find_review(self.db, candidate_id)
        if review is not None and review.state == "open":
            change_field(
                self.db, self.recorded, "review_item", review.review_item_id, "state", verdict
            )

    def flush(self) -> None:
        """Write the decisions that were collected."""
        insert_decisions(self.db, self._decisions)
        self._decisions.clear()

    def text_of(self, pending: Pending, statement: Statement | None) -> str:
        """Give what a candidate says, in one line."""
        candidate = pending.candidate
        if statement is not None:
            return (
                f"{statement.subject.name} {statement.predicate.name} {statement.object_name}"
            ).rstrip()
        subject = candidate.subject.name if candidate.subject else self._speaker(pending)
        named = candidate.object.name if candidate.object else candidate.value or ""
        return " ".join(filter(None, [subject, candidate.predicate, named]))

    def _speaker(self, pending: Pending) -> str:
        speakers = [one.turn.speaker_id for one in pending.sightings]
        if not speakers or speakers[0] is None:
            return ""
        return get_entity_row(self.db, speakers[0]).name
