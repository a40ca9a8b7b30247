"""The contract of a decider: whatever it says, what is kept of it keeps the rules."""

from typing import Any

import pytest

from memorycore.model.import_item import (
    Choice,
    Verdict,
    clamp_top_k,
    confirmed,
    normal,
    settle_verdict,
)

OFFERED = ("fct_a", "fct_b")


def settled(action: Any, targets: Any = (), **said: Any) -> Choice:
    recovered = said.pop("is_recovered", False)
    verdict = Verdict(action, targets, **({"confidence": 0.9} | said))
    return settle_verdict(verdict, OFFERED, is_recovered=recovered)


@pytest.mark.parametrize(
    ("given", "top_k"),
    [(None, 5), (5, 5), (0, 1), (-3, 1), (1.9, 1), (20, 20), (21, 20), (1e300, 20),
     (float("inf"), 20), (float("nan"), 5)],
)  # fmt: skip
def test_as_many_facts_are_compared_as_asked_within_bounds(given: float | None, top_k: int) -> None:
    assert clamp_top_k(given) == top_k


@pytest.mark.parametrize("said", ["ADD", " add ", "Add\n"])
def test_an_action_is_read_without_regard_to_case_and_spaces(said: str) -> None:
    assert settled(said).action == "ADD"


@pytest.mark.parametrize("said", ["DELETE", "", None, 7, ["ADD"]])
def test_what_is_no_action_is_ignored(said: Any) -> None:
    assert settled(said).action == "IGNORE"


@pytest.mark.parametrize("action", ["MERGE", "SUPERSEDE", "CONFLICT"])
def test_only_facts_that_were_offered_are_met(action: str) -> None:
    choice = settled(action, ["fct_b", "fct_x", 3, "fct_b"])
    assert (choice.action, choice.targets) == (action, ("fct_b",))


@pytest.mark.parametrize("action", ["MERGE", "SUPERSEDE", "CONFLICT"])
def test_an_action_left_without_a_target_is_ignored_and_says_why(action: str) -> None:
    choice = settled(action, ["fct_x"])
    assert (choice.action, choice.targets, choice.confidence) == ("IGNORE", (), 0.5)
    assert action in (choice.reason or "")
    assert choice.waits


@pytest.mark.parametrize("action", ["ADD", "IGNORE"])
def test_an_action_that_meets_nothing_has_no_targets(action: str) -> None:
    assert settled(action, ["fct_a"]).targets == ()


@pytest.mark.parametrize(
    ("said", "confidence"),
    [(0.9, 0.9), (7, 1.0), (-1, 0.0), (None, 0.5), ("0.9", 0.5), (True, 0.5),
     (float("nan"), 0.5), (float("inf"), 0.5)],
)  # fmt: skip
def test_how_sure_it_is_lies_between_0_and_1(said: Any, confidence: float) -> None:
    assert settled("ADD", confidence=said).confidence == confidence


def test_a_reason_is_kept_to_its_500th_character() -> None:
    assert settled("ADD", reason="x" * 600).reason == "x" * 500
    assert settled("ADD", reason=4).reason is None


@pytest.mark.parametrize(("confidence", "waits"), [(0.8499, True), (0.85, False), (0.86, False)])
def test_just_85_hundredths_are_sure_enough(confidence: float, waits: bool) -> None:
    assert settled("ADD", confidence=confidence).waits is waits


def test_what_a_model_recovered_always_waits() -> None:
    assert settled("ADD", confidence=1.0, is_recovered=True).waits


def test_what_needs_no_confirmation_stays_whatever_is_chosen() -> None:
    choice = settled("ADD")
    assert confirmed(choice, "IGNORE") is choice


@pytest.mark.parametrize(
    ("targets", "chosen", "action"),
    [
        ([], None, "IGNORE"),
        ([], "ADD", "ADD"),
        ([], "MERGE", "IGNORE"),
        (["fct_a"], "MERGE", "MERGE"),
        (["fct_a"], "CONFLICT", "CONFLICT"),
        (["fct_a"], "DELETE", "IGNORE"),
    ],
)
def test_a_person_decides_on_what_waits(
    targets: list[str], chosen: str | None, action: str
) -> None:
    said = "SUPERSEDE" if targets else "ADD"
    assert confirmed(settled(said, targets, confidence=0.5), chosen).action == action


def test_adding_and_ignoring_drop_the_targets() -> None:
    waiting = settled("SUPERSEDE", ["fct_a"], confidence=0.5)
    assert confirmed(waiting, "ADD").targets == ()
    assert confirmed(waiting, "SUPERSEDE").targets == ("fct_a",)


def test_texts_that_differ_in_case_width_and_spaces_are_the_same() -> None:
    assert normal("  Ｔｅａ \n or\u3000COFFEE ") == normal("tea or coffee")
    assert normal("tea") != normal("teas")
