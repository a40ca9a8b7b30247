"""What the forgetting engine reads of records that may be hidden already."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memorycore.store.connection import Connection, number_list

SELECT_CONTENT = """
SELECT f.fact_id, f.subject_id, p.name, f.object_id, coalesce(f.object_value, '')
FROM facts f JOIN predicates p ON p.predicate_id = f.predicate_id
WHERE f.fact_id IN (SELECT value FROM carray(?))
"""
SELECT_NAMES = """
SELECT name FROM entities WHERE entity_id = :entity OR merged_into = :entity
UNION SELECT a.name FROM aliases_ever a WHERE a.entity_id = :entity
"""


@dataclass(frozen=True, slots=True)
class FactContent:
    """What a fact says, under every name that its object has."""

    fact_id: int
    subject_id: int
    predicate: str
    object_id: int | None
    objects: tuple[str, ...]
    is_literal: bool = False


def fact_contents(db: Connection, facts: Sequence[int]) -> list[FactContent]:
    """Read what facts say, hidden ones too."""
    rows: Any = db.execute(SELECT_CONTENT, (number_list(facts),)).fetchall()
    names: dict[int, tuple[str, ...]] = {}

    def named(entity: int) -> tuple[str, ...]:
        if entity not in names:
            found: Any = db.execute(SELECT_NAMES, {"entity": entity})
            names[entity] = tuple(row[0] for row in found if row[0])
        return names[entity]

    return [
        FactContent(
            fact_id,
            subject,
            predicate,
            object_,
            (value,) if object_ is None else named(object_),
            object_ is None,
        )
        for fact_id, subject, predicate, object_, value in rows
    ]


FIRST_STANDING = """
SELECT e.visibility <> 'visible' FROM evidence v JOIN episodes e ON e.episode_id = v.episode_id
WHERE v.fact_id = :fact AND v.recorded_to = 9223372036854775807 ORDER BY v.evidence_id LIMIT 1
"""


def begins_hidden(db: Connection, fact_id: int) -> bool:
    """Tell whether the first sentence that a fact rests on may not be shown."""
    return bool(db.execute(FIRST_STANDING, {"fact": fact_id}).get)


HAS_STRIKES = """
SELECT EXISTS(SELECT 1 FROM struck_spans
  WHERE episode_id IN (SELECT value FROM carray(?)) AND recorded_to = 9223372036854775807)
"""


def has_strikes(db: Connection, episodes: Sequence[int]) -> bool:
    """Tell whether anything is struck out of what is shown of some episodes."""
    return bool(db.execute(HAS_STRIKES, (number_list(episodes),)).get)


SELECT_TURN = """
SELECT n.name, e.role FROM episodes e LEFT JOIN sessions n ON n.session_id = e.session_id
WHERE e.episode_id = ?
"""


def turn_of(db: Connection, episode: int) -> tuple[str | None, str]:
    """Give the session and the role of an episode."""
    row: Any = db.execute(SELECT_TURN, (episode,)).fetchone()
    return row[0], row[1]


SELECT_REDACTED_OF_SESSION = """
SELECT e.episode_id FROM episodes e
WHERE e.session_id = (SELECT n.session_id FROM sessions n
    WHERE n.scope_id = :scope_id AND n.name = :name)
  AND e.visibility = 'forgotten'
"""
SELECT_REDACTED_BEFORE = """
SELECT episode_id FROM episodes
WHERE scope_id = ? AND occurred_to <= ? AND visibility = 'forgotten'
"""


def redacted_of_session(db: Connection, scope_id: int, name: str) -> list[int]:
    """List the episodes of a session whose texts were taken away."""
    values = {"scope_id": scope_id, "name": name}
    return [row[0] for row in db.execute(SELECT_REDACTED_OF_SESSION, values)]


def redacted_before(db: Connection, scope_id: int, instant: int) -> list[int]:
    """List the episodes of a scope that were over at an instant and have no text any more."""
    return [row[0] for row in db.execute(SELECT_REDACTED_BEFORE, (scope_id, instant))]


SELECT_VISIBLE = {
    "facts": """
SELECT fact_id FROM facts
WHERE fact_id IN (SELECT value FROM carray(?)) AND visibility = 'visible'
""",
    "episodes": """
SELECT episode_id FROM episodes
WHERE episode_id IN (SELECT value FROM carray(?)) AND visibility = 'visible'
""",
}


def visible_among(db: Connection, table: str, numbers: Sequence[int]) -> list[int]:
    """List those of some facts or episodes that are not hidden yet."""
    return [row[0] for row in db.execute(SELECT_VISIBLE[table], (number_list(numbers),))]
