"""Review records: what is on trial, believed or disputed, and what was observed of it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from memorycore.store.connection import Connection, number_list


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A review record as it is stored; ``shape`` holds its words and where it applies."""

    number: int
    uid: bytes
    scope_id: int
    identity: bytes
    text_mark: bytes
    authority: str
    state: str
    shape: dict[str, Any]
    fact_id: int | None
    corrects_id: int | None


INSERT_RECORD = """
INSERT INTO review_records(uid, scope_id, identity, text_mark, authority, state, shape, fact_id,
  corrects_id, recorded_from)
VALUES(:uid, :scope_id, :identity, :text_mark, :authority, :state, :shape, :fact_id, :corrects_id,
  :recorded)
RETURNING review_record_id
"""


def insert_record(
    db: Connection,
    *,
    uid: bytes,
    scope_id: int,
    marks: tuple[bytes, bytes],
    authority: str,
    state: str,
    shape: dict[str, Any],
    recorded: int,
    fact_id: int | None = None,
    corrects_id: int | None = None,
) -> int:
    """Add a record; ``marks`` are those of its identity and of its text. Give its number."""
    identity, text_mark = marks
    values = {
        "uid": uid,
        "scope_id": scope_id,
        "identity": identity,
        "text_mark": text_mark,
        "authority": authority,
        "state": state,
        "shape": json.dumps(shape, ensure_ascii=False),
        "fact_id": fact_id,
        "corrects_id": corrects_id,
        "recorded": recorded,
    }
    return int(db.execute(INSERT_RECORD, values).get)


RECORD = """
SELECT review_record_id, uid, scope_id, identity, text_mark, authority, state, shape, fact_id,
  corrects_id
FROM review_records
WHERE recorded_to = 9223372036854775807 AND shape IS NOT NULL AND """
SELECT_OF_IDENTITY = (
    RECORD + "scope_id = :scope_id AND identity = :identity ORDER BY review_record_id"
)
SELECT_OF_TEXT = (
    RECORD
    + """scope_id = :scope_id AND text_mark = :text AND state <> 'superseded'
ORDER BY review_record_id"""
)
SELECT_OF_SCOPES = (
    RECORD
    + """scope_id IN (SELECT value FROM carray(:scopes)) AND (:state IS NULL OR state = :state)
  AND review_record_id > :after ORDER BY review_record_id LIMIT :limit"""
)
SELECT_BY_UID = (
    RECORD
    + """uid BETWEEN :lowest AND :highest
  AND scope_id IN (SELECT value FROM carray(:scopes)) ORDER BY uid LIMIT 4"""
)
SELECT_OF_FACTS = (
    RECORD
    + """review_record_id IN (
    SELECT review_record_id FROM review_records
    WHERE fact_id IN (SELECT value FROM carray(?)) AND fact_id IS NOT NULL)
ORDER BY review_record_id"""
)
SELECT_HIDDEN = """
SELECT EXISTS(SELECT 1 FROM review_records r JOIN facts f ON f.fact_id = r.fact_id
  WHERE r.scope_id = :scope_id AND r.identity = :identity AND r.text_mark = :text
    AND r.recorded_to = 9223372036854775807 AND r.state = 'superseded'
    AND f.visibility = 'hidden')
"""
SELECT_BY_NUMBERS = RECORD + "review_record_id IN (SELECT value FROM carray(?))"


def list_of_identity(db: Connection, scope_id: int, identity: bytes) -> list[StoredRecord]:
    """List the records of one identity, oldest first."""
    rows: Any = db.execute(SELECT_OF_IDENTITY, {"scope_id": scope_id, "identity": identity})
    return [_record(row) for row in rows]


def list_of_text(db: Connection, scope_id: int, text: bytes) -> list[StoredRecord]:
    """List the records that say just this and are not superseded, oldest first."""
    rows: Any = db.execute(SELECT_OF_TEXT, {"scope_id": scope_id, "text": text})
    return [_record(row) for row in rows]


def list_records(
    db: Connection, scope_ids: Sequence[int], *, state: str | None, after: int, limit: int
) -> list[StoredRecord]:
    """List the records of some scopes, oldest first."""
    values = {"scopes": number_list(scope_ids), "state": state, "after": after, "limit": limit}
    rows: Any = db.execute(SELECT_OF_SCOPES, values)
    return [_record(row) for row in rows]


def find_by_uid(
    db: Connection, lowest: bytes, highest: bytes, scope_ids: Sequence[int]
) -> list[StoredRecord]:
    """Find the records (at most four) whose id lies in a range."""
    values = {"lowest": lowest, "highest": highest, "scopes": number_list(scope_ids)}
    rows: Any = db.execute(SELECT_BY_UID, values)
    return [_record(row) for row in rows]


def list_of_facts(db: Connection, facts: Sequence[int]) -> list[StoredRecord]:
    """List the records that have become some facts."""
    rows: Any = db.execute(SELECT_OF_FACTS, (number_list(facts),))
    return [_record(row) for row in rows]


