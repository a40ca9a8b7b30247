"""A name that only hidden sentences have used is shown nowhere, and comes back with them."""

from collections.abc import Callable
from typing import Any

import pytest

from memorycore import Memory
from memorycore.engine.upkeep import require_indexes

NAMES = {"en": "Quixel", "zh": "翡榿栖"}
STATE = (
    "SELECT * FROM entities ORDER BY 1",
    "SELECT * FROM aliases ORDER BY 1",
    "SELECT * FROM hidden_names ORDER BY 1, 2",
    "SELECT fact_id, visibility, support FROM facts ORDER BY 1",
)


@pytest.fixture(params=["en", "zh"])
def name(request: pytest.FixtureRequest) -> str:
    """A name that stands in one sentence only."""
    return NAMES[request.param]


@pytest.fixture
def tell(memory: Memory) -> Callable[..., str]:
    """Give the function that adds a sentence about a firm and what was learned from it."""

    def told(text: str, called: str, *aliases: str, predicate: str = "likes") -> str:
        episode = memory.add(text, speaker="Ana").id
        firm = {"name": called, "kind": "organization", "aliases": list(aliases)}
        memory.learn([{"predicate": predicate, "object": firm, "episode": episode}])
        return episode

    return told


@pytest.fixture
def merged(memory: Memory, tell: Callable[..., str], name: str) -> str:
    """Two firms made one, which is called by a name of one sentence; give that sentence's id."""
    episode = tell(f"I work at {name} these days", name, predicate="works_at")
    tell("I like Acme very much", "Acme")
    memory.merge_entities(name, "Acme")
    return episode


def _shown(memory: Memory, name: str) -> str:
    """Ask the doors for a name; give what they show but for the question."""
    found = [hit.text for hit in memory.search(name).hits]
    found += [fact.text for fact in memory.search(name).facts]
    found += [one.name for one in memory.find_entities(name) if one.likeness == 1.0]
    found += [one.entity.name for one in memory.find_subject(name).exact]
    found += [str([one.name, *one.aliases]) for one in memory.entities()]
    for fact in memory.facts():
        found += [str(fact.to_dict()), str(memory.explain(fact.id).to_dict())]
    for table in ("entities", "facts", "episodes"):
        found.append(str(list(memory.sql(f"SELECT * FROM {table}"))))
    return "\n".join(found)


def _is_sound(world: Any) -> None:
    with world.store.read() as db:
        require_indexes(db)
    assert [one.name for one in world.memory.examine(deep=True) if one.state == "fail"] == []


def _state(world: Any) -> list[Any]:
    return [world.rows(sql) for sql in STATE] + [world.memory.digest()]


def test_who_is_called_by_a_hidden_name_is_shown_by_one_that_is_left(
    world: Any, merged: str, name: str
) -> None:
    memory: Memory = world.memory
    before = _state(world)
    assert name in _shown(memory, name)

    memory.forget(merged, level="soft")

    assert name not in _shown(memory, name)
    assert [fact.object.name for fact in memory.facts() if fact.object] == ["Acme"]
    assert [one.aliases for one in memory.find_entities("Acme")] == [()]
    assert memory.search("Acme").facts
    _is_sound(world)
    memory.undo()
    assert _state(world) == before
    _is_sound(world)


def test_who_was_merged_is_not_found_by_a_hidden_name(
    world: Any, tell: Callable[..., str], name: str
) -> None:
    memory: Memory = world.memory
    tell("I like Acme very much", "Acme")
    gone = tell(f"I work at {name} these days", name, predicate="works_at")
    memory.merge_entities("Acme", name)
    before = _state(world)

    memory.forget(gone, level="soft")

    assert name not in _shown(memory, name)
    assert memory.find_subject(name).exact == ()
    memory.undo()
    assert _state(world) == before


def test_whose_name_was_said_once_is_shown_by_the_alias_that_others_say(
    world: Any, tell: Callable[..., str], name: str
) -> None:
    memory: Memory = world.memory
    gone = tell(f"I work at {name} these days", name, "Acme", predicate="works_at")
    tell("I like Acme very much", "Acme")
    before = _state(world)

    memory.forget(gone, level="soft")

    assert name not in _shown(memory, name)
    memory.undo()
    assert _state(world) == before


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_name_stays_hidden_until_both_that_hide_it_are_taken_back(
    world: Any, tell: Callable[..., str], name: str, order: tuple[int, int]
) -> None:
    memory: Memory = world.memory
    tell("I live near Acme these days", "Acme", predicate="works_at")
    gone = tell(f"I like {name} very much", "Acme", name)
    before = _state(world)
    fact = next(iter(memory.facts(predicate="likes"))).id
    hidings = []
    for target in (fact, gone):
        memory.forget(target, level="soft")
        hidings.append(memory.operations()[0].id)

    memory.undo(hidings[order[0]])
    assert name not in _shown(memory, name)
    memory.undo(hidings[order[1]])
    assert _state(world) == before


