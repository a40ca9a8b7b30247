"""Benchmarks of writing: in bulk, in growing bulk, and one turn at a time."""

import statistics
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import apsw
from figures import Figure, compare, cpu_time
from stores import Rows, Workshop, fill, insert_raw, prepare_raw, read_rows, remove
from turns import LANGUAGES, as_mapping, drafts, texts

from memorycore import Memory
from memorycore.model.draft import Draft
from memorycore.model.word import split_words

BULK_ROWS = 100_000
BULK_TARGET = 2.0
GROWTH = ((10_000, 7), (100_000, 3), (1_000_000, 1))
"""Rows, and how often they are written."""
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

        given: tuple[tuple[str, list[Any]], ...] = (
            ("drafts", records),
            ("mappings", [as_mapping(one) for one in records]),
        )
        for kind, items in given:
            ratio, ours, raw = compare(
                lambda: _bulk_time(shop, items),  # noqa: B023 (called in this round)
                lambda: _raw_time(shop, rows),  # noqa: B023
                repeat=repeat,
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


def _raw_time(shop: Workshop, rows: Rows) -> float:
    path = shop.fresh()
    db = prepare_raw(path, rows.names)
    spent = cpu_time(lambda: insert_raw(db, rows))
    remove(path)
    return spent


def growth(shop: Workshop, *, quick: bool) -> Iterator[Figure]:
    """Compare bulk writes of a hundred times the rows; show what plain SQLite makes of them."""
    if quick:
        return
    ours: dict[int, float] = {}
    plain: dict[int, float] = {}
    for count, repeat in GROWTH:
        records = list(drafts("chinese", count))
        ours[count] = statistics.median(_bulk_time(shop, records) for _ in range(repeat))
        del records
        rows = read_rows(shop.store("chinese", count))
        plain[count] = statistics.median(_raw_time(shop, rows) for _ in range(repeat))
        del rows
    for kind, spent, target in (("ours", ours, GROWTH_TARGET), ("plain SQLite", plain, None)):
        beside = ", ".join(f"{count}: {seconds:.2f} s" for count, seconds in spent.items())
        ratio = spent[1_000_000] / spent[10_000]
        yield Figure("growth", f"{kind}, 1,000,000 / 10,000 rows", ratio, target, beside=beside)


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
