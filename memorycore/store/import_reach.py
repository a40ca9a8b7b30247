"""What import jobs hold of what is to be forgotten: their documents, and the words of their items.

A job's document is there only until it is an episode, an item's words only where nothing else says
the same; so there is little to look through.
"""

from collections.abc import Callable, Sequence
from typing import Any

from memorycore.model.needles import quoting
from memorycore.store.connection import Connection, number_list

LEFT = "visibility <> 'forgotten'"
SELECT_JOBS_OF_EPISODES = f"""
SELECT job_id FROM import_jobs WHERE episode_id IN (SELECT value FROM carray(?)) AND {LEFT}
"""
SELECT_JOBS_OF_SCOPE = f"SELECT job_id FROM import_jobs WHERE scope_id = ? AND {LEFT}"
SELECT_ITEMS_OF_JOBS = f"""
SELECT item_id FROM import_items WHERE job_id IN (SELECT value FROM carray(?)) AND {LEFT}
"""
SELECT_ITEMS_OF = f"""
SELECT item_id FROM import_items WHERE fact_id IN (SELECT value FROM carray(:f)) AND {LEFT}
UNION
SELECT item_id FROM import_items WHERE candidate_id IN (SELECT value FROM carray(:c)) AND {LEFT}
"""


def jobs_of_episodes(db: Connection, episodes: Sequence[int]) -> list[int]:
    """List the jobs whose document some episodes are."""
    rows = db.execute(SELECT_JOBS_OF_EPISODES, (number_list(episodes),))
    return [row[0] for row in rows]


def jobs_of_scope(db: Connection, scope_id: int) -> list[int]:
    """List the jobs of a scope that still say something."""
    return [row[0] for row in db.execute(SELECT_JOBS_OF_SCOPE, (scope_id,))]


def items_of_jobs(db: Connection, jobs: Sequence[int]) -> list[int]:
    """List the items of some jobs."""
    return [row[0] for row in db.execute(SELECT_ITEMS_OF_JOBS, (number_list(jobs),))]


def items_of(db: Connection, facts: Sequence[int], candidates: Sequence[int]) -> list[int]:
    """List the items that became some facts or candidates."""
    values = {"f": number_list(facts), "c": number_list(candidates)}
    return [row[0] for row in db.execute(SELECT_ITEMS_OF, values)]


SELECT_DOCUMENTS_AMONG = """
SELECT episode_id FROM import_jobs WHERE episode_id IN (SELECT value FROM carray(?))
"""


def documents_among(db: Connection, episodes: Sequence[int]) -> set[int]:
    """Tell which of some episodes are imported documents."""
    rows = db.execute(SELECT_DOCUMENTS_AMONG, (number_list(episodes),))
    return {row[0] for row in rows}


SELECT_DOCUMENTS = f"""
SELECT job_id, text FROM import_jobs WHERE scope_id = ? AND text IS NOT NULL AND {LEFT}
"""
SELECT_WORDS = """
SELECT i.item_id, coalesce(i.label, '') || char(10) || coalesce(i.content, '') || char(10)
  || coalesce(i.merged, '') || char(10) || coalesce(i.reason, '')
FROM import_jobs j JOIN import_items i ON i.job_id = j.job_id
  AND (i.content IS NOT NULL OR i.label IS NOT NULL)
WHERE j.scope_id = ? AND i.visibility <> 'forgotten'
"""


def documents_of_scope(db: Connection, scope_id: int) -> list[tuple[int, str]]:
    """Read the documents of a scope's jobs that are no episodes yet."""
    rows: Any = db.execute(SELECT_DOCUMENTS, (scope_id,)).fetchall()
    return list(rows)


def words_of_scope(db: Connection, scope_id: int) -> list[tuple[int, str]]:
    """Read the words of a scope's items that stand nowhere else."""
    rows: Any = db.execute(SELECT_WORDS, (scope_id,)).fetchall()
    return list(rows)


def jobs_named(
    db: Connection,
    scope_id: int,
    jobs: Sequence[int],
    episodes: Sequence[int],
    *,
    is_whole: bool,
) -> set[int]:
    """List the jobs that were named, or whose document goes."""
    if is_whole:
        return set(jobs_of_scope(db, scope_id))
    return {*jobs, *jobs_of_episodes(db, episodes)}


