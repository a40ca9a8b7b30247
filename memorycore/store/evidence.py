"""Evidence: the sentences that facts rest on, each an observation in a timeline."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from memorycore.model.timeline import Mark, Observation
from memorycore.store.connection import Connection, number_list


class EvidenceRow(NamedTuple):
    """An observation as it is stored, in the order of the columns."""

    fact_id: int
    timeline_id: int
    episode_id: int
    span_from: int
    span_to: int
    candidate_id: int
    starts: int
    ends: int
    from_precision: str
    from_basis: str
    to_precision: str
    to_basis: str
    ended_by: str
    asserted_at: int | None
    source_class: str
    reliability: float
    occasion: int
    recorded_from: int


NEXT_ID = "SELECT coalesce(max(evidence_id), 0) + 1 FROM evidence"


def next_evidence_id(db: Connection) -> int:
    """Give the number of the next piece of evidence; it holds while the write lock is held."""
    return int(db.execute(NEXT_ID).get)


INSERT_EVIDENCE = """
INSERT INTO evidence(fact_id, timeline_id, episode_id, span_from, span_to, candidate_id, starts,
  ends, from_precision, from_basis, to_precision, to_basis, ended_by, asserted_at, source_class,
  reliability, occasion, recorded_from)
VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""


def insert_evidence(db: Connection, rows: Sequence[EvidenceRow]) -> None:
    """Add evidence."""
    for row in rows:
        db.execute(INSERT_EVIDENCE, row)


OBSERVATION = """
SELECT fact_id, starts, ends, from_precision, from_basis, to_precision, to_basis, ended_by,
  asserted_at, source_class, reliability, occasion, episode_id, span_from
FROM evidence WHERE recorded_to = 9223372036854775807 AND """


def _observation(row: Any) -> Observation:
    return Observation(
        row[0],
        row[1],
        row[2],
        Mark(row[3], row[4]),
        Mark(row[5], row[6]),
        row[7],
        row[8],
        row[9],
        row[10],
        row[11],
        (row[12], row[13]),
    )


SELECT_TIMELINE = OBSERVATION + "timeline_id = :timeline_id ORDER BY starts"


def list_observations(db: Connection, timeline_id: int) -> list[Observation]:
    """Read all observations of a timeline that stand, by start."""
    return [_observation(row) for row in db.execute(SELECT_TIMELINE, {"timeline_id": timeline_id})]


SELECT_FROM = OBSERVATION + "timeline_id = :timeline_id AND starts >= :starts ORDER BY starts"


def walk_observations(
    db: Connection, timeline_id: int, starts: int, ends: int
) -> tuple[list[Observation], int]:
    """Read the observations that can matter to one over [starts, ends), and where that stops.

    They begin with it or later; the first open one that begins later covers all that follows. Those
    that begin just where that stops are read too: they say how its end is known.
    """
    found = []
    high = ends
    values = {"timeline_id": timeline_id, "starts": starts}
    for row in db.execute(SELECT_FROM, values):
        one = _observation(row)
        if one.starts > high:
            break
        found.append(one)
        if one.starts > starts and one.ended_by == "nothing":
            high = one.starts
    return found, high


SELECT_OF_FACT = OBSERVATION + "fact_id = :fact_id ORDER BY evidence_id"


def list_of_fact(db: Connection, fact_id: int) -> list[Observation]:
    """Read the observations of a fact that stand, oldest first."""
    return [_observation(row) for row in db.execute(SELECT_OF_FACT, {"fact_id": fact_id})]


HAS_EVIDENCE = """
SELECT EXISTS(SELECT 1 FROM evidence
  WHERE fact_id = ? AND recorded_to = 9223372036854775807)
"""


def has_evidence(db: Connection, fact_id: int) -> bool:
    """Tell whether a fact rests on anything."""
    return bool(db.execute(HAS_EVIDENCE, (fact_id,)).get)


# What is open at the end is passed over in the index.
HAS_ENDINGS = """
SELECT EXISTS(SELECT 1 FROM evidence
  WHERE fact_id IN (SELECT value FROM carray(?)) AND ends < 9223372036854775807
    AND ended_by = 'statement' AND recorded_to = 9223372036854775807)
"""


def has_endings(db: Connection, facts: Sequence[int]) -> bool:
    """Tell whether a sentence says of any of some facts that it ended."""
    return bool(facts) and bool(db.execute(HAS_ENDINGS, (number_list(facts),)).get)


