"""The import jobs table: where each job stands, and its document until that is an episode."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memorycore.model.import_job import JobState
from memorycore.store.connection import Connection, number_list


@dataclass(slots=True)
class StoredJob:
    """A job as it is stored."""

    job_id: int
    uid: bytes
    scope_id: int
    format: str
    source: str
    settings: dict[str, Any]
    at: JobState
    applied: int
    dropped: int
    position: int
    operation_id: int | None
    episode_id: int | None
    made_at: int
    changed_at: int
    visibility: str
    has_text: bool


INSERT = """
INSERT INTO import_jobs(uid, scope_id, format, source, settings, state, text, total, dropped,
  parse_error, position, made_at, changed_at)
VALUES(:uid, :scope_id, :format, :source, :settings, :state, :text, :total, :dropped,
  :parse_error, :position, :now, :now) RETURNING job_id
"""
HAS_JOB = "SELECT EXISTS(SELECT 1 FROM import_jobs WHERE uid = :uid)"


def insert_job(
    db: Connection,
    uid: bytes,
    scope_id: int,
    *,
    format: str,  # noqa: A002 (the column's name)
    source: str,
    settings: dict[str, Any],
    at: JobState,
    text: str | None,
    dropped: int,
    position: int,
    now: int,
) -> int:
    """Add a job; give its number."""
    values = {
        "uid": uid,
        "scope_id": scope_id,
        "format": format,
        "source": source,
        "settings": json.dumps(settings),
        "state": at.state,
        "text": text,
        "total": at.total,
        "dropped": dropped,
        "parse_error": at.parse_error,
        "position": position,
        "now": now,
    }
    rows: Any = db.execute(INSERT, values).fetchall()
    db.attest(HAS_JOB, {"uid": uid})
    return int(rows[0][0])


JOBS = """
SELECT job_id, uid, scope_id, format, source, settings, state, total, processed, waiting, imported,
  is_recovered, parse_error, last_error, applied, dropped, position, operation_id, episode_id,
  made_at, changed_at, visibility, text IS NOT NULL
FROM import_jobs WHERE """
SELECT_BY_UID = (
    JOBS
    + """uid BETWEEN :lowest AND :highest AND scope_id IN (SELECT value FROM carray(:scopes))
  AND visibility = 'visible' ORDER BY uid LIMIT 4"""
)
SELECT_BY_NUMBER = JOBS + "job_id = :job_id"
SELECT_OF_SCOPES = (
    JOBS
    + """scope_id IN (SELECT value FROM carray(:scopes)) AND visibility = 'visible'
ORDER BY job_id DESC LIMIT :limit"""
)


def list_by_uid(
    db: Connection, lowest: bytes, highest: bytes, scope_ids: Sequence[int]
) -> list[StoredJob]:
    """Find the jobs (at most four) whose id lies in a range."""
    values = {"lowest": lowest, "highest": highest, "scopes": number_list(scope_ids)}
    return [_job(row) for row in db.execute(SELECT_BY_UID, values)]


def get_job(db: Connection, job_id: int) -> StoredJob:
    """Read the job of a number."""
    row: Any = db.execute(SELECT_BY_NUMBER, {"job_id": job_id}).fetchone()
    assert row is not None, "jobs are kept"
    return _job(row)


def list_jobs(db: Connection, scope_ids: Sequence[int], *, limit: int) -> list[StoredJob]:
    """List the jobs of some scopes, newest first."""
    values = {"scopes": number_list(scope_ids), "limit": limit}
    return [_job(row) for row in db.execute(SELECT_OF_SCOPES, values)]


def _job(row: Any) -> StoredJob:
    job_id, uid, scope_id, format_, source, settings, *at = row[:14]
    state, total, processed, waiting, imported, is_recovered, *errors = at
    where = JobState(state, total, processed, waiting, imported, bool(is_recovered), *errors)
    return StoredJob(
        job_id, bytes(uid), scope_id, format_, source, json.loads(settings), where, *row[14:]
    )


SELECT_TEXT = "SELECT text FROM import_jobs WHERE job_id = :job_id"


def job_text(db: Connection, job_id: int) -> str | None:
    """Give the document of a job, while it is no episode yet."""
    found: Any = db.execute(SELECT_TEXT, {"job_id": job_id}).get
    return None if found is None else str(found)


SET_AT = """
UPDATE import_jobs SET state = :state, total = :total, processed = :processed, waiting = :waiting,
  imported = :imported, is_recovered = :is_recovered, parse_error = :parse_error,
  last_error = :last_error, changed_at = :now
WHERE job_id = :job_id
"""


def set_at(db: Connection, job_id: int, at: JobState, *, now: int) -> None:
    """Set where a job stands."""
    values = {
        "state": at.state,
        "total": at.total,
        "processed": at.processed,
        "waiting": at.waiting,
        "imported": at.imported,
        "is_recovered": at.is_recovered,
        "parse_error": at.parse_error,
        "last_error": at.last_error,
        "now": now,
        "job_id": job_id,
    }
    db.execute(SET_AT, values)


SET_COLUMN = {
    name: f"UPDATE import_jobs SET {name} = :value WHERE job_id = :job_id"
    for name in ("position", "settings", "dropped", "applied", "operation_id", "episode_id", "text")
}


def set_column(db: Connection, job_id: int, name: str, value: object) -> None:
    """Set one column of a job."""
    db.execute(SET_COLUMN[name], {"value": value, "job_id": job_id})


LAST_OF_SCOPE = """
SELECT operation_id FROM operations WHERE scope_id = :scope_id OR scope_id IS NULL
ORDER BY operation_id DESC LIMIT 1
"""


def position_of(db: Connection, scope_id: int) -> int:
    """Give the number of the last operation that has changed what a scope holds."""
    return int(db.execute(LAST_OF_SCOPE, {"scope_id": scope_id}).get or 0)


SELECT_OF_OPERATION = "SELECT job_id FROM import_jobs WHERE operation_id = :operation_id"


def jobs_of_operation(db: Connection, operation_id: int) -> list[int]:
    """List the jobs (at most one) that an operation has carried out."""
    rows = db.execute(SELECT_OF_OPERATION, {"operation_id": operation_id})
    return [row[0] for row in rows]
