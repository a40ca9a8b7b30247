"""Judge a memory by how its use went; the last word about each use counts (CM-42)."""

from collections.abc import Sequence
from dataclasses import replace

from memorycore.engine.review_apply import Target, hide
from memorycore.engine.review_believe import disbelieve, explicit_among
from memorycore.engine.review_work import BELIEVED, ReviewWork
from memorycore.engine.undo import set_back
from memorycore.errors import InvalidInputError
from memorycore.model.identity import format_id
from memorycore.model.promotion import NEGATIVE, OUTCOMES, is_promoted, revised
from memorycore.model.review_packet import PacketMemory
from memorycore.model.review_result import ReviewOutcome
from memorycore.model.review_said import Said
from memorycore.store import review_marks as marks
from memorycore.store.journal import close_rows
from memorycore.store.operations import get_by_number, is_undone
from memorycore.store.review_records import StoredRecord, list_by_number

NEGATIVE_FEEDBACK = "negative-feedback"


def require_outcome(outcome: str) -> str:
    """Check how a use is said to have gone.

    Raises:
        InvalidInputError: there is no such outcome.
    """
    if outcome not in OUTCOMES:
        raise InvalidInputError(f"{outcome!r} is no outcome.", hint=", ".join(OUTCOMES))
    return outcome


def judge_use(work: ReviewWork, record: StoredRecord, change: str, outcome: str) -> ReviewOutcome:
    """Keep how a use went, and let an inferred memory go, hold or come back by it."""
    mark = work.mark("change", change)
    uses = marks.list_uses(work.db, record.number)
    earlier = [number for number, of, _ in uses if of == mark]
    if any(of == mark and was == outcome for _, of, was in uses):
        return _outcome(work, record, "deduplicated", "same_outcome")
    close_rows(work.db, work.bench.recorded, "review_use", earlier)
    marks.insert_use(work.db, record.number, mark, outcome, recorded=work.bench.recorded)
    facts = [] if record.fact_id is None else [record.fact_id]
    if record.authority == "explicit" or explicit_among(work.db, facts):
        work.finish()
        return _outcome(work, record, "ignored", "explicit")
    outcomes = [was for _, of, was in uses if of != mark] + [outcome]
    return _follow(work, record, outcomes, outcome)


def _follow(
    work: ReviewWork, record: StoredRecord, outcomes: Sequence[str], outcome: str
) -> ReviewOutcome:
    state = revised(outcomes, record.state)
    if state == "superseded" and record.state != "superseded":
        work.finish()
        hide(work, [_target_of(record)], reason=NEGATIVE_FEEDBACK)
        return _outcome(work, record, "forgotten", NEGATIVE_FEEDBACK)
    if record.state == "superseded" and not NEGATIVE & set(outcomes):
        return _restore(work, record)
    if state == "proven" and record.state == "trial":
        return _prove(work, record)
    if _was_proven_by_use(work, record, outcomes):
        disbelieve(work.bench, [record.fact_id])
        work.set_field(record.number, "state", "trial")
        work.set_field(record.number, "fact_id", None)
        work.finish()
        return _outcome(work, record, "ignored", "on_trial_again")
    work.finish()
    return _outcome(work, record, "ignored", outcome)


def _was_proven_by_use(work: ReviewWork, record: StoredRecord, outcomes: Sequence[str]) -> bool:
    """Tell whether a memory held only because of a use of which that is no longer said."""
    if record.state != "proven" or "used-successfully" in outcomes:
        return False
    seen = work.seen([record.number])[record.number]
    return not is_promoted(Said.of_shape(record.shape).scope, seen)


def _prove(work: ReviewWork, record: StoredRecord) -> ReviewOutcome:
    seen = work.seen([record.number])[record.number]
    decided = work.promote(record, seen, is_settled=True)
    work.finish()
    if decided is None or decided.decision.kind not in BELIEVED:
        return _outcome(work, record, "ignored", "not_admitted")
    return _outcome(work, record, "candidate-promoted", "used-successfully")


def _restore(work: ReviewWork, record: StoredRecord) -> ReviewOutcome:
    """Take back what a judgement that is no longer held has hidden."""
    work.finish()
    removals = marks.list_removals_of(
        work.db, work.bench.scene.scope_id, record.identity, NEGATIVE_FEEDBACK
    )
    for number in dict.fromkeys(removals):
        if number != work.bench.recorded and not is_undone(work.db, number):
            set_back(work.db, get_by_number(work.db, number), work.bench.scene.operation)
    return _outcome(work, record, "ignored", "restored" if removals else "removed")


def _target_of(record: StoredRecord) -> Target:
    said = Said.of_shape(record.shape)
    memory = PacketMemory(
        format_id("mem", record.uid), said.scope, said.category, said.text, record.authority,
        "proven",
    )  # fmt: skip
    return Target(memory, record, record.fact_id)


def _outcome(work: ReviewWork, record: StoredRecord, result: str, reason: str) -> ReviewOutcome:
    found = list_by_number(work.db, [record.number])
    named = work.outcome_of(ReviewOutcome("use", result, reason), found[0] if found else record)
    return replace(named, action="use")
