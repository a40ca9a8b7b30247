"""The order of the best: a session that answers as a whole, and reasons a turn has or has not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorycore.engine.rerank import Wish, read_wish, rerank
from memorycore.model.cue import read_cue
from memorycore.model.episode import Turn
from memorycore.model.time import parse_moment

NOW = parse_moment("2026-03-10T12:00:00Z").from_


def turn(number, text="tea", *, session=None, speaker=None, at=None):
    moment = parse_moment(at) if at else None
    start, end = (moment.from_, moment.to) if moment else (None, None)
    return Turn(number, speaker, session, start, end, text)


def order(pool, wish=None):
    return [one.number for one in rerank(pool, wish or Wish(), ideal=10.0)]


def test_a_session_that_speaks_of_it_often_brings_its_turns_forward():
    alone = (turn(1, session=1), 5.0)
    often = [(turn(number, session=2), 4.8) for number in (2, 3, 4)]
    assert order([alone, *often]) == [2, 3, 4, 1]


def test_turns_without_a_session_are_not_one_session():
    pool = [(turn(1, session=1), 5.0), *[(turn(number), 4.8) for number in (2, 3, 4)]]
    assert order(pool)[0] == 1


@pytest.mark.parametrize(
    ("query", "day"),
    [
        ("What did she buy on 5 July 2023?", "2023-07-05"),
        ("what happened last week", "2026-03-04"),
        ("2023年7月5日她买了什么", "2023-07-05"),
        ("去年九月我住在哪里", "2025-09-20"),
    ],
)
def test_a_turn_of_the_time_that_is_asked_about_comes_first(query, day):
    wish = read_wish(query, None, now=NOW, zone="UTC")
    pool = [(turn(1, at="2024-01-01"), 5.0), (turn(2), 5.0), (turn(3, at=day), 4.0)]
    assert order(pool, wish)[0] == 3


@pytest.mark.parametrize("query", ["tea", "喜欢喝茶吗", "what about recently", "May I ask"])
def test_a_question_that_names_no_time_prefers_none(query):
    assert read_wish(query, None, now=NOW, zone="UTC").periods == ()


def test_each_reason_is_named_and_multiplies():
    wish = Wish(speaker_id=7, cue=read_cue("when did you go"))
    (one,) = rerank([(turn(1, "I went last week", speaker=7), 4.0)], wish, ideal=10.0)
    assert [name for name, _ in one.factors] == ["speaker", "tells when", "own voice"]
    plain = rerank([(turn(1, "tea"), 4.0)], Wish(), ideal=10.0)[0].score
    assert one.score == pytest.approx(plain * 1.2 * 1.3 * 1.15)


def test_one_who_asks_tells_less():
    assert order([(turn(1, "tea?"), 5.0), (turn(2, "tea"), 4.5)]) == [2, 1]


POOLS = st.lists(
    st.tuples(st.integers(1, 3) | st.none(), st.floats(0, 50, allow_nan=False)), max_size=30
)


@given(pool=POOLS)
def test_a_score_without_reasons_lies_within_what_the_best_turn_says(pool):
    turns = [(turn(number, session=name), raw) for number, (name, raw) in enumerate(pool)]
    best = max((raw for _, raw in turns), default=0.0) / 10
    for one in rerank(turns, Wish(), ideal=10.0):
        assert 0 <= one.score <= best + 1e-9


@given(pool=POOLS, seed=st.randoms())
def test_the_order_does_not_depend_on_the_order_it_is_given_in(pool, seed):
    turns = [(turn(number, session=name), raw) for number, (name, raw) in enumerate(pool)]
    shuffled = list(turns)
    seed.shuffle(shuffled)
    assert order(turns) == order(shuffled)
