"""What a model says to be the reason of what."""

import json
from typing import Any

import pytest

from memorycore.exchange.model_answer import Reading, read_answer
from memorycore.model.candidate import AskedLink
from memorycore.model.heard import Heard
from memorycore.model.packet import Offered, Packet
from memorycore.model.predicate import Predicate

TEXT = "Because I joined Team Heron, I am busy with the move and the wiki."
TURN = Heard("ep_A", TEXT)
PACKET = Packet(
    (TURN,),
    facts=(Offered("f0", "Ana lives_in Braga", "fct_X"),),
    predicates=(Predicate("works_at"), Predicate("is_busy_with")),
)
WORK = {"predicate": "works_at", "object": "Team Heron", "quote": "I joined Team Heron",
        "message": "m1"}  # fmt: skip
BUSY = {"predicate": "is_busy_with", "object": "the move", "quote": "busy with the move",
        "message": "m1"}  # fmt: skip


def read(*items: dict[str, Any], packet: Packet = PACKET) -> Reading:
    return read_answer(json.dumps({"candidates": items}), packet)


@pytest.mark.parametrize("cause", ["c1", " c1 ", "1", 1])
def test_an_effect_is_linked_to_its_cause_in_the_same_answer(cause: int | str) -> None:
    work, busy = read(WORK, BUSY | {"caused_by": cause}).candidates

    assert work.ref
    assert (work.links, busy.links) == ((), (AskedLink("CAUSED_BY", work.ref),))
    assert busy.ref is None


def test_a_cause_may_come_after_its_effects() -> None:
    wiki = BUSY | {"object": "the wiki", "quote": "the wiki"}
    reading = read(BUSY | {"caused_by": "c3"}, wiki | {"caused_by": "c3"}, WORK)

    assert [one.links for one in reading.candidates[:2]] == [
        (AskedLink("CAUSED_BY", reading.candidates[2].ref or ""),)
    ] * 2
    assert reading.problems == []


def test_a_known_fact_may_be_the_cause() -> None:
    [busy] = read(BUSY | {"caused_by": "f0"}).candidates
    assert busy.links == (AskedLink("CAUSED_BY", "fct_X"),)


@pytest.mark.parametrize("cause", ["c2", "c9", "c0", 0, "f1", "m1", "the move", "c", "fct_X"])
def test_a_cause_that_is_nothing_else_there_is_left_out_and_told(cause: int | str) -> None:
    reading = read(WORK, BUSY | {"caused_by": cause})

    assert [one.links for one in reading.candidates] == [(), ()]
    assert [one.ref for one in reading.candidates] == [None, None]
    assert [(one.code, one.severity) for one in reading.problems] == [("unknown_cause", "warn")]


def test_numbers_count_what_was_written_not_what_was_read() -> None:
    reading = read(WORK | {"predicate": "is_king_of"}, WORK, WORK, BUSY | {"caused_by": "c3"})

    work, busy = reading.candidates
    assert busy.links == (AskedLink("CAUSED_BY", work.ref or ""),)
    [told] = read(WORK | {"predicate": "is_king_of"}, BUSY | {"caused_by": "c1"}).problems
    assert told.code == "unknown_cause"


def test_pieces_of_one_long_turn_name_their_candidates_apart() -> None:
    later = Packet((TURN,), before=(TURN,), predicates=PACKET.predicates)
    items = (WORK, BUSY | {"caused_by": "c1"})

    refs = {read(*items, packet=packet).candidates[0].ref for packet in (PACKET, later)}

    assert len(refs) == 2


@pytest.mark.parametrize("cause", [True, 1.5, [], {}, ""])
def test_a_cause_of_another_shape_costs_that_candidate(cause: Any) -> None:
    reading = read(WORK, BUSY | {"caused_by": cause})
    assert [one.predicate for one in reading.candidates] == ["works_at"]
    assert "caused_by" in reading.quarantined[0].rejection.reason
