"""Benchmarks of keeping a store: a backup against a copy of the file, and what checks it."""

import os
import shutil
import statistics
import time
from collections.abc import Callable, Iterator

from figures import Figure
from stores import Workshop, remove

from memorycore.store.connection import open_connection, snapshot
from memorycore.store.copies import check_whole, copy_into, reading_sealed, to_disk

WALL_TARGET = 2.0
REPEAT = 5
VACUUM_INTO = "VACUUM INTO ?"

Times = tuple[float, float]


def backup(shop: Workshop, *, quick: bool) -> Iterator[Figure]:
    """Compare the copy of a backup with a copy of the file, both brought to the disk.

    ``VACUUM INTO`` stands beside it, as the other way to make one; what checks it is shown apart.
    """
    count = 100_000 if quick else 1_000_000
    path, copy = shop.store("chinese", count), shop.fresh()
    ways = {"ours": _pages, "vacuum": _vacuum, "file": _file}
    times: dict[str, list[Times]] = {name: [] for name in ways}
    for _ in range(REPEAT):
        for name, way in ways.items():
            times[name].append(_timed(lambda: way(path, copy)))  # noqa: B023
            if name != "ours":
                continue
            with reading_sealed(copy) as db:
                times.setdefault("check", []).append(_timed(lambda: check_whole(db, quick=True)))
    remove(copy)
    size = f"{os.stat(path).st_size / 1e6:,.0f} MB"
    told = ", ".join(f"{name} {_median(times[name], 1):.2f} s" for name in times)
    yield _figure(f"copy / file, {size}, wall", times, "ours", 1, WALL_TARGET, told)
    yield _figure("VACUUM INTO / file, wall", times, "vacuum", 1, None)
    yield _figure("copy / file, CPU", times, "ours", 0, None)
    yield _figure("VACUUM INTO / file, CPU", times, "vacuum", 0, None)
    yield _figure("check of the copy / file, wall", times, "check", 1, None)


def _figure(
    what: str,
    times: dict[str, list[Times]],
    name: str,
    which: int,
    target: float | None,
    beside: str = "",
) -> Figure:
    pairs = zip(times[name], times["file"], strict=True)
    ratio = statistics.median(ours[which] / max(file[which], 1e-3) for ours, file in pairs)
    return Figure("backup", what, ratio, target, beside=beside)


def _median(times: list[Times], which: int) -> float:
    return statistics.median(one[which] for one in times)


def _timed(work: Callable[[], object]) -> Times:
    """Give the CPU time of some work, and the time on the wall."""
    used, started = time.process_time(), time.monotonic()
    work()
    return time.process_time() - used, time.monotonic() - started


def _pages(path: str, copy: str) -> None:
    db = open_connection(path, read_only=True, busy_timeout=1)
    with snapshot(db):
        copy_into(db, copy)
    db.close()
    to_disk(copy)


def _vacuum(path: str, copy: str) -> None:
    os.unlink(copy)
    db = open_connection(path, read_only=True, busy_timeout=1)
    db.execute(VACUUM_INTO, (copy,)).fetchall()
    db.close()
    to_disk(copy)


def _file(path: str, copy: str) -> None:
    os.unlink(copy)
    shutil.copyfile(path, copy)
    to_disk(copy)