def reach_imports(
    db: Connection,
    scope_id: int,
    jobs: set[int],
    facts: Sequence[int],
    candidates: Sequence[int],
    texts: Callable[[], list[str]],
    names: Callable[[], list[str]],
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """List the jobs that go, and the items that became or quote what goes.

    ``texts`` and ``names`` give what goes in words, and are asked only where jobs hold any.
    """
    found = set(jobs)
    items = set(items_of(db, facts, candidates))
    documents = documents_of_scope(db, scope_id)
    words = words_of_scope(db, scope_id)
    if documents or words:
        sought = (texts(), names())
        found |= set(quoting(documents, *sought))
        items |= set(quoting(words, *sought))
    items |= set(items_of_jobs(db, sorted(found)))
    return tuple(sorted(found)), tuple(sorted(items))


SELECT_TEXTS = """
SELECT coalesce(text, '') FROM import_jobs WHERE job_id IN (SELECT value FROM carray(:j))
UNION ALL
SELECT coalesce(label, '') || char(10) || coalesce(content, '') || char(10) || coalesce(merged, '')
FROM import_items WHERE item_id IN (SELECT value FROM carray(:i))
"""


def texts_of(db: Connection, jobs: Sequence[int], items: Sequence[int]) -> list[str]:
    """Read what some jobs and items hold, to be looked for once it is gone."""
    rows = db.execute(SELECT_TEXTS, {"j": number_list(jobs), "i": number_list(items)})
    return [row[0] for row in rows if row[0].strip()]


BLANK_JOBS = """
UPDATE import_jobs SET visibility = 'forgotten', text = NULL, source = '', settings = '{}',
  parse_error = NULL, last_error = NULL, state = iif(state = 'committed', state, 'failed')
WHERE job_id IN (SELECT value FROM carray(?))
"""
BLANK_ITEMS = """
UPDATE import_items SET visibility = 'forgotten', label = NULL, content = NULL, fingerprint = NULL,
  offered = NULL, targets = NULL, merged = NULL, reason = NULL
WHERE item_id IN (SELECT value FROM carray(?))
"""


def blank_imports(db: Connection, jobs: Sequence[int], items: Sequence[int]) -> None:
    """Clear what jobs and items hold; that there were such stays, with what became of them."""
    if jobs:
        db.execute(BLANK_JOBS, (number_list(jobs),))
    if items:
        db.execute(BLANK_ITEMS, (number_list(items),))


UNTIE = (
    "UPDATE import_items SET fact_id = NULL WHERE fact_id IN (SELECT value FROM carray(?))",
    "UPDATE import_items SET candidate_id = NULL "
    "WHERE candidate_id IN (SELECT value FROM carray(?))",
)


def untie_facts(db: Connection, facts: Sequence[int]) -> None:
    """Let no item name a fact that goes."""
    db.execute(UNTIE[0], (number_list(facts),))


def untie_candidates(db: Connection, candidates: Sequence[int]) -> None:
    """Let no item name a candidate that goes."""
    db.execute(UNTIE[1], (number_list(candidates),))


SELECT_FORGOTTEN_JOBS = "SELECT uid FROM import_jobs WHERE visibility = 'forgotten'"
SELECT_FORGOTTEN_ITEMS = """
SELECT j.uid, i.number FROM import_items i JOIN import_jobs j ON j.job_id = i.job_id
WHERE i.visibility = 'forgotten'
"""
SELECT_STANDING_JOBS = "SELECT job_id, uid FROM import_jobs WHERE visibility <> 'forgotten'"
SELECT_STANDING_ITEMS = """
SELECT i.item_id, j.uid, i.number FROM import_items i JOIN import_jobs j ON j.job_id = i.job_id
WHERE i.visibility <> 'forgotten' AND (i.content IS NOT NULL OR i.label IS NOT NULL)
"""


def forgotten_since(db: Connection, today: Connection) -> tuple[list[int], list[int]]:
    """List the jobs and items of a copy that today's store has cleared."""
    gone: Any = today.execute(SELECT_FORGOTTEN_JOBS).fetchall()
    uids = {bytes(row[0]) for row in gone}
    gone = today.execute(SELECT_FORGOTTEN_ITEMS).fetchall()
    places = {(bytes(uid), number) for uid, number in gone}
    rows: Any = db.execute(SELECT_STANDING_JOBS)
    jobs = [number for number, uid in rows if bytes(uid) in uids]
    rows = db.execute(SELECT_STANDING_ITEMS)
    items = [item for item, uid, number in rows if (bytes(uid), number) in places]
    return jobs, items
