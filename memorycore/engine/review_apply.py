"""Apply a set of actions: all of it or nothing, in the transaction that is open, as one operation.

The rules were checked on the documents; here the store is asked whether the packet still speaks of
what is there. The reviewer's word is not trusted, and neither is the packet's.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from memorycore.engine.forget import Order, forget
from memorycore.engine.forget_plan import count_reach
from memorycore.engine.forget_target import Asked, name_target, resolve
from memorycore.engine.reach import reach_of
from memorycore.engine.review_believe import explicit_among
from memorycore.engine.review_work import ReviewWork
from memorycore.errors import PlanChangedError, RefusedError
from memorycore.model.forgetting import Options
from memorycore.model.identity import parse_id_of
from memorycore.model.promotion import Observed
from memorycore.model.review_actions import ReviewAction
from memorycore.model.review_packet import PacketEvidence, PacketMemory, ReviewPacket
from memorycore.model.review_result import ReviewOutcome
from memorycore.model.review_rules import is_explicit, scope_of
from memorycore.model.review_said import Said
from memorycore.store.fact_names import list_by_uid
from memorycore.store.facts import get_known
from memorycore.store.key_file import Key
from memorycore.store.review_records import StoredRecord, find_by_uid, list_of_facts

FORGOTTEN_BY_REVIEW = "review"


@dataclass(frozen=True, slots=True)
class Target:
    """What an action names, as the store has it: a record, a fact, or both."""

    memory: PacketMemory
    record: StoredRecord | None
    fact_id: int | None


def apply_actions(
    work: ReviewWork, packet: ReviewPacket, actions: Sequence[ReviewAction], key: Key | None
) -> list[ReviewOutcome]:
    """Carry actions out that no rule forbids; ``key`` is for what is forgotten for good.

    Raises:
        PlanChangedError: a memory of the packet is no longer what it was.
        SuppressedError: the user asks to remember what the store was told to forget.
        RefusedError: what is inferred would change what the user said, whoever calls it inferred.
    """
    _require_authority(work, packet, actions)
    outcomes = [_change(work, packet, one) for one in actions if one.action in ("create", "update")]
    gone = [(one, _target(work, packet, one)) for one in actions if one.action == "forget"]
    work.finish()
    work.is_changed |= bool(gone)
    outcomes += [_forget(work, one, target, key) for one, target in gone if one.permanent]
    hidden = [target for one, target in gone if not one.permanent]
    if hidden:
        outcomes += hide(work, hidden, reason=FORGOTTEN_BY_REVIEW)
    skipped = [
        ReviewOutcome("skip", "skipped", "no_future_use") for one in actions if not one.is_real
    ]
    return outcomes + skipped


def _require_authority(
    work: ReviewWork, packet: ReviewPacket, actions: Sequence[ReviewAction]
) -> None:
    """Hold what the store knows as the user's word against what is only inferred (CM-17, CM-21)."""
    for number, one in enumerate(actions):
        if one.action not in ("update", "forget") or is_explicit(packet, one):
            continue
        target = _target(work, packet, one)
        facts = [] if target.fact_id is None else [target.fact_id]
        is_said = target.record is not None and target.record.authority == "explicit"
        if is_said or explicit_among(work.db, facts):
            raise RefusedError(
                f"Nothing was applied: CM-17 is broken at actions[{number}].targetId.",
                why="what the user said outright outranks what is inferred",
                hint="memoryctl review-packet build  makes the packet again",
            )


def _change(work: ReviewWork, packet: ReviewPacket, one: ReviewAction) -> ReviewOutcome:
    explicit = is_explicit(packet, one)
    if one.action == "create":
        said = said_of(packet, one)
        if explicit:
            return work.remember(said, _asked(work, packet))
        return _observe(work, packet, one, said, None)
    target = _target(work, packet, one)
    said = _said_of_target(packet, target).changed(
        text=one.text,
        category=one.category,
        title=one.title,
        reason=one.reason,
        memory_class=one.memory_class,
        lists=one.lists,
    )
    if explicit:
        return work.correct(said, _asked(work, packet), target.record, target.fact_id)
    return _observe(work, packet, one, said, target.record)


def said_of(packet: ReviewPacket, one: ReviewAction) -> Said:
    """Give what an action wants kept; its candidate is that of its evidence, where all agree."""
    items = [item for key in one.evidence_keys if (item := packet.evidence_of(key)) is not None]
    keys = {item.candidate_key for item in items}
    classes = {item.memory_class for item in items}
    return Said(
        scope_of(packet, one) or "project",
        one.text or "",
        one.category or "",
        one.memory_class or (classes.pop() if len(classes) == 1 else None),
        one.candidate_key or (keys.pop() if len(keys) == 1 else None),
        one.title,
        one.reason,
        one.lists,
    )


