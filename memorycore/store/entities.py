"""Entities: persons, agents and things that episodes and facts speak of, one by name in a scope."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memorycore.model.identity import IdSource
from memorycore.model.word import plain
from memorycore.store.connection import Connection, number_list

SELECT_ENTITY = """
SELECT coalesce(merged_into, entity_id) FROM entities
WHERE scope_id = :scope_id AND kind = :kind AND name_key = :name_key
ORDER BY distinction, entity_id LIMIT 1
"""
INSERT_ENTITY = """
INSERT INTO entities(uid, scope_id, kind, name, name_key, recorded)
VALUES(:uid, :scope_id, :kind, :name, :name_key, :recorded) RETURNING entity_id
"""


def find_entity(db: Connection, scope_id: int, name: str, *, kind: str) -> int | None:
    """Find the number of an entity by its folded name and kind; a merged one's is the other's."""
    key = {"scope_id": scope_id, "kind": kind, "name_key": name_key(name)}
    row = db.execute(SELECT_ENTITY, key).fetchone()
    return int(row[0]) if row else None


def ensure_entity(
    db: Connection,
    scope_id: int,
    name: str,
    *,
    kind: str,
    now: int,
    new_id: IdSource,
    recorded: int,
) -> int:
    """Give an entity's number, making it if its folded name is new in the scope and kind."""
    if (found := find_entity(db, scope_id, name, kind=kind)) is not None:
        return found
    values = {"scope_id": scope_id, "kind": kind, "name_key": name_key(name)}
    values |= {"uid": new_id(now), "name": name, "recorded": recorded}
    return int(db.execute(INSERT_ENTITY, values).get)


@dataclass(frozen=True, slots=True)
class EntityRow:
    """An entity as the store knows it, under the name that may be shown and under its own."""

    entity_id: int
    uid: bytes
    scope_id: int
    kind: str
    name: str
    distinction: str
    merged_into: int | None
    own_name: str


ENTITY = """
SELECT entity_id, uid, scope_id, kind, name, distinction, merged_into, own_name
FROM named_entities
"""
SELECT_NAMED = (
    ENTITY
    + """WHERE merged_into IS NULL AND entity_id IN (
  SELECT coalesce(merged_into, entity_id) FROM entities
    WHERE scope_id = :scope_id AND name_key = :name_key
  UNION
  SELECT coalesce(e.merged_into, e.entity_id) FROM shown_aliases a
    JOIN entities e ON e.entity_id = a.entity_id
    WHERE a.scope_id = :scope_id AND a.name_key = :name_key)
ORDER BY entity_id"""
)


SELECT_NAMED_SHOWN = SELECT_NAMED.replace(
    "ORDER BY", "AND entity_id IN (SELECT entity_id FROM shown_entities)\nORDER BY"
).replace(
    "AND name_key = :name_key\n  UNION",
    """AND name_key = :name_key AND NOT EXISTS(
      SELECT 1 FROM hidden_names WHERE record = 'entity' AND row_id = entity_id)
  UNION""",
)


def list_named(db: Connection, scope_id: int, name: str, *, shown: bool = False) -> list[EntityRow]:
    """List the entities of a scope that have a name or alias, once folded; merged ones as one.

    Who reads asks for those that may be ``shown``; admission must recognise the others too.
    """
    sql = SELECT_NAMED_SHOWN if shown else SELECT_NAMED
    rows: Any = db.execute(sql, {"scope_id": scope_id, "name_key": name_key(name)})
    return [EntityRow(*row) for row in rows]


SELECT_BY_NUMBER = ENTITY + "WHERE entity_id = :entity_id"


def get_entity_row(db: Connection, entity_id: int) -> EntityRow:
    """Read the entity of a number that another record holds."""
    row: Any = db.execute(SELECT_BY_NUMBER, {"entity_id": entity_id}).fetchone()
    assert row is not None, "a link to no entity"
    return EntityRow(*row)


SELECT_BY_UID = (
    ENTITY
    + """WHERE uid BETWEEN :lowest AND :highest
  AND entity_id IN (SELECT entity_id FROM shown_entities)
  AND scope_id IN (SELECT value FROM carray(:scopes)) ORDER BY uid LIMIT 4"""
)


def list_by_uid(
    db: Connection, lowest: bytes, highest: bytes, scope_ids: Sequence[int]
) -> list[EntityRow]:
    """Find the entities (at most four) whose id lies in a range."""
    values = {"lowest": lowest, "highest": highest, "scopes": number_list(scope_ids)}
    rows: Any = db.execute(SELECT_BY_UID, values)
    return [EntityRow(*row) for row in rows]


