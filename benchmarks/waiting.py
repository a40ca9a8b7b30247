"""Benchmark of waiting for the write lock: many processes that write all the time."""

import statistics
import subprocess
import sys
from collections.abc import Iterator

from figures import Figure
from stores import Workshop, remove

from memorycore import Memory

WRITERS = 8
SECONDS = 2.0
WAITING_TARGET = 0.67
"""Of the time with SQLite's own back-off: half as many transactions again get through."""

WRITE = """
import sys, time
from memorycore.store.connection import open_connection, transaction
path, kind, seconds, number = sys.argv[1:]
db = open_connection(path, read_only=False, busy_timeout=30)
if kind == "plain":
    db.raw.set_busy_timeout(30_000)
print("ready", flush=True)
sys.stdin.readline()
end, count, longest = time.monotonic() + float(seconds), 0, 0.0
while (began := time.monotonic()) < end:
    with transaction(db):
        db.execute("INSERT INTO sources(name) VALUES(?)", (f"{number} {count}",)).fetchall()
    count += 1
    longest = max(longest, time.monotonic() - began)
print(count, longest)
"""


def waiting(shop: Workshop, *, quick: bool) -> Iterator[Figure]:
    """Compare our wait for the write lock with SQLite's, by what eight writers get done."""
    rounds = [(_write(shop, "ours"), _write(shop, "plain")) for _ in range(1 if quick else 3)]
    ratio = statistics.median(plain[0] / ours[0] for ours, plain in rounds)
    (ours, wait), (plain, other_wait) = rounds[0]
    beside = (
        f"a second: ours {ours / SECONDS:.0f} (worst wait {wait:.2f} s), "
        f"plain {plain / SECONDS:.0f} (worst wait {other_wait:.2f} s)"
    )
    what = f"a transaction, {WRITERS} processes that write"
    yield Figure("waiting", what, ratio, WAITING_TARGET, beside=beside)


def _write(shop: Workshop, kind: str) -> tuple[int, float]:
    """Let processes write for a while; give how many transactions, and the longest."""
    path = shop.fresh()
    Memory.init(path)
    command = [sys.executable, "-c", WRITE, path, kind, str(SECONDS)]
    writers = [
        subprocess.Popen(
            [*command, str(number)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for number in range(WRITERS)
    ]
    for writer in writers:
        assert writer.stdout is not None
        writer.stdout.readline()
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("\n")
        writer.stdin.flush()
    answers = [writer.communicate()[0].split() for writer in writers]
    remove(path)
    return sum(int(count) for count, _ in answers), max(float(longest) for _, longest in answers)
