"""A name that only forgotten sentences have used is found nowhere any more."""

from collections.abc import Callable
from typing import Any

import pytest

from memorycore import Memory
from memorycore.engine.upkeep import require_indexes
from memorycore.model.forgetting import FITS

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


def _names(memory: Memory) -> set[str]:
    return {name for one in memory.entities() for name in (one.name, *one.aliases)}


def _objects(memory: Memory) -> list[str]:
    return [one.object.name for one in memory.facts() if one.object is not None]


def _found(memory: Memory, name: str) -> int:
    result = memory.search(name)
    return len(result.hits) + len(result.facts)


def _is_gone(world: Any, name: str) -> None:
    assert _found(world.memory, name) == 0
    assert name not in _names(world.memory)
    assert [one for one in world.memory.find_entities(name) if one.likeness == 1.0] == []
    assert name not in str(world.rows("SELECT name FROM entities UNION SELECT name FROM aliases"))
    with world.store.read() as db:
        require_indexes(db)


@pytest.mark.parametrize("level", ["soft", "redact", "purge"])
def test_who_spoke_only_in_what_was_taken_back_is_not_shown(
    world: Any, name: str, level: str
) -> None:
    memory: Memory = world.memory
    memory.add("hello to all of you", speaker=name, session=f"with {name}")
    memory.undo()
    _is_not_shown(memory, name)

    episode = memory.add("hello again to you there", speaker=name, session=f"with {name}")
    assert name in _names(memory)
    memory.forget(memory.plan_forget(episode.id, level=level))

    _is_not_shown(memory, name)


def _is_not_shown(memory: Memory, name: str) -> None:
    assert name not in _names(memory)
    assert [one for one in memory.find_entities(name) if one.likeness == 1.0] == []
    for table in ("entities", "sessions", "episodes"):
        assert name not in str(list(memory.sql(f"SELECT * FROM {table}")))
    assert [one.sessions for one in memory.stats().scopes] == [0]


def test_what_was_taken_back_and_is_done_again_is_shown_again(memory: Memory) -> None:
    memory.add("hello to all of you", speaker="Wombat", session="one")
    undone = memory.undo()
    memory.undo(undone.operation.id)
    assert "Wombat" in _names(memory)
    assert [one.sessions for one in memory.stats().scopes] == [1]


@pytest.mark.parametrize("level", ["soft", "hard", "redact", "purge"])
def test_who_was_named_only_in_what_was_taken_back_is_not_shown(
    memory: Memory, tell: Any, name: str, level: str
) -> None:
    memory.add("nothing of that", speaker="Ana")
    tell(f"I work at {name} now", predicate="works_at", object=_firm(name))
    memory.undo()
    assert name not in _names(memory)

    episode = tell(f"I like {name} very much", predicate="likes", object=_firm(name))
    fact = next(iter(memory.facts(predicate="likes")))
    memory.forget(memory.plan_forget(episode if level == "redact" else fact.id, level=level))

    assert name not in _names(memory)
    assert name not in str(list(memory.sql("SELECT * FROM entities")))


@pytest.mark.parametrize("level", ["redact", "purge"])
def test_the_name_of_who_spoke_in_what_was_taken_back_goes_with_the_rest(
    world: Any, name: str, level: str
) -> None:
    memory: Memory = world.memory
    memory.add("hello to all of you", speaker=name)
    memory.undo()
    episode = memory.add("hello again to you there", speaker=name)

    memory.forget(memory.plan_forget(episode.id, level=level))

    _is_gone(world, name)
    assert world.rows("SELECT * FROM episodes WHERE speaker_id IS NOT NULL") == []


def test_a_fact_that_was_taken_back_goes_with_the_name_it_holds(
    world: Any, tell: Any, name: str
) -> None:
    gone = tell(f"I like {name} very much", predicate="likes", object=_firm(name))
    tell("I work there now", predicate="works_at", object=_firm(name))
    world.memory.undo()

    world.memory.forget(world.memory.plan_forget(gone, level="purge"))

    _is_gone(world, name)
    assert world.rows("PRAGMA foreign_key_check") == []


@pytest.mark.parametrize("whole", [False, True])
def test_both_of_a_name_that_was_split_go(world: Any, tell: Any, name: str, whole: bool) -> None:
    memory: Memory = world.memory
    gone = tell(f"I work at {name} these days", predicate="works_at", object=_firm(name))
    memory.split_entity(name, "two", [next(iter(memory.facts())).id])
    target = {"subject": memory.scope} if whole else {"target": gone}

    memory.forget(memory.plan_forget(**target, level="purge"))

    _is_gone(world, name)


def test_a_name_of_which_nothing_speaks_can_be_forgotten(world: Any, tell: Any, name: str) -> None:
    memory: Memory = world.memory
    tell(f"I work at {name} these days", predicate="works_at", object=_firm(name))
    memory.split_entity(name, "two", [next(iter(memory.facts())).id])
    idle = next(one for one in memory.entities() if one.name == name and not one.facts)

    memory.forget(memory.plan_forget(idle.id, level="purge"))

    assert [one.distinction for one in memory.entities() if one.name == name] == ["two"]


