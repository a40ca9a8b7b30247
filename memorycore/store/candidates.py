"""Candidates, with what became of them: decisions and review items."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import apsw

from memorycore.store.connection import Connection, number_list


class CandidateRow(NamedTuple):
    """A candidate that is to be added, in the order of the columns."""

    candidate_id: int
    uid: bytes
    scope_id: int
    proposer: str
    place: str
    state: str
    statement: str | None
    identity: bytes | None
    fingerprint: bytes | None
    recorded_from: int


Span = tuple[int, int, int, int]
"""Candidate, episode, and the half-open span of code points in its text."""

INSERT_CANDIDATE = f"""
INSERT INTO candidates({", ".join(CandidateRow._fields)})
VALUES({", ".join("?" * len(CandidateRow._fields))})
"""
INSERT_SPAN = """
INSERT OR IGNORE INTO candidate_evidence(candidate_id, episode_id, span_from, span_to)
VALUES(?, ?, ?, ?)
"""


def insert_candidates(db: Connection, rows: Sequence[CandidateRow], spans: Sequence[Span]) -> None:
    """Add candidates, and where the sentences are that they rest on."""
    db.executemany(INSERT_CANDIDATE, rows)
    db.executemany(INSERT_SPAN, spans)


NEXT_ID = "SELECT coalesce(max(candidate_id), 0) + 1 FROM candidates"


def next_candidate_id(db: Connection) -> int:
    """Give the number of the next candidate; it holds while the write lock is held."""
    return int(db.execute(NEXT_ID).get)


SELECT_KNOWN = """
SELECT c.fingerprint, c.candidate_id, d.reason FROM candidates c
LEFT JOIN decisions d ON d.candidate_id = c.candidate_id AND d.recorded_to = 9223372036854775807
WHERE c.fingerprint IN (SELECT value FROM carray(?)) AND c.recorded_to = 9223372036854775807
"""


def list_known(
    db: Connection, fingerprints: Sequence[bytes]
) -> dict[bytes, tuple[int, str | None]]:
    """Tell which candidates are there already: number, and the reason of the decision."""
    if not fingerprints:
        return {}
    rows: Any = db.execute(SELECT_KNOWN, (apsw.carray(tuple(fingerprints)),))
    return {fingerprint: (number, reason) for fingerprint, number, reason in rows}


SELECT_SUPPRESSED = """
SELECT c.candidate_id FROM decisions d INDEXED BY decisions_that_suppressed
CROSS JOIN candidates c ON c.candidate_id = d.candidate_id
WHERE d.reason = 'suppressed' AND d.recorded_to = 9223372036854775807
  AND c.scope_id = ? AND c.recorded_to = 9223372036854775807
ORDER BY d.candidate_id
"""


def list_suppressed(db: Connection, scope_id: int) -> list[int]:
    """List the candidates of a scope that were refused since they may not come back."""
    return [row[0] for row in db.execute(SELECT_SUPPRESSED, (scope_id,))]


@dataclass(slots=True)
class StoredCandidate:
    """A candidate as it is stored. ``spans`` are (episode, from, to)."""

    candidate_id: int
    uid: bytes
    scope_id: int
    proposer: str
    place: str
    state: str
    statement: str | None
    recorded_from: int
    spans: tuple[tuple[int, int, int], ...] = ()


STORED = """
SELECT candidate_id, uid, scope_id, proposer, place, state, statement, recorded_from
FROM shown_candidates WHERE """
SELECT_BY_STATE = (
    STORED
    + """recorded_to = 9223372036854775807 AND scope_id = :scope_id AND state = :state
  AND state IN ('pending', 'review') AND candidate_id > :after
ORDER BY candidate_id LIMIT :limit"""
)
SELECT_ALL = (
    STORED
    + """recorded_to = 9223372036854775807 AND candidate_id > :after
  AND scope_id IN (SELECT value FROM carray(:scopes)) AND (:state IS NULL OR state = :state)
