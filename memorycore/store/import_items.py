"""The items of import jobs: what was read, what was decided, what became of it."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import apsw

from memorycore.model.import_item import Choice
from memorycore.store.connection import Connection, number_list


class ItemRow(NamedTuple):
    """An item that is to be added, in the order of the columns."""

    job_id: int
    number: int
    label: str | None
    content: str | None
    fingerprint: bytes | None
    outcome: str | None


INSERT = f"""
INSERT INTO import_items({", ".join(ItemRow._fields)})
VALUES({", ".join("?" * len(ItemRow._fields))})
"""


def insert_items(db: Connection, rows: Sequence[ItemRow]) -> None:
    """Add items."""
    db.executemany(INSERT, rows)


@dataclass(slots=True)
class StoredItem:
    """An item as it is stored; ``offered`` and ``choice`` are there once it was decided."""

    item_id: int
    job_id: int
    number: int
    label: str | None
    content: str | None
    fingerprint: bytes | None
    offered: tuple[str, ...] | None
    choice: Choice | None
    chosen: str | None
    outcome: str | None
    candidate_id: int | None
    fact_id: int | None
    is_seen: bool = True


ITEMS = """
SELECT item_id, job_id, number, label, content, fingerprint, offered, chosen, outcome, candidate_id,
  fact_id, action, targets, merged, reason, confidence, waits, visibility
FROM import_items WHERE job_id = :job_id AND """
SELECT_PAGE = ITEMS + "number >= :first ORDER BY number LIMIT :limit"
SELECT_WAITING = ITEMS + "waits = 1 AND number >= :first ORDER BY number LIMIT :limit"
SELECT_ACTION = (
    ITEMS + "coalesce(chosen, action) = :action AND number >= :first ORDER BY number LIMIT :limit"
)


def list_items(
    db: Connection,
    job_id: int,
    *,
    first: int,
    limit: int,
    waiting: bool = False,
    action: str | None = None,
) -> list[StoredItem]:
    """Read a page of a job's items by number: all, those that wait, or those of an action."""
    sql = SELECT_WAITING if waiting else SELECT_PAGE if action is None else SELECT_ACTION
    values: dict[str, Any] = {"job_id": job_id, "first": first, "limit": limit}
    if action is not None and not waiting:
        values["action"] = action
    found = [_item(row) for row in db.execute(sql, values)]
    if waiting and action is not None:
        found = [one for one in found if one.choice and one.choice.action == action]
    return found


def _item(row: Any) -> StoredItem:
    item_id, job_id, number, label, content, fingerprint, offered = row[:7]
    chosen, outcome, candidate_id, fact_id, action, targets, merged = row[7:14]
    reason, confidence, waits, visibility = row[14:]
    choice = None
    if action is not None:
        named = tuple(json.loads(targets)) if targets else ()
        choice = Choice(action, named, merged, reason, confidence, bool(waits))
    known = None if offered is None else tuple(json.loads(offered))
    return StoredItem(
        item_id, job_id, number, label, content, fingerprint, known, choice, chosen, outcome,
        candidate_id, fact_id, visibility == "visible",
    )  # fmt: skip


SET_CHOICE = """
UPDATE import_items SET offered = ?, action = ?, targets = ?, merged = ?, reason = ?,
  confidence = ?, waits = ?, chosen = NULL
WHERE item_id = ?
"""


def set_choices(db: Connection, choices: Iterable[tuple[int, Sequence[str], Choice]]) -> None:
    """Keep what was decided of items: number, the facts that were offered, the decision."""
    rows = [
        (
            json.dumps(list(offered)) if offered else None,
            choice.action,
            json.dumps(list(choice.targets)) if choice.targets else None,
            choice.merged,
            choice.reason,
            choice.confidence,
            choice.waits,
            item_id,
        )
        for item_id, offered, choice in choices
    ]
    db.executemany(SET_CHOICE, rows)


SET_CHOSEN = """
UPDATE import_items SET chosen = ?, targets = ? WHERE item_id = ? AND waits = 1
"""


def set_chosen(db: Connection, item_id: int, chosen: str | None, targets: Sequence[str]) -> None:
    """Keep what a person has chosen for an item that waits, and the facts that it meets."""
    db.execute(SET_CHOSEN, (chosen, json.dumps(list(targets)) if targets else None, item_id))


ACCEPT_REST = """
UPDATE import_items SET chosen = action WHERE job_id = :job_id AND waits = 1 AND chosen IS NULL
"""


def accept_rest(db: Connection, job_id: int) -> None:
    """Let all that still waits become what was proposed."""
    db.execute(ACCEPT_REST, {"job_id": job_id})


