"""A bulk run that is killed leaves whole batches, and the same input completes it."""

import os
import random
import signal
import subprocess
import time

import pytest

from memorycore import Draft, Memory
from memorycore.engine.upkeep import require_indexes
from memorycore.store.connection import open_connection, transaction

LONG = os.environ.get("MEMORYCORE_LONG_TESTS") == "1"
TOTAL = 20_000 if LONG else 10_000
KILLS = 20 if LONG else 5
INGEST = """
import sys
from memorycore import Draft, Memory
drafts = (
    Draft(f"message {n} 消息 about topic {n % 97}", session=f"s{n // 40}")
    for n in range(int(sys.argv[2]))
)
with Memory.open(sys.argv[1], scope="user:ana") as memory:
    print("started", flush=True)
    memory.ingest(drafts)
print("done", flush=True)
"""
UNDO = """
import sys
from memorycore import Memory
with Memory.open(sys.argv[1], scope="user:ana") as memory:
    print("started", flush=True)
    memory.undo()
"""


def assert_whole(path):
    """Check the file and its index; give how many episodes stand."""
    db = open_connection(path, read_only=False, busy_timeout=10)
    with transaction(db):
        require_indexes(db)
        assert db.execute("PRAGMA quick_check").fetchall() == [("ok",)]
        kept, texts, counted = db.execute(
            "SELECT count(*), (SELECT count(*) FROM episode_texts), "
            "(SELECT coalesce(sum(indexed_episodes), 0) FROM scopes) FROM episodes "
            "WHERE withdrawn IS NULL"
        ).fetchone()
    db.close()
    assert texts >= kept == counted
    return kept


def run_and_kill(process, delay):
    assert process.stdout.readline() == "started\n"
    try:
        process.wait(delay)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
    process.wait()


@pytest.mark.slow
def test_an_ingest_killed_again_and_again_leaves_whole_batches_and_is_completed(
    start_python, store_path
):
    moments = random.Random(7)
    Memory.init(store_path)
    before = 0
    for _ in range(KILLS):
        run_and_kill(start_python(INGEST, store_path, str(TOTAL)), moments.uniform(0.0, 0.25))
        kept = assert_whole(store_path)
        assert kept % 1000 == 0
        assert kept >= before
        before = kept
    drafts = (
        Draft(f"message {n} 消息 about topic {n % 97}", session=f"s{n // 40}") for n in range(TOTAL)
    )
    with Memory.open(store_path, scope="user:ana") as memory:
        result = memory.ingest(drafts)
        assert (result.stored, result.already_there) == (TOTAL - before, before)
    assert assert_whole(store_path) == TOTAL


@pytest.mark.slow
def test_an_undo_that_is_killed_has_happened_whole_or_not_at_all(start_python, store_path):
    moments = random.Random(11)
    with Memory.open(store_path, scope="user:ana") as memory:
        memory.ingest(Draft(f"message {n} 消息", session=f"s{n // 40}") for n in range(3000))
    for _ in range(6):
        run_and_kill(start_python(UNDO, store_path), moments.uniform(0.0, 0.3))
        if assert_whole(store_path) == 0:
            break
        assert assert_whole(store_path) == 3000
    with Memory.open(store_path, scope="user:ana") as memory:
        standing = memory.stats().episodes
        if standing:
            assert memory.undo().withdrawn == 3000
    assert assert_whole(store_path) == 0


def test_a_message_that_was_answered_for_is_there_after_a_kill(start_python, store_path):
    script = """
import sys, time
from memorycore import Memory
memory = Memory.open(sys.argv[1], scope="user:ana")
for number in range(1000):
    print(memory.add(f"message {number} 消息").id, flush=True)
"""
    writer = start_python(script, store_path)
    first = writer.stdout.readline()
    time.sleep(0.3)
    writer.send_signal(signal.SIGKILL)
    told = [line for line in (first + writer.communicate()[0]).splitlines() if len(line) == 29]
    assert told
    with Memory.open(store_path, scope="user:ana") as memory:
        assert all(memory.get(line).id == line for line in told)
        assert memory.stats().episodes - len(told) in (0, 1)
    assert_whole(store_path)
