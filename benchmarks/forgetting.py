"""Benchmarks of forgetting: one fact among many, many episodes at once, and the file itself."""

import resource
import shutil
import statistics
import time
from collections.abc import Callable, Iterator

from fact_store import fact_store
from figures import Figure, cpu_time
from statements import SCOPE
from stores import Workshop, remove

from memorycore import Memory
from memorycore.model.forgetting import Verification
from memorycore.model.time import format_instant
from memorycore.store.connection import open_connection
from memorycore.store.residue import truncate_log

ONE_MS = 5.0
PURGE_TARGET = 3.0
ERASE_TARGET = 0.2
TIMES = 20
PURGED = 1_000
SOUGHT = 10
REPEAT = 3

SOME_FACTS = """
SELECT uid FROM facts WHERE visibility = 'visible' AND fact_id > :after
ORDER BY fact_id LIMIT :limit
"""
FIRST_TIMES = "SELECT occurred_to FROM episodes ORDER BY episode_id LIMIT 1 OFFSET ?"
SCOPE_NAME = "SELECT s.name FROM scopes s JOIN episodes e USING(scope_id) LIMIT 1"
DOCUMENTS = "SELECT episode_id, body, ctx FROM episode_documents WHERE episode_id <= ?"
RAW = (
    "INSERT INTO episode_index(episode_index, rowid, body, ctx) VALUES('delete', ?, ?, ?)",
    "DELETE FROM episode_texts WHERE episode_id = ?",
    "UPDATE episodes SET visibility = 'purged', fingerprint = NULL WHERE episode_id = ?",
)


def _copy(shop: Workshop, path: str) -> str:
    copy = shop.fresh()
    shutil.copyfile(path, copy)
    shutil.copyfile(path + ".key", copy + ".key")
    return copy


def _clear(path: str) -> None:
    remove(path)
    remove(path + ".forget")


def forget_one(shop: Workshop, *, quick: bool) -> Iterator[Figure]:
    """Measure the CPU time of forgetting one fact of many, before the file is cleaned."""
    count = 10_000 if quick else 1_000_000
    path = _copy(shop, fact_store(shop, count))
    with Memory.open(path, scope=SCOPE) as memory:
        for level in ("soft", "hard"):
            facts = [fact.id for fact in memory.facts(predicate="likes", limit=TIMES + 1)]
            memory.forget(facts.pop(), level=level, finish=False)
            times = [
                cpu_time(lambda: memory.forget(fact, level=level, finish=False))  # noqa: B023
                for fact in facts
            ]
            ms = 1000 * statistics.median(times)
            what = f"{level}, one of {count:,} facts"
            yield Figure("forget-one", what, ms, ONE_MS, "ms")
    _clear(path)


def purge(shop: Workshop, *, quick: bool) -> Iterator[Figure]:
    """Compare purging many episodes in one call with deleting the same rows."""
    count = 10_000 if quick else 100_000
    path = shop.store("chinese", count)
    pairs = [(_purge_time(shop, path), _raw_time(shop, path)) for _ in range(REPEAT)]
    ratio = statistics.median(ours / raw for ours, raw in pairs)
    ours, raw = (statistics.median(column) for column in zip(*pairs, strict=True))
    beside = f"ours {ours:.2f} s, rows {raw:.2f} s"
    yield Figure("purge", f"{PURGED:,} of {count:,} episodes", ratio, PURGE_TARGET, beside=beside)


def _first(path: str, number: int) -> tuple[str, int]:
    db = open_connection(path, read_only=True, busy_timeout=1)
    scope, until = db.execute(SCOPE_NAME).get, db.execute(FIRST_TIMES, (number - 1,)).get
    db.close()
    return str(scope), int(until)  # type: ignore[arg-type]


def _purge_time(shop: Workshop, path: str) -> float:
    copy = _copy(shop, path)
    scope, until = _first(copy, PURGED)
    with Memory.open(copy, scope=scope) as memory:
        plan = memory.plan_forget(before=format_instant(until), level="purge")
        assert abs(plan.counts["episodes"] - PURGED) < PURGED // 10, plan.counts
        taken = cpu_time(lambda: memory.forget(plan, finish=False))
    _clear(copy)
    return taken


def _raw_time(shop: Workshop, path: str) -> float:
    copy = _copy(shop, path)
    db = open_connection(copy, read_only=False, busy_timeout=1)
    documents = db.execute(DOCUMENTS, (PURGED,)).fetchall()
    numbers = [(row[0],) for row in documents]

    def delete() -> None:
        db.execute("BEGIN IMMEDIATE")
        db.executemany(RAW[0], documents)
        db.executemany(RAW[1], numbers)
        db.executemany(RAW[2], numbers)
        db.execute("COMMIT")

    taken = cpu_time(delete)
    db.close()
    _clear(copy)
    return taken


def erase(shop: Workshop, *, quick: bool) -> Iterator[Figure]:
    """Compare cleaning the file after a purge, and looking for what was purged, with a VACUUM."""
    count = 100_000 if quick else 1_000_000
    copy = _copy(shop, shop.store("chinese", count))
    cleaning, proving, proof = _finish_times(copy)
    lost = _lost_time(copy)
    db = open_connection(copy, read_only=False, busy_timeout=1)
    vacuum = cpu_time(lambda: db.execute("VACUUM").fetchall())
    db.close()
    _clear(copy)
    beside = f"VACUUM {vacuum:.2f} s"
    what = f"clean the file, {count:,} episodes / VACUUM"
    yield Figure("erase", what, cleaning / vacuum, ERASE_TARGET, beside=beside)
    told = f"{proof.texts} texts, {proof.words} words, {proving:.2f} s"
    yield Figure("erase", "clean and search / VACUUM", proving / vacuum, None, beside=told)
    what = "write all anew, the words being lost / VACUUM"
    yield Figure("erase", what, lost / vacuum, None, beside=f"{lost:.2f} s")


def _finish_times(path: str) -> tuple[float, float, Verification]:
    """Purge some episodes, and measure what follows: the file alone, then with the search."""
    scope, until = _first(path, SOUGHT)
    with Memory.open(path, scope=scope) as memory:
        plan = memory.plan_forget(before=format_instant(until), level="purge")
        memory.forget(plan, finish=False)
        with memory._store.maintain() as db:
            cleaning = cpu_time(lambda: truncate_log(db))
        proving = cleaning + _with_children(memory.finish_forgetting)
        proof = memory.receipts(limit=1)[0].verification
    assert proof is not None
    assert not proof.found
    return cleaning, proving, proof


def _lost_time(path: str) -> float:
    """Forget a text, lose its words as a crash would, and measure what is done instead."""
    with Memory.open(path, scope=_first(path, 1)[0]) as memory:
        memory.forget(memory.episodes(limit=1)[0].id, level="redact", finish=False)
        memory._store.sought.clear()
        return _with_children(memory.finish_forgetting)


def _with_children(work: Callable[[], object]) -> float:
    """Measure the CPU time of some work and of the processes that it starts."""

    def children() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    before, started = children(), time.process_time()
    work()
    return time.process_time() - started + children() - before
