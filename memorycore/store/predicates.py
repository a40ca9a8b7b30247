"""Predicate schemas in the store: setting one anew adds a version, and one version stands."""

import json
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from memorycore.model.predicate import Predicate
from memorycore.model.word import fold
from memorycore.store.connection import Connection, number_list

COLUMNS = tuple(field.name for field in fields(Predicate))
LISTS = ("aliases", "subject_kinds", "object_kinds")
FLAGS = (
    "is_ranked",
    "is_sensitive",
    "allow_inference",
    "allow_assistant_source",
    "allow_agent_subject",
    "is_denial",
)

SELECT_STANDING = """
SELECT p.name, v.domain, v.label_en, v.label_zh, v.aliases, v.fact_type, v.cardinality,
  v.conflict_policy, v.temporal, v.object_kind, v.value_type, v.subject_kinds, v.object_kinds,
  v.opposite, v.is_ranked, v.tau_days, v.importance, v.is_sensitive, v.allow_inference,
  v.allow_assistant_source, v.allow_agent_subject, v.is_denial, v.min_evidence,
  p.predicate_id AS number
FROM predicates p
JOIN predicate_versions v ON v.predicate_id = p.predicate_id
WHERE v.recorded_to = 9223372036854775807
ORDER BY p.name
"""


COUNT_STANDING = "SELECT count(*) FROM predicate_versions WHERE recorded_to = 9223372036854775807"


def count_predicates(db: Connection) -> int:
    """Count the predicates that stand."""
    return int(db.execute(COUNT_STANDING).get)


def list_predicates(db: Connection) -> list[Predicate]:
    """List the versions that stand, by name."""
    cursor = db.execute(SELECT_STANDING)
    return [_read(dict(zip(COLUMNS, row, strict=True))) for row in cursor]


def _read(values: dict[str, Any]) -> Predicate:
    for name in LISTS:
        values[name] = tuple(json.loads(values[name]))
    for name in FLAGS:
        values[name] = bool(values[name])
    return Predicate(**values)


def load_predicates(db: Connection) -> dict[str, Predicate]:
    """Give the versions that stand, each under its name."""
    return {predicate.name: predicate for predicate in list_predicates(db)}


def find_predicate(db: Connection, name: str) -> Predicate | None:
    """Find a predicate by its exact name, else by a name or alias in any case, if one stands."""
    predicates = load_predicates(db)
    if name in predicates:
        return predicates[name]
    key = fold(name)
    for predicate in predicates.values():
        if key in map(fold, (predicate.name, *predicate.aliases)):
            return predicate
    return None


INSERT_NAME = "INSERT INTO predicates(name) VALUES(:name) ON CONFLICT(name) DO NOTHING"
SELECT_NUMBER = "SELECT predicate_id FROM predicates WHERE name = :name"
INSERT_VERSION = """
INSERT INTO predicate_versions(predicate_id, domain, label_en, label_zh, aliases, fact_type,
  cardinality, conflict_policy, temporal, object_kind, value_type, subject_kinds, object_kinds,
  opposite, is_ranked, tau_days, importance, is_sensitive, allow_inference, allow_assistant_source,
  allow_agent_subject, is_denial, min_evidence, recorded_from)
VALUES(:predicate_id, :domain, :label_en, :label_zh, :aliases, :fact_type,
  :cardinality, :conflict_policy, :temporal, :object_kind, :value_type, :subject_kinds,
  :object_kinds, :opposite, :is_ranked, :tau_days, :importance, :is_sensitive, :allow_inference,
  :allow_assistant_source, :allow_agent_subject, :is_denial, :min_evidence,
  :recorded)
RETURNING version_id
"""


def insert_predicate(db: Connection, predicate: Predicate, *, recorded: int) -> tuple[int, int]:
    """Add a version that stands, and the predicate if its name is new; give both numbers.

    A version that stands already must be closed first.
    """
    db.execute(INSERT_NAME, {"name": predicate.name}).fetchall()
    predicate_id = int(db.execute(SELECT_NUMBER, {"name": predicate.name}).get)
    values: dict[str, Any] = {name: getattr(predicate, name) for name in COLUMNS}
    for name in LISTS:
        values[name] = json.dumps(values[name], ensure_ascii=False)
    values |= {"predicate_id": predicate_id, "recorded": recorded}
    return predicate_id, int(db.execute(INSERT_VERSION, values).get)


SELECT_VERSION = """
SELECT version_id FROM predicate_versions
WHERE predicate_id = :predicate_id AND recorded_to = 9223372036854775807
"""


def standing_version(db: Connection, predicate_id: int) -> int:
    """Give the number of a predicate's version that stands."""
    return int(db.execute(SELECT_VERSION, {"predicate_id": predicate_id}).get)


COUNT_FACTS = "SELECT count(*) FROM facts WHERE predicate_id = :predicate_id AND support > 0"


def count_facts_of(db: Connection, predicate_id: int) -> int:
    """Count the facts of a predicate that rest on evidence."""
    return int(db.execute(COUNT_FACTS, {"predicate_id": predicate_id}).get)


SELECT_OF_VERSIONS = """
SELECT DISTINCT predicate_id FROM predicate_versions
WHERE version_id IN (SELECT value FROM carray(?))
"""


def predicates_of_versions(db: Connection, versions: Sequence[int]) -> list[int]:
    """Tell which predicates some versions are of."""
    if not versions:
        return []
    return [row[0] for row in db.execute(SELECT_OF_VERSIONS, (number_list(versions),))]