def _observe(
    work: ReviewWork,
    packet: ReviewPacket,
    one: ReviewAction,
    said: Said,
    corrects: StoredRecord | None,
) -> ReviewOutcome:
    """Take the evidence of an action in, piece by piece; the best of what came of it is told."""
    items = [item for key in one.evidence_keys if (item := packet.evidence_of(key)) is not None]
    outcomes = [
        work.observe(said, _observed(work, item), corrects=corrects)
        for item in sorted(items, key=lambda item: item.observed_at)
        if item.success
    ]
    ranks = ("candidate-promoted", "candidate-created", "deduplicated", "ignored")
    best = min(outcomes, key=lambda outcome: ranks.index(outcome.result))
    return ReviewOutcome(one.action, best.result, best.reason, best.record, best.fact)


def _observed(work: ReviewWork, item: PacketEvidence) -> Observed:
    identity = item.project_identity or ""
    return work.observed(identity, item.change_id, at=item.observed_at, success=item.success)


def _asked(work: ReviewWork, packet: ReviewPacket) -> Observed:
    identity = packet.project_identity or ""
    return work.observed(identity, packet.change_id, at=packet.created_at)


def _target(work: ReviewWork, packet: ReviewPacket, one: ReviewAction) -> Target:
    """Find what an action names; it must be there, and say what the packet says."""
    memory = packet.memory_of(one.target_id or "")
    assert memory is not None, "the rules have looked at the target"
    target = find_target(work, memory)
    if target.record is not None and target.record.state == "superseded":
        raise _has_moved(memory.id)
    return target


def find_target(work: ReviewWork, memory: PacketMemory) -> Target:
    """Find a memory of a packet in the scope of the work.

    Raises:
        PlanChangedError: it is not there.
    """
    db, scene = work.db, work.bench.scene
    prefix = memory.id.partition("_")[0]
    if prefix == "mem":
        found = find_by_uid(db, *parse_id_of("mem", memory.id), [scene.scope_id])
        if len(found) == 1:
            return Target(memory, found[0], found[0].fact_id)
    if prefix == "fct":
        facts = list_by_uid(db, *parse_id_of("fct", memory.id), [scene.scope])
        if len(facts) == 1 and get_known(db, facts[0][0]).support:
            of_fact = list_of_facts(db, [facts[0][0]])
            standing = [one for one in of_fact if one.state != "superseded"]
            return Target(memory, standing[0] if standing else None, facts[0][0])
    raise _has_moved(memory.id)


def _has_moved(memory: str) -> PlanChangedError:
    return PlanChangedError(
        "A memory of the packet is no longer there.",
        why="nothing was written",
        hint="memoryctl review-packet build  makes the packet again",
    )


def _said_of_target(packet: ReviewPacket, target: Target) -> Said:
    if target.record is not None:
        return Said.of_shape(target.record.shape)
    memory = target.memory
    return Said(memory.scope, memory.text, memory.category, memory.memory_class)


def hide(work: ReviewWork, targets: Sequence[Target], *, reason: str) -> list[ReviewOutcome]:
    """Hide memories by the one function that forgets, under the operation of the work."""
    from memorycore.engine.reach import Target as Reached

    scene = work.bench.scene
    facts = {one.fact_id for one in targets if one.fact_id is not None}
    loose = {one.record.number for one in targets if one.record is not None and one.fact_id is None}
    asked = Reached(
        "fact", scene.scope_id, facts=tuple(sorted(facts)), records=tuple(sorted(loose))
    )
    reach = reach_of(work.db, asked, "soft")
    order = Order(
        scene.scope_id, scene.scope, "fact", "soft", reach, Options(reason),
        work.learning.run.actor, scene.operation.at, scene.new_id,
        count_reach(work.db, reach, "soft"),
    )  # fmt: skip
    forget(work.db, order, None, operation=scene.operation)
    return [ReviewOutcome("forget", "forgotten", "hidden", _id_of(one)) for one in targets]


def _id_of(target: Target) -> str:
    return target.memory.id


def _forget(work: ReviewWork, one: ReviewAction, target: Target, key: Key | None) -> ReviewOutcome:
    """Take a memory away for good, as its user asks; that is an operation of its own."""
    scene = work.bench.scene
    kind, named = name_target(work.db, scene.scope_id, scene.scope, Asked(target.memory.id))
    reach = reach_of(work.db, resolve(work.db, scene.scope_id, kind, named), "purge")
    order = Order(
        scene.scope_id, scene.scope, kind, "purge", reach, Options(FORGOTTEN_BY_REVIEW),
        work.learning.run.actor, scene.operation.at, scene.new_id,
        count_reach(work.db, reach, "purge"),
    )  # fmt: skip
    forget(work.db, order, key)
    return ReviewOutcome("forget", "forgotten", "purged", target.memory.id)
