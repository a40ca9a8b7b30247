"""Free SQL for reading: over what the caller may see, and nothing else.

The caller's statement reads temporary views that hold only visible records of the allowed scopes.
The tables below answer to no other name: SQLite's authorizer tells through which view a column is
read, and the inner views have names that cannot be guessed, since a query could name a table of
its own like a view.
"""

import secrets
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import apsw

from memorycore.errors import InvalidQueryError, RefusedError
from memorycore.store.connection import Connection, translated

Row = dict[str, Any]

VIEWS = {
    "episodes": """
SELECT e.episode_id, hex(e.uid) AS uid, s.name AS scope,
  (SELECT n.name FROM main.sessions n WHERE n.session_id = e.session_id) AS session, e.role,
  (SELECT p.name FROM main.entities p WHERE p.entity_id = e.speaker_id) AS speaker,
  (SELECT t.text FROM main.episode_texts t WHERE t.episode_id = e.episode_id) AS text,
  e.occurred_from, e.occurred_to, e.precision, e.zone,
  (SELECT o.name FROM main.sources o WHERE o.source_id = e.source_id) AS source,
  e.external_id, e.recorded,
  (SELECT t.meta FROM main.episode_texts t WHERE t.episode_id = e.episode_id) AS meta
FROM main.episodes e JOIN main.scopes s ON s.scope_id = e.scope_id
WHERE e.visibility = 'visible' AND e.withdrawn IS NULL AND memory_allows(s.name)
""",
    "sessions": """
SELECT n.session_id, s.name AS scope, n.name
FROM main.sessions n JOIN main.scopes s ON s.scope_id = n.scope_id WHERE memory_allows(s.name)
""",
    "entities": """
SELECT x.entity_id, hex(x.uid) AS uid, s.name AS scope, x.kind, x.name
FROM main.entities x JOIN main.scopes s ON s.scope_id = x.scope_id WHERE memory_allows(s.name)
""",
    "operations": """
SELECT o.operation_id, hex(o.uid) AS uid, o.at, o.actor, o.kind, o.undoes
FROM main.operations o
WHERE o.scope_id IS NULL
  OR memory_allows((SELECT s.name FROM main.scopes s WHERE s.scope_id = o.scope_id))
""",
}
_ALLOWED = frozenset((apsw.SQLITE_SELECT, apsw.SQLITE_FUNCTION, apsw.SQLITE_RECURSIVE))
_CHECK_EVERY = 100_000


def run_read_only(
    db: Connection, sql: str, params: Mapping[str, Any], *, scopes: Iterable[str]
) -> Iterator[Row]:
    """Run one SELECT over the views ``episodes``, ``sessions``, ``entities`` and ``operations``.

    Yields a row at a time, each a mapping from column name to value.

    Raises:
        RefusedError: the statement reads or does anything else.
        InvalidQueryError: it is no valid SQL.
    """
    secret_names = _make_views(db, frozenset(scopes))
    db.raw.authorizer = _authorizer(secret_names)
    db.raw.set_progress_handler(lambda: False, _CHECK_EVERY)
    try:
        with translated(db):
            yield from _rows(db, sql, params)
    finally:
        db.raw.authorizer = None
        db.raw.set_progress_handler(None)
        for public, secret in secret_names.items():
            db.raw.execute(f'DROP VIEW temp."{public}"; DROP VIEW temp."{secret}"').fetchall()


def _rows(db: Connection, sql: str, params: Mapping[str, Any]) -> Iterator[Row]:
    cursor = db.raw.cursor()
    cursor.exec_trace = _only_one_statement()
    try:
        cursor.execute(sql, dict(params))
        names = [column[0] for column in cursor.description] if cursor.description_full else []
        for row in cursor:
            yield dict(zip(names, row, strict=True))
    except (apsw.AuthError, apsw.ExecTraceAbort) as error:
        raise RefusedError(
            "That statement may not run here.",
            why=f"one SELECT over the views {', '.join(VIEWS)} is all that is allowed",
        ) from error
    except (apsw.SQLError, apsw.BindingsError) as error:
        # SQLite's message speaks of the statement that was typed, not of what is stored.
        raise InvalidQueryError(f"SQLite cannot read that statement: {error}") from error
    except KeyError as error:
        raise InvalidQueryError(
            f"The statement asks for a value {error}.", hint="-p NAME V"
        ) from error
    except (TypeError, UnicodeEncodeError, OverflowError) as error:
        raise InvalidQueryError("A text or value given is none that SQLite can hold.") from error
    except apsw.ExecutionCompleteError:
        return


def _only_one_statement() -> Any:
    count = 0

    def trace(_cursor: object, _sql: str, _bindings: object) -> bool:
        nonlocal count
        count += 1
        return count == 1

    return trace


def _make_views(db: Connection, scopes: frozenset[str]) -> dict[str, str]:
    allows: Any = scopes.__contains__
    db.raw.create_scalar_function("memory_allows", allows, 1, flags=apsw.SQLITE_INNOCUOUS)
    names = {public: f"v{secrets.token_hex(16)}" for public in VIEWS}
    with translated(db):
        for public, secret in names.items():
            # The limit keeps SQLite from merging the view into the query around it: then a bare
            # count would read the tables themselves, which is refused.
            db.execute(f'CREATE TEMP VIEW "{secret}" AS {VIEWS[public]} LIMIT -1').fetchall()
            db.execute(f'CREATE TEMP VIEW "{public}" AS SELECT * FROM "{secret}"').fetchall()
    return names


def _authorizer(secret_names: Mapping[str, str]) -> Any:
    inner = frozenset(secret_names.values())
    readable = inner | frozenset(secret_names)

    def authorize(
        action: int, first: str | None, _second: str | None, schema: str | None, via: str | None
    ) -> int:
        through_views = via in inner or (schema in ("temp", None) and first in readable)
        if action in _ALLOWED or (action == apsw.SQLITE_READ and through_views):
            return apsw.SQLITE_OK
        return apsw.SQLITE_DENY

    return authorize
