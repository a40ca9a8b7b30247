"""What was forgotten among very many turns stands nowhere in the store's files or its indexes.

``MEMORYCORE_TEST_EPISODES=1000000`` asks for another size than that of the usual run.
"""

import json
import os
import random
import resource
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from memorycore import Memory

EPISODES = int(os.environ.get("MEMORYCORE_TEST_EPISODES", "3000"))
PLANTED = 200
EVERY = max(1, EPISODES // PLANTED)
ENDS = (("qzjvxk", "xkqzvj"), ("饕餮魍", "鼋鼍魑"))
"""How each planted word begins and ends, in two languages; nothing else has any of it."""
SYLLABLES = ("ba", "ce", "di", "fo", "gu", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "wo")
HAN = "我们今天去了公园看书吃饭他说明年要搬到海边住下来养一只猫和狗喝茶写信听雨走路"
SEARCH = """
import json, mmap, os, sys
from memorycore.store.connection import open_connection
path, ends = sys.argv[1], json.loads(sys.argv[2])
found = {}
for end in ("", "-wal", "-journal", "-shm"):
    if not os.path.exists(path + end) or not os.path.getsize(path + end):
        continue
    with open(path + end, "rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        for part in ends:
            for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
                needle, at, count = part.encode(encoding), -1, 0
                while (at := data.find(needle, at + 1)) >= 0:
                    count += 1
                if count:
                    found[f"{end} {encoding} {part}"] = count
db = open_connection(path, read_only=False, busy_timeout=10)
marks = [part for part in ends if part.isascii()]
marks += "".join(part for part in ends if not part.isascii())
for index in ("episode_index", "fact_index"):
    db.execute(f"CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, {index}, row)").fetchall()
    terms = [row[0] for row in db.execute("SELECT term FROM temp.terms")]
    db.execute("DROP TABLE temp.terms").fetchall()
    if count := sum(any(mark in term for mark in marks) for term in terms):
        found[f"terms of {index}"] = count
db.close()
print(json.dumps(found))
"""
VACUUM = """
import sys, time
from memorycore.store.connection import open_connection
db = open_connection(sys.argv[1], read_only=False, busy_timeout=10)
before = time.process_time()
db.execute("VACUUM").fetchall()
print(time.process_time() - before)
db.close()
"""


def word(number: int) -> str:
    """Make a word that nobody else says, every other one in Chinese."""
    random_ = random.Random(f"word {number}")
    begin, end = ENDS[number % 2]
    if number % 2:
        return begin + "".join(chr(random_.randrange(0x7300, 0x9F00)) for _ in range(4)) + end
    return begin + "".join(random_.choices("abcdefghijklmnopqrstuvwxyz", k=8)) + end


def planted_text(number: int) -> str:
    filler = "filler 填充 " * (1500 if number % 20 == 0 else 3)
    return f"I like {word(number)}. 然后 {filler}"


def turns() -> Iterator[dict[str, Any]]:
    """Give harmless turns in two languages, and the planted ones between them."""
    random_ = random.Random(3)
    for number in range(EPISODES):
        if number % 2:
            text = "".join(random_.choices(HAN, k=20)) + "。"
        else:
            drawn = (
                "".join(random_.choices(SYLLABLES, k=random_.randint(2, 3))) for _ in range(12)
            )
            text = " ".join(drawn)
        yield {"text": f"{text} {number}", "session": f"s{number // 40}"}
        planted, rest = divmod(number, EVERY)
        if not rest and planted < PLANTED:
            told = {"external_id": f"p{planted}", "meta": {"note": word(planted)}}
            yield {"text": planted_text(planted), "session": "secret", "speaker": "Nell"} | told


def likings() -> Iterator[dict[str, Any]]:
    for number in range(PLANTED):
        thing = {"name": word(number), "kind": "thing"}
        yield {"predicate": "likes", "object": thing, "external_id": f"p{number}",
               "quote": f"I like {word(number)}."}  # fmt: skip


def cpu_of(work: Callable[[], object]) -> float:
    """Measure the CPU seconds of some work and of the processes that it starts."""

    def children() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    before = children() + time.process_time()
    work()
    return children() + time.process_time() - before


@pytest.fixture
def search(run_python: Any) -> Any:
    def call(path: str) -> dict[str, int]:
        parts = json.dumps([part for pair in ENDS for part in pair])
        return json.loads(run_python(SEARCH, path, parts, timeout=900))

    return call


def test_a_purge_among_many_leaves_no_byte_and_no_term(
    store_path: str, search: Any, run_python: Any, record_property: Callable[[str, object], None]
) -> None:
    with Memory.open(store_path, scope="user:nell") as memory:
        memory.add_many(turns())
        memory.learn(likings())
        facts = len(list(memory.facts(limit=PLANTED + 1)))
    before = search(store_path)
    assert before["terms of episode_index"] >= PLANTED
    assert before["terms of fact_index"] >= PLANTED

    with Memory.open(store_path, scope="user:nell") as memory:
        plan = memory.plan_forget(session="secret", level="purge")
        assert (plan.counts["episodes"], facts) == (PLANTED, PLANTED)
        logical = cpu_of(lambda: memory.forget(plan, finish=False))
        physical = cpu_of(memory.finish_forgetting)
        [receipt] = memory.receipts()
        assert memory.stats().episodes == EPISODES

    assert receipt.is_settled
    assert (receipt.verification.kind, receipt.verification.found) == ("bytes", 0)
    found = search(store_path)
    size = os.path.getsize(store_path)
    vacuum = float(run_python(VACUUM, store_path, timeout=900))
    told = {"before": before, "found": found, "bytes": size, "logical": logical}
    told |= {"physical": physical, "vacuum": vacuum, "proof": receipt.verification}
    for name, value in told.items():
        record_property(name, value)
    assert found == {}
    assert search(store_path) == {}
