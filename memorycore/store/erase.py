"""Erasing: what takes content out of the store's tables, row by row, inside one transaction.

The word indexes are kept true by the callers; everything else that holds a record's content is
named here. ``OWNERS`` says of each table what its texts belong to, and so what takes them away.
"""

from collections.abc import Sequence
from typing import Any

from memorycore.store.connection import Connection, number_list

OWNERS = {
    "aliases": "entity",
    "candidates": "candidate",
    "changes": "each record that it speaks of",
    "decisions": "candidate",
    "entities": "entity",
    "episode_index": "episode",
    "episode_texts": "episode",
    "episodes": "episode",
    "evidence": "fact",
    "fact_index": "fact",
    "fact_periods": "fact",
    "facts": "fact",
    "import_items": "whatever it became, and whatever it quotes",
    "import_jobs": "the document it came from, and whatever that quotes",
    "quarantined": "scope, and whatever it quotes",
    "review_items": "candidate",
    "review_queue": "scope, and whatever it quotes",
    "review_records": "its fact, else scope and whatever it quotes",
    "sessions": "session",
    "sources": "the episodes that came from it",
}
"""Whose content a table holds. A table with texts that stands in no list fails a test."""
CONTENT_FREE = frozenset(
    (
        "backups",
        "candidate_evidence",
        "decided_links",
        "erasures",
        "forget_plans",
        "harvests",
        "hidden_names",
        "links",
        "operation_kinds",
        "operation_rows",
        "operations",
        "predicate_versions",
        "predicates",
        "receipt_entries",
        "receipts",
        "review_applied",
        "review_observations",
        "review_removals",
        "review_uses",
        "schema_migrations",
        "scopes",
        "stores",
        "struck_spans",
        "suppression_keys",
        "suppressions",
        "upkeep",
    )
)
"""Tables of numbers, codes, and names that are not told in conversation."""

SELECT_TEXTS = """
SELECT t.episode_id, t.text, coalesce(t.meta, '') FROM episode_texts t
WHERE t.episode_id IN (SELECT value FROM carray(?))
"""


def read_texts(db: Connection, episodes: Sequence[int]) -> list[tuple[int, str, str]]:
    """Read texts and metadata of episodes as they were said, struck or not."""
    rows: Any = db.execute(SELECT_TEXTS, (number_list(episodes),)).fetchall()
    return list(rows)


SELECT_SEEN = """
SELECT episode_id FROM episodes
WHERE episode_id IN (SELECT value FROM carray(?)) AND visibility = 'visible' AND withdrawn IS NULL
"""


def seen_among(db: Connection, episodes: Sequence[int]) -> list[int]:
    """List those of some episodes that may be seen now."""
    return [row[0] for row in db.execute(SELECT_SEEN, (number_list(episodes),))]


DELETE_TEXT = "DELETE FROM episode_texts WHERE episode_id IN (SELECT value FROM carray(?))"
BLANK_EPISODE = """
UPDATE episodes SET visibility = :visibility, fingerprint = NULL, withdrawn_fingerprint = NULL,
  external_id = NULL, source_id = NULL, speaker_id = NULL
WHERE episode_id IN (SELECT value FROM carray(:episodes))
"""
DELETE_STRUCK = "DELETE FROM struck_spans WHERE episode_id IN (SELECT value FROM carray(?))"


def erase_episodes(db: Connection, episodes: Sequence[int], *, visibility: str) -> None:
    """Take the words of episodes away; the anchors stay, with when they were."""
    numbers = number_list(episodes)
    db.execute(DELETE_TEXT, (numbers,))
    db.execute(DELETE_STRUCK, (number_list(episodes),))
    values = {"visibility": visibility, "episodes": number_list(episodes)}
    db.execute(BLANK_EPISODE, values)


SELECT_FACTS_IN = """
SELECT DISTINCT fact_id FROM evidence WHERE episode_id IN (SELECT value FROM carray(?))
"""


