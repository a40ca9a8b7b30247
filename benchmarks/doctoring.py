"""Benchmark of looking a store over: every check of it, against the quick check of its pages."""

import statistics
from collections.abc import Iterator

from fact_store import fact_store
from figures import Figure, cpu_time
from statements import SCOPE
from stores import Workshop, reading

from memorycore import Memory

TARGET = 2.0
REPEAT = 3


def doctor(shop: Workshop, *, quick: bool) -> Iterator[Figure]:
    """Compare all checks but the deep ones with what SQLite takes to go through the pages."""
    count = 10_000 if quick else 1_000_000
    path = fact_store(shop, count)
    with Memory.open(path, scope=SCOPE) as memory, reading(path) as raw:

        def examine() -> None:
            assert not [one for one in memory.examine() if one.state == "fail"]

        def check() -> None:
            assert raw.execute("PRAGMA quick_check").fetchall() == [("ok",)]

        pairs = [(cpu_time(examine), cpu_time(check)) for _ in range(REPEAT)]
    ours, plain = (statistics.median(times) for times in zip(*pairs, strict=True))
    beside = f"ours {ours:.1f} s, quick_check {plain:.1f} s"
    yield Figure("doctor", f"{count:,} facts", ours / plain, TARGET, beside=beside)
