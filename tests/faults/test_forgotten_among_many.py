"""What was forgotten among very many turns stands nowhere in the store's files or its indexes.

``MEMORYCORE_TEST_EPISODES=1000000`` asks for another size than that of the usual run.
"""

import os
import random
import resource
import time
from collections.abc import Callable, Iterator
from typing import Any

from memorycore import Memory

EPISODES = int(os.environ.get("MEMORYCORE_TEST_EPISODES", "3000"))
PLANTED = 200
EVERY = max(1, EPISODES // PLANTED)
SYLLABLES = ("ba", "ce", "di", "fo", "gu", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "wo")
HAN = "我们今天去了公园看书吃饭他说明年要搬到海边住下来养一只猫和狗喝茶写信听雨走路"
VACUUM = """
import sys, time
from memorycore.store.connection import open_connection
db = open_connection(sys.argv[1], read_only=False, busy_timeout=10)
before = time.process_time()
db.execute("VACUUM").fetchall()
print(time.process_time() - before)
db.close()
"""


Word = Callable[[int], str]


def planted_text(word: str, number: int) -> str:
    filler = "filler 填充 " * (1500 if number % 20 == 0 else 3)
    return f"I like {word}. 然后 {filler}"


def turns(word: Word) -> Iterator[dict[str, Any]]:
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
            yield {
                "text": planted_text(word(planted), planted),
                "session": "secret",
                "speaker": "Nell",
            } | told


def likings(word: Word) -> Iterator[dict[str, Any]]:
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


def test_a_purge_among_many_leaves_no_byte_and_no_term(
    store_path: str,
    planted_word: Word,
    search_planted: Any,
    run_python: Any,
    record_property: Callable[[str, object], None],
) -> None:
    with Memory.open(store_path, scope="user:nell") as memory:
        memory.add_many(turns(planted_word))
        memory.learn(likings(planted_word))
        facts = len(list(memory.facts(limit=PLANTED + 1)))
    before = search_planted(store_path)
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
    found = search_planted(store_path)
    size = os.path.getsize(store_path)
    vacuum = float(run_python(VACUUM, store_path, timeout=900))
    told = {"before": before, "found": found, "bytes": size, "logical": logical}
    told |= {"physical": physical, "vacuum": vacuum, "proof": receipt.verification}
    for name, value in told.items():
        record_property(name, value)
    assert found == {}
    assert search_planted(store_path) == {}
