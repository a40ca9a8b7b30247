"""Lines that were no candidates: kept with their text and the reason, so that nothing is lost."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import apsw

from memorycore.store.connection import Connection, number_list


class QuarantineRow(NamedTuple):
    """A line that is to be kept, in the order of the columns."""

    scope_id: int
    place: str
    code: str
    reason: str
    text: str | None
    fingerprint: bytes | None
    recorded_from: int


INSERT = f"""
INSERT INTO quarantined({", ".join(QuarantineRow._fields)})
VALUES({", ".join("?" * len(QuarantineRow._fields))})
"""


def insert_quarantined(db: Connection, rows: Sequence[QuarantineRow]) -> None:
    """Keep lines."""
    db.executemany(INSERT, rows)


SELECT_KNOWN = """
SELECT fingerprint FROM quarantined
WHERE fingerprint IN (SELECT value FROM carray(?)) AND recorded_to = 9223372036854775807
"""


def list_known_lines(db: Connection, fingerprints: Sequence[bytes]) -> set[bytes]:
    """Tell which lines are kept already."""
    if not fingerprints:
        return set()
    return {row[0] for row in db.execute(SELECT_KNOWN, (apsw.carray(tuple(fingerprints)),))}


@dataclass(slots=True)
class StoredLine:
    """A line in quarantine."""

    quarantined_id: int
    place: str
    code: str
    reason: str
    text: str | None


SELECT = """
SELECT quarantined_id, place, code, reason, text FROM quarantined
WHERE scope_id IN (SELECT value FROM carray(:scopes)) AND recorded_to = 9223372036854775807
  AND visibility = 'visible' AND quarantined_id > :after
ORDER BY quarantined_id LIMIT :limit
"""


def list_quarantined(
    db: Connection, scope_ids: Sequence[int], *, after: int = 0, limit: int
) -> list[StoredLine]:
    """List the lines in quarantine of some scopes, oldest first."""
    values = {"scopes": number_list(scope_ids), "after": after, "limit": limit}
    rows: Any = db.execute(SELECT, values)
    return [StoredLine(*row) for row in rows]
