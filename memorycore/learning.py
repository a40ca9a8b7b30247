"""What a handle can do with proposals: take them in, look at what they would do, admit them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from memorycore.errors import InvalidInputError, NotFoundError, PlanChangedError
from memorycore.handle import Handle
from memorycore.model.given import require_path, require_share
from memorycore.model.identity import format_id, parse_id_of
from memorycore.store.scopes import find_scope

if TYPE_CHECKING:
    from os import PathLike

    from memorycore.engine.consolidate import AdmitPolicy
    from memorycore.engine.learn import Learning
    from memorycore.engine.statement import Decided
    from memorycore.model.candidate import Candidate, Quarantined
    from memorycore.model.decision import AdmitResult
    from memorycore.store.candidates import StoredCandidate
    from memorycore.store.connection import Connection

BATCH = 1000
"""Candidates to a transaction in bulk."""
MAX_PLAN = 1_000_000

Progress = Callable[[int], None]


class Learner(Handle):
    """The use cases that lead from proposals to facts; all go through the same admission."""

    def propose(
        self,
        items: "Iterable[Candidate | Quarantined | Mapping[str, Any]]",
        *,
        proposer: str = "file",
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> "AdmitResult":
        """Take candidates in, to be decided later; the same candidate again is recognised.

        An item is a ``Candidate`` or a mapping with the fields of the candidate format. What no
        candidate may be (no evidence, a secret) is refused at once, with the decision on record.
        """
        return self._take(items, proposer, admit=False, dry_run=dry_run, progress=progress)

    def learn(
        self,
        items: "Iterable[Candidate | Quarantined | Mapping[str, Any]]",
        *,
        proposer: str = "file",
        min_confidence: float | None = None,
        rest: str = "queue",
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> "AdmitResult":
        """Propose, consolidate and admit in one go, as one operation.

        A thousand candidates go into a transaction. When a run is interrupted, what was committed
        stands, and the same input again adds what is missing.
        """
        policy = read_policy(min_confidence, rest)
        return self._take(
            items, proposer, admit=True, policy=policy, dry_run=dry_run, progress=progress
        )

    def propose_file(
        self,
        path: "str | PathLike[str]",
        *,
        format: str = "auto",  # noqa: A002 (the public name)
        items: "str | PathLike[str] | None" = None,
        strict: bool = False,
        learn: bool = False,
        time_zone: str | None = None,
        session: str | None = None,
        since: str | None = None,
        **settings: Any,
    ) -> "AdmitResult":
        """Take the proposals of a file in (``-`` is standard input); with ``learn`` admit them too.

        ``format`` is ``candidates`` (our own JSON lines), ``claims`` (the claim stream of seed
        000), ``answers`` (of a model, to packets that ``requests`` gave), ``additive`` (Mem0's
        output, which rests on the turns of a ``session`` or ``since`` a time) or ``auto``. The
        memory items that claims rest on are those that were ingested, or those of the export
        ``items``. With ``strict`` one broken rule refuses the whole stream.

        Raises:
            InvalidInputError: the file cannot be read.
        """
        from memorycore.proposals import Chosen, Lookup, open_proposals, read_export

        given, problems = read_export(require_path(items)) if items is not None else ([], [])
        zone = time_zone or self.time_zone
        lookup = Lookup(self._store, self.scope, zone, given)
        with open_proposals(
            require_path(path),
            format,
            lookup=lookup,
            chosen=Chosen(session, since),
            zone=zone,
            strict=strict,
        ) as opened:
            records, problems = opened.checked(problems, strict=strict)
            refused = strict and any(one.severity == "reject" for one in problems)
            settings = opened.settings | settings
            take = self.learn if learn else self.propose
            result = take(() if refused else records, **settings)
        result.problems = [asdict(one) for one in problems] + result.problems
        result.is_refused = refused
        return result

    def consolidate(self, candidates: Sequence[str] = ()) -> "AdmitResult":
        """Say what admitting would do, and write nothing.

        Without ``candidates`` it is about all that are pending in this handle's scope. The plan's
        id stands for these decisions on this state of the store.
        """
        learning, plan, _ = self._decide(candidates, read_policy(None, "queue"), keep=False)
        learning.result.plan = format_id("plan", plan)
        learning.result.dry_run = True
        return self._without_unreal(learning.result)

    def admit(
        self,
        candidates: Sequence[str] = (),
        *,
        plan: str | None = None,
        min_confidence: float | None = None,
        rest: str = "queue",
        dry_run: bool = False,
    ) -> "AdmitResult":
        """Admit pending candidates: those named, else all of this handle's scope.

        With ``plan`` only if the decisions are those that were shown.

        Raises:
            PlanChangedError: the store has moved since the plan was made; nothing was written.
            NotFoundError: a candidate is not there.
        """
        policy = read_policy(min_confidence, rest)
        position = None
        if plan is not None:
            lowest, highest = parse_id_of("plan", plan)
            # A plan is shown as the default policy has it; another one starts from the same store.
            _, found, position = self._decide(candidates, read_policy(None, "queue"), keep=False)
            if not lowest <= found <= highest:
                raise _plan_changed(plan)
        learning, _, _ = self._decide(
            candidates, policy, keep=not dry_run, plan=plan, position=position
        )
        learning.result.dry_run = dry_run
        return self._without_unreal(learning.result) if dry_run else learning.result

    def _decide(
        self,
        candidates: Sequence[str],
        policy: "AdmitPolicy",
        *,
        keep: bool,
        plan: str | None = None,
        position: int | None = None,
    ) -> "tuple[Learning, bytes, int]":
        """Decide on candidates; give the plan of it, and where the store stood before."""
        from memorycore.engine.plan import plan_id

        learning = self._learning("admit", policy)
        with self._store.write(dry_run=not keep) as db:
            before = self._position(db)
            if position is not None and position != before:
                raise _plan_changed(plan)
            stored = self._pending(db, candidates)
            decided: list[Decided] = learning.admit(db, stored, now=self._store.clock())
            return learning, plan_id(self._store.key(), before, decided), before

    def _without_unreal(self, result: "AdmitResult") -> "AdmitResult":
        """Leave out the ids of facts that only a dry run made."""
        from memorycore.store.fact_names import list_by_uid

        with self._store.read() as db:

            def real(fact: str | None) -> str | None:
                there = fact and list_by_uid(db, *parse_id_of("fct", fact), [self.scope])
                return fact if there else None

            result.outcomes = [
                replace(one, fact=real(one.fact), target=real(one.target))
                for one in result.outcomes
            ]
        return result

    def _position(self, db: "Connection") -> int:
        from memorycore.store.operations import last_number

        return last_number(db)

    def _pending(self, db: "Connection", candidates: Sequence[str]) -> "list[StoredCandidate]":
        from memorycore.store.candidates import list_in_state

        scope_id = find_scope(db, self.scope)
        if scope_id is None:
            if candidates:
                raise NotFoundError(f"There is no candidate in {self.scope}.")
            return []
        if not candidates:
            return list_in_state(db, scope_id, "pending", limit=MAX_PLAN)
        return [self._candidate(db, scope_id, name) for name in dict.fromkeys(candidates)]

    def _candidate(self, db: "Connection", scope_id: int, name: str) -> "StoredCandidate":
        from memorycore.engine.look import one_of
        from memorycore.store.candidates import list_by_uid

        found = list_by_uid(db, *parse_id_of("cand", name), [scope_id])
        one = one_of(found, "candidate", name, self.scopes, prefix="cand")
        if one.state == "decided":
            raise InvalidInputError(
                f"{format_id('cand', one.uid)} was decided already.",
                hint="memoryctl show ID  shows how",
            )
        return one

    def _take(
        self,
        items: "Iterable[Candidate | Quarantined | Mapping[str, Any]]",
        proposer: str,
        *,
        admit: bool,
        policy: "AdmitPolicy | None" = None,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> "AdmitResult":
        from memorycore.model.candidate import PROPOSERS, Quarantined
        from memorycore.model.decision import MAX_LISTED

        if proposer not in PROPOSERS:
            raise InvalidInputError("There is no such proposer.", hint=", ".join(PROPOSERS))

        kind = "learn" if admit else "propose"
        learning = self._learning(kind, policy or read_policy(None, "queue"))
        learning.result.dry_run = dry_run

        def step(db: "Connection", batch: "list[Candidate | Quarantined]") -> None:
            lines = [one for one in batch if isinstance(one, Quarantined)]
            # A file without a line is reported, but there is nothing of it to keep.
            kept = [line for line in lines if line.rejection.code != "empty_file"]
            learning.result.quarantined += len(lines) - len(kept)
            learning.propose(
                db,
                [one for one in batch if not isinstance(one, Quarantined)],
                kept,
                proposer=proposer,
                now=self._store.clock(),
                admit=admit,
            )
            room = MAX_LISTED - len(learning.result.rejections)
            learning.result.rejections += [line.rejection.to_dict() for line in lines[:room]]

        self._each_batch(self._read(items), step, dry_run=dry_run, progress=progress)
        return self._without_unreal(learning.result) if dry_run else learning.result

    def _each_batch(
        self,
        records: "Iterator[Candidate | Quarantined]",
        step: "Callable[[Connection, list[Candidate | Quarantined]], None]",
        *,
        dry_run: bool,
        progress: Progress | None,
    ) -> None:
        """Run a step over batches: each in a transaction, or all in one that is rolled back."""
        done = 0
        batches = iter(lambda: list(islice(records, BATCH)), [])
        if dry_run:
            with self._store.write(dry_run=True) as db:
                for batch in batches:
                    step(db, batch)
            return
        for batch in batches:
            with self._store.write() as db:
                step(db, batch)
            done += len(batch)
            if progress is not None:
                progress(done)

    def _read(
        self, items: "Iterable[Candidate | Quarantined | Mapping[str, Any]]"
    ) -> "Iterator[Candidate | Quarantined]":
        from memorycore.exchange.candidate_line import read_candidate_item
        from memorycore.model.candidate import Quarantined, check_candidate
        from memorycore.model.unsafe import is_shown

        if isinstance(items, (Mapping, str, bytes)):
            raise InvalidInputError("Candidates come as a list.", hint="memory.learn([{…}])")
        for number, item in enumerate(items, 1):
            place = f"item {number}"
            try:
                if isinstance(item, Quarantined):
                    yield _masked_line(item, place)
                elif isinstance(item, Mapping):
                    yield read_candidate_item(dict(item), time_zone=self.time_zone, place=place)
                else:
                    check_candidate(item)
                    yield item if is_shown(item.place) else replace(item, place=place)
            except InvalidInputError as error:
                raise InvalidInputError(
                    f"{place}: {error.message}", why=error.why, hint=error.hint
                ) from error

    def _learning(self, kind: str, policy: "AdmitPolicy") -> "Learning":
        from memorycore.engine.learn import Learning, Run

        return Learning(
            Run(
                self.scope,
                kind,
                self._actor,
                self._store.key(),
                self._store.new_id,
                policy,
                self._store.suppression(),
            )
        )


def _masked_line(line: "Quarantined", place: str) -> "Quarantined":
    """Give a line that is no candidate with a place, code and reason that may be shown."""
    from memorycore.model.draft import Rejection
    from memorycore.model.unsafe import is_shown

    given = line.rejection
    parts = (given.place, given.code, given.reason)
    if all(map(is_shown, parts)):
        return line
    shown = [
        part if is_shown(part) else other
        for part, other in zip(parts, (place, "invalid_input", "it cannot be read"), strict=True)
    ]
    return replace(line, rejection=Rejection(*shown))


def _plan_changed(plan: str | None) -> PlanChangedError:
    return PlanChangedError(
        f"{plan} no longer holds: the store or its candidates have changed.",
        why="nothing was written",
        hint="memoryctl consolidate  shows what would be done now",
    )


def read_policy(min_confidence: float | None, rest: str) -> "AdmitPolicy":
    """Read how candidates are to be admitted."""
    from memorycore.engine.consolidate import AdmitPolicy
    from memorycore.model.decision import MIN_CONFIDENCE

    if rest not in ("queue", "reject"):
        raise InvalidInputError(f"{rest!r} is no way to treat the rest.", hint="queue or reject")
    least = require_share(min_confidence, "min_confidence")
    return AdmitPolicy(MIN_CONFIDENCE if least is None else least, rest)
