"""What a host observes, and how the use of a memory went: reports on a handle.

Reviews speak of two scopes of the store: that of a project (``project:KEY``) and that of its user
(``user:…`` or ``global``). A handle names them as its scope and its further scopes.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from memorycore.errors import InvalidInputError, RefusedError
from memorycore.learning import Learner, read_policy
from memorycore.model.name import require_text
from memorycore.store.scopes import find_scope

if TYPE_CHECKING:
    from memorycore.engine.review_work import ReviewWork
    from memorycore.model.review_result import ReviewOutcome, ReviewRecord, ReviewResult
    from memorycore.store.connection import Connection
    from memorycore.store.review_records import StoredRecord

PROJECT = "project:"
REVIEWERS = ("file", "rules", "model")


class NothingKeptError(Exception):
    """Nothing was kept: the transaction, with the operation that it began, is rolled back."""

    def __init__(self, outcomes: "list[ReviewOutcome]") -> None:
        super().__init__()
        self.outcomes = outcomes


class Observer(Learner):
    """The use cases of hosts that watch work being done; what they report is admitted or waits."""

    def _work(
        self,
        db: "Connection",
        scope: str,
        *,
        reviewer: str = "file",
        paused: bool = False,
        kind: str = "review",
    ) -> "ReviewWork":
        from memorycore.engine.review_work import ReviewWork

        if reviewer not in REVIEWERS:
            raise InvalidInputError(f"{reviewer!r} is no reviewer.", hint=", ".join(REVIEWERS))
        handle = Learner(self._store, scope=scope, actor=self._actor)
        learning = handle._learning(kind, read_policy(None, "queue"))
        bench = learning.bench(db, self._store.clock())
        return ReviewWork(learning, bench, reviewer, paused)

    def observe(
        self,
        text: str,
        *,
        language: str,
        workflow: str,
        change: str,
        candidate_key: str | None = None,
        category: str | None = None,
        scope: str = "project",
        project_identity: str | None = None,
        memory_class: str | None = None,
        success: bool = True,
        at: str | None = None,
        dry_run: bool = False,
    ) -> "ReviewResult":
        """Report that a habit was observed in a change; two independent successes make a memory.

        Within a project two changes are independent, with ``scope="global"`` two projects. The
        first is on trial and in no result. What a failure, a pause, a removal or a contradiction
        turns away is told as ``ignored``; no text of it is kept.

        Raises:
            InvalidInputError: a field cannot be.
            RefusedError: it holds what may not be kept.
        """
        from memorycore.exchange.review_making import Observation, read_observation
        from memorycore.model.review_result import ReviewResult

        identity = project_identity or self._project()[0]
        given = Observation(
            text, language, workflow, change, candidate_key, category, scope, identity,
            memory_class,
        )  # fmt: skip
        said, refused = read_observation(given)
        if refused is not None:
            return ReviewResult(outcomes=[refused])
        now = self._store.clock()
        instant = now if at is None else self._instant(at, now)
        if not success:
            return ReviewResult(outcomes=[_ignored("no_success")])

        def step(work: "ReviewWork") -> "ReviewOutcome":
            return work.observe(said, work.observed(identity or "", change, at=instant))

        return self._take_in(self._scope_of_kind(scope), step, dry_run=dry_run)

    def _take_in(
        self, scope: str, step: "Callable[[ReviewWork], ReviewOutcome]", *, dry_run: bool
    ) -> "ReviewResult":
        """Take an observation in, as one operation; where nothing is kept there is none."""
        from memorycore.model.review_result import ReviewResult

        try:
            with self._store.write(dry_run=dry_run) as db:
                if self._is_paused(db, scope):
                    return ReviewResult(outcomes=[_ignored("paused")])
                work = self._work(db, scope)
                outcome = step(work)
                work.finish()
                if not work.is_changed:
                    raise NothingKeptError([outcome])
                operation = work.learning.result.operation
        except NothingKeptError as nothing:
            return ReviewResult(outcomes=nothing.outcomes, dry_run=dry_run)
        return ReviewResult(operation, [outcome], dry_run=dry_run)

    def _instant(self, at: str, now: int) -> int:
        from memorycore.model.time import parse_bound

        found = parse_bound(require_text(at, "at"), now=now, zone=self.time_zone).from_
        if found > now:
            hint = "the time at which it was seen, or none for now"
            raise InvalidInputError("An observation does not lie in the future.", hint=hint)
        return found

    def memory_used(
        self, memory: str, outcome: str, *, change: str, dry_run: bool = False
    ) -> "ReviewResult":
        """Report how the use of a memory in a change went; the last report of a change counts.

        ``outcome`` is ``used-successfully``, ``ignored``, ``overridden``, ``corrected`` or
        ``contributed-to-failure``. One of the last three lets an inferred memory go, and revising
        it brings that back. ``memory`` is its id, or that of the fact that it has become.

        Raises:
            NotFoundError: there is no such memory, or it did not come out of a review.
        """
        from memorycore.engine.review_use import judge_use, require_outcome
        from memorycore.model.review_result import ReviewResult

        require_outcome(outcome)
        with self._store.write(dry_run=dry_run) as db:
            record = self._record_of(db, memory)
            scope = next(name for name in self.scopes if find_scope(db, name) == record.scope_id)
            work = self._work(db, scope)
            outcomes = [judge_use(work, record, require_text(change, "change"), outcome)]
        return ReviewResult(work.learning.result.operation, outcomes, dry_run=dry_run)

    def _record_of(self, db: "Connection", memory: str) -> "StoredRecord":
        from memorycore.engine.look import one_of
        from memorycore.model.identity import parse_id_of
        from memorycore.store.fact_names import list_by_uid
        from memorycore.store.review_records import find_by_uid, list_of_facts

        if require_text(memory, "memory").startswith("fct_"):
            facts = list_by_uid(db, *parse_id_of("fct", memory), self.scopes)
            found = list_of_facts(db, [number for number, _ in facts])[-1:]
        else:
            found = find_by_uid(db, *parse_id_of("mem", memory), self._scope_numbers(db))
        return one_of(found, "memory", memory, self.scopes, prefix="mem")

    def review_records(self, *, state: str | None = None) -> "list[ReviewRecord]":
        """List the memories that reviews keep, oldest first, those on trial too.

        ``state`` is ``trial``, ``proven``, ``superseded``, ``conflict``, or ``None`` for all that
        stand: all but the superseded.
        """
        from memorycore.engine.review_look import read_records
        from memorycore.model.promotion import RECORD_STATES

        if state is not None and state not in RECORD_STATES:
            raise InvalidInputError(f"{state!r} is no state.", hint=", ".join(RECORD_STATES))
        with self._store.read() as db:
            return read_records(db, self._scope_numbers(db), state=state)

    def pause_learning(self, *, paused: bool = True, dry_run: bool = False) -> bool:
        """Let this handle's scope learn nothing from observations, or let it learn again.

        What the user asks for outright works all the same. A handle learns nothing as long as any
        of its scopes is paused. Tells whether anything has changed.
        """
        from memorycore.store.journal import Journal, close_rows
        from memorycore.store.review_marks import insert_pause, list_pauses
        from memorycore.store.scopes import ensure_scope

        with self._store.write(dry_run=dry_run) as db:
            scope_id = ensure_scope(db, self.scope)
            standing = list_pauses(db, [scope_id])
            if bool(standing) == paused:
                return False
            operation = self._record(db, "pause", scope_id=scope_id)
            journal = Journal(db, operation.number)
            close_rows(db, operation.number, "review_pause", standing)
            if paused:
                insert_pause(db, scope_id, recorded=operation.number)
            journal.write()
            return True

    def is_learning_paused(self) -> bool:
        """Tell whether observations are turned away in this handle's scope."""
        with self._store.read() as db:
            return self._is_paused(db, self.scope)

    def _is_paused(self, db: "Connection", scope: str) -> bool:
        from memorycore.store.review_marks import list_pauses

        names = dict.fromkeys((scope, *self.scopes))
        numbers = [number for name in names if (number := find_scope(db, name)) is not None]
        return bool(numbers and list_pauses(db, numbers))

    def _project(self) -> tuple[str | None, str | None]:
        """Name this handle's project: its scope, and its key."""
        found = next((name for name in self.scopes if name.startswith(PROJECT)), None)
        return found, None if found is None else found.removeprefix(PROJECT)

    def _scope_of_kind(self, kind: str) -> str:
        """Name the scope of this handle that a packet calls ``project`` or ``global``.

        Raises:
            RefusedError: the handle names none: it may write what it names, and nothing else.
        """
        if kind == "project":
            found = self._project()[0]
            hint = "--scope project:KEY"
        else:
            others = [name for name in self.scopes if not name.startswith((PROJECT, "agent:"))]
            found, hint = next(iter(others), None), "add the user's scope: --scope user:NAME"
        if found is None:
            raise RefusedError(f"No scope of this call is {kind}.", hint=hint)
        return found

    def _scope_numbers(self, db: "Connection") -> list[int]:
        found = (find_scope(db, name) for name in self.scopes)
        return [number for number in found if number is not None]


def _ignored(reason: str) -> "ReviewOutcome":
    from memorycore.model.review_result import ReviewOutcome

    return ReviewOutcome("observe", "ignored", reason)
