"""Free SQL for reading: over what the caller may see, and nothing else.

The caller's statement reads temporary views that hold only visible records of the allowed scopes.
The tables below answer to no other name: SQLite's authorizer tells through which view a column is
read, and the inner views have names that cannot be guessed, since a query could name a table of
its own like a view.
"""

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import apsw

from memorycore.errors import InvalidQueryError, RefusedError
from memorycore.model.fact import format_edge
from memorycore.model.identity import format_id
from memorycore.model.time import format_moment
from memorycore.store.connection import Connection, translated

Row = dict[str, Any]

# What the views ``shown_entities``, ``named_entities`` and ``shown_candidates`` ask. A view inside
# a view would answer to its name, which a query can give to a table of its own.
_SHOWN_ENTITY = """
x.visibility = 'visible' AND (
  EXISTS(SELECT 1 FROM main.facts f WHERE f.visibility = 'visible' AND f.support > 0
      AND (x.entity_id IN (f.subject_id, f.object_id, f.attributed_to)
        OR x.merged_into IN (f.subject_id, f.object_id, f.attributed_to)))
  OR EXISTS(SELECT 1 FROM main.episodes e WHERE e.speaker_id IN (x.entity_id, x.merged_into)
      AND e.visibility = 'visible' AND e.withdrawn IS NULL)
  OR EXISTS(SELECT 1 FROM main.links l JOIN main.facts f ON f.fact_id = l.from_fact_id
      WHERE l.to_entity_id IN (x.entity_id, x.merged_into)
        AND f.visibility = 'visible' AND f.support > 0)
  OR NOT EXISTS(SELECT 1 FROM main.facts f
      WHERE x.entity_id IN (f.subject_id, f.object_id, f.attributed_to)
        OR x.merged_into IN (f.subject_id, f.object_id, f.attributed_to))
    AND NOT EXISTS(SELECT 1 FROM main.episodes e
      WHERE e.speaker_id IN (x.entity_id, x.merged_into))
    AND NOT EXISTS(SELECT 1 FROM main.links l
      WHERE l.to_entity_id IN (x.entity_id, x.merged_into)))
"""
_SHOWN_NAME = """
CASE WHEN NOT EXISTS(SELECT 1 FROM main.hidden_names
    WHERE record = 'entity' AND row_id = {n}.entity_id) THEN {n}.name
  ELSE coalesce((SELECT m.name FROM main.entities m WHERE m.entity_id = {n}.merged_into
    AND NOT EXISTS(SELECT 1 FROM main.hidden_names
      WHERE record = 'entity' AND row_id = m.entity_id)),
  (SELECT a.name FROM main.aliases a
    WHERE a.entity_id = coalesce({n}.merged_into, {n}.entity_id)
      AND a.recorded_to = 9223372036854775807 AND NOT EXISTS(SELECT 1 FROM main.hidden_names
        WHERE record = 'alias' AND row_id = a.alias_id)
    ORDER BY a.alias_id LIMIT 1), {n}.name) END
"""
_SHOWN_CANDIDATE = """
NOT EXISTS(SELECT 1 FROM main.candidate_evidence v JOIN main.episodes e USING(episode_id)
    WHERE v.candidate_id = k.candidate_id AND (e.visibility <> 'visible' OR EXISTS(
      SELECT 1 FROM main.struck_spans s WHERE s.episode_id = v.episode_id
        AND s.recorded_to = 9223372036854775807
        AND s.span_from < v.span_to AND v.span_from < s.span_to)))
  AND NOT EXISTS(SELECT 1 FROM main.decisions d
    JOIN main.facts f ON f.fact_id = d.fact_id OR f.fact_id = d.target_id
    WHERE d.candidate_id = k.candidate_id AND d.recorded_to = 9223372036854775807
      AND f.visibility <> 'visible')
"""

