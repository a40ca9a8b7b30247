"""The queue of review packets on a handle: put in, worked on, tried again.

A packet is claimed in one transaction, reviewed while nothing is held, and settled in another, in
which its actions are applied too: so it is applied once, whoever else works on the queue.
"""

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from memorycore.errors import (
    InvalidInputError,
    MemoryCoreError,
    ModelError,
    NotFoundError,
    PlanChangedError,
    RefusedError,
    SuppressedError,
)
from memorycore.model.given import require_limit
from memorycore.model.review_queue import (
    DEFAULT_LEASE_S,
    MAX_ATTEMPTS,
    MAX_BATCH,
    MAX_BATCH_EVIDENCE,
    MAX_ERROR,
    STATUSES,
    QueueItem,
    delay_after,
    require_lease,
)
from memorycore.observing import NothingKeptError
from memorycore.reviewing import Reflector, read_answer, refused_review
from memorycore.store.scopes import find_scope

if TYPE_CHECKING:
    from memorycore.model.review_packet import ReviewPacket
    from memorycore.model.review_result import ReviewCheck
    from memorycore.port.reviewer import Reviewer
    from memorycore.store.connection import Connection
    from memorycore.store.review_queue import Claimed

UNSAFE_RULE = "CM-20"


@dataclass(frozen=True, slots=True)
class _Held:
    """A packet that this call works on, and the lease by which it holds it."""

    claimed: "Claimed"
    lease: bytes


@dataclass(frozen=True, slots=True)
class _Settled:
    """What became of a packet: how it stands, the result, and what went wrong if it did."""

    status: str
    outcome: str
    error: str | None = None