class Outcome(NamedTuple):
    """What became of an item; ``keeps`` says whether its content stays, as nothing else has it."""

    outcome: str
    candidate_id: int | None
    fact_id: int | None
    keeps: bool
    item_id: int


SET_OUTCOME = """
UPDATE import_items SET outcome = ?1, candidate_id = ?2, fact_id = ?3,
  content = iif(?4, content, NULL), label = iif(?4, label, NULL), merged = NULL
WHERE item_id = ?5
"""


def set_outcomes(db: Connection, outcomes: Iterable[Outcome]) -> None:
    """Keep what became of items."""
    db.executemany(SET_OUTCOME, outcomes)


SELECT_KNOWN = """
SELECT i.fingerprint, f.uid FROM import_items i
JOIN import_jobs j ON j.job_id = i.job_id
JOIN facts f ON f.fact_id = i.fact_id
WHERE i.fingerprint IN (SELECT value FROM carray(:prints)) AND i.outcome <> 'IGNORE'
  AND f.visibility = 'visible' AND f.support > 0 AND f.lifecycle IN ('active', 'consolidated')
"""
SELECT_EARLIER = """
SELECT i.fingerprint FROM import_items i
WHERE i.fingerprint IN (SELECT value FROM carray(:prints)) AND +i.job_id = :job_id
  AND +i.number < :number
"""


def known_facts(db: Connection, prints: Sequence[bytes]) -> dict[bytes, bytes]:
    """Tell which items have come before and stand as facts: the id of the fact by fingerprint."""
    if not prints:
        return {}
    rows: Any = db.execute(SELECT_KNOWN, {"prints": apsw.carray(tuple(prints))})
    return {bytes(fingerprint): bytes(uid) for fingerprint, uid in rows}


def earlier_in_job(db: Connection, job_id: int, number: int, prints: Sequence[bytes]) -> set[bytes]:
    """Tell which fingerprints items of a job before one have."""
    if not prints:
        return set()
    values = {"prints": apsw.carray(tuple(prints)), "job_id": job_id, "number": number}
    return {bytes(row[0]) for row in db.execute(SELECT_EARLIER, values)}


COUNT_ACTIONS = """
SELECT coalesce(chosen, action), count(*) FROM import_items
WHERE job_id = :job_id AND action IS NOT NULL GROUP BY 1
"""
COUNT_UNCONFIRMED = """
SELECT count(*) FROM import_items WHERE job_id = :job_id AND waits = 1 AND chosen IS NULL
"""
COUNT_OUTCOMES = """
SELECT outcome, count(*) FROM import_items
WHERE job_id = :job_id AND outcome IS NOT NULL GROUP BY 1
"""


def count_actions(db: Connection, job_id: int) -> Counter[str]:
    """Count the actions of a job's items: those that a person chose before the decider's."""
    rows: Any = db.execute(COUNT_ACTIONS, {"job_id": job_id})
    return Counter(dict(rows))


def count_unconfirmed(db: Connection, job_id: int) -> int:
    """Count the items of which a person has still to say what becomes of them."""
    return int(db.execute(COUNT_UNCONFIRMED, {"job_id": job_id}).get)


def count_outcomes(db: Connection, job_id: int) -> Counter[str]:
    """Count what became of a job's items."""
    rows: Any = db.execute(COUNT_OUTCOMES, {"job_id": job_id})
    return Counter(dict(rows))


SELECT_REFUSED = """
SELECT number, outcome FROM import_items
WHERE job_id = :job_id AND outcome LIKE 'refused %' ORDER BY number LIMIT :limit
"""


def list_refused(db: Connection, job_id: int, *, limit: int) -> list[tuple[int, str]]:
    """List the items of a job that were refused: number (from 1) and reason code."""
    rows: Any = db.execute(SELECT_REFUSED, {"job_id": job_id, "limit": limit})
    return [(number + 1, outcome.removeprefix("refused ")) for number, outcome in rows]


SELECT_FACT_UIDS = "SELECT fact_id, uid FROM facts WHERE fact_id IN (SELECT value FROM carray(?))"
SELECT_CANDIDATE_UIDS = """
SELECT candidate_id, uid FROM candidates WHERE candidate_id IN (SELECT value FROM carray(?))
"""


def uids_of(
    db: Connection, facts: Sequence[int], candidates: Sequence[int]
) -> tuple[dict[int, bytes], dict[int, bytes]]:
    """Give the ids of facts and of candidates, by number."""
    of_facts: Any = db.execute(SELECT_FACT_UIDS, (number_list(facts),))
    found = {number: bytes(uid) for number, uid in of_facts}
    of_candidates: Any = db.execute(SELECT_CANDIDATE_UIDS, (number_list(candidates),))
    return found, {number: bytes(uid) for number, uid in of_candidates}
