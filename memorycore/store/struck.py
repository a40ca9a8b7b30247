"""Spans of texts that are struck out of what is shown of them."""

from collections.abc import Iterable, Sequence
from typing import Any

from memorycore.model.forgetting import mask
from memorycore.model.json_object import innermost, objects_in
from memorycore.store.connection import Connection, number_list

SELECT_CURRENT_STRIKES = """
SELECT span_from, span_to FROM struck_spans
WHERE episode_id = :episode AND recorded_to = 9223372036854775807
"""
SELECT_TEXT = "SELECT text, shown FROM episode_texts WHERE episode_id = :episode"
SET_SHOWN = "UPDATE episode_texts SET shown = :shown WHERE episode_id = :episode"


def refresh_shown(db: Connection, episodes: Iterable[int]) -> None:
    """Bring what is shown of texts to what is struck in them now."""
    for episode in episodes:
        row: Any = db.execute(SELECT_TEXT, {"episode": episode}).fetchone()
        if row is not None:
            db.execute(SET_SHOWN, {"episode": episode, "shown": _shown(db, episode, row[0])})


def is_shown_stale(db: Connection, episode: int) -> bool:
    """Tell whether something else is shown of a text than what is struck in it leaves."""
    row: Any = db.execute(SELECT_TEXT, {"episode": episode}).fetchone()
    return row is not None and row[1] != _shown(db, episode, row[0])


def _shown(db: Connection, episode: int, text: str) -> str | None:
    spans: Any = db.execute(SELECT_CURRENT_STRIKES, {"episode": episode}).fetchall()
    return mask(text, list(spans)) if spans else None


SELECT_SPANS = """
SELECT DISTINCT v.episode_id, v.span_from, v.span_to FROM evidence_ever v
JOIN episode_texts t ON t.episode_id = v.episode_id
WHERE v.fact_id IN (SELECT value FROM carray(?))
"""
INSERT_STRUCK = """
INSERT INTO struck_spans(episode_id, span_from, span_to, recorded_from) VALUES(?, ?, ?, ?)
"""


def spans_of(db: Connection, facts: Sequence[int]) -> list[tuple[int, int, int]]:
    """List the spans of text that facts rest on, or have rested on."""
    rows: Any = db.execute(SELECT_SPANS, (number_list(facts),)).fetchall()
    return list(rows)


SELECT_DOCUMENTS = """
SELECT t.episode_id, t.text FROM episode_texts t
WHERE t.episode_id IN (SELECT value FROM carray(?))
  AND EXISTS(SELECT 1 FROM import_jobs j WHERE j.episode_id = t.episode_id)
"""


def records_around(
    db: Connection, spans: Sequence[tuple[int, int, int]]
) -> list[tuple[int, int, int]]:
    """Widen spans of imported documents to the records they stand in.

    A record says the same in its title, and in what it quotes.
    """
    episodes = sorted({episode for episode, _, _ in spans})
    rows: Any = db.execute(SELECT_DOCUMENTS, (number_list(episodes),)).fetchall()
    if not rows:
        return list(spans)
    objects = {episode: objects_in(text) for episode, text in rows}
    return [
        (episode, *innermost(objects[episode], start, end)) if episode in objects
        else (episode, start, end)
        for episode, start, end in spans
    ]  # fmt: skip


def strike_spans(db: Connection, spans: Sequence[tuple[int, int, int]], *, recorded: int) -> None:
    """Note spans as struck; what is shown is brought up to that by ``refresh_shown``."""
    db.executemany(INSERT_STRUCK, [(*span, recorded) for span in spans])


SELECT_STRUCK_PLACES = """
SELECT DISTINCT episode_id FROM struck_spans WHERE struck_id IN (SELECT value FROM carray(?))
"""


def episodes_struck(db: Connection, struck: Sequence[int]) -> list[int]:
    """List the episodes in which some strikes lie."""
    return [row[0] for row in db.execute(SELECT_STRUCK_PLACES, (number_list(struck),))]


SELECT_STRUCK = """
SELECT DISTINCT episode_id FROM struck_spans WHERE recorded_to = 9223372036854775807
UNION SELECT episode_id FROM episode_texts WHERE shown IS NOT NULL
"""


def list_struck(db: Connection) -> list[int]:
    """List the episodes of whose text something is struck, or was."""
    return [row[0] for row in db.execute(SELECT_STRUCK)]
