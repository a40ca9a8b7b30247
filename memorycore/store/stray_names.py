"""Other names of entities that only forgotten sentences have used."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from memorycore.model.forgetting import mask
from memorycore.model.word import fold
from memorycore.store.connection import Connection, number_list
from memorycore.store.entities import name_key

SELECT_ALIASES = """
SELECT alias_id, entity_id, name FROM aliases_ever WHERE entity_id IN (SELECT value FROM carray(?))
"""
SELECT_CURRENT_ALIASES = """
SELECT alias_id, entity_id, name FROM aliases
WHERE entity_id IN (SELECT value FROM carray(?)) AND recorded_to = 9223372036854775807
"""
SELECT_OTHER_TEXTS = """
SELECT DISTINCT v.episode_id, t.text FROM facts f
JOIN evidence v ON v.evidence_id IN (
  SELECT w.evidence_id FROM evidence_ever w WHERE w.fact_id = f.fact_id)
JOIN episodes e ON e.episode_id = v.episode_id
JOIN episode_texts t ON t.episode_id = v.episode_id
WHERE (f.subject_id = :entity OR f.object_id = :entity)
  AND f.fact_id NOT IN (SELECT value FROM carray(:facts))
  AND v.episode_id NOT IN (SELECT value FROM carray(:gone))
  AND (NOT :only_seen OR (e.visibility = 'visible' AND f.visibility = 'visible'))
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
SELECT_OWN = """
SELECT n.entity_id, n.name FROM entities n
WHERE n.entity_id IN (SELECT value FROM carray(:entities)) AND n.merged_into IS NULL
  AND NOT EXISTS(SELECT 1 FROM episodes WHERE speaker_id = n.entity_id
    AND episode_id NOT IN (SELECT value FROM carray(:gone)))
  AND NOT EXISTS(SELECT 1 FROM entities m JOIN episodes e ON e.speaker_id = m.entity_id
    WHERE m.merged_into = n.entity_id
      AND e.episode_id NOT IN (SELECT value FROM carray(:gone)))
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
    renamed: dict[int, str] = field(default_factory=dict)
    """Entities whose own name goes, each with the other name that is left."""


@dataclass(frozen=True, slots=True)
class Silenced:
    """What says a name no more: whole episodes, and spans of others, with the facts on them.

    With ``only_seen`` what is hidden says it no more either.
    """

    episodes: Sequence[int]
    facts: Sequence[int]
    spans: Sequence[tuple[int, int, int]]
    only_seen: bool


def find_strays(
    db: Connection, entities: Sequence[int], texts: Sequence[str], silenced: Silenced
) -> Strays:
    """List the other names of entities that stand in texts that go, and in none that stays."""
    found = Strays()
    sql = SELECT_CURRENT_ALIASES if silenced.only_seen else SELECT_ALIASES
    aliases: Any = db.execute(sql, (number_list(entities),)).fetchall()
    values = {"into": number_list(entities), "facts": number_list(silenced.facts)}
    gone = {"gone": number_list(silenced.episodes)}
    merged: Any = db.execute(SELECT_MERGED, values | gone).fetchall()
    said = "\n".join(map(fold, texts))
    for numbers, rows in ((found.aliases, aliases), (found.merged, merged)):
        for number, entity, name in rows:
            if fold(name) in said and not _is_said_elsewhere(db, entity, name, silenced):
                numbers.append(number)
                found.bearers.append(entity)
                found.names.append(name)
    if not silenced.only_seen:
        _rename(db, entities, said, silenced, found)
    return found


def _rename(
    db: Connection, entities: Sequence[int], said: str, silenced: Silenced, found: Strays
) -> None:
    """Find another name for entities whose own name was said only in what goes."""
    values = {"entities": number_list(entities), "gone": number_list(silenced.episodes)}
    rows: Any = db.execute(SELECT_OWN, values).fetchall()
    for entity, name in rows:
        others: Any = db.execute(SELECT_CURRENT_ALIASES, (number_list([entity]),)).fetchall()
        if not others or fold(name) not in said:
            continue
        if _is_said_elsewhere(db, entity, name, silenced):
            continue
        left = [other for _, _, other in others if _is_said_elsewhere(db, entity, other, silenced)]
        if left:
            found.renamed[entity] = left[0]
            found.bearers.append(entity)
            found.names.append(name)


def _is_said_elsewhere(db: Connection, entity: int, name: str, silenced: Silenced) -> bool:
    values = {"entity": entity, "gone": number_list(silenced.episodes)}
    values |= {"facts": number_list(silenced.facts), "only_seen": silenced.only_seen}
    others: Any = db.execute(SELECT_OTHER_TEXTS, values)
    spans: dict[int, list[tuple[int, int]]] = {}
    for episode, start, end in silenced.spans:
        spans.setdefault(episode, []).append((start, end))
    return any(fold(name) in fold(mask(text, spans.get(episode, []))) for episode, text in others)


DELETE_ALIASES = "DELETE FROM aliases WHERE alias_id IN (SELECT value FROM carray(?))"


def delete_aliases(db: Connection, aliases: Sequence[int]) -> None:
    """Take other names away."""
    db.execute(DELETE_ALIASES, (number_list(aliases),))


MAKE_ROOM = """
UPDATE entities SET distinction = 'merged ' || entity_id
WHERE merged_into = :entity AND name_key = :key AND distinction = (
  SELECT distinction FROM entities WHERE entity_id = :entity)
"""
RENAME = """
UPDATE OR IGNORE entities SET name = :name, name_key = :key WHERE entity_id = :entity
"""
SELECT_SAME_ALIAS = """
SELECT alias_id FROM aliases WHERE name_key = :key
  AND alias_id IN (SELECT a.alias_id FROM aliases_ever a WHERE a.entity_id = :entity)
  AND EXISTS(SELECT 1 FROM entities WHERE entity_id = :entity AND name_key = :key)
"""


def rename_entity(db: Connection, entity: int, name: str) -> list[int]:
    """Call an entity by another name of its; give the aliases that say the same now.

    One of that name that was merged into it is told apart by a word, and keeps its place.
    """
    values = {"entity": entity, "name": name, "key": name_key(name)}
    key = {"entity": entity, "key": values["key"]}
    db.execute(MAKE_ROOM, key)
    db.execute(RENAME, values)
    return [row[0] for row in db.execute(SELECT_SAME_ALIAS, key)]