def is_hidden(db: Connection, scope_id: int, identity: bytes, text: bytes) -> bool:
    """Tell whether a memory of just these words was believed and is hidden."""
    values = {"scope_id": scope_id, "identity": identity, "text": text}
    return bool(db.execute(SELECT_HIDDEN, values).get)


def list_by_number(db: Connection, numbers: Sequence[int]) -> list[StoredRecord]:
    """List records by their numbers."""
    rows: Any = db.execute(SELECT_BY_NUMBERS, (number_list(numbers),))
    return [_record(row) for row in rows]


def _record(row: Any) -> StoredRecord:
    number, uid, scope_id, identity, text, authority, state, shape, fact_id, corrects_id = row
    return StoredRecord(
        number, uid, scope_id, identity, text, authority, state, json.loads(shape), fact_id,
        corrects_id,
    )  # fmt: skip


INSERT_OBSERVATION = """
INSERT OR IGNORE INTO review_observations(review_record_id, project, change, observed_at,
  recorded_from)
VALUES(:record, :project, :change, :observed_at, :recorded)
"""
SELECT_OBSERVATIONS = """
SELECT review_record_id, project, change, observed_at FROM review_observations
WHERE review_record_id IN (SELECT value FROM carray(?)) AND recorded_to = 9223372036854775807
ORDER BY observation_id
"""


def insert_observation(
    db: Connection, record: int, project: bytes, change: bytes, *, observed_at: int, recorded: int
) -> None:
    """Keep that a success was observed; one of the same project and change counts once."""
    values = {"record": record, "project": project, "change": change}
    db.execute(INSERT_OBSERVATION, values | {"observed_at": observed_at, "recorded": recorded})


def list_observations(
    db: Connection, records: Sequence[int]
) -> dict[int, list[tuple[bytes, bytes, int]]]:
    """List what was observed of records: project, change and instant, in order."""
    found: dict[int, list[tuple[bytes, bytes, int]]] = {number: [] for number in records}
    rows: Any = db.execute(SELECT_OBSERVATIONS, (number_list(records),))
    for number, project, change, observed_at in rows:
        found[number].append((project, change, observed_at))
    return found


SELECT_OBSERVED = """
SELECT DISTINCT e.episode_id FROM evidence v JOIN episodes e ON e.episode_id = v.episode_id
JOIN sources s ON s.source_id = e.source_id
WHERE v.fact_id IN (SELECT value FROM carray(:facts)) AND v.recorded_to = 9223372036854775807
  AND s.name = :source AND e.role = 'event' AND e.visibility = 'visible' AND e.withdrawn IS NULL
"""
SELECT_ONLY_OBSERVED = """
SELECT v.fact_id FROM evidence v JOIN episodes e ON e.episode_id = v.episode_id
LEFT JOIN sources s ON s.source_id = e.source_id
WHERE v.fact_id IN (SELECT value FROM carray(:facts)) AND v.recorded_to = 9223372036854775807
GROUP BY v.fact_id HAVING min(e.role = 'event' AND ifnull(s.name = :source, 0))
"""
SELECT_TOLD = """
SELECT DISTINCT v.fact_id FROM evidence v JOIN episodes e ON e.episode_id = v.episode_id
WHERE v.fact_id IN (SELECT value FROM carray(?)) AND v.recorded_to = 9223372036854775807
  AND e.role = 'user' AND e.visibility = 'visible' AND e.withdrawn IS NULL
"""
SELECT_DOUBTED = """
SELECT episode_id FROM episodes
WHERE uid IN (SELECT value FROM carray(?)) AND visibility = 'visible' AND withdrawn IS NOT NULL
  AND fingerprint IS NOT NULL
"""


def list_observed(db: Connection, facts: Sequence[int], source: str) -> list[int]:
    """List the episodes of observations, from their source, that facts rest on."""
    values = {"facts": number_list(facts), "source": source}
    return [row[0] for row in db.execute(SELECT_OBSERVED, values)]


def only_observed(db: Connection, facts: Sequence[int], source: str) -> set[int]:
    """List those of some facts that rest on observations from a source, and on nothing else."""
    values = {"facts": number_list(facts), "source": source}
    return {row[0] for row in db.execute(SELECT_ONLY_OBSERVED, values)}


def told_by_user(db: Connection, facts: Sequence[int]) -> set[int]:
    """List those of some facts that rest on a sentence of the user's."""
    return {row[0] for row in db.execute(SELECT_TOLD, (number_list(facts),))}


def list_doubted(db: Connection, uids: Sequence[bytes]) -> list[int]:
    """List those of some episodes that were taken back and are still recognised."""
    if not uids:
        return []
    return [row[0] for row in db.execute(SELECT_DOUBTED, (apsw.carray(tuple(uids)),))]
