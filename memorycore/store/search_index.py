"""The word index: everything that changes it goes through here, in the transaction of the change.

The index stores no text. Taking a row out needs the very words that were put in, so each function
reads or computes them before anything else changes. A wrong old value would corrupt the index.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from memorycore.model.word import CONTEXT_LENGTH, index_text
from memorycore.store.connection import Connection, number_list

WINDOW = 2
"""How many turns before and after count as a turn's context."""
_BATCH = 500

Document = tuple[int, str, str]
"""An index row: the episode's number, its own words, its neighbours' words."""


@dataclass(slots=True)
class Turn:
    """An episode as the index sees it. Turns without a session have no neighbours."""

    episode_id: int
    scope_id: int
    session_id: int | None
    text: str


SELECT_TAIL = """
SELECT e.episode_id, e.scope_id, e.session_id, t.text
FROM episodes e JOIN shown_texts t ON t.episode_id = e.episode_id
WHERE e.session_id = :session_id AND e.visibility = 'visible' AND e.withdrawn IS NULL
  AND e.episode_id < :before
ORDER BY e.episode_id DESC LIMIT :limit
"""


def read_tail(db: Connection, session_id: int, before: int) -> list[Turn]:
    """Read the last turns of a session whose index rows a new turn can touch, oldest first."""
    values = {"session_id": session_id, "before": before, "limit": 2 * WINDOW}
    return [Turn(*row) for row in db.execute(SELECT_TAIL, values)][::-1]


def add_turns(db: Connection, turns: Sequence[Turn]) -> None:
    """Index new turns, and index again the turns before them whose context has grown.

    The turns are those of one transaction, in the order of their numbers.
    """
    old: list[Document] = []
    new: list[Document] = []
    by_session: dict[int, list[Turn]] = {}
    for turn in turns:
        if turn.session_id is None:
            new.append((turn.episode_id, index_text(turn.scope_id, turn.text), ""))
        else:
            by_session.setdefault(turn.session_id, []).append(turn)
    for session_id, added in by_session.items():
        tail = read_tail(db, session_id, added[0].episode_id)
        touched = min(WINDOW, len(tail))
        old += documents(tail)[len(tail) - touched :]
        new += documents(tail + added)[len(tail) - touched :]
    delete_documents(db, old)
    insert_documents(db, new)
    _count(db, ((turn.scope_id, 1) for turn in turns))


def documents(turns: Sequence[Turn]) -> list[Document]:
    """Compute the index rows of consecutive turns of one session."""
    words = [index_text(turn.scope_id, turn.text) for turn in turns]
    near = [
        own if len(turn.text) <= CONTEXT_LENGTH else ""
        for own, turn in zip(words, turns, strict=True)
    ]
    rows = []
    for at, turn in enumerate(turns):
        first = at - WINDOW if at > WINDOW else 0
        around = near[first:at] + near[at + 1 : at + 1 + WINDOW]
        context = " ".join(filter(None, around)) if near[at] else ""
        rows.append((turn.episode_id, words[at], context))
    return rows


SELECT_NEIGHBOURS = """
SELECT value AS episode_id FROM carray(:ids)
UNION
SELECT n.episode_id FROM carray(:ids) c JOIN episodes e ON e.episode_id = c.value
JOIN episodes n ON n.episode_id IN (
  SELECT * FROM (
    SELECT b.episode_id FROM episodes b WHERE b.session_id = e.session_id
      AND b.episode_id < e.episode_id AND b.visibility = 'visible' AND b.withdrawn IS NULL
    ORDER BY b.episode_id DESC LIMIT :window)
  UNION ALL
  SELECT * FROM (
    SELECT a.episode_id FROM episodes a WHERE a.session_id = e.session_id
      AND a.episode_id > e.episode_id AND a.visibility = 'visible' AND a.withdrawn IS NULL
    ORDER BY a.episode_id LIMIT :window))
"""
SELECT_DOCUMENTS = """
SELECT episode_id, body, ctx FROM episode_documents
WHERE episode_id IN (SELECT value FROM carray(?))
"""
COUNT_BY_SCOPE = """
SELECT scope_id, count(*) FROM episodes
WHERE episode_id IN (SELECT value FROM carray(?)) AND visibility = 'visible' AND withdrawn IS NULL
GROUP BY scope_id
"""


