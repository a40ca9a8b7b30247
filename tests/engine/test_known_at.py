"""What was believed at an earlier time is answered as it was then, whatever was done since."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from memorycore.learning import BATCH


def remember(world, text, at, session, **item):
    """Keep a sentence of Ana and learn one statement from it; give the instant after that."""
    said = world.memory.add(text, at=at, session=session, speaker="Ana")
    world.memory.learn([{"episode": said.id, "quote": text} | item])
    return after(world)


def after(world):
    """Give the instant of the last operation, as it is written."""
    at = world.memory.operations(limit=1)[0].at
    return datetime.fromtimestamp(at / 1_000_000, UTC).isoformat()


def seen(world, **asked):
    """List the facts that a question shows, with what they rest on."""
    facts = world.memory.facts(**asked)
    return [(one.text, one.lifecycle, one.confidence, len(one.evidence)) for one in facts]


PORTO = {"predicate": "lives_in", "object": "Porto"}
SHORT = {"predicate": "prefers", "value": "short answers"}
LONGER = {"predicate": "prefers", "value": "short answers with examples"}


def test_a_text_that_was_merged_since_is_the_answer_for_before(world):
    then = remember(world, "I prefer short answers", "2025-01-01", "a", **SHORT)
    before = seen(world)
    assert len(before) == 1
    remember(world, "I prefer short answers with examples", "2025-02-01", "b", **LONGER)
    now = seen(world)
    assert now != before
    assert seen(world, known_at=then) == before
    assert seen(world, known_at=after(world)) == now
    [hit] = world.memory.search("short answers", known_at=then).facts
    assert hit.fact.lifecycle == "active"


def test_a_merge_that_was_taken_back_is_the_answer_for_between(world):
    remember(world, "I prefer short answers", "2025-01-01", "a", **SHORT)
    then = remember(world, "I prefer short answers with examples", "2025-02-01", "b", **LONGER)
    between = seen(world)
    world.memory.undo()
    assert seen(world) != between
    assert seen(world, known_at=then) == between


def test_confidence_and_sentences_are_those_of_then(world):
    item = {"predicate": "likes", "object": "tea"}
    then = remember(world, "I like tea", "2025-01-01", "a", confidence=0.7, **item)
    before = seen(world)
    remember(world, "tea I like", "2025-02-01", "b", confidence=0.9, **item)
    assert seen(world, known_at=then) == before == [(before[0][0], "active", 0.7, 1)]
    assert [row[2:] for row in seen(world)] == [(0.97, 2)]
    assert seen(world, known_at=then, min_confidence=0.9) == []
    assert len(seen(world, known_at=then, min_confidence=0.6)) == 1


def test_a_fact_whose_sentences_were_withdrawn_is_in_no_answer(world):
    then = remember(world, "I live in Porto", "2025-01-01", "a", **PORTO)
    assert len(seen(world, known_at=then)) == 1
    ingest = next(one for one in world.memory.operations() if one.kind == "ingest")
    world.memory.undo(ingest.id)
    assert seen(world, known_at=then) == []
    world.memory.undo(world.memory.operations(limit=1)[0].id)
    assert len(seen(world, known_at=then)) == 1


@pytest.mark.parametrize("as_of", [None, "2025-01-15"])
def test_what_was_corrected_since_is_the_answer_for_before(world, as_of):
    then = remember(world, "I live in Porto", "2025-01-01", "a", **PORTO)
    before = seen(world, as_of=as_of)
    fix = {"predicate": "lives_in", "object": "Faro", "act": "correct"}
    remember(world, "No, I live in Faro, not in Porto", "2025-02-01", "b", **fix)
    assert [row[0].split()[-1] for row in seen(world, as_of=as_of)] == ["Faro"]
    assert seen(world, as_of=as_of, known_at=then) == before
    assert [(one.validity, one.support) for one in world.memory.facts(known_at=then)] == [
        ("valid", 1)
    ]


def test_a_long_run_goes_on_after_what_another_has_recorded_meanwhile(story: Any) -> None:
    town = {name: story.say(f"I live in {name}.", at=f"2025-0{month}-03")
            for month, name in enumerate(("Alfa", "Bravo", "Faro"), 3)}  # fmt: skip
    other = story.memory.scoped(story.memory.scope)

    def lives_in(name: str) -> dict[str, Any]:
        place = {"name": name, "kind": "place"}
        return {"predicate": "lives_in", "object": place, "external_id": town[name]}

    def items() -> Iterator[dict[str, Any]]:
        yield lives_in("Alfa")
        yield from ({"predicate": "likes", "object": f"tea {n}", "external_id": "none"}
                    for n in range(BATCH))  # fmt: skip
        other.learn([lives_in("Bravo")])
        yield lives_in("Faro")

    run = story.memory.learn(items())

    assert story.now() == ["Nell lives_in Faro"]
    assert [fact.text for fact in other.facts(as_of="2025-04-20")] == ["Nell lives_in Bravo"]
    story.memory.undo(run.operation.id)
    assert story.now() == ["Nell lives_in Bravo"]
