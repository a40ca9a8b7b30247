"""The digests that rows carry of themselves: find the rows whose values are no longer those."""

from collections.abc import Mapping

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
    "decided_links": "decided_link_id",
    "decisions": "decision_id",
    "entities": "entity_id",
    "episode_texts": "episode_id",
    "episodes": "episode_id",
    "evidence": "evidence_id",
    "import_items": "item_id",
    "import_jobs": "job_id",
    "links": "link_id",
    "predicate_versions": "version_id",
    "quarantined": "quarantined_id",
    "review_applied": "applied_id",
    "review_items": "review_item_id",
    "review_observations": "observation_id",
    "review_pauses": "pause_id",
    "review_queue": "queue_id",
    "review_records": "review_record_id",
    "review_removals": "removal_id",
    "review_uses": "use_id",
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


# Not by an index: it could cover the row, and it is the row that is looked at.
COUNT_CHANGED = """
SELECT count(*) FROM (
  SELECT * FROM {table} NOT INDEXED ORDER BY {key} DESC LIMIT :most)
WHERE digest <> memory_digest({columns})
"""
COUNT_ROWS = "SELECT count(*) FROM {table}"


def count_changed(db: Connection, table: str, *, most: int = -1) -> int:
    """Count the rows, of all or of so many of the newest, that are not what their digests say."""
    key = {**MAIN, **FURTHER}[table]
    sql = COUNT_CHANGED.format(table=table, key=key, columns=columns_of(db, table))
    return int(db.execute(sql, {"most": most}).get)


def count_rows(db: Connection, table: str) -> int:
    """Count the rows of a table."""
    return int(db.execute(COUNT_ROWS.format(table=table)).get)
