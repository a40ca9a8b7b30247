"""Entities: persons, agents and things that episodes and facts speak of, one by name in a scope."""

from memorycore.model.identity import IdSource
from memorycore.model.word import fold
from memorycore.store.connection import Connection

SELECT_ENTITY = """
SELECT entity_id FROM entities
WHERE scope_id = :scope_id AND kind = :kind AND name_key = :name_key
"""
INSERT_ENTITY = """
INSERT INTO entities(uid, scope_id, kind, name, name_key, recorded)
VALUES(:uid, :scope_id, :kind, :name, :name_key, :recorded) RETURNING entity_id
"""


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
    key = {"scope_id": scope_id, "kind": kind, "name_key": " ".join(fold(name).split())}
    row = db.execute(SELECT_ENTITY, key).fetchone()
    if row:
        return int(row[0])
    values = key | {"uid": new_id(now), "name": name, "recorded": recorded}
    return int(db.execute(INSERT_ENTITY, values).get)


SELECT_SPEAKERS = """
SELECT entity_id, name FROM entities
WHERE scope_id = :scope_id AND kind IN ('person', 'agent') ORDER BY entity_id LIMIT :limit
"""


def list_speakers(db: Connection, scope_id: int, *, limit: int) -> list[tuple[int, str]]:
    """List the persons and agents of a scope by number and name, oldest first."""
    rows = db.execute(SELECT_SPEAKERS, {"scope_id": scope_id, "limit": limit})
    return [(number, name) for number, name in rows]
