"""The digests that rows carry of themselves: find the rows whose values are no longer those."""

from collections.abc import Iterator, Mapping

from memorycore.store.connection import Connection

# Each table with its key; the values are those of its column "digest", in that order.
MAIN: Mapping[str, str] = {
    "facts": "fact_id",
    "fact_periods": "period_id",
    "operations": "operation_id",
    "operation_rows": "operation_id",
    "changes": "change_id",
}
"""What is looked at each time: facts, periods, operations, and what operations did."""
FURTHER: Mapping[str, str] = {
    "aliases": "alias_id",
    "candidate_evidence": "candidate_id",
    "candidates": "candidate_id",
    "decisions": "decision_id",
    "entities": "entity_id",
    "episode_texts": "episode_id",
    "episodes": "episode_id",
    "evidence": "evidence_id",
    "links": "link_id",
    "predicate_versions": "version_id",
    "quarantined": "quarantined_id",
    "review_items": "review_item_id",
    "struck_spans": "struck_id",
    "suppressions": "suppression_id",
}
"""What is looked at besides when everything is."""
SELECT_COLUMNS = """
SELECT group_concat(name, ', ') FROM (
  SELECT name FROM pragma_table_xinfo(:table) WHERE hidden = 0 ORDER BY cid)
"""


def columns_of(db: Connection, table: str) -> str:
    """List the columns that a table's digest is made of, as SQL."""
    return str(db.execute(SELECT_COLUMNS, {"table": table}).get)


def find_changed(db: Connection, table: str, key: str) -> Iterator[int]:
    """Give the number of each row that is no longer what its digest says."""
    for (number,) in db.execute(_comparison(db, table, key)):
        yield int(number)


def count_changed(db: Connection, table: str) -> int:
    """Count the rows that are no longer what their digests say."""
    return int(db.execute(_comparison(db, table, "count(*)")).get)


def _comparison(db: Connection, table: str, wanted: str) -> str:
    # Not by an index: it could cover the row, and it is the row that is looked at.
    columns = columns_of(db, table)
    return f"SELECT {wanted} FROM {table} NOT INDEXED WHERE digest <> memory_digest({columns})"
