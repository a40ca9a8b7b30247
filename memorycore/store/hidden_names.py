"""Names that only hidden sentences have used: which they are, and what uses the others."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from memorycore.store.connection import Connection, number_list

HAS_HIDDEN = "SELECT EXISTS(SELECT 1 FROM hidden_names)"


def has_hidden_names(db: Connection) -> bool:
    """Tell whether any name is hidden."""
    return bool(db.execute(HAS_HIDDEN).get)


HIDES_ANYTHING = """
SELECT EXISTS(SELECT 1 FROM facts WHERE visibility = 'hidden')
  OR EXISTS(SELECT 1 FROM episodes WHERE visibility = 'hidden')
  OR EXISTS(SELECT 1 FROM hidden_names)
"""


def hides_anything(db: Connection) -> bool:
    """Tell whether any fact, episode or name is hidden."""
    return bool(db.execute(HIDES_ANYTHING).get)


SELECT_VEILED = """
WITH hidden(fact_id) AS (
  SELECT fact_id FROM facts WHERE visibility = 'hidden'
  UNION
  SELECT v.fact_id FROM episodes e JOIN evidence v ON v.episode_id = e.episode_id
  WHERE e.visibility = 'hidden'
  UNION
  SELECT v.fact_id FROM struck_spans k JOIN evidence v ON v.episode_id = k.episode_id
  WHERE k.recorded_to = 9223372036854775807
    AND k.span_from < v.span_to AND v.span_from < k.span_to),
veiled(entity_id) AS (
  SELECT f.subject_id FROM hidden JOIN facts f USING(fact_id)
  UNION SELECT f.object_id FROM hidden JOIN facts f USING(fact_id)
  UNION SELECT f.attributed_to FROM hidden JOIN facts f USING(fact_id)
  UNION SELECT l.to_entity_id FROM hidden JOIN links_ever l ON l.from_fact_id = hidden.fact_id
  UNION SELECT speaker_id FROM episodes WHERE visibility = 'hidden'
  UNION SELECT row_id FROM hidden_names WHERE record = 'entity'
  UNION SELECT a.entity_id FROM hidden_names h JOIN aliases a ON a.alias_id = h.row_id
    AND a.recorded_to = 9223372036854775807 WHERE h.record = 'alias')
SELECT DISTINCT coalesce(n.merged_into, n.entity_id) FROM veiled JOIN entities n USING(entity_id)
"""


def list_veiled(db: Connection) -> list[int]:
    """List all entities of which something is hidden; for merged ones the other."""
    return [row[0] for row in db.execute(SELECT_VEILED)]


@dataclass(frozen=True, slots=True)
class NameRow:
    """A name that stands: in which row, of whom, and whether it is hidden now."""

    record: str
    row_id: int
    entity_id: int
    name: str
    is_hidden: bool
    is_own: bool
    """Whether it is the own name of an entity that was merged into no other."""
    is_given: bool
    """Whether a person gave it by hand when it was hidden: no sentence has to use it."""


SELECT_NAMES = """
SELECT 'entity', n.entity_id, n.entity_id, n.name, EXISTS(
    SELECT 1 FROM hidden_names WHERE record = 'entity' AND row_id = n.entity_id),
  n.merged_into IS NULL, 0
FROM entities n WHERE n.entity_id IN (SELECT value FROM carray(:n)) AND n.kind <> 'nobody'
UNION ALL
SELECT 'alias', a.alias_id, a.entity_id, a.name, EXISTS(
    SELECT 1 FROM hidden_names WHERE record = 'alias' AND row_id = a.alias_id), 0,
  EXISTS(SELECT 1 FROM operations WHERE operation_id = a.recorded_from AND kind = 'entity')
    AND (EXISTS(SELECT 1 FROM aliases b WHERE b.entity_id = a.entity_id
        AND b.name_key = a.name_key AND b.recorded_to = a.recorded_from)
      OR EXISTS(SELECT 1 FROM entities WHERE entity_id = a.entity_id AND name_key = a.name_key))
