"""Scopes, sessions and sources: the names that episodes are filed under."""

from typing import Any

from memorycore.errors import RefusedError, SecretRefusedError
from memorycore.model.unsafe import find_unsafe
from memorycore.store.connection import Connection

SELECT_SCOPE = "SELECT scope_id FROM scopes WHERE name = :name"
INSERT_SCOPE = "INSERT INTO scopes(name) VALUES(:name) RETURNING scope_id"


def find_scope(db: Connection, name: str) -> int | None:
    """Find a scope's number; ``None`` when nothing was ever filed under it."""
    row = db.execute(SELECT_SCOPE, {"name": name}).fetchone()
    return row[0] if row else None


def ensure_scope(db: Connection, name: str) -> int:
    """Give a scope's number, making the scope if it is new.

    Raises:
        RefusedError: its name would be kept for good, and holds what may not be. An address or a
            number may be whose memory it is.
    """
    if (found := find_scope(db, name)) is not None:
        return found
    unsafe = find_unsafe(name)
    if unsafe is not None and unsafe.code != "personal_number":
        refused = SecretRefusedError if unsafe.code == "secret" else RefusedError
        raise refused(f"The scope was not made: its name looks like {unsafe.label}.")
    return int(db.execute(INSERT_SCOPE, {"name": name}).get)


def keep_scope(db: Connection, name: str) -> int:
    """Give the number of a scope that another copy of this store has, making it if it is new."""
    found = find_scope(db, name)
    return int(db.execute(INSERT_SCOPE, {"name": name}).get) if found is None else found


SELECT_SESSION = "SELECT session_id FROM sessions WHERE scope_id = :scope_id AND name = :name"
INSERT_SESSION = (
    "INSERT INTO sessions(scope_id, name) VALUES(:scope_id, :name) RETURNING session_id"
)


def find_session(db: Connection, scope_id: int, name: str) -> int | None:
    """Find a session's number inside a scope."""
    row = db.execute(SELECT_SESSION, {"scope_id": scope_id, "name": name}).fetchone()
    return row[0] if row else None


def ensure_session(db: Connection, scope_id: int, name: str) -> int:
    """Give a session's number inside a scope, making it if it is new."""
    found = find_session(db, scope_id, name)
    if found is not None:
        return found
    return int(db.execute(INSERT_SESSION, {"scope_id": scope_id, "name": name}).get)


HAS_TURNS = """
SELECT EXISTS(SELECT 1 FROM sessions n JOIN episodes e ON e.session_id = n.session_id
  WHERE n.scope_id = :scope_id AND n.name = :name
    AND e.withdrawn IS NULL AND e.visibility = 'visible')
"""


def has_turns(db: Connection, scope_id: int, session: str) -> bool:
    """Tell whether a session is there and holds anything that may be seen."""
    return bool(db.execute(HAS_TURNS, {"scope_id": scope_id, "name": session}).get)


SELECT_SOURCE = "SELECT source_id FROM sources WHERE name = :name"
INSERT_SOURCE = "INSERT INTO sources(name) VALUES(:name) RETURNING source_id"


def ensure_source(db: Connection, name: str) -> int:
    """Give the number of a source (a file, an application), making it if it is new."""
    row = db.execute(SELECT_SOURCE, {"name": name}).fetchone()
    return int(row[0] if row else db.execute(INSERT_SOURCE, {"name": name}).get)


SELECT_COUNTS = """
SELECT s.name,
  (SELECT count(*) FROM sessions n WHERE n.scope_id = s.scope_id AND EXISTS(
    SELECT 1 FROM episodes e WHERE e.session_id = n.session_id
      AND e.visibility = 'visible' AND e.withdrawn IS NULL)),
  s.indexed_episodes, s.indexed_facts, s.scope_id
FROM scopes s ORDER BY s.name
"""


def list_scope_counts(db: Connection) -> list[tuple[str, int, int, int, int]]:
    """List each scope with its sessions, its searchable episodes and facts, and its number."""
    rows: Any = db.execute(SELECT_COUNTS)
    return [tuple(row) for row in rows]