ENDS_AT = """
SELECT EXISTS(SELECT 1 FROM evidence
  WHERE fact_id IN (SELECT value FROM carray(?)) AND ends = ?
    AND recorded_to = 9223372036854775807)
"""


def ends_at(db: Connection, facts: Sequence[int], instant: int) -> bool:
    """Tell whether an observation of any of some facts ends just at an instant."""
    return bool(facts) and bool(db.execute(ENDS_AT, (number_list(facts), instant)).get)


HAS_ALIKE = """
SELECT EXISTS(SELECT 1 FROM evidence
  WHERE timeline_id = ? AND starts = ? AND fact_id = ? AND ends = ? AND ended_by = ?
    AND from_precision = ? AND from_basis = ? AND to_precision = ? AND to_basis = ?
    AND reliability >= ? AND recorded_to = 9223372036854775807)
"""


def has_alike(
    db: Connection, timeline_id: int, one: Observation, *, least_reliability: float
) -> bool:
    """Tell whether an observation of the same fact says just the same of its period."""
    marks = (*_columns(one.from_mark), *_columns(one.to_mark))
    values = (timeline_id, one.starts, one.fact_id, one.ends, one.ended_by, *marks)
    return bool(db.execute(HAS_ALIKE, (*values, least_reliability)).get)


def _columns(mark: Mark) -> tuple[str, str]:
    return mark.precision, mark.basis


HAS_RIVALS = """
SELECT EXISTS(SELECT 1 FROM evidence
  WHERE timeline_id = ? AND starts BETWEEN ? AND ? AND fact_id != ?
    AND recorded_to = 9223372036854775807)
"""


def has_rivals(db: Connection, timeline_id: int, fact_id: int, low: int, high: int) -> bool:
    """Tell whether another fact is observed to begin between two instants, both included."""
    return bool(db.execute(HAS_RIVALS, (timeline_id, low, high, fact_id)).get)


BEGINS_AT = """
SELECT EXISTS(SELECT 1 FROM evidence
  WHERE timeline_id = ? AND starts = ? AND recorded_to = 9223372036854775807)
"""


def begins_at(db: Connection, timeline_id: int, instant: int) -> bool:
    """Tell whether anything in a timeline is observed to begin just at an instant."""
    return bool(db.execute(BEGINS_AT, (timeline_id, instant)).get)


HAS_OPEN = """
SELECT EXISTS(SELECT 1 FROM evidence
  WHERE fact_id = ? AND ended_by != 'statement' AND recorded_to = 9223372036854775807)
"""


def has_open(db: Connection, fact_id: int) -> bool:
    """Tell whether a fact has an observation whose end no sentence says."""
    return bool(db.execute(HAS_OPEN, (fact_id,)).get)


HAS_AS_SURE = """
SELECT EXISTS(SELECT 1 FROM evidence
  WHERE fact_id = ? AND occasion = ? AND reliability >= ? AND recorded_to = 9223372036854775807
    AND (episode_id, span_from, starts, ends) != (?, ?, ?, ?))
"""


def has_as_sure(db: Connection, one: Observation) -> bool:
    """Tell whether another observation of the same occasion is as sure of the same fact."""
    key = (*one.sequence, one.starts, one.ends)
    return bool(db.execute(HAS_AS_SURE, (one.fact_id, one.occasion, one.reliability, *key)).get)


EXISTS = """
SELECT count(*) FROM evidence
WHERE fact_id = ? AND episode_id = ? AND span_from = ? AND starts = ? AND ends = ?
  AND recorded_to = 9223372036854775807
"""


def is_known(db: Connection, fact_id: int, row: Sequence[int]) -> bool:
    """Tell whether a fact rests already on this sentence, for this period.

    ``row`` is the episode, the span's start, and the period.
    """
    return bool(db.execute(EXISTS, (fact_id, *row)).get)


MAX_OCCASIONS = 32
"""So many occasions count for the confidence of a fact: more cannot make it surer."""
SELECT_STRENGTH = f"""
SELECT max(reliability) FROM evidence
WHERE fact_id = :fact_id AND recorded_to = 9223372036854775807
GROUP BY occasion ORDER BY 1 DESC LIMIT {MAX_OCCASIONS}
"""


def list_reliabilities(db: Connection, fact_id: int) -> list[float]:
    """List how reliable each independent occasion is that supports a fact, the best first."""
    return [row[0] for row in db.execute(SELECT_STRENGTH, {"fact_id": fact_id})]


COUNT = """
SELECT count(*) FROM evidence WHERE fact_id = :fact_id AND recorded_to = 9223372036854775807
"""


