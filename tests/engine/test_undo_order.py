"""Operations are taken back in any order: what is left is what the others alone would have made."""

from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest

SALT = {"name": "Salt", "kind": "work"}
Step = tuple[str, str, Any, dict[str, Any]]


def home(name: str, text: str | None = None, **fields: Any) -> Step:
    return text or f"I live in {name}.", "lives_in", name, fields


STORIES: dict[str, list[Step]] = {
    "supersede": [home("Alfa"), home("Bravo"), home("Alfa")],
    "correct": [home("Alfa"), home("Alba", act="correct"), home("Alfa")],
    "retract": [home("Alfa"), ("Not Alfa.", "lives_in", None, {"act": "retract"}), home("Alfa")],
    "conflict": [home("Alfa", at=None), home("Bravo", at=None), home("Delta")],
    "opposite": [
        ("I like tea.", "likes", "tea", {}),
        ("I dislike tea.", "dislikes", "tea", {}),
        ("I like tea again.", "likes", "tea", {}),
    ],
    "merge": [
        ("Keep it short.", "prefers", "Keep it short", {}),
        ("Keep it short and plain.", "prefers", "Keep it short and plain", {}),
        ("As I said: keep it short.", "prefers", "keep it short", {}),
    ],
    "rank": [
        ("I like Salt.", "FAVORITE_WORK", SALT, {}),
        ("Salt is my first.", "FAVORITE_WORK", SALT, {"rank": 1}),
        ("I like Salt now.", "FAVORITE_WORK", SALT, {}),
    ],
}


def say_all(story: Any, steps: list[Step]) -> list[dict[str, Any]]:
    """Say the sentences of a story, a month apart; give the candidates."""
    items = []
    for month, (text, predicate, named, fields) in enumerate(steps, 1):
        fields = {"at": f"2025-0{month}-10T09:00:00Z"} | fields
        key = story.say(text, fields.pop("at"))
        item = {"predicate": predicate, "external_id": key} | fields
        items.append(item if named is None else item | {"object": named})
    return items


def learn(story: Any, item: dict[str, Any]) -> str:
    return str(story.memory.learn([item]).operation.id)


def shown(story: Any) -> list[tuple[str, float, str]]:
    facts = story.memory.facts(include={"past"})
    return sorted((fact.text, fact.confidence, fact.validity) for fact in facts)


@pytest.mark.parametrize("name", STORIES)
def test_each_step_is_taken_back_and_done_again(story: Any, name: str) -> None:
    for item in say_all(story, STORIES[name]):
        before = story.memory.digest()
        operation = learn(story, item)
        after = story.memory.digest()

        undone = story.memory.undo(operation)
        assert story.memory.digest() == before
        story.memory.undo(undone.operation.id)
        assert story.memory.digest() == after


@pytest.mark.parametrize("order", list(permutations(range(3))))
@pytest.mark.parametrize("name", STORIES)
def test_taken_back_in_any_order_nothing_is_left(
    story: Any, name: str, order: tuple[int, ...]
) -> None:
    items = say_all(story, STORIES[name])
    before = story.memory.digest()
    operations = [learn(story, item) for item in items]
    after = story.memory.digest()

    undone = [story.memory.undo(operations[number]).operation.id for number in order]

    assert story.now() == []
    assert story.memory.digest() == before
    for operation in reversed(undone):
        story.memory.undo(operation)
    assert story.memory.digest() == after


@pytest.mark.parametrize("order", list(permutations(range(2))))
@pytest.mark.parametrize("again", list(permutations(range(2))))
def test_a_retraction_and_what_it_retracted_are_done_again_in_any_order(
    story: Any, order: tuple[int, ...], again: tuple[int, ...]
) -> None:
    operations = [learn(story, item) for item in say_all(story, STORIES["retract"][:2])]
    after = story.memory.digest()
    undone = {number: story.memory.undo(operations[number]).operation.id for number in order}
    assert story.now() == []

    story.memory.undo(undone[again[0]])
    assert story.now() == ([] if again[0] else ["Nell lives_in Alfa"])
    story.memory.undo(undone[again[1]])

    assert story.now() == []
    assert story.memory.digest() == after


@pytest.mark.parametrize("dropped", range(3))
@pytest.mark.parametrize("name", STORIES)
def test_without_a_step_things_are_as_if_it_had_never_been(
    make_story: Callable[[], Any], name: str, dropped: int
) -> None:
    taken_back, never = make_story(), make_story()
    for story in (taken_back, never):
        operations = []
        for number, item in enumerate(say_all(story, STORIES[name])):
            if story is taken_back or number != dropped:
                operations.append(learn(story, item))
        if story is taken_back:
            story.memory.undo(operations[dropped])

    assert shown(taken_back) == shown(never)


def test_a_sentence_that_is_gone_does_not_count_again_when_its_retraction_goes(
    story: Any,
) -> None:
    first, second = say_all(story, STORIES["retract"][:2])
    sentence = story.memory.operations()[1].id
    learn(story, first)
    retraction = learn(story, second)

    gone = story.memory.undo(sentence)
    story.memory.undo(retraction)
    assert story.now() == []

    story.memory.undo(gone.operation.id)
    assert story.now() == ["Nell lives_in Alfa"]
