"""Reading facts: current, as of a valid time, as known at a recorded time, and both."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from memorycore.model.fact import EntityRef, Evidence, Fact, Period
from memorycore.model.time import format_moment
from memorycore.store.believed import StateThen, lifecycles_then, states_then
from memorycore.store.connection import Connection, number_list


@dataclass(frozen=True, slots=True)
class AsOf:
    """The two axes of a question.

    What is true at ``valid_at`` (microseconds UTC; ``None``: at any time), as it was believed after
    operation ``known`` (``None``: as it is believed now).
    """

    valid_at: int | None
    known: int | None = None


PAGE = 1000
BELIEVED_NOW = "p.recorded_to = 9223372036854775807"
BELIEVED_THEN = "p.recorded_to > :known AND p.recorded_from <= :known"
TRUE_THEN = " AND p.valid_to > :valid_at AND p.valid_from <= :valid_at"


def _periods_where(when: AsOf) -> str:
    believed = BELIEVED_NOW if when.known is None else BELIEVED_THEN
    return believed + ("" if when.valid_at is None else TRUE_THEN)


SELECT_OF_PREDICATE = """
SELECT p.fact_id, p.valid_from, p.valid_to, p.certainty FROM fact_periods p
WHERE p.subject_id = :subject_id AND p.predicate_id = :predicate_id AND {where}
"""


_SELECTS_OF_PREDICATE = {
    (when.known is None, when.valid_at is None): SELECT_OF_PREDICATE.replace(
        "{where}", _periods_where(when)
    )
    for when in (AsOf(None), AsOf(0), AsOf(None, 0), AsOf(0, 0))
}


def list_values(
    db: Connection, subject_id: int, predicate_id: int, when: AsOf
) -> list[tuple[int, int, int, str]]:
    """Answer an as-of question of one subject and predicate from the covering index alone.

    Gives fact, valid period and certainty.
    """
    values = {"subject_id": subject_id, "predicate_id": predicate_id}
    values |= {"valid_at": when.valid_at or 0, "known": when.known or 0}
    sql = _SELECTS_OF_PREDICATE[when.known is None, when.valid_at is None]
    rows: Any = db.execute(sql, values)
    return list(rows)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which facts a listing is of. A field that is ``None`` asks for nothing."""

    scope_ids: tuple[int, ...]
    when: AsOf
    subject_id: int | None = None
    predicate_id: int | None = None
    entity_id: int | None = None
    min_confidence: float | None = None
    consolidated: bool = False
    archived: bool = False
    after: int = 0


SELECT_PAGE = """
SELECT DISTINCT f.fact_id FROM facts f JOIN fact_periods p ON p.fact_id = f.fact_id
WHERE f.scope_id IN (SELECT value FROM carray(:scopes)) AND f.fact_id > :after
  AND f.visibility = 'visible' AND {where} AND {more}
ORDER BY f.fact_id LIMIT :limit
"""
STANDING = "f.support > 0"
LIFECYCLES = "f.lifecycle IN (SELECT value FROM json_each(:lifecycles))"
LIFECYCLES_THEN = """(f.fact_id IN (SELECT value FROM json_each(:fitting))
  OR f.fact_id NOT IN (SELECT value FROM json_each(:changed)) AND {now})"""


def list_fact_ids(db: Connection, wanted: Wanted, *, limit: int) -> list[int]:
    """List facts by number, oldest first."""
    known, least = wanted.when.known, wanted.min_confidence
    if known is None:
        return _page(db, wanted, limit)
    # How sure a fact was then, and on what it rested, stands in no column.
    found: list[int] = []
    wanted = replace(wanted, min_confidence=None)
    while len(found) < limit:
        page = _page(db, wanted, min(limit, PAGE))
        states = states_then(db, page, known)
        found += [
            number
            for number in page
            if number in states
            and states[number].is_seen
            and (least is None or states[number].confidence >= least)
        ]
        if len(page) < min(limit, PAGE):
            break
        wanted = replace(wanted, after=page[-1])
    return found[:limit]


def _page(db: Connection, wanted: Wanted, limit: int) -> list[int]:
    lifecycles = ["active"]
    lifecycles += ["consolidated"] if wanted.consolidated else []
    lifecycles += ["archived", "deep_archived"] if wanted.archived else []
    values: dict[str, Any] = {
        "scopes": number_list(wanted.scope_ids),
        "after": wanted.after,
        "limit": limit,
        "valid_at": wanted.when.valid_at or 0,
        "known": wanted.when.known or 0,
        "lifecycles": json.dumps(lifecycles),
    }
    more = [LIFECYCLES, STANDING]
    if wanted.when.known is not None:
        before = lifecycles_then(db, wanted.when.known)
        fitting = [number for number, lifecycle in before.items() if lifecycle in lifecycles]
        values |= {"changed": json.dumps(list(before)), "fitting": json.dumps(fitting)}
        more = [LIFECYCLES_THEN.replace("{now}", LIFECYCLES)]
    for name in ("subject_id", "predicate_id"):
        if getattr(wanted, name) is not None:
            more.append(f"p.{name} = :{name}")
            values[name] = getattr(wanted, name)
    if wanted.entity_id is not None:
        more.append("(f.subject_id = :entity_id OR f.object_id = :entity_id)")
        values["entity_id"] = wanted.entity_id
    if wanted.min_confidence is not None:
        more.append("f.confidence >= :min_confidence")
        values["min_confidence"] = wanted.min_confidence
    sql = SELECT_PAGE.replace("{where}", _periods_where(wanted.when))
    rows = db.execute(sql.replace("{more}", " AND ".join(more)), values)
    return [row[0] for row in rows]


