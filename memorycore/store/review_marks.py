"""What reviews remember without words: removals, uses, pauses, and which answers were applied."""

from collections.abc import Sequence
from typing import Any

from memorycore.store.connection import Connection, number_list

INSERT_REMOVAL = """
INSERT INTO review_removals(scope_id, identity, is_permanent, reason, removed_at, recorded_from)
VALUES(:scope_id, :identity, :is_permanent, :reason, :removed_at, :recorded)
"""
SELECT_REMOVALS = """
SELECT removal_id, removed_at, is_permanent FROM review_removals
WHERE scope_id = :scope_id AND identity = :identity AND recorded_to = 9223372036854775807
ORDER BY removal_id
"""


def insert_removal(
    db: Connection,
    scope_id: int,
    identity: bytes,
    *,
    is_permanent: bool,
    reason: str,
    removed_at: int,
    recorded: int,
) -> None:
    """Keep that what has an identity was removed, and why."""
    values = {"scope_id": scope_id, "identity": identity, "is_permanent": int(is_permanent)}
    values |= {"reason": reason, "removed_at": removed_at, "recorded": recorded}
    db.execute(INSERT_REMOVAL, values)


def list_removals(db: Connection, scope_id: int, identity: bytes) -> list[tuple[int, int, bool]]:
    """List the removals of an identity: number, instant, and whether it is for good."""
    rows: Any = db.execute(SELECT_REMOVALS, {"scope_id": scope_id, "identity": identity})
    return [(number, at, bool(is_permanent)) for number, at, is_permanent in rows]


SELECT_REMOVING = """
SELECT recorded_from FROM review_removals
WHERE scope_id = :scope_id AND identity = :identity AND reason = :reason
  AND recorded_to = 9223372036854775807
ORDER BY removal_id DESC
"""


def list_removals_of(db: Connection, scope_id: int, identity: bytes, reason: str) -> list[int]:
    """List the operations that have removed what has an identity, for a reason, newest first."""
    values = {"scope_id": scope_id, "identity": identity, "reason": reason}
    return [row[0] for row in db.execute(SELECT_REMOVING, values)]


INSERT_USE = """
INSERT INTO review_uses(review_record_id, change, outcome, recorded_from)
VALUES(:record, :change, :outcome, :recorded)
"""
SELECT_USES = """
SELECT use_id, change, outcome FROM review_uses
WHERE review_record_id = ? AND recorded_to = 9223372036854775807 ORDER BY use_id
"""


def insert_use(db: Connection, record: int, change: bytes, outcome: str, *, recorded: int) -> None:
    """Keep how a use of a memory went."""
    values = {"record": record, "change": change, "outcome": outcome, "recorded": recorded}
    db.execute(INSERT_USE, values)


def list_uses(db: Connection, record: int) -> list[tuple[int, bytes, str]]:
    """List how the uses of a memory went: number, change and outcome."""
    rows: Any = db.execute(SELECT_USES, (record,))
    return list(rows)


INSERT_PAUSE = "INSERT INTO review_pauses(scope_id, recorded_from) VALUES(:scope_id, :recorded)"
SELECT_PAUSES = """
SELECT pause_id FROM review_pauses
WHERE scope_id IN (SELECT value FROM carray(?)) AND recorded_to = 9223372036854775807
"""


def insert_pause(db: Connection, scope_id: int, *, recorded: int) -> None:
    """Keep that a scope learns nothing until it is told to."""
    db.execute(INSERT_PAUSE, {"scope_id": scope_id, "recorded": recorded})


def list_pauses(db: Connection, scope_ids: Sequence[int]) -> list[int]:
    """List the pauses that stand in some scopes."""
    return [row[0] for row in db.execute(SELECT_PAUSES, (number_list(scope_ids),))]


INSERT_APPLIED = """
INSERT INTO review_applied(scope_id, fingerprint, recorded_from)
VALUES(:scope_id, :fingerprint, :recorded)
"""
PRUNE_APPLIED = """
DELETE FROM review_applied WHERE applied_id <= (SELECT max(applied_id) FROM review_applied) - :most
"""
IS_APPLIED = """
SELECT EXISTS(SELECT 1 FROM review_applied
  WHERE scope_id = :scope_id AND fingerprint = :fingerprint AND recorded_to = 9223372036854775807)
"""


def insert_applied(
    db: Connection, scope_id: int, fingerprint: bytes, *, recorded: int, most: int
) -> None:
    """Keep that an answer was applied; of so many the oldest are let go."""
    values = {"scope_id": scope_id, "fingerprint": fingerprint, "recorded": recorded}
    db.execute(INSERT_APPLIED, values)
    db.execute(PRUNE_APPLIED, {"most": most})


def is_applied(db: Connection, scope_id: int, fingerprint: bytes) -> bool:
    """Tell whether an answer was applied and stands."""
    return bool(db.execute(IS_APPLIED, {"scope_id": scope_id, "fingerprint": fingerprint}).get)
