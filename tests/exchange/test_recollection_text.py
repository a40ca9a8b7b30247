"""Tests of recollections as they wait in an import."""

import json
from typing import Any

import pytest

from memorycore.exchange.mem0_history import History, read_change
from memorycore.exchange.mem0_memory import read_memory
from memorycore.exchange.recollection_text import read_recollection, write_recollection
from memorycore.model.candidate import Candidate, Naming, Quote
from memorycore.model.draft import Rejection
from memorycore.model.recollection import Recollection

ITEM: dict[str, Any] = {"id": "7b1c", "memory": " Plays the viola\n", "user_id": "ana",
        "created_at": "2026-01-04", "linked_memory_ids": ["x"],
        "expiration_date": "2027-01-01"}  # fmt: skip
ROW = {"id": "h1", "memory_id": "7b1c", "old_memory": "Lives in Porto", "event": "UPDATE",
       "new_memory": "Lives in Braga", "updated_at": "2026-02-01T08:00:00Z"}  # fmt: skip


def memory(**change: Any) -> Recollection:
    found = read_memory(ITEM | change, shape="MX-2", zone="Asia/Tokyo", place="x 1", source="x")
    assert isinstance(found, Recollection)
    return found


def history() -> Recollection:
    change = read_change(ROW, zone="UTC", place="x 1")
    assert not isinstance(change, Rejection)
    (found,) = History("x").read([change])
    return found


EDGE = Candidate("lives_in", (Quote(external_id="mem:1"),), Naming("ana"), value="Porto", place="p")


@pytest.mark.parametrize(
    "found",
    [
        memory(),
        memory(attributed_to="assistant", agent_id="bot"),
        memory(event="UPDATE", previous_memory="Plays the violin"),
        memory(memory="word " * 500),
        history(),
        Recollection("p", "MX-7", candidates=(EDGE,)),
    ],
)
def test_what_was_written_is_read_back(found: Recollection) -> None:
    back = read_recollection(write_recollection(found))

    assert (back.drafts, back.candidates) == (found.drafts, found.candidates)
    assert (back.place, back.shape) == (found.place, found.shape)


def test_a_text_stands_in_it_once() -> None:
    text = write_recollection(memory())

    assert text.count("Plays the viola") == 1
    assert isinstance(json.loads(text), list)
