"""Learn: propose, consolidate and admit, in batches, as one operation that can be undone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memorycore.engine.admit import Admission
from memorycore.engine.alike import waiting_alike
from memorycore.engine.consolidate import AdmitPolicy
from memorycore.engine.propose import (
    find_fresh,
    fresh_lines,
    load_pending,
    take_candidates,
    take_quarantined,
)
from memorycore.engine.settle import settle_decisions
from memorycore.engine.statement import Decided, Pending
from memorycore.engine.suppress import Suppression
from memorycore.engine.veil import refresh_names
from memorycore.engine.workbench import Scene, Workbench
from memorycore.errors import InvalidInputError, RefusedError
from memorycore.model.candidate import Candidate, Quarantined
from memorycore.model.decision import MAX_LISTED, AdmitResult, Outcome
from memorycore.model.identity import IdSource, format_id, parse_id_of
from memorycore.port.extractor import Extracted
from memorycore.store.candidates import StoredCandidate, list_by_number
from memorycore.store.connection import Connection
from memorycore.store.entities import list_named
from memorycore.store.fact_names import list_by_uid, load_names
from memorycore.store.journal import Journal, close_rows
from memorycore.store.key_file import Key
from memorycore.store.links import link_entity, link_facts
from memorycore.store.operations import insert_operation, is_undone
from memorycore.store.predicates import load_predicates
from memorycore.store.scopes import ensure_scope, find_scope


@dataclass(slots=True)
class Run:
    """How a run of learning goes: whose memory, which kind of operation, by whom."""

    scope: str
    kind: str
    actor: str
    key: Key
    new_id: IdSource
    policy: AdmitPolicy
    suppression: Suppression


class Learning:
    """One run of learning: its operation, and what was decided so far.

    A batch that fails is rolled back by the caller, who then must not go on with this run.
    """

    def __init__(self, run: Run) -> None:
        self.result = AdmitResult()
        self.run = run
        self._refs: dict[str, int | None] = {}

    def propose(
        self,
        db: Connection,
        candidates: Sequence[Candidate],
        quarantined: Sequence[Quarantined],
        *,
        proposer: str,
        now: int,
        admit: bool,
    ) -> list[Decided]:
        """Take a batch of candidates in; with ``admit`` decide on each at once."""
        run = self.run
        scope_id = find_scope(db, run.scope) or 0
        fresh = find_fresh(db, run.key, run.scope, scope_id, candidates)
        lines = fresh_lines(db, run.key, run.scope, quarantined)
        self.result.already_there += fresh.already_there
        self.result.quarantined += len(quarantined)
        if not fresh.candidates and not lines:
            return []
        bench = self._bench(db, now)
        take_quarantined(bench, lines)
        close_rows(db, bench.recorded, "candidate", fresh.replaced)
        state = "decided" if admit else "pending"
        pending, decided = take_candidates(bench, fresh.candidates, proposer, state=state)
        self.result.proposed += len(fresh.candidates)
        if admit:
            decided += self._admit(bench, pending)
        self._finish(bench, decided)
        return decided

    def admit(
        self, db: Connection, stored: Sequence[StoredCandidate], *, now: int
    ) -> list[Decided]:
        """Decide on candidates that are stored."""
        if not stored:
            return []
        bench = self._bench(db, now)
        decided = self._admit(bench, load_pending(db, bench.scene.scope_id, stored))
        self._finish(bench, decided)
        return decided

    def note_reading(self, found: Extracted) -> None:
        """Count what was read of conversation, and list what was wrong with it."""
        self.result.turns += found.turns
        self.result.silent += found.silent
        self.result.unread += found.unread
        self.result.spent.add(found.spent)
        room = MAX_LISTED - len(self.result.problems)
        self.result.problems += [
            {"place": one.place, "code": one.code, "severity": one.severity, "reason": one.reason}
            for one in found.problems[: max(0, room)]
        ]

    def decide(self, bench: Workbench, pending: Pending) -> Decided:
        """Decide on one candidate, on a workbench that is open."""
        return Admission(bench, self.run.policy).admit(pending)

    def bench(self, db: Connection, now: int) -> Workbench:
        """Give a workbench of this run's operation, for what is no candidate."""
        return self._bench(db, now)

    def finish(self, bench: Workbench, decided: Sequence[Decided] = ()) -> None:
        """Write what a workbench has collected, and report what was decided."""
        self._finish(bench, decided)

    def _bench(self, db: Connection, now: int) -> Workbench:
        run = self.run
        scope_id = ensure_scope(db, run.scope)
        if self.result.operation is None:
            self.result.operation = insert_operation(
                db, now=now, new_id=run.new_id, actor=run.actor, kind=run.kind, scope_id=scope_id
            )
        elif is_undone(db, self.result.operation.number):
            raise RefusedError(
                f"{self.result.operation.id} was taken back while it was going on.",
                why="what was read since then was not kept",
            )
        operation = self.result.operation
        scene = Scene(scope_id, run.scope, operation, run.key, run.new_id, run.suppression)
        bench = Workbench(db, scene, load_predicates(db), Journal(db, operation.number))
        bench.refs = self._refs
        return bench

    def _admit(self, bench: Workbench, pending: Iterable[Pending]) -> list[Decided]:
        admission = Admission(bench, self.run.policy)
        decided = []
        for one in pending:
            done = admission.admit(one)
            decided.append(done)
            if one.candidate.is_inferred and done.decision.kind in ("add", "reinforce"):
                decided += self._admit_alike(bench, admission, done)
        return decided

    def _admit_alike(self, bench: Workbench, admission: Admission, done: Decided) -> list[Decided]:
        """Admit what waited for just this statement to be seen once more."""
        assert done.statement is not None, "what was admitted is a statement"
        numbers = waiting_alike(bench, done.statement)
        stored = list_by_number(bench.db, numbers) if numbers else []
        return [
            admission.admit(one) for one in load_pending(bench.db, bench.scene.scope_id, stored)
        ]

    def _finish(self, bench: Workbench, decided: Sequence[Decided]) -> None:
        bench.flush()
        self._link(bench)
        settle_decisions(bench.db, bench.indexing.touched(), recorded=bench.recorded)
        refresh_names(bench.db, bench.indexing, bench.heard, ())
        refresh_names(bench.db, bench.indexing, bench.named)
        bench.indexing.finish()
        bench.journal.write()
        self._report(bench.db, decided)

    def _link(self, bench: Workbench) -> None:
        """Make the links that candidates asked for, now that all facts of the batch are there."""
        db, recorded = bench.db, bench.recorded
        for fact_id, link in bench.asked_links:
            if link.kind == "ABOUT_ENTITY":
                named = list_named(db, bench.scene.scope_id, link.to)
                if len(named) == 1:
                    link_entity(db, fact_id, named[0].entity_id, recorded=recorded)
                    continue
            elif (to := _linked(bench, link.to)) is not None and to != fact_id:
                link_facts(db, link.kind, fact_id, to, recorded=recorded)
                continue
            self.result.problems.append(
                {"code": "link_target", "severity": "warn", "place": "",
                 "reason": f"a {link.kind} link leads to nothing that was admitted"}
            )  # fmt: skip
        bench.asked_links.clear()

    def _report(self, db: Connection, decided: Sequence[Decided]) -> None:
        numbers = {one.fact_id for one in decided} | {one.decision.target_id for one in decided}
        names = load_names(db, [number for number in numbers if number is not None])
        for one in sorted(decided, key=lambda one: one.pending.candidate_id):
            fact = names.get(one.fact_id or 0)
            target = names.get(one.decision.target_id or 0)
            self.result.note(
                Outcome(
                    format_id("cand", one.pending.uid),
                    one.text,
                    one.decision,
                    one.pending.candidate.place,
                    format_id("fct", fact[0]) if fact else None,
                    format_id("fct", target[0]) if target else None,
                    target[1] if target else None,
                )
            )


def _linked(bench: Workbench, to: str) -> int | None:
    """Find the fact that a link leads to: a candidate's ``ref``, or a fact by id."""
    if to in bench.refs:
        return bench.refs[to]
    if not to.startswith("fct_"):
        return None
    try:
        lowest, highest = parse_id_of("fct", to)
    except InvalidInputError:
        return None
    found = list_by_uid(bench.db, lowest, highest, [bench.scene.scope])
    return found[0][0] if len(found) == 1 else None
