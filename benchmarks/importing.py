"""Benchmarks of importing Mem0's exports, against the rows that an import leaves, put in raw."""

import hashlib
import json
import os
import random
import shutil
import statistics
from collections.abc import Iterator
from pathlib import Path

from figures import Figure, compare, cpu_time
from stores import Row, Workshop, reading, remove, stored_columns
from turns import long_text, texts
from whole import MEGABYTE, MEMORY_TARGET, run_child

from memorycore import Memory
from memorycore.store.connection import open_connection

LINES = 100_000
QUICK_LINES = 10_000
SCOPE = "agent:mira"
RAW_TARGET = 15.0
GROWTH_TARGET = 11.0
PAGE = 1000
"""Memories to a transaction, as in an import."""

WAITING = ("import_jobs", "import_items")
ONCE = (
    "operations",
    "scopes",
    "sessions",
    "sources",
    "entities",
    "aliases",
    "operation_rows",
    "changes",
)
PAGED = ("episodes", "episode_texts", "candidates", "candidate_evidence", "facts", "evidence",
         "fact_periods", "decisions", "links", "review_items")  # fmt: skip
INDEXES = {"episode_documents": "episode_index", "fact_documents": "fact_index"}
INSERT = "INSERT OR IGNORE INTO {table} VALUES({marks})"
INSERT_DOCUMENT = "INSERT INTO {table}(rowid, body, ctx) VALUES(?, ?, ?)"

Tables = dict[str, list[Row]]


