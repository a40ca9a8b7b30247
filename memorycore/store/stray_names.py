"""Other names of entities that only forgotten sentences have used."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from memorycore.model.forgetting import mask
from memorycore.model.word import fold
from memorycore.store.connection import Connection, number_list
from memorycore.store.entities import name_key
from memorycore.store.reach import family_of

SELECT_ALIASES = """
SELECT alias_id, entity_id, name FROM aliases_ever WHERE entity_id IN (SELECT value FROM carray(?))
"""
SELECT_SHOWN_ALIASES = """
SELECT alias_id, name FROM shown_aliases WHERE entity_id = ? ORDER BY alias_id
"""
SELECT_OTHER_TEXTS = """
WITH about(fact_id) AS (
  SELECT fact_id FROM facts WHERE subject_id IN (SELECT value FROM carray(:n))
  UNION ALL SELECT fact_id FROM facts WHERE object_id IN (SELECT value FROM carray(:n))
  UNION ALL SELECT fact_id FROM facts WHERE attributed_to IN (SELECT value FROM carray(:n))
  UNION ALL SELECT from_fact_id FROM links WHERE to_entity_id IN (SELECT value FROM carray(:n)))
SELECT DISTINCT v.episode_id, iif(:only_seen, coalesce(t.shown, t.text), t.text) FROM about
JOIN facts f ON f.fact_id = about.fact_id
JOIN evidence v ON v.evidence_id IN (
  SELECT w.evidence_id FROM evidence_ever w WHERE w.fact_id = f.fact_id)
JOIN episodes e ON e.episode_id = v.episode_id
JOIN episode_texts t ON t.episode_id = v.episode_id
WHERE f.fact_id NOT IN (SELECT value FROM carray(:facts))
  AND v.episode_id NOT IN (SELECT value FROM carray(:gone))
  AND (NOT :only_seen OR (e.visibility = 'visible' AND e.withdrawn IS NULL))