FROM aliases a
WHERE a.entity_id IN (SELECT value FROM carray(:n)) AND a.recorded_to = 9223372036854775807
"""


def names_standing(db: Connection, family: Sequence[int]) -> list[NameRow]:
    """List the names that some entities have now, hidden ones too."""
    rows: Any = db.execute(SELECT_NAMES, {"n": number_list(family)})
    return [
        NameRow(record, row_id, entity, name, bool(hidden), bool(own), bool(given))
        for record, row_id, entity, name, hidden, own, given in rows
    ]


SELECT_HIDDEN = """
WITH about(fact_id) AS (
  SELECT fact_id FROM facts WHERE subject_id IN (SELECT value FROM carray(:n))
  UNION ALL SELECT fact_id FROM facts WHERE object_id IN (SELECT value FROM carray(:n))
  UNION ALL SELECT fact_id FROM facts WHERE attributed_to IN (SELECT value FROM carray(:n))
  UNION ALL SELECT from_fact_id FROM links WHERE to_entity_id IN (SELECT value FROM carray(:n))),
sentences AS (
  SELECT e.visibility, v.episode_id, v.span_from, v.span_to FROM about
  JOIN evidence v ON v.evidence_id IN (
    SELECT w.evidence_id FROM evidence_ever w WHERE w.fact_id = about.fact_id)
  JOIN episodes e ON e.episode_id = v.episode_id)
SELECT t.text FROM sentences s
JOIN episode_texts t ON t.episode_id = s.episode_id WHERE s.visibility = 'hidden'
UNION ALL
SELECT substr(t.text, k.span_from + 1, k.span_to - k.span_from) FROM sentences s
JOIN struck_spans k ON k.episode_id = s.episode_id AND k.recorded_to = 9223372036854775807
  AND k.span_from < s.span_to AND s.span_from < k.span_to
JOIN episode_texts t ON t.episode_id = s.episode_id
"""


def hidden_texts(db: Connection, family: Sequence[int]) -> Iterator[str]:
    """Go through what is hidden of the texts that speak of some entities."""
    rows: Any = db.execute(SELECT_HIDDEN, {"n": number_list(family)})
    for (text,) in rows:
        yield text


SELECT_SEEN = """
SELECT n.value FROM carray(:n) n WHERE EXISTS(SELECT 1 FROM episodes
  WHERE speaker_id = n.value AND visibility = 'visible' AND withdrawn IS NULL
    AND episode_id NOT IN (SELECT value FROM carray(:gone)))
"""


def seen_speakers(db: Connection, family: Sequence[int], gone: Sequence[int]) -> set[int]:
    """List those of some entities who said what is seen, but for the episodes that go."""
    values = {"n": number_list(family), "gone": number_list(gone)}
    return {row[0] for row in db.execute(SELECT_SEEN, values)}


SELECT_SILENT = """
SELECT n.value FROM carray(:n) n WHERE EXISTS(
  SELECT 1 FROM episodes WHERE speaker_id = n.value AND visibility = 'hidden')
"""


def silent_speakers(db: Connection, family: Sequence[int]) -> set[int]:
    """List those of some entities who said what is hidden."""
    return {row[0] for row in db.execute(SELECT_SILENT, {"n": number_list(family)})}


HIDE_NAME = "INSERT OR IGNORE INTO hidden_names(record, row_id) VALUES(:record, :row_id)"
SHOW_NAME = "DELETE FROM hidden_names WHERE record = :record AND row_id = :row_id"


def set_name_hidden(db: Connection, name: NameRow, *, hidden: bool) -> None:
    """Hide a name, or show it again."""
    sql = HIDE_NAME if hidden else SHOW_NAME
    db.execute(sql, {"record": name.record, "row_id": name.row_id})


SELECT_INSTEAD = """
SELECT n.own_name, n.name FROM hidden_names h JOIN named_entities n ON n.entity_id = h.row_id
WHERE h.record = 'entity' AND n.scope_id = :scope_id
UNION ALL
SELECT a.name, n.name FROM hidden_names h JOIN aliases a ON a.alias_id = h.row_id
JOIN named_entities n ON n.entity_id = coalesce((
  SELECT m.merged_into FROM entities m WHERE m.entity_id = a.entity_id), a.entity_id)
WHERE h.record = 'alias' AND a.scope_id = :scope_id
"""


def names_instead(db: Connection, scope_id: int) -> list[tuple[str, str]]:
    """List the hidden names of a scope, each with the one that is shown instead."""
    rows: Any = db.execute(SELECT_INSTEAD, {"scope_id": scope_id})
    return list(rows)
