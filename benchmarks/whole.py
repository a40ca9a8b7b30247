"""Benchmarks of whole processes and of what they take: CPU, disk, memory."""

import json
import os
import random
import resource
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from figures import Figure
from reading import findable_question
from stores import Workshop, remove
from turns import LANGUAGES, drafts, long_text, texts

ROWS = 100_000
RUNS = 15
SEARCH_TARGET = 60.0
VERSION_TARGET = 40.0
DISK_TARGETS = {"chinese": 14.0, "english": 8.0}
MEMORY_TARGET = 300.0
MEGABYTE = 1_000_000

ROOT = Path(__file__).resolve().parent.parent
COMMAND = "from memoryctl.main import main; main()"
LIBRARY = """
import sys
from memorycore import Memory
with Memory.open(sys.argv[1], read_only=True) as memory:
    for hit in memory.search(sys.argv[2]):
        print(hit.episode.text)
"""


def process(shop: Workshop, *, quick: bool) -> Iterator[Figure]:
    """Measure whole processes beyond a bare interpreter: the command, and a script of ours."""
    path = shop.store("chinese", ROWS)
    question = findable_question("chinese")
    wanted: list[tuple[str, list[str], float | None]]
    wanted = [("a script that searches", ["-c", LIBRARY, path, question], None)]
    if find_spec("memoryctl") and find_spec("memoryctl.main"):
        wanted += [
            ("memoryctl search", ["-c", COMMAND, "search", question], SEARCH_TARGET),
            ("memoryctl --version", ["-c", COMMAND, "--version"], VERSION_TARGET),
        ]
    else:
        print("process: memoryctl is not there; skipped", file=sys.stderr)
    for what, arguments, target in wanted:
        _child(arguments, path)  # compiles what is not compiled yet
        runs = [(_child(arguments, path), _child(["-c", "pass"], path)) for _ in range(RUNS)]
        spent, bare = (statistics.median(times) for times in zip(*runs, strict=True))
        beside = f"{spent:.0f} ms, a bare interpreter {bare:.0f} ms"
        yield Figure("process", what, spent - bare, target, "ms", beside)


def _child(arguments: Sequence[str], path: str) -> float:
    """Give the CPU time of a child process in milliseconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run_child(arguments, path)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def run_child(arguments: Sequence[str], path: str) -> str:
    places = [str(ROOT), str(ROOT / "cmd"), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {
        "MEMORYCORE_DB": path,
        "PYTHONPATH": os.pathsep.join(filter(None, places)),
        # As where it is installed: modules come compiled, whatever is set here.
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": os.path.dirname(path) + "/compiled",
    }
    done = subprocess.run(
        [sys.executable, *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
    return done.stdout.decode()


def disk(shop: Workshop, *, quick: bool) -> Iterator[Figure]:
    """Measure the file of a closed store in bytes for each byte of its texts."""
    for language in LANGUAGES:
        size = os.path.getsize(shop.store(language, ROWS))
        said = sum(len(draft.text.encode()) for draft in drafts(language, ROWS))
        beside = f"{size / MEGABYTE:.1f} MB for {said / MEGABYTE:.1f} MB of text"
        target = DISK_TARGETS[language]
        yield Figure("disk", language, size / said, target, "bytes/byte", beside)


def memory(shop: Workshop, *, quick: bool) -> Iterator[Figure]:
    """Measure the most memory that a process takes while it reads in a large file."""
    size = 100 * MEGABYTE if quick else 1000 * MEGABYTE
    file, path = str(shop.folder / f"large-{os.getpid()}.jsonl"), shop.fresh()
    _write_large(file, size)
    try:
        child = str(Path(__file__).with_name("ingest_file.py"))
        report = json.loads(run_child([child, file, path], path))
    finally:
        remove(file)
        remove(path)
    beside = f"{report['stored']} records, {report['cpu']:.0f} s of CPU"
    what = f"a file of {size // MEGABYTE} MB"
    yield Figure("memory", what, report["peak"] / MEGABYTE, MEMORY_TARGET, "MB", beside)


def _write_large(path: str, size: int) -> None:
    rng = random.Random("large")
    sentences = texts("english", 20_000, "large")
    written = number = 0
    with open(path, "w", encoding="utf-8") as file:
        while written < size:
            record = {
                "text": long_text(rng, sentences),
                "role": ("user", "assistant")[number % 2],
                "session": f"session {number // 40}",
            }
            written += file.write(json.dumps(record) + "\n")
            number += 1