"""
SELECT_MERGED = """
SELECT n.entity_id, n.merged_into, n.name,
  NOT EXISTS(SELECT 1 FROM facts WHERE subject_id = n.entity_id
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
FROM entities n WHERE n.merged_into IN (SELECT value FROM carray(:into))
"""
SELECT_ENDED = """
SELECT a.alias_id, a.entity_id, a.name FROM aliases a
WHERE a.scope_id = :scope_id AND a.name_key = :key AND a.recorded_to < 9223372036854775807
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
    names: list[str] = field(default_factory=list)
    renamed: dict[int, str] = field(default_factory=dict)
    """Entities whose own name goes, each with the other name that is left."""


@dataclass(frozen=True, slots=True)
class Silenced:
    """What says a name no more: whole episodes, and spans of others, with the facts on them.

    With ``only_seen`` what is hidden says it no more either.
    """

    episodes: Sequence[int] = ()
    facts: Sequence[int] = ()
    spans: Sequence[tuple[int, int, int]] = ()
    only_seen: bool = False


SELECT_ROOTS = """
SELECT DISTINCT coalesce(merged_into, entity_id) FROM entities
WHERE entity_id IN (SELECT value FROM carray(?))
"""


def list_roots(db: Connection, entities: Sequence[int]) -> list[int]:
    """List what some entities are one with: themselves, or what they were merged into."""
    return [row[0] for row in db.execute(SELECT_ROOTS, (number_list(entities),))]


def aliases_of(db: Connection, entities: Sequence[int]) -> list[int]:
    """List all aliases that some entities have or have had, by number."""
    return [row[0] for row in db.execute(SELECT_ALIASES, (number_list(entities),))]


def find_strays(
    db: Connection, entities: Sequence[int], texts: Sequence[str], silenced: Silenced
) -> Strays:
    """List the names of entities that stay which stand in texts that go, and in none that stays."""
    found = Strays()
    said = "\n".join(map(fold, texts))
    for root in list_roots(db, entities):
        _find_of(db, root, said, silenced, found)
    return found


def _find_of(db: Connection, root: int, said: str, silenced: Silenced, found: Strays) -> None:
    family = family_of(db, [root])

    def is_said(name: str) -> bool:
        return any(fold(name) in fold(text) for text in other_texts(db, family, silenced))

    def is_stray(name: str) -> bool:
        stray = fold(name) in said and not is_said(name)
        found.names.extend([name] if stray else [])
        return stray

    aliases: Any = db.execute(SELECT_ALIASES, (number_list(family),)).fetchall()
    found.aliases += [number for number, _, name in aliases if is_stray(name)]
    for entity, name in _own_names(db, root, silenced):
        left = _names_left(db, entity, name, found.aliases)
        if left and is_stray(name):
            found.renamed[entity] = next(filter(is_said, left), left[0])
    values = {"into": number_list([root]), "facts": number_list(silenced.facts)}
    gone = {"gone": number_list(silenced.episodes)}
    merged: Any = db.execute(SELECT_MERGED, values | gone).fetchall()
    for number, _, name, is_idle in merged:
        if is_stray(name) and is_idle:
            found.merged.append(number)
        elif name in found.names:
            found.renamed[number] = found.renamed.get(root) or _own_name(db, root)


def _own_names(db: Connection, entity: int, silenced: Silenced) -> list[tuple[int, str]]:
    """Give the own name of an entity, unless it is heard under that elsewhere."""
    values = {"entities": number_list([entity]), "gone": number_list(silenced.episodes)}
    rows: Any = db.execute(SELECT_OWN, values).fetchall()
    return list(rows)


def _names_left(db: Connection, entity: int, name: str, gone: Sequence[int]) -> list[str]:
    rows: Any = db.execute(SELECT_SHOWN_ALIASES, (entity,)).fetchall()
    return [other for number, other in rows if number not in gone and other != name]


SELECT_NAME = "SELECT name FROM entities WHERE entity_id = ?"


def _own_name(db: Connection, entity: int) -> str:
    return str(db.execute(SELECT_NAME, (entity,)).get)


def ended_aliases(db: Connection, scope_id: int, names: Iterable[str]) -> list[int]:
    """List the aliases that are no more, whosever they were, and had one of some names."""
    found: list[int] = []
    for key in sorted({name_key(name) for name in names}):
        rows = db.execute(SELECT_ENDED, {"scope_id": scope_id, "key": key})
        found += [row[0] for row in rows]
    return found


def other_texts(db: Connection, family: Sequence[int], silenced: Silenced) -> Iterator[str]:
    """Go through the texts that speak of some entities, without what is silenced."""
    values = {"n": number_list(family), "gone": number_list(silenced.episodes)}
    values |= {"facts": number_list(silenced.facts), "only_seen": silenced.only_seen}
    spans: dict[int, list[tuple[int, int]]] = {}
    for episode, start, end in silenced.spans:
        spans.setdefault(episode, []).append((start, end))
    rows: Any = db.execute(SELECT_OTHER_TEXTS, values)
    for episode, text in rows:
        yield mask(text, spans[episode]) if episode in spans else text


SELECT_BEARERS = """
SELECT a.entity_id FROM aliases a WHERE a.alias_id IN (SELECT value FROM carray(:aliases))
UNION SELECT coalesce(n.merged_into, n.entity_id) FROM entities n
WHERE n.entity_id IN (SELECT value FROM carray(:entities))
"""


def bearers_of(db: Connection, aliases: Sequence[int], entities: Sequence[int]) -> list[int]:
    """List whose names go with some aliases, and with the own names of some entities."""
    values = {"aliases": number_list(aliases), "entities": number_list(entities)}
    return [row[0] for row in db.execute(SELECT_BEARERS, values)]


SELECT_STATEMENTS = """
WITH about(fact_id) AS (
  SELECT fact_id FROM facts WHERE subject_id IN (SELECT value FROM carray(:n))
  UNION SELECT fact_id FROM facts WHERE object_id IN (SELECT value FROM carray(:n)))
SELECT DISTINCT c.candidate_id, c.statement FROM about
JOIN evidence v ON v.evidence_id IN (
  SELECT e.evidence_id FROM evidence_ever e WHERE e.fact_id = about.fact_id)
JOIN candidate_evidence w ON w.episode_id = v.episode_id
JOIN candidates c ON c.candidate_id = w.candidate_id
WHERE c.statement IS NOT NULL
"""


def statements_about(db: Connection, entities: Sequence[int]) -> list[tuple[int, str]]:
    """List what candidates say that rest on the texts that speak of some entities."""
    rows: Any = db.execute(SELECT_STATEMENTS, {"n": number_list(entities)}).fetchall()
    return list(rows)


DELETE_ALIASES = "DELETE FROM aliases WHERE alias_id IN (SELECT value FROM carray(?))"


def delete_aliases(db: Connection, aliases: Sequence[int]) -> None:
    """Take other names away."""
    db.execute(DELETE_ALIASES, (number_list(aliases),))


MAKE_ROOM = """
UPDATE entities SET distinction = 'merged ' || entity_id
WHERE merged_into = :entity AND name_key = :key AND distinction = (
  SELECT distinction FROM entities WHERE entity_id = :entity)
"""
SET_APART = """
UPDATE entities SET distinction = 'merged ' || entity_id
WHERE entity_id = :entity AND merged_into IS NOT NULL
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

    One of that name that was merged into it is told apart by a word, and keeps its place; so is
    one that was merged itself and takes the name of the other.
    """
    values = {"entity": entity, "name": name, "key": name_key(name)}
    key = {"entity": entity, "key": values["key"]}
    db.execute(MAKE_ROOM, key)
    db.execute(SET_APART, {"entity": entity})
    db.execute(RENAME, values)
    return [row[0] for row in db.execute(SELECT_SAME_ALIAS, key)]