COUNT_ALL = """
SELECT count(*) FROM shown_entities
WHERE scope_id IN (SELECT value FROM carray(:scopes)) AND merged_into IS NULL
"""


def count_entities(db: Connection, scope_ids: Sequence[int]) -> int:
    """Count the entities of some scopes; merged ones as one."""
    return int(db.execute(COUNT_ALL, {"scopes": number_list(scope_ids)}).get)


SELECT_ALL = (
    ENTITY
    + """WHERE scope_id IN (SELECT value FROM carray(:scopes)) AND entity_id > :after
  AND entity_id IN (SELECT entity_id FROM shown_entities)
  AND merged_into IS NULL ORDER BY entity_id LIMIT :limit"""
)


def list_entities(
    db: Connection, scope_ids: Sequence[int], *, after: int = 0, limit: int
) -> list[EntityRow]:
    """List the entities of some scopes, oldest first; merged ones as one."""
    values = {"scopes": number_list(scope_ids), "after": after, "limit": limit}
    rows: Any = db.execute(SELECT_ALL, values)
    return [EntityRow(*row) for row in rows]


INSERT_SPLIT = """
INSERT INTO entities(uid, scope_id, kind, name, name_key, distinction, merged_into, recorded)
VALUES(:uid, :scope_id, :kind, :name, :name_key, :distinction, :merged_into, :recorded)
RETURNING entity_id
"""
SELECT_SPLIT = (
    ENTITY
    + """WHERE scope_id = :scope_id AND name_key = :name_key AND kind = :kind
  AND distinction = :distinction"""
)


def find_split(db: Connection, of: EntityRow, distinction: str) -> EntityRow | None:
    """Find the entity of the same name and kind that a word tells apart from another."""
    values = {"scope_id": of.scope_id, "name_key": name_key(of.own_name), "kind": of.kind}
    row: Any = db.execute(SELECT_SPLIT, values | {"distinction": distinction}).fetchone()
    return EntityRow(*row) if row else None


def insert_split(
    db: Connection, of: EntityRow, distinction: str, *, uid: bytes, recorded: int
) -> int:
    """Add a second entity of the same name and kind, told apart by a word; merged to begin with."""
    values = {"uid": uid, "scope_id": of.scope_id, "kind": of.kind, "name": of.own_name}
    values |= {"name_key": name_key(of.own_name), "distinction": distinction, "recorded": recorded}
    values["merged_into"] = of.entity_id
    return int(db.execute(INSERT_SPLIT, values).get)


INSERT_ALIAS = """
INSERT INTO aliases(entity_id, scope_id, name, name_key, recorded_from)
SELECT :entity_id, :scope_id, :name, :name_key, :recorded
WHERE NOT EXISTS(SELECT 1 FROM aliases WHERE entity_id = :entity_id AND name_key = :name_key
    AND recorded_to = 9223372036854775807)
  AND NOT EXISTS(SELECT 1 FROM entities WHERE entity_id = :entity_id AND name_key = :name_key
    AND NOT EXISTS(SELECT 1 FROM hidden_names WHERE record = 'entity' AND row_id = :entity_id))
RETURNING alias_id
"""


def insert_alias(
    db: Connection, entity_id: int, scope_id: int, name: str, *, recorded: int
) -> int | None:
    """Give an entity another name; ``None`` when it has it already."""
    values = {"entity_id": entity_id, "scope_id": scope_id, "name": name}
    values |= {"name_key": name_key(name), "recorded": recorded}
    row = db.execute(INSERT_ALIAS, values).fetchone()
    return None if row is None else int(row[0])


HAS_ALIAS = """
SELECT EXISTS(SELECT 1 FROM shown_aliases WHERE entity_id = :entity_id AND name_key = :name_key)
  OR EXISTS(SELECT 1 FROM entities WHERE entity_id = :entity_id AND name_key = :name_key
    AND NOT EXISTS(SELECT 1 FROM hidden_names WHERE record = 'entity' AND row_id = :entity_id))
"""


def has_name(db: Connection, entity_id: int, name: str) -> bool:
    """Tell whether an entity has a name that is not hidden, as its own or as an alias."""
    return bool(db.execute(HAS_ALIAS, {"entity_id": entity_id, "name_key": name_key(name)}).get)