def test_a_namesake_that_something_speaks_of_stays(memory: Memory, tell: Any, name: str) -> None:
    tell(f"I work at {name} these days", predicate="works_at", object=_firm(name))
    gone = tell(f"I like {name} very much", predicate="likes", object=_firm(name))
    memory.split_entity(name, "two", [next(iter(memory.facts(predicate="likes"))).id])

    memory.forget(memory.plan_forget(gone, level="purge"))

    assert [one.distinction for one in memory.entities() if one.name == name] == [""]


@pytest.mark.parametrize("changes", [{"confidence": 0.9}, {"value": "Frobnick"}])
def test_what_a_person_changed_into_a_forgotten_fact_keeps_no_words(
    world: Any, tell: Any, name: str, changes: dict[str, Any]
) -> None:
    memory: Memory = world.memory
    tell(f"I like {name} very much", predicate="likes", value=name, confidence=0.3)
    memory.edit(memory.reviews()[0].id, changes)

    memory.forget(memory.plan_forget(next(iter(memory.facts())).id, level="hard"))

    assert set(world.rows("SELECT statement FROM candidates")) == {(None,)}


def test_a_rejected_candidate_that_said_the_same_keeps_no_words(
    world: Any, tell: Any, name: str
) -> None:
    memory: Memory = world.memory
    tell(f"I like {name} and tea", predicate="likes", value=name, confidence=0.3)
    memory.reject(memory.reviews()[0].id, "not sure")
    episode = next(iter(memory.episodes())).id
    memory.learn([{"predicate": "note", "value": name, "episode": episode}])
    memory.learn([{"predicate": "likes", "value": "tea", "episode": episode}])

    memory.forget(memory.plan_forget(next(iter(memory.facts(predicate="note"))).id, level="hard"))

    kept = world.rows("SELECT statement FROM candidates WHERE statement IS NOT NULL")
    assert [name in str(one) for one in kept] == [False]


@pytest.mark.parametrize(
    ("record", "level"),
    [(record, level) for record in ("fact", "episode") for level in FITS[record]],
)
def test_an_alias_of_a_forgotten_sentence_is_not_shown(
    world: Any, tell: Any, name: str, level: str, record: str
) -> None:
    memory: Memory = world.memory
    tell("I live in Porto", predicate="lives_in", object=_place())
    gone = tell(f"I like {name} very much", predicate="likes", object=_place(name))
    fact = next(iter(memory.facts(predicate="likes"))).id

    memory.forget(memory.plan_forget(fact if record == "fact" else gone, level=level))

    assert _found(memory, name) == 0
    assert name not in _names(memory)
    assert [one for one in memory.find_entities(name) if one.likeness == 1.0] == []
    with world.store.read() as db:
        require_indexes(db)


def test_an_alias_that_was_hidden_comes_back_with_its_sentence(
    memory: Memory, tell: Any, name: str
) -> None:
    tell("I live in Porto", predicate="lives_in", object=_place())
    gone = tell(f"I like {name} very much", predicate="likes", object=_place(name))
    memory.forget(gone, level="soft")
    assert name not in _names(memory)

    memory.undo()

    assert name in _names(memory)
    assert _found(memory, name) == 3


@pytest.mark.parametrize("level", ["soft", "hard"])
def test_an_alias_that_another_sentence_of_the_same_turn_uses_stays(
    memory: Memory, tell: Any, name: str, level: str
) -> None:
    episode = tell(f"I like {name}. I live in {name}.", predicate="likes",
                   object=_place(name), quote=f"I like {name}.")  # fmt: skip
    memory.learn([{"predicate": "lives_in", "object": _place(name), "episode": episode,
                   "quote": f"I live in {name}."}])  # fmt: skip
    fact = next(iter(memory.facts(predicate="likes"))).id

    memory.forget(memory.plan_forget(fact, level=level))

    assert name in _names(memory)


@pytest.mark.parametrize("level", ["hard", "redact", "purge"])
def test_what_was_merged_takes_the_name_that_is_left(
    world: Any, tell: Any, name: str, level: str
) -> None:
    memory: Memory = world.memory
    gone = tell(f"I work at {name} these days", predicate="works_at", object=_firm(name))
    tell("I like Acme very much", predicate="likes", object=_firm("Acme"))
    memory.merge_entities(name, "Acme")
    fact = next(iter(memory.facts(predicate="works_at"))).id

    memory.forget(memory.plan_forget(fact if level == "hard" else gone, level=level))

    _is_gone(world, name)
    assert _objects(memory) == ["Acme"]
    assert [one.likeness for one in memory.find_entities("Acme")] == [1.0]
    assert memory.search("Acme").facts


def test_who_was_merged_and_took_the_name_can_still_be_parted(
    world: Any, tell: Any, name: str
) -> None:
    memory: Memory = world.memory
    gone = tell(f"I work at {name} these days", predicate="works_at", object=_firm(name))
    tell("I like Acme very much", predicate="likes", object=_firm("Acme"))
    merging = memory.merge_entities(name, "Acme")
    memory.forget(memory.plan_forget(gone, level="purge"))

    memory.undo(merging.id)

    assert _objects(memory) == ["Acme"]
    _is_gone(world, name)
