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


RANK_FACTS = f"""
SELECT rowid, -bm25(fact_index, 1.0, {QUOTE_WEIGHT}) AS score FROM fact_index
WHERE fact_index MATCH :match ORDER BY score DESC, rowid LIMIT :limit OFFSET :offset
"""


def rank_facts(
    db: Connection, scope_id: int, clauses: Sequence[Clause], *, limit: int, offset: int
) -> list[tuple[int, float]]:
    """Rank the facts that any clause fits, best first, ties by age."""
    match = " OR ".join(f"({render_clause(clause, scope_id)})" for clause in clauses)
    values = {"match": match, "limit": limit, "offset": offset}
    return [(number, score) for number, score in db.execute(RANK_FACTS, values)]
