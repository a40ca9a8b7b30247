"""A bulk run of learning that is killed, out of room or doubled leaves no half of anything."""

import os
import random
import signal
import subprocess
import time

import pytest

from memorycore import Memory
from memorycore.engine.upkeep import require_indexes
from memorycore.store.connection import open_connection, transaction

LONG = os.environ.get("MEMORYCORE_LONG_TESTS") == "1"
TOTAL = 6_000 if LONG else 2_000
KILLS = 30 if LONG else 4
GROUND = """
import sys
from memorycore import Draft, Memory
TOTAL = int(sys.argv[2])
def text(n):
    return f"I like tea number {n} 茶" if n % 9 else f"I live in town {n % 97}."
def told():
    for n in range(TOTAL):
        at = f"2024-{n // 500 % 12 + 1:02}-{n // 20 % 25 + 1:02}T10:00:00Z"
        yield {"text": text(n), "speaker": "Ana", "session": f"s{n // 20}", "at": at,
               "external_id": f"e{n}"}
def candidates():
    for n in range(TOTAL):
        predicate, thing = "likes", {"name": f"tea number {n}", "kind": "thing"}
        if n % 9 == 0:
            predicate, thing = "lives_in", {"name": f"town {n % 97}", "kind": "place"}
        yield {"predicate": predicate, "object": thing, "external_id": f"e{n}", "quote": text(n)}
"""
TELL = (
    GROUND
    + """
with Memory.open(sys.argv[1], scope="user:ana") as memory:
    memory.add_many(told())
"""
)
LEARN = (
    GROUND
    + """
with Memory.open(sys.argv[1], scope="user:ana") as memory:
    print("started", flush=True)
    result = memory.learn(candidates())
    print(result.proposed, result.already_there, flush=True)
"""
)
FULL = (
    GROUND
    + """
import os
from itertools import islice
from memorycore import errors
items = list(candidates())
with Memory.open(sys.argv[1], scope="user:ana") as memory:
    memory.add_many(told())
    before = memory.digest()
    left = os.statvfs(os.path.dirname(sys.argv[1])).f_bavail * 4096
    with open(sys.argv[3], "wb") as file:
        file.write(b"x" * max(0, left - 200_000))
    try:
        memory.learn(items)
        print("no error")
    except errors.MemoryCoreError as error:
        print(type(error).__name__)
    facts = sum(1 for _ in memory.facts(include={"past"}))
    print(memory.digest() == before, facts)
    os.remove(sys.argv[3])
    memory.learn(items)
    print(memory.digest())
"""
)


def assert_whole(path):
    """Check the file, its indexes, and that nothing is without what it rests on."""
    db = open_connection(path, read_only=False, busy_timeout=10)
    with transaction(db):
        require_indexes(db)
        assert db.execute("PRAGMA quick_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        for sql in (
            "SELECT count(*) FROM facts f WHERE NOT EXISTS("
            "SELECT 1 FROM evidence e WHERE e.fact_id = f.fact_id)",
            "SELECT count(*) FROM facts f WHERE support <> (SELECT count(*) FROM evidence e "
            "WHERE e.fact_id = f.fact_id AND e.recorded_to = 9223372036854775807)",
            "SELECT count(*) FROM candidates c WHERE state = 'pending' OR NOT EXISTS("
            "SELECT 1 FROM decisions d WHERE d.candidate_id = c.candidate_id)",
            "SELECT (SELECT count(*) FROM candidates) - (SELECT count(*) FROM decisions "
            "WHERE recorded_to = 9223372036854775807)",
        ):
            assert db.execute(sql).fetchall() == [(0,)], sql
        kept = db.execute("SELECT count(*) FROM candidates").get
    db.close()
    return kept


def run_and_kill(process, delay):
    assert process.stdout.readline() == "started\n"
    try:
        process.wait(delay)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
    process.wait()


@pytest.fixture(scope="module")
def whole(run_python, tmp_path_factory):
    """What an uninterrupted run comes to, and the seconds that it takes."""
    path = str(tmp_path_factory.mktemp("whole") / "memory.db")
    run_python(TELL, path, str(TOTAL))
    started = time.monotonic()
    assert run_python(LEARN, path, str(TOTAL), timeout=120).split() == ["started", str(TOTAL), "0"]
    taken = time.monotonic() - started
    with Memory.open(path, scope="user:ana") as memory:
        return memory.digest(), taken


@pytest.mark.slow
def test_learning_killed_again_and_again_is_completed_by_the_same_input(
    start_python, run_python, store_path, whole
):
    digest, taken = whole
    moments = random.Random(5)
    run_python(TELL, store_path, str(TOTAL))
    before = 0
    for _ in range(KILLS):
        run_and_kill(start_python(LEARN, store_path, str(TOTAL)), moments.uniform(0.0, taken / 2))
        kept = assert_whole(store_path)
        assert kept % 1000 == 0
        assert kept >= before
        before = kept
    last = run_python(LEARN, store_path, str(TOTAL), timeout=120).split()
    assert last == ["started", str(TOTAL - before), str(before)]
    assert assert_whole(store_path) == TOTAL
    with Memory.open(store_path, scope="user:ana") as memory:
        assert memory.digest() == digest


@pytest.mark.slow
def test_two_processes_that_learn_the_same_at_once_make_one_set_of_facts(
    start_python, run_python, store_path, whole
):
    run_python(TELL, store_path, str(TOTAL))
    both = [start_python(LEARN, store_path, str(TOTAL)) for _ in range(2)]
    answers = [process.communicate(timeout=120) for process in both]
    assert [process.returncode for process in both] == [0, 0], answers
    counts = [tuple(map(int, out.split()[1:])) for out, _ in answers]
    assert sum(proposed for proposed, _ in counts) == TOTAL
    assert sum(there for _, there in counts) == TOTAL
    assert assert_whole(store_path) == TOTAL
    with Memory.open(store_path, scope="user:ana") as memory:
        assert memory.digest() == whole[0]


@pytest.fixture
def small_disk(make_disk):
    """A file system of eight megabytes."""
    return make_disk(8)


def test_a_full_disk_leaves_nothing_half_learned(small_disk, run_python):
    path, ballast = str(small_disk / "memory.db"), str(small_disk / "ballast")
    lines = run_python(FULL, path, "900", ballast).splitlines()
    assert lines[:2] == ["DiskFullError", "True 0"]
    assert assert_whole(path) == 900
    with Memory.open(path, scope="user:ana") as memory:
        assert memory.digest() == lines[2]
