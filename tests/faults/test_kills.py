"""A process that is killed leaves what it had answered for, and one step more at most.

What is done is a row of steps, each answered for. The states between them are known: after a kill
a store is in that of the last answer, or in the next. Going on from there ends where it should.
"""

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memorycore import Memory
from memorycore.store.connection import open_connection, transaction, unchecked_links
from memorycore.store.migrate import INSERT_LEDGER, load_migrations
from memorycore.store.schema import NEWEST_SCHEMA

OLD = Path(__file__).parents[2] / "testdata" / "stores" / "schema-2.db"
GROUND = """
import json, os, signal, sys, time
from memorycore import Memory
import memorycore.bulk, memorycore.engine.learn, memorycore.engine.forget, memorycore.engine.undo
import memorycore.engine.finish, memorycore.exchange.candidate_line, memorycore.store.migrate

def told(n):
    return {"text": f"I like tea number {n} 茶", "speaker": "Ana", "external_id": f"e{n}",
            "session": f"s{n // 10}"}
def candidate(n):
    said = {"name": f"tea number {n}", "kind": "thing"}
    return {"predicate": "likes", "object": said, "external_id": f"e{n}",
            "quote": told(n)["text"]}
def secret(n):
    return {"text": f"zqoril 翡榿栖 {n} of many words", "session": f"gone{n // 10}"}
def ground(path):
    with Memory.open(path, scope="user:ana") as memory:
        memory.add_many(told(n) for n in range(60))
        memory.learn([candidate(n) for n in range(10)])
        memory.propose([candidate(n) for n in range(10, 30)])
        for n in range(4):
            memory.add_many(secret(n * 10 + m) for m in range(10))

def ingest(n):
    return lambda memory: memory.add_many(
        {"text": f"batch {n} message {m} 消息", "session": f"b{n}"} for m in range(20))
def add(n):
    return lambda memory: memory.add(f"single {n} 一条")
def learn(n):
    return lambda memory: memory.learn([candidate(30 + 5 * n + m) for m in range(5)])
def admit(n):
    def some(memory):
        waiting = memory.candidates(state="pending")
        return memory.admit([one.id for one in waiting][:4])
    return some
def forget(n, **settings):
    return lambda memory: memory.forget(
        memory.plan_forget(session=f"gone{n}", level="purge"), **settings)
def undo(n):
    return lambda memory: memory.undo()
ACTS = {
    "ingest": [ingest(n) if n % 2 else add(n) for n in range(12)],
    "learn": [learn(n) for n in range(6)],
    "admit": [admit(n) for n in range(5)],
    "forget": [forget(n) for n in range(4)],
    "finish": [forget(0, finish=False), forget(1, finish=False),
               lambda memory: memory.finish_forgetting()],
    "undo": [undo(n) for n in range(5)],
}
"""
# Each run is a fork of a process that has loaded everything and opened nothing.
KILLER = (
    GROUND
    + """
def run(name, path, start, answer):
    if name == "init":
        answer(Memory.init(path))
        return
    with Memory.open(path, scope="user:ana", create=False) as memory:
        for step in ACTS[name][start:]:
            step(memory)
            answer(1)
def forked(name, path, start, delay):
    inner, outer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(inner)
        run(name, path, start, lambda one: os.write(outer, b"+"))
        os._exit(0)
    os.close(outer)
    if delay is not None:
        time.sleep(delay)
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    with os.fdopen(inner, "rb") as answers:
        return len(answers.read()), status
def states(name, path):
    with Memory.open(path, scope="user:ana", create=False) as memory:
        found, started = [memory.digest()], time.monotonic()
        for step in ACTS[name]:
            step(memory)
            found.append(memory.digest())
        return found, time.monotonic() - started
CALLS = {"forked": forked, "states": states, "ground": ground}
for line in sys.stdin:
    name, *arguments = json.loads(line)
    print(json.dumps(CALLS[name](*arguments)), flush=True)
"""
)
ACTS = ("ingest", "learn", "admit", "forget", "finish", "undo")
HALVES = (
    "SELECT count(*) FROM facts f WHERE NOT EXISTS("
    "SELECT 1 FROM evidence e WHERE e.fact_id = f.fact_id)",
    "SELECT count(*) FROM facts f WHERE support <> (SELECT count(*) FROM evidence e "
    "WHERE e.fact_id = f.fact_id AND e.recorded_to = 9223372036854775807)",
    "SELECT count(*) FROM evidence v JOIN episodes e USING(episode_id) "
    "WHERE v.recorded_to = 9223372036854775807 AND e.visibility IN ('forgotten', 'purged')",
)


