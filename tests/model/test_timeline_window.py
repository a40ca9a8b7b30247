"""A window of a timeline: rewriting only what one observation can change gives the whole."""

from dataclasses import dataclass, field

from hypothesis import example, given, settings
from hypothesis import strategies as st

from memorycore.model.timeline import (
    ASSERTED,
    LOWEST,
    OPEN,
    UNKNOWN,
    Mark,
    Observation,
    Piece,
    Window,
    overtakes,
    rewrite,
    timeline,
)

SAID = Mark("day", "explicit")


@dataclass
class Shelf:
    """What a store would hold of one timeline: its observations, and its periods."""

    observations: list[Observation] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)

    def walk(self, one: Observation) -> tuple[list[Observation], int]:
        """Give what begins with an observation or later, up to the first that stays open.

        What begins just where that stops is among it.
        """
        found: list[Observation] = []
        high = one.ends
        for other in sorted(self.observations, key=lambda other: other.starts):
            if other.starts > high:
                break
            if other.starts >= one.starts:
                found.append(other)
                if other.starts > one.starts and other.ended_by == "nothing":
                    high = other.starts
        return found, high

    def is_enough(self, one: Observation, around: list[Observation], high: int) -> bool:
        """Tell whether no observation that is left out decides on an end inside the window."""
        if one.ended_by != "nothing" and high < one.ends:
            return False
        if any(other.ended_by == "statement" and overtakes(other) for other in around):
            return False
        ended = {other.fact_id for other in self.observations if other.ended_by == "statement"}
        cut = {
            piece.fact_id for piece in self.pieces if piece.valid_from < one.starts < piece.valid_to
        }
        return not any(
            other.fact_id in ended and other.ended_by != "statement" for other in around
        ) and not any(
            other.fact_id in cut and other.ends == one.starts for other in self.observations
        )

    def is_alone(self, one: Observation) -> bool:
        if one.ended_by != "nothing" and overtakes(one):
            return False
        ends = {other.ended_by for other in self.observations if other.fact_id == one.fact_id}
        return not ends or ("statement" not in ends and one.ended_by == "nothing")

    def add(self, one: Observation) -> bool:
        """Take an observation in; tell whether a window was enough."""
        around, high = self.walk(one)
        is_enough = self.is_alone(one) and self.is_enough(one, around, high)
        self.observations.append(one)
        if not is_enough:
            self.pieces = timeline(self.observations)
            return False
        window = Window(one.starts, high)
        touching = [
            piece
            for piece in self.pieces
            if piece.valid_to >= window.low and piece.valid_from <= window.high
        ]
        there = [*around, one]
        closing, new = rewrite(touching, there, timeline(there), window)
        gone = [touching[place] for place in closing]
        self.pieces = [piece for piece in self.pieces if piece not in gone] + new
        return True


@st.composite
def observed(draw: st.DrawFn) -> Observation:
    starts = draw(st.sampled_from([LOWEST, *range(8)]))
    lasting = st.sampled_from([(OPEN, "nothing")] * 3 + [(5, "statement"), (6, "expiry"),
                               (9, "statement")])  # fmt: skip
    ends, ended_by = draw(lasting.filter(lambda end: end[0] > starts))
    return Observation(
        draw(st.integers(1, 5)),
        starts,
        ends,
        UNKNOWN if starts == LOWEST else draw(st.sampled_from([SAID, ASSERTED])),
        UNKNOWN if ends == OPEN else SAID,
        ended_by,
        None if starts == LOWEST else starts,
        draw(st.sampled_from(["user", "user", "tool"])),
        draw(st.sampled_from([0.9, 0.8, 0.7])),
        draw(st.integers(1, 3)),
        (draw(st.integers(1, 20)), 0),
    )


def by_start(pieces: list[Piece]) -> list[Piece]:
    return sorted(pieces, key=lambda piece: (piece.valid_from, piece.fact_id))


def seen(fact_id: int, starts: int, ends: int = OPEN) -> Observation:
    ended_by = "nothing" if ends == OPEN else "statement"
    marks = (ASSERTED, UNKNOWN if ends == OPEN else SAID)
    place = (fact_id * 100 + starts, 0)
    return Observation(
        fact_id, starts, ends, *marks, ended_by, starts, "user", 0.9, place[0], place
    )


@settings(max_examples=400, deadline=None)
@given(observations=st.lists(observed(), min_size=1, max_size=9))
@example(observations=[seen(1, 2), seen(1, 3, 5), seen(2, 1)])
@example(observations=[seen(1, 2), seen(2, 4), seen(3, 2, 4)])
def test_what_one_observation_can_change_is_all_that_is_looked_at(
    observations: list[Observation],
) -> None:
    shelf = Shelf()

    for number, one in enumerate(observations, 1):
        shelf.add(one)
        assert by_start(shelf.pieces) == by_start(timeline(observations[:number]))


def test_a_window_is_enough_where_facts_only_follow_each_other() -> None:
    shelf = Shelf()

    assert all(shelf.add(seen(fact_id, at)) for fact_id, at in [(1, 5), (2, 3), (3, 4), (1, 9)])
    assert [(one.fact_id, one.valid_from, one.valid_to) for one in by_start(shelf.pieces)] == [
        (2, 3, 4),
        (3, 4, 5),
        (1, 5, OPEN),
    ]
