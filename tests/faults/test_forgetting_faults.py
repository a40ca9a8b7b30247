"""Forgetting beside another process that learns, and on a full disk: whole, or not begun."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from memorycore import Memory, errors
from memorycore.engine.upkeep import require_indexes
from memorycore.store.connection import open_connection, transaction

LEARN = """
import sys
from memorycore import Memory
print("started", flush=True)
with Memory.open(sys.argv[1], scope="user:ana") as memory:
    for n in range(int(sys.argv[2])):
        text = f"I like oolong number {n} 乌龙茶"
        memory.add_many([{"text": text, "session": "tea", "speaker": "Ana", "external_id": f"e{n}"},
                         {"text": f"a town {n}", "session": f"s{n}"}])
        memory.learn([{"predicate": "likes", "object": {"name": f"oolong {n}", "kind": "thing"},
                       "external_id": f"e{n}", "quote": text}])
print("done", flush=True)
"""
FULL = """
import os, sys
from memorycore import Memory, errors
with Memory.open(sys.argv[1], scope="user:ana") as memory:
    memory.add_many([{"text": f"Zqoril 翡榿栖 {n} " + "words " * 40,
                      "session": "gone" if n % 2 else "kept"} for n in range(2000)])
    before = memory.digest()
    plan = memory.plan_forget(session="gone", level="purge")
    disk = os.statvfs(os.path.dirname(sys.argv[1]))
    with open(sys.argv[2], "wb") as file:
        file.write(b"x" * max(0, disk.f_bavail * disk.f_frsize - 100_000))
    try:
        memory.forget(plan)
        print("no error")
    except errors.MemoryCoreError as error:
        print(type(error).__name__, error.hint is not None)
    print(memory.digest() == before, len(memory.receipts()), memory.pending_forgetting())
    os.remove(sys.argv[2])
    receipt = memory.forget(plan)
    print(receipt.verification.found, receipt.is_settled, memory.stats().episodes)
"""
HOLDS = (
    "SELECT count(*) FROM evidence v JOIN episodes e USING(episode_id) "
    "WHERE v.recorded_to = 9223372036854775807 AND e.visibility IN ('forgotten', 'purged')",
    "SELECT count(*) FROM facts f WHERE support <> (SELECT count(*) FROM evidence e "
    "WHERE e.fact_id = f.fact_id AND e.recorded_to = 9223372036854775807)",
)


def assert_whole(path: str) -> None:
    db = open_connection(path, read_only=False, busy_timeout=10)
    with transaction(db):
        require_indexes(db)
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        for sql in HOLDS:
            assert db.execute(sql).fetchall() == [(0,)], sql
    db.close()


def test_purging_while_another_process_learns_leaves_no_survivor(
    start_python: Callable[..., Any], store_path: str
) -> None:
    Memory.init(store_path)
    other = start_python(LEARN, store_path, "150")
    assert other.stdout.readline() == "started\n"
    purged = changed = 0
    with Memory.open(store_path, scope="user:ana") as memory:
        while other.poll() is None:
            try:
                memory.forget(memory.plan_forget(session="tea", level="purge"))
                purged += 1
            except errors.PlanChangedError:
                changed += 1
            except errors.NotFoundError:
                continue
        assert other.stdout.readline() == "done\n", other.stderr.read()
        with suppress(errors.NotFoundError):
            memory.forget(memory.plan_forget(session="tea", level="purge"))
        memory.finish_forgetting()

        assert purged
        assert list(memory.facts(include={"past"})) == []
        assert not [one.text for one in memory.episodes(limit=1000) if "oolong" in one.text]
        assert len(memory.episodes(limit=1000)) == 150
        assert all(one.verification.found == 0 for one in memory.receipts())
        assert memory.verify_receipts().fault is None
    assert_whole(store_path)


@pytest.fixture
def small_disk(make_disk):
    """A file system of eight megabytes."""
    return make_disk(8)


def test_a_purge_for_which_there_is_no_room_is_not_begun(
    small_disk: Path, run_python: Callable[..., str]
) -> None:
    path = str(small_disk / "memory.db")

    lines = run_python(FULL, path, str(small_disk / "ballast")).splitlines()

    assert lines == ["DiskFullError True", "True 0 0", "0 True 1000"]
    assert_whole(path)