def facts_in(db: Connection, episodes: Sequence[int]) -> list[int]:
    """List the facts that have evidence in some episodes, standing or not."""
    return [row[0] for row in db.execute(SELECT_FACTS_IN, (number_list(episodes),))]


SELECT_FACTS_OVER = """
SELECT fact_id FROM evidence
WHERE episode_id = ? AND span_from < ? AND span_to > ? AND recorded_to = 9223372036854775807
"""


def facts_over(db: Connection, spans: Sequence[tuple[int, int, int]]) -> list[int]:
    """List the facts that rest on any part of some spans."""
    found: dict[int, None] = {}
    for episode, start, end in spans:
        rows = db.execute(SELECT_FACTS_OVER, (episode, end, start))
        found.update((row[0], None) for row in rows)
    return list(found)


SELECT_NOBODY = """
SELECT entity_id FROM entities WHERE scope_id = :scope AND name_key = '' AND kind = 'nobody'
"""
INSERT_NOBODY = """
INSERT INTO entities(uid, scope_id, kind, name, name_key, visibility, recorded)
VALUES(:uid, :scope, 'nobody', '', '', 'forgotten', :recorded) RETURNING entity_id
"""


def nobody(db: Connection, scope_id: int, *, uid: bytes, recorded: int) -> int:
    """Give the entity without a name that stands where a forgotten fact's subject stood."""
    found: Any = db.execute(SELECT_NOBODY, {"scope": scope_id}).get
    if found is None:
        values = {"uid": uid, "scope": scope_id, "recorded": recorded}
        found = db.execute(INSERT_NOBODY, values).get
    return int(found)


BLANK_FACT = """
UPDATE facts SET visibility = 'forgotten', subject_id = :nobody, object_id = NULL,
  object_value = '', object_key = hex(uid), rank = NULL, valence = NULL, arousal = NULL,
  attributed_to = NULL, event_type = NULL, event_status = NULL, is_pinned = 0, claim_key = NULL
WHERE fact_id IN (SELECT value FROM carray(:facts))
"""
BLANK_PERIODS = """
UPDATE fact_periods SET subject_id = :nobody WHERE fact_id IN (SELECT value FROM carray(:facts))
"""
DELETE_ABOUT = """
DELETE FROM links WHERE to_entity_id IS NOT NULL AND link_id IN (
  SELECT link_id FROM links_ever WHERE from_fact_id IN (SELECT value FROM carray(:facts)))
"""


def blank_facts(db: Connection, facts: Sequence[int], nobody_id: int) -> None:
    """Clear what facts say; anchor, times and statuses stay."""
    numbers = {"facts": number_list(facts)}
    db.execute(BLANK_FACT, numbers | {"nobody": nobody_id})
    db.execute(BLANK_PERIODS, {"facts": number_list(facts), "nobody": nobody_id})
    db.execute(DELETE_ABOUT, {"facts": number_list(facts)})


BLANK_CANDIDATE = """
UPDATE candidates SET statement = NULL, identity = NULL, fingerprint = NULL, place = '',
  state = 'decided'
WHERE candidate_id IN (SELECT value FROM carray(?))
"""
DELETE_REVIEWS = "DELETE FROM review_items WHERE candidate_id IN (SELECT value FROM carray(?))"


def blank_candidates(db: Connection, candidates: Sequence[int]) -> None:
    """Clear what candidates say; what was decided of them stays."""
    db.execute(DELETE_REVIEWS, (number_list(candidates),))
    db.execute(BLANK_CANDIDATE, (number_list(candidates),))


DELETE_DECISIONS = """
DELETE FROM decisions WHERE decision_id IN (
  SELECT decision_id FROM decisions_ever WHERE candidate_id IN (SELECT value FROM carray(?)))
"""
DELETE_CANDIDATE_SPANS = """
DELETE FROM candidate_evidence WHERE candidate_id IN (SELECT value FROM carray(?))
"""
DELETE_CANDIDATES = """
DELETE FROM candidates WHERE candidate_id IN (SELECT value FROM carray(?))
  AND NOT EXISTS(SELECT 1 FROM evidence v WHERE v.candidate_id = candidates.candidate_id)
"""


