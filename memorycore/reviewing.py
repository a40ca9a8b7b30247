"""Memory review on a handle: packets, the actions that answer them, observations, and uses.

A packet speaks of two scopes of the store: that of a project (``project:KEY``) and that of its user
(``user:…`` or ``global``). A handle names them as its scope and its further scopes.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memorycore.errors import ConfirmationNeededError, RefusedError
from memorycore.observing import PROJECT, NothingKeptError, Observer
from memorycore.store.scopes import find_scope

if TYPE_CHECKING:
    from memorycore.engine.review_build import Place
    from memorycore.model.review_actions import ReviewAction
    from memorycore.model.review_packet import ReviewPacket
    from memorycore.model.review_result import (
        ReviewCheck,
        ReviewResult,
    )
    from memorycore.store.connection import Connection


class Reflector(Observer):
    """The use cases of memory review; what they admit goes through the one admission."""

    def review_packet(
        self,
        *,
        language: str,
        workflow: str,
        change: str,
        checkpoint: str,
        category: str | None = None,
        project_identity: str | None = None,
        user_evidence: Sequence[str] = (),
        request: Mapping[str, Any] | None = None,
        evidence: Sequence[Mapping[str, Any]] = (),
        budget: tuple[int, int, int] | None = None,
    ) -> dict[str, Any]:
        """Make a bounded packet for a reviewer; nothing is written.

        ``evidence`` are the observations of the host, with the fields of the packet's; a key, the
        scope, the project and the time are filled in where they are left out. ``request`` is what
        the user asks for outright. ``budget`` are actions, evidence and bytes (4, 8, 4096; at most
        8, 16, 12288). The memories are those of this handle that touch it, as many as fit.

        Raises:
            InvalidInputError: a field cannot be, or the packet is too large even without memories.
            RefusedError: it holds what may not be kept.
        """
        from memorycore.engine.review_build import fit, memories_for
        from memorycore.exchange.review_making import Making, make_packet, size_of_packet
        from memorycore.exchange.review_packet import write_packet

        now = self._store.clock()
        project, key = self._project()
        identity = project_identity or project
        request = self._with_target(request)
        given = Making(
            language, workflow, change, checkpoint, category, identity, key,
            tuple(user_evidence), request, tuple(evidence), budget, now,
        )  # fmt: skip
        packet = make_packet(given)
        with self._store.read() as db:
            text = "\n".join(
                [checkpoint, *user_evidence, *(one.text or "" for one in packet.evidence)]
            )
            places = self._places(db, key, identity)
            found = memories_for(db, places, text, now=now, request=packet.request)
            packet = given.with_memories(packet, found)
        packet = fit(packet, size_of_packet)
        given.require_sound(packet)
        return write_packet(packet)

    def _with_target(self, request: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        """Let a request name the fact that a memory has become: so packets name it."""
        from memorycore.engine.review_build import fact_of

        target = None if request is None else request.get("targetId")
        if request is None or not isinstance(target, str) or not target.startswith("mem_"):
            return request
        with self._store.read() as db:
            fact = fact_of(db, target, self._scope_numbers(db))
        return request if fact is None else {**request, "targetId": fact}

    def check_review(self, packet: Any, actions: Any) -> "ReviewCheck":
        """Judge the actions that answer a packet, the set as a whole; nothing is written.

        Both are documents: JSON text, or what it says. Each fault names its rule and place.
        """
        return check_review(packet, actions)

    def apply_review(
        self,
        packet: Any,
        actions: Any,
        *,
        reviewer: str = "file",
        confirm: str | None = None,
        dry_run: bool = False,
    ) -> "ReviewResult":
        """Apply the actions that answer a packet: all or nothing, as one operation.

        The documents are judged once more. The same answer to the same packet is applied once. A
        forgetting for good needs ``confirm``, the id of its target; it cannot be undone.

        Raises:
            RefusedError: a rule is broken, or the packet is of another project.
            PlanChangedError: a memory of the packet is no longer there.
            ConfirmationNeededError: something is to be forgotten for good.
        """
        from memorycore.model.review_result import ReviewResult

        read, found, check = read_answer(packet, actions)
        if read is None or not check.ok:
            raise refused_review(check)
        permanent = [one.target_id for one in found if one.permanent]
        if permanent and confirm != permanent[0] and not dry_run:
            raise ConfirmationNeededError(
                "Something is to be forgotten for good.",
                why="that cannot be undone",
                hint=f"confirm it by its id: --confirm {permanent[0]}",
            )
        try:
            with self._store.write(dry_run=dry_run, unlinked=bool(permanent)) as db:
                result = self._apply(db, read, found, reviewer=reviewer, dry_run=dry_run)
        except NothingKeptError as nothing:
            result = ReviewResult(outcomes=nothing.outcomes)
        result.dry_run = dry_run
        if permanent and not dry_run:
            self._settle_forgetting()
        return result

    def _settle_forgetting(self) -> None:
        """Let the file forget too; where somebody reads it, that waits."""
        import contextlib

        from memorycore.errors import MemoryCoreError

        finish: Callable[[], Any] | None = getattr(self, "finish_forgetting", None)
        if finish is not None:
            with contextlib.suppress(MemoryCoreError):
                finish()

    def _apply(
        self,
        db: "Connection",
        packet: "ReviewPacket",
        actions: "Sequence[ReviewAction]",
        *,
        reviewer: str,
        dry_run: bool = False,
    ) -> "ReviewResult":
        """Apply actions in the transaction that is open."""
        from memorycore.engine.review_apply import apply_actions
        from memorycore.exchange.review_actions import write_actions
        from memorycore.exchange.review_packet import write_packet
        from memorycore.model.promotion import MAX_APPLIED
        from memorycore.model.review_result import ReviewOutcome, ReviewResult
        from memorycore.model.review_rules import is_explicit, scope_of
        from memorycore.store.review_marks import insert_applied, is_applied

        real = [one for one in actions if one.is_real]
        if not real:
            return ReviewResult(outcomes=[ReviewOutcome("skip", "skipped", "no_future_use")])
        kind = scope_of(packet, real[0]) or "project"
        self._require_project(packet)
        scope = self._scope_of_kind(kind)
        documents = (write_packet(packet), write_actions(list(actions)))
        mark = self._store.key().fingerprint(
            b"review applied", [json.dumps(one, sort_keys=True) for one in documents]
        )
        scope_id = find_scope(db, scope)
        if scope_id is not None and is_applied(db, scope_id, mark):
            return ReviewResult(is_repeat=True)
        paused = self._is_paused(db, scope)
        if paused and not any(is_explicit(packet, one) for one in real):
            outcomes = [ReviewOutcome(one.action, "ignored", "paused") for one in real]
            return ReviewResult(outcomes=outcomes)
        permanent = any(one.permanent for one in real)
        # What forgets for good is of a kind that nobody takes back.
        kind = "purge" if permanent else "review"
        work = self._work(db, scope, reviewer=reviewer, paused=paused, kind=kind)
        key = None
        if permanent:
            key = self._store.suppression_key(db, make=True, dry_run=dry_run)
        recorded, named = work.bench.recorded, work.bench.scene.scope_id
        insert_applied(db, named, mark, recorded=recorded, most=MAX_APPLIED)
        outcomes = apply_actions(work, packet, actions, key)
        if not work.is_changed:
            raise NothingKeptError(outcomes)
        return ReviewResult(work.learning.result.operation, outcomes)

    def _require_project(self, packet: "ReviewPacket") -> None:
        _, key = self._project()
        if packet.project_key is not None and packet.project_key != key:
            raise RefusedError(
                "The packet is of another project.",
                why="nothing was written",
                hint=f"--scope {PROJECT}{packet.project_key}",
            )

    def _places(self, db: "Connection", key: str | None, identity: str | None) -> "list[Place]":
        from memorycore.engine.review_build import Place

        places = []
        for name in self.scopes:
            number = find_scope(db, name)
            if number is None or name.startswith("agent:"):
                continue
            if not name.startswith(PROJECT):
                places.append(Place(number, "global"))
            elif name == f"{PROJECT}{key}":
                places.append(Place(number, "project", key, identity))
        return places


def check_review(packet: Any, actions: Any) -> "ReviewCheck":
    """Judge the actions that answer a packet, the set as a whole; no store is needed.

    Both are documents: JSON text, or what it says. Each fault names its rule and place.
    """
    return read_answer(packet, actions)[2]


def read_answer(
    packet: Any, actions: Any
) -> "tuple[ReviewPacket | None, list[ReviewAction], ReviewCheck]":
    """Read a packet and the actions that answer it, with the verdict on both."""
    from memorycore.exchange.review_actions import check_actions
    from memorycore.exchange.review_packet import read_packet
    from memorycore.model.review_result import ReviewCheck

    read, faults = read_packet(packet)
    if read is None or faults:
        return read, [], ReviewCheck(0, tuple(faults))
    found, faults = check_actions(read, actions)
    return read, found, ReviewCheck(len(found), tuple(faults))


def refused_review(check: "ReviewCheck") -> RefusedError:
    """Give the error for documents that break a rule: the first, and how many more there are."""
    first = check.faults[0]
    more = f" (and {len(check.faults) - 1} more)" if len(check.faults) > 1 else ""
    return RefusedError(
        f"Nothing was applied: {first.rule} is broken at {first.place}.",
        why=f"{first.reason}{more}",
        hint="memoryctl review-packet check PACKET ACTIONS  lists every fault",
    )