class Queuer(Reflector):
    """The use cases of the queue. No lock is held while a reviewer works."""

    def queue_review(self, packet: Any, *, dry_run: bool = False) -> "tuple[QueueItem, bool]":
        """Put a packet in the queue; give its item, and whether it was there already.

        Where learning is paused only what the user asks for outright is taken.

        Raises:
            RefusedError: the packet is of another project, or breaks a rule.
        """
        from memorycore.exchange.review_packet import read_packet, write_packet
        from memorycore.model.review_result import ReviewCheck
        from memorycore.store.review_queue import find_twin, insert_item, list_items
        from memorycore.store.scopes import ensure_scope

        read, faults = read_packet(packet)
        if read is None or faults:
            raise refused_review(ReviewCheck(0, tuple(faults)))
        self._require_project(read)
        text = json.dumps(write_packet(read), ensure_ascii=False)
        mark = self._store.key().fingerprint(b"review packet", (text,))
        with self._store.write(dry_run=dry_run) as db:
            if read.request is None and self._is_paused(db, self.scope):
                raise RefusedError(
                    "Learning is paused here, so the packet was not kept.",
                    hint="memoryctl review-packet resume",
                )
            scope_id = ensure_scope(db, self.scope)
            now = self._store.clock()
            uid = find_twin(db, scope_id, mark)
            is_known = uid is not None
            if uid is None:
                uid = self._store.new_id(now)
                others = [find_scope(db, name) for name in self.scopes if name != self.scope]
                insert_item(
                    db, uid=uid, scope_id=scope_id, global_id=next(iter(others), None),
                    fingerprint=mark, packet=text, evidence_count=len(read.evidence), now=now,
                )  # fmt: skip
            return list_items(db, [scope_id], limit=1, uids=(uid, uid))[0], is_known

    def review_queue(self, *, status: str | None = None, limit: int = 1000) -> list[QueueItem]:
        """List what is in the queue of this handle's scopes, oldest first, without the packets."""
        from memorycore.store.review_queue import list_items

        if status is not None and status not in STATUSES:
            raise InvalidInputError(f"{status!r} is no status.", hint=", ".join(STATUSES))
        with self._store.read() as db:
            numbers = self._scope_numbers(db)
            return list_items(db, numbers, limit=require_limit(limit), status=status)

    def retry_reviews(self, item: str | None = None, *, dry_run: bool = False) -> int:
        """Let packets that have failed be tried again from the start; count them.

        Raises:
            NotFoundError: ``item`` names none that has failed and is still kept.
        """
        from memorycore.engine.look import one_of
        from memorycore.model.identity import parse_id_of
        from memorycore.store.review_queue import list_items, retry_failed

        with self._store.write(dry_run=dry_run) as db:
            numbers = self._scope_numbers(db)
            uid = None
            if item is not None:
                found = list_items(db, numbers, limit=4, uids=parse_id_of("rvw", item))
                uid = one_of(found, "queued review", item, self.scopes, prefix="rvw").uid
            count = retry_failed(db, numbers, now=self._store.clock(), uid=uid)
            if uid is not None and not count:
                raise NotFoundError(
                    f"{item} has not failed, or what it held is gone.",
                    hint="memoryctl review-packet queue list",
                )
            return count

    def run_reviews(
        self,
        reviewer: "Reviewer | str" = "rules",
        *,
        limit: int = MAX_BATCH,
        lease_s: float = DEFAULT_LEASE_S,
        allow_permanent: bool = False,
        model: str | None = None,
        base_url: str | None = None,
        key: str | None = None,
        timeout_s: float | None = None,
        max_tokens: int | None = None,
    ) -> list[QueueItem]:
        """Work on what is due in the queue of this handle's scope; give what became of each.

        ``reviewer`` is ``rules``, ``model`` with a ``model`` at a ``base_url``, or an object that
        answers packets. At most eight packets with sixteen pieces of evidence are claimed at once,
        for ``lease_s`` seconds (1 to 1800): who dies meanwhile loses them to the next. A reviewer
        that is unavailable leaves them waiting, but what the user asks for outright is decided by
        rules then. Forgetting for good is done with ``allow_permanent`` only.
        """
        limits = {"timeout_s": timeout_s, "max_tokens": max_tokens}
        asked = make_reviewer(reviewer, model=model, base_url=base_url, key=key, **limits)
        lease = require_lease(lease_s)
        done: list[QueueItem] = []
        batch = self._claim(min(require_limit(limit), MAX_BATCH), lease)
        for number, held in enumerate(batch):
            try:
                item = self._review_one(asked, held, allow_permanent=allow_permanent)
            except MemoryCoreError as error:
                for left in batch[number:]:
                    self._settle(left, self._deferred(left, error.code))
                raise
            done += [] if item is None else [item]
        return done

    def _claim(self, limit: int, lease: int) -> "list[_Held]":
        """Take what is due out of the queue, as many as one batch may hold."""
        from memorycore.store.review_queue import claim, give_up, list_due

        held: list[_Held] = []
        evidence = 0
        with self._store.write() as db:
            scope_id = find_scope(db, self.scope)
            if scope_id is None:
                return []
            now = self._store.clock()
            give_up(db, scope_id, now=now, most=MAX_ATTEMPTS)
            for one in list_due(db, scope_id, now=now, limit=limit):
                evidence += one.evidence_count
                if held and evidence > MAX_BATCH_EVIDENCE:
                    break
                token = self._store.new_id(now)
                claim(db, one.number, token, until=now + lease)
                held.append(_Held(one, token))
        return held

    def _review_one(
        self, reviewer: "Reviewer", held: _Held, *, allow_permanent: bool
    ) -> QueueItem | None:
        """Review one packet and settle it; ``None`` when somebody else has taken it over."""
        from memorycore.exchange.review_packet import read_packet
        from memorycore.model.review_rules import packet_faults
        from memorycore.port.reviewer import RuleReviewer

        packet, faults = read_packet(held.claimed.packet)
        if packet is None or faults:
            return self._settle(held, _Settled("failed", "invalid-packet", _named(faults)))
        packet = self._as_it_stands(packet)
        if packet_faults(packet):
            # What the user speaks of is no longer there.
            return self._settle(held, _Settled("processed", "rejected", "target_gone"))
        name = reviewer.name
        try:
            answer = reviewer.review(packet)
        except ModelError as error:
            if packet.request is None:
                return self._settle(held, self._deferred(held, error.code))
            answer, name = RuleReviewer().review(packet), RuleReviewer.name
        try:
            return self._settle_with(held, packet, answer, name, allow_permanent=allow_permanent)
        except NothingKeptError as nothing:
            [result] = {one.result for one in nothing.outcomes[:1]}
            return self._settle(held, _Settled("processed", result))
        except (PlanChangedError, SuppressedError) as error:
            return self._settle(held, _Settled("processed", "rejected", error.code))
        except RefusedError as error:
            return self._settle(held, _Settled("failed", "refused", error.message))

    def _as_it_stands(self, packet: "ReviewPacket") -> "ReviewPacket":
        """Take out of a packet what has gone or was hidden since it was made."""
        from memorycore.engine.review_build import standing

        with self._store.read() as db:
            numbers = self._scope_numbers(db)
            kept = standing(db, packet.memories, numbers, self.scopes)
        return replace(packet, memories=tuple(kept))

    def _settle_with(
        self,
        held: _Held,
        packet: "ReviewPacket",
        answer: str,
        reviewer: str,
        *,
        allow_permanent: bool,
    ) -> QueueItem | None:
        """Apply an answer and settle its packet, both in one transaction."""
        from memorycore.exchange.review_packet import write_packet
        from memorycore.model.review_result import ReviewResult
        from memorycore.store.review_queue import is_held

        _, actions, check = read_answer(write_packet(packet), answer)
        if not check.ok:
            return self._settle(held, self._broken(held, check))
        permanent = any(one.permanent for one in actions)
        if permanent and not allow_permanent:
            error = "forgetting for good must be allowed by who runs the queue"
            return self._settle(held, _Settled("failed", "needs-confirmation", error))
        with self._store.write(unlinked=permanent) as db:
            if not is_held(db, held.claimed.number, held.lease):
                return None
            if permanent:
                # First, since the packet goes with what it names.
                self._write_settled(db, held, _Settled("processed", "forgotten"))
            result: ReviewResult = self._apply(db, packet, actions, reviewer=reviewer)
            item = self._write_settled(db, held, _Settled("processed", result.result))
        if permanent:
            self._settle_forgetting()
        return item

    def _settle(self, held: _Held, settled: _Settled) -> QueueItem | None:
        from memorycore.store.review_queue import is_held

        with self._store.write() as db:
            if not is_held(db, held.claimed.number, held.lease):
                return None
            return self._write_settled(db, held, settled)

    def _write_settled(self, db: "Connection", held: _Held, settled: _Settled) -> QueueItem:
        from memorycore.store.review_queue import list_items, settle

        now = self._store.clock()
        wait = delay_after(held.claimed.attempts + 1) if settled.status == "waiting" else 0
        error = None if settled.error is None else settled.error[:MAX_ERROR]
        settle(
            db, held.claimed.number, held.lease, status=settled.status, next_at=now + wait,
            error=error, outcome=settled.outcome,
        )  # fmt: skip
        uid = held.claimed.uid
        return list_items(db, self._scope_numbers(db), limit=1, uids=(uid, uid))[0]

    def _deferred(self, held: _Held, error: str) -> _Settled:
        """Say that a packet waits for a reviewer, or was tried too often."""
        if held.claimed.attempts + 1 >= MAX_ATTEMPTS:
            return _Settled("failed", "deferred", error)
        return _Settled("waiting", "deferred", error)

    def _broken(self, held: _Held, check: "ReviewCheck") -> _Settled:
        """Judge an answer that breaks rules: what is unsafe is settled, the rest is tried again."""
        if any(one.rule == UNSAFE_RULE for one in check.faults):
            return _Settled("processed", "rejected", _named(check.faults))
        if held.claimed.attempts + 1 >= MAX_ATTEMPTS:
            return _Settled("failed", "invalid-answer", _named(check.faults))
        return _Settled("waiting", "invalid-answer", _named(check.faults))


def _named(faults: Any) -> str:
    return " · ".join(f"{one.rule} {one.place}" for one in faults)


def make_reviewer(
    given: "Reviewer | str",
    *,
    model: str | None,
    base_url: str | None,
    key: str | None,
    **limits: Any,
) -> "Reviewer":
    """Make the reviewer that is meant: ``rules``, ``model``, or one that was made already.

    Raises:
        InvalidInputError: it is none, or a model lacks its name or endpoint.
    """
    if given == "rules":
        from memorycore.port.reviewer import RuleReviewer

        return RuleReviewer()
    if given == "model":
        from memorycore.port.model_asker import make_endpoint
        from memorycore.port.model_reviewer import ModelReviewer

        return ModelReviewer(make_endpoint(model, base_url, key, **limits))
    if isinstance(given, str):
        raise InvalidInputError(f"{given[:40]!r} is no reviewer.", hint="rules or model")
    return given
