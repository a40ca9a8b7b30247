"""Many processes that write, learn, forget, undo and search at once lose nothing."""

import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memorycore import Memory
from memorycore.store.schema import NEWEST_SCHEMA

PROCESSES = 8
OLD = Path(__file__).parents[2] / "testdata" / "stores" / "schema-2.db"
WORK = """
import json, random, sys, time
from memorycore import Memory, errors
path, name, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
moments, standing, gone, done, waits = random.Random(name), set(), set(), {}, {}
def add(memory, n):
    text = f"{name} message {n} 消息"
    memory.add(text, session=f"{name}-{n % 5}")
    standing.add(text)
def ingest(memory, n):
    texts = [f"{name} batch {n} message {m} 消息" for m in range(20)]
    memory.add_many({"text": text, "session": f"{name}-batch"} for text in texts)
    standing.update(texts)
def learn(memory, n):
    key, text = f"{name}-{n}", f"I like {name} tea number {n} 茶"
    said = {"name": f"{name} tea {n}", "kind": "thing"}
    memory.add(text, speaker="Ana", external_id=key, session=f"{name}-tea")
    memory.learn([{"predicate": "likes", "object": said, "external_id": key, "quote": text}])
    standing.add(text)
def search(memory, n):
    for hit in memory.search(f"{name} message 消息").hits:
        assert hit.episode.text not in gone
def forget(memory, n):
    text, session = f"{name} zqoril {n} 翡榿 many words", f"{name}-gone-{n}"
    memory.add(text, session=session)
    memory.forget(memory.plan_forget(session=session, level="purge"))
    gone.add(text)
def undo(memory, n):
    memory.undo(memory.add_many([{"text": f"{name} taken back {n}"}]).operation.id)
    gone.add(f"{name} taken back {n}")
ACTS = [add] * 6 + [search] * 6 + [learn] * 4 + [ingest] * 2 + [undo] * 2 + [forget]
with Memory.open(":memory:", scope="user:ana") as memory:
    for act in set(ACTS):
        act(memory, 0)  # so that all is loaded
standing.clear()
gone.clear()
print("ready", flush=True)
sys.stdin.readline()
with Memory.open(path, scope="user:ana") as memory:
    end, n = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        act, began = moments.choice(ACTS), time.monotonic()
        act(memory, n)
        n += 1
        took = time.monotonic() - began
        done[act.__name__] = done.get(act.__name__, 0) + 1
        waits[act.__name__] = max(waits.get(act.__name__, 0.0), took)
print(json.dumps([sorted(standing), done, waits]))
"""


def let_go(processes: list[Any], timeout: float) -> list[str]:
    """Start them at the same moment, and give what each printed at last."""
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()
    answers = [process.communicate(timeout=timeout) for process in processes]
    assert [process.returncode for process in processes] == [0] * len(processes), answers
    return [out for out, _ in answers]


@pytest.mark.slow
def test_eight_processes_that_do_everything_lose_nothing_and_meet_no_error(
    start_python: Callable[..., Any],
    store_path: str,
    long: bool,
    tally: Any,
    assert_sound: Callable[[str], None],
) -> None:
    Memory.init(store_path)
    seconds = 120 if long else 2
    workers = [start_python(WORK, store_path, f"p{n}", str(seconds)) for n in range(PROCESSES)]
    standing: list[str] = []
    done: Counter[str] = Counter()
    worst: dict[str, float] = {}
    for answer in let_go(workers, seconds + 60):
        texts, counts, waits = json.loads(answer)
        standing += texts
        done.update(counts)
        worst = {act: max(worst.get(act, 0.0), waits.get(act, 0.0)) for act in worst | waits}
    assert set(done) == {"add", "ingest", "learn", "search", "forget", "undo"}
    with Memory.open(store_path, scope="user:ana") as memory:
        kept = [one.text for one in memory.episodes(limit=1_000_000)]
        assert sorted(kept) == sorted(standing)
        assert sum(1 for _ in memory.facts()) == done["learn"]
        memory.finish_forgetting()
        assert memory.pending_forgetting() == 0
        assert memory.verify_receipts().fault is None
    assert_sound(store_path)
    # A forgetting also searches the file, in a process of its own.
    longest = max(wait for act, wait in worst.items() if act != "forget")
    assert longest < (2 if long else 5)
    tally.note(
        f"{PROCESSES} processes, worst wait {longest:.1f} s",
        trials=sum(done.values()), told=0, lost=0, damaged=0,
    )  # fmt: skip


INIT = """
import sys
from memorycore import Memory
import memorycore.store.migrate
print("ready", flush=True)
sys.stdin.readline()
print(Memory.init(sys.argv[1], busy_timeout=30))
"""


def test_of_eight_processes_that_migrate_an_old_store_one_does_it(
    start_python: Callable[..., Any], store_path: str, assert_sound: Callable[[str], None]
) -> None:
    for suffix in ("", ".key"):
        shutil.copyfile(f"{OLD}{suffix}", f"{store_path}{suffix}")
    found = let_go([start_python(INIT, store_path) for _ in range(PROCESSES)], 60)
    assert sorted(map(int, found)) == [2] + [NEWEST_SCHEMA] * (PROCESSES - 1)
    assert_sound(store_path)
    with Memory.open(store_path, scope="user:nell", create=False) as memory:
        assert memory.stats().episodes == 5


FORK = """
import gc, os, sys
from memorycore import Memory, errors
path = sys.argv[1]
def refused(act):
    try:
        act()
    except errors.ForkedHandleError:
        return True
    return False
def add(db):
    db.execute("INSERT INTO scopes(name) VALUES('user:bo')").fetchall()
memory = Memory.open(path, scope="user:ana")
memory.add("before 之前")
memory.search("before")
with memory._store.write() as db:
    add(db)
    child = os.fork()
    if child == 0:
        told = [refused(act) for act in (lambda: memory.search("x"), lambda: memory.add("y"),
                                         lambda: add(db), memory.close)]
        del db, memory
        gc.collect()
        sys.exit(0 if told[:3] == [True] * 3 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    other = os.fork()
    if other == 0:
        os.execv(sys.executable, [sys.executable, "-c", f'''
from memorycore import Memory, errors
with Memory.open({path!r}, scope="user:ana", busy_timeout=0.1) as memory:
    try:
        memory.add("too early 太早")
    except errors.StoreBusyError:
        print("busy")
'''])
    assert os.waitstatus_to_exitcode(os.waitpid(other, 0)[1]) == 0
memory.add("after 之后")
print([one.text for one in memory.episodes()], memory.stats(all_scopes=True).operations)
"""


def test_a_child_that_inherits_an_open_transaction_neither_uses_nor_ends_it(
    run_python: Callable[..., str], store_path: str, assert_sound: Callable[[str], None]
) -> None:
    lines = run_python(FORK, store_path).splitlines()
    assert lines == ["busy", "['before 之前', 'after 之后'] 3"]
    assert_sound(store_path)
