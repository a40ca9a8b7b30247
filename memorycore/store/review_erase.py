"""What forgetting takes away of reviews: the words of records and packets, and observations."""

from collections.abc import Sequence
from typing import Any

from memorycore.store.connection import Connection, number_list
from memorycore.store.erase import delete_changes

SELECT_RECORDS = """
SELECT review_record_id, shape FROM review_records WHERE scope_id = ? AND shape IS NOT NULL
"""
SELECT_PACKETS = """
SELECT queue_id, packet FROM review_queue
WHERE (scope_id = :scope_id OR global_id = :scope_id) AND packet IS NOT NULL
"""


def read_records(db: Connection, scope_id: int) -> list[tuple[int, str]]:
    """Read the words of all records of a scope, standing or not, by number."""
    rows: Any = db.execute(SELECT_RECORDS, (scope_id,))
    return list(rows)


def read_packets(db: Connection, scope_id: int) -> list[tuple[int, str]]:
    """Read the packets in the queue that may speak of a scope, by number."""
    rows: Any = db.execute(SELECT_PACKETS, {"scope_id": scope_id})
    return list(rows)


HAS_REVIEWS = """
SELECT EXISTS(SELECT 1 FROM review_records WHERE scope_id = :scope_id)
  OR EXISTS(SELECT 1 FROM review_queue WHERE scope_id = :scope_id OR global_id = :scope_id)
"""


def has_reviews(db: Connection, scope_id: int) -> bool:
    """Tell whether anything of a scope was ever reviewed."""
    return bool(db.execute(HAS_REVIEWS, {"scope_id": scope_id}).get)


SELECT_OF_FACTS = """
SELECT review_record_id FROM review_records
WHERE fact_id IN (SELECT value FROM carray(:f)) AND fact_id IS NOT NULL
UNION SELECT review_record_id FROM review_records
WHERE corrects_id IN (SELECT value FROM carray(:f)) AND corrects_id IS NOT NULL
"""


def records_of_facts(db: Connection, facts: Sequence[int]) -> list[int]:
    """List the records that have become some facts or are to correct them, ended ones too."""
    return [row[0] for row in db.execute(SELECT_OF_FACTS, {"f": number_list(facts)})]


SELECT_OF_OPERATION = """
SELECT review_record_id FROM review_records
WHERE recorded_from = :operation AND scope_id = :scope_id AND shape IS NOT NULL
"""


def records_of_operation(db: Connection, operation: int, scope_id: int) -> list[int]:
    """List the records that an operation has added."""
    values = {"operation": operation, "scope_id": scope_id}
    return [row[0] for row in db.execute(SELECT_OF_OPERATION, values)]


SELECT_RECORDS_BEFORE = """
SELECT r.review_record_id FROM review_records r
WHERE r.scope_id = :scope_id AND r.shape IS NOT NULL AND r.fact_id IS NULL AND NOT EXISTS(
  SELECT 1 FROM review_observations o
  WHERE o.review_record_id = r.review_record_id AND o.observed_at >= :before)
"""
SELECT_PACKETS_BEFORE = """
SELECT queue_id FROM review_queue
WHERE scope_id = :scope_id AND packet IS NOT NULL AND made_at < :before
"""


def reviews_before(db: Connection, scope_id: int, before: int) -> tuple[list[int], list[int]]:
    """List the records that have become no fact and were last observed before an instant.

    With them the packets that were queued before it.
    """
    values = {"scope_id": scope_id, "before": before}
    records = [row[0] for row in db.execute(SELECT_RECORDS_BEFORE, values)]
    return records, [row[0] for row in db.execute(SELECT_PACKETS_BEFORE, values)]


SELECT_MARKS = """
SELECT DISTINCT identity FROM review_records
WHERE review_record_id IN (SELECT value FROM carray(?)) AND identity IS NOT NULL
"""
BLANK_RECORDS = """
UPDATE review_records SET shape = NULL, identity = NULL, text_mark = NULL, state = 'superseded',
  fact_id = NULL, corrects_id = NULL
WHERE review_record_id IN (SELECT value FROM carray(?))
"""
DELETE_OBSERVATIONS = """
DELETE FROM review_observations WHERE review_record_id IN (SELECT value FROM carray(?))
"""
DELETE_USES = "DELETE FROM review_uses WHERE review_record_id IN (SELECT value FROM carray(?))"


def identities_of(db: Connection, records: Sequence[int]) -> list[bytes]:
    """List the identities of records, as marks."""
    return [row[0] for row in db.execute(SELECT_MARKS, (number_list(records),))]


def blank_records(db: Connection, records: Sequence[int]) -> None:
    """Clear what records say, and delete what was observed of them."""
    for sql in (DELETE_OBSERVATIONS, DELETE_USES, BLANK_RECORDS):
        db.execute(sql, (number_list(records),))
    delete_changes(db, "memory", records)


BLANK_PACKETS = """
UPDATE review_queue SET packet = NULL, fingerprint = NULL, status = 'failed', lease = NULL,
  lease_until = NULL, outcome = 'forgotten', last_error = 'what it held was forgotten'
WHERE queue_id IN (SELECT value FROM carray(?))
"""


def blank_packets(db: Connection, items: Sequence[int]) -> None:
    """Take packets out of the queue; that there was one stays."""
    db.execute(BLANK_PACKETS, (number_list(items),))
