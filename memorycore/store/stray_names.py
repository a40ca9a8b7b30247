"""Other names of entities that only forgotten sentences have used."""

from collections.abc import Sequence
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


def stray_aliases(
    db: Connection, entities: Sequence[int], texts: Sequence[str], gone: Sequence[int]
) -> list[int]:
    """List the other names of entities that stand in texts that go, and in none that stays."""
    rows: Any = db.execute(SELECT_ALIASES, (number_list(entities),)).fetchall()
    said = "\n".join(map(fold, texts))
    found = []
    for alias_id, entity, name in rows:
        if fold(name) in said:
            others: Any = db.execute(
                SELECT_OTHER_TEXTS, {"entity": entity, "gone": number_list(gone)}
            )
            if not any(fold(name) in fold(text) for (text,) in others):
                found.append(alias_id)
    return found


DELETE_ALIASES = "DELETE FROM aliases WHERE alias_id IN (SELECT value FROM carray(?))"


def delete_aliases(db: Connection, aliases: Sequence[int]) -> None:
    """Take other names away."""
    db.execute(DELETE_ALIASES, (number_list(aliases),))
