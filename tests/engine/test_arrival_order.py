"""In whatever order statements arrive, the same is believed, now and at any other time."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorycore.store.canonical import iter_lines
from memorycore.store.scopes import find_scope

COMPARED = ("fact", "period", "evidence", "link")
WORDS = {
    "lives_in": "I live in {}",
    "likes": "I like {}",
    "dislikes": "I dislike {}",
    "is_busy_with": "I am busy with {}",
    "FAVORITE_WORK": "my favorite book is {}",
}
# A word that names a known place would be that place: so each predicate has its own.
NAMES = {"lives_in": ("Porto", "Braga", "Faro")}
THINGS = ("tea", "jazz", "chess")


@dataclass(frozen=True)
class Told:
    """What a sentence says: the day it was said on, and the period that it states, if any."""

    predicate: str
    said: str
    day: int
    session: int
    starts: int | None = None
    ends: int | None = None
    sure: float | None = None
    rank: int | None = None

    def item(self, number: int) -> dict[str, object]:
        """Give the candidate that rests on the sentence of a number."""
        period = {"valid_from": self.starts, "valid_to": self.ends}
        item: dict[str, object] = {
            "subject": "Ana",
            "predicate": self.predicate,
            "object": self.said,
            "external_id": f"turn {number}",
        }
        item |= {name: day(at) for name, at in period.items() if at is not None}
        rest = {"confidence": self.sure, "rank": self.rank}
        return item | {name: value for name, value in rest.items() if value is not None}


def day(number: int) -> str:
    return f"2025-03-{number + 10:02d}"


def ingest(memory, told: Sequence[Told], numbers: Iterable[int]) -> None:
    memory.add_many(
        {
            "text": WORDS[told[number].predicate].format(told[number].said),
            "at": day(told[number].day),
            "session": f"s{told[number].session}",
            "external_id": f"turn {number}",
        }
        for number in numbers
    )


def beliefs(memory) -> list[object]:
    """List what stands, as it would be digested; decisions are left out."""
    with memory._store.read() as db:
        scope_id = find_scope(db, memory.scope)
        lines = [json.loads(line) for line in iter_lines(db, [scope_id] if scope_id else [])]
    return [line for line in lines if line[0] in COMPARED]


@st.composite
def period(draw: st.DrawFn) -> dict[str, int]:
    shape = draw(st.sampled_from(["open", "open", "from", "to", "both"]))
    starts = draw(st.integers(0, 5)) if shape in ("from", "both") else None
    ends = draw(st.integers((starts or 0) + 1, 8)) if shape in ("to", "both") else None
    found = {"starts": starts, "ends": ends}
    return {name: at for name, at in found.items() if at is not None}


def told_by(predicates: Sequence[str], *, ranked: bool = False) -> st.SearchStrategy[Told]:
    @st.composite
    def one(draw: st.DrawFn) -> Told:
        predicate = draw(st.sampled_from(predicates))
        told = {
            "predicate": predicate,
            "said": draw(st.sampled_from(NAMES.get(predicate, THINGS))),
            "day": draw(st.integers(0, 5)),
            "session": draw(st.integers(1, 3)),
        } | draw(period())
        if ranked:
            told |= {"sure": draw(st.sampled_from([0.7, 0.8, 0.95])), "rank": 1}
        return Told(**told)

    return one()


KINDS = {
    "single": (("lives_in",), False),
    "opposites": (("likes", "dislikes"), False),
    "expire": (("is_busy_with",), False),
    "ranked": (("FAVORITE_WORK",), True),
    "mixed": (("lives_in", "likes", "dislikes", "is_busy_with"), False),
}


def run(make_world, told: Sequence[Told], order: Sequence[int], how: str) -> list[object]:
    """Let statements arrive in an order, in one of several ways; give what is believed then."""
    with make_world() as world:
        memory = world.memory
        if how == "with their turns":
            for number in order:
                ingest(memory, told, [number])
                memory.learn([told[number].item(number)])
            return beliefs(memory)
        ingest(memory, told, range(len(told)))
        items = [told[number].item(number) for number in order]
        if how == "together":
            memory.learn(items)
        elif how == "one by one":
            for item in items:
                memory.learn([item])
        else:
            memory.propose(items)
            memory.admit()
        return beliefs(memory)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_any_order_of_dated_statements_gives_the_same_beliefs(make_world, kind, data) -> None:
    predicates, ranked = KINDS[kind]
    told = data.draw(st.lists(told_by(predicates, ranked=ranked), min_size=2, max_size=6))
    order = data.draw(st.permutations(range(len(told))))
    how = data.draw(st.sampled_from(["together", "one by one", "proposed and then admitted"]))
    expected = run(make_world, told, range(len(told)), "one by one")

    assert run(make_world, told, order, how) == expected


@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_turns_that_come_late_change_nothing_where_each_is_a_session_of_its_own(
    make_world, data
) -> None:
    told = [
        Told(one.predicate, one.said, one.day, number, one.starts, one.ends)
        for number, one in enumerate(
            data.draw(st.lists(told_by(["lives_in", "likes", "dislikes"]), min_size=2, max_size=5))
        )
    ]
    order = data.draw(st.permutations(range(len(told))))
    expected = run(make_world, told, range(len(told)), "with their turns")

    assert run(make_world, told, order, "with their turns") == expected


@pytest.mark.parametrize("how", ["together", "one by one", "proposed and then admitted"])
def test_a_statement_that_is_heard_late_becomes_history(make_world, how) -> None:
    told = [Told("lives_in", "Porto", 1, 1), Told("lives_in", "Braga", 3, 2)]
    told.append(Told("lives_in", "Faro", 4, 3, starts=2))
    first = run(make_world, told, [0, 1, 2], how)

    assert [line[1] for line in first if line[0] == "period"] == [
        f"person:Ana/|lives_in|place:{name}/|" for name in ("Braga", "Faro", "Porto")
    ]
    assert run(make_world, told, [2, 1, 0], how) == first


def test_a_stated_end_is_not_lost_among_many_sentences_that_came_before_it(make_world) -> None:
    told = [Told("lives_in", "Porto", 1, number) for number in range(66)]
    told.append(Told("lives_in", "Porto", 5, 70, ends=4))
    told.append(Told("lives_in", "Porto", 3, 71))
    order = range(len(told))

    periods = [line for line in run(make_world, told, order, "together") if line[0] == "period"]
    assert [line[8:10] for line in periods] == [["statement", "asserted"]]
    assert periods == [
        line for line in run(make_world, told, order[::-1], "together") if line[0] == "period"
    ]


def test_what_is_said_again_is_surer_though_its_period_stays(make_world) -> None:
    told = [Told("lives_in", "Porto", 1, 1), Told("lives_in", "Porto", 3, 2)]
    with make_world() as world:
        ingest(world.memory, told, range(2))
        for number in range(2):
            world.memory.learn([told[number].item(number)])
        [fact] = world.memory.facts(as_of=day(5))

        assert (fact.support, fact.confidence) == (2, 0.99)


def test_a_value_that_has_shown_elsewhere_is_not_taken_for_one_that_never_did(make_world) -> None:
    told = [
        Told("lives_in", "Porto", 0, 1),
        Told("lives_in", "Braga", 1, 2),
        Told("lives_in", "Porto", 3, 3, ends=5),
        Told("lives_in", "Faro", 4, 4, starts=3, ends=5),
        Told("lives_in", "Faro", 5, 5, starts=2),
    ]
    expected = run(make_world, told, range(5), "together")

    for order in ([4, 3, 2, 1, 0], [2, 3, 0, 4, 1], [3, 0, 2, 1, 4]):
        assert run(make_world, told, order, "one by one") == expected


@pytest.mark.parametrize("order", list(permutations(range(3))))
@pytest.mark.parametrize("how", ["together", "one by one"])
def test_what_an_interlude_hid_before_its_successor_came_is_told_in_any_order(
    make_world, order, how
) -> None:
    told = [
        Told("lives_in", "Braga", 0, 1),
        Told("lives_in", "Porto", 0, 1, ends=1),
        Told("lives_in", "Faro", 1, 1),
    ]

    assert run(make_world, told, order, how) == run(make_world, told, range(3), "together")