@pytest.fixture(scope="module")
def killer() -> Iterator[Callable[..., Any]]:
    """Give the function that has something run in a process, and killed there."""
    child = subprocess.Popen(
        [sys.executable, "-c", KILLER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )

    def ask(*arguments: Any) -> Any:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(json.dumps(arguments) + "\n")
        child.stdin.flush()
        return json.loads(child.stdout.readline())

    yield ask
    child.communicate()


@pytest.fixture(scope="module")
def ground(killer: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store to begin with, closed."""
    path = str(tmp_path_factory.mktemp("ground") / "memory.db")
    killer("ground", path)
    return path


def fresh(source: str, folder: Path) -> str:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for suffix in ("", ".key"):
        shutil.copyfile(source + suffix, f"{folder / 'memory.db'}{suffix}")
    return str(folder / "memory.db")


def digest(path: str) -> str:
    with Memory.open(path, scope="user:ana", create=False) as memory:
        return memory.digest()


def assert_no_halves(path: str) -> None:
    db = open_connection(path, read_only=False, busy_timeout=10)
    for sql in HALVES:
        assert db.execute(sql).fetchall() == [(0,)], sql
    db.close()


def assert_forgotten(path: str, sessions: int, copy_store: Callable[..., str]) -> None:
    """Check that so many sessions are nowhere, not even in the bytes once the file is cleaned."""
    with Memory.open(path, scope="user:ana", create=False) as memory:
        memory.finish_forgetting()
        assert memory.pending_forgetting() == 0
        assert memory.verify_receipts().fault is None
    content = Path(copy_store(path, f"{path}-copy")).read_bytes()
    for n in range(10 * sessions):
        assert f"zqoril 翡榿栖 {n} of".encode() not in content


@pytest.mark.parametrize("name", ACTS)
def test_after_a_kill_all_that_was_answered_for_is_there_and_nothing_is_half_done(
    killer: Callable[..., Any],
    ground: str,
    tmp_path: Path,
    name: str,
    long: bool,
    tally: Any,
    assert_sound: Callable[[str], None],
    copy_store: Callable[..., str],
) -> None:
    moments = random.Random(name)
    states, duration = killer("states", name, fresh(ground, tmp_path / "whole"))
    assert len(set(states)) == len(states) - (name == "finish")
    for _ in range(30 if long else 3):
        path = fresh(ground, tmp_path / "killed")
        answered, _ = killer("forked", name, path, 0, moments.uniform(0, duration))
        assert_sound(path)
        assert_no_halves(path)
        found = digest(path)
        assert found in states[answered : answered + 2]
        done = states.index(found)
        if name in ("forget", "finish"):
            assert_forgotten(path, min(done, 4), copy_store)
            assert digest(path) == found
        assert killer("forked", name, path, done, None)[1] == 0
        assert digest(path) == states[-1]
        tally.note(f"kill -9, {name}", trials=1, answered=answered, lost=0, damaged=0)


def age(path: Path, number: int) -> str:
    """Make the old store one of a later schema, as the version of that would have."""
    path.parent.mkdir()
    for suffix in ("", ".key"):
        shutil.copyfile(f"{OLD}{suffix}", f"{path}{suffix}")
    db = open_connection(str(path), read_only=False, busy_timeout=10)
    with unchecked_links(db), transaction(db):
        for one in load_migrations()[2:number]:
            db.execute(one.sql).fetchall()
            values = {"number": one.number, "name": one.name, "sha256": one.sha256}
            db.execute(INSERT_LEDGER, values)
        db.execute(f"PRAGMA user_version = {number}").fetchall()
    db.close()
    return str(path)


def nell(path: str) -> tuple[str, int]:
    with Memory.open(path, scope="user:nell", create=False) as memory:
        return memory.digest(), memory.stats().schema


@pytest.mark.parametrize("number", range(2, NEWEST_SCHEMA))
def test_a_migration_that_is_killed_has_happened_whole_or_not_at_all(
    killer: Callable[..., Any],
    tmp_path: Path,
    number: int,
    long: bool,
    tally: Any,
    assert_sound: Callable[[str], None],
) -> None:
    moments = random.Random(number)
    old = age(tmp_path / "old" / "memory.db", number)
    whole = fresh(old, tmp_path / "whole")
    assert killer("forked", "init", whole, 0, None) == [1, 0]
    for _ in range(10 if long else 1):
        path = fresh(old, tmp_path / "killed")
        answered, _ = killer("forked", "init", path, 0, moments.uniform(0, 0.15))
        db = open_connection(path, read_only=False, busy_timeout=10)
        version = db.execute("PRAGMA user_version").get
        db.close()
        assert version in ([NEWEST_SCHEMA] if answered else [number, NEWEST_SCHEMA])
        assert Memory.init(path) == version
        assert_sound(path)
        assert nell(path) == nell(whole)
        tally.note("kill -9, migrate", trials=1, answered=answered, lost=0, damaged=0)
