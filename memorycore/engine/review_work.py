"""One piece of review work in one transaction: observe, remember, put right, judge by use.

What is to happen is decided by ``model.promotion``; here it is looked up and carried out, under
the operation of the run.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from memorycore.engine.gate import UNSAFE, find_unsafe_in
from memorycore.engine.learn import Learning
from memorycore.engine.review_believe import Claim, believe, disbelieve, explicit_among
from memorycore.engine.statement import Decided
from memorycore.engine.workbench import Workbench
from memorycore.errors import RefusedError, SuppressedError
from memorycore.model.decision import REASONS
from memorycore.model.draft import Draft
from memorycore.model.identity import format_id
from memorycore.model.promotion import Grave, Known, Observed, Verdict, judge
from memorycore.model.review_policy import skip_reason
from memorycore.model.review_result import ReviewOutcome
from memorycore.model.review_said import Said
from memorycore.store import review_marks as marks
from memorycore.store import review_records as records
from memorycore.store.connection import Connection
from memorycore.store.fact_names import load_names
from memorycore.store.journal import change_field, close_rows
from memorycore.store.key_file import Key
from memorycore.store.review_records import StoredRecord

BELIEVED = frozenset(("add", "reinforce", "merge", "correct", "supersede", "history"))


def mark_of(key: Key, purpose: str, *fields: str) -> bytes:
    """Give the keyed mark of some words: it recognises them and tells nothing of them."""
    return key.fingerprint(f"review {purpose}".encode(), fields)


@dataclass(slots=True)
class ReviewWork:
    """The work of one run, on one scope. ``paused`` says that nothing inferred is taken."""

    learning: Learning
    bench: Workbench
    proposer: str = "file"
    paused: bool = False
    is_changed: bool = False
    decided: list[Decided] = field(default_factory=list)

    @property
    def db(self) -> Connection:
        """The connection whose transaction is open."""
        return self.bench.db

    def mark(self, purpose: str, *fields: str) -> bytes:
        """Give the keyed mark of some words."""
        return mark_of(self.bench.scene.key, purpose, *fields)

    def observed(self, identity: str, change: str, *, at: int, success: bool = True) -> Observed:
        """Make an observation of a project and a change that are named by their hosts."""
        return Observed(self.mark("project", identity), self.mark("change", change), success, at)

    def observe(
        self, said: Said, new: Observed, *, corrects: StoredRecord | None = None
    ) -> ReviewOutcome:
        """Take one inferred observation in, as far as it counts."""
        identity = self.mark("identity", *said.identity_fields())
        text = self.mark("text", *said.text_fields())
        if find_unsafe_in([said.text, said.category, *said.lists.texts]) in UNSAFE:
            return ReviewOutcome("observe", "ignored", "unsafe")
        if (reason := skip_reason(said.text, said.category)) is not None:
            return ReviewOutcome("observe", "ignored", reason)
        stored = self._stored(identity, without=corrects)
        verdict = judge(
            said.scope,
            text,
            new,
            [known for known, _ in stored],
            self._graves(identity),
            is_paused=self.paused,
        )
        if not verdict.is_kept:
            return self._outcome("observe", verdict.result, verdict.reason, verdict.record)
        if self._is_suppressed(said):
            return ReviewOutcome("observe", "ignored", "suppressed")
        scope_id = self.bench.scene.scope_id
        if verdict.result in ("candidate-created", "candidate-promoted") and records.is_hidden(
            self.db, scope_id, identity, text
        ):
            # What was believed and is hidden comes back when that is undone, and not by itself:
            # a trial of it could never end.
            return self._outcome("observe", "ignored", "hidden", verdict.record)
        number = verdict.record
        if number is None:
            number = self._begin(said, (identity, text), verdict, corrects)
        self._keep(number, new)
        self._dispute(verdict.disputed)
        return self._carry_out(number, new, verdict)

    def _stored(
        self, identity: bytes, *, without: StoredRecord | None = None
    ) -> list[tuple[Known, StoredRecord]]:
        """Read the records of an identity with what was observed of them."""
        found = records.list_of_identity(self.db, self.bench.scene.scope_id, identity)
        found = [one for one in found if without is None or one.number != without.number]
        seen = self.seen([one.number for one in found])
        return [
            (Known(one.number, one.text_mark, one.authority, one.state, seen[one.number]), one)
            for one in found
        ]

    def seen(self, numbers: Sequence[int]) -> dict[int, tuple[Observed, ...]]:
        """Read what was observed of records; only successes are kept."""
        found = records.list_observations(self.db, numbers)
        return {
            number: tuple(Observed(project, change, True, at) for project, change, at in rows)
            for number, rows in found.items()
        }

    def _graves(self, identity: bytes) -> list[Grave]:
        found = marks.list_removals(self.db, self.bench.scene.scope_id, identity)
        return [Grave(at, is_permanent) for _, at, is_permanent in found]

    def _is_suppressed(self, said: Said) -> bool:
        scene = self.bench.scene
        draft = Draft(said.text, role="event")
        return bool(scene.suppression.refused_texts(self.db, scene.scope_id, scene.scope, [draft]))

    def _begin(
        self,
        said: Said,
        keyed: tuple[bytes, bytes],
        verdict: Verdict,
        corrects: StoredRecord | None,
    ) -> int:
        scene = self.bench.scene
        return records.insert_record(
            self.db,
            uid=scene.new_id(scene.operation.at),
            scope_id=scene.scope_id,
            marks=keyed,
            authority="inferred",
            state="conflict" if verdict.reason == "conflict" else "trial",
            shape=said.to_shape(),
            recorded=self.bench.recorded,
            corrects_id=None if corrects is None else corrects.fact_id,
        )

    def _keep(self, number: int, new: Observed) -> None:
        self.is_changed = True
        records.insert_observation(
            self.db,
            number,
            new.project,
            new.change,
            observed_at=new.observed_at,
            recorded=self.bench.recorded,
        )

    def _dispute(self, disputed: Sequence[int]) -> None:
        """Let records that contradict each other leave retrieval until somebody decides."""
        for one in records.list_by_number(self.db, disputed):
            self.set_field(one.number, "state", "conflict")
            disbelieve(self.bench, [one.fact_id])

    def _carry_out(self, number: int, new: Observed, verdict: Verdict) -> ReviewOutcome:
        [record] = records.list_by_number(self.db, [number])
        reason = verdict.reason
        if verdict.result == "candidate-promoted":
            decided = self.promote(record, self.seen([number])[number])
            if decided is None or decided.decision.kind not in BELIEVED:
                reason = "not_seen" if decided is None else decided.decision.reason
                return self._outcome("observe", "ignored", reason, number)
        elif verdict.reason in ("one_more_source", "explicit"):
            said = Said.of_shape(record.shape)
            predicate = said.predicate(record.authority)
            claim = Claim(said, "inferred", predicate, (new,), is_settled=True)
            self._believe(claim)
        return self._outcome("observe", verdict.result, reason, number)

    def promote(
        self, record: StoredRecord, observed: tuple[Observed, ...], *, is_settled: bool = False
    ) -> Decided | None:
        """Let a candidate become a fact, if admission agrees; what it corrects goes."""
        if record.authority == "inferred" and explicit_among(self.db, _numbers(record.corrects_id)):
            return None  # The user has said outright meanwhile what it was to put right.
        said = Said.of_shape(record.shape)
        predicate = said.predicate(record.authority)
        claim = Claim(said, record.authority, predicate, observed, record.corrects_id, is_settled)
        decided = self._believe(claim)
        if decided is None or decided.decision.kind not in BELIEVED:
            return decided
        if record.corrects_id is not None:
            for one in records.list_of_facts(self.db, [record.corrects_id]):
                if one.number != record.number:
                    self.set_field(one.number, "state", "superseded")
        self.set_field(record.number, "state", "proven")
        self.set_field(record.number, "fact_id", decided.fact_id)
        return decided

    def _believe(self, claim: Claim) -> Decided | None:
        decided = believe(self.learning, self.bench, claim, proposer=self.proposer)
        if decided is not None:
            self.decided.append(decided)
        return decided

    def remember(self, said: Said, new: Observed) -> ReviewOutcome:
        """Keep what a user asks for outright: it holds at once, and ends what was inferred."""
        text, scope_id = self.mark("text", *said.text_fields()), self.bench.scene.scope_id
        alike = records.list_of_text(self.db, scope_id, text)
        if said.candidate_key is None and alike:
            # The user confirms what was observed: it is about the same from now on.
            said = replace(Said.of_shape(alike[0].shape), text=said.text)
        identity = self.mark("identity", *said.identity_fields())
        keyed = (identity, text)
        graves = marks.list_removals(self.db, scope_id, identity)
        close_rows(self.db, self.bench.recorded, "review_removal", [one[0] for one in graves])
        stored = [one for _, one in self._stored(identity) if one.state != "superseded"]
        inferred = [one for one in stored if one.authority == "inferred"]
        disbelieve(self.bench, [one.fact_id for one in inferred])
        for one in inferred:
            self.set_field(one.number, "state", "superseded")
        known = [one for one in stored if one.authority == "explicit" and one.text_mark == keyed[1]]
        return self._say(said, keyed, new, known[0] if known else None, "remembered")

    def correct(
        self, said: Said, new: Observed, target: StoredRecord | None, fact_id: int | None
    ) -> ReviewOutcome:
        """Put a memory right as its user says; the earlier one no longer holds."""
        keyed = (
            self.mark("identity", *said.identity_fields()),
            self.mark("text", *said.text_fields()),
        )
        if target is not None:
            self.set_field(target.number, "state", "superseded")
        return self._say(said, keyed, new, None, "corrected", corrects=fact_id)

    def _say(
        self,
        said: Said,
        keyed: tuple[bytes, bytes],
        new: Observed,
        known: StoredRecord | None,
        result: str,
        *,
        corrects: int | None = None,
    ) -> ReviewOutcome:
        """Keep an explicit memory and let it be admitted as its user's word."""
        self.is_changed = True
        proposer, self.proposer = self.proposer, "person"
        try:
            predicate = said.predicate("explicit")
            decided = self._believe(Claim(said, "explicit", predicate, (new,), corrects))
        finally:
            self.proposer = proposer
        if decided is not None and decided.decision.kind not in BELIEVED:
            raise _not_believed(decided.decision.reason)
        fact_id = known.fact_id if known is not None else None
        fact_id = decided.fact_id if decided is not None else fact_id
        if known is not None:
            self.set_field(known.number, "fact_id", fact_id)
            return self._outcome("remember", "deduplicated", "explicit", known.number)
        scene = self.bench.scene
        number = records.insert_record(
            self.db,
            uid=scene.new_id(scene.operation.at),
            scope_id=scene.scope_id,
            marks=keyed,
            authority="explicit",
            state="proven",
            shape=said.to_shape(),
            recorded=self.bench.recorded,
            fact_id=fact_id,
        )
        return self._outcome("remember", result, "asked_for", number)

    def set_field(self, number: int, name: str, value: object) -> None:
        """Change a field of a record, so that it can be taken back."""
        change_field(self.db, self.bench.recorded, "memory", number, name, value)

    def _outcome(self, action: str, result: str, reason: str, number: int | None) -> ReviewOutcome:
        if number is None:
            return ReviewOutcome(action, result, reason)
        [record] = records.list_by_number(self.db, [number])
        return self.outcome_of(ReviewOutcome(action, result, reason), record)

    def outcome_of(self, outcome: ReviewOutcome, record: StoredRecord) -> ReviewOutcome:
        """Name the record and its fact in an outcome."""
        fact = None
        if record.fact_id is not None:
            names = load_names(self.db, [record.fact_id])
            fact = format_id("fct", names[record.fact_id][0]) if names else None
        return replace(outcome, record=format_id("mem", record.uid), fact=fact)

    def finish(self) -> None:
        """Write what was collected; further work may follow."""
        self.learning.finish(self.bench, self.decided)
        self.decided = []


def _numbers(number: int | None) -> list[int]:
    return [] if number is None else [number]


def _not_believed(reason: str) -> RefusedError:
    """Give the error for what a user asks for and admission does not take."""
    why = REASONS.get(reason, reason)
    if reason == "suppressed":
        hint = "memoryctl suppression list"
        return SuppressedError(f"It was not kept: {why}.", hint=hint)
    hint = "memoryctl help reviews  tells what is kept"
    return RefusedError(f"It was not kept: {why}.", why="nothing was written", hint=hint)