@pytest.mark.parametrize("first", [0, 1])
def test_a_name_is_shown_as_soon_as_one_of_its_sentences_is(
    world: Any, tell: Callable[..., str], name: str, first: int
) -> None:
    memory: Memory = world.memory
    tell("I live near Acme these days", "Acme", predicate="works_at")
    told = [tell(f"I {how} {name} a lot", "Acme", name, predicate=how + "s")
            for how in ("like", "prefer")]  # fmt: skip
    hidings = []
    for episode in told:
        memory.forget(episode, level="soft")
        hidings.append(memory.operations()[0].id)
    assert name not in _shown(memory, name)

    undone = memory.undo(hidings[first])
    assert name in _shown(memory, name)
    memory.undo(undone.operation.id)
    assert name not in _shown(memory, name)
    _is_sound(world)


def test_a_hidden_name_that_is_said_anew_is_shown_until_that_is_taken_back(
    world: Any, merged: str, tell: Callable[..., str], name: str
) -> None:
    memory: Memory = world.memory
    memory.forget(merged, level="soft")

    tell(f"We dislike {name} after all", name, predicate="dislikes")
    assert name in {one.name for one in memory.entities()}
    _is_sound(world)
    memory.undo()
    memory.undo()

    assert name not in _shown(memory, name)
    _is_sound(world)


def test_a_hidden_name_is_not_shown_by_merging_who_bears_it(
    world: Any, tell: Callable[..., str], name: str
) -> None:
    memory: Memory = world.memory
    tell("I like Acme very much", "Acme")
    gone = tell(f"I work at {name} these days", name, predicate="works_at")
    tell("I like Umbrel a little", name, "Umbrel")
    bearer = next(one.id for one in memory.entities() if one.name == name)
    memory.forget(gone, level="soft")

    memory.merge_entities("Acme", bearer)

    assert name not in _shown(memory, name)
    _is_sound(world)


def test_what_is_left_of_a_name_is_hidden_when_the_rest_of_it_is_purged(
    world: Any, tell: Callable[..., str], name: str
) -> None:
    memory: Memory = world.memory
    tell("I live near Acme these days", "Acme", predicate="works_at")
    told = [tell(f"I like {name} {how}", "Acme", name) for how in ("much", "a lot")]
    memory.forget(told[0], level="soft")
    hiding = memory.operations()[0].id

    memory.forget(memory.plan_forget(told[1], level="purge"))

    assert name not in _shown(memory, name)
    memory.undo(hiding)
    _is_sound(world)


def test_a_hidden_alias_that_a_person_gives_anew_is_shown(
    world: Any, tell: Callable[..., str], name: str
) -> None:
    memory: Memory = world.memory
    tell("I live near Acme these days", "Acme", predicate="works_at")
    memory.forget(tell(f"I like {name} very much", "Acme", name), level="soft")

    memory.add_alias("Acme", name)
    assert [one.aliases for one in memory.find_entities("Acme")] == [(name,)]
    memory.undo()
    assert name not in _shown(memory, name)
    _is_sound(world)


@pytest.mark.parametrize("level", ["soft", "redact", "purge"])
def test_names_are_counted_in_the_plan_and_in_the_receipt(
    memory: Memory, merged: str, tell: Callable[..., str], name: str, level: str
) -> None:
    plan = memory.plan_forget(merged, level=level)
    dry = memory.forget(plan, dry_run=True)
    done = memory.forget(plan)

    assert plan.counts["renamed"] == 1
    assert dry.counts == done.counts == plan.counts


@pytest.mark.parametrize("level", ["soft", "redact", "purge"])
def test_an_alias_that_goes_is_counted(
    memory: Memory, tell: Callable[..., str], name: str, level: str
) -> None:
    tell("I live near Acme these days", "Acme", predicate="works_at")
    plan = memory.plan_forget(tell(f"I like {name} very much", "Acme", name), level=level)

    assert plan.counts["aliases"] == 1
    assert memory.forget(plan, dry_run=True).counts == memory.forget(plan).counts == plan.counts


@pytest.mark.parametrize("level", ["hard", "redact", "purge"])
@pytest.mark.parametrize("how", ["merge", "alias"])
def test_an_alias_that_was_taken_back_goes_with_what_used_the_name(
    world: Any, tell: Callable[..., str], name: str, level: str, how: str
) -> None:
    memory: Memory = world.memory
    tell("I like Acme very much", "Acme")
    gone = tell(f"I work at {name} these days", name, predicate="works_at")
    memory.merge_entities("Acme", name) if how == "merge" else memory.add_alias("Acme", name)
    memory.undo()
    fact = next(iter(memory.facts(predicate="works_at"))).id

    plan = memory.plan_forget(fact if level == "hard" else gone, level=level, derived="forget")
    done = memory.forget(plan)

    assert name not in str(world.rows("SELECT name FROM aliases UNION SELECT name FROM entities"))
    assert done.counts == plan.counts
    assert plan.counts["aliases"] >= 1


@pytest.mark.parametrize("level", ["soft", "redact", "purge"])
def test_a_candidate_speaks_of_nobody_under_a_name_that_went(
    memory: Memory, tell: Callable[..., str], name: str, level: str
) -> None:
    gone = tell(f"I work at {name} these days", name, predicate="works_at")
    tell("I like Acme very much", name, "Acme")
    assert name in str(list(memory.candidates()))

    memory.forget(memory.plan_forget(gone, level=level))

    assert name not in str(list(memory.candidates()))
    assert name not in str([one.to_dict() for one in memory.candidates()])
    assert [fact.object.name for fact in memory.facts() if fact.object] == ["Acme"]
