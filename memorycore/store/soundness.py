"""What must hold in every store, as questions that count where it does not."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from memorycore.store.connection import (
    MEMORY,
    Connection,
    open_connection,
    transaction,
    translated,
    unchecked_links,
)
from memorycore.store.migrate import apply_migrations

SELECT_FAULTS = {
    # A fact is believed because of a sentence that can be read.
    "evidence": """
SELECT count(*) FROM facts f
WHERE f.support > 0 AND f.visibility IN ('visible', 'hidden') AND NOT EXISTS(
  SELECT 1 FROM evidence v JOIN episode_texts t ON t.episode_id = v.episode_id
  WHERE v.fact_id = f.fact_id AND v.recorded_to = 9223372036854775807
    AND (v.span_to <= length(t.text) OR v.span_to <= memory_length(t.text)))
""",
    # What has not been decided on is no fact.
    "admission": """
SELECT count(*) FROM facts f JOIN operations o ON o.operation_id = f.recorded
WHERE o.kind NOT IN ('admit', 'import', 'learn', 'remember', 'review')
""",
    # What an agent is itself, and how it feels, is no fact about anybody else.
    "agents": """
SELECT count(*) FROM entities s
CROSS JOIN facts f ON f.subject_id = s.entity_id AND f.support > 0
JOIN predicate_versions v ON v.predicate_id = f.predicate_id
  AND v.recorded_to = 9223372036854775807
WHERE s.kind = 'agent' AND NOT v.allow_agent_subject
""",
    # Unknown time stays unknown: of a range only that it was before something is known.
    "time": """
SELECT count(*) FROM fact_periods
WHERE recorded_to = 9223372036854775807
  AND (from_basis = 'unknown' AND from_precision NOT IN ('unknown', 'range')
    OR to_basis = 'unknown' AND to_precision NOT IN ('unknown', 'range')
    OR valid_from = -9223372036854775808 AND from_precision <> 'unknown')
""",
    "texts": """
SELECT count(*) FROM episodes e JOIN episode_texts t ON t.episode_id = e.episode_id
WHERE e.visibility IN ('forgotten', 'purged')
""",
    "contents": """
SELECT count(*) FROM facts
WHERE visibility = 'forgotten'
  AND (object_value <> '' OR object_id IS NOT NULL OR claim_key IS NOT NULL)
""",
    "struck": """
SELECT count(*) FROM struck_spans k JOIN episode_texts t ON t.episode_id = k.episode_id
WHERE k.recorded_to = 9223372036854775807 AND t.shown IS NULL
""",
    "counts": """
SELECT (SELECT count(*) FROM episode_index_docsize)
    <> (SELECT coalesce(sum(indexed_episodes), 0) FROM scopes)
  OR (SELECT count(*) FROM fact_index_docsize)
    <> (SELECT coalesce(sum(indexed_facts), 0) FROM scopes)
""",
    # The triggers that keep scopes apart look at what is written, not at what is there.
    "scopes": """
SELECT (SELECT count(*) FROM facts f JOIN entities s ON s.entity_id = f.subject_id
    WHERE s.scope_id <> f.scope_id)
  + (SELECT count(*) FROM evidence v JOIN facts f ON f.fact_id = v.fact_id
    JOIN episodes e ON e.episode_id = v.episode_id WHERE e.scope_id <> f.scope_id)
  + (SELECT count(*) FROM links l JOIN facts f ON f.fact_id = l.from_fact_id
    JOIN facts g ON g.fact_id = l.to_fact_id WHERE g.scope_id <> f.scope_id)
""",
    "spans": """
SELECT count(*) FROM evidence v JOIN episode_texts t ON t.episode_id = v.episode_id
WHERE v.recorded_to = 9223372036854775807 AND v.span_to > length(t.text)
  AND v.span_to > memory_length(t.text)
""",
}


def count_faults(db: Connection, what: str) -> int:
    """Count where something does not hold."""
    return int(db.execute(SELECT_FAULTS[what]).get)


def find_page_faults(db: Connection, *, quick: bool) -> int:
    """Count the faults (at most 100) in the file's pages; not ``quick``, in its indexes too."""
    with translated(db):
        rows: Any = db.execute(f"PRAGMA {'quick' if quick else 'integrity'}_check(100)").fetchall()
    return 0 if rows == [("ok",)] else len(rows)


