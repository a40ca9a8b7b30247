"""How far a forgetting reaches: what derives from what, by number."""

from collections.abc import Iterator, Sequence
from typing import Any

from memorycore.store.connection import Connection, number_list

LEFT = "visibility IN ('visible', 'hidden')"
"""What there still is to forget of a record."""


def _numbers(db: Connection, sql: str, bindings: object) -> list[int]:
    return [row[0] for row in db.execute(sql, bindings)]


SELECT_OF_SESSION = f"""
SELECT e.episode_id FROM episodes e
WHERE e.session_id = (SELECT n.session_id FROM sessions n
    WHERE n.scope_id = :scope_id AND n.name = :name)
  AND e.{LEFT}
"""


def episodes_of_session(db: Connection, scope_id: int, name: str) -> list[int]:
    """List the episodes of a session, hidden and withdrawn ones too."""
    return _numbers(db, SELECT_OF_SESSION, {"scope_id": scope_id, "name": name})


SELECT_OF_SPEAKERS = f"""
SELECT episode_id FROM episodes WHERE speaker_id IN (SELECT value FROM carray(?)) AND {LEFT}
"""


def episodes_of_speakers(db: Connection, entities: Sequence[int]) -> list[int]:
    """List what some persons have said."""
    return _numbers(db, SELECT_OF_SPEAKERS, (number_list(entities),))


SELECT_OF_SCOPE = f"SELECT episode_id FROM episodes WHERE scope_id = ? AND {LEFT}"


def episodes_of_scope(db: Connection, scope_id: int) -> list[int]:
    """List all episodes of a scope."""
    return _numbers(db, SELECT_OF_SCOPE, (scope_id,))


SELECT_BEFORE = f"""
SELECT episode_id FROM episodes WHERE scope_id = ? AND occurred_to <= ? AND {LEFT}
"""


def episodes_before(db: Connection, scope_id: int, instant: int) -> list[int]:
    """List the episodes of a scope that were over at an instant; undated ones never are."""
    return _numbers(db, SELECT_BEFORE, (scope_id, instant))


SELECT_RECORDED = f"SELECT episode_id FROM episodes WHERE uid > :uid AND recorded = :op AND {LEFT}"


def episodes_of_operation(db: Connection, uid: bytes, operation: int) -> list[int]:
    """List the episodes that an operation recorded; their ids are younger than its own."""
    return _numbers(db, SELECT_RECORDED, {"uid": uid, "op": operation})


SELECT_TWINS = f"""
SELECT w.episode_id FROM episodes w
WHERE w.withdrawn IS NOT NULL AND w.{LEFT} AND w.withdrawn_fingerprint IN (
  SELECT coalesce(e.fingerprint, e.withdrawn_fingerprint) FROM episodes e
  WHERE e.episode_id IN (SELECT value FROM carray(?)))
"""


def withdrawn_twins(db: Connection, episodes: Sequence[int]) -> list[int]:
    """List the episodes that were taken back and are the same messages as some others."""
    return _numbers(db, SELECT_TWINS, (number_list(episodes),))


SELECT_EVIDENCE_OF = f"""
SELECT DISTINCT v.episode_id FROM evidence_ever v JOIN episodes e ON e.episode_id = v.episode_id
WHERE v.fact_id IN (SELECT value FROM carray(?)) AND e.{LEFT}
"""


def episodes_of_facts(db: Connection, facts: Sequence[int]) -> list[int]:
    """List the episodes that facts rest on, or have rested on."""
    return _numbers(db, SELECT_EVIDENCE_OF, (number_list(facts),))


