"""Typed links between facts, and from a fact to entities besides its subject and object."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from memorycore.model.timeline_links import NEAREST
from memorycore.store.connection import Connection, number_list

INSERT_FACT_LINK = """
INSERT OR IGNORE INTO links(kind, from_fact_id, to_fact_id, recorded_from)
SELECT :kind, :from_fact_id, :to_fact_id, :recorded WHERE NOT EXISTS (
  SELECT 1 FROM links WHERE from_fact_id = :from_fact_id AND kind = :kind
    AND to_fact_id = :to_fact_id AND recorded_to = 9223372036854775807)
"""
INSERT_ENTITY_LINK = """
INSERT INTO links(kind, from_fact_id, to_entity_id, recorded_from)
SELECT 'ABOUT_ENTITY', :from_fact_id, :to_entity_id, :recorded WHERE NOT EXISTS (
  SELECT 1 FROM links WHERE from_fact_id = :from_fact_id AND kind = 'ABOUT_ENTITY'
    AND to_entity_id = :to_entity_id AND recorded_to = 9223372036854775807)
"""


def link_facts(db: Connection, kind: str, from_: int, to: int, *, recorded: int) -> None:
    """Link two facts, unless they are linked so already."""
    values = {"kind": kind, "from_fact_id": from_, "to_fact_id": to, "recorded": recorded}
    db.execute(INSERT_FACT_LINK, values)


def link_entity(db: Connection, from_: int, entity_id: int, *, recorded: int) -> None:
    """Say that a fact is about an entity too."""
    values = {"from_fact_id": from_, "to_entity_id": entity_id, "recorded": recorded}
    db.execute(INSERT_ENTITY_LINK, values)


# What was decided between facts of two timelines follows from no timeline.
UNDECIDED = """
NOT EXISTS(SELECT 1 FROM decided_links d WHERE d.from_fact_id = links.from_fact_id
    AND d.to_fact_id = links.to_fact_id AND d.kind = links.kind
    AND d.recorded_to = 9223372036854775807)
"""
SELECT_FROM = f"""
SELECT link_id, kind, from_fact_id, to_fact_id, recorded_from FROM links
WHERE kind IN ('SUPERSEDES', 'CONTRADICTS') AND recorded_to = 9223372036854775807
  AND from_fact_id IN (SELECT value FROM carray(:facts)) AND {UNDECIDED}
"""
SELECT_BETWEEN = f"""
SELECT link_id, kind, from_fact_id, to_fact_id, recorded_from FROM links
WHERE kind IN ('SUPERSEDES', 'CONTRADICTS') AND recorded_to = 9223372036854775807
  AND from_fact_id IN (SELECT value FROM carray(:from_facts))
  AND +to_fact_id IN (SELECT value FROM carray(:to_facts)) AND {UNDECIDED}
"""
SELECT_BACK = f"""
SELECT link_id, kind, from_fact_id, to_fact_id, recorded_from FROM links
WHERE kind IN ('SUPERSEDES', 'CONTRADICTS') AND recorded_to = 9223372036854775807
  AND to_fact_id IN (SELECT value FROM carray(:to_facts))
  AND +from_fact_id IN (SELECT value FROM carray(:from_facts)) AND {UNDECIDED}
"""
SELECT_OVERTAKING = f"""
SELECT link_id, kind, from_fact_id, to_fact_id, recorded_from FROM links
WHERE to_fact_id IN (SELECT value FROM carray(:appearing)) AND kind = 'SUPERSEDES'
  AND recorded_to = 9223372036854775807 AND {UNDECIDED}
"""
CLOSE = "UPDATE links SET recorded_to = :recorded WHERE link_id = :link_id"
DELETE = "DELETE FROM links WHERE link_id = :link_id"


FOLLOWS = """
SELECT EXISTS(
  SELECT 1 FROM fact_periods older JOIN fact_periods newer
    ON newer.fact_id = :from_fact_id AND newer.valid_from = older.valid_to
    AND newer.recorded_to = 9223372036854775807
  WHERE older.fact_id = :to_fact_id AND older.ended_by = 'successor'
    AND older.recorded_to = 9223372036854775807)