VIEWS = {
    "episodes": """
SELECT memory_id('ep', e.uid) AS id, s.name AS scope,
  (SELECT n.name FROM main.sessions n WHERE n.session_id = e.session_id) AS session, e.role,
  (SELECT p.name FROM main.entities p WHERE p.entity_id = e.speaker_id) AS speaker,
  memory_time(e.occurred_from, e.precision, e.zone) AS at,
  (SELECT coalesce(t.shown, t.text) FROM main.episode_texts t
    WHERE t.episode_id = e.episode_id) AS text,
  (SELECT o.name FROM main.sources o WHERE o.source_id = e.source_id) AS source, e.external_id,
  (SELECT t.meta FROM main.episode_texts t WHERE t.episode_id = e.episode_id) AS meta,
  (SELECT memory_id('op', r.uid) FROM main.operations r WHERE r.operation_id = e.recorded)
    AS operation
FROM main.episodes e JOIN main.scopes s ON s.scope_id = e.scope_id
WHERE e.visibility = 'visible' AND e.withdrawn IS NULL AND memory_allows(s.name)
ORDER BY e.episode_id
""",
    "sessions": """
SELECT s.name AS scope, n.name
FROM main.sessions n JOIN main.scopes s ON s.scope_id = n.scope_id
WHERE memory_allows(s.name) AND EXISTS(
  SELECT 1 FROM main.episodes e WHERE e.session_id = n.session_id AND e.visibility = 'visible'
    AND e.withdrawn IS NULL)
""",
    "entities": """
SELECT memory_id('ent', x.uid) AS id, s.name AS scope, x.kind, {x_name} AS name
FROM main.entities x JOIN main.scopes s ON s.scope_id = x.scope_id
WHERE memory_allows(s.name) AND {shown_entity}
""",
    "operations": """
SELECT memory_id('op', o.uid) AS id, memory_time(o.at, 'instant', 'UTC') AS at, o.actor, o.kind,
  (SELECT memory_id('op', u.uid) FROM main.operations u WHERE u.operation_id = o.undoes) AS undoes
FROM main.operations o
WHERE o.scope_id IS NULL
  OR memory_allows((SELECT s.name FROM main.scopes s WHERE s.scope_id = o.scope_id))
ORDER BY o.operation_id
""",
    "facts": """
SELECT memory_id('fct', f.uid) AS id, c.name AS scope, {s_name} AS subject, p.name AS predicate,
  coalesce(f.object_value, {o_name}) AS object, f.rank, f.fact_type,
  memory_edge(d.valid_from, d.from_precision, z.time_zone) AS valid_from,
  memory_edge(d.valid_to, d.to_precision, z.time_zone) AS valid_to,
  f.confidence, f.importance, f.validity, f.lifecycle, f.is_pinned AS pinned,
  (SELECT memory_id('op', r.uid) FROM main.operations r WHERE r.operation_id = f.recorded)
    AS operation
FROM main.facts f
JOIN main.scopes c ON c.scope_id = f.scope_id
JOIN main.entities s ON s.entity_id = f.subject_id
JOIN main.predicates p ON p.predicate_id = f.predicate_id
JOIN main.stores z
LEFT JOIN main.entities o ON o.entity_id = f.object_id
LEFT JOIN main.fact_periods d ON d.period_id = (
  SELECT q.period_id FROM main.fact_periods q
  WHERE q.fact_id = f.fact_id AND q.recorded_to = 9223372036854775807
  ORDER BY q.valid_from DESC LIMIT 1)
WHERE f.visibility = 'visible' AND f.support > 0 AND memory_allows(c.name)
ORDER BY f.fact_id
""",
    "evidence": """
SELECT memory_id('fct', f.uid) AS fact, memory_id('ep', e.uid) AS episode, c.name AS scope,
  v.span_from, v.span_to,
  substr(coalesce(t.shown, t.text), v.span_from + 1, v.span_to - v.span_from) AS quote,
  v.source_class
FROM main.evidence v
JOIN main.facts f ON f.fact_id = v.fact_id
JOIN main.scopes c ON c.scope_id = f.scope_id
JOIN main.episodes e ON e.episode_id = v.episode_id
JOIN main.episode_texts t ON t.episode_id = e.episode_id
WHERE v.recorded_to = 9223372036854775807 AND e.visibility = 'visible' AND e.withdrawn IS NULL
  AND f.visibility = 'visible' AND f.support > 0 AND memory_allows(c.name)
ORDER BY v.evidence_id
""",
    "links": """
SELECT l.kind, memory_id('fct', f.uid) AS from_id,
  iif(x.uid IS NULL, memory_id('fct', g.uid), memory_id('ent', x.uid)) AS to_id, c.name AS scope
FROM main.links l
JOIN main.facts f ON f.fact_id = l.from_fact_id
JOIN main.scopes c ON c.scope_id = f.scope_id
LEFT JOIN main.facts g ON g.fact_id = l.to_fact_id
LEFT JOIN main.entities x ON x.entity_id = l.to_entity_id
WHERE l.recorded_to = 9223372036854775807 AND f.visibility = 'visible' AND f.support > 0
  AND (x.uid IS NOT NULL OR (g.visibility = 'visible' AND g.support > 0))
  AND memory_allows(c.name)
ORDER BY l.link_id
""",
    "candidates": """
SELECT memory_id('cand', k.uid) AS id, c.name AS scope, k.proposer, k.place, k.state,
  k.statement ->> '$.predicate' AS predicate, d.kind AS decision, d.reason,
  (SELECT memory_id('fct', f.uid) FROM main.facts f
   WHERE f.fact_id = d.fact_id AND f.visibility = 'visible') AS fact,
  (SELECT memory_id('fct', g.uid) FROM main.facts g
   WHERE g.fact_id = d.target_id AND g.visibility = 'visible') AS target
FROM main.candidates k
JOIN main.scopes c ON c.scope_id = k.scope_id
LEFT JOIN main.decisions d ON d.candidate_id = k.candidate_id
  AND d.recorded_to = 9223372036854775807
WHERE k.recorded_to = 9223372036854775807 AND memory_allows(c.name) AND {shown_candidate}
ORDER BY k.candidate_id
""",
    "predicates": """
SELECT p.name, v.domain, v.label_en, v.label_zh, v.aliases, v.fact_type, v.cardinality,
  v.conflict_policy, v.temporal, v.object_kind, v.value_type, v.opposite, v.is_ranked, v.tau_days,
  v.importance, v.is_sensitive
FROM main.predicates p JOIN main.predicate_versions v ON v.predicate_id = p.predicate_id
WHERE v.recorded_to = 9223372036854775807
ORDER BY p.name
""",
}
for _view, _row in (("entities", "x"), ("facts", "s"), ("facts", "o")):
    _name = _SHOWN_NAME.replace("{n}", _row).strip()
    VIEWS[_view] = VIEWS[_view].replace(f"{{{_row}_name}}", _name)
