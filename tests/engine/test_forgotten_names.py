"""A name that only forgotten sentences have used is found nowhere any more."""

from collections.abc import Callable
from typing import Any

import pytest

from memorycore import Memory
from memorycore.model.search import SearchResult
from memorycore.store.fact_index import check_fact_index

NAMES = {"en": "Quixel", "zh": "翡榿栖"}


@pytest.fixture(params=["en", "zh"])
def name(request: pytest.FixtureRequest) -> str:
    """A name that stands in one sentence only."""
    return NAMES[request.param]


@pytest.fixture
def tell(memory: Memory) -> Callable[..., str]:
    """Give the function that adds a sentence and what was learned from it."""

    def told(text: str, **item: Any) -> str:
        episode = memory.add(text, speaker="Ana").id
        memory.learn([item | {"episode": episode}])
        return episode

    return told


def _place(*aliases: str) -> dict[str, object]:
    return {"name": "Porto", "kind": "place", "aliases": list(aliases)}


def _firm(called: str) -> dict[str, str]:
    return {"name": called, "kind": "organization"}


def test_a_purged_alias_finds_no_other_fact(world: Any, tell: Any, name: str) -> None:
    tell("I live in Porto", predicate="lives_in", object=_place())
    gone = tell(f"I like {name} very much", predicate="likes", object=_place(name))

    receipt = world.memory.forget(world.memory.plan_forget(gone, level="purge"))

    _is_gone(world, name)
    assert receipt.verification.found == 0
    assert [hit.text for hit in world.memory.search("Porto").hits]


def test_a_purged_name_of_a_merged_entity_finds_no_other_fact(
    world: Any, tell: Any, name: str
) -> None:
    tell("I like Acme very much", predicate="likes", object=_firm("Acme"))
    gone = tell(f"I work at {name} now", predicate="works_at", object=_firm(name))
    world.memory.merge_entities("Acme", name)

    receipt = world.memory.forget(world.memory.plan_forget(gone, level="purge"))

    _is_gone(world, name)
    assert receipt.verification.found == 0


def _is_gone(world: Any, name: str) -> None:
    result: SearchResult = world.memory.search(name)
    assert result.hits == ()
    assert name not in str(world.memory.entities())
    assert [one for one in world.memory.find_entities(name) if one.likeness == 1.0] == []
    assert name not in str(world.rows("SELECT name FROM entities UNION SELECT name FROM aliases"))
    with world.store.read() as db:
        check_fact_index(db)
