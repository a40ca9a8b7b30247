"""Every check of a store finds what it is for, and only what is derived is mended."""

import signal
import time

import pytest

from memorycore import Memory, errors
from memorycore.store.connection import transaction, unchecked_links
from memorycore.store.functions import register_functions

TRIGGERS = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid"
PLANTED = {
    "evidence": "UPDATE evidence SET recorded_to = 3 WHERE evidence_id = 1",
    "admission": "UPDATE facts SET recorded = 1 WHERE fact_id = 1",
    "agents": "UPDATE entities SET kind = 'agent' WHERE entity_id = "
    "(SELECT subject_id FROM facts WHERE fact_id = 1)",
    "time": "UPDATE fact_periods SET from_precision = 'day', from_basis = 'unknown'",
    "forget": "UPDATE episodes SET visibility = 'purged' WHERE episode_id = 1",
    "index": "UPDATE scopes SET indexed_facts = indexed_facts + 1",
    "log": "UPDATE operations SET actor = 'mallory' WHERE operation_id = 2",
    "links": "UPDATE facts SET predicate_id = 999 WHERE fact_id = 1",
    "scopes": "INSERT INTO scopes(scope_id, name) VALUES(99, 'user:other'); "
    "UPDATE episodes SET scope_id = 99 WHERE episode_id = 1",
    "spans": "UPDATE evidence SET span_to = 9999 WHERE evidence_id = 1",
    "derived": "UPDATE facts SET confidence = 0.123 WHERE fact_id = 1",
    "struck": "UPDATE episode_texts SET shown = 'something else 别的' WHERE episode_id = 1",
    "names": "INSERT INTO hidden_names(record, row_id) VALUES('entity', 2)",
    "words": "INSERT INTO fact_index(fact_index) VALUES('delete-all')",
}
MENDED = {
    "index": PLANTED["index"],
    "derived": PLANTED["derived"],
    "support": "UPDATE facts SET support = 7",
    "validity": "UPDATE facts SET validity = 'uncertain'",
    "periods": "UPDATE fact_periods SET valid_to = valid_to - 1",
    "no periods": "DELETE FROM fact_periods",
    "struck": PLANTED["struck"],
    "names": PLANTED["names"],
    "words": PLANTED["words"],
    "a word": "INSERT INTO episode_index(rowid, body, ctx) VALUES(1, 'stray 游离', '')",
}


REPAIR = """
import sys
from memorycore import Memory
with Memory.open(sys.argv[1], scope="user:ana", create=False) as memory:
    print("ready", flush=True)
    memory.repair()
"""


@pytest.fixture
def told(file_world):
    """A store with facts in two languages, one of them superseded, one hidden, and an undo."""
    memory = file_world.memory
    said = [
        ("I live in 上海.", "lives_in", {"name": "上海", "kind": "place"}),
        ("I live in Porto now.", "lives_in", {"name": "Porto", "kind": "place"}),
        ("I like oolong tea 乌龙茶.", "likes", {"name": "oolong 乌龙茶", "kind": "thing"}),
        ("I like rain.", "likes", {"name": "rain", "kind": "thing"}),
    ]
    for day, (text, predicate, thing) in enumerate(said, 1):
        episode = memory.add(text, speaker="Ana", session="s1", at=f"2024-03-0{day}")
        item = {"predicate": predicate, "object": thing, "episode": episode.id, "quote": text}
        memory.learn([item])
    memory.forget(list(memory.facts(predicate="likes"))[-1].id, level="soft")
    memory.add("never mind 算了")
    memory.undo()
    return file_world


def plant(world, sql):
    """Change rows as another program could, past all that guards them."""
    with world.store.maintain() as db, unchecked_links(db), transaction(db):
        triggers = db.execute(TRIGGERS).fetchall()
        for name, _ in triggers:
            db.execute(f"DROP TRIGGER {name}").fetchall()
        db.execute(sql).fetchall()
        for _, made in triggers:
            db.execute(made).fetchall()


def answers(world):
    """Answer a few questions that are known."""
    asked = ("上海", "where do I live", "oolong 乌龙茶", "rain", "Porto now")
    return [[hit.text for hit in world.memory.search(one)] for one in asked]


def failing(world, *, deep=True):
    return {one.name for one in world.memory.examine(deep=deep) if one.state == "fail"}


def test_a_store_that_was_only_used_passes_every_check(told):
    assert failing(told) == set()


@pytest.mark.parametrize("name", PLANTED)
def test_a_check_finds_what_it_is_for(told, name):
    plant(told, PLANTED[name])
    found = failing(told)
    assert name in found


@pytest.mark.parametrize("name", PLANTED)
def test_what_fails_says_what_to_do_and_nothing_of_what_is_stored(told, name):
    plant(told, PLANTED[name])
    for one in told.memory.examine(deep=True):
        assert one.state != "fail" or one.fix
        assert not any(word in one.detail for word in ("上海", "Porto", "oolong", "rain"))


def test_checks_without_the_deep_ones_are_the_first_of_all(told):
    some = [one.name for one in told.memory.examine()]
    assert [one.name for one in told.memory.examine(deep=True)][: len(some)] == some


def test_examining_changes_nothing(told, dump):
    with told.store.read() as db:
        before = dump(db)
    failing(told)
    with told.store.read() as db:
        assert dump(db) == before


@pytest.mark.parametrize("name", MENDED)
def test_what_is_derived_is_derived_anew(told, name):
    before, found = told.memory.digest(), answers(told)
    plant(told, MENDED[name])
    assert not told.memory.repair().is_right
    assert told.memory.repair().is_right
    assert (told.memory.digest(), answers(told)) == (before, found)
    assert failing(told) == set()


