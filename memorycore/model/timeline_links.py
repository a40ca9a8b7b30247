"""The links that follow from a timeline: which fact follows which, and which contradict."""

from bisect import bisect_left
from collections.abc import Collection, Sequence

from memorycore.model.timeline import Piece

NEAREST = 20
"""Of facts that are contested over the same period each is linked with so many on either side."""


def successions(pieces: Sequence[Piece], of: Collection[int] | None = None) -> set[tuple[int, int]]:
    """List which fact follows which without a gap, as (newer, older).

    With ``of`` only the pairs with one of these facts.
    """
    starting: dict[int, list[int]] = {}
    starting_of: dict[int, list[int]] = {}
    for piece in pieces:
        starting.setdefault(piece.valid_from, []).append(piece.fact_id)
        if of is None or piece.fact_id in of:
            starting_of.setdefault(piece.valid_from, []).append(piece.fact_id)
    found = set()
    for before in pieces:
        if before.ended_by == "successor":
            places = starting if of is not None and before.fact_id in of else starting_of
            found |= {(after, before.fact_id) for after in places.get(before.valid_to, ())}
    return {(newer, older) for newer, older in found if newer != older}


def contradictions(
    pieces: Sequence[Piece], of: Collection[int] | None = None
) -> set[tuple[int, int]]:
    """List which facts are contested over the same period, each pair both ways.

    Where many are, each is paired only with those nearest to it by age, so that the pairs grow with
    the facts and not with their square. With ``of`` only the pairs near these facts are listed:
    those that can have come about, or have gone, when these facts changed.
    """
    together: dict[tuple[int, int], list[int]] = {}
    for piece in pieces:
        if piece.certainty == "uncertain":
            together.setdefault((piece.valid_from, piece.valid_to), []).append(piece.fact_id)
    found = set()
    for facts in together.values():
        facts.sort()
        near = range(len(facts)) if of is None else _near(facts, of)
        for place in near:
            for other in facts[place + 1 : place + 1 + NEAREST]:
                found |= {(facts[place], other), (other, facts[place])}
    return found


def _near(facts: Sequence[int], of: Collection[int]) -> list[int]:
    places: set[int] = set()
    for fact_id in of:
        place = bisect_left(facts, fact_id)
        if place < len(facts) and facts[place] == fact_id:
            places |= set(range(max(0, place - NEAREST), place + 1))
        elif len(facts) > NEAREST:
            places |= set(range(max(0, place - NEAREST), min(place + 1, len(facts))))
    return sorted(places)
