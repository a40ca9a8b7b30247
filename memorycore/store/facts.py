"""Facts: identity and content. Their periods, evidence and links hang on them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from memorycore.store.connection import Connection, number_list


class FactRow(NamedTuple):
    """A fact that is to be added, in the order of the columns."""

    fact_id: int
    uid: bytes
    scope_id: int
    timeline_id: int
    subject_id: int
    predicate_id: int
    object_id: int | None
    object_value: str | None
    object_key: str
    rank: int | None
    fact_type: str
    confidence: float
    importance: float
    valence: float | None
    arousal: float | None
    sensitivity: str
    validity: str
    attributed_to: int | None
    event_type: str | None
    event_status: str | None
    is_pinned: int
    claim_key: str | None
    support: int
    first_evidence_id: int
    recorded: int


INSERT_FACT = f"""
INSERT INTO facts({", ".join(FactRow._fields)})
VALUES({", ".join("?" * len(FactRow._fields))})
"""


def insert_fact(db: Connection, row: FactRow) -> None:
    """Add a fact; the evidence it names must be there before the commit."""
    db.execute(INSERT_FACT, row)


NEXT_ID = "SELECT coalesce(max(fact_id), 0) + 1 FROM facts"


def next_fact_id(db: Connection) -> int:
    """Give the number of the next fact; it holds while the write lock is held."""
    return int(db.execute(NEXT_ID).get)


@dataclass(slots=True)
class KnownFact:
    """What admission needs to know of a fact that is there."""

    fact_id: int
    timeline_id: int
    predicate_id: int
    rank: int | None
    confidence: float
    validity: str
    lifecycle: str
    visibility: str
    support: int


KNOWN = """
SELECT fact_id, timeline_id, predicate_id, rank, confidence, validity, lifecycle, visibility,
  support
FROM facts WHERE """
SELECT_SAME = (
    KNOWN
    + """subject_id = :subject_id AND predicate_id = :predicate_id AND object_key = :object_key
ORDER BY coalesce(rank, 0)"""
)


def list_same(
    db: Connection, subject_id: int, predicate_id: int, object_key: str
) -> list[KnownFact]:
    """List the facts of a subject, predicate and object: one, or one for each rank."""
    values = {"subject_id": subject_id, "predicate_id": predicate_id, "object_key": object_key}
    rows: Any = db.execute(SELECT_SAME, values)
    return [KnownFact(*row) for row in rows]


SELECT_KNOWN = KNOWN + "fact_id = :fact_id"


def get_known(db: Connection, fact_id: int) -> KnownFact:
    """Read a fact of a number that another record holds."""
    row: Any = db.execute(SELECT_KNOWN, {"fact_id": fact_id}).fetchone()
    assert row is not None, "a link to no fact"
    return KnownFact(*row)


SELECT_LAST = """
SELECT f.fact_id, f.timeline_id, f.predicate_id, f.rank, f.confidence, f.validity, f.lifecycle,
  f.visibility, f.support
FROM fact_periods p JOIN facts f ON f.fact_id = p.fact_id
WHERE p.subject_id = :subject_id AND p.predicate_id = :predicate_id
  AND p.recorded_to = 9223372036854775807
ORDER BY p.valid_to DESC, p.valid_from DESC LIMIT 1
"""


def find_last(db: Connection, subject_id: int, predicate_id: int) -> KnownFact | None:
    """Find the fact of a subject and predicate that holds longest, as is believed now."""
    values = {"subject_id": subject_id, "predicate_id": predicate_id}
    row: Any = db.execute(SELECT_LAST, values).fetchone()
    return KnownFact(*row) if row else None


SELECT_FIRST = """
SELECT timeline_id FROM facts
WHERE subject_id = :subject_id AND predicate_id = :predicate_id AND coalesce(rank, 0) = :rank
LIMIT 1
"""
SELECT_FIRST_UNRANKED = """
SELECT timeline_id FROM facts
WHERE subject_id = :subject_id AND predicate_id = :predicate_id LIMIT 1
"""


def find_timeline(
    db: Connection, subject_id: int, predicate_id: int, rank: int | None
) -> int | None:
    """Find the timeline of a subject and predicate (and rank, if that narrows it)."""
    values = {"subject_id": subject_id, "predicate_id": predicate_id}
    sql = SELECT_FIRST_UNRANKED
    if rank is not None:
        sql, values = SELECT_FIRST, values | {"rank": rank}
    row = db.execute(sql, values).fetchone()
    return row[0] if row else None


HAS_STANDING = """
SELECT EXISTS(SELECT 1 FROM facts
  WHERE subject_id = :subject_id AND predicate_id = :predicate_id AND support > 0)
"""


def has_any(db: Connection, subject_id: int, predicate_id: int) -> bool:
    """Tell whether a subject has any fact of a predicate that stands."""
    values = {"subject_id": subject_id, "predicate_id": predicate_id}
    return bool(db.execute(HAS_STANDING, values).get)


SELECT_STATE = "SELECT validity, confidence, support FROM facts WHERE fact_id = :fact_id"
SET_STATE = """
UPDATE facts SET validity = :validity, confidence = :confidence, support = :support
WHERE fact_id = :fact_id
"""


def set_state(
    db: Connection, fact_id: int, *, validity: str, confidence: float, support: int
) -> None:
    """Set what follows from a fact's evidence and periods."""
    new = (validity, confidence, support)
    if db.execute(SELECT_STATE, {"fact_id": fact_id}).fetchone() != new:
        values = {"validity": validity, "confidence": confidence, "support": support}
        db.execute(SET_STATE, values | {"fact_id": fact_id})


