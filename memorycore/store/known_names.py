"""Under which names an entity is known, and who speaks in a scope."""

from typing import Any

from memorycore.store.connection import Connection

MAX_READ = 256
"""So many names of an entity are read, and so many persons of a scope are looked at."""

FAMILY = """
WITH family(entity_id) AS (
  SELECT :entity UNION SELECT entity_id FROM entities WHERE merged_into = :entity)
SELECT n.name, n.entity_id <> :entity, 0 AS at
FROM entities n WHERE n.entity_id IN (SELECT entity_id FROM family)
UNION ALL
SELECT a.name, 2, a.alias_id FROM aliases a
WHERE a.entity_id IN (SELECT entity_id FROM family) AND a.recorded_to = 9223372036854775807
"""
ENDED = """
UNION ALL
SELECT a.name, 3, a.alias_id FROM aliases a
WHERE a.entity_id IN (SELECT entity_id FROM family) AND a.recorded_to < 9223372036854775807
"""
LAST = " ORDER BY 2, 3 LIMIT :limit"
SELECT_NAMES = FAMILY + LAST
SELECT_NAMES_EVER = FAMILY + ENDED + LAST


def list_names(db: Connection, entity_id: int, *, ever: bool) -> list[str]:
    """List the names of an entity and of all that were merged into it, its own one first.

    With ``ever`` those are named too that were taken away from it again, last of all.
    """
    sql = SELECT_NAMES_EVER if ever else SELECT_NAMES
    rows: Any = db.execute(sql, {"entity": entity_id, "limit": MAX_READ})
    return [row[0] for row in rows if row[0]]


SELECT_SPEAKERS = """
SELECT DISTINCT coalesce(n.merged_into, n.entity_id) FROM (
  SELECT entity_id, merged_into FROM entities
  WHERE scope_id = :scope_id AND kind = :kind AND kind IN ('person', 'agent')
  ORDER BY entity_id LIMIT :limit) n
WHERE EXISTS(SELECT 1 FROM episodes e
  WHERE e.speaker_id = n.entity_id AND e.withdrawn IS NULL)
LIMIT 2
"""


def list_who_spoke(db: Connection, scope_id: int, *, kind: str) -> list[int]:
    """List the persons, or agents, who have spoken in a scope; at most two, merged ones as one."""
    values = {"scope_id": scope_id, "kind": kind, "limit": MAX_READ}
    return [row[0] for row in db.execute(SELECT_SPEAKERS, values)]