VIEWS["entities"] = VIEWS["entities"].replace("{shown_entity}", _SHOWN_ENTITY)
VIEWS["candidates"] = VIEWS["candidates"].replace("{shown_candidate}", _SHOWN_CANDIDATE)
_ALLOWED = frozenset((apsw.SQLITE_SELECT, apsw.SQLITE_FUNCTION, apsw.SQLITE_RECURSIVE))
_CHECK_EVERY = 100_000


def run_read_only(
    db: Connection, sql: str, params: Mapping[str, Any], *, scopes: Iterable[str]
) -> Iterator[Row]:
    """Run one SELECT over the views of ``VIEWS``.

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
    first_word = sql.split(maxsplit=1)[:1]
    if not first_word:
        raise InvalidQueryError("The statement is empty.")
    if first_word[0].lower() not in ("select", "with", "values"):
        raise _refusal()
    cursor = db.raw.cursor()
    cursor.exec_trace = _only_one_statement()
    try:
        cursor.execute(sql, dict(params))
        names = _distinct(cursor.description or ())
        for row in cursor:
            yield dict(zip(names, row, strict=True))
    except (apsw.AuthError, apsw.ExecTraceAbort) as error:
        raise _refusal() from error
    except (apsw.SQLError, apsw.BindingsError) as error:
        # SQLite's message speaks of the statement that was typed, not of what is stored.
        raise InvalidQueryError(f"SQLite cannot read that statement: {error}") from error
    except KeyError as error:
        raise InvalidQueryError(
            f"The statement asks for a value {error}.", hint="-p NAME V"
        ) from error
    except (TypeError, UnicodeEncodeError, OverflowError, apsw.TooBigError) as error:
        raise InvalidQueryError("A text or value given is none that SQLite can hold.") from error
    except apsw.ExecutionCompleteError:
        return


def _refusal() -> RefusedError:
    return RefusedError(
        "That statement may not run here.",
        why=f"one SELECT over the views {', '.join(VIEWS)} is all that is allowed",
    )


def _distinct(columns: Sequence[tuple[str, Any, Any, Any, Any, Any, Any]]) -> list[str]:
    """Name the columns of an answer; a name that comes again gets its number."""
    names: list[str] = []
    for number, column in enumerate(columns, 1):
        names.append(f"{column[0]}:{number}" if column[0] in names else str(column[0]))
    return names


def _only_one_statement() -> Any:
    count = 0

    def trace(_cursor: object, _sql: str, _bindings: object) -> bool:
        nonlocal count
        count += 1
        return count == 1

    return trace


def _make_views(db: Connection, scopes: frozenset[str]) -> dict[str, str]:
    functions: tuple[tuple[str, Any, int], ...] = (
        ("memory_allows", scopes.__contains__, 1),
        ("memory_id", format_id, 2),
        ("memory_time", format_moment, 3),
        ("memory_edge", format_edge, 3),
    )
    for name, function, arguments in functions:
        db.raw.create_scalar_function(name, function, arguments, flags=apsw.SQLITE_INNOCUOUS)
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
