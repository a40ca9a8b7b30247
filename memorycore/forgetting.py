"""What a handle can forget: plan, carry out, finish."""

import contextlib
from typing import TYPE_CHECKING, Any

from memorycore.errors import (
    ConfirmationNeededError,
    InvalidInputError,
    MemoryCoreError,
    NotFoundError,
    PlanChangedError,
)
from memorycore.handle import relieved
from memorycore.model.forgetting import (
    DEFAULT_REASON,
    ForgetPlan,
    Options,
    Receipt,
    require_fit,
)
from memorycore.model.identity import format_id, parse_id_of
from memorycore.model.name import require_text
from memorycore.proving import Prover
from memorycore.store.scopes import find_scope

if TYPE_CHECKING:
    from memorycore.engine.forget import Forgotten
    from memorycore.engine.forget_target import Asked
    from memorycore.store.connection import Connection
    from memorycore.store.plans import StoredPlan


class Forgetter(Prover):
    """The use cases of forgetting. Every target and every level goes through one function."""

    @relieved
    def plan_forget(
        self,
        target: str | None = None,
        *,
        level: str,
        subject: str | None = None,
        session: str | None = None,
        query: str | None = None,
        before: str | None = None,
        import_: str | None = None,
        reason: str = DEFAULT_REASON,
        ticket: str | None = None,
        derived: str = "keep",
        suppress: bool = True,
        keep: bool = True,
    ) -> ForgetPlan:
        """Say what forgetting something would take with it, and keep that as a plan.

        ``target`` is the id of a fact, an episode, an entity or an operation; else one of
        ``subject`` (a name; this handle's scope stands for all of it), ``session``, ``query`` (what
        holds all its words), ``before`` (what was over then) or ``import_`` (an import job: what it
        holds and has brought). ``level`` is ``soft``, ``hard``, ``redact`` or ``purge``. Nothing is
        forgotten by this. A plan that covers nothing is not kept, nor is one without ``keep``.

        Raises:
            InvalidInputError: the level does not fit, or a code cannot be read.
            NotFoundError, AmbiguousIdError: the target is not there, or is not unique.
        """
        options = Options(reason, ticket, derived, suppress)
        asked = self._asked(target, subject, session, query, before, import_)
        with self._store.write(dry_run=not keep) as db:
            scope_id = self._scope_to_forget(db)
            return self._plan(db, scope_id, asked, level, options)

    @relieved
    def forget(
        self,
        what: "ForgetPlan | str",
        *,
        level: str | None = None,
        reason: str = DEFAULT_REASON,
        ticket: str | None = None,
        derived: str = "keep",
        suppress: bool = True,
        finish: bool = True,
        dry_run: bool = False,
    ) -> Receipt:
        """Forget what a plan covers, or a single record by its id at a ``level``.

        Purging takes a plan. A soft forgetting can be undone; the others cannot. The file is
        cleaned at once; where another process reads it, or without ``finish``, that waits for
        ``finish_forgetting``, which does it for many at once.

        Raises:
            NotFoundError: there is no such plan or record, or the plan covers nothing.
            PlanChangedError: what the plan covers is no longer what it was; nothing was forgotten.
            ConfirmationNeededError: a purge without a plan.
        """
        if isinstance(what, ForgetPlan) or require_text(what, "what").startswith("plan_"):
            if isinstance(what, ForgetPlan) and what.is_empty:
                raise NotFoundError(
                    "The plan covers nothing, so there is nothing to forget.",
                    why="a plan that covers nothing is not kept",
                    hint="plan_forget with another target or level",
                )
            plan_id = what.id if isinstance(what, ForgetPlan) else what
            done = self._carry_out_plan(plan_id, dry_run=dry_run)
        else:
            if level is None:
                raise InvalidInputError("How far is to be forgotten?", hint="level='soft'")
            if level == "purge" and not dry_run:
                raise ConfirmationNeededError(
                    "Purging needs a plan.", hint="plan_forget(…, level='purge'), then forget(plan)"
                )
            options = Options(reason, ticket, derived, suppress)
            done = self._carry_out_id(what, level, options, dry_run=dry_run)
        return self._finish_one(done) if finish and not dry_run else done

    def _asked(
        self,
        target: str | None,
        subject: str | None,
        session: str | None,
        query: str | None,
        before: str | None,
        import_: str | None,
    ) -> "Asked":
        from memorycore.engine.forget_target import Asked
        from memorycore.model.time import parse_bound

        words = ((subject, "subject"), (session, "session"), (query, "query"), (import_, "import"))
        for named, what in words:
            if named is not None:
                require_text(named, what)
        instant = None
        if before is not None:
            instant = parse_bound(before, now=self._store.clock(), zone=self.time_zone).from_
        return Asked(target, subject, session, query, instant, import_)

    def _plan(
        self, db: "Connection", scope_id: int, asked: "Asked", level: str, options: Options
    ) -> ForgetPlan:
        from memorycore.engine.forget_plan import describe, digest_of
        from memorycore.engine.forget_target import name_target, resolve
        from memorycore.engine.reach import reach_of
        from memorycore.store.plans import StoredPlan, insert_plan

        kind, named = name_target(db, scope_id, self.scope, asked)
        require_fit(kind, level)
        reach = reach_of(db, resolve(db, scope_id, kind, named), level, derived=options.derived)
        now = self._store.clock()
        uid = self._store.new_id(now)
        digest = digest_of(db, reach, level, options)
        plan = StoredPlan(uid, scope_id, self.scope, level, kind, named, options, digest, now)
        described = describe(db, plan, reach)
        if not described.is_empty:
            insert_plan(db, plan)
        return described

    def _carry_out_plan(self, plan: str, *, dry_run: bool) -> Receipt:
        from memorycore.engine.forget_plan import digest_of
        from memorycore.engine.forget_target import resolve
        from memorycore.engine.reach import reach_of
        from memorycore.store.plans import delete_plan

        with self._store.read() as db:
            purges = self._stored_plan(db, plan).level == "purge"
        with self._store.write(dry_run=dry_run, unlinked=purges) as db:
            stored = self._stored_plan(db, plan)
            target = resolve(db, stored.scope_id, stored.kind, stored.named)
            reach = reach_of(db, target, stored.level, derived=stored.options.derived)
            if digest_of(db, reach, stored.level, stored.options) != stored.digest:
                raise PlanChangedError(
                    f"{format_id('plan', stored.uid)} no longer holds: what it covers has changed.",
                    why="nothing was forgotten",
                    hint="make the plan again: memoryctl forget … --dry-run",
                )
            delete_plan(db, stored.uid)
            done = self._apply_reach(
                db, stored.scope_id, stored.kind, stored.level, reach, stored.options,
                plan=format_id("plan", stored.uid), dry_run=dry_run,
            )  # fmt: skip
            receipt = self._receipt(db, done.receipt_uid)
        self._remember_words(done, stored.scope_id, dry_run=dry_run)
        return receipt

    def _carry_out_id(self, what: str, level: str, options: Options, *, dry_run: bool) -> Receipt:
        from memorycore.engine.forget_target import Asked, name_target, resolve
        from memorycore.engine.reach import reach_of

        with self._store.write(dry_run=dry_run, unlinked=level == "purge") as db:
            scope_id = self._scope_to_forget(db)
            kind, named = name_target(db, scope_id, self.scope, Asked(what))
            require_fit(kind, level)
            target = resolve(db, scope_id, kind, named)
            reach = reach_of(db, target, level, derived=options.derived)
            done = self._apply_reach(
                db, scope_id, kind, level, reach, options, plan=None, dry_run=dry_run
            )
            receipt = self._receipt(db, done.receipt_uid)
        self._remember_words(done, scope_id, dry_run=dry_run)
        return receipt

    def _apply_reach(
        self,
        db: "Connection",
        scope_id: int,
        kind: str,
        level: str,
        reach: Any,
        options: Options,
        *,
        plan: str | None,
        dry_run: bool,
    ) -> "Forgotten":
        from memorycore.engine.forget import Order, forget
        from memorycore.engine.forget_plan import count_reach

        suppresses = level != "soft" and options.suppress
        key = None
        if suppresses:
            key = self._store.suppression_key(db, make=True, dry_run=dry_run)
        counts = count_reach(db, reach, level)
        order = Order(
            scope_id, self.scope, kind, level, reach, options, self._actor,
            self._store.clock(), self._store.new_id, counts, plan,
        )  # fmt: skip
        return forget(db, order, key)

    def _remember_words(self, done: "Forgotten", scope_id: int, *, dry_run: bool) -> None:
        if not dry_run:
            self._store.sought[done.receipt_id] = (scope_id, done.needles)

    def _finish_one(self, receipt: Receipt) -> Receipt:
        # What was forgotten is forgotten. What stands in the way of the file, a writer or a full
        # disk, puts its turn off; the receipt says so, and finishing again tells what.
        with contextlib.suppress(MemoryCoreError):
            if receipt.level != "soft":
                self.finish_forgetting()
            with self._store.read() as db:
                return self._receipt(db, receipt.uid)
        return receipt

    @relieved
    def finish_forgetting(self, *, all_scopes: bool = False) -> list[Receipt]:
        """Make the file forget too, and prove it; give the receipts that this has settled.

        The file is one for all scopes; ``all_scopes`` only gives the receipts of all of them.

        Of a forgetting that this process carried out, the words are looked for in the file, its
        log and its indexes. Of one that was interrupted the words are no longer known: the whole
        file is written anew. What another reader keeps from that stays pending.
        """
        from memorycore.engine.finish import finish
        from memorycore.store.receipts import find_receipts, list_pending, receipt_uid

        with self._store.maintain() as db:
            pending = list_pending(db)
            if not pending or not finish(db, pending, self._store.sought, clock=self._store.clock):
                return []
            for number in pending:
                self._store.sought.pop(number, None)
            uids = [receipt_uid(db, number) for number in pending]
        with self._store.read() as db:
            names = self._names_of_scopes(db, all_scopes=all_scopes)
            return [one for uid in uids for one in find_receipts(db, names, uid, uid)]

    def pending_forgetting(self) -> int:
        """Count the forgettings, of all scopes, of which the file may still hold remains."""
        from memorycore.store.receipts import list_pending

        with self._store.read() as db:
            return len(list_pending(db))

    def forget_plans(self) -> list[ForgetPlan]:
        """List the plans of this handle's scopes that were not carried out, newest first."""
        from memorycore.store.plans import list_plans

        with self._store.read() as db:
            found = (find_scope(db, name) for name in self.scopes)
            numbers = [number for number in found if number is not None]
            return [self._described(db, plan) for plan in list_plans(db, numbers)]

    def forget_plan(self, plan: str) -> ForgetPlan:
        """Give a plan by its id, with what it covers now.

        Raises:
            NotFoundError: there is none, or it was carried out.
        """
        with self._store.read() as db:
            return self._described(db, self._stored_plan(db, plan))

    def _described(self, db: "Connection", plan: "StoredPlan") -> ForgetPlan:
        from memorycore.engine.forget_plan import describe
        from memorycore.engine.forget_target import resolve
        from memorycore.engine.reach import reach_of

        target = resolve(db, plan.scope_id, plan.kind, plan.named)
        return describe(db, plan, reach_of(db, target, plan.level, derived=plan.options.derived))

    def _stored_plan(self, db: "Connection", plan: str) -> "StoredPlan":
        from memorycore.engine.look import one_of
        from memorycore.store.plans import find_plans

        scope_id = self._scope_to_forget(db)
        found = find_plans(db, [scope_id], *parse_id_of("plan", plan))
        return one_of(found, "plan", plan, [self.scope], prefix="plan")

    def _receipt(self, db: "Connection", uid: bytes) -> Receipt:
        from memorycore.store.receipts import find_receipts

        return find_receipts(db, [self.scope], uid, uid)[0]
