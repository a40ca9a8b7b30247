"""Adding episodes: whole rows, many at a time, and recognising those that are there."""

from collections.abc import Sequence
from typing import NamedTuple

import apsw

from memorycore.store.connection import Connection


class EpisodeRow(NamedTuple):
    """An episode with its names resolved to numbers, in the order of the columns; then its text."""

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


INSERT_EPISODE = """
INSERT INTO episodes(episode_id, uid, scope_id, session_id, role, speaker_id, occurred_from,
  occurred_to, precision, zone, source_id, external_id, recorded, fingerprint)
VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
TEXT_COLUMN = EpisodeRow._fields.index("text")
INSERT_TEXT = "INSERT INTO episode_texts(episode_id, text, meta) VALUES(?, ?, ?)"
HAS_EPISODE = "SELECT EXISTS(SELECT 1 FROM episodes WHERE uid = :uid)"


def insert_episodes(db: Connection, rows: Sequence[EpisodeRow]) -> None:
    """Add episodes and their texts."""
    db.executemany(INSERT_EPISODE, (row[:TEXT_COLUMN] for row in rows))
    db.executemany(INSERT_TEXT, ((row.episode_id, row.text, row.meta) for row in rows))
    if rows:
        db.attest(HAS_EPISODE, {"uid": rows[0].uid})


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
