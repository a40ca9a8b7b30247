"""Carry an import out: what was decided goes through the one admission, page by page.

All pages are one operation. A page is one transaction: what it has done and how far it has come
stand or fall together, so an import that was interrupted goes on where it stopped.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from memorycore.engine.gate import UNSAFE
from memorycore.engine.import_forgotten import mask_forgotten
from memorycore.engine.import_links import defer_links, make_links
from memorycore.engine.import_notes import add_notes
from memorycore.engine.ingest import Intake
from memorycore.engine.learn import Learning
from memorycore.engine.merge import absorb, settle_merged
from memorycore.engine.observe import Sighting
from memorycore.engine.propose import find_fresh, take_candidates
from memorycore.engine.resolve import Resolved
from memorycore.engine.statement import Decided, Pending
from memorycore.engine.workbench import Workbench
from memorycore.errors import InvalidInputError
from memorycore.model import import_job as states
from memorycore.model.candidate import Candidate, check_candidate
from memorycore.model.decision import Decision
from memorycore.model.draft import Draft
from memorycore.model.identity import format_id, parse_id_of
from memorycore.model.import_item import TARGETED, Choice, Proposal, confirmed
from memorycore.model.ingest import IngestPolicy, IngestResult
from memorycore.model.operation import Operation
from memorycore.port.import_format import ImportFormat
from memorycore.store import import_items, import_jobs
from memorycore.store.candidates import DecisionRow
from memorycore.store.connection import Connection
from memorycore.store.decided_links import insert_decided
from memorycore.store.fact_names import list_by_uid
from memorycore.store.import_items import Outcome, StoredItem
from memorycore.store.import_jobs import StoredJob
from memorycore.store.journal import close_rows
from memorycore.store.operations import get_by_number
from memorycore.store.sightings import find_turns_by_uid

MILLISECOND = 1000
PAGE = 1000
"""Items to a transaction."""
ADMITTED = frozenset(("add", "reinforce", "supersede", "history", "merge", "correct", "conflict"))
"""The decisions of admission that make a fact, or strengthen one."""
REVISED = {
    "MERGE": Decision("merge", "merged"),
    "SUPERSEDE": Decision("supersede", "superseded"),
    "CONFLICT": Decision("conflict", "contradicts", proposed="supersede"),
}
"""What the decision on a new fact is that meets others."""


@dataclass(slots=True)
class _Part:
    """An item of a page on its way: its decision, its candidates, and what has become of it."""

    item: StoredItem
    choice: Choice
    proposals: list[Proposal] = field(default_factory=list)
    outcome: str | None = None
    candidate_id: int | None = None
    fact_id: int | None = None


class Applying:
    """One import that is being carried out."""

    def __init__(
        self,
        learning: Learning,
        job: StoredJob,
        format_: ImportFormat,
        *,
        on_secret: str,
        zone: str,
    ) -> None:
        self.learning = learning
        self.job = job
        self._format = format_
        self._on_secret = on_secret
        self._zone = zone
        self._document: str | None = None
        self._parts: list[_Part] = []

    def page(self, db: Connection, *, now: int) -> StoredJob:
        """Carry the next page out in the transaction that is open; give the job as it is then."""
        job = self.job
        states.require_committable(job.at)
        if job.operation_id is not None and self.learning.result.operation is None:
            self._go_on(get_by_number(db, job.operation_id))
        items = import_items.list_items(db, job.job_id, first=job.applied, limit=PAGE)
        parts = self._parts = [_part(item) for item in items]
        if any(part.outcome is None for part in parts):
            self._admit(db, parts, now=now)
        import_items.set_outcomes(db, [_outcome(part) for part in parts])
        applied = job.applied + len(items)
        if applied >= job.at.total:
            self._relate(db, now=now)
        imported = job.at.imported + sum(_is_admitted(part) for part in parts)
        at = replace(job.at, imported=imported)
        if applied >= job.at.total or not items:
            at = states.commit(job.at, imported)
        import_jobs.set_column(db, job.job_id, "applied", applied)
        operation = self.learning.result.operation
        if operation is not None:
            import_jobs.set_column(db, job.job_id, "operation_id", operation.number)
        if at.state == "committed":
            import_jobs.set_column(db, job.job_id, "text", None)
        import_jobs.set_at(db, job.job_id, at, now=now)
        self.job = import_jobs.get_job(db, job.job_id)
        return self.job

    def _go_on(self, operation: Operation) -> None:
        """Go on with an operation that another process began: its records are younger than it."""
        run = self.learning.run
        new_id, earliest = run.new_id, operation.at + MILLISECOND
        run.new_id = lambda at: new_id(max(at, earliest))
        self.learning.result.operation = operation

    def _admit(self, db: Connection, parts: Sequence[_Part], *, now: int) -> None:
        open_ = [part for part in parts if part.outcome is None]
        bench = self.learning.bench(db, now)
        self._take_episodes(db, bench, open_, now=now)
        open_ = [part for part in open_ if part.outcome is None]
        pending, decided = self._take(db, bench, open_)
        for part, one, proposal in pending:
            done = self.learning.decide(bench, _told(one, part, proposal))
            decided.append(done)
            _note(part, done)
            _name_participants(bench, done)
            self._link(db, bench, part, done)
        defer_links(bench)
        self.learning.finish(bench, decided)

    def _relate(self, db: Connection, *, now: int) -> None:
        """Make the links between what was imported, now that all of it is there."""
        opened: list[Workbench] = []

        def open_bench() -> Workbench:
            opened.append(self.learning.bench(db, now))
            return opened[0]

        notes = make_links(db, self.job.job_id, self.job.scope_id, open_bench)
        for bench in opened:
            self.learning.finish(bench)
        add_notes(db, self.job.job_id, notes)

    def _take_episodes(
        self, db: Connection, bench: Workbench, parts: Sequence[_Part], *, now: int
    ) -> None:
        """Keep the episodes that items become, and make their candidates."""
        if self._format.keeps_document:
            episode = self._document_episode(db, bench, now=now)
            for part in parts:
                if part.outcome is None:
                    self._propose(part, [episode])
            return
        drafts: list[Draft] = []
        places: list[list[str]] = []
        for part in parts:
            made = self._format.drafts(
                part.item.content or "", source=self.job.source, zone=self._zone
            )
            named = [f"item {part.item.number + 1}.{at}" for at in range(len(made))]
            drafts += [replace(one, place=name) for one, name in zip(made, named, strict=True)]
            places.append(named)
        episodes, refused = self._intake(db, bench, drafts, now=now)
        for part, named in zip(parts, places, strict=True):
            reason = next((refused[name] for name in named if name in refused), None)
            if reason is not None:
                part.outcome = f"refused {reason}"
            else:
                self._propose(part, [episodes[name] for name in named])

    def _propose(self, part: _Part, episodes: Sequence[str]) -> None:
        content = part.choice.merged or part.item.content or ""
        proposals = list(self._format.propose(content, episodes, zone=self._zone))
        try:
            for one in proposals:
                check_candidate(one.candidate)
        except InvalidInputError:
            part.outcome = "refused bad_value"
            return
        part.proposals = proposals
        if not proposals:
            part.outcome = "kept"

    def _intake(
        self, db: Connection, bench: Workbench, drafts: Sequence[Draft], *, now: int
    ) -> tuple[dict[str, str], dict[str, str]]:
        """Take drafts in; give the ids of their episodes, and why others were refused, by place."""
        run = self.learning.run
        result = IngestResult(bench.scene.operation)
        policy = IngestPolicy(run.scope, True, self._on_secret, False, run.actor)
        intake = Intake(run.key, policy, result, suppression=run.suppression, new_id=run.new_id)
        taken = intake.take(db, drafts, now=now) if drafts else []
        refused = {one.place: one.code for one in result.rejections}
        stored = [one.place for one in drafts if one.place not in refused]
        ids = [format_id("ep", uid) for uid, _ in taken]
        return dict(zip(stored, ids, strict=True)), refused

    def _document_episode(self, db: Connection, bench: Workbench, *, now: int) -> str:
        """Keep the document as an episode, once.

        Raises:
            SuppressedError, SecretRefusedError: it may not be kept.
        """
        if self._document is None:
            from memorycore.engine.draft_gate import as_error
            from memorycore.model.draft import Rejection

            text = self._without_forgotten(db, bench)
            draft = replace(
                self._format.document(text, source=self.job.source), place="the document"
            )
            episodes, refused = self._intake(db, bench, [draft], now=now)
            for code in refused.values():
                raise as_error(Rejection("the document", code, _because(code)))
            [self._document] = episodes.values()
            [turn] = find_turns_by_uid(db, bench.scene.scope_id, *parse_id_of("ep", self._document))
            import_jobs.set_column(db, self.job.job_id, "episode_id", turn.episode_id)
        return self._document

    def _without_forgotten(self, db: Connection, bench: Workbench) -> str:
        """Give the document without the records that were to be forgotten; those are refused."""
        text = import_jobs.job_text(db, self.job.job_id) or ""
        records = {
            part.item.number: self._format.propose(part.item.content, ["ep_"], zone=self._zone)
            for part in self._parts
            if part.item.content is not None
        }
        text, forgotten = mask_forgotten(bench, self.learning.run.policy, text, records)
        for part in self._parts:
            if part.item.number in forgotten:
                part.outcome = "refused suppressed"
        return text

    def _take(
        self, db: Connection, bench: Workbench, parts: Sequence[_Part]
    ) -> tuple[list[tuple[_Part, Pending, Proposal]], list[Decided]]:
        """Store the candidates of items; give those that are to be decided, and those refused."""
        owners: dict[int, tuple[_Part, Proposal]] = {}
        candidates: list[Candidate] = []
        for part in parts:
            for one in part.proposals:
                owners[id(one.candidate)] = (part, one)
                candidates.append(one.candidate)
        run = self.learning.run
        fresh = find_fresh(db, run.key, run.scope, bench.scene.scope_id, candidates)
        close_rows(db, bench.recorded, "candidate", fresh.replaced)
        self.learning.result.already_there += fresh.already_there
        self.learning.result.proposed += len(fresh.candidates)
        taken = {id(candidate) for candidate, _ in fresh.candidates}
        for part in parts:
            if part.proposals and not any(id(one.candidate) in taken for one in part.proposals):
                part.outcome = "ignore same_evidence"
        waiting, refused = take_candidates(bench, fresh.candidates, "file", state="decided")
        numbers = sorted(
            [one.candidate_id for one in waiting] + [one.pending.candidate_id for one in refused]
        )
        by_number = {
            number: owners[id(candidate)]
            for number, (candidate, _) in zip(numbers, fresh.candidates, strict=True)
        }
        for done in refused:
            _note(by_number[done.pending.candidate_id][0], done)
        return [(by_number[one.candidate_id][0], one, by_number[one.candidate_id][1])
                for one in waiting], refused  # fmt: skip

    def _link(self, db: Connection, bench: Workbench, part: _Part, done: Decided) -> None:
        """Keep what was decided between the new fact and those that it was compared with."""
        if done.fact_id is None or done.decision.kind not in ADMITTED:
            return
        if part.choice.action not in TARGETED:
            return
        kind = "CONTRADICTS" if part.choice.action == "CONFLICT" else "SUPERSEDES"
        met: list[int] = []
        for target in part.choice.targets:
            found = list_by_uid(db, *parse_id_of("fct", target), [bench.scene.scope])
            number = found[0][0] if found else done.fact_id
            if number == done.fact_id:
                continue
            met.append(number)
            insert_decided(db, kind, done.fact_id, number, recorded=bench.recorded)
            bench.indexing.touch([number])
            if part.choice.action == "MERGE":
                absorb(bench, number, done.fact_id)
                bench.evidence_changed()
                settle_merged(bench, done.fact_id)
        if met and done.decision.kind == "add":
            decision = replace(REVISED[part.choice.action], target_id=met[0])
            number = done.pending.candidate_id
            row = DecisionRow(
                number, decision.kind, decision.reason, done.fact_id, met[0], bench.recorded
            )
            # It takes the place of what admission alone has decided.
            bench.keep(row, decision, replace(done.pending, is_new=False))
            part.outcome = f"{decision.kind} {decision.reason}"


def _part(item: StoredItem) -> _Part:
    """Begin with an item: what was refused or is ignored goes no further."""
    choice = item.choice or Choice("IGNORE")
    part = _Part(item, confirmed(choice, item.chosen))
    if item.content is None or not item.is_seen:
        part.outcome = item.outcome or "refused suppressed"
    elif part.choice.action == "IGNORE":
        part.outcome = "IGNORE"
    return part


def _told(pending: Pending, part: _Part, proposal: Proposal) -> Pending:
    """Give a candidate as it is to be decided: confirmed by a person, when and how it was said."""
    is_approved = part.choice.waits or part.choice.action in TARGETED
    sightings = tuple(_said(one, proposal) for one in pending.sightings)
    return replace(pending, approved=is_approved, sightings=sightings)


def _said(sighting: Sighting, proposal: Proposal) -> Sighting:
    turn, said = sighting.turn, proposal.said
    if said is None and proposal.read_as is None:
        return sighting
    if said is not None:
        at = said.from_ if said.precision == "instant" else said.to - 1
        turn = replace(turn, asserted_at=at, occurred_from=said.from_, precision=said.precision)
    return replace(sighting, turn=turn, read_as=proposal.read_as)


def _name_participants(bench: Workbench, done: Decided) -> None:
    """Make those known who took part in an event, so that it can be linked with them."""
    if done.fact_id is None or done.decision.kind not in ADMITTED:
        return
    for naming in done.pending.candidate.participants:
        found = bench.resolver.named_entity(naming, (), "person")
        if isinstance(found, Resolved):
            bench.entity(found)


def _note(part: _Part, done: Decided) -> None:
    """Note what became of an item; of several candidates the one that was admitted counts."""
    decision = done.decision
    outcome = f"{decision.kind} {decision.reason}"
    if decision.kind == "reject":
        outcome = f"refused {decision.reason}"
    if part.outcome is None or not _is_admitted(part):
        part.outcome = outcome
        part.candidate_id = done.pending.candidate_id
        part.fact_id = done.fact_id


def _is_admitted(part: _Part) -> bool:
    return (part.outcome or "").split(" ")[0] in ADMITTED | {"kept"}


def _outcome(part: _Part) -> Outcome:
    """Give what is kept of an item: its content only where nothing else says the same."""
    is_twin = part.choice.confidence == 1.0 and bool(part.choice.targets)
    reason = (part.outcome or "").removeprefix("refused ")
    is_unkept = reason in UNSAFE or reason == "suppressed"
    keeps = part.candidate_id is None and not is_twin and not is_unkept
    return Outcome(
        part.outcome or "IGNORE", part.candidate_id, part.fact_id, keeps, part.item.item_id
    )


def _because(code: str) -> str:
    from memorycore.model.decision import REASONS

    return REASONS.get(code, code)
