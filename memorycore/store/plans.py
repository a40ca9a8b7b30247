"""Plans to forget: what they cover, by number only; the words that led to them are not kept."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from memorycore.model.forgetting import Options
from memorycore.store.connection import Connection, number_list

MAX_KEPT = 100
"""So many plans of a scope are kept; older ones are made again when they are wanted."""


@dataclass(frozen=True, slots=True)
class Named:
    """What was named, by number: it is followed anew when the plan is carried out."""

    facts: tuple[int, ...] = ()
    episodes: tuple[int, ...] = ()
    entities: tuple[int, ...] = ()
    session: int | None = None
    operation: int | None = None
    before: int | None = None
    job: int | None = None
    is_whole: bool = False
    speaks: bool = False
    """Whether what the entities have said is meant too."""
    records: tuple[int, ...] = ()
    packets: tuple[int, ...] = ()
    """Review records that have become no fact, and packets in the queue of reviews."""


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """A plan as it is stored."""

    uid: bytes
    scope_id: int
    scope: str
    level: str
    kind: str
    named: Named
    options: Options
    digest: bytes
    made_at: int


INSERT = """
INSERT INTO forget_plans(uid, scope_id, level, kind, targets, options, digest, made_at)
VALUES(:uid, :scope_id, :level, :kind, :targets, :options, :digest, :made_at)
"""
HAS_PLAN = "SELECT EXISTS(SELECT 1 FROM forget_plans WHERE uid = :uid)"
PRUNE = """
DELETE FROM forget_plans WHERE scope_id = :scope_id AND plan_id NOT IN (
  SELECT plan_id FROM forget_plans WHERE scope_id = :scope_id ORDER BY plan_id DESC LIMIT :kept)
"""


def insert_plan(db: Connection, plan: StoredPlan) -> None:
    """Keep a plan, and let the oldest of its scope go."""
    db.execute(
        INSERT,
        {
            "uid": plan.uid,
            "scope_id": plan.scope_id,
            "level": plan.level,
            "kind": plan.kind,
            "targets": json.dumps(asdict(plan.named)),
            "options": json.dumps(asdict(plan.options)),
            "digest": plan.digest,
            "made_at": plan.made_at,
        },
    )
    db.attest(HAS_PLAN, {"uid": plan.uid})
    db.execute(PRUNE, {"scope_id": plan.scope_id, "kept": MAX_KEPT})


PLANS = """
SELECT p.uid, p.scope_id, c.name, p.level, p.kind, p.targets, p.options, p.digest, p.made_at
FROM forget_plans p JOIN scopes c ON c.scope_id = p.scope_id
WHERE p.scope_id IN (SELECT value FROM carray(:scopes))
"""
SELECT_BY_UID = PLANS + " AND p.uid BETWEEN :lowest AND :highest ORDER BY p.uid LIMIT 4"
SELECT_ALL = PLANS + " ORDER BY p.plan_id DESC"


def list_plans(db: Connection, scope_ids: Sequence[int]) -> list[StoredPlan]:
    """List the plans of some scopes, newest first."""
    rows: Any = db.execute(SELECT_ALL, {"scopes": number_list(scope_ids)})
    return [_plan(row) for row in rows]


def find_plans(
    db: Connection, scope_ids: Sequence[int], lowest: bytes, highest: bytes
) -> list[StoredPlan]:
    """Find the plans (at most four) whose id lies in a range."""
    values = {"scopes": number_list(scope_ids), "lowest": lowest, "highest": highest}
    rows: Any = db.execute(SELECT_BY_UID, values)
    return [_plan(row) for row in rows]


def _plan(row: Any) -> StoredPlan:
    uid, scope_id, scope, level, kind, targets, options, digest, made_at = row
    given: dict[str, Any] = json.loads(targets)
    named = Named(
        tuple(given["facts"]),
        tuple(given["episodes"]),
        tuple(given["entities"]),
        given["session"],
        given["operation"],
        given["before"],
        given.get("job"),
        given["is_whole"],
        given["speaks"],
        tuple(given.get("records", ())),
        tuple(given.get("packets", ())),
    )
    how = Options(**json.loads(options))
    return StoredPlan(uid, scope_id, scope, level, kind, named, how, digest, made_at)


DELETE = "DELETE FROM forget_plans WHERE uid = ?"


def delete_plan(db: Connection, uid: bytes) -> None:
    """Take a plan away: it was carried out."""
    db.execute(DELETE, (uid,))


SELECT_IN = {
    "fct": """
SELECT f.fact_id, f.uid FROM facts f
WHERE f.uid BETWEEN :lowest AND :highest AND +f.scope_id = :scope_id
  AND f.visibility IN ('visible', 'hidden') ORDER BY f.uid LIMIT 4
""",
    "ep": """
SELECT e.episode_id, e.uid FROM episodes e
WHERE e.uid BETWEEN :lowest AND :highest AND +e.scope_id = :scope_id
  AND e.visibility IN ('visible', 'hidden') ORDER BY e.uid LIMIT 4
""",
    "ent": """
SELECT n.entity_id, n.uid FROM entities n
WHERE n.uid BETWEEN :lowest AND :highest AND +n.scope_id = :scope_id
  AND n.visibility = 'visible' ORDER BY n.uid LIMIT 4
""",
    "mem": """
SELECT r.review_record_id, r.uid FROM review_records r
WHERE r.uid BETWEEN :lowest AND :highest AND +r.scope_id = :scope_id AND r.shape IS NOT NULL
  AND r.recorded_to = 9223372036854775807 ORDER BY r.uid LIMIT 4
""",
    "op": """
SELECT o.operation_id, o.uid FROM operations o
WHERE o.uid BETWEEN :lowest AND :highest AND +o.scope_id = :scope_id ORDER BY o.uid LIMIT 4
""",
}


def numbers_of_id(
    db: Connection, prefix: str, scope_id: int, lowest: bytes, highest: bytes
) -> list[tuple[int, bytes]]:
    """Find the records (at most four) whose id lies in a range, hidden ones too."""
    values = {"lowest": lowest, "highest": highest, "scope_id": scope_id}
    rows: Any = db.execute(SELECT_IN[prefix], values)
    return [(number, bytes(uid)) for number, uid in rows]


SELECT_UID = {
    "fact": "SELECT uid FROM facts WHERE fact_id = ?",
    "episode": "SELECT uid FROM episodes WHERE episode_id = ?",
    "entity": "SELECT uid FROM entities WHERE entity_id = ?",
    "operation": "SELECT uid FROM operations WHERE operation_id = ?",
}


def uid_of(db: Connection, kind: str, number: int) -> bytes | None:
    """Give the id of a record, if it is still there."""
    found: Any = db.execute(SELECT_UID[kind], (number,)).get
    return None if found is None else bytes(found)


SELECT_SESSION_NAME = "SELECT name FROM sessions WHERE session_id = ?"


def session_name(db: Connection, number: int) -> str:
    """Give the name of a session."""
    return str(db.execute(SELECT_SESSION_NAME, (number,)).get)