def delete_candidates(db: Connection, candidates: Sequence[int]) -> None:
    """Take candidates away; one that has brought evidence to a fact that stays is only cleared."""
    blank_candidates(db, candidates)
    for sql in (DELETE_DECISIONS, DELETE_CANDIDATE_SPANS, DELETE_CANDIDATES):
        db.execute(sql, (number_list(candidates),))


SELECT_EVIDENCE = """
SELECT evidence_id FROM evidence_ever WHERE fact_id IN (SELECT value FROM carray(:f))
UNION SELECT evidence_id FROM evidence WHERE episode_id IN (SELECT value FROM carray(:e))
"""
REPOINT_FIRST = """
UPDATE facts SET first_evidence_id = (
  SELECT v.evidence_id FROM evidence v WHERE v.evidence_id IN (
      SELECT w.evidence_id FROM evidence_ever w WHERE w.fact_id = facts.fact_id)
    AND v.evidence_id NOT IN (SELECT value FROM carray(:gone))
  ORDER BY v.evidence_id LIMIT 1)
WHERE first_evidence_id IN (SELECT value FROM carray(:gone))
  AND fact_id NOT IN (SELECT value FROM carray(:f))
"""
DELETE_BY_NUMBER = "DELETE FROM evidence WHERE evidence_id IN (SELECT value FROM carray(?))"


def delete_evidence(db: Connection, episodes: Sequence[int], facts: Sequence[int]) -> list[int]:
    """Take away the evidence of some facts and in some episodes; give the numbers that went."""
    values = {"f": number_list(facts), "e": number_list(episodes)}
    gone = [row[0] for row in db.execute(SELECT_EVIDENCE, values)]
    db.execute(REPOINT_FIRST, {"gone": number_list(gone), "f": number_list(facts)})
    db.execute(DELETE_BY_NUMBER, (number_list(gone),))
    return gone


SELECT_HEIRS = """
SELECT r.timeline_id, min(r.fact_id) FROM facts r
WHERE r.timeline_id IN (SELECT value FROM carray(:f))
  AND r.fact_id NOT IN (SELECT value FROM carray(:f))
GROUP BY r.timeline_id
"""
MOVE_TIMELINE = (
    "UPDATE facts SET timeline_id = :heir WHERE timeline_id = :old",
    "UPDATE fact_periods SET timeline_id = :heir WHERE timeline_id = :old",
    "UPDATE evidence SET timeline_id = :heir WHERE timeline_id = :old",
)
FACT_ROWS = (
    "UPDATE decisions SET fact_id = NULL WHERE fact_id IN (SELECT value FROM carray(?))",
    "UPDATE decisions SET target_id = NULL WHERE target_id IN (SELECT value FROM carray(?))",
    "UPDATE review_items SET fact_id = NULL WHERE fact_id IN (SELECT value FROM carray(?))",
    "UPDATE review_items SET target_id = NULL WHERE target_id IN (SELECT value FROM carray(?))",
    "DELETE FROM links WHERE link_id IN ("
    "SELECT link_id FROM links_ever WHERE from_fact_id IN (SELECT value FROM carray(?)))",
    "DELETE FROM links WHERE to_fact_id IN (SELECT value FROM carray(?))",
    "DELETE FROM fact_periods WHERE fact_id IN (SELECT value FROM carray(?))",
    "DELETE FROM facts WHERE fact_id IN (SELECT value FROM carray(?))",
)


def delete_facts(db: Connection, facts: Sequence[int]) -> None:
    """Take facts away with all that hangs on them; a timeline they began goes on under another."""
    heirs: Any = db.execute(SELECT_HEIRS, {"f": number_list(facts)}).fetchall()
    for old, heir in heirs:
        for sql in MOVE_TIMELINE:
            db.execute(sql, {"heir": heir, "old": old})
    for sql in FACT_ROWS:
        db.execute(sql, (number_list(facts),))


