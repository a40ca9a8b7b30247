"""Other names of entities that only forgotten sentences have used."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from memorycore.model.word import fold
from memorycore.store.connection import Connection, number_list

SELECT_ALIASES = """
SELECT alias_id, entity_id, name FROM aliases_ever WHERE entity_id IN (SELECT value FROM carray(?))
"""
SELECT_OTHER_TEXTS = """
SELECT DISTINCT t.text FROM facts f JOIN evidence_ever v ON v.fact_id = f.fact_id
JOIN episode_texts t ON t.episode_id = v.episode_id
WHERE (f.subject_id = :entity OR f.object_id = :entity)
  AND v.episode_id NOT IN (SELECT value FROM carray(:gone))
"""


SELECT_MERGED = """
SELECT n.entity_id, n.merged_into, n.name FROM entities n
WHERE n.merged_into IN (SELECT value FROM carray(:into))
  AND NOT EXISTS(SELECT 1 FROM facts WHERE subject_id = n.entity_id
    AND fact_id NOT IN (SELECT value FROM carray(:facts)))
  AND NOT EXISTS(SELECT 1 FROM facts WHERE object_id = n.entity_id
    AND fact_id NOT IN (SELECT value FROM carray(:facts)))
  AND NOT EXISTS(SELECT 1 FROM facts WHERE attributed_to = n.entity_id
    AND fact_id NOT IN (SELECT value FROM carray(:facts)))
  AND NOT EXISTS(SELECT 1 FROM links WHERE to_entity_id = n.entity_id
    AND from_fact_id NOT IN (SELECT value FROM carray(:facts)))
  AND NOT EXISTS(SELECT 1 FROM episodes WHERE speaker_id = n.entity_id
    AND episode_id NOT IN (SELECT value FROM carray(:gone)))
  AND NOT EXISTS(SELECT 1 FROM changes WHERE record = 'fact'
    AND field IN ('subject_id', 'object_id') AND old = n.entity_id
    AND row_id NOT IN (SELECT value FROM carray(:facts)))
"""


@dataclass(slots=True)
class Strays:
    """Names that only forgotten sentences have used: of which rows, and of whom."""

    aliases: list[int] = field(default_factory=list)
    merged: list[int] = field(default_factory=list)
    """Entities that were merged into one that stays, and had such a name as their own."""
    bearers: list[int] = field(default_factory=list)
    """The entities that keep their place and lose a name."""
    names: list[str] = field(default_factory=list)


def find_strays(
    db: Connection,
    entities: Sequence[int],
    texts: Sequence[str],
    *,
    gone: Sequence[int],
    facts: Sequence[int],
) -> Strays:
    """List the other names of entities that stand in texts that go, and in none that stays.

    ``gone`` are the episodes of those texts, ``facts`` the facts that go with them.
    """
    found = Strays()
    aliases: Any = db.execute(SELECT_ALIASES, (number_list(entities),)).fetchall()
    values = {"into": number_list(entities), "facts": number_list(facts)}
    merged: Any = db.execute(SELECT_MERGED, values | {"gone": number_list(gone)}).fetchall()
    said = "\n".join(map(fold, texts))
    for numbers, rows in ((found.aliases, aliases), (found.merged, merged)):
        for number, entity, name in rows:
            if fold(name) in said and not _is_said_elsewhere(db, entity, name, gone):
                numbers.append(number)
                found.bearers.append(entity)
                found.names.append(name)
    return found


def _is_said_elsewhere(db: Connection, entity: int, name: str, gone: Sequence[int]) -> bool:
    others: Any = db.execute(SELECT_OTHER_TEXTS, {"entity": entity, "gone": number_list(gone)})
    return any(fold(name) in fold(text) for (text,) in others)


DELETE_ALIASES = "DELETE FROM aliases WHERE alias_id IN (SELECT value FROM carray(?))"


def delete_aliases(db: Connection, aliases: Sequence[int]) -> None:
    """Take other names away."""
    db.execute(DELETE_ALIASES, (number_list(aliases),))
