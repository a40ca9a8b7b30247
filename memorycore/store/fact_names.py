"""What facts say: their texts and ids, and which there are of a subject."""

from collections.abc import Sequence
from typing import Any

import apsw

from memorycore.store.connection import Connection, number_list

SELECT_LITERALS = """
SELECT fact_id, object_value FROM facts
WHERE subject_id = :subject_id AND predicate_id = :predicate_id AND object_value IS NOT NULL
  AND support > 0 AND lifecycle = 'active'
ORDER BY fact_id DESC LIMIT :limit
"""


def list_literals(
    db: Connection, subject_id: int, predicate_id: int, *, limit: int
) -> list[tuple[int, str]]:
    """List the newest texts that a subject has under a predicate, by fact."""
    values = {"subject_id": subject_id, "predicate_id": predicate_id, "limit": limit}
    rows: Any = db.execute(SELECT_LITERALS, values)
    return list(rows)


SELECT_NAMES = """
SELECT f.fact_id, f.uid, s.name, p.name, coalesce(f.object_value, o.name)
FROM facts f
JOIN named_entities s ON s.entity_id = f.subject_id
JOIN predicates p ON p.predicate_id = f.predicate_id
LEFT JOIN named_entities o ON o.entity_id = f.object_id
WHERE f.fact_id IN (SELECT value FROM carray(?)) AND f.visibility = 'visible'
"""


def load_names(db: Connection, fact_ids: Sequence[int]) -> dict[int, tuple[bytes, str]]:
    """Give id and text (subject, predicate, object) of facts."""
    if not fact_ids:
        return {}
    rows: Any = db.execute(SELECT_NAMES, (number_list(fact_ids),))
    return {row[0]: (row[1], " ".join(row[2:])) for row in rows}


SELECT_BY_UID = """
SELECT f.fact_id, f.uid FROM facts f CROSS JOIN scopes s ON s.scope_id = f.scope_id
WHERE f.uid BETWEEN :lowest AND :highest AND s.name IN (SELECT value FROM carray(:scopes))
  AND f.visibility = 'visible'
ORDER BY f.uid LIMIT 4
"""


def list_by_uid(
    db: Connection, lowest: bytes, highest: bytes, scopes: Sequence[str]
) -> list[tuple[int, bytes]]:
    """Find the facts (at most four) whose id lies in a range, as number and id."""
    values = {"lowest": lowest, "highest": highest, "scopes": apsw.carray(tuple(scopes))}
    rows: Any = db.execute(SELECT_BY_UID, values)
    return list(rows)


SELECT_TEXT = """
SELECT coalesce(f.object_value, o.name) FROM facts f
LEFT JOIN named_entities o ON o.entity_id = f.object_id WHERE f.fact_id = :fact_id
"""


def object_text(db: Connection, fact_id: int) -> str:
    """Give the object of a fact as text."""
    return str(db.execute(SELECT_TEXT, {"fact_id": fact_id}).get)


SELECT_EVER = """
SELECT fact_id FROM facts
WHERE scope_id IN (SELECT value FROM carray(:scopes)) AND visibility = 'visible'
  AND (:subject_id IS NULL OR subject_id = :subject_id)
  AND (:predicate_id IS NULL OR predicate_id = :predicate_id)
ORDER BY fact_id
"""


def list_ever(
    db: Connection, scope_ids: Sequence[int], subject_id: int | None, predicate_id: int | None
) -> list[int]:
    """List all facts of a subject and predicate that there ever were, oldest first."""
    values = {"scopes": number_list(scope_ids), "subject_id": subject_id}
    rows = db.execute(SELECT_EVER, values | {"predicate_id": predicate_id})
    return [row[0] for row in rows]


SELECT_TEXTS = """
SELECT f.fact_id, coalesce(f.object_value, o.name) FROM facts f
LEFT JOIN named_entities o ON o.entity_id = f.object_id
WHERE f.subject_id = :subject_id AND f.predicate_id = :predicate_id AND f.support > 0
ORDER BY f.fact_id DESC LIMIT 100
"""


def list_texts(db: Connection, subject_id: int, predicate_id: int) -> list[tuple[int, str]]:
    """List the newest values (at most 100) of a subject and predicate that stand, by fact."""
    values = {"subject_id": subject_id, "predicate_id": predicate_id}
    rows: Any = db.execute(SELECT_TEXTS, values)
    return list(rows)


SELECT_NEWEST = """
SELECT fact_id FROM facts INDEXED BY facts_by_scope
WHERE scope_id = :scope_id AND visibility = 'visible' AND lifecycle = 'active' AND support > 0
ORDER BY fact_id DESC LIMIT :limit
"""


def list_newest_texts(db: Connection, scope_id: int, *, limit: int) -> list[str]:
    """Give the texts of the facts of a scope that stand, the newest first."""
    rows = db.execute(SELECT_NEWEST, {"scope_id": scope_id, "limit": limit})
    numbers = [row[0] for row in rows]
    names = load_names(db, numbers)
    return [names[number][1] for number in numbers if number in names]