OR EXISTS(
  SELECT 1 FROM evidence e JOIN fact_periods p
    ON p.fact_id = :from_fact_id AND p.valid_from <= e.starts AND p.valid_to > e.starts
    AND p.recorded_to = 9223372036854775807
  WHERE e.fact_id = :to_fact_id AND e.recorded_to = 9223372036854775807
    AND NOT EXISTS(SELECT 1 FROM fact_periods
      WHERE fact_id = :to_fact_id AND recorded_to = 9223372036854775807))
"""
IS_CONTESTED = """
SELECT EXISTS(
  SELECT 1 FROM fact_periods one JOIN fact_periods other
    ON other.fact_id = :to_fact_id AND other.valid_from = one.valid_from
    AND other.certainty = 'uncertain' AND other.recorded_to = 9223372036854775807
  WHERE one.fact_id = :from_fact_id AND one.certainty = 'uncertain'
    AND one.recorded_to = 9223372036854775807 AND (
      SELECT count(*) FROM fact_periods b
      WHERE b.timeline_id = one.timeline_id AND b.valid_to = one.valid_to
        AND b.valid_from = one.valid_from AND b.certainty = 'uncertain'
        AND b.recorded_to = 9223372036854775807
        AND b.fact_id > min(:from_fact_id, :to_fact_id)
        AND b.fact_id < max(:from_fact_id, :to_fact_id)) < :nearest)
"""


def settle_links(
    db: Connection,
    facts: Sequence[int],
    wanted: Iterable[tuple[str, int, int]],
    *,
    changed: Sequence[int] | None = None,
    appearing: Sequence[int] = (),
    recorded: int,
) -> None:
    """Make the links that follow from a timeline between some facts just those that are wanted.

    With ``changed`` only those of facts that changed, and of those near them, are looked at. What
    was ``appearing`` had never shown: it was overtaken where it now holds. Without, the facts are
    all of a timeline: they have no such links to what no longer stands in it.
    """
    missing = set(wanted)
    rows = _links_among(db, facts, missing, changed)
    if appearing:
        values = {"appearing": number_list(appearing)}
        rows |= set(db.execute(SELECT_OVERTAKING, values).fetchall())
    for link_id, kind, from_, to, since in sorted(rows):
        if (kind, from_, to) in missing:
            missing.discard((kind, from_, to))
        elif changed is None or not _still_holds(db, kind, from_, to):
            _end(db, link_id, since, recorded=recorded)
    for kind, from_, to in sorted(missing):
        link_facts(db, kind, from_, to, recorded=recorded)


def _links_among(
    db: Connection,
    facts: Sequence[int],
    wanted: Iterable[tuple[str, int, int]],
    changed: Sequence[int] | None,
) -> set[Any]:
    if changed is None:
        return set(db.execute(SELECT_FROM, {"facts": number_list(facts)}).fetchall())
    near = sorted({one for kind, one, _ in wanted if kind == "CONTRADICTS"})
    rows: set[Any] = set()
    for sql, from_facts, to_facts in (
        (SELECT_BETWEEN, changed, facts),
        (SELECT_BACK, facts, changed),
        (SELECT_BETWEEN, near, near),
    ):
        values = {"from_facts": number_list(from_facts), "to_facts": number_list(to_facts)}
        rows |= set(db.execute(sql, values).fetchall())
    return rows


def _end(db: Connection, link_id: int, since: int, *, recorded: int) -> None:
    if since == recorded:
        db.execute(DELETE, {"link_id": link_id})
    else:
        db.execute(CLOSE, {"link_id": link_id, "recorded": recorded})


SELECT_STRAYS = """
SELECT l.link_id, l.recorded_from FROM links l
JOIN facts f ON f.fact_id = l.from_fact_id
JOIN facts t ON t.fact_id = l.to_fact_id
WHERE l.link_id IN (
    SELECT link_id FROM links WHERE recorded_to = 9223372036854775807
      AND from_fact_id IN (SELECT value FROM carray(:facts))
    UNION
    SELECT link_id FROM links WHERE recorded_to = 9223372036854775807
      AND to_fact_id IN (SELECT value FROM carray(:facts)))
  AND l.kind IN ('SUPERSEDES', 'CONTRADICTS')
  AND f.timeline_id != t.timeline_id
  AND NOT EXISTS(SELECT 1 FROM decided_links d WHERE d.from_fact_id = l.from_fact_id
    AND d.to_fact_id = l.to_fact_id AND d.kind = l.kind
    AND d.recorded_to = 9223372036854775807)