def test_a_repair_is_an_operation_that_cannot_be_taken_back(told):
    plant(told, MENDED["derived"])
    told.memory.repair()
    [newest] = told.memory.operations(limit=1, all_scopes=True)
    assert newest.kind == "repair"
    with pytest.raises(errors.NotUndoableError):
        told.memory.undo(newest.id)


def test_a_dry_repair_says_what_it_would_do_and_changes_nothing(told, dump):
    plant(told, MENDED["derived"])
    with told.store.read() as db:
        before = dump(db)
    assert told.memory.repair(dry_run=True).facts == (1,)
    with told.store.read() as db:
        assert dump(db) == before


def test_a_repair_of_a_sound_store_writes_nothing(told):
    before = told.memory.operations(limit=1)
    assert told.memory.repair().is_right
    assert told.memory.operations(limit=1) == before


def empty_index(path, raw, name):
    """Take all rows out of an index, as damage does; the schema is put back as it was."""
    change = "UPDATE sqlite_schema SET sql = ? WHERE name = ?"
    find = "SELECT sql FROM sqlite_schema WHERE name = ?"
    first = raw(path)
    [(sql,)] = first.execute(find, (name,)).fetchall()
    empty = sql.split(" WHERE ")[0] + " WHERE 0"
    first.execute("PRAGMA writable_schema = ON").fetchall()
    first.execute(change, (empty, name)).fetchall()
    first.close()
    second = raw(path)
    register_functions(second)
    second.execute(f"REINDEX {name}; PRAGMA writable_schema = ON").fetchall()
    second.execute(change, (sql, name)).fetchall()
    second.close()


@pytest.mark.parametrize("name", ["facts_by_object", "facts_by_scope", "evidence_of_episode"])
def test_an_index_that_does_not_fit_its_table_is_made_anew(told, raw, name):
    before = told.memory.digest()
    told.store.close()
    empty_index(told.path, raw, name)
    with Memory.open(told.path, scope="user:ana", create=False) as memory:
        found = {one.name for one in memory.examine(deep=True) if one.state == "fail"}
        assert {"store", "derived"} <= found
        assert memory.repair().has_broken_index
        assert not [one for one in memory.examine(deep=True) if one.state == "fail"]
        assert memory.digest() == before


def test_nothing_is_mended_while_a_row_is_damaged(told, raw):
    plant(told, MENDED["derived"])
    damage = raw(told.path)
    damage.create_scalar_function("memory_digest", lambda *_: 7, -1, deterministic=True)
    damage.execute("UPDATE facts SET importance = 0.4 WHERE fact_id = 2").fetchall()
    assert {"rows", "derived"} <= failing(told)
    with pytest.raises(errors.CorruptStoreError, match="rows"):
        told.memory.repair()
    assert "derived" in failing(told)


def test_a_schema_that_is_not_of_the_migrations_is_found(told):
    plant(told, "CREATE INDEX of_another ON facts(confidence)")
    assert "schema" in failing(told)


def test_a_repair_that_is_killed_leaves_the_store_as_it_was(told, start_python):
    plant(told, MENDED["no periods"])
    plant(told, MENDED["words"])
    told.store.close()
    for moment in (0.0, 0.02, 0.05, 0.1):
        script = start_python(REPAIR, told.path)
        assert script.stdout.readline() == "ready\n"
        time.sleep(moment)
        script.send_signal(signal.SIGKILL)
        script.wait()
        with Memory.open(told.path, scope="user:ana", create=False) as memory:
            derived = [one.state for one in memory.examine(deep=True) if one.name != "backup"]
            assert set(derived) <= {"ok", "fail"}
            assert sum(state == "fail" for state in derived) in (0, 3)
    with Memory.open(told.path, scope="user:ana", create=False) as memory:
        memory.repair()
        assert {one.state for one in memory.examine(deep=True)} <= {"ok", "warn"}


def test_a_store_in_memory_passes_every_check(memory):
    memory.add("tea 茶")
    assert [one.name for one in memory.examine(deep=True) if one.state == "fail"] == []


@pytest.mark.parametrize("valid_from", [None, "2024", "2023-03-05", "2030"])
@pytest.mark.parametrize("valid_to", [None, "2024-06", "2031"])
@pytest.mark.parametrize("predicate", ["lives_in", "is_busy_with", "promised_to", "likes"])
def test_whatever_is_known_of_a_time_passes(memory, predicate, valid_from, valid_to):
    try:
        memory.remember(
            "It is Porto 波尔图.", predicate=predicate, object="Porto", valid_from=valid_from,
            valid_to=valid_to,
        )  # fmt: skip
    except errors.InvalidInputError:
        return
    assert [one.name for one in memory.examine() if one.state == "fail"] == []


def test_a_text_with_a_character_of_number_zero_passes(memory):
    episode = memory.add("I like oolong\x00 and the 茶壶 too", speaker="Ana")
    memory.learn([{"predicate": "likes", "value": "oolong", "episode": episode.id}])
    assert memory.stats().facts == 1
    assert [one.name for one in memory.examine(deep=True) if one.state == "fail"] == []


@pytest.mark.parametrize("level", ["soft", "hard"])
def test_a_fact_is_explained_whose_sentence_is_struck_for_anothers_sake(memory, level):
    text = "I like oolong and the tea of Porto, 乌龙茶"
    episode = memory.add(text, speaker="Ana")
    memory.learn([{"predicate": "likes", "value": value, "episode": episode.id}
                  for value in ("oolong", "tea of Porto")])  # fmt: skip
    one, other = memory.facts()
    memory.forget(one.id, level=level)
    explained = memory.explain(other.id)
    assert "oolong" not in str(explained.to_dict())
