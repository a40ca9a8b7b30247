"""Tests of Mem0's history, shape MX-6: rows that carry old values."""

from typing import Any

import pytest

from memorycore.errors import InvalidInputError
from memorycore.exchange.mem0_history import History, read_change
from memorycore.model.candidate import Candidate
from memorycore.model.draft import Rejection
from memorycore.model.recollection import Recollection
from memorycore.model.time import parse_moment

CREATED, FIRST, SECOND = "2026-01-04T10:00:00Z", "2026-02-01T08:00:00Z", "2026-03-01T08:00:00Z"
ADD = {"id": "h0", "memory_id": "7b1c", "new_memory": "Lives in Porto", "event": "ADD",
       "created_at": CREATED, "updated_at": None}  # fmt: skip
UPDATE = {"id": "h1", "memory_id": "7b1c", "old_memory": "Lives in Porto",
          "new_memory": "Lives in Braga", "event": "UPDATE", "created_at": CREATED,
          "updated_at": FIRST, "is_deleted": 0, "actor_id": None, "role": "user"}  # fmt: skip
DELETE = {"id": "h2", "memory_id": "7b1c", "old_memory": "Lives in Braga", "new_memory": None,
          "event": "DELETE", "created_at": CREATED, "updated_at": SECOND,
          "is_deleted": 1}  # fmt: skip


def read(*rows: dict[str, Any]) -> list[Recollection]:
    changes = [read_change(row, zone="UTC", place=f"x line {n}") for n, row in enumerate(rows, 1)]
    return list(History("x").read([one for one in changes if not isinstance(one, Rejection)]))


def told(*rows: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [_told(one) for found in read(*rows) for one in found.candidates]


def _told(one: Candidate) -> tuple[Any, ...]:
    since, until = one.valid_from, one.valid_to
    return (one.value, since and since.moment.from_, until and until.moment.from_, one.act)


def at(text: str) -> int:
    return parse_moment(text).from_


def test_a_change_is_two_facts_of_which_the_old_one_is_closed() -> None:
    assert told(UPDATE) == [
        ("Lives in Braga", None, None, "assert"),
        ("Lives in Porto", at(CREATED), at(FIRST), "assert"),
    ]


def test_what_a_row_wrote_and_took_away_was_said_when_it_was_made() -> None:
    (found,) = read(UPDATE)

    assert [(draft.text, draft.occurred) for draft in found.drafts] == [
        ("Lives in Porto", parse_moment(FIRST)),
        ("Lives in Braga", parse_moment(FIRST)),
    ]
    assert {draft.session for draft in found.drafts} == {"mem0:7b1c"}


def test_where_an_earlier_row_tells_the_beginning_the_creation_does_not() -> None:
    again = UPDATE | {"id": "h3", "old_memory": "Lives in Braga", "new_memory": "Lives in Faro",
                      "updated_at": SECOND}  # fmt: skip

    assert told(UPDATE, again) == [
        ("Lives in Braga", at(FIRST), at(SECOND), "assert"),
        ("Lives in Porto", at(CREATED), at(FIRST), "assert"),
        ("Lives in Faro", None, None, "assert"),
    ]


def test_a_deletion_closes() -> None:
    assert told(ADD, UPDATE, DELETE) == [
        ("Lives in Porto", at(CREATED), at(FIRST), "assert"),
        ("Lives in Braga", at(FIRST), at(SECOND), "assert"),
    ]


def test_what_an_earlier_file_has_told_of_is_closed_by_itself() -> None:
    history = History("x", lambda session: session == "mem0:7b1c")
    change = read_change(UPDATE, zone="UTC", place="x line 1")
    assert not isinstance(change, Rejection)
    (found,) = history.read([change])

    assert [_told(one) for one in found.candidates] == [
        ("Lives in Braga", None, None, "assert"),
        ("Lives in Porto", None, at(FIRST), "assert"),
    ]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
def test_the_order_of_rows_changes_nothing(order: tuple[int, ...]) -> None:
    rows = (ADD, UPDATE, DELETE)

    assert told(*[rows[place] for place in order]) == told(*rows)


def test_what_ended_at_an_unknown_time_held_when_it_was_last_heard_of() -> None:
    ended = told(ADD, DELETE | {"old_memory": "Lives in Porto", "updated_at": None})[-1]

    assert ended == ("Lives in Porto", None, at(CREATED) + 1, "assert")


def test_without_any_time_what_was_deleted_is_taken_back() -> None:
    timeless = {"created_at": None, "updated_at": None}

    assert told(ADD | timeless, DELETE | {"old_memory": "Lives in Porto"} | timeless)[-1] == (
        "Lives in Porto", None, None, "retract",
    )  # fmt: skip


def test_a_time_that_nobody_tells_is_told() -> None:
    (found,) = read(DELETE | {"updated_at": None})

    assert [problem.code for problem in found.problems] == ["unknown_time"]


def test_a_change_of_metadata_alone_closes_nothing() -> None:
    assert told(UPDATE | {"old_memory": "Lives in Braga"}) == [
        ("Lives in Braga", None, None, "assert")
    ]


def test_a_change_without_its_old_value_is_told() -> None:
    (found,) = read(UPDATE | {"old_memory": None})

    assert [problem.code for problem in found.problems] == ["no_old_value"]
    assert len(found.candidates) == 1


def test_a_row_of_an_assistant_is_a_recommendation() -> None:
    (found,) = read(ADD | {"role": "assistant"})

    assert found.candidates[0].predicate == "recommended"


@pytest.mark.parametrize(
    ("row", "code"),
    [
        (ADD | {"event": "NONE"}, "no_change"),
        (ADD | {"new_memory": " "}, "empty_text"),
        (DELETE | {"old_memory": None}, "empty_text"),
    ],
)
def test_a_row_that_says_nothing_is_reported(row: dict[str, Any], code: str) -> None:
    found = read_change(row, zone="UTC", place="x line 1")

    assert isinstance(found, Rejection)
    assert found.code == code


@pytest.mark.parametrize("row", [ADD | {"event": "MARK"}, ADD | {"memory_id": None}, ["MARK"]])
def test_a_wrong_row_is_refused_without_its_content(row: Any) -> None:
    with pytest.raises(InvalidInputError) as caught:
        read_change(row, zone="UTC", place="x line 1")

    assert "MARK" not in caught.value.message
