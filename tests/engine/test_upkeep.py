"""Upkeep: indexes that have come apart are noticed and mended; the file is made small."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memorycore import Memory, errors

BREAK = {
    "missing": "INSERT INTO episode_index(episode_index) VALUES('delete-all')",
    "counters": "UPDATE scopes SET indexed_episodes = indexed_episodes + 3",
    "stray": "INSERT INTO episode_index(rowid, body, ctx) VALUES(9999, 'nothing', '')",
    "words": "INSERT INTO episode_index(episode_index, rowid, body, ctx) "
    "SELECT 'delete', episode_id, body, ctx FROM episode_documents WHERE episode_id = 1; "
    "INSERT INTO episode_index(rowid, body, ctx) VALUES(1, 'other', 'words')",
}


def fill(memory: Memory) -> None:
    for number, text in enumerate(("I live in Porto.", "我住在青石渡", "The key is in the pot.")):
        memory.add(text, speaker="Ana", external_id=str(number))
    memory.learn([{"predicate": "lives_in", "object": {"name": "Porto", "kind": "place"},
                   "external_id": "0", "quote": "I live in Porto."}])  # fmt: skip


def test_indexes_that_hold_what_the_texts_say_are_right(file_memory: Memory) -> None:
    fill(file_memory)
    episodes, facts = file_memory.check_indexes()
    assert (episodes.name, episodes.rows, episodes.is_right) == ("episodes", 3, True)
    assert (facts.name, facts.rows, facts.is_right) == ("facts", 1, True)


@pytest.mark.parametrize("how", BREAK)
def test_what_has_come_apart_is_counted_and_mended(
    file_world: Any, how: str, assert_sound: Callable[[str], None]
) -> None:
    memory = file_world.memory
    fill(memory)
    before = memory.digest()
    file_world.write(BREAK[how])
    [episodes, facts] = memory.check_indexes()
    assert facts.is_right
    assert not episodes.is_right
    expected = {"missing": (3, 0, 0), "stray": (0, 1, 0), "counters": (0, 0, 1), "words": (0, 0, 0)}
    assert (episodes.missing, episodes.stray, episodes.counters) == expected[how]
    assert memory.mend_indexes() == [episodes, facts]
    assert all(state.is_right for state in memory.check_indexes())
    assert memory.digest() == before
    assert [hit.episode.text for hit in memory.search("青石")] == ["我住在青石渡"]
    assert_sound(file_world.path)


def test_what_is_hidden_stays_out_of_an_index_made_anew(file_world: Any) -> None:
    memory = file_world.memory
    fill(memory)
    hidden = memory.search("pot")[0].episode
    memory.forget(hidden.id, level="soft")
    file_world.write(BREAK["missing"])
    memory.mend_indexes()
    assert len(memory.search("pot")) == 0
    assert len(memory.search("青石")) == 1


def test_a_compact_file_is_smaller_and_holds_the_same(
    file_memory: Memory, assert_sound: Callable[[str], None]
) -> None:
    file_memory.add_many({"text": f"much 很多 {n} " * 20} for n in range(500))
    fill(file_memory)
    plan = file_memory.plan_forget(query="much", level="purge")
    file_memory.forget(plan, finish=False)
    file_memory.finish_forgetting()
    before = file_memory.digest()
    done = file_memory.compact()
    path = Path(file_memory._store.path)
    assert done.after < done.before
    assert done.after == path.stat().st_size
    assert not done.is_pending
    assert done.needed <= done.before
    assert file_memory.digest() == before
    assert_sound(str(path))


def test_a_dry_run_of_compact_changes_nothing(file_memory: Memory) -> None:
    fill(file_memory)
    told = file_memory.compact(dry_run=True)
    assert told.dry_run
    assert 0 < told.needed < told.free


def test_a_reader_keeps_the_file_large_until_it_has_closed(
    file_memory: Memory, start_python: Any
) -> None:
    fill(file_memory)
    reader = start_python(
        "import sys\nfrom memorycore.store.connection import open_connection, snapshot\n"
        "db = open_connection(sys.argv[1], read_only=True, busy_timeout=5)\n"
        "with snapshot(db):\n"
        "    db.execute('SELECT count(*) FROM episodes').fetchall()\n"
        "    print('reading', flush=True)\n    sys.stdin.readline()\ndb.close()\n",
        file_memory._store.path,
    )
    assert reader.stdout.readline() == "reading\n"
    with Memory.open(file_memory._store.path, busy_timeout=0.2) as memory:
        assert memory.compact().is_pending
        reader.communicate("\n", timeout=20)
        assert not memory.compact().is_pending


def test_less_free_disk_than_it_takes_is_said_before(file_memory: Memory) -> None:
    from memorycore.engine.upkeep import refuse_full

    with pytest.raises(errors.DiskFullError, match=r"2\.0 MB of free disk"):
        refuse_full("memory.db", needed=2_000_000, free=1_999_999)
