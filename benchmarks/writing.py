"""Benchmarks of writing: in bulk, in growing bulk, and one turn at a time."""

import statistics
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import apsw
from figures import Figure, compare, cpu_time
from stores import Workshop, fill, insert_raw, prepare_raw, read_rows, remove
from turns import LANGUAGES, as_mapping, drafts, texts

from memorycore import Memory
from memorycore.model.draft import Draft
from memorycore.model.word import split_words

BULK_ROWS = 100_000
BULK_TARGET = 2.0
GROWTH_TARGET = 115.0
SINGLE_TURNS = 3_000
SINGLE_TARGET = 3.0
MANY_SESSIONS = 500

PLAIN_TABLE = "CREATE VIRTUAL TABLE turns USING fts5(body)"


def bulk(shop: Workshop, *, quick: bool) -> Iterator[Figure]:
    """Compare a bulk write with the same rows put into the same tables by plain SQLite."""
    repeat = 3 if quick else 5
    for language in LANGUAGES:
        records = list(drafts(language, BULK_ROWS))
        path = shop.fresh()
        fill(path, records)
        rows = read_rows(path)
        remove(path)

        def plain() -> float:
            path = shop.fresh()
            db = prepare_raw(path, rows.names)  # noqa: B023 (called in this round)
            spent = cpu_time(lambda: insert_raw(db, rows))  # noqa: B023
            remove(path)
            return spent

        given: tuple[tuple[str, list[Any]], ...] = (
            ("drafts", records),
            ("mappings", [as_mapping(one) for one in records]),
        )
        for kind, items in given:
            ratio, ours, raw = compare(
                lambda: _bulk_time(shop, items), plain, repeat=repeat  # noqa: B023
            )
            beside = f"{BULK_ROWS} rows: ours {ours:.2f} s, plain {raw:.2f} s"
            yield Figure("bulk", f"{language}, {kind}", ratio, BULK_TARGET, beside=beside)


def _bulk_time(shop: Workshop, items: Iterable[Draft | Mapping[str, Any]]) -> float:
    path = shop.fresh()
    memory = Memory.open(path)

    def work() -> None:
        memory.add_many(items)
        memory.close()

    spent = cpu_time(work)
    remove(path)
    return spent


def growth(shop: Workshop, *, quick: bool) -> Iterator[Figure]:
    """Compare bulk writes of a hundred times the rows."""
    if quick:
        return
    spent = {}
    for rows, repeat in ((10_000, 7), (100_000, 3), (1_000_000, 1)):
        records = list(drafts("chinese", rows))
        spent[rows] = statistics.median(_bulk_time(shop, records) for _ in range(repeat))
        del records
    beside = ", ".join(f"{rows}: {seconds:.2f} s" for rows, seconds in spent.items())
    middle = spent[100_000] / spent[10_000]
    yield Figure("growth", "100,000 rows / 10,000 rows", middle, None)
    ratio = spent[1_000_000] / spent[10_000]
    yield Figure("growth", "1,000,000 rows / 10,000 rows", ratio, GROWTH_TARGET, beside=beside)


def single(shop: Workshop, *, quick: bool) -> Iterator[Figure]:
    """Compare one committed turn at a time with a plain full-text table that commits each."""
    repeat = 3 if quick else 5
    for language in LANGUAGES:
        turns = texts(language, SINGLE_TURNS, "single")
        for kind, sessions in (("one session", 1), ("many sessions", MANY_SESSIONS)):
            ratio, ours, raw = compare(
                lambda: _single_time(shop, turns, sessions),  # noqa: B023 (called in this round)
                lambda: _plain_time(shop, turns),  # noqa: B023
                repeat=repeat,
            )
            per = 1000 / SINGLE_TURNS
            beside = f"a turn: ours {ours * per:.3f} ms, plain {raw * per:.3f} ms"
            yield Figure("single", f"{language}, {kind}", ratio, SINGLE_TARGET, beside=beside)


def _single_time(shop: Workshop, turns: list[str], sessions: int) -> float:
    path = shop.fresh()
    memory = Memory.open(path)

    def work() -> None:
        for number, text in enumerate(turns):
            role = ("user", "assistant")[number % 2]
            memory.add(text, role=role, session=f"session {number % sessions}")

    spent = cpu_time(work)
    memory.close()
    remove(path)
    return spent


def _plain_time(shop: Workshop, turns: list[str]) -> float:
    """Measure a table that holds each turn's words, cut beforehand: it too can find Chinese."""
    path = shop.fresh()
    bodies = [" ".join(split_words(text)) for text in turns]
    db = apsw.Connection(path)
    db.execute("PRAGMA journal_mode = WAL").fetchall()
    db.execute("PRAGMA synchronous = FULL").fetchall()
    db.execute(PLAIN_TABLE)

    def work() -> None:
        for body in bodies:
            db.execute("BEGIN IMMEDIATE")
            db.execute("INSERT INTO turns(body) VALUES(?)", (body,))
            db.execute("COMMIT")

    spent = cpu_time(work)
    db.close()
    remove(path)
    return spent
