"""The word indexes as a whole: compared with what they were made from, and made anew."""

from dataclasses import dataclass

import apsw

from memorycore.model.backup import IndexState
from memorycore.store.connection import Connection


@dataclass(frozen=True, slots=True)
class Index:
    """A word index, the view that gives its documents, and where its rows are counted."""

    name: str
    table: str
    documents: str
    number: str
    counter: str


INDEXES = (
    Index("episodes", "episode_index", "episode_documents", "episode_id", "indexed_episodes"),
    Index("facts", "fact_index", "fact_documents", "fact_id", "indexed_facts"),
)

COUNT_ROWS = "SELECT count(*) FROM {documents}"
COUNT_MISSING = """
SELECT count(*) FROM (SELECT {number} FROM {documents} EXCEPT SELECT id FROM {table}_docsize)
"""
COUNT_STRAY = """
SELECT count(*) FROM (SELECT id FROM {table}_docsize EXCEPT SELECT {number} FROM {documents})
"""
COUNTED = """
WITH counted(scope_id, total) AS MATERIALIZED (
  SELECT r.scope_id, count(*) FROM {documents} d JOIN {name} r USING({number}) GROUP BY r.scope_id)
"""
COUNT_WRONG_COUNTERS = (
    COUNTED
    + """
SELECT count(*) FROM scopes s LEFT JOIN counted c USING(scope_id)
WHERE s.{counter} <> coalesce(c.total, 0)
"""
)
INTEGRITY_CHECK = "INSERT INTO {table}({table}, rank) VALUES('integrity-check', 1)"


def compare(db: Connection, index: Index) -> IndexState:
    """Compare an index with its documents: row by row, word for word, and the counts of rows."""

    def count(sql: str) -> int:
        return int(db.execute(_of(sql, index)).get)

    return IndexState(
        index.name,
        count(COUNT_ROWS),
        count(COUNT_MISSING),
        count(COUNT_STRAY),
        _holds_the_words(db, index),
        count(COUNT_WRONG_COUNTERS),
    )


def _holds_the_words(db: Connection, index: Index) -> bool:
    try:
        db.execute(_of(INTEGRITY_CHECK, index))
    except apsw.CorruptError:
        return False
    return True


REBUILD = "INSERT INTO {table}({table}) VALUES('rebuild')"
SET_COUNTERS = (
    COUNTED
    + """
UPDATE scopes SET {counter} = coalesce(
  (SELECT total FROM counted c WHERE c.scope_id = scopes.scope_id), 0)
"""
)


def rebuild(db: Connection, index: Index) -> None:
    """Make an index anew from its documents, and count its rows."""
    db.execute(_of(REBUILD, index))
    db.execute(_of(SET_COUNTERS, index))


def _of(sql: str, index: Index) -> str:
    return sql.format(
        name=index.name,
        table=index.table,
        documents=index.documents,
        number=index.number,
        counter=index.counter,
    )
