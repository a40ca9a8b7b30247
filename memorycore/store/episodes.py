"""Episodes and their texts: rows are added, never changed; only their statuses move."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import apsw

from memorycore.errors import AmbiguousIdError, NotFoundError
from memorycore.model.episode import Episode
from memorycore.model.identity import format_id
from memorycore.model.operation import Operation
from memorycore.store.connection import Connection, number_list


@dataclass(slots=True)
class EpisodeRow:
    """An episode with its names resolved to numbers, ready to be inserted."""

    episode_id: int
    uid: bytes
    scope_id: int
    session_id: int | None
    role: str
    speaker_id: int | None
    occurred_from: int | None
    occurred_to: int | None
    precision: str
    zone: str | None
    source_id: int | None
    external_id: str | None
    recorded: int
    fingerprint: bytes
    text: str
    meta: str | None


NEXT_ID = "SELECT coalesce(max(episode_id), 0) + 1 FROM episodes"


def next_episode_id(db: Connection) -> int:
    """Give the number of the next episode; it stays true while the write lock is held."""
    return int(db.execute(NEXT_ID).get)


INSERT_EPISODE = """
INSERT INTO episodes(episode_id, uid, scope_id, session_id, role, speaker_id, occurred_from,
  occurred_to, precision, zone, source_id, external_id, recorded, fingerprint)
VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
INSERT_TEXT = "INSERT INTO episode_texts(episode_id, text, meta) VALUES(?, ?, ?)"


def insert_episodes(db: Connection, rows: Sequence[EpisodeRow]) -> None:
    """Add episodes and their texts."""
    db.executemany(
        INSERT_EPISODE,
        (
            (
                row.episode_id,
                row.uid,
                row.scope_id,
                row.session_id,
                row.role,
                row.speaker_id,
                row.occurred_from,
                row.occurred_to,
                row.precision,
                row.zone,
                row.source_id,
                row.external_id,
                row.recorded,
                row.fingerprint,
            )
            for row in rows
        ),
    )
    db.executemany(INSERT_TEXT, ((row.episode_id, row.text, row.meta) for row in rows))


SELECT_KNOWN = """
SELECT fingerprint, recorded, uid FROM episodes
WHERE fingerprint IN (SELECT value FROM carray(?))
"""


def find_by_fingerprint(
    db: Connection, fingerprints: Sequence[bytes]
) -> dict[bytes, tuple[int, bytes]]:
    """Find which fingerprints are there: each with the operation that recorded it and its id."""
    if not fingerprints:
        return {}
    rows = db.execute(SELECT_KNOWN, (apsw.carray(tuple(fingerprints)),))
    return {fingerprint: (recorded, uid) for fingerprint, recorded, uid in rows}


EPISODES = """
SELECT e.episode_id, e.uid, s.name, n.name, e.role, e.speaker_id, p.name, t.text,
  e.occurred_from, e.occurred_to, e.precision, e.zone, o.name, e.external_id, e.recorded, t.meta
FROM episodes e
JOIN scopes s ON s.scope_id = e.scope_id
JOIN episode_texts t ON t.episode_id = e.episode_id
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


SELECT_OF_OPERATION = """
SELECT episode_id FROM episodes
WHERE uid > :uid AND recorded = :number AND visibility = 'visible' AND withdrawn IS NULL
"""


def list_of_operation(db: Connection, operation: Operation) -> list[int]:
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
WHERE withdrawn = :by AND visibility = 'visible' AND NOT EXISTS (
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
SELECT count(*), count(occurred_from), min(occurred_from), max(occurred_from)
FROM episodes WHERE visibility = 'visible' AND withdrawn IS NULL
"""


def count_episodes(db: Connection) -> tuple[int, int, int | None, int | None]:
    """Count what may be seen: episodes, those with a time, the first and the last time."""
    row = db.execute(COUNT_ALL).fetchone()
    assert row is not None
    return row[0], row[1], row[2], row[3]