SELECT_ALIASES = """
SELECT alias_id, name FROM shown_aliases WHERE entity_id = :entity_id ORDER BY alias_id
"""


def list_aliases(db: Connection, entity_id: int) -> list[tuple[int, str]]:
    """List the other names of an entity that may be shown, each with its number."""
    rows: Any = db.execute(SELECT_ALIASES, {"entity_id": entity_id})
    return list(rows)


SELECT_STANDING = """
SELECT name FROM aliases
WHERE entity_id = :entity_id AND recorded_to = 9223372036854775807 ORDER BY alias_id
"""


def standing_aliases(db: Connection, entity_id: int) -> list[str]:
    """List the other names of an entity, hidden ones too."""
    return [row[0] for row in db.execute(SELECT_STANDING, {"entity_id": entity_id})]


SELECT_HIDDEN_ALIASES = """
SELECT a.alias_id FROM aliases a
JOIN hidden_names h ON h.record = 'alias' AND h.row_id = a.alias_id
WHERE a.entity_id = :entity_id AND a.name_key = :name_key
  AND a.recorded_to = 9223372036854775807
"""


def list_hidden_aliases(db: Connection, entity_id: int, name: str) -> list[int]:
    """List the other names of an entity that say the same as one and are hidden, by number."""
    values = {"entity_id": entity_id, "name_key": name_key(name)}
    return [row[0] for row in db.execute(SELECT_HIDDEN_ALIASES, values)]


def name_key(name: str) -> str:
    """Fold a name for comparison: width, case, white space, traditional and simplified meet."""
    return plain(name)


SELECT_SPEAKERS = """
SELECT entity_id, name FROM shown_entities
WHERE scope_id = :scope_id AND kind IN ('person', 'agent') ORDER BY entity_id LIMIT :limit
"""


def list_speakers(db: Connection, scope_id: int, *, limit: int) -> list[tuple[int, str]]:
    """List the persons and agents of a scope by number and name, oldest first."""
    rows = db.execute(SELECT_SPEAKERS, {"scope_id": scope_id, "limit": limit})
    return [(number, name) for number, name in rows]


SELECT_HEARD = """
SELECT e.name FROM shown_entities e JOIN operations o ON o.operation_id = e.recorded
WHERE e.scope_id = :scope_id AND e.kind = 'person' AND e.merged_into IS NULL
  AND o.kind = 'ingest'
ORDER BY e.entity_id LIMIT :limit
"""


def list_heard_people(db: Connection, scope_id: int, *, limit: int) -> list[str]:
    """List the persons of a scope that came in as speakers, oldest first, by name."""
    rows = db.execute(SELECT_HEARD, {"scope_id": scope_id, "limit": limit})
    return [row[0] for row in rows]


COUNT_FACTS = """
SELECT count(*) FROM facts
WHERE (subject_id = :entity_id OR object_id = :entity_id) AND support > 0
  AND visibility = 'visible'
"""


def count_facts(db: Connection, entity_id: int) -> int:
    """Count the facts that speak of an entity and stand."""
    return int(db.execute(COUNT_FACTS, {"entity_id": entity_id}).get)


SELECT_MERGED = "SELECT entity_id FROM entities WHERE merged_into = :entity_id"


def list_merged(db: Connection, entity_id: int) -> list[int]:
    """List the entities that were merged into one."""
    return [row[0] for row in db.execute(SELECT_MERGED, {"entity_id": entity_id})]


SELECT_SCOPES = "SELECT scope_id, name FROM scopes"


def scope_names(db: Connection) -> dict[int, str]:
    """Give the name of each scope by its number."""
    rows: Any = db.execute(SELECT_SCOPES)
    return dict(rows)


SELECT_TAGS = """
SELECT e.name, count(f.fact_id) FROM shown_entities e
LEFT JOIN facts f ON f.object_id = e.entity_id AND f.support > 0 AND f.visibility = 'visible'
WHERE e.scope_id = :scope_id AND e.kind = 'tag' AND e.merged_into IS NULL
GROUP BY e.entity_id ORDER BY 2 DESC, e.name LIMIT :limit
"""


def list_tags(db: Connection, scope_id: int, *, limit: int) -> list[tuple[str, int]]:
    """List the tags of a scope, the most used first, each with how many facts use it."""
    rows: Any = db.execute(SELECT_TAGS, {"scope_id": scope_id, "limit": limit})
    return list(rows)
