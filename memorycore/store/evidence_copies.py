"""Copies of evidence: a merged fact rests on the sentences of its parts."""

from memorycore.store.connection import Connection

COPY = """
INSERT INTO evidence(fact_id, timeline_id, episode_id, span_from, span_to, candidate_id, starts,
  ends, from_precision, from_basis, to_precision, to_basis, ended_by, asserted_at, source_class,
  reliability, occasion, recorded_from)
SELECT :to_fact, :timeline_id, episode_id, span_from, span_to, candidate_id, starts,
  ends, from_precision, from_basis, to_precision, to_basis, ended_by, asserted_at, source_class,
  reliability, occasion, :recorded
FROM evidence e
WHERE fact_id = :from_fact AND recorded_to = 9223372036854775807 AND NOT EXISTS (
  SELECT 1 FROM evidence o WHERE o.fact_id = :to_fact AND o.episode_id = e.episode_id
    AND o.span_from = e.span_from AND o.starts = e.starts AND o.ends = e.ends
    AND o.recorded_to = 9223372036854775807)
ORDER BY evidence_id
"""


def copy_evidence(
    db: Connection, from_fact: int, to_fact: int, timeline_id: int, *, recorded: int
) -> None:
    """Let a fact rest on the evidence of another too."""
    values = {"from_fact": from_fact, "to_fact": to_fact, "timeline_id": timeline_id}
    db.execute(COPY, values | {"recorded": recorded})


COPY_OF_CANDIDATE = COPY.replace(
    "WHERE fact_id = :from_fact", "WHERE candidate_id = :candidate_id AND fact_id = :from_fact"
)


def copy_evidence_of(
    db: Connection,
    candidate_id: int,
    *,
    from_fact: int,
    to_fact: int,
    timeline_id: int,
    recorded: int,
) -> None:
    """Let a fact rest on what one candidate has brought to another too."""
    values = {"from_fact": from_fact, "to_fact": to_fact, "timeline_id": timeline_id}
    values |= {"candidate_id": candidate_id, "recorded": recorded}
    db.execute(COPY_OF_CANDIDATE, values)
