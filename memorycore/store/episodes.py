"""Episodes and their texts: rows are added, never changed; only their statuses move."""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import apsw

from memorycore.errors import AmbiguousIdError, NotFoundError
from memorycore.model.episode import Episode, Turn
from memorycore.model.identity import format_id
from memorycore.store.connection import Connection, number_list

if TYPE_CHECKING:
    from memorycore.model.operation import Operation

NEXT_ID = "SELECT coalesce(max(episode_id), 0) + 1 FROM episodes"


def next_episode_id(db: Connection) -> int:
    """Give the number of the next episode; it stays true while the write lock is held."""
    return int(db.execute(NEXT_ID).get)


EPISODES = """
SELECT e.episode_id, e.uid, s.name, n.name, e.role, e.speaker_id, p.name, t.text,
  e.occurred_from, e.occurred_to, e.precision, e.zone, o.name, e.external_id, e.recorded, t.meta
FROM episodes e
JOIN scopes s ON s.scope_id = e.scope_id
JOIN shown_texts t ON t.episode_id = e.episode_id
LEFT JOIN sessions n ON n.session_id = e.session_id
LEFT JOIN entities p ON p.entity_id = e.speaker_id
LEFT JOIN sources o ON o.source_id = e.source_id
WHERE e.visibility = 'visible' AND """
STANDING = EPISODES + "e.withdrawn IS NULL AND "
SELECT_BY_NUMBER = STANDING + "e.episode_id IN (SELECT value FROM carray(?))"


def load_episodes(db: Connection, numbers: Sequence[int]) -> dict[int, Episode]:
    """Read episodes by number; those that may not be seen are left out."""
    if not numbers:
        return {}
    rows = db.execute(SELECT_BY_NUMBER, (number_list(numbers),))
    return {row[0]: Episode(*row) for row in rows}


SELECT_TURNS = """
SELECT e.episode_id, e.speaker_id, e.session_id, e.occurred_from, e.occurred_to, t.text
FROM episodes e JOIN shown_texts t ON t.episode_id = e.episode_id
WHERE e.episode_id IN (SELECT value FROM carray(?))
  AND e.visibility = 'visible' AND e.withdrawn IS NULL
"""


def load_turns(db: Connection, numbers: Sequence[int]) -> dict[int, Turn]:
    """Read turns by number; those that may not be seen are left out."""
    if not numbers:
        return {}
    rows: Any = db.execute(SELECT_TURNS, (number_list(numbers),))
    return {row[0]: Turn(*row) for row in rows}


SELECT_BY_UID = (
    STANDING
    + """
e.uid BETWEEN ? AND ? AND s.name IN (SELECT value FROM carray(?)) ORDER BY e.uid LIMIT 4
"""
)


def get_episode(
    db: Connection, lowest: bytes, highest: bytes, *, scopes: Iterable[str], asked: str
) -> Episode:
    """Find the one episode whose id lies in a range, among the scopes that may be read.

    Raises:
        NotFoundError: there is none, or it may not be seen.
        AmbiguousIdError: there are several.
    """
    allowed = tuple(scopes)
    rows = db.execute(SELECT_BY_UID, (lowest, highest, apsw.carray(allowed)))
    found = [Episode(*row) for row in rows]
    if not found:
        raise NotFoundError(
            f"There is no episode {asked} in {', '.join(sorted(allowed))}.",
            hint="memoryctl search, or another --scope",
        )
    if len(found) > 1:
        fits = ", ".join(format_id("ep", episode.uid) for episode in found[:3])
        raise AmbiguousIdError(f"{asked} fits several: {fits}", hint="one more character")
    return found[0]


SELECT_PAGE = (
    STANDING
    + """
e.episode_id > ? AND s.name IN (SELECT value FROM carray(?)) ORDER BY e.episode_id LIMIT ?
"""
)


def list_episodes(
    db: Connection, scopes: Iterable[str], *, after: int, limit: int
) -> list[Episode]:
    """List the episodes of some scopes after a number, in the order they came in."""
    rows = db.execute(SELECT_PAGE, (after, apsw.carray(tuple(scopes)), limit))
    return [Episode(*row) for row in rows]


SELECT_OF_OPERATION = """
SELECT episode_id FROM episodes
WHERE uid > :uid AND recorded = :number AND visibility = 'visible' AND withdrawn IS NULL
"""


def list_of_operation(db: Connection, operation: "Operation") -> list[int]:
    """List the episodes that an operation recorded and that stand.

    Their ids are younger than the operation's, so only the episodes since then are looked at.
    """
    values = {"uid": operation.uid, "number": operation.number}
    return [row[0] for row in db.execute(SELECT_OF_OPERATION, values)]


WITHDRAW = """
UPDATE episodes SET withdrawn = ?, withdrawn_fingerprint = fingerprint, fingerprint = NULL
WHERE episode_id = ?
"""


def set_withdrawn(db: Connection, numbers: Sequence[int], *, by: int) -> None:
    """Mark episodes as taken back by an operation; their messages may come in again."""
    db.executemany(WITHDRAW, ((by, number) for number in numbers))


SELECT_WITHDRAWN = """
SELECT episode_id FROM episodes w
WHERE withdrawn = :by AND visibility IN ('visible', 'hidden') AND NOT EXISTS (
  SELECT 1 FROM episodes e WHERE e.fingerprint = w.withdrawn_fingerprint)
"""


def list_withdrawn(db: Connection, by: int) -> list[int]:
    """List the episodes that an operation took back and that have not come in again since."""
    return [row[0] for row in db.execute(SELECT_WITHDRAWN, {"by": by})]


RESTORE = """
UPDATE episodes SET withdrawn = NULL, fingerprint = withdrawn_fingerprint,
  withdrawn_fingerprint = NULL
WHERE episode_id = ?
"""


def clear_withdrawn(db: Connection, numbers: Sequence[int]) -> None:
    """Let withdrawn episodes stand again, each recognised by its fingerprint."""
    db.executemany(RESTORE, ((number,) for number in numbers))


COUNT_ALL = """
SELECT count(*), count(e.occurred_from), min(e.occurred_from), max(e.occurred_from)
FROM episodes e JOIN scopes s ON s.scope_id = e.scope_id
WHERE e.visibility = 'visible' AND e.withdrawn IS NULL
  AND (:scopes IS NULL OR s.name IN (SELECT value FROM json_each(:scopes)))
"""


def count_episodes(
    db: Connection, scopes: Sequence[str] | None
) -> tuple[int, int, int | None, int | None]:
    """Count what may be seen of some scopes (or of all).

    Gives the episodes, those with a time, and the first and the last time.
    """
    listed = None if scopes is None else json.dumps(list(scopes))
    row: Any = db.execute(COUNT_ALL, {"scopes": listed}).fetchone()
    return row[0], row[1], row[2], row[3]
