"""A backup or a restore that is killed leaves files that are whole, and hinders no second run."""

import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memorycore import Memory
from memorycore.store.connection import open_connection
from memorycore.store.copies import require_sealed

BACKUP = """
import itertools, sys
from memorycore import Memory
clock = itertools.count(2 * 10**15 + int(sys.argv[3]) * 10**11, 10**6).__next__
with Memory.open(sys.argv[1], scope="user:ana", create=False, clock=clock) as memory:
    print("started", flush=True)
    while True:
        memory.backup(sys.argv[2])
"""
RESTORE = """
import sys
from memorycore import Memory
print("started", flush=True)
Memory.restore(sys.argv[2], sys.argv[1], to=sys.argv[3] if len(sys.argv) > 3 else None)
print("done", flush=True)
"""
REINDEX = """
import sys
from memorycore import Memory
with Memory.open(sys.argv[1], scope="user:ana", create=False) as memory:
    print("started", flush=True)
    memory.mend_indexes()
    memory.compact()
"""
OLD, NEW = 1500, 1490


def fill(path: str) -> None:
    with Memory.open(path, scope="user:ana") as memory:
        memory.add_many(
            {"text": f"turn {n} 说过的话 about {n % 97}", "session": f"s{n // 10}"}
            for n in range(OLD)
        )


def run_and_kill(process: "subprocess.Popen[str]", delay: float) -> bool:
    """Kill a run after a while; tell whether it had ended."""
    assert process.stdout is not None
    assert process.stdout.readline() == "started\n"
    try:
        process.wait(delay)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
    return process.wait() == 0


def count(path: str) -> int:
    with Memory.open(path, scope="user:ana", create=False) as memory:
        return memory.stats().episodes


@pytest.mark.slow
def test_what_has_a_backups_name_is_whole_however_often_one_is_killed(
    store_path: str,
    tmp_path: Path,
    start_python: Any,
    assert_sound: Callable[[str], None],
    long: bool,
) -> None:
    fill(store_path)
    folder = tmp_path / "backups"
    folder.mkdir()
    moments = random.Random(5)
    for number in range(40 if long else 4):
        run_and_kill(
            start_python(BACKUP, store_path, str(folder), str(number)), moments.uniform(0, 0.3)
        )
    with Memory.open(store_path, scope="user:ana") as memory:
        memory.backup(folder)
        known = {one.path for one in memory.backups()}
    left = sorted(folder.iterdir())
    assert [path.name for path in left if ".part-" in path.name] == []
    assert {str(path) for path in left} <= known
    for path in left:
        require_sealed(str(path))
        assert count(str(path)) == OLD
        assert_sound(str(path))


@pytest.mark.slow
@pytest.mark.parametrize("moment", range(8))
def test_a_restore_that_is_killed_leaves_the_old_store_or_the_new(
    store_path: str,
    tmp_path: Path,
    start_python: Any,
    moment: int,
    assert_sound: Callable[[str], None],
) -> None:
    fill(store_path)
    backup = str(tmp_path / "kept.db")
    with Memory.open(store_path, scope="user:ana") as memory:
        memory.backup(backup)
        memory.forget(memory.plan_forget(session="s7", level="purge"))
        memory.add_many([{"text": f"later {n} 后来"} for n in range(5)])
    before = count(store_path)
    run_and_kill(start_python(RESTORE, store_path, backup), 0.05 + moment * 0.07)
    assert count(store_path) in (before, NEW)
    assert_sound(store_path)
    done = Memory.restore(backup, store_path)
    assert count(store_path) == NEW
    assert not list(tmp_path.glob("*.restoring-*"))
    assert count(str(done.kept)) in (before, NEW)
    assert all(path.stat().st_nlink == 1 for path in tmp_path.iterdir() if path.is_file())


def test_a_restore_into_a_new_file_that_is_killed_can_be_made_again(
    store_path: str, tmp_path: Path, start_python: Any
) -> None:
    fill(store_path)
    backup, to = str(tmp_path / "kept.db"), str(tmp_path / "new.db")
    with Memory.open(store_path, scope="user:ana") as memory:
        memory.backup(backup)
    moments = random.Random(3)
    for _ in range(6):
        if run_and_kill(start_python(RESTORE, store_path, backup, to), moments.uniform(0.2, 0.6)):
            break
        if os.path.exists(to):
            break
    else:
        Memory.restore(backup, store_path, to=to)
    assert count(to) == OLD
    assert count(store_path) == OLD


@pytest.mark.slow
def test_an_index_that_is_being_mended_is_whole_after_a_kill(
    store_path: str, start_python: Any, assert_sound: Callable[[str], None], long: bool
) -> None:
    fill(store_path)
    moments = random.Random(9)
    for _ in range(30 if long else 3):
        db = open_connection(store_path, read_only=False, busy_timeout=5)
        db.execute("INSERT INTO episode_index(episode_index) VALUES('delete-all')").fetchall()
        db.close()
        run_and_kill(start_python(REINDEX, store_path), moments.uniform(0, 0.3))
        with Memory.open(store_path, scope="user:ana") as memory:
            memory.mend_indexes()
            assert len(memory.search("说过")) > 0
        assert_sound(store_path)


def test_while_one_restores_nobody_else_gets_in(
    store_path: str, tmp_path: Path, start_python: Any
) -> None:
    fill(store_path)
    backup = str(tmp_path / "kept.db")
    with Memory.open(store_path, scope="user:ana") as memory:
        memory.backup(backup)
    process = start_python(RESTORE, store_path, backup)
    assert process.stdout.readline() == "started\n"
    ended = time.monotonic() + 30
    while process.poll() is None and time.monotonic() < ended:
        assert count(store_path) == OLD
    assert process.wait(20) in (0, 1)
    assert count(store_path) == OLD