def import_lines(shop: Workshop, *, quick: bool) -> Iterator[Figure]:
    """Compare previewing and carrying out with the same rows put in by plain SQLite."""
    count = QUICK_LINES if quick else LINES
    file = _file(shop, count)
    base, path = shop.fresh(), shop.fresh()
    Memory.open(base).close()
    _import_time(file, base, path, keep=True)
    waiting, rows = _rows_waiting(file, base, shop.fresh()), _rows(path, base)
    remove(path)
    ratio, ours, raw = compare(
        lambda: _import_time(file, base, shop.fresh()),
        lambda: _raw_time(base, shop.fresh(), waiting, rows),
        repeat=3 if quick else 1,
    )
    per = 1_000_000 / count
    beside = f"a line: ours {ours * per:.0f} µs, plain {raw * per:.0f} µs"
    yield Figure("import", f"{count} lines of Mem0", ratio, RAW_TARGET, beside=beside)
    if not quick:
        small = _file(shop, count // 10)
        few = statistics.median(_import_time(small, base, shop.fresh()) for _ in range(3))
        beside = f"{count // 10}: {few:.1f} s, {count}: {ours:.1f} s"
        yield Figure("import", "ten times the lines", ours / few, GROWTH_TARGET, beside=beside)


def import_memory(shop: Workshop, *, quick: bool) -> Iterator[Figure]:
    """Measure the most memory that a process takes while it reads a large export in."""
    size = (100 if quick else 1000) * MEGABYTE
    file, path = str(shop.folder / f"large-{os.getpid()}.mem0.jsonl"), shop.fresh()
    _write_large(file, size)
    try:
        child = str(Path(__file__).with_name("import_file.py"))
        report = json.loads(run_child([child, file, path], path))
    finally:
        remove(file)
        remove(path)
    beside = f"{report['stored']} memories, {report['cpu']:.0f} s of CPU"
    what = f"a file of {size // MEGABYTE} MB"
    yield Figure("import-memory", what, report["peak"] / MEGABYTE, MEMORY_TARGET, "MB", beside)


def _line(number: int, text: str) -> str:
    payload = {
        "scene_id": "tea_house",
        "character_id": "mira",
        "conv_id": f"c{number // 40}",
        "user_id": "tea_house:mira",
        "agent_id": "mira",
        "data": text,
        "hash": hashlib.md5(text.encode(), usedforsecurity=False).hexdigest(),
        "created_at": f"2025-02-{1 + number % 28:02d}T{number % 24:02d}:45:46.523192-08:00",
    }
    point = {"id": f"8dac908c-c298-42ad-beac-{number:012d}", "payload": payload,
             "collection": "demo_global", "isolation": "global",
             "exported_at": "2025-03-18T06:53:58Z"}  # fmt: skip
    return json.dumps(point, ensure_ascii=False) + "\n"


def _file(shop: Workshop, count: int) -> str:
    """Write an export of made-up memories, half of them Chinese, once."""
    path = str(shop.folder / f"memories-{count}.mem0.jsonl")
    if not os.path.exists(path):
        said = zip(texts("chinese", count // 2, "mem0"), texts("english", count // 2, "mem0"),
                   strict=True)  # fmt: skip
        with open(path, "w", encoding="utf-8") as file:
            for number, text in enumerate(text for pair in said for text in pair):
                file.write(_line(number, f"{text} {number}"))
    return path


def _write_large(path: str, size: int) -> None:
    rng = random.Random("mem0")
    sentences = texts("english", 20_000, "large")
    written = number = 0
    with open(path, "w", encoding="utf-8") as file:
        while written < size:
            written += file.write(_line(number, long_text(rng, sentences)))
            number += 1


def _copy(path: str, to: str) -> None:
    for end in ("", ".key"):
        shutil.copyfile(path + end, to + end)


def _import_time(file: str, base: str, path: str, *, keep: bool = False) -> float:
    _copy(base, path)
    memory = Memory.open(path, scope=SCOPE)

    def work() -> None:
        job = memory.import_(file, format="mem0")
        done = memory.import_apply(job.id)
        memory.close()
        assert done.at.imported >= 0.9 * done.at.total, f"not what was meant: {done.actions}"

    spent = cpu_time(work)
    if not keep:
        remove(path)
    return spent


def _rows_waiting(file: str, base: str, path: str) -> Tables:
    """Read the rows of a job that was previewed, with all that waits in it."""
    _copy(base, path)
    with Memory.open(path, scope=SCOPE) as memory:
        memory.import_(file, format="mem0")
    with reading(path) as db:
        found = {table: _all(db, table) for table in (*WAITING, "scopes")}
    remove(path)
    return found


def _rows(path: str, base: str) -> Tables:
    """Read the rows that an import has added to a store."""
    with reading(base) as db:
        before = {table: set(_all(db, table)) for table in ONCE}
    with reading(path) as db:
        found = {table: _all(db, table) for table in (*ONCE, *PAGED)}
        for table in ONCE:
            found[table] = [row for row in found[table] if row not in before[table]]
        for table in INDEXES:
            found[table] = [tuple(row) for row in db.execute(f"SELECT * FROM {table} ORDER BY 1")]
    return found


def _all(db: object, table: str) -> list[Row]:
    columns = stored_columns(db, table)  # type: ignore[arg-type]
    rows = db.execute(f"SELECT {columns} FROM {table} ORDER BY 1")  # type: ignore[attr-defined]
    return [tuple(row) for row in rows]


def _raw_time(base: str, path: str, waiting: Tables, rows: Tables) -> float:
    _copy(base, path)
    raw = open_connection(path, read_only=False, busy_timeout=1).raw
    count = len(rows["facts"])

    def put(tables: list[tuple[str, list[Row]]]) -> None:
        raw.execute("BEGIN IMMEDIATE")
        raw.execute("PRAGMA defer_foreign_keys = ON")
        for table, part in tables:
            if part:
                marks = ", ".join("?" * len(part[0]))
                sql = INSERT_DOCUMENT if table in INDEXES.values() else INSERT
                raw.executemany(sql.format(table=table, marks=marks), part)
        raw.execute("COMMIT")

    def work() -> None:
        put([("scopes", waiting["scopes"]), ("import_jobs", waiting["import_jobs"])])
        for first in range(0, len(waiting["import_items"]), PAGE):
            put([("import_items", waiting["import_items"][first : first + PAGE])])
        for first in range(0, count, PAGE):
            part = [(table, rows[table]) for table in ONCE] if first == 0 else []
            part += [(table, rows[table][first : first + PAGE]) for table in PAGED]
            part += [(to, rows[name][first : first + PAGE]) for name, to in INDEXES.items()]
            put(part)
        raw.close()

    spent = cpu_time(work)
    remove(path)
    return spent
