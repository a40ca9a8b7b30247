"""The word index of facts: everything that changes it goes through ``FactIndexing``.

Like the index of episodes it stores no text: a row is taken out with the very words that were put
in, read before anything else changes.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from memorycore.store.connection import Connection, number_list

SELECT_DOCUMENTS = """
SELECT fact_id, body, ctx FROM fact_documents WHERE fact_id IN (SELECT value FROM carray(?))
"""
DELETE_DOCUMENT = "INSERT INTO fact_index(fact_index, rowid, body, ctx) VALUES('delete', ?, ?, ?)"
INSERT_DOCUMENTS = """
INSERT INTO fact_index(rowid, body, ctx)
SELECT fact_id, body, ctx FROM fact_documents WHERE fact_id IN (SELECT value FROM carray(?))
"""
COUNT_DOCUMENTS = """
SELECT f.scope_id, count(*) FROM facts f
WHERE f.fact_id IN (SELECT value FROM carray(?)) AND f.visibility = 'visible' AND f.support > 0
GROUP BY f.scope_id
"""
ADD_TO_COUNT = """
UPDATE scopes SET indexed_facts = indexed_facts + :change WHERE scope_id = :scope_id
"""
_BATCH = 500


class FactIndexing:
    """Keeps the index true over one transaction: name each fact before it changes, then finish."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._touched: dict[int, None] = {}
        self._old: list[Any] = []
        self._change: dict[int, int] = {}

    def touch(self, fact_ids: Iterable[int]) -> None:
        """Read what the index holds of facts before that changes; it is taken out at the end.

        Between index rows and others SQLite would write the index out each time.
        """
        fresh = [fact_id for fact_id in fact_ids if fact_id not in self._touched]
        self._touched.update(dict.fromkeys(fresh))
        for part in _parts(fresh):
            rows: Any = self._db.execute(SELECT_DOCUMENTS, (number_list(part),)).fetchall()
            self._count(part, -1)
            self._old += rows

    def add(self, fact_id: int) -> None:
        """Name a fact that is new, and so is not in the index."""
        self._touched[fact_id] = None

    def touched(self) -> list[int]:
        """List the facts that were named so far."""
        return list(self._touched)

    def finish(self) -> None:
        """Take the facts that were touched out, and put them in again as they are now."""
        if self._old:
            self._db.executemany(DELETE_DOCUMENT, self._old)
            self._old.clear()
        for part in _parts(list(self._touched)):
            self._db.execute(INSERT_DOCUMENTS, (number_list(part),))
            self._count(part, 1)
        for scope_id, change in self._change.items():
            if change:
                self._db.execute(ADD_TO_COUNT, {"scope_id": scope_id, "change": change})
        self._touched.clear()
        self._change.clear()

    def _count(self, fact_ids: Sequence[int], sign: int) -> None:
        rows: Any = self._db.execute(COUNT_DOCUMENTS, (number_list(fact_ids),))
        for scope_id, count in rows.fetchall():
            self._change[scope_id] = self._change.get(scope_id, 0) + sign * count


def _parts(fact_ids: Sequence[int]) -> Iterable[Sequence[int]]:
    return (fact_ids[at : at + _BATCH] for at in range(0, len(fact_ids), _BATCH))