SELECT_ANCHORS = """
SELECT DISTINCT v.fact_id FROM evidence v WHERE v.episode_id IN (SELECT value FROM carray(?))
"""
SELECT_RESTING = f"""
SELECT DISTINCT v.fact_id FROM evidence v JOIN facts f ON f.fact_id = v.fact_id
WHERE v.episode_id IN (SELECT value FROM carray(?)) AND f.{LEFT}
"""
# What a fact rested on first may have moved, all of it, to another one whose subject was merged
# with its own: it says the same still, and comes back when the merging is undone.
MOVED_FROM = """
SELECT f.fact_id FROM {evidence} v
JOIN facts f ON f.first_evidence_id = v.evidence_id AND f.fact_id <> v.fact_id
WHERE v.{place} IN (SELECT value FROM carray(?))
  AND NOT EXISTS(SELECT 1 FROM evidence_ever o WHERE o.fact_id = f.fact_id)
"""
SELECT_MOVED_OUT = MOVED_FROM.format(evidence="evidence", place="episode_id")
SELECT_MOVED_INTO = MOVED_FROM.format(evidence="evidence_ever", place="fact_id")
SELECT_ELSEWHERE = """
SELECT DISTINCT v.fact_id FROM evidence_ever v JOIN episodes e ON e.episode_id = v.episode_id
WHERE v.fact_id IN (SELECT value FROM carray(?)) AND v.episode_id NOT IN (
  SELECT value FROM carray(?)) AND e.visibility IN ('visible', 'hidden')
"""
SELECT_SEEN_ELSEWHERE = """
SELECT DISTINCT v.fact_id FROM evidence v JOIN episodes e ON e.episode_id = v.episode_id
WHERE v.fact_id IN (SELECT value FROM carray(?)) AND v.episode_id NOT IN (
  SELECT value FROM carray(?)) AND e.visibility = 'visible' AND v.recorded_to = 9223372036854775807
"""


def facts_resting(
    db: Connection, episodes: Sequence[int], *, anchors: bool = False, only_seen: bool = False
) -> tuple[list[int], list[int]]:
    """List the facts that rest only on some episodes, and those that rest on others too.

    With ``anchors`` what is left of forgotten facts is among them; with ``only_seen`` only
    what may be seen, and still counts, is something else to rest on.
    """
    if not episodes:
        return [], []
    sql = SELECT_ANCHORS if anchors else SELECT_RESTING
    resting = set(_numbers(db, sql, (number_list(episodes),)))
    moved = SELECT_MOVED_OUT if anchors else f"{SELECT_MOVED_OUT} AND f.{LEFT}"
    resting |= set(_numbers(db, moved, (number_list(episodes),)))
    sql = SELECT_SEEN_ELSEWHERE if only_seen else SELECT_ELSEWHERE
    values = (number_list(sorted(resting)), number_list(episodes))
    elsewhere = set(_numbers(db, sql, values)) if resting else set()
    return sorted(resting - elsewhere), sorted(elsewhere)


SELECT_ABOUT = f"""
SELECT fact_id FROM facts WHERE subject_id IN (SELECT value FROM carray(:e)) AND {LEFT}
UNION SELECT fact_id FROM facts WHERE object_id IN (SELECT value FROM carray(:e)) AND {LEFT}
UNION SELECT fact_id FROM facts WHERE attributed_to IN (SELECT value FROM carray(:e)) AND {LEFT}
UNION SELECT l.from_fact_id FROM links l JOIN facts f ON f.fact_id = l.from_fact_id
  WHERE l.to_entity_id IN (SELECT value FROM carray(:e)) AND f.{LEFT}
"""


def facts_about(db: Connection, entities: Sequence[int]) -> list[int]:
    """List the facts that speak of some entities in any place, superseded ones too."""
    return _numbers(db, SELECT_ABOUT, {"e": number_list(entities)})


SELECT_ANCHORS_OF_SCOPE = "SELECT fact_id FROM facts WHERE scope_id = ?"
SELECT_FACTS_OF_SCOPE = f"SELECT fact_id FROM facts WHERE scope_id = ? AND {LEFT}"


def facts_of_scope(db: Connection, scope_id: int, *, anchors: bool = False) -> list[int]:
    """List all facts of a scope, with ``anchors`` what is left of forgotten ones too."""
    sql = SELECT_ANCHORS_OF_SCOPE if anchors else SELECT_FACTS_OF_SCOPE
    return _numbers(db, sql, (scope_id,))


SELECT_ADMITTED = f"""
SELECT f.fact_id FROM facts f WHERE f.recorded = :op AND f.{LEFT} AND f.scope_id = :scope_id
"""


def facts_of_operation(db: Connection, scope_id: int, operation: int) -> list[int]:
    """List the facts that an operation admitted first."""
    return _numbers(db, SELECT_ADMITTED, {"op": operation, "scope_id": scope_id})


SELECT_JOINED = f"""
SELECT l.from_fact_id FROM links l JOIN facts f ON f.fact_id = l.from_fact_id
WHERE l.to_fact_id IN (SELECT value FROM carray(?)) AND l.kind IN ('MERGED_FROM', 'DERIVED_FROM')
  AND f.{LEFT}
"""
SELECT_PARTS = f"""
SELECT l.to_fact_id FROM links_ever l JOIN facts f ON f.fact_id = l.to_fact_id
WHERE l.from_fact_id IN (SELECT value FROM carray(?)) AND l.kind = 'MERGED_FROM' AND f.{LEFT}
"""


