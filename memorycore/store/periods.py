"""Periods of facts: rows are added and closed; what was believed before stays answerable."""

from collections.abc import Iterable, Sequence
from typing import Any

from memorycore.model.timeline import Mark, Piece, Window
from memorycore.store.connection import Connection, number_list

SELECT_TOUCHING = """
SELECT period_id, recorded_from, fact_id, valid_from, valid_to, from_precision, from_basis,
  to_precision, to_basis, ended_by, certainty
FROM fact_periods
WHERE timeline_id = :timeline_id AND valid_to >= :low AND recorded_to = 9223372036854775807
ORDER BY valid_to
"""


def list_touching(db: Connection, timeline_id: int, window: Window) -> list[tuple[int, int, Piece]]:
    """Read the current periods of a timeline that touch a window: number, recorded from, piece."""
    rows: Any = db.execute(SELECT_TOUCHING, {"timeline_id": timeline_id, "low": window.low})
    found = []
    for row in rows:
        # Periods of a timeline lie one after the other: what follows begins later still.
        if row[3] > window.high:
            break
        found.append((row[0], row[1], _piece(row)))
    return found


def _piece(row: Any) -> Piece:
    return Piece(
        row[2], row[3], row[4], Mark(row[5], row[6]), Mark(row[7], row[8]), row[9], row[10]
    )


DELETE = "DELETE FROM fact_periods WHERE period_id = :period_id"
CLOSE = "UPDATE fact_periods SET recorded_to = :recorded WHERE period_id = :period_id"


def close_period(db: Connection, period_id: int, recorded_from: int, *, recorded: int) -> None:
    """End the belief in a period; one that this very operation wrote was never believed."""
    if recorded_from == recorded:
        db.execute(DELETE, {"period_id": period_id})
    else:
        db.execute(CLOSE, {"period_id": period_id, "recorded": recorded})


INSERT = """
INSERT INTO fact_periods(fact_id, timeline_id, subject_id, predicate_id, valid_from, valid_to,
  from_precision, from_basis, to_precision, to_basis, ended_by, certainty, recorded_from)
VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""


def insert_periods(
    db: Connection,
    timeline_id: int,
    places: dict[int, tuple[int, int]],
    pieces: Iterable[Piece],
    *,
    recorded: int,
) -> None:
    """Add periods; ``places`` gives each fact's predicate and subject."""
    for piece in pieces:
        predicate_id, subject_id = places[piece.fact_id]
        db.execute(
            INSERT,
            (
                piece.fact_id,
                timeline_id,
                subject_id,
                predicate_id,
                piece.valid_from,
                piece.valid_to,
                piece.from_mark.precision,
                piece.from_mark.basis,
                piece.to_mark.precision,
                piece.to_mark.basis,
                piece.ended_by,
                piece.certainty,
                recorded,
            ),
        )


SELECT_OF_FACT = """
SELECT period_id, recorded_from, fact_id, valid_from, valid_to, from_precision, from_basis,
  to_precision, to_basis, ended_by, certainty
FROM fact_periods WHERE fact_id = :fact_id AND recorded_to = 9223372036854775807
ORDER BY valid_from
"""


def list_current(db: Connection, fact_id: int) -> list[Piece]:
    """Read the periods of a fact that are believed now, by start."""
    return [_piece(row) for row in db.execute(SELECT_OF_FACT, {"fact_id": fact_id})]


def list_current_rows(db: Connection, fact_id: int) -> list[tuple[int, int, Piece]]:
    """Read the periods of a fact that are believed now: number, recorded from, piece."""
    rows: Any = db.execute(SELECT_OF_FACT, {"fact_id": fact_id})
    return [(row[0], row[1], _piece(row)) for row in rows]


SELECT_BELIEVED = """
SELECT period_id, recorded_from, fact_id, valid_from, valid_to, from_precision, from_basis,
  to_precision, to_basis, ended_by, certainty
FROM fact_periods WHERE fact_id IN (SELECT value FROM carray(:facts))
  AND recorded_to > :known AND recorded_from <= :known
ORDER BY valid_from
"""


def list_believed(db: Connection, fact_ids: Sequence[int], known: int) -> dict[int, list[Piece]]:
    """Read the periods of facts that were believed after an operation, by start."""
    found: dict[int, list[Piece]] = {}
    values = {"facts": number_list(fact_ids), "known": known}
    for row in db.execute(SELECT_BELIEVED, values):
        piece = _piece(row)
        found.setdefault(piece.fact_id, []).append(piece)
    return found


SELECT_OPEN = """
SELECT period_id, recorded_from FROM fact_periods
WHERE fact_id = :fact_id AND recorded_to = 9223372036854775807
"""


def list_open(db: Connection, fact_id: int) -> list[tuple[int, int]]:
    """List the periods of a fact that are believed now, with the operation that recorded each."""
    rows: Any = db.execute(SELECT_OPEN, {"fact_id": fact_id}).fetchall()
    return list(rows)


SELECT_SHOWN = """
SELECT DISTINCT fact_id FROM fact_periods
WHERE fact_id IN (SELECT value FROM carray(?)) AND recorded_to = 9223372036854775807
"""


def list_shown(db: Connection, facts: Sequence[int]) -> set[int]:
    """Tell which of some facts are believed at any time."""
    if not facts:
        return set()
    return {row[0] for row in db.execute(SELECT_SHOWN, (number_list(facts),))}
