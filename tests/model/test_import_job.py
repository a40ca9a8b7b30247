"""An import job goes through its states: each arrow, each call that does nothing, each error."""

from dataclasses import replace

import pytest

from memorycore import errors
from memorycore.model import import_job as states
from memorycore.model.import_job import STATES, JobState

OPEN = JobState("processing", total=3, processed=1)
LAST = JobState("processing", total=2, processed=1)
EXTRACTING = JobState("extracting", parse_error="not JSON")
READY = JobState("ready", total=2, processed=2)
WAITING = JobState("awaiting_confirmation", total=2, processed=2, waiting=1)


def test_a_document_with_records_is_processed() -> None:
    assert states.created("{}", total=2) == JobState("processing", total=2)


def test_a_document_without_records_is_ready_as_there_is_nothing_to_import() -> None:
    assert states.created("{}", total=0) == JobState("ready")


def test_a_document_that_cannot_be_read_waits_for_its_recovery() -> None:
    made = states.created("Sure!", total=0, parse_error="x" * 3000)
    assert (made.state, made.parse_error) == ("extracting", "x" * 2000)


@pytest.mark.parametrize("text", ["", "  \n\t"])
def test_a_blank_document_makes_no_job(text: str) -> None:
    with pytest.raises(errors.InvalidInputError, match="nothing to import"):
        states.created(text, total=0)


def test_recovered_records_are_processed_and_marked_as_such() -> None:
    done = states.complete_fallback(EXTRACTING, 4)
    assert (done.state, done.total, done.is_recovered) == ("processing", 4, True)


def test_a_recovery_that_finds_nothing_fails() -> None:
    done = states.complete_fallback(EXTRACTING, 0)
    assert done.state == "failed"
    assert done.last_error


@pytest.mark.parametrize("state", [one for one in STATES if one != "extracting"])
def test_a_recovery_in_another_state_does_nothing(state: str) -> None:
    job = JobState(state, total=1)
    assert states.complete_fallback(job, 4) is job


def test_the_next_item_is_the_first_that_is_not_decided() -> None:
    assert states.next_index(OPEN) == 1


@pytest.mark.parametrize("state", [one for one in STATES if one != "processing"])
def test_in_another_state_no_item_is_next(state: str) -> None:
    assert states.next_index(replace(OPEN, state=state)) is None


def test_a_decision_moves_a_job_on_by_one_and_clears_the_error() -> None:
    done = states.complete(replace(OPEN, last_error="e"), 1, waiting=0)
    assert (done.state, done.processed, done.last_error) == ("processing", 2, None)


@pytest.mark.parametrize(
    ("before", "waiting", "state"),
    [(0, 0, "ready"), (0, 1, "awaiting_confirmation"), (1, 0, "awaiting_confirmation")],
)
def test_after_the_last_decision_a_job_is_ready_or_waits(
    before: int, waiting: int, state: str
) -> None:
    done = states.complete(replace(LAST, waiting=before), 1, waiting=waiting)
    assert (done.state, done.waiting) == (state, before + waiting)


@pytest.mark.parametrize("state", STATES)
def test_a_decision_that_was_taken_before_changes_nothing_in_any_state(state: str) -> None:
    job = JobState(state, total=3, processed=2)
    assert states.complete(job, 1, waiting=1) is job


@pytest.mark.parametrize("index", [2, 3])
def test_a_decision_out_of_turn_is_refused(index: int) -> None:
    with pytest.raises(errors.InvalidInputError, match="item 2 is next"):
        states.complete(OPEN, index, waiting=0)


@pytest.mark.parametrize("state", [one for one in STATES if one != "processing"])
def test_a_decision_in_another_state_is_refused(state: str) -> None:
    with pytest.raises(errors.InvalidInputError, match=state):
        states.complete(replace(OPEN, state=state), 1, waiting=0)


def test_several_decisions_at_once_are_no_more_than_there_are_items() -> None:
    assert states.complete(OPEN, 1, waiting=1, count=2).state == "awaiting_confirmation"
    with pytest.raises(errors.InvalidInputError):
        states.complete(OPEN, 1, waiting=0, count=3)


@pytest.mark.parametrize("state", STATES)
def test_any_job_can_fail_and_keeps_what_was_decided(state: str) -> None:
    done = states.fail(JobState(state, total=3, processed=2), "e" * 3000)
    assert (done.state, done.processed, done.last_error) == ("failed", 2, "e" * 2000)


def test_a_job_that_failed_goes_on_with_its_progress() -> None:
    done = states.retry(states.fail(OPEN, "e"))
    assert (done.state, done.processed) == ("processing", 1)


def test_a_job_that_was_never_read_is_recovered_again() -> None:
    assert states.retry(states.fail(EXTRACTING, "e")).state == "extracting"


@pytest.mark.parametrize("state", [one for one in STATES if one != "failed"])
def test_only_what_failed_is_tried_again(state: str) -> None:
    with pytest.raises(errors.InvalidInputError, match=state):
        states.retry(JobState(state))


@pytest.mark.parametrize("job", [READY, WAITING])
def test_what_is_decided_can_be_carried_out(job: JobState) -> None:
    done = states.commit(job, 2)
    assert (done.state, done.imported) == ("committed", 2)


@pytest.mark.parametrize("state", sorted(set(STATES) - {"ready", "awaiting_confirmation"}))
def test_nothing_else_can_be_carried_out(state: str) -> None:
    with pytest.raises(errors.InvalidInputError, match=state):
        states.commit(JobState(state), 0)


@pytest.mark.parametrize("job", [READY, WAITING])
def test_what_is_decided_can_be_decided_anew(job: JobState) -> None:
    done = states.renew(job)
    assert (done.state, done.processed, done.waiting) == ("processing", 0, 0)


@pytest.mark.parametrize("state", sorted(set(STATES) - {"ready", "awaiting_confirmation"}))
def test_nothing_else_is_decided_anew(state: str) -> None:
    with pytest.raises(errors.InvalidInputError, match=state):
        states.renew(JobState(state))


def test_what_was_carried_out_can_be_taken_back() -> None:
    assert states.undo(states.commit(READY, 2)).state == "undone"


@pytest.mark.parametrize("state", [one for one in STATES if one != "committed"])
def test_nothing_else_can_be_taken_back(state: str) -> None:
    with pytest.raises(errors.InvalidInputError, match=state):
        states.undo(JobState(state))