def facts_made_from(db: Connection, facts: Sequence[int]) -> list[int]:
    """List the facts that were made out of some others: they hold those's words."""
    return _numbers(db, SELECT_JOINED, (number_list(facts),))


def facts_moved_into(db: Connection, facts: Sequence[int]) -> list[int]:
    """List the facts all of whose evidence has moved to some others that say the same."""
    return _numbers(db, f"{SELECT_MOVED_INTO} AND f.{LEFT}", (number_list(facts),))


def parts_of(db: Connection, facts: Sequence[int]) -> list[int]:
    """List the facts that some others were joined from."""
    return _numbers(db, SELECT_PARTS, (number_list(facts),))


SELECT_CANDIDATES = """
SELECT candidate_id FROM candidate_evidence WHERE episode_id IN (SELECT value FROM carray(:e))
UNION SELECT candidate_id FROM decisions WHERE fact_id IN (SELECT value FROM carray(:f))
UNION SELECT candidate_id FROM evidence_ever WHERE fact_id IN (SELECT value FROM carray(:f))
  AND candidate_id IS NOT NULL
"""


def candidates_of(db: Connection, episodes: Sequence[int], facts: Sequence[int]) -> list[int]:
    """List the candidates that rest on some episodes, or became some facts."""
    return _numbers(db, SELECT_CANDIDATES, {"e": number_list(episodes), "f": number_list(facts)})


SELECT_EDITED = """
SELECT DISTINCT o.candidate_id FROM candidates c
JOIN candidate_evidence v ON v.candidate_id = c.candidate_id
JOIN candidate_evidence o ON o.episode_id = v.episode_id AND o.candidate_id <> c.candidate_id
JOIN decisions d ON d.decision_id IN (
  SELECT w.decision_id FROM decisions_ever w WHERE w.candidate_id = o.candidate_id)
WHERE c.candidate_id IN (SELECT value FROM carray(?))
  AND d.reason = 'edited' AND d.recorded_from = c.recorded_from
"""


def edited_into(db: Connection, candidates: Sequence[int]) -> list[int]:
    """List the candidates that a person has changed into some others."""
    return _numbers(db, SELECT_EDITED, (number_list(candidates),))


SELECT_BESIDE = """
SELECT DISTINCT c.candidate_id, c.statement FROM evidence_ever e
JOIN candidate_evidence v ON v.episode_id = e.episode_id
  AND v.span_from < e.span_to AND e.span_from < v.span_to
JOIN candidates c ON c.candidate_id = v.candidate_id
WHERE e.fact_id = ? AND c.statement IS NOT NULL
"""


def statements_beside(db: Connection, fact: int) -> list[tuple[int, str]]:
    """List what candidates say that rest on the sentences of a fact, as it is stored."""
    rows: Any = db.execute(SELECT_BESIDE, (fact,))
    return list(rows)


SELECT_CANDIDATES_OF_SCOPE = "SELECT candidate_id FROM candidates WHERE scope_id = ?"


def candidates_of_scope(db: Connection, scope_id: int) -> list[int]:
    """List all candidates of a scope."""
    return _numbers(db, SELECT_CANDIDATES_OF_SCOPE, (scope_id,))


SELECT_NAMING = """
SELECT candidate_id, statement FROM candidates WHERE scope_id = ? AND statement IS NOT NULL
"""


def statements_of_scope(db: Connection, scope_id: int) -> Iterator[tuple[int, str]]:
    """Go through what candidates of a scope say, as they are stored."""
    rows: Any = db.execute(SELECT_NAMING, (scope_id,))
    yield from rows


SELECT_OF_SPEAKERS_CANDIDATES = """
SELECT DISTINCT v.candidate_id FROM episodes e
JOIN candidate_evidence v ON v.episode_id = e.episode_id
JOIN candidates c ON c.candidate_id = v.candidate_id
WHERE e.speaker_id IN (SELECT value FROM carray(?)) AND c.statement ->> '$.subject' IS NULL
"""


def candidates_of_speakers(db: Connection, entities: Sequence[int]) -> list[int]:
    """List the candidates that name no subject: they speak of whoever said their sentence."""
    return _numbers(db, SELECT_OF_SPEAKERS_CANDIDATES, (number_list(entities),))