SELECT_FACTS = """
SELECT f.fact_id, f.uid, c.name, s.uid, s.name, s.kind, p.name, o.uid, o.name, o.kind,
  f.object_value, f.rank, f.fact_type, f.confidence, f.importance, f.valence, f.sensitivity,
  f.validity, f.visibility, f.lifecycle, f.is_pinned, a.name, f.event_type, f.event_status,
  f.support, v.temporal
FROM facts f
JOIN scopes c ON c.scope_id = f.scope_id
JOIN named_entities s ON s.entity_id = f.subject_id
JOIN predicates p ON p.predicate_id = f.predicate_id
JOIN predicate_versions v ON v.predicate_id = f.predicate_id
  AND v.recorded_to = 9223372036854775807
LEFT JOIN named_entities o ON o.entity_id = f.object_id
LEFT JOIN named_entities a ON a.entity_id = f.attributed_to
WHERE f.fact_id IN (SELECT value FROM carray(?)) AND f.visibility = 'visible'
"""


def load_facts(
    db: Connection, fact_ids: Sequence[int], when: AsOf, *, zone: str, evidence: bool = True
) -> dict[int, Fact]:
    """Read facts with the period that answers a question, and with their evidence.

    As known at an operation, lifecycle, validity, confidence and evidence are those of then.
    """
    if not fact_ids:
        return {}
    periods = first_periods(db, fact_ids, when)
    states = {} if when.known is None else states_then(db, fact_ids, when.known)
    quotes: dict[int, list[Evidence]] = {}
    if evidence and when.known is None:
        quotes = load_evidence(db, fact_ids)
    elif evidence:
        quotes = _quotes_then(db, states)
    facts = {}
    rows: Any = db.execute(SELECT_FACTS, (number_list(fact_ids),)).fetchall()
    for row in rows:
        number = row[0]
        standing = tuple(one for one in quotes.get(number, ()) if one.stands)
        facts[number] = _fact(row, periods.get(number), standing, zone)
    return facts if when.known is None else _as_known(db, facts, states, when.known)


def _as_known(
    db: Connection, facts: dict[int, Fact], states: dict[int, StateThen], known: int
) -> dict[int, Fact]:
    lifecycles = lifecycles_then(db, known)
    found = {}
    for number, fact in facts.items():
        changed: dict[str, Any] = {"lifecycle": lifecycles.get(number, fact.lifecycle)}
        if (state := states.get(number)) is not None:
            changed |= {"validity": state.validity, "confidence": state.confidence}
            changed["support"] = len(state.sentences)
        found[number] = replace(fact, **changed)
    return found


def _quotes_then(db: Connection, states: dict[int, StateThen]) -> dict[int, list[Evidence]]:
    of = {one.evidence_id: fact for fact, state in states.items() for one in state.sentences}
    found: dict[int, list[Evidence]] = {}
    if not of:
        return found
    rows: Any = db.execute(SELECT_EVIDENCE_OF, (number_list(list(of)),))
    for row in rows:
        fact_id = of[row[14]]
        found.setdefault(fact_id, []).append(_evidence(row, fact_id, stands=True))
    return found


def _fact(row: Any, period: Period | None, evidence: tuple[Evidence, ...], zone: str) -> Fact:
    number, uid, scope = row[:3]
    predicate, value = row[6], row[10]
    subject = EntityRef(*row[3:6])
    object_ = None if row[7] is None else EntityRef(*row[7:10])
    rest = [*row[11:20], bool(row[20]), *row[21:26], zone, period, evidence]
    return Fact(number, uid, scope, subject, predicate, object_, value, *rest)


SELECT_PERIODS = """
SELECT p.fact_id, p.valid_from, p.valid_to, p.from_precision, p.from_basis, p.to_precision,
  p.to_basis, p.ended_by, p.certainty, b.at, e.at
FROM fact_periods p
JOIN operations b ON b.operation_id = p.recorded_from
LEFT JOIN operations e ON e.operation_id = p.recorded_to
WHERE p.fact_id IN (SELECT value FROM carray(:facts)) AND {where}
ORDER BY p.valid_from, p.recorded_from, p.period_id
"""
EVER = "1"


