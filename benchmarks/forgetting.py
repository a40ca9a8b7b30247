"""Benchmarks of forgetting: one fact among many, many episodes at once, and the file itself."""

import resource
import shutil
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fact_store import fact_store
from figures import Figure, cpu_time
from statements import SCOPE
from stores import Workshop, remove

from memorycore import Memory
from memorycore.model.forgetting import Verification
from memorycore.model.identity import format_id
from memorycore.model.time import format_instant
from memorycore.store.connection import Connection, open_connection, transaction
from memorycore.store.residue import rewrite_indexes, sift_words, truncate_log

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
VOCABULARY = "CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, episode_index, row)"
EDGES = "SELECT CAST(substr(term, 2) AS BLOB) FROM episode_index_idx WHERE length(term) > 3"
FOLLOWING = "SELECT term FROM temp.terms WHERE term >= CAST(? AS TEXT) LIMIT 2"
WHO_SAYS = """
SELECT e.uid FROM episode_index i JOIN episodes e ON e.episode_id = i.rowid
WHERE i.episode_index MATCH ? LIMIT 2
"""
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
    """Compare what follows a purge, cleaning and search apart, with writing the file anew."""
    count = 100_000 if quick else 1_000_000
    copy = _copy(shop, shop.store("chinese", count))
    usual = _finish(copy, _purge_some)
    edge = _finish(copy, lambda memory: _redact_an_edge(memory, copy))
    anew, lost = _rewrite_time(copy), _lost_time(copy)
    db = open_connection(copy, read_only=False, busy_timeout=1)
    vacuum = cpu_time(lambda: db.execute("VACUUM").fetchall())
    db.close()
    _clear(copy)

    def over(what: str, taken: float, target: float | None = None, beside: str = "") -> Figure:
        told = f"{beside}{taken:.3f} s, VACUUM {vacuum:.2f} s"
        return Figure("erase", what, taken / vacuum, target, beside=told)

    yield over(f"clean file, indexes of {count:,} / VACUUM", usual.cleaning, ERASE_TARGET)
    yield over("clean, a word beginning a page / VACUUM", edge.cleaning, ERASE_TARGET)
    for one in (usual, edge):
        told = f"{one.proof.texts} texts, {one.proof.words} words, "
        yield over("verify: search the file / VACUUM", one.searching, beside=told)
    yield over("else: write the indexes anew / VACUUM", anew)
    yield over("else: write all anew, words lost / VACUUM", lost)


@dataclass(frozen=True, slots=True)
class Finished:
    """The CPU seconds of the two phases that follow a forgetting, and what the second found."""

    cleaning: float
    searching: float
    proof: Verification


def _finish(path: str, forget: Callable[[Memory], object]) -> Finished:
    """Forget something, and measure what follows: the search is a process of its own."""
    with Memory.open(path, scope=_first(path, 1)[0]) as memory:
        forget(memory)
        cleaning, searching = _cpu_times(memory.finish_forgetting)
        proof = memory.receipts(limit=1)[0].verification
    assert proof is not None
    assert proof.kind == "bytes"
    assert not proof.found
    return Finished(cleaning, searching, proof)


def _purge_some(memory: Memory) -> None:
    last = list(memory.episodes(limit=SOUGHT))[-1]
    plan = memory.plan_forget(before=format_instant(last.occurred_to or 0), level="purge")
    memory.forget(plan, finish=False)


def _redact_an_edge(memory: Memory, path: str) -> None:
    db = open_connection(path, read_only=True, busy_timeout=1)
    uid = _find_edge(db)
    db.close()
    memory.forget(format_id("ep", uid), level="redact", finish=False)
    with memory._store.read() as db:
        ((number, (scope_id, needles)),) = memory._store.sought.items()
        (sifted,) = sift_words(db, [(scope_id, needles.words())])
    assert sifted.traces, number


def _find_edge(db: Connection) -> bytes:
    """Find an episode with a word that nobody else says and that a page of the index begins with.

    Returns its id, as bytes.
    """
    db.execute(VOCABULARY)
    for (edge,) in db.execute(EDGES).fetchall():
        rows = db.execute(FOLLOWING, (edge,)).fetchall()
        begun = [term for (term,) in rows if str(term).encode().startswith(edge)]
        if len(begun) != 1:
            continue
        said = db.execute(WHO_SAYS, (f'body : "{begun[0]}"',)).fetchall()
        if len(said) == 1:
            return bytes(said[0][0])  # type: ignore[arg-type]
    raise AssertionError("each page begins with a word of many")


def _rewrite_time(path: str) -> float:
    """Measure what is done where an index cannot be mended in place."""
    db = open_connection(path, read_only=False, busy_timeout=1)

    def rewrite() -> None:
        with transaction(db):
            rewrite_indexes(db)
        truncate_log(db)

    taken = cpu_time(rewrite)
    db.close()
    return taken


def _lost_time(path: str) -> float:
    """Forget a text, lose its words as a crash would, and measure what is done instead."""
    with Memory.open(path, scope=_first(path, 1)[0]) as memory:
        memory.forget(memory.episodes(limit=1)[0].id, level="redact", finish=False)
        memory._store.sought.clear()
        return sum(_cpu_times(memory.finish_forgetting))


def _cpu_times(work: Callable[[], object]) -> tuple[float, float]:
    """Measure the CPU time of some work, and that of the processes which it starts."""

    def children() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    before, started = children(), time.process_time()
    work()
    return time.process_time() - started, children() - before