SELECT_PREDICATES = """
SELECT fact_id, predicate_id, subject_id FROM facts WHERE fact_id IN (SELECT value FROM carray(?))
"""


def places_of(db: Connection, fact_ids: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Give the predicate and the subject of each fact.

    Facts of one timeline share their subject, but for those that were forgotten.
    """
    rows: Any = db.execute(SELECT_PREDICATES, (number_list(fact_ids),)).fetchall()
    return {row[0]: (row[1], row[2]) for row in rows}


SELECT_OF_ENTITY = """
SELECT fact_id FROM facts WHERE subject_id = :entity_id
UNION SELECT fact_id FROM facts WHERE object_id = :entity_id
"""


def list_of_entity(db: Connection, entity_id: int) -> list[int]:
    """List the facts that speak of an entity, as subject or as object."""
    return sorted(row[0] for row in db.execute(SELECT_OF_ENTITY, {"entity_id": entity_id}))


SELECT_OF_OBJECT = "SELECT fact_id FROM facts WHERE object_id = :entity_id"


def list_of_object(db: Connection, entity_id: int) -> list[int]:
    """List the facts whose object is an entity."""
    return [row[0] for row in db.execute(SELECT_OF_OBJECT, {"entity_id": entity_id})]


SELECT_TIMELINES = """
SELECT DISTINCT f.timeline_id, f.predicate_id, f.rank FROM facts f
WHERE f.fact_id IN (SELECT value FROM carray(?))
"""


def list_timelines(db: Connection, fact_ids: Sequence[int]) -> list[tuple[int, int, int | None]]:
    """List the timelines of some facts, each with a predicate and rank of them."""
    if not fact_ids:
        return []
    rows: Any = db.execute(SELECT_TIMELINES, (number_list(fact_ids),)).fetchall()
    return list(rows)


SELECT_OF_ALIASES = """
SELECT f.fact_id FROM facts f WHERE f.object_id IN (
  SELECT a.entity_id FROM aliases a WHERE a.alias_id IN (SELECT value FROM carray(?)))
"""


def list_of_aliases(db: Connection, alias_ids: Sequence[int]) -> list[int]:
    """List the facts whose object has one of some aliases."""
    if not alias_ids:
        return []
    return [row[0] for row in db.execute(SELECT_OF_ALIASES, (number_list(alias_ids),))]


SELECT_OF_PREDICATE = "SELECT fact_id FROM facts WHERE predicate_id = :predicate_id"


def list_of_predicate(db: Connection, predicate_id: int) -> list[int]:
    """List the facts of a predicate."""
    return [row[0] for row in db.execute(SELECT_OF_PREDICATE, {"predicate_id": predicate_id})]


@dataclass(frozen=True, slots=True)
class FactPlace:
    """What a fact is known by."""

    fact_id: int
    timeline_id: int
    subject_id: int
    predicate_id: int
    object_id: int | None
    object_key: str
    rank: int | None


SELECT_PLACES = """
SELECT fact_id, timeline_id, subject_id, predicate_id, object_id, object_key, rank FROM facts
WHERE fact_id IN (SELECT value FROM carray(?)) ORDER BY fact_id
"""


def list_places(db: Connection, fact_ids: Sequence[int]) -> list[FactPlace]:
    """Tell what facts are known by."""
    if not fact_ids:
        return []
    rows: Any = db.execute(SELECT_PLACES, (number_list(fact_ids),)).fetchall()
    return [FactPlace(*row) for row in rows]


SELECT_IDENTITY = """
SELECT fact_id FROM facts
WHERE subject_id = :subject_id AND predicate_id = :predicate_id AND object_key = :object_key
  AND coalesce(rank, 0) = coalesce(:rank, 0)
"""


def find_identity(
    db: Connection, subject_id: int, predicate_id: int, object_key: str, rank: int | None
) -> int | None:
    """Find the fact that is known by just this."""
    values = {"subject_id": subject_id, "predicate_id": predicate_id, "object_key": object_key}
    row = db.execute(SELECT_IDENTITY, values | {"rank": rank}).fetchone()
    return None if row is None else int(row[0])


SELECT_RIVALS = """
SELECT fact_id FROM facts
WHERE subject_id = :subject_id AND predicate_id = :predicate_id AND timeline_id = :timeline_id
  AND visibility = 'visible'
"""


def list_rivals(db: Connection, place: FactPlace) -> list[int]:
    """List a fact and those of its predicate that share its timeline."""
    values = {"subject_id": place.subject_id, "predicate_id": place.predicate_id}
    rows = db.execute(SELECT_RIVALS, values | {"timeline_id": place.timeline_id})
    return [row[0] for row in rows]


SELECT_OF_TIMELINE = """
SELECT fact_id FROM fact_periods WHERE timeline_id = :timeline_id
  AND recorded_to = 9223372036854775807
UNION SELECT fact_id FROM evidence WHERE timeline_id = :timeline_id
  AND recorded_to = 9223372036854775807
"""


def list_of_timeline(db: Connection, timeline_id: int) -> list[int]:
    """List the facts of a timeline that stand."""
    return [row[0] for row in db.execute(SELECT_OF_TIMELINE, {"timeline_id": timeline_id})]
