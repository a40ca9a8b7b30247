"""Episodes as evidence: found by id or by id at the source, within one scope."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from memorycore.store.connection import Connection, number_list


@dataclass(frozen=True, slots=True)
class Turn:
    """What evidence needs to know of the turn it lies in.

    ``asserted_at`` is the instant by which it was said: the last one of a day, month or year, if no
    more is known.
    """

    episode_id: int
    uid: bytes
    session_id: int | None
    role: str
    speaker_id: int | None
    asserted_at: int | None
    external_id: str | None
    text: str
    precision: str = "instant"
    occurred_from: int | None = None

    def by(self, now: int) -> int | None:
        """Give the instant by which it was said, which is never after it was heard of."""
        if self.asserted_at is None or self.occurred_from is None:
            return self.asserted_at
        return max(self.occurred_from, min(self.asserted_at, now))


TURNS = """
SELECT e.episode_id, e.uid, e.session_id, e.role, e.speaker_id,
  iif(e.precision = 'instant', e.occurred_from, e.occurred_to - 1), e.external_id, t.text,
  e.precision, e.occurred_from
FROM episodes e JOIN shown_texts t ON t.episode_id = e.episode_id
WHERE e.scope_id = ? AND e.visibility = 'visible' AND e.withdrawn IS NULL AND """
SELECT_BY_UID = TURNS + "e.uid BETWEEN ? AND ? LIMIT 2"
SELECT_BY_EXTERNAL = TURNS + "e.external_id IN (SELECT value FROM carray(?)) ORDER BY e.episode_id"
SELECT_BY_NUMBER = TURNS + "e.episode_id IN (SELECT value FROM carray(?))"


def find_turns_by_uid(db: Connection, scope_id: int, lowest: bytes, highest: bytes) -> list[Turn]:
    """Find the turns (at most two) of a scope whose id lies in a range."""
    rows: Any = db.execute(SELECT_BY_UID, (scope_id, lowest, highest))
    return [Turn(*row) for row in rows]


def find_turns_by_external_id(
    db: Connection, scope_id: int, external_ids: Sequence[str]
) -> dict[str, list[Turn]]:
    """Find the turns of a scope by their ids at the source; one id may have several."""
    found: dict[str, list[Turn]] = {}
    if not (ids := _possible(external_ids)):
        return found
    rows: Any = db.execute(SELECT_BY_EXTERNAL, (scope_id, apsw.carray(ids)))
    for row in rows:
        found.setdefault(row[6], []).append(Turn(*row))
    return found


def _possible(external_ids: Sequence[str]) -> tuple[str, ...]:
    """Leave out what no episode has for an id, and no array of texts can hold."""
    return tuple(one for one in external_ids if "\0" not in one)


def load_seen(db: Connection, scope_id: int, numbers: Sequence[int]) -> dict[int, Turn]:
    """Read turns by number; those that may not be seen are left out."""
    if not numbers:
        return {}
    rows: Any = db.execute(SELECT_BY_NUMBER, (scope_id, number_list(numbers)))
    return {row[0]: Turn(*row) for row in rows}


@dataclass(frozen=True, slots=True)
class SourceItem:
    """An episode with what its source said of it besides the text."""

    external_id: str
    session: str | None
    occurred_from: int | None
    precision: str
    zone: str | None
    text: str
    meta: str | None


SELECT_ITEMS = """
SELECT e.external_id, n.name, e.occurred_from, e.precision, e.zone, t.text, t.meta
FROM episodes e JOIN shown_texts t ON t.episode_id = e.episode_id
LEFT JOIN sessions n ON n.session_id = e.session_id
WHERE e.scope_id = ? AND e.visibility = 'visible' AND e.withdrawn IS NULL
  AND e.external_id IN (SELECT value FROM carray(?)) ORDER BY e.episode_id
"""


def list_items(db: Connection, scope_id: int, external_ids: Sequence[str]) -> list[SourceItem]:
    """Read episodes by their ids at the source, with what the source said of them."""
    if not (ids := _possible(external_ids)):
        return []
    rows: Any = db.execute(SELECT_ITEMS, (scope_id, apsw.carray(ids)))
    return [SourceItem(*row) for row in rows]


SELECT_ITEMS_OF_FACTS = """
SELECT DISTINCT v.fact_id, e.external_id, n.name, e.occurred_from, e.precision, e.zone, t.text,
  t.meta
FROM evidence v JOIN episodes e ON e.episode_id = v.episode_id
JOIN shown_texts t ON t.episode_id = e.episode_id
LEFT JOIN sessions n ON n.session_id = e.session_id
WHERE v.fact_id IN (SELECT value FROM carray(?)) AND v.recorded_to = 9223372036854775807
  AND e.visibility = 'visible' AND e.withdrawn IS NULL AND e.external_id LIKE 'mem:%'
ORDER BY v.fact_id, e.external_id
"""


def list_items_of_facts(db: Connection, facts: Sequence[int]) -> list[tuple[int, SourceItem]]:
    """Read the memory items that facts rest on, by fact, with what their source said of them."""
    if not facts:
        return []
    rows: Any = db.execute(SELECT_ITEMS_OF_FACTS, (number_list(facts),))
    return [(row[0], SourceItem(*row[1:])) for row in rows]
