"""Questions to the word index of facts."""

from collections.abc import Sequence

from memorycore.store.connection import Connection
from memorycore.store.match import Clause, render_clause

QUOTE_WEIGHT = 0.5
"""A word in the sentence that a fact rests on counts this much of a word in the fact itself."""

SCOPE_SIZE = """
SELECT indexed_facts, (SELECT sum(indexed_facts) FROM scopes) FROM scopes
WHERE scope_id = :scope_id
"""


def count_indexed_facts(db: Connection, scope_id: int) -> tuple[int, int]:
    """Count the searchable facts of a scope, and of all scopes."""
    row = db.execute(SCOPE_SIZE, {"scope_id": scope_id}).fetchone()
    return (row[0], row[1]) if row else (0, 0)


COUNT_MATCHES = "SELECT count(*) FROM fact_index WHERE fact_index MATCH :match"


def count_fact_matches(db: Connection, scope_id: int, clause: Clause) -> int:
    """Count the facts of a scope that a clause fits."""
    return int(db.execute(COUNT_MATCHES, {"match": render_clause(clause, scope_id)}).get)


PART = f"""
SELECT rowid AS number, -:weight{{at}} * bm25(fact_index, 1.0, {QUOTE_WEIGHT}) AS part
FROM fact_index WHERE fact_index MATCH :match{{at}}
"""
# The empty last part keeps SQLite from moving bm25 into the aggregate, where it cannot run.
RANK_FACTS = """
SELECT h.number, sum(h.part) AS score
FROM ({parts} UNION ALL SELECT 0, 0.0 WHERE 0) h
GROUP BY h.number ORDER BY score DESC, h.number LIMIT :limit OFFSET :offset
"""


def rank_facts(
    db: Connection,
    scope_id: int,
    weighted: Sequence[tuple[Clause, float]],
    *,
    limit: int,
    offset: int,
) -> list[tuple[int, float]]:
    """Rank the facts that any clause fits by the weighted sum of the clauses' bm25."""
    values: dict[str, object] = {"limit": limit, "offset": offset}
    parts = []
    for at, (clause, weight) in enumerate(weighted):
        parts.append(PART.replace("{at}", str(at)))
        values |= {f"weight{at}": weight, f"match{at}": render_clause(clause, scope_id)}
    sql = RANK_FACTS.replace("{parts}", " UNION ALL ".join(parts))
    return [(number, score) for number, score in db.execute(sql, values)]
