"""The bundled scenarios end as they say: the decisions, the present, and the past."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memorycore import Memory

TESTDATA = Path(__file__).parents[2] / "testdata" / "scenarios"
SCENARIOS = [
    scenario
    for path in sorted(TESTDATA.glob("*.json"))
    for scenario in json.loads(path.read_text("utf-8"))
]
LONG_AFTER = 1_767_225_600_000_000
"""2026-01-01T00:00:00Z"""


@pytest.fixture
def memory(make_world: Callable[..., Any]) -> Iterator[Memory]:
    with make_world(scope="default") as world:
        world.clock.now, world.clock.step = LONG_AFTER, 0
        yield world.memory


def ingest(memory: Memory, episodes: list[dict[str, Any]]) -> None:
    for episode in episodes:
        fields = {name: value for name, value in episode.items() if name not in ("key", "text")}
        memory.add(episode["text"], external_id=episode["key"], **fields)


def candidates(step: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"external_id" if name == "episode_key" else name: item[name] for name in item}
        for item in step["propose"]
    ]


def learn(memory: Memory, steps: list[dict[str, Any]]) -> list[tuple[str, str]]:
    decided = []
    for step in steps:
        result = memory.learn(candidates(step))
        decided += [("ignore", "already_there")] * result.already_there
        decided += [(one.decision.kind, one.decision.reason) for one in result.outcomes]
    return decided


def facts(memory: Memory, as_of: str | None = None) -> list[list[str]]:
    found = memory.facts(as_of=as_of)
    return sorted([fact.subject.name, fact.predicate, fact.object_text] for fact in found)


def play(memory: Memory, scenario: dict[str, Any]) -> list[tuple[str, str]]:
    ingest(memory, scenario["episodes"])
    return learn(memory, scenario["steps"])


def midnight(when: str) -> str:
    return when if "T" in when else f"{when}T00:00:00+00:00"


def test_there_are_scenarios_in_both_languages() -> None:
    assert len(SCENARIOS) >= 38
    assert {scenario["lang"] for scenario in SCENARIOS} == {"en", "zh"}


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["name"])
def test_a_scenario_ends_as_it_says(memory: Memory, scenario: dict[str, Any]) -> None:
    expect = scenario["expect"]

    decided = play(memory, scenario)

    assert len(decided) == len(expect["decisions"])
    for (kind, reason), (wanted_kind, wanted_reason) in zip(
        decided, expect["decisions"], strict=True
    ):
        assert wanted_kind in (kind, None), decided
        assert wanted_reason in (reason, None), decided
    if "now" in expect:
        assert facts(memory) == sorted(expect["now"])
    for when, wanted in expect.get("as_of", {}).items():
        assert facts(memory, midnight(when)) == sorted(wanted), when


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["name"])
def test_a_scenario_played_again_changes_nothing(memory: Memory, scenario: dict[str, Any]) -> None:
    play(memory, scenario)
    before = memory.digest()

    again = play(memory, scenario)

    assert set(again) == {("ignore", "already_there")}
    assert memory.digest() == before


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["name"])
def test_a_scenario_taken_back_leaves_no_fact(memory: Memory, scenario: dict[str, Any]) -> None:
    ingest(memory, scenario["episodes"])
    before = memory.digest()
    operations = [learn_step(memory, step) for step in scenario["steps"]]

    for operation in filter(None, reversed(operations)):
        memory.undo(operation)

    assert memory.digest() == before
    assert facts(memory) == []


def learn_step(memory: Memory, step: dict[str, Any]) -> str | None:
    result = memory.learn(candidates(step))
    return None if result.operation is None else result.operation.id
