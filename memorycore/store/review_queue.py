"""The queue of packets that wait for a reviewer: who works on which, and until when."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memorycore.model.review_queue import QueueItem
from memorycore.store.connection import Connection, number_list


@dataclass(frozen=True, slots=True)
class Claimed:
    """A packet that may be worked on; only who holds its lease may say what became of it."""

    number: int
    uid: bytes
    packet: str
    attempts: int
    evidence_count: int


INSERT = """
INSERT INTO review_queue(uid, scope_id, global_id, fingerprint, packet, evidence_count, status,
  attempts, made_at, next_at)
VALUES(:uid, :scope_id, :global_id, :fingerprint, :packet, :evidence_count, 'pending', 0, :now,
  :now)
"""
SELECT_TWIN = """
SELECT uid FROM review_queue WHERE scope_id = :scope_id AND fingerprint = :fingerprint
"""


def find_twin(db: Connection, scope_id: int, fingerprint: bytes) -> bytes | None:
    """Find the packet of a fingerprint in the queue, whatever became of it."""
    found: Any = db.execute(SELECT_TWIN, {"scope_id": scope_id, "fingerprint": fingerprint}).get
    return None if found is None else bytes(found)


def insert_item(
    db: Connection,
    *,
    uid: bytes,
    scope_id: int,
    global_id: int | None,
    fingerprint: bytes,
    packet: str,
    evidence_count: int,
    now: int,
) -> None:
    """Put a packet at the end of the queue."""
    values = {"uid": uid, "scope_id": scope_id, "global_id": global_id, "packet": packet}
    values |= {"fingerprint": fingerprint, "evidence_count": evidence_count, "now": now}
    db.execute(INSERT, values)


GIVE_UP = """
UPDATE review_queue SET status = 'failed', lease = NULL, lease_until = NULL, outcome = 'given-up',
  last_error = 'it was begun so often and never finished'
WHERE scope_id = :scope_id AND status = 'processing' AND lease_until <= :now
  AND attempts >= :most
"""
SELECT_DUE = """
SELECT queue_id, uid, packet, attempts, evidence_count FROM review_queue
WHERE scope_id = :scope_id AND status IN ('pending', 'processing', 'waiting')
  AND packet IS NOT NULL AND next_at <= :now
  AND (status <> 'processing' OR lease_until <= :now)
ORDER BY next_at, queue_id LIMIT :limit
"""
CLAIM = """
UPDATE review_queue SET status = 'processing', attempts = attempts + 1, lease = :lease,
  lease_until = :until
WHERE queue_id = :number
"""


def give_up(db: Connection, scope_id: int, *, now: int, most: int) -> None:
    """Give up what was begun ``most`` times and whose lease has run out again."""
    db.execute(GIVE_UP, {"scope_id": scope_id, "now": now, "most": most})


def list_due(db: Connection, scope_id: int, *, now: int, limit: int) -> list[Claimed]:
    """List what may be worked on now, the longest due first; nobody holds it yet."""
    values = {"scope_id": scope_id, "now": now, "limit": limit}
    rows: Any = db.execute(SELECT_DUE, values)
    return [Claimed(*row) for row in rows]


def claim(db: Connection, number: int, lease: bytes, *, until: int) -> None:
    """Take a packet out of the queue until a lease runs out; that counts as an attempt."""
    db.execute(CLAIM, {"number": number, "lease": lease, "until": until})


IS_HELD = """
SELECT EXISTS(SELECT 1 FROM review_queue
  WHERE queue_id = :number AND lease = :lease AND packet IS NOT NULL)
"""


def is_held(db: Connection, number: int, lease: bytes) -> bool:
    """Tell whether a lease still stands, and its packet was not forgotten meanwhile."""
    return bool(db.execute(IS_HELD, {"number": number, "lease": lease}).get)


SETTLE = """
UPDATE review_queue SET status = :status, lease = NULL, lease_until = NULL, next_at = :next_at,
  last_error = :error, outcome = :outcome,
  packet = iif(:status = 'processed', NULL, packet)
WHERE queue_id = :number AND lease = :lease
"""


def settle(
    db: Connection,
    number: int,
    lease: bytes,
    *,
    status: str,
    next_at: int,
    error: str | None,
    outcome: str,
) -> None:
    """Say what became of a packet; one that is decided on is not kept."""
    values = {"number": number, "lease": lease, "status": status, "next_at": next_at}
    db.execute(SETTLE, values | {"error": error, "outcome": outcome})


RETRY = """
UPDATE review_queue SET status = 'pending', attempts = 0, next_at = :now, last_error = NULL,
  outcome = NULL
WHERE scope_id IN (SELECT value FROM carray(:scopes)) AND status = 'failed' AND packet IS NOT NULL
  AND (:uid IS NULL OR uid = :uid)
RETURNING queue_id
"""


def retry_failed(
    db: Connection, scope_ids: Sequence[int], *, now: int, uid: bytes | None = None
) -> int:
    """Let what has failed be tried again from the start; count it."""
    values = {"scopes": number_list(scope_ids), "now": now, "uid": uid}
    return len(db.execute(RETRY, values).fetchall())


SELECT_ITEMS = """
SELECT q.uid, c.name, q.status, q.attempts, q.made_at, q.next_at, q.lease_until, q.last_error,
  q.outcome
FROM review_queue q JOIN scopes c ON c.scope_id = q.scope_id
WHERE q.scope_id IN (SELECT value FROM carray(:scopes))
  AND (:status IS NULL OR q.status = :status)
  AND (:lowest IS NULL OR q.uid BETWEEN :lowest AND :highest)
ORDER BY q.queue_id LIMIT :limit
"""


def list_items(
    db: Connection,
    scope_ids: Sequence[int],
    *,
    limit: int,
    status: str | None = None,
    uids: tuple[bytes, bytes] | None = None,
) -> list[QueueItem]:
    """List what is in the queue, oldest first, without the packets."""
    lowest, highest = uids or (None, None)
    values = {"scopes": number_list(scope_ids), "status": status, "limit": limit}
    rows: Any = db.execute(SELECT_ITEMS, values | {"lowest": lowest, "highest": highest})
    return [QueueItem(*row) for row in rows]


COUNT_UNSETTLED = """
SELECT count(*), coalesce(sum(status = 'failed'), 0) FROM review_queue
WHERE status <> 'processed' AND packet IS NOT NULL
"""


def count_unsettled(db: Connection) -> tuple[int, int]:
    """Count the packets of all scopes that nobody has decided on, and those that have failed."""
    row: Any = db.execute(COUNT_UNSETTLED).fetchone()
    return int(row[0]), int(row[1])
