"""Scores of proposals: what counts as right, wrong, missed, and as fallen for."""

from typing import Any

import pytest

from memorycore.exchange.labelled_line import read_labelled
from memorycore.model.candidate import Candidate, Naming, Quote, When
from memorycore.model.scoring import Score, score
from memorycore.model.time import parse_moment

QUOTE = (Quote("e", text="x"),)


def label(**given: Any) -> Any:
    known = {"lives_in", "likes"}
    given = {"id": "a", "lang": "en", "text": "x", "expect": []} | given
    return read_labelled(given, place="x", predicates=known).label


def place(name: str, **more: Any) -> Candidate:
    return Candidate("lives_in", QUOTE, object=Naming(name, "place"), **more)


def counts(result: Score) -> tuple[int, int, int]:
    return result.all.right, result.all.wrong, result.all.missed


LIVES = {"predicate": "lives_in", "object": "Porto", "alt": ["the city of Porto"]}


@pytest.mark.parametrize(
    ("expect", "candidates", "expected"),
    [
        ([LIVES], [place("porto.")], (1, 0, 0)),
        ([LIVES], [place("The city of Porto")], (1, 0, 0)),
        ([LIVES], [place("Braga")], (0, 1, 1)),
        ([LIVES], [], (0, 0, 1)),
        ([LIVES], [place("Porto"), place("the city of Porto")], (1, 0, 0)),
        ([LIVES], [place("Porto", act="retract")], (0, 1, 1)),
        ([LIVES], [place("Porto", rank=1)], (0, 1, 1)),
        ([{**LIVES, "alt_predicates": ["likes"]}],
         [Candidate("likes", QUOTE, value="Porto")], (1, 0, 0)),
        ([{"any_of": [LIVES, {**LIVES, "object": "Braga"}]}], [place("Braga")], (1, 0, 0)),
        ([LIVES], [Candidate("note", QUOTE, value="Porto"), place("Porto")], (1, 0, 0)),
    ],
)  # fmt: skip
def test_a_proposal_is_judged_by_its_label(
    expect: list[Any], candidates: list[Candidate], expected: tuple[int, int, int]
) -> None:
    assert counts(score([(label(expect=expect), candidates)])) == expected


@pytest.mark.parametrize(
    ("said", "right"), [("2024-05", 1), ("2024", 1), ("2024-06", 0), (None, 0)]
)
def test_dates_count_where_they_are_given(said: str | None, right: int) -> None:
    dated = {**LIVES, "valid_from": "2024-05", "alt_valid_from": ["2024"]}
    when = When(parse_moment(said)) if said else None
    assert score([(label(expect=[dated]), [place("Porto", valid_from=when)])]).all.right == right
    assert score([(label(expect=[LIVES]), [place("Porto", valid_from=when)])]).all.right == 1


def test_what_is_allowed_is_not_counted_and_traps_are() -> None:
    trap = label(expect=[], allow=[LIVES], trap="question")
    assert score([(trap, [place("Porto")])]).false_admissions == 0
    fallen = score([(trap, [place("Braga"), place("Faro")]), (trap, [])])
    assert fallen.false_admissions == 0.5
    assert fallen.traps == {"question": (1, 2)}


def test_figures_of_nothing() -> None:
    nothing = score([])
    assert (nothing.all.precision, nothing.all.recall, nothing.false_admissions) == (1, 1, 0)


def test_figures_are_kept_by_predicate_and_language() -> None:
    result = score([(label(expect=[LIVES]), [place("Porto"), place("Braga")])])
    assert result.by_predicate["lives_in"].precision == 0.5
    assert result.by_language["en"].recall == 1
    assert result.by_language_and_predicate[("en", "lives_in")].wrong == 1