def count_evidence(db: Connection, fact_id: int) -> int:
    """Count the evidence of a fact that stands."""
    return int(db.execute(COUNT, {"fact_id": fact_id}).get)


SELECT_PLACES = """
SELECT evidence_id, fact_id, timeline_id FROM evidence
WHERE evidence_id IN (SELECT value FROM carray(?))
"""


def places_of(db: Connection, numbers: Sequence[int]) -> list[tuple[int, int, int]]:
    """Tell of pieces of evidence which fact and timeline each belongs to."""
    if not numbers:
        return []
    rows: Any = db.execute(SELECT_PLACES, (number_list(numbers),))
    return list(rows)


SELECT_OF_EPISODES = """
SELECT evidence_id FROM evidence
WHERE episode_id IN (SELECT value FROM carray(?)) AND recorded_to = 9223372036854775807
"""


def list_of_episodes(db: Connection, episodes: Sequence[int]) -> list[int]:
    """List the standing evidence that lies in some episodes."""
    if not episodes:
        return []
    return [row[0] for row in db.execute(SELECT_OF_EPISODES, (number_list(episodes),))]


SELECT_ENDED_OF_EPISODES = """
SELECT evidence_id FROM evidence
WHERE episode_id IN (SELECT value FROM carray(?)) AND recorded_to < 9223372036854775807
"""


def list_ended_of_episodes(db: Connection, episodes: Sequence[int]) -> list[int]:
    """List the evidence in some episodes that no longer counts."""
    rows = db.execute(SELECT_ENDED_OF_EPISODES, (number_list(episodes),))
    return [row[0] for row in rows]


SELECT_NUMBERS = """
SELECT evidence_id FROM evidence
WHERE fact_id = :fact_id AND recorded_to = 9223372036854775807 ORDER BY evidence_id
"""


def list_numbers(db: Connection, fact_id: int) -> list[int]:
    """List the numbers of a fact's standing evidence."""
    return [row[0] for row in db.execute(SELECT_NUMBERS, {"fact_id": fact_id})]


SELECT_CLASSES = """
SELECT DISTINCT source_class FROM evidence
WHERE fact_id = :fact_id AND recorded_to = 9223372036854775807
"""


def list_classes(db: Connection, fact_id: int) -> list[str]:
    """List the classes of source that a fact rests on."""
    return [row[0] for row in db.execute(SELECT_CLASSES, {"fact_id": fact_id})]


SELECT_OCCASIONS = """
SELECT DISTINCT occasion FROM evidence
WHERE fact_id = :fact_id AND recorded_to = 9223372036854775807 LIMIT 100
"""


def list_occasions(db: Connection, fact_id: int) -> set[int]:
    """Tell on which occasions a fact was observed (at most 100)."""
    return {row[0] for row in db.execute(SELECT_OCCASIONS, {"fact_id": fact_id})}


SELECT_COPIES = """
SELECT m.evidence_id FROM links l
JOIN evidence m ON m.fact_id = l.from_fact_id AND m.recorded_to = 9223372036854775807
JOIN evidence p ON p.fact_id = l.to_fact_id AND p.candidate_id = m.candidate_id
  AND p.episode_id = m.episode_id AND p.span_from = m.span_from
WHERE l.link_id IN (SELECT value FROM carray(?)) AND l.kind = 'MERGED_FROM' AND NOT EXISTS (
  SELECT 1 FROM links o JOIN evidence q ON q.fact_id = o.to_fact_id
  WHERE o.from_fact_id = l.from_fact_id AND o.kind = 'MERGED_FROM' AND o.link_id != l.link_id
    AND o.recorded_to = 9223372036854775807 AND q.candidate_id = m.candidate_id
    AND q.episode_id = m.episode_id AND q.span_from = m.span_from
    AND q.recorded_to = 9223372036854775807)
"""


def list_copies(db: Connection, link_ids: Sequence[int]) -> list[int]:
    """List the evidence that merged facts have only from parts, by the links between them."""
    rows = db.execute(SELECT_COPIES, (number_list(link_ids),))
    return list(dict.fromkeys(row[0] for row in rows))


SELECT_OF_CANDIDATE = """
SELECT evidence_id FROM evidence
WHERE candidate_id = :candidate_id AND recorded_to = 9223372036854775807
"""


def list_of_candidate(db: Connection, candidate_id: int) -> list[int]:
    """List the standing evidence that a candidate has brought."""
    return [row[0] for row in db.execute(SELECT_OF_CANDIDATE, {"candidate_id": candidate_id})]
