"""The word index of facts is true to them, whatever was added, renamed or taken back."""

import pytest

from memorycore import errors
from memorycore.engine.upkeep import require_indexes
from memorycore.store.fact_index import FactIndexing

PLACE = {"name": "Porto", "kind": "place"}


def assert_true(world):
    """Compare the index with the facts, and the counts of scopes with what is visible."""
    with world.store.write(dry_run=True) as db:
        require_indexes(db)
    rows = world.rows(
        "SELECT s.indexed_facts, (SELECT count(*) FROM facts f WHERE f.scope_id = s.scope_id "
        "AND f.visibility = 'visible' AND f.support > 0) FROM scopes s"
    )
    assert all(kept == real for kept, real in rows), rows


def found(world, word):
    """Count the rows of the index that have a word, in either column."""
    scope = world.rows("SELECT scope_id FROM scopes WHERE name = ?", (world.scope,))[0][0]
    [(words,)] = world.rows("SELECT memory_words(?, ?)", (scope, word))
    match = " AND ".join(f'"{one}"' for one in str(words).split())
    return world.rows("SELECT count(*) FROM fact_index WHERE fact_index MATCH ?", (match,))[0][0]


@pytest.fixture
def learned(world):
    """A store that knows where Ana lives and what she drinks."""
    for number, (text, predicate, said) in enumerate(
        [
            ("I live in Porto.", "lives_in", PLACE),
            ("I drink white tea 白茶.", "note", "white tea 白茶"),
        ]
    ):
        world.memory.add(text, speaker="Ana", session="s", external_id=f"e{number}")
        item = {"predicate": predicate, "object": said, "external_id": f"e{number}", "quote": text}
        [outcome] = world.memory.learn([item]).outcomes
        assert outcome.decision.kind == "add"
    return world


def test_what_is_learned_is_in_the_index_with_its_sentence(learned):
    assert found(learned, "porto") == found(learned, "白茶") == 1
    assert found(learned, "live") == 1
    assert found(learned, "lisbon") == 0
    assert_true(learned)


def test_a_fact_that_is_supported_again_stays_in_once(learned):
    learned.memory.add("I still live in Porto.", speaker="Ana", session="t", external_id="e9")
    item = {"predicate": "lives_in", "object": PLACE, "external_id": "e9"}
    learned.memory.learn([item | {"quote": "I still live in Porto."}])
    assert found(learned, "porto") == 1
    assert_true(learned)


def test_a_new_alias_is_found_and_an_alias_that_was_taken_away_is_not(learned):
    learned.memory.add_alias("Porto", "Oporto")
    assert found(learned, "oporto") == 1
    assert_true(learned)
    learned.memory.undo()
    assert found(learned, "oporto") == 0
    assert_true(learned)


def test_what_is_taken_back_leaves_the_index_and_comes_back_with_it(learned):
    taken = learned.memory.undo()
    assert found(learned, "白茶") == 0
    assert_true(learned)
    learned.memory.undo(taken.operation.id)
    assert found(learned, "白茶") == 1
    assert_true(learned)


def test_a_fact_whose_sentence_is_withdrawn_leaves_the_index(learned):
    ingest = [one for one in learned.memory.operations() if one.kind == "ingest"]
    learned.memory.undo(ingest[0].id)
    assert found(learned, "白茶") == 0
    assert found(learned, "porto") == 1
    assert_true(learned)


def test_a_dry_run_leaves_the_index_as_it_was(learned):
    learned.memory.undo(dry_run=True)
    assert found(learned, "白茶") == 1
    assert_true(learned)


def test_touching_facts_twice_and_changing_nothing_changes_nothing(learned):
    with learned.store.write() as db:
        indexing = FactIndexing(db)
        indexing.touch([1, 2])
        indexing.touch([2, 1])
        indexing.finish()
        indexing.finish()
    assert found(learned, "porto") == found(learned, "白茶") == 1
    assert_true(learned)


def test_more_facts_than_a_batch_are_indexed(world):
    items = []
    for number in range(700):
        text = f"I like pot {number} of tea."
        world.memory.add(text, speaker="Ana", external_id=f"e{number}", session="s")
        items.append({"predicate": "note", "object": f"pot {number}", "external_id": f"e{number}"})
        items[-1]["quote"] = text
    world.memory.learn(items)
    assert_true(world)
    world.memory.undo()
    assert world.rows("SELECT indexed_facts FROM scopes") == [(0,)]
    assert_true(world)


def test_an_index_that_is_not_true_is_noticed(learned):
    learned.write("UPDATE facts SET visibility = 'hidden' WHERE fact_id = 1")
    with pytest.raises(errors.CorruptStoreError), learned.store.write(dry_run=True) as db:
        require_indexes(db)