def change_visible(db: Connection, episode_ids: Sequence[int], change: Callable[[], None]) -> None:
    """Carry out a change that shows or hides episodes, and keep the index true to it.

    Their neighbours are indexed again, since a turn's words also stand in the context of those
    around it.
    """
    # The nearest seen turns of each: whoever has one of these in its window is among them,
    # before the change and after it.
    touched = sorted(
        row[0]
        for part in _parts(episode_ids)
        for row in db.execute(SELECT_NEIGHBOURS, {"ids": number_list(part), "window": WINDOW})
    )
    touched = list(dict.fromkeys(touched))
    old = [row for part in _parts(touched) for row in read_documents(db, part)]
    before = _seen_by_scope(db, episode_ids)
    change()
    # Only now, since between index rows and others SQLite would write the index out each time.
    delete_documents(db, old)
    for part in _parts(touched):
        insert_documents(db, read_documents(db, part))
    _count(db, [(scope_id, -count) for scope_id, count in before])
    _count(db, _seen_by_scope(db, episode_ids))


def _seen_by_scope(db: Connection, episode_ids: Sequence[int]) -> list[tuple[int, int]]:
    """Count those of some episodes that may be seen, by scope."""
    rows: list[Any] = []
    for part in _parts(episode_ids):
        rows += db.execute(COUNT_BY_SCOPE, (number_list(part),)).fetchall()
    return rows


def _parts(episode_ids: Sequence[int]) -> Iterable[Sequence[int]]:
    return (episode_ids[at : at + _BATCH] for at in range(0, len(episode_ids), _BATCH))


def read_documents(db: Connection, episode_ids: Sequence[int]) -> list[Document]:
    """Read what the index holds for these episodes (nothing for those that may not be seen)."""
    rows = db.execute(SELECT_DOCUMENTS, (number_list(episode_ids),))
    return [(number, body, context) for number, body, context in rows]


INSERT_DOCUMENT = "INSERT INTO episode_index(rowid, body, ctx) VALUES(?, ?, ?)"


def insert_documents(db: Connection, rows: Sequence[Document]) -> None:
    """Put rows into the index."""
    if rows:
        db.executemany(INSERT_DOCUMENT, rows)


DELETE_DOCUMENT = """
INSERT INTO episode_index(episode_index, rowid, body, ctx) VALUES('delete', ?, ?, ?)
"""


def delete_documents(db: Connection, rows: Sequence[Document]) -> None:
    """Take rows out of the index; the words given must be those that were put in."""
    if rows:
        db.executemany(DELETE_DOCUMENT, rows)


ADD_TO_COUNT = """
UPDATE scopes SET indexed_episodes = indexed_episodes + :change WHERE scope_id = :scope_id
"""


def _count(db: Connection, changes: Iterable[tuple[int, int]]) -> None:
    totals: dict[int, int] = {}
    for scope_id, change in changes:
        totals[scope_id] = totals.get(scope_id, 0) + change
    for scope_id, change in totals.items():
        db.execute(ADD_TO_COUNT, {"scope_id": scope_id, "change": change})


MERGE = "INSERT INTO episode_index(episode_index, rank) VALUES('merge', :pages)"
MERGE_PAGES = 500


def merge_segments(db: Connection) -> bool:
    """Do a bounded piece of the index's housekeeping; tell whether there may be more."""
    before = db.raw.total_changes()
    db.execute(MERGE, {"pages": MERGE_PAGES})
    return db.raw.total_changes() - before >= 2