DELETE_ALIASES = "DELETE FROM aliases WHERE alias_id IN (SELECT value FROM carray(?))"
UNMERGE = """
UPDATE entities SET merged_into = NULL
WHERE entity_id IN (SELECT value FROM carray(:n)) OR merged_into IN (SELECT value FROM carray(:n))
"""
DELETE_ENTITIES = "DELETE FROM entities WHERE entity_id IN (SELECT value FROM carray(?))"


def delete_entities(db: Connection, entities: Sequence[int]) -> list[int]:
    """Take entities away with their names; give the numbers of the aliases that went."""
    rows = db.execute(SELECT_ALIASES, (number_list(entities),))
    aliases = [row[0] for row in rows]
    db.execute(DELETE_ALIASES, (number_list(aliases),))
    db.execute(UNMERGE, {"n": number_list(entities)})
    db.execute(DELETE_ENTITIES, (number_list(entities),))
    return aliases


SELECT_ALIASES = """
SELECT alias_id FROM aliases_ever WHERE entity_id IN (SELECT value FROM carray(?))
"""
BLANK_SESSIONS = """
UPDATE sessions SET name = 'forgotten ' || session_id
WHERE session_id IN (SELECT value FROM carray(?))
"""
SELECT_SOURCES = """
SELECT DISTINCT source_id FROM episodes
WHERE episode_id IN (SELECT value FROM carray(?)) AND source_id IS NOT NULL
"""
DELETE_SOURCES = """
DELETE FROM sources WHERE source_id IN (SELECT value FROM carray(?))
  AND NOT EXISTS(SELECT 1 FROM episodes e WHERE e.source_id = sources.source_id)
"""


def blank_sessions(db: Connection, sessions: Sequence[int]) -> None:
    """Take the names of sessions away."""
    db.execute(BLANK_SESSIONS, (number_list(sessions),))


def sources_of(db: Connection, episodes: Sequence[int]) -> list[int]:
    """List where some episodes came from."""
    return [row[0] for row in db.execute(SELECT_SOURCES, (number_list(episodes),))]


def delete_unused_sources(db: Connection, sources: Sequence[int]) -> None:
    """Take away those of some sources that no episode came from any more."""
    db.execute(DELETE_SOURCES, (number_list(sources),))


DELETE_CHANGES = """
DELETE FROM changes WHERE record = :record AND row_id IN (SELECT value FROM carray(:rows))
"""


def delete_changes(db: Connection, record: str, rows: Sequence[int]) -> None:
    """Take away what operations remember of how records were before."""
    if rows:
        db.execute(DELETE_CHANGES, {"record": record, "rows": number_list(rows)})


SELECT_QUARANTINED = """
SELECT quarantined_id, coalesce(text, '') || char(10) || reason FROM quarantined
WHERE scope_id = ? AND visibility <> 'forgotten'
"""
BLANK_QUARANTINED = """
UPDATE quarantined SET visibility = 'forgotten', text = NULL, fingerprint = NULL, place = '',
  reason = ''
WHERE quarantined_id IN (SELECT value FROM carray(?))
"""


def read_quarantined(db: Connection, scope_id: int) -> list[tuple[int, str]]:
    """Read the lines of a scope that were no candidates, with what was found wrong."""
    rows: Any = db.execute(SELECT_QUARANTINED, (scope_id,)).fetchall()
    return list(rows)


def blank_quarantined(db: Connection, lines: Sequence[int]) -> None:
    """Clear lines that were no candidates; that there was one stays, with its code."""
    db.execute(BLANK_QUARANTINED, (number_list(lines),))


HAS_TABLE = "SELECT EXISTS(SELECT 1 FROM sqlite_schema WHERE name = ?)"


def clear_statistics(db: Connection) -> None:
    """Empty SQLite's own statistics: they keep samples of indexed texts."""
    for table in ("sqlite_stat1", "sqlite_stat4"):
        if db.execute(HAS_TABLE, (table,)).get:
            db.execute(f"DELETE FROM {table}")
