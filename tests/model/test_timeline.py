"""When each fact of a timeline is true: cases by hand, and laws that every timeline keeps."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorycore.model.timeline import (
    ASSERTED,
    LATEST,
    LOWEST,
    OPEN,
    OPPOSED,
    SUREST,
    UNKNOWN,
    UNTOLD,
    Mark,
    Observation,
    Piece,
    contest,
    timeline,
    validity_of,
)
from memorycore.model.timeline_links import contradictions, successions

PORTO, BRAGA, FARO = 1, 2, 3
SAID = Mark("day", "explicit")
RULES = (LATEST, SUREST, OPPOSED)


def seen(
    fact_id: int,
    starts: int,
    ends: int = OPEN,
    *,
    at: int | None = None,
    by: str = "user",
    sure: float = 0.9,
    session: int | None = None,
    turn: int | None = None,
    expires: bool = False,
) -> Observation:
    """Make an observation; a stated end unless it is open or expires."""
    asserted = starts if at is None and starts != LOWEST else at
    ended_by = "nothing" if ends == OPEN else "expiry" if expires else "statement"
    place = (asserted or 0) * 10 + fact_id if turn is None else turn
    occasion = place if session is None else session
    told = SAID if ended_by == "statement" else ASSERTED
    marks = (told if starts != LOWEST else UNKNOWN, UNKNOWN if ends == OPEN else SAID)
    return Observation(
        fact_id, starts, ends, *marks, ended_by, asserted, by, sure, occasion, (place, 0)
    )


Row = tuple[int, int, int] | tuple[int, int, int, str]


def rows(pieces: Sequence[Piece]) -> list[Row]:
    """Show pieces shortly; those that are contested bear a question mark."""
    return [
        (one.fact_id, one.valid_from, one.valid_to)
        if one.certainty == "asserted"
        else (one.fact_id, one.valid_from, one.valid_to, "?")
        for one in pieces
    ]


CASES: dict[str, tuple[list[Observation], list[Row]]] = {
    "one value holds from where it was said": ([seen(PORTO, 5)], [(PORTO, 5, OPEN)]),
    "a later value ends the one before": (
        [seen(PORTO, 1), seen(BRAGA, 4)],
        [(PORTO, 1, 4), (BRAGA, 4, OPEN)],
    ),
    "an older statement that is heard late becomes history": (
        [seen(BRAGA, 4), seen(PORTO, 1, at=9)],
        [(PORTO, 1, 4), (BRAGA, 4, OPEN)],
    ),
    "a stated period inside another splits it": (
        [seen(PORTO, 1), seen(BRAGA, 4, 6)],
        [(PORTO, 1, 4), (BRAGA, 4, 6), (PORTO, 6, OPEN)],
    ),
    "a value comes back": (
        [seen(BRAGA, 6), seen(PORTO, 7), seen(BRAGA, 8)],
        [(BRAGA, 6, 7), (PORTO, 7, 8), (BRAGA, 8, OPEN)],
    ),
    "the same said again is one period": ([seen(PORTO, 1), seen(PORTO, 4)], [(PORTO, 1, OPEN)]),
    "a stated end closes what was open before": (
        [seen(PORTO, 1), seen(PORTO, LOWEST, 6, at=8)],
        [(PORTO, LOWEST, 6)],
    ),
    "a stated end leaves what was said after it": (
        [seen(PORTO, 1), seen(PORTO, LOWEST, 6, at=8), seen(PORTO, 9)],
        [(PORTO, LOWEST, 6), (PORTO, 9, OPEN)],
    ),
    "a stated end that is older than an open statement does not close it": (
        [seen(PORTO, LOWEST, 6, at=2), seen(PORTO, 4)],
        [(PORTO, LOWEST, OPEN)],
    ),
    "what was superseded does not come back when its successor ends": (
        [seen(PORTO, 1), seen(BRAGA, 4), seen(BRAGA, 4, 6, at=7)],
        [(PORTO, 1, 4), (BRAGA, 4, 6)],
    ),
    "what is only known to have ended takes the place of what held before": (
        [seen(PORTO, 1), replace(seen(BRAGA, 5, 6, at=7), from_mark=UNTOLD)],
        [(PORTO, 1, 5), (BRAGA, 5, 6)],
    ),
    "what holds now and is to end does not bring back what held before": (
        [seen(PORTO, 1), replace(seen(BRAGA, 4, 6), from_mark=ASSERTED)],
        [(PORTO, 1, 4), (BRAGA, 4, 6)],
    ),
    "what expires ends by itself": (
        [seen(PORTO, 1, 5, expires=True), seen(BRAGA, 7, 9, expires=True)],
        [(PORTO, 1, 5), (BRAGA, 7, 9)],
    ),
    "a stated end comes before an expiry": (
        [seen(PORTO, 1, 9, expires=True), seen(PORTO, 3, 5, at=6)],
        [(PORTO, 1, 5)],
    ),
    "what is undated holds until the first that has a date": (
        [seen(PORTO, LOWEST), seen(BRAGA, 4)],
        [(PORTO, LOWEST, 4), (BRAGA, 4, OPEN)],
    ),
    "two undated values of two sessions are contested": (
        [seen(PORTO, LOWEST, session=1), seen(BRAGA, LOWEST, session=2)],
        [(PORTO, LOWEST, OPEN, "?"), (BRAGA, LOWEST, OPEN, "?")],
    ),
    "at one instant in one session the last word counts": (
        [seen(PORTO, 1, session=7, turn=2), seen(BRAGA, 1, session=7, turn=1)],
        [(PORTO, 1, OPEN)],
    ),
    "at one instant in two sessions nothing decides": (
        [seen(PORTO, 1, session=7), seen(BRAGA, 1, session=8)],
        [(PORTO, 1, OPEN, "?"), (BRAGA, 1, OPEN, "?")],
    ),
    "a later value ends a contest": (
        [seen(PORTO, 1), seen(BRAGA, 1), seen(FARO, 3)],
        [(PORTO, 1, 3, "?"), (BRAGA, 1, 3, "?"), (FARO, 3, OPEN)],
    ),
    "a person is trusted as the user is": (
        [seen(PORTO, 1, by="person"), seen(BRAGA, 1, by="user")],
        [(PORTO, 1, OPEN, "?"), (BRAGA, 1, OPEN, "?")],
    ),
    "trust counts before how sure a statement is": (
        [seen(PORTO, 1, by="tool", sure=0.99), seen(BRAGA, 1, by="user", sure=0.6)],
        [(BRAGA, 1, OPEN)],
    ),
    "by a clear margin the surer statement decides": (
        [seen(PORTO, 1, sure=0.9), seen(BRAGA, 1, sure=0.75)],
        [(PORTO, 1, OPEN)],
    ),
    "below the margin both stay contested": (
        [seen(PORTO, 1, sure=0.9), seen(BRAGA, 1, sure=0.76)],
        [(PORTO, 1, OPEN, "?"), (BRAGA, 1, OPEN, "?")],
    ),
    "nothing was observed": ([], []),
}


@pytest.mark.parametrize("case", CASES)
def test_the_observation_that_began_last_decides(case: str) -> None:
    observations, expected = CASES[case]

    assert rows(timeline(observations)) == expected


def test_under_a_rank_the_surest_holds_whenever_it_was_said() -> None:
    found = timeline([seen(PORTO, 1, sure=0.9), seen(BRAGA, 5, sure=0.7)], SUREST)

    assert rows(found) == [(PORTO, 1, OPEN)]


def test_under_a_rank_the_surer_takes_over_from_where_it_was_said() -> None:
    found = timeline([seen(PORTO, 1, sure=0.7), seen(BRAGA, 5, sure=0.9)], SUREST)

    assert rows(found) == [(PORTO, 1, 5), (BRAGA, 5, OPEN)]


def test_under_a_rank_a_surer_period_that_ends_gives_way() -> None:
    found = timeline([seen(PORTO, 1, 6, sure=0.9), seen(BRAGA, 3, sure=0.7)], SUREST)

    assert rows(found) == [(PORTO, 1, 6), (BRAGA, 6, OPEN)]


def test_of_opposites_the_later_holds() -> None:
    found = timeline([seen(PORTO, 1), seen(BRAGA, 5)], OPPOSED)

    assert rows(found) == [(PORTO, 1, 5), (BRAGA, 5, OPEN)]


def test_of_opposites_one_without_a_time_stays_contested() -> None:
    found = timeline([seen(PORTO, LOWEST, session=1), seen(BRAGA, 5)], OPPOSED)

    assert rows(found) == [
        (PORTO, LOWEST, 5),
        (PORTO, 5, OPEN, "?"),
        (BRAGA, 5, OPEN, "?"),
    ]


def test_of_opposites_without_a_time_the_last_word_of_a_session_counts() -> None:
    said = [seen(PORTO, LOWEST, session=1, turn=1), seen(BRAGA, LOWEST, session=1, turn=2)]

    assert rows(timeline(said, OPPOSED)) == [(BRAGA, LOWEST, OPEN)]


ALLEN: list[tuple[str, tuple[int, int], tuple[int, int], list[Row]]] = [
    ("before", (1, 2), (3, 4), [(PORTO, 1, 2), (BRAGA, 3, 4)]),
    ("after", (3, 4), (1, 2), [(BRAGA, 1, 2), (PORTO, 3, 4)]),
    ("meets", (1, 2), (2, 4), [(PORTO, 1, 2), (BRAGA, 2, 4)]),
    ("met by", (2, 4), (1, 2), [(BRAGA, 1, 2), (PORTO, 2, 4)]),
    ("overlaps", (1, 3), (2, 4), [(PORTO, 1, 2), (BRAGA, 2, 4)]),
    ("overlapped by", (2, 4), (1, 3), [(BRAGA, 1, 2), (PORTO, 2, 4)]),
    ("during", (2, 3), (1, 4), [(BRAGA, 1, 2), (PORTO, 2, 3), (BRAGA, 3, 4)]),
    ("contains", (1, 4), (2, 3), [(PORTO, 1, 2), (BRAGA, 2, 3), (PORTO, 3, 4)]),
    ("starts", (1, 2), (1, 4), [(PORTO, 1, 2, "?"), (BRAGA, 1, 2, "?"), (BRAGA, 2, 4)]),
    ("started by", (1, 4), (1, 2), [(PORTO, 1, 2, "?"), (BRAGA, 1, 2, "?"), (PORTO, 2, 4)]),
    ("finishes", (2, 4), (1, 4), [(BRAGA, 1, 2), (PORTO, 2, 4)]),
    ("finished by", (1, 4), (2, 4), [(PORTO, 1, 2), (BRAGA, 2, 4)]),
    ("equals", (1, 4), (1, 4), [(PORTO, 1, 4, "?"), (BRAGA, 1, 4, "?")]),
]


@pytest.mark.parametrize(
    ("relation", "one", "other", "expected"), ALLEN, ids=lambda case: str(case)
)
def test_two_stated_periods_meet_in_each_of_the_thirteen_ways(
    relation: str, one: tuple[int, int], other: tuple[int, int], expected: list[Row]
) -> None:
    del relation

    assert rows(timeline([seen(PORTO, *one, at=9), seen(BRAGA, *other, at=8)])) == expected


def test_an_end_of_its_own_is_told_before_what_comes_next() -> None:
    first, second = timeline([seen(PORTO, 1, 4), seen(BRAGA, 4)])

    assert (first.ended_by, first.to_mark) == ("statement", SAID)
    assert (second.ended_by, second.to_mark, second.from_mark) == ("nothing", UNKNOWN, ASSERTED)


def test_what_is_superseded_ends_where_the_next_is_known_to_begin() -> None:
    first, _ = timeline([seen(PORTO, 1), replace(seen(BRAGA, 4), from_mark=SAID)])

    assert (first.ended_by, first.to_mark) == ("successor", SAID)


def test_what_shows_again_begins_where_the_other_is_known_to_end() -> None:
    _, _, again = timeline([seen(PORTO, 1), seen(BRAGA, 4, 6)])

    assert again.from_mark == SAID


def test_validity_tells_how_the_last_period_ends() -> None:
    pieces = timeline([seen(PORTO, 1), seen(BRAGA, 4), seen(FARO, 6), seen(FARO, 6, 8, at=9)])
    of = {fact: [one for one in pieces if one.fact_id == fact] for fact in (PORTO, BRAGA, FARO)}

    assert [validity_of(of[fact]) for fact in (PORTO, BRAGA, FARO)] == [
        "invalidated",
        "invalidated",
        "valid",
    ]
    assert validity_of([]) == "invalidated"
    assert validity_of(timeline([seen(PORTO, 1), seen(BRAGA, 1)])) == "uncertain"


def test_links_follow_from_what_takes_over_and_from_what_is_contested() -> None:
    pieces = timeline([seen(PORTO, 1), seen(BRAGA, 1), seen(FARO, 4)])

    assert successions(pieces) == {(FARO, PORTO), (FARO, BRAGA)}
    assert contradictions(pieces) == {(PORTO, BRAGA), (BRAGA, PORTO)}


PLACES = st.integers(0, 9).map(lambda number: (number, number % 2))
MARKS = st.sampled_from([SAID, ASSERTED, Mark("month", "explicit"), Mark("year", "relative")])
STARTS = st.sampled_from([LOWEST, 0, 1, 2, 3, 4, 5])
ENDS = st.sampled_from([(OPEN, "nothing"), (OPEN, "nothing"), (3, "statement"), (4, "expiry"),
                        (6, "statement"), (5, "expiry")])  # fmt: skip


@st.composite
def observed(draw: st.DrawFn) -> Observation:
    starts = draw(STARTS)
    ends, ended_by = draw(ENDS.filter(lambda end: end[0] > starts))
    asserted = draw(st.none() | st.integers(0, 6)) if starts == LOWEST else draw(st.integers(0, 6))
    return Observation(
        draw(st.integers(1, 3)),
        starts,
        ends,
        draw(MARKS),
        UNKNOWN if ends == OPEN else draw(MARKS),
        ended_by,
        asserted,
        draw(st.sampled_from(["user", "user", "tool"])),
        draw(st.sampled_from([0.9, 0.8, 0.7])),
        draw(st.integers(1, 3)),
        draw(PLACES),
    )


MANY = st.lists(observed(), max_size=8)
INSTANTS = [LOWEST, -1, *range(8), OPEN - 1]


def said_before(one: Observation, other: Observation) -> bool:
    """Tell whether an end that was stated is told of what was said before it, or elsewhere then."""
    times = (one.asserted_at, other.asserted_at)
    if None in times or (one.occasion == other.occasion and times[0] == times[1]):
        return one.occasion == other.occasion and one.sequence <= other.sequence
    return times[0] <= times[1]


def closed(one: Observation, among: Sequence[Observation]) -> Observation:
    """End an open observation at the first end that was stated of its fact, and not before it."""
    ends = [
        other.ends
        for other in among
        if (other.fact_id, other.ended_by) == (one.fact_id, "statement")
        and one.ended_by != "statement"
        and one.starts < other.ends < one.ends
        and said_before(one, other)
    ]
    return replace(one, ends=min(ends, default=one.ends))


def lasts(one: Observation) -> bool:
    """Tell whether what is said holds now, so that what held before is over for good."""
    untold = one.from_mark.basis in ("asserted", "unknown")
    return one.ended_by == "nothing" or (one.ended_by == "statement" and untold)


def standing(observations: Sequence[Observation], at: int, rule: str) -> list[Observation]:
    """Leave out what a later sentence has taken the place of, and end what was said to end."""
    lasting = [one.starts for one in observations if lasts(one) and one.starts <= at]
    latest = max(lasting, default=LOWEST)
    over = [
        one
        for one in observations
        if one.ended_by == "nothing"
        and one.starts < latest
        and rule != SUREST
        and not (rule == OPPOSED and one.starts == LOWEST)
    ]
    return [closed(one, observations) for one in observations if one not in over]


def believed(observations: Sequence[Observation], at: int) -> set[int]:
    """Answer for one instant, without any timeline."""
    there = standing(observations, at, LATEST)
    covering = [one for one in there if one.starts <= at < one.ends]
    latest = max((one.starts for one in covering), default=0)
    return contest([one for one in covering if one.starts == latest])


def shown(pieces: Sequence[Piece], at: int) -> list[Piece]:
    return [one for one in pieces if one.valid_from <= at < one.valid_to]


@settings(max_examples=150, deadline=None)
@given(observations=MANY, rule=st.sampled_from(RULES), data=st.data())
def test_the_order_in_which_things_are_heard_changes_nothing(
    observations: list[Observation], rule: str, data: st.DataObject
) -> None:
    other = data.draw(st.permutations(observations))

    assert timeline(other, rule) == timeline(observations, rule)


@settings(max_examples=150, deadline=None)
@given(observations=MANY, rule=st.sampled_from(RULES))
def test_what_is_asserted_stands_alone_and_periods_cover_just_what_was_observed(
    observations: list[Observation], rule: str
) -> None:
    pieces = timeline(observations, rule)

    assert all(one.valid_from < one.valid_to for one in pieces)
    for at in INSTANTS:
        holding = shown(pieces, at)
        there = standing(observations, at, rule)
        assert bool(holding) == any(one.starts <= at < one.ends for one in there)
        is_sure = len(holding) == 1
        assert all((one.certainty == "asserted") == is_sure for one in holding)
        assert len({one.fact_id for one in holding}) == len(holding)


@settings(max_examples=150, deadline=None)
@given(observations=MANY)
def test_at_any_instant_the_last_to_begin_is_what_is_believed(
    observations: list[Observation],
) -> None:
    pieces = timeline(observations)

    for at in INSTANTS:
        assert {one.fact_id for one in shown(pieces, at)} == believed(observations, at)
