"""What was believed of facts at an earlier operation: their state, and how sure they were."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memorycore.model.confidence import combine
from memorycore.model.timeline import validity_of
from memorycore.store.connection import Connection, number_list
from memorycore.store.evidence import MAX_OCCASIONS
from memorycore.store.periods import list_believed

SELECT_LIFECYCLES = """
SELECT row_id, old FROM changes
WHERE operation_id > :known AND record = 'fact' AND field = 'lifecycle' ORDER BY +change_id
"""


def lifecycles_then(db: Connection, known: int) -> dict[int, str]:
    """Give the lifecycle that facts had after an operation, where it has changed since."""
    found: dict[int, str] = {}
    rows: Any = db.execute(SELECT_LIFECYCLES, {"known": known})
    for fact_id, old in rows:
        found.setdefault(fact_id, old)
    return found


SELECT_MOVED = """
SELECT row_id, field, old FROM changes
WHERE operation_id > :known AND record = 'evidence' AND field IN ('fact_id', 'recorded_to')
ORDER BY +change_id
"""
SELECT_SENTENCES = """
SELECT v.evidence_id, v.fact_id, v.recorded_to, v.reliability, v.occasion,
  e.visibility = 'visible' AND e.withdrawn IS NULL
FROM evidence v CROSS JOIN episodes e ON e.episode_id = v.episode_id
WHERE v.evidence_id IN (
    SELECT evidence_id FROM evidence
      WHERE fact_id IN (SELECT value FROM carray(:facts)) AND recorded_to = 9223372036854775807
    UNION
    SELECT evidence_id FROM evidence
      WHERE fact_id IN (SELECT value FROM carray(:facts)) AND recorded_to < 9223372036854775807
    UNION
    SELECT value FROM json_each(:moved))
  AND v.recorded_from <= :known
"""


@dataclass(frozen=True, slots=True)
class SentenceThen:
    """A piece of evidence as it counted after an operation, and whether it may be seen now."""

    evidence_id: int
    reliability: float
    occasion: int
    is_seen: bool


def sentences_then(
    db: Connection, fact_ids: Sequence[int], known: int
) -> dict[int, list[SentenceThen]]:
    """Give the evidence that facts rested on after an operation, wherever it belongs now."""
    if not fact_ids:
        return {}
    wanted = set(fact_ids)
    before: dict[tuple[int, str], int] = {}
    changes: Any = db.execute(SELECT_MOVED, {"known": known})
    for evidence_id, field, old in changes:
        before.setdefault((evidence_id, field), old)
    moved = [row for (row, field), old in before.items() if field == "fact_id" and old in wanted]
    values = {"facts": number_list(fact_ids), "moved": json.dumps(moved), "known": known}
    rows: Any = db.execute(SELECT_SENTENCES, values)
    found: dict[int, list[SentenceThen]] = {}
    for number, fact_id, until, reliability, occasion, is_seen in rows:
        fact_then = before.get((number, "fact_id"), fact_id)
        if fact_then in wanted and before.get((number, "recorded_to"), until) > known:
            one = SentenceThen(number, reliability, occasion, bool(is_seen))
            found.setdefault(fact_then, []).append(one)
    return found


@dataclass(frozen=True, slots=True)
class StateThen:
    """What followed from a fact's evidence and periods after an operation."""

    validity: str
    confidence: float
    sentences: tuple[SentenceThen, ...]

    @property
    def is_seen(self) -> bool:
        return any(one.is_seen for one in self.sentences)


def states_then(db: Connection, fact_ids: Sequence[int], known: int) -> dict[int, StateThen]:
    """Give the state of facts after an operation; not of those that had no evidence then."""
    pieces = list_believed(db, fact_ids, known) if fact_ids else {}
    found = {}
    for fact_id, sentences in sentences_then(db, fact_ids, known).items():
        best: dict[int, float] = {}
        for one in sentences:
            best[one.occasion] = max(best.get(one.occasion, 0.0), one.reliability)
        validity = validity_of(pieces.get(fact_id, ()))
        surest = sorted(best.values(), reverse=True)[:MAX_OCCASIONS]
        confidence = combine(surest, contested=validity == "uncertain")
        found[fact_id] = StateThen(validity, confidence, tuple(sentences))
    return found
