"""Questions to the word index: which episodes of a scope hold which words, best first."""

from collections.abc import Sequence
from dataclasses import dataclass

from memorycore.store.connection import Connection
from memorycore.store.match import Clause, render_clause

CONTEXT_WEIGHT = 0.3
"""A word in a neighbouring turn counts this much of a word in the turn itself."""


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What a question asks for besides words. A field that is ``None`` asks for nothing.

    ``occurred_from`` and ``occurred_to`` are a half-open window in microseconds UTC that an
    episode's own time must touch; ``recorded_until`` is the number of the newest operation that
    counts.
    """

    session_id: int | None = None
    roles: tuple[str, ...] = ()
    occurred_from: int | None = None
    occurred_to: int | None = None
    last_episode: int | None = None
    recorded_until: int | None = None

    @property
    def is_wide(self) -> bool:
        return self == Narrowing()


SCOPE_SIZE = """
SELECT indexed_episodes, (SELECT sum(indexed_episodes) FROM scopes) FROM scopes
WHERE scope_id = :scope_id
"""


def count_indexed(db: Connection, scope_id: int) -> tuple[int, int]:
    """Count the searchable episodes of a scope, and of all scopes."""
    row = db.execute(SCOPE_SIZE, {"scope_id": scope_id}).fetchone()
    return (row[0], row[1]) if row else (0, 0)


COUNT_MATCHES = "SELECT count(*) FROM episode_index WHERE episode_index MATCH :match"


def count_matches(db: Connection, scope_id: int, clause: Clause) -> int:
    """Count the episodes of a scope that a clause fits, their neighbours' words included."""
    return int(db.execute(COUNT_MATCHES, {"match": render_clause(clause, scope_id)}).get)


RANK_PLAIN = """
SELECT f.rowid, -bm25(episode_index, 1.0, {context}) AS score FROM episode_index f
WHERE f.episode_index MATCH :match ORDER BY score DESC, f.rowid LIMIT :limit OFFSET :offset
"""
RANK_PLAIN_NARROWED = """
SELECT f.rowid, -bm25(episode_index, 1.0, {context}) AS score FROM episode_index f
CROSS JOIN episodes e ON e.episode_id = f.rowid
WHERE f.episode_index MATCH :match AND {narrowing}
ORDER BY score DESC, f.rowid LIMIT :limit OFFSET :offset
"""


def rank_together(
    db: Connection,
    scope_id: int,
    clauses: Sequence[Clause],
    narrowing: Narrowing,
    *,
    limit: int,
    offset: int,
) -> list[tuple[int, float]]:
    """Rank the episodes that any clause fits by SQLite's own bm25, best first, ties by age."""
    match = " OR ".join(f"({render_clause(clause, scope_id)})" for clause in clauses)
    values: dict[str, object] = {"match": match, "limit": limit, "offset": offset}
    sql = RANK_PLAIN
    if not narrowing.is_wide:
        condition, bound = _narrowing_sql(narrowing)
        sql = RANK_PLAIN_NARROWED.replace("{narrowing}", condition)
        values |= bound
    rows = db.execute(sql.replace("{context}", str(CONTEXT_WEIGHT)), values)
    return [(number, score) for number, score in rows]


PART = """
SELECT rowid AS number, -:weight{at} * bm25(episode_index, 1.0, {context}) AS part
FROM episode_index WHERE episode_index MATCH :match{at}
"""
# The empty last part keeps SQLite from moving bm25 into the aggregate, where it cannot run.
RANK_PARTS = """
SELECT h.number, sum(h.part) AS score
FROM ({parts} UNION ALL SELECT 0, 0.0 WHERE 0) h {narrowing}
GROUP BY h.number ORDER BY score DESC, h.number LIMIT :limit OFFSET :offset
"""


def rank_apart(
    db: Connection,
    scope_id: int,
    weighted: Sequence[tuple[Clause, float]],
    narrowing: Narrowing,
    *,
    limit: int,
    offset: int,
) -> list[tuple[int, float]]:
    """Rank the episodes that any clause fits by the weighted sum of the clauses' bm25."""
    values: dict[str, object] = {"limit": limit, "offset": offset}
    parts = []
    for at, (clause, weight) in enumerate(weighted):
        parts.append(PART.replace("{at}", str(at)).replace("{context}", str(CONTEXT_WEIGHT)))
        values |= {f"weight{at}": weight, f"match{at}": render_clause(clause, scope_id)}
    condition = ""
    if not narrowing.is_wide:
        wanted, bound = _narrowing_sql(narrowing)
        condition = f"CROSS JOIN episodes e ON e.episode_id = h.number WHERE {wanted}"
        values |= bound
    sql = RANK_PARTS.replace("{parts}", " UNION ALL ".join(parts)).replace("{narrowing}", condition)
    return [(number, score) for number, score in db.execute(sql, values)]


CLAUSE_SCORE = """
SELECT -bm25(episode_index, 1.0, {context}), -bm25(episode_index, 1.0, 0.0)
FROM episode_index WHERE episode_index MATCH :match AND rowid = :number
"""


def score_clause(
    db: Connection, scope_id: int, clause: Clause, number: int
) -> tuple[float, float] | None:
    """Score one clause for one episode: with its neighbours' words, and without."""
    sql = CLAUSE_SCORE.replace("{context}", str(CONTEXT_WEIGHT))
    row = db.execute(sql, {"match": render_clause(clause, scope_id), "number": number}).fetchone()
    return (row[0], row[1]) if row else None


def _narrowing_sql(narrowing: Narrowing) -> tuple[str, dict[str, object]]:
    conditions, values = ["1"], dict[str, object]()
    if narrowing.session_id is not None:
        conditions.append("e.session_id = :session_id")
        values["session_id"] = narrowing.session_id
    if narrowing.roles:
        names = [f"role{at}" for at in range(len(narrowing.roles))]
        conditions.append(f"e.role IN ({', '.join(':' + name for name in names)})")
        values |= dict(zip(names, narrowing.roles, strict=True))
    if narrowing.occurred_from is not None:
        conditions.append("e.occurred_to > :occurred_from")
        values["occurred_from"] = narrowing.occurred_from
    if narrowing.occurred_to is not None:
        conditions.append("e.occurred_from < :occurred_to")
        values["occurred_to"] = narrowing.occurred_to
    if narrowing.last_episode is not None:
        conditions.append("e.episode_id <= :last_episode")
        values["last_episode"] = narrowing.last_episode
    if narrowing.recorded_until is not None:
        conditions.append("e.recorded <= :recorded_until")
        values["recorded_until"] = narrowing.recorded_until
    return " AND ".join(conditions), values