OF_INDEX = ("missing from index", "entries in index", "non-unique entry in index")
"""What SQLite says of an index that does not fit its table; the table is whole."""


def has_broken_index(db: Connection) -> bool:
    """Tell whether an ordinary index does not fit its table, and nothing else is wrong."""
    rows: Any = db.execute("PRAGMA integrity_check(10000)").fetchall()
    told = [str(row[0]) for row in rows if row[0] != "ok"]
    return bool(told) and all(any(one in line for one in OF_INDEX) for line in told)


def rebuild_indexes(db: Connection) -> None:
    """Make all ordinary indexes anew from their tables."""
    db.execute("REINDEX").fetchall()


SELECT_SCHEMA = """
SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name
"""


def is_of_the_migrations(db: Connection) -> bool:
    """Tell whether the schema is just what the migrations make."""
    new = open_connection(MEMORY, read_only=False, busy_timeout=0)
    try:
        with unchecked_links(new), transaction(new):
            apply_migrations(new)
        wanted = new.execute(SELECT_SCHEMA).fetchall()
    finally:
        new.close()
    return db.execute(SELECT_SCHEMA).fetchall() == wanted


def count_loose_links(db: Connection) -> int:
    """Count the rows that refer to rows that are not there."""
    with translated(db):
        return len(db.execute("PRAGMA foreign_key_check").fetchall())


def has_settings(db: Connection) -> bool:
    """Tell whether a connection erases what it deletes, checks links, and keeps a log."""
    names = ("secure_delete", "foreign_keys", "journal_mode")
    found = [db.execute(f"PRAGMA {name}").get for name in names]
    # A store in one piece, as a backup is, keeps its log from the first write on.
    logs = ("memory",) if db.path == MEMORY else ("wal", "delete")
    return found[:2] == [1, 1] and found[2] in logs


@dataclass(frozen=True, slots=True)
class Waiting:
    """Candidates that wait: how many, since when (microseconds UTC), and in which scope the oldest.

    Both are ``None`` where none waits.
    """

    count: int
    oldest: int | None
    where: str | None


# By scope and state, so that the index finds the few that wait among all that were decided on.
SELECT_WAITING = """
WITH waiting AS MATERIALIZED (
  SELECT c.candidate_id, c.recorded_from, s.name FROM scopes s
  CROSS JOIN candidates c ON c.scope_id = s.scope_id AND c.state IN ('pending', 'review')
  WHERE c.recorded_to = 9223372036854775807
)
SELECT (SELECT count(*) FROM waiting),
  (SELECT min(o.at) FROM waiting w JOIN operations o ON o.operation_id = w.recorded_from),
  (SELECT name FROM waiting ORDER BY recorded_from, candidate_id LIMIT 1)
"""


def find_waiting(db: Connection) -> Waiting:
    """Say what waits for a decision."""
    row: Any = db.execute(SELECT_WAITING).fetchone()
    return Waiting(*row)


SELECT_NEWEST_BACKUP = """
SELECT max(made_at) FROM backups WHERE removed_at IS NULL AND path NOT LIKE '%.before-restore%'
"""
HAS_EPISODES = """
SELECT EXISTS(SELECT 1 FROM episodes WHERE visibility = 'visible' AND withdrawn IS NULL)
"""


def newest_backup(db: Connection) -> int | None:
    """Give when the newest backup that is known was made, in microseconds UTC."""
    found: int | None = db.execute(SELECT_NEWEST_BACKUP).get
    return found


def has_episodes(db: Connection) -> bool:
    """Tell whether there is anything that a backup would save."""
    return bool(db.execute(HAS_EPISODES).get)


@dataclass(frozen=True, slots=True)
class State:
    """What is derived of a fact, as it is stored."""

    fact_id: int
    timeline_id: int
    predicate_id: int
    rank: int | None
    validity: str
    confidence: float
    support: int


SELECT_STATES = """
SELECT fact_id, timeline_id, predicate_id, rank, validity, confidence, support FROM facts
WHERE visibility IN ('visible', 'hidden') ORDER BY timeline_id, fact_id
"""


def iter_states(db: Connection) -> Iterator[State]:
    """Go through what is derived of all facts that still say something, by timeline."""
    rows: Any = db.execute(SELECT_STATES)
    for row in rows:
        yield State(*row)
