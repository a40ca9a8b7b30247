"""What there is of somebody, by number: facts, episodes and names that may be shown."""

from collections.abc import Iterator, Sequence
from typing import Any

from memorycore.store.connection import Connection, number_list

EPISODE_SHOWN = "e.visibility = 'visible' AND e.withdrawn IS NULL"
# Each half of the evidence has an index of its own. What rests on nothing that may be seen any more
# may not be seen either.
FACT_SHOWN = f"""f.visibility = 'visible' AND (
  EXISTS(SELECT 1 FROM evidence v CROSS JOIN episodes e ON e.episode_id = v.episode_id
    WHERE v.fact_id = f.fact_id AND v.recorded_to = 9223372036854775807 AND {EPISODE_SHOWN})
  OR EXISTS(SELECT 1 FROM evidence v CROSS JOIN episodes e ON e.episode_id = v.episode_id
    WHERE v.fact_id = f.fact_id AND v.recorded_to < 9223372036854775807 AND {EPISODE_SHOWN}))"""


SELECT_FACTS = f"""
SELECT 0 AS role, f.predicate_id, f.fact_id FROM facts f
  WHERE f.subject_id IN (SELECT value FROM carray(:e)) AND {FACT_SHOWN}
UNION ALL SELECT 1, f.predicate_id, f.fact_id FROM facts f
  WHERE f.object_id IN (SELECT value FROM carray(:e)) AND {FACT_SHOWN}
UNION ALL SELECT 2, f.predicate_id, f.fact_id FROM facts f
  WHERE f.attributed_to IN (SELECT value FROM carray(:e)) AND {FACT_SHOWN}
UNION ALL SELECT 3, f.predicate_id, f.fact_id FROM links l
  CROSS JOIN facts f ON f.fact_id = l.from_fact_id
  WHERE l.to_entity_id IN (SELECT value FROM carray(:e))
    AND l.recorded_to = 9223372036854775807 AND {FACT_SHOWN}
ORDER BY role, predicate_id, fact_id
"""


def facts_shown_of(db: Connection, entities: Sequence[int]) -> dict[int, int]:
    """Give the facts that speak of some entities, each with the closest way in which it does.

    0 is as subject, 1 as object, 2 by attribution, 3 by a link. They come by role, predicate, age.
    """
    found: dict[int, int] = {}
    rows: Any = db.execute(SELECT_FACTS, {"e": number_list(entities)})
    for role, _, number in rows:
        found.setdefault(number, role)
    return found


SELECT_FACTS_OF_SCOPE = f"""
SELECT f.fact_id FROM facts f WHERE f.scope_id = :scope_id AND {FACT_SHOWN}
ORDER BY f.subject_id, f.predicate_id, f.fact_id
"""


def facts_shown_of_scope(db: Connection, scope_id: int) -> list[int]:
    """List all facts of a scope that may be shown, by subject and predicate."""
    return [row[0] for row in db.execute(SELECT_FACTS_OF_SCOPE, {"scope_id": scope_id})]


SELECT_SAID = f"""
SELECT e.episode_id, e.occurred_from FROM episodes e
WHERE e.speaker_id IN (SELECT value FROM carray(?)) AND {EPISODE_SHOWN} ORDER BY e.episode_id
"""
SELECT_OF_SCOPE = f"""
SELECT e.episode_id, e.occurred_from FROM episodes e
WHERE e.scope_id = ? AND {EPISODE_SHOWN} ORDER BY e.episode_id
"""


def episodes_said_by(db: Connection, entities: Sequence[int]) -> list[tuple[int, int | None]]:
    """List what some entities have said, each with when it happened, in the order it came in."""
    rows: Any = db.execute(SELECT_SAID, (number_list(entities),))
    return list(rows)


def episodes_shown_of_scope(db: Connection, scope_id: int) -> list[tuple[int, int | None]]:
    """List all episodes of a scope, each with when it happened, in the order they came in."""
    rows: Any = db.execute(SELECT_OF_SCOPE, (scope_id,))
    return list(rows)


COUNT_SAID = f"""
SELECT count(*) FROM episodes e
WHERE e.speaker_id IN (SELECT value FROM carray(?)) AND {EPISODE_SHOWN}
"""


def count_said_by(db: Connection, entities: Sequence[int]) -> int:
    """Count what some entities have said."""
    return int(db.execute(COUNT_SAID, (number_list(entities),)).get)


SELECT_EVIDENCE = f"""
SELECT DISTINCT v.episode_id FROM evidence_ever v
CROSS JOIN episodes e ON e.episode_id = v.episode_id
WHERE v.fact_id IN (SELECT value FROM carray(?)) AND {EPISODE_SHOWN} ORDER BY v.episode_id
"""


def episodes_behind(db: Connection, facts: Sequence[int]) -> list[int]:
    """List the episodes that facts rest on or have rested on."""
    return [row[0] for row in db.execute(SELECT_EVIDENCE, (number_list(facts),))]


SELECT_TEXTS = f"""
SELECT e.episode_id, e.speaker_id, t.text FROM episodes e
CROSS JOIN shown_texts t ON t.episode_id = e.episode_id
WHERE e.scope_id IN (SELECT value FROM carray(?)) AND {EPISODE_SHOWN} ORDER BY e.episode_id
"""


def iter_texts(db: Connection, scope_ids: Sequence[int]) -> Iterator[tuple[int, int | None, str]]:
    """Go through the episodes of some scopes: number, speaker, and the text that may be shown."""
    rows: Any = db.execute(SELECT_TEXTS, (number_list(scope_ids),))
    yield from rows


SELECT_WORDS = f"""
SELECT f.fact_id, s.name, coalesce(f.object_value, o.name) FROM facts f
CROSS JOIN named_entities s ON s.entity_id = f.subject_id
LEFT JOIN named_entities o ON o.entity_id = f.object_id
WHERE f.scope_id IN (SELECT value FROM carray(?)) AND {FACT_SHOWN} ORDER BY f.fact_id
"""


def iter_words(db: Connection, scope_ids: Sequence[int]) -> Iterator[tuple[int, str, str]]:
    """Go through the facts of some scopes: number, and what subject and object are called."""
    rows: Any = db.execute(SELECT_WORDS, (number_list(scope_ids),))
    yield from rows


SELECT_NAMES = """
SELECT n.entity_id, n.name FROM shown_entities n
WHERE n.scope_id IN (SELECT value FROM carray(:scopes)) AND n.merged_into IS NULL
UNION ALL
SELECT n.entity_id, a.name FROM shown_entities n
JOIN shown_aliases a ON a.entity_id = n.entity_id
WHERE n.scope_id IN (SELECT value FROM carray(:scopes)) AND n.merged_into IS NULL
"""


def iter_names(db: Connection, scope_ids: Sequence[int]) -> Iterator[tuple[int, str]]:
    """Go through all names and aliases of some scopes, each with whose it is."""
    rows: Any = db.execute(SELECT_NAMES, {"scopes": number_list(scope_ids)})
    yield from rows


COUNT_CHARACTERS = """
SELECT coalesce(sum(length(text)), 0) FROM shown_texts
WHERE episode_id IN (SELECT value FROM carray(?))
"""


def count_characters(db: Connection, episodes: Sequence[int]) -> int:
    """Say how long the texts of some episodes are together."""
    return int(db.execute(COUNT_CHARACTERS, (number_list(episodes),)).get)