def first_periods(db: Connection, fact_ids: Sequence[int], when: AsOf) -> dict[int, Period]:
    """Read for each fact the period that answers a question: the last one, where several do."""
    return {number: periods[-1] for number, periods in list_all_periods(db, fact_ids, when).items()}


def list_all_periods(
    db: Connection, fact_ids: Sequence[int], when: AsOf | None
) -> dict[int, list[Period]]:
    """Read the periods of facts by start: those that answer a question, or all there ever were."""
    if not fact_ids:
        return {}
    values = {"facts": number_list(fact_ids), "valid_at": 0, "known": 0}
    where = EVER
    if when is not None:
        values |= {"valid_at": when.valid_at or 0, "known": when.known or 0}
        where = _periods_where(when)
    rows: Any = db.execute(SELECT_PERIODS.replace("{where}", where), values)
    found: dict[int, list[Period]] = {}
    for row in rows:
        found.setdefault(row[0], []).append(Period(*row[1:]))
    return found


def list_periods(db: Connection, fact_id: int, when: AsOf | None = None) -> list[Period]:
    """Read the periods of a fact by start: those that answer a question, or all there ever were."""
    return list_all_periods(db, [fact_id], when).get(fact_id, [])


EVIDENCE = """
SELECT v.fact_id, e.uid, v.span_from, v.span_to, t.text, e.role, n.name, s.name, e.occurred_from,
  e.precision, e.zone, v.asserted_at, v.source_class, v.recorded_to = 9223372036854775807,
  v.evidence_id
FROM evidence v
CROSS JOIN episodes e ON e.episode_id = v.episode_id
JOIN shown_texts t ON t.episode_id = v.episode_id
LEFT JOIN sessions n ON n.session_id = e.session_id
LEFT JOIN entities s ON s.entity_id = e.speaker_id
WHERE e.visibility = 'visible' AND e.withdrawn IS NULL AND v.evidence_id IN ({numbers})
ORDER BY v.asserted_at, v.evidence_id
"""
SELECT_EVIDENCE = EVIDENCE.replace(
    "{numbers}",
    """
    SELECT evidence_id FROM evidence
      WHERE fact_id IN (SELECT value FROM carray(:facts)) AND recorded_to = 9223372036854775807
    UNION ALL
    SELECT evidence_id FROM evidence
      WHERE fact_id IN (SELECT value FROM carray(:facts)) AND recorded_to < 9223372036854775807""",
)
SELECT_EVIDENCE_OF = EVIDENCE.replace("{numbers}", "SELECT value FROM carray(?)")


def load_evidence(db: Connection, fact_ids: Sequence[int]) -> dict[int, list[Evidence]]:
    """Read the sentences that facts rest on, those that no longer count among them."""
    found: dict[int, list[Evidence]] = {}
    rows: Any = db.execute(SELECT_EVIDENCE, {"facts": number_list(fact_ids)})
    for row in rows:
        found.setdefault(row[0], []).append(_evidence(row, row[0], stands=bool(row[13])))
    return found


def _evidence(row: Any, fact_id: int, *, stands: bool) -> Evidence:
    text, start, end = row[4], row[2], row[3]
    at = format_moment(row[8], row[9], row[10])
    who = (row[5], row[6], row[7], at, row[11], row[12])
    return Evidence(row[1], start, end, text[start:end], text, *who, stands, fact_id)


SELECT_SPAN = """
SELECT e.uid, t.text, e.role, n.name, s.name, e.occurred_from, e.precision, e.zone
FROM episodes e
JOIN shown_texts t ON t.episode_id = e.episode_id
LEFT JOIN sessions n ON n.session_id = e.session_id
LEFT JOIN entities s ON s.entity_id = e.speaker_id
WHERE e.episode_id = :episode_id AND e.visibility = 'visible' AND e.withdrawn IS NULL
"""


def load_spans(db: Connection, spans: Sequence[tuple[int, int, int]]) -> list[Evidence]:
    """Read the sentences of spans (episode, from, to); those that may not be seen are left out."""
    found = []
    for episode_id, start, end in spans:
        row: Any = db.execute(SELECT_SPAN, {"episode_id": episode_id}).fetchone()
        if row is not None:
            uid, text, role, session, speaker, occurred, precision, zone = row
            at = format_moment(occurred, precision, zone)
            who = (role, session, speaker, at, occurred, role)
            found.append(Evidence(uid, start, end, text[start:end], text, *who, stands=True))
    return found


AT_OF = "SELECT at FROM operations WHERE operation_id = :number"
LAST_OPERATION = "SELECT coalesce(max(operation_id), 0) FROM operations"


def last_operation_until(db: Connection, at: int) -> int:
    """Find the last operation at or before an instant; 0 when there is none.

    Numbers and instants grow together, so halving finds it without an index.
    """
    low, high = 0, int(db.execute(LAST_OPERATION).get)
    while low < high:
        middle = (low + high + 1) // 2
        found: Any = db.execute(AT_OF, {"number": middle}).get
        if found is None or found > at:
            high = middle - 1
        else:
            low = middle
    return low
