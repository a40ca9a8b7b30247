"""What a person chooses for an item: an action, and the facts that it meets."""

from typing import Any

import pytest

from memorycore import errors

TEA = "The user drinks oolong tea every morning."
COFFEE = "The user drinks black coffee every morning now."


def near(desk: Any) -> Any:
    """Make a job of one item that waits, near a fact that nothing proposed to meet."""
    desk.bring(TEA)
    return desk.decide(COFFEE, by=desk.says(lambda *_: ("ADD", [], None, "so", 0.5)))


@pytest.mark.parametrize("action", ["SUPERSEDE", "MERGE", "CONFLICT"])
def test_an_action_that_meets_nothing_is_refused_and_the_job_stays(desk: Any, action: str) -> None:
    job = near(desk)
    with pytest.raises(errors.InvalidInputError, match="needs a fact") as refused:
        desk.memory.import_apply(job.id, {1: action})
    assert refused.value.hint == f"1={action}:{desk.fact(TEA).id}"
    assert desk.memory.import_job(job.id).state == "awaiting_confirmation"


def test_a_person_names_the_fact_that_is_met(desk: Any) -> None:
    job = near(desk)
    desk.memory.import_apply(job.id, {1: f"supersede:{desk.fact(TEA).id[:-2]}"})
    assert desk.facts() == [COFFEE]
    assert desk.links("SUPERSEDES") == {(COFFEE, TEA)}


@pytest.mark.parametrize("choice", ["SUPERSEDE:fct_7777", "SUPERSEDE:x", "ADD:fct_7777", "DROP:f"])
def test_only_facts_that_were_offered_can_be_met(desk: Any, choice: str) -> None:
    job = near(desk)
    with pytest.raises(errors.InvalidInputError):
        desk.memory.import_choose(job.id, {1: choice})
    assert desk.memory.import_job(job.id).waiting_left == 1


def test_a_choice_that_was_only_tried_is_not_kept(desk: Any) -> None:
    job = near(desk)
    desk.memory.import_apply(job.id, {1: "ADD"}, dry_run=True)
    assert desk.memory.import_job(job.id).waiting_left == 1