ORDER BY candidate_id LIMIT :limit"""
)
SELECT_BY_UID = (
    STORED
    + """uid BETWEEN :lowest AND :highest AND recorded_to = 9223372036854775807
  AND scope_id IN (SELECT value FROM carray(:scopes)) ORDER BY uid LIMIT 4"""
)
SELECT_BY_NUMBERS = STORED + "candidate_id IN (SELECT value FROM carray(?)) ORDER BY candidate_id"
SELECT_ALIKE = STORED + "identity = ? AND recorded_to = 9223372036854775807 AND state = 'review'"
SELECT_SPANS = """
SELECT candidate_id, episode_id, span_from, span_to FROM candidate_evidence
WHERE candidate_id IN (SELECT value FROM carray(?))
"""


def _with_spans(db: Connection, rows: Iterable[Any]) -> list[StoredCandidate]:
    found = [StoredCandidate(*row) for row in rows]
    if not found:
        return []
    spans: dict[int, list[tuple[int, int, int]]] = {}
    numbers = number_list([one.candidate_id for one in found])
    for candidate_id, episode_id, start, end in db.execute(SELECT_SPANS, (numbers,)):
        spans.setdefault(candidate_id, []).append((episode_id, start, end))
    for one in found:
        one.spans = tuple(spans.get(one.candidate_id, ()))
    return found


def list_in_state(
    db: Connection, scope_id: int, state: str, *, after: int = 0, limit: int
) -> list[StoredCandidate]:
    """List candidates of a scope that are ``pending`` or in ``review``, oldest first."""
    values = {"scope_id": scope_id, "state": state, "after": after, "limit": limit}
    return _with_spans(db, db.execute(SELECT_BY_STATE, values).fetchall())


def list_candidates(
    db: Connection, scope_ids: Sequence[int], *, state: str | None, after: int, limit: int
) -> list[StoredCandidate]:
    """List candidates of some scopes, oldest first."""
    values = {"scopes": number_list(scope_ids), "state": state, "after": after, "limit": limit}
    return _with_spans(db, db.execute(SELECT_ALL, values).fetchall())


def list_by_uid(
    db: Connection, lowest: bytes, highest: bytes, scope_ids: Sequence[int]
) -> list[StoredCandidate]:
    """Find the candidates (at most four) whose id lies in a range."""
    values = {"lowest": lowest, "highest": highest, "scopes": number_list(scope_ids)}
    return _with_spans(db, db.execute(SELECT_BY_UID, values).fetchall())


def list_by_number(db: Connection, numbers: Sequence[int]) -> list[StoredCandidate]:
    """Read candidates by number, oldest first."""
    return _with_spans(db, db.execute(SELECT_BY_NUMBERS, (number_list(numbers),)).fetchall())


def list_alike(db: Connection, identity: bytes) -> list[StoredCandidate]:
    """List the candidates in review that make the same statement."""
    return _with_spans(db, db.execute(SELECT_ALIKE, (identity,)).fetchall())


SET_IDENTITY = "UPDATE candidates SET identity = ? WHERE candidate_id = ?"


def set_identity(db: Connection, candidate_id: int, identity: bytes) -> None:
    """Keep by what a waiting candidate is recognised as saying the same as another."""
    db.execute(SET_IDENTITY, (identity, candidate_id))


SET_STATE = "UPDATE candidates SET state = ? WHERE candidate_id = ?"


def set_new_state(db: Connection, candidate_id: int, state: str) -> None:
    """Set the state of a candidate that this very operation has added."""
    db.execute(SET_STATE, (state, candidate_id))


TAKE_WORDS = "UPDATE candidates SET statement = NULL WHERE candidate_id = ?"


def take_words(db: Connection, candidate_id: int) -> None:
    """Keep no more of what a candidate says; that it was there stays known."""
    db.execute(TAKE_WORDS, (candidate_id,))


class DecisionRow(NamedTuple):
    """What was decided of a candidate, in the order of the columns."""

    candidate_id: int
    kind: str
    reason: str
    fact_id: int | None
    target_id: int | None
    recorded_from: int


INSERT_DECISION = f"""
INSERT INTO decisions({", ".join(DecisionRow._fields)})
VALUES({", ".join("?" * len(DecisionRow._fields))})
"""


def insert_decisions(db: Connection, rows: Sequence[DecisionRow]) -> None:
    """Keep what was decided."""
    db.executemany(INSERT_DECISION, rows)


SELECT_DECISION = """
SELECT decision_id, kind, reason, fact_id, target_id, recorded_from FROM decisions
WHERE candidate_id = :candidate_id AND recorded_to = 9223372036854775807
"""


@dataclass(slots=True)
class StoredDecision:
    """The decision on a candidate that stands."""

    decision_id: int
    kind: str
    reason: str
    fact_id: int | None
    target_id: int | None
    recorded_from: int


def find_decision(db: Connection, candidate_id: int) -> StoredDecision | None:
    """Find the decision on a candidate that stands."""
    row: Any = db.execute(SELECT_DECISION, {"candidate_id": candidate_id}).fetchone()
    return StoredDecision(*row) if row else None


DELETE_DECISION = "DELETE FROM decisions WHERE decision_id = :decision_id"


def delete_decision(db: Connection, decision_id: int) -> None:
    """Take out a decision that this very operation made, and has made anew."""
    db.execute(DELETE_DECISION, {"decision_id": decision_id})


SELECT_ADMITTING = """
SELECT d.candidate_id, d.kind, d.reason, d.recorded_from FROM decisions d
WHERE d.fact_id = :fact_id AND d.recorded_to = 9223372036854775807 ORDER BY d.decision_id
"""


def list_admitting(db: Connection, fact_id: int) -> list[tuple[int, str, str, int]]:
    """List the decisions that made or strengthened a fact: candidate, kind, reason, operation."""
    rows: Any = db.execute(SELECT_ADMITTING, {"fact_id": fact_id})
    return list(rows)


INSERT_REVIEW = """
INSERT INTO review_items(candidate_id, proposed, reason, fact_id, target_id, state, recorded_from)
VALUES(:candidate_id, :proposed, :reason, :fact_id, :target_id, 'open', :recorded)
"""


def insert_review(db: Connection, row: DecisionRow, *, proposed: str) -> None:
    """Put a candidate up for review, with what would be done if it is approved."""
    values = {"candidate_id": row.candidate_id, "proposed": proposed, "reason": row.reason}
    values |= {"fact_id": row.fact_id, "target_id": row.target_id, "recorded": row.recorded_from}
    db.execute(INSERT_REVIEW, values)


@dataclass(slots=True)
class StoredReview:
    """A review item as it is stored."""

    review_item_id: int
    candidate_id: int
    proposed: str
    reason: str
    fact_id: int | None
    target_id: int | None
    state: str
    recorded_from: int


SELECT_REVIEW = """
SELECT review_item_id, candidate_id, proposed, reason, fact_id, target_id, state, recorded_from
FROM review_items
WHERE candidate_id = :candidate_id AND recorded_to = 9223372036854775807
ORDER BY review_item_id DESC LIMIT 1
"""


def find_review(db: Connection, candidate_id: int) -> StoredReview | None:
    """Find the newest review item of a candidate."""
    row: Any = db.execute(SELECT_REVIEW, {"candidate_id": candidate_id}).fetchone()
    return StoredReview(*row) if row else None


COUNT_OPEN = """
SELECT count(*) FROM shown_candidates
WHERE recorded_to = 9223372036854775807 AND state = :state
  AND state IN ('pending', 'review') AND scope_id IN (SELECT value FROM carray(:scopes))
"""


def count_in_state(db: Connection, scope_ids: Sequence[int], state: str) -> int:
    """Count the candidates of some scopes that are ``pending`` or in ``review``."""
    values = {"state": state, "scopes": number_list(scope_ids)}
    return int(db.execute(COUNT_OPEN, values).get)