SELECT_FAMILY = """
SELECT entity_id FROM entities WHERE entity_id IN (SELECT value FROM carray(?))
UNION SELECT entity_id FROM entities WHERE merged_into IN (SELECT value FROM carray(?))
UNION SELECT merged_into FROM entities WHERE entity_id IN (SELECT value FROM carray(?))
  AND merged_into IS NOT NULL
"""


def family_of(db: Connection, entities: Sequence[int]) -> list[int]:
    """List entities together with those they were merged with."""
    known: set[int] = set()
    found = set(entities)
    while found - known:
        known |= found
        numbers = sorted(known)
        bound = tuple(number_list(numbers) for _ in range(3))
        found = set(_numbers(db, SELECT_FAMILY, bound))
    return sorted(known)


SELECT_EMPTIED = """
SELECT DISTINCT e.session_id FROM episodes e
WHERE e.episode_id IN (SELECT value FROM carray(:e)) AND e.session_id IS NOT NULL
  AND NOT EXISTS(SELECT 1 FROM episodes o WHERE o.session_id = e.session_id
    AND o.visibility IN ('visible', 'hidden')
    AND o.episode_id NOT IN (SELECT value FROM carray(:e)))
"""


def emptied_sessions(db: Connection, episodes: Sequence[int]) -> list[int]:
    """List the sessions of which nothing is left once some episodes are gone."""
    return _numbers(db, SELECT_EMPTIED, {"e": number_list(episodes)})


SELECT_LITERALS = f"""
SELECT fact_id, object_value FROM facts
WHERE scope_id = :scope_id AND object_value IS NOT NULL AND {LEFT}
"""
SELECT_TEXTS = f"""
SELECT e.episode_id, t.text FROM episodes e JOIN episode_texts t ON t.episode_id = e.episode_id
WHERE e.scope_id = :scope_id AND e.{LEFT}
"""


SELECT_OBJECTS = f"""
SELECT f.fact_id, coalesce(f.object_value, o.name) FROM facts f
LEFT JOIN entities o ON o.entity_id = f.object_id
WHERE f.scope_id = :scope_id AND f.{LEFT}
"""


def objects_of_scope(db: Connection, scope_id: int) -> Iterator[tuple[int, str]]:
    """Go through the objects of a scope's facts as texts."""
    rows: Any = db.execute(SELECT_OBJECTS, {"scope_id": scope_id})
    yield from rows


def literals_of_scope(db: Connection, scope_id: int) -> Iterator[tuple[int, str]]:
    """Go through the facts of a scope whose object is a text."""
    rows: Any = db.execute(SELECT_LITERALS, {"scope_id": scope_id})
    yield from rows


def texts_of_scope(db: Connection, scope_id: int) -> Iterator[tuple[int, str]]:
    """Go through the texts of a scope."""
    rows: Any = db.execute(SELECT_TEXTS, {"scope_id": scope_id})
    yield from rows


SELECT_NAMES = """
SELECT name FROM entities WHERE entity_id IN (SELECT value FROM carray(:n)) AND name <> ''
UNION SELECT name FROM aliases_ever WHERE entity_id IN (SELECT value FROM carray(:n))
"""


def names_of(db: Connection, entities: Sequence[int]) -> list[str]:
    """List all names that some entities have or have had."""
    rows = db.execute(SELECT_NAMES, {"n": number_list(entities)})
    return sorted(row[0] for row in rows)


SELECT_OWN = """
SELECT name FROM entities WHERE entity_id IN (SELECT value FROM carray(?)) AND name <> ''
ORDER BY entity_id
"""


def own_names(db: Connection, entities: Sequence[int]) -> list[str]:
    """List the own names of some entities."""
    return [row[0] for row in db.execute(SELECT_OWN, (number_list(entities),))]


COUNT_MORE = """
SELECT (SELECT count(*) FROM aliases_ever WHERE entity_id IN (SELECT value FROM carray(:n))),
  (SELECT count(*) FROM (
    SELECT evidence_id FROM evidence_ever WHERE fact_id IN (SELECT value FROM carray(:f))
    UNION
    SELECT evidence_id FROM evidence WHERE episode_id IN (SELECT value FROM carray(:e))))
"""


def count_more(
    db: Connection, episodes: Sequence[int], facts: Sequence[int], entities: Sequence[int]
) -> tuple[int, int]:
    """Count the aliases and the pieces of evidence that go with some records."""
    values = {"e": number_list(episodes), "f": number_list(facts), "n": number_list(entities)}
    row: Any = db.execute(COUNT_MORE, values).fetchone()
    return row[0], row[1]