"""


def end_strays(db: Connection, facts: Sequence[int], *, recorded: int) -> None:
    """End the links that followed from a timeline which one of its facts has left."""
    rows: Any = db.execute(SELECT_STRAYS, {"facts": number_list(facts)}).fetchall()
    for link_id, since in rows:
        _end(db, link_id, since, recorded=recorded)


def _still_holds(db: Connection, kind: str, from_: int, to: int) -> bool:
    """Tell whether a link follows from what two facts do anywhere in their timeline."""
    sql = FOLLOWS if kind == "SUPERSEDES" else IS_CONTESTED
    values = {"from_fact_id": from_, "to_fact_id": to}
    if kind == "CONTRADICTS":
        values["nearest"] = NEAREST
    return bool(db.execute(sql, values).get)


@dataclass(slots=True)
class LinkRow:
    """A link as seen from one of its facts."""

    kind: str
    from_fact_id: int
    to_fact_id: int | None
    to_entity_id: int | None


SELECT_OF_FACT = """
SELECT kind, from_fact_id, to_fact_id, to_entity_id FROM links
WHERE link_id IN (
  SELECT link_id FROM links
    WHERE from_fact_id = :fact_id AND recorded_to = 9223372036854775807
  UNION
  SELECT link_id FROM links WHERE to_fact_id = :fact_id AND recorded_to = 9223372036854775807)
ORDER BY link_id
"""


def list_of_fact(db: Connection, fact_id: int) -> list[LinkRow]:
    """List the links that begin or end at a fact."""
    rows: Any = db.execute(SELECT_OF_FACT, {"fact_id": fact_id})
    return [LinkRow(*row) for row in rows]


SELECT_MERGED = """
SELECT from_fact_id FROM links
WHERE to_fact_id = :fact_id AND kind = 'MERGED_FROM' AND recorded_to = 9223372036854775807
ORDER BY link_id DESC LIMIT 1
"""


def find_merged(db: Connection, part: int) -> int | None:
    """Find the fact that a part was merged into."""
    row = db.execute(SELECT_MERGED, {"fact_id": part}).fetchone()
    return None if row is None else int(row[0])


SELECT_ASKED = """
SELECT link_id FROM links
WHERE link_id IN (SELECT value FROM carray(?)) AND kind NOT IN ('SUPERSEDES', 'CONTRADICTS')
"""


def keep_asked(db: Connection, link_ids: Sequence[int]) -> list[int]:
    """Leave out the links that follow from timelines: settling a timeline makes those."""
    if not link_ids:
        return []
    return [row[0] for row in db.execute(SELECT_ASKED, (number_list(link_ids),))]


SELECT_CONTRADICTED = """
SELECT to_fact_id FROM links
WHERE from_fact_id = :fact_id AND kind = 'CONTRADICTS' AND recorded_to = 9223372036854775807
ORDER BY link_id
"""


def list_contradicted(db: Connection, fact_id: int) -> list[int]:
    """List the facts that a fact contradicts."""
    return [row[0] for row in db.execute(SELECT_CONTRADICTED, {"fact_id": fact_id})]
