"""Several processes on one store: none breaks another, and nothing is lost or half done."""

import os
import signal
import time

import pytest

from memorycore import Memory, errors

LONG = os.environ.get("MEMORYCORE_LONG_TESTS") == "1"
SECONDS = 30 if LONG else 2

AT_ONCE = """
import sys
from memorycore import Memory
import memorycore.store.migrate
print("ready", flush=True)
sys.stdin.readline()
"""
INIT = AT_ONCE + "print(Memory.init(sys.argv[1]))"
WRITE = (
    AT_ONCE
    + """
import time
end, count = time.monotonic() + float(sys.argv[2]), 0
with Memory.open(sys.argv[1], scope="user:ana") as memory:
    while time.monotonic() < end:
        memory.add(f"writer {sys.argv[3]} message {count} 消息", session=sys.argv[3])
        count += 1
print(count)
"""
)
READ = (
    AT_ONCE
    + """
import time
end, seen, rounds = time.monotonic() + float(sys.argv[2]), 0, 0
with Memory.open(sys.argv[1], scope="user:ana") as memory:
    while time.monotonic() < end:
        for hit in memory.search("message 消息"):
            assert "消息" in hit.episode.text
        now = memory.stats().episodes
        assert now >= seen
        seen, rounds = now, rounds + 1
print(rounds)
"""
)
HOLD = """
import sys
from memorycore.store.connection import open_connection, transaction
db = open_connection(sys.argv[1], read_only=False, busy_timeout=5)
with transaction(db):
    db.execute("INSERT INTO scopes(name) VALUES('half')").fetchall()
    db.execute("INSERT INTO sources(name) VALUES('half')").fetchall()
    print("inside", flush=True)
    sys.stdin.readline()
db.close()
"""


def let_go(processes):
    """Start them at the same moment, and give what each printed at last."""
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()
    answers = []
    for process in processes:
        out, err = process.communicate(timeout=SECONDS + 60)
        assert process.returncode == 0, err
        answers.append(int(out))
    return answers


@pytest.mark.parametrize("round_", range(10 if LONG else 1))
def test_of_eight_processes_that_make_a_store_one_makes_it(
    start_python, store_path, round_, assert_sound
):
    found = let_go([start_python(INIT, store_path) for _ in range(8)])
    assert found.count(0) == 1
    assert len(set(found)) == 2
    with Memory.open(store_path) as memory:
        assert [operation.kind for operation in memory.operations()] == ["init"]
        memory.add("it works 可以")
    assert_sound(store_path)


BARE_LOCK = """
import sys, time
import apsw
connection = apsw.Connection(sys.argv[1])
connection.execute("BEGIN IMMEDIATE").fetchall()
print("inside", flush=True)
time.sleep(0.5)
connection.execute("ROLLBACK").fetchall()
connection.close()
"""


def test_making_a_store_waits_for_another_that_has_just_begun(
    start_python, store_path, assert_sound
):
    open(store_path, "w").close()
    other = start_python(BARE_LOCK, store_path)
    assert other.stdout.readline() == "inside\n"
    assert Memory.init(store_path, busy_timeout=20) == 0
    assert_sound(store_path)


@pytest.mark.slow
def test_four_writers_and_four_readers_lose_nothing(start_python, file_world, assert_sound):
    writers = [
        start_python(WRITE, file_world.path, str(SECONDS), f"w{number}") for number in range(4)
    ]
    readers = [start_python(READ, file_world.path, str(SECONDS)) for _ in range(4)]
    answers = let_go(writers + readers)
    assert min(answers) > 0
    assert file_world.memory.stats().episodes == sum(answers[:4])
    for number, count in enumerate(answers[:4]):
        told = file_world.rows(
            "SELECT count(*) FROM episode_texts WHERE text LIKE ?", (f"writer w{number} %",)
        )
        assert told == [(count,)]
    assert_sound(file_world.path)


HOLD_AGAIN_AND_AGAIN = (
    AT_ONCE
    + """
import time
from memorycore.store.connection import open_connection, transaction
db = open_connection(sys.argv[1], read_only=False, busy_timeout=30)
end, holds = time.monotonic() + 4, 0
while time.monotonic() < end:
    with transaction(db):
        time.sleep(0.1)
    holds += 1
db.close()
print(holds)
"""
)
AMONG = (
    AT_ONCE
    + """
with Memory.open(sys.argv[1], scope="user:ana", busy_timeout=2) as memory:
    for count in range(10):
        memory.add(f"one turn among many {count} 消息", session="mine")
print(count + 1)
"""
)


def test_a_long_run_lets_others_write_between_its_batches(start_python, file_world, assert_sound):
    long_run = start_python(HOLD_AGAIN_AND_AGAIN, file_world.path)
    among = start_python(AMONG, file_world.path)
    holds, written = let_go([long_run, among])
    assert (holds > 10, written) == (True, 10)
    assert_sound(file_world.path)


def test_a_writer_killed_inside_a_transaction_leaves_nothing_and_blocks_nobody(
    start_python, file_world, assert_sound
):
    writer = start_python(HOLD, file_world.path)
    assert writer.stdout.readline() == "inside\n"
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    started = time.monotonic()
    file_world.memory.add("goes on 继续")
    assert time.monotonic() - started < 5
    assert file_world.rows("SELECT name FROM scopes") == [("user:ana",)]
    assert file_world.rows("SELECT count(*) FROM sources") == [(0,)]
    assert_sound(file_world.path)


@pytest.fixture
def held(start_python, make_world, store_path):
    """A store of which another process holds the write lock; sending a line lets it go."""
    with make_world(store_path, wait=0.3) as world:
        world.memory.add("tea 茶")
        holder = start_python(HOLD, store_path)
        assert holder.stdout.readline() == "inside\n"
        yield world, holder


@pytest.mark.parametrize(
    "act",
    [
        lambda memory: memory.add("x y"),
        lambda memory: memory.add_many([{"text": "x"}, {"text": "y"}]),
        lambda memory: memory.undo(),
    ],
    ids=["add", "add_many", "undo"],
)
def test_a_lock_held_too_long_is_an_error_and_nothing_is_written(held, dump, act):
    world, _ = held
    with world.store.read() as db:
        before = dump(db)
    with pytest.raises(errors.StoreBusyError, match="busy") as caught:
        act(world.memory)
    assert caught.value.hint
    with world.store.read() as db:
        assert dump(db) == before


def test_while_another_process_writes_everybody_reads(held):
    world, _ = held
    assert len(world.memory.search("茶")) == 1
    with Memory.open(world.path, scope="user:ana", busy_timeout=0.3) as memory:
        assert len(memory.search("tea")) == 1


def test_a_handle_that_was_refused_writes_once_the_lock_is_free(held):
    world, holder = held
    with pytest.raises(errors.StoreBusyError):
        world.memory.add("later 以后")
    holder.communicate("\n", timeout=20)
    assert world.memory.add("later 以后").text == "later 以后"


def test_making_a_store_that_is_locked_is_an_error(held):
    world, _ = held
    with pytest.raises(errors.StoreBusyError):
        Memory.init(world.path, busy_timeout=0.3)


def test_a_writer_waits_for_a_lock_that_is_let_go_in_time(held):
    world, holder = held
    with Memory.open(world.path, scope="user:ana", busy_timeout=20) as patient:
        holder.stdin.write("\n")
        holder.stdin.flush()
        assert patient.add("waited 等到了").text == "waited 等到了"
