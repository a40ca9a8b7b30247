"""Harvests: how far each proposer has read the conversations of a scope."""

from collections.abc import Sequence
from typing import Any

from memorycore.model.heard import Heard
from memorycore.model.identity import format_id
from memorycore.model.time import Moment
from memorycore.store.connection import Connection

SELECT_POSITION = """
SELECT max(last_episode_id) FROM harvests
WHERE scope_id = :scope_id AND proposer = :proposer AND version = :version
  AND recorded_to = 9223372036854775807
"""


def find_position(db: Connection, scope_id: int, proposer: str, version: str) -> int:
    """Give the number of the last episode that a proposer has read; 0 when it has read none."""
    values = {"scope_id": scope_id, "proposer": proposer, "version": version}
    found: Any = db.execute(SELECT_POSITION, values).get
    return int(found or 0)


INSERT_HARVEST = """
INSERT INTO harvests(scope_id, proposer, version, last_episode_id, recorded_from)
VALUES(:scope_id, :proposer, :version, :last_episode_id, :recorded)
"""


def insert_harvest(
    db: Connection,
    scope_id: int,
    proposer: str,
    version: str,
    *,
    last_episode_id: int,
    recorded: int,
) -> None:
    """Keep how far a proposer has read."""
    values = {"scope_id": scope_id, "proposer": proposer, "version": version}
    db.execute(INSERT_HARVEST, values | {"last_episode_id": last_episode_id, "recorded": recorded})


HEARD = """
SELECT e.episode_id, e.uid, t.text, e.role, p.name, e.occurred_from, e.occurred_to, e.precision,
  e.zone, e.session_id
FROM episodes e
JOIN shown_texts t ON t.episode_id = e.episode_id
LEFT JOIN entities p ON p.entity_id = e.speaker_id
WHERE e.visibility = 'visible' AND e.withdrawn IS NULL AND """
SELECT_HEARD = (
    HEARD
    + """e.scope_id = :scope_id AND e.episode_id > :after
  AND NOT EXISTS(SELECT 1 FROM import_jobs j WHERE j.episode_id = e.episode_id)
  AND (:session IS NULL OR e.session_id = (
    SELECT n.session_id FROM sessions n WHERE n.scope_id = :scope_id AND n.name = :session))
  AND (:since IS NULL OR e.occurred_to > :since)
ORDER BY e.episode_id LIMIT :limit
"""
)
SELECT_BEFORE = (
    HEARD
    + """e.session_id = (SELECT session_id FROM episodes WHERE episode_id = :episode_id)
  AND e.episode_id < :episode_id
ORDER BY e.episode_id DESC LIMIT :limit
"""
)


def list_heard(
    db: Connection,
    scope_id: int,
    *,
    after: int,
    limit: int,
    zone: str,
    session: str | None = None,
    since: int | None = None,
) -> list[tuple[int, Heard]]:
    """Read the turns of a scope after an episode, oldest first, each with its number.

    ``since`` is an instant: turns without a time, or before it, are left out.
    """
    values = {"scope_id": scope_id, "after": after, "limit": limit}
    values |= {"session": session, "since": since}  # type: ignore[dict-item]
    return [_heard(row, zone) for row in db.execute(SELECT_HEARD, values)]


def list_before(db: Connection, episode_id: int, *, limit: int, zone: str) -> list[Heard]:
    """Read the turns of a session before one, oldest first."""
    rows = db.execute(SELECT_BEFORE, {"episode_id": episode_id, "limit": limit})
    return [heard for _, heard in (_heard(row, zone) for row in rows)][::-1]


SELECT_HEARD_BY_UID = HEARD + "e.uid = :uid AND e.scope_id = :scope_id"


def find_heard(db: Connection, scope_id: int, uid: bytes, *, zone: str) -> Heard | None:
    """Find a turn of a scope by its whole id; ``None`` if it is gone or may not be seen."""
    row: Any = db.execute(SELECT_HEARD_BY_UID, {"uid": uid, "scope_id": scope_id}).fetchone()
    return None if row is None else _heard(row, zone)[1]


def _heard(row: Sequence[Any], zone: str) -> tuple[int, Heard]:
    number, uid, text, role, speaker, start, end, precision, own_zone, session = row
    said_at = None
    if start is not None:
        said_at = Moment(start, end, precision, own_zone or zone)
    heard = Heard(format_id("ep", uid), text, role, speaker, said_at, own_zone or zone, session)
    return number, heard
