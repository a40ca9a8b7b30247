"""Memories by the additive contract, from a model on the loopback address to facts with links."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from memorycore import AdditiveInputs

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

MOVED = {"id": "0", "text": "Nell moved from Porto to Braga in January 2022.",
         "attributed_to": "user", "linked_memory_ids": ["0"]}  # fmt: skip
TIP = {"id": "1", "text": "Recommended the Café Vianna in Braga.", "attributed_to": "assistant",
       "linked_memory_ids": []}  # fmt: skip


class Model:
    """A model that answers as it was told, and remembers what it was asked."""

    def __init__(self, serve: Callable[..., str]) -> None:
        self.answers: list[Any] = []
        self.asked: list[list[dict[str, str]]] = []
        self.url = serve(self._answer)

    def _answer(self, handler: Any, request: dict[str, Any]) -> None:
        self.asked.append(request["messages"])
        answer = self.answers.pop(0)
        handler.say(answer if isinstance(answer, str) else json.dumps(answer))

    @property
    def said(self) -> str:
        return self.asked[-1][1]["content"]


@pytest.fixture
def model(serve: Callable[..., str]) -> Model:
    return Model(serve)


def harvest(story: Any, model: Model, *answers: Any, **settings: Any) -> Any:
    model.answers = list(answers)
    return story.memory.harvest("model", model="m", base_url=model.url, **settings)


def test_memories_wait_and_once_approved_are_linked(story: Any, model: Model) -> None:
    story.tell("I live in Porto.", "lives_in", "Porto", "2021-05-01T10:00:00Z")
    story.say("I moved from Porto to Braga.", "2022-01-16T10:00:00Z", session="s")
    story.say("Try the Café Vianna.", "2022-01-16T10:01:00Z", session="s", role="assistant")
    result = harvest(
        story, model, {"memory": []}, {"memory": [MOVED, TIP]}, additive=True, since="all"
    )

    assert result.counts == {"review": 2}
    assert '{"id": "0", "text": "Nell lives_in Porto"}' in model.said
    for waiting in story.memory.reviews():
        story.memory.approve(waiting.id)
    assert story.links("RELATED_TO") == [(f"Nell note {MOVED['text']}", "Nell lives_in Porto")]
    assert any("recommended" in text for text in story.now())


def test_recently_is_told_by_the_day_of_the_conversation(story: Any, model: Model) -> None:  # M0-5
    story.say("I recently read The Magic Mountain.", "2022-01-16T10:00:00Z")
    right = MOVED | {"text": "Nell read The Magic Mountain in early January 2022."}
    wrong = MOVED | {"id": "1", "text": "Nell read The Magic Mountain in early February 2026."}
    for memory in (right, wrong):
        memory["linked_memory_ids"] = []
    result = harvest(story, model, {"memory": [right, wrong]}, additive=True)

    assert "## Observation Date\n2022-01-16\n" in model.said
    assert "## Current Date\n2026-" in model.said
    assert [one["code"] for one in result.problems] == ["M0-5"]
    for waiting in story.memory.reviews():
        story.memory.approve(waiting.id)
    assert story.fact(f"Nell note {right['text']}").period.valid_from < 1_643_673_600_000_000


def test_what_was_learned_before_and_what_is_asked_for_go_out(story: Any, model: Model) -> None:
    story.tell("I live in Porto.", "lives_in", "Porto", "2021-05-01T10:00:00Z")
    inputs = AdditiveInputs(summary="about homes", instructions="homes only", language="English")
    harvest(story, model, {"memory": []}, additive=inputs)

    assert '## Recently Extracted Memories\n"Nell lives_in Porto"\n' in model.said
    assert '## Summary\n"about homes"\n' in model.said
    assert model.said.index("## Custom Instructions") < model.said.index("## Language Requirement")


def test_an_answer_of_another_shape_is_asked_for_again(story: Any, model: Model) -> None:
    story.say("I have moved to Braga.", "2022-01-16T10:00:00Z")
    result = harvest(story, model, '{"memory": 5}', {"memory": [MOVED]}, additive=True)

    assert '{"memory": [ … ]}' in model.asked[-1][-1]["content"]
    assert result.counts == {"review": 1}


def test_what_only_the_context_says_is_no_fact(story: Any, model: Model) -> None:  # I8
    story.say("Good evening!", "2022-01-16T10:00:00Z")
    claim = {"predicate": "lives_in", "object": "Porto", "quote": "Nell lives in Porto",
             "message": "m1"}  # fmt: skip
    result = harvest(story, model, {"candidates": [claim]}, context=["Nell lives in Porto."])

    assert '{"document": "Nell lives in Porto."}' in model.said
    assert result.counts == {"reject": 1}
    assert [one.decision.reason for one in result.outcomes] == ["quote_not_found"]
