"""Disks that fail on demand, small file systems, what a crash would leave behind, rare words."""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw
import pytest

LONG = os.environ.get("MEMORYCORE_LONG_TESTS") == "1"
FAILURES = {
    "write": (apsw.IOError, apsw.SQLITE_IOERR_WRITE),
    "torn": (apsw.IOError, apsw.SQLITE_IOERR_WRITE),
    "full": (apsw.FullError, apsw.SQLITE_FULL),
    "sync": (apsw.IOError, apsw.SQLITE_IOERR_FSYNC),
    "read": (apsw.IOError, apsw.SQLITE_IOERR_READ),
    "truncate": (apsw.IOError, apsw.SQLITE_IOERR_TRUNCATE),
    "open": (apsw.CantOpenError, apsw.SQLITE_CANTOPEN),
}
"""What can fail; a torn write has written half."""


class Disk(apsw.VFS):
    """SQLite's file system, where a call of a kind fails at its turn, or all do from then on.

    ``met`` counts the calls since it was armed, by failure and kind of file, failed or not.
    """

    NAME = "failing"

    def __init__(self) -> None:
        self.base = apsw.vfs_names()[0]
        super().__init__(self.NAME, self.base)
        self.heal()

    def arm(self, failure: str, on: str, after: int, *, lasting: bool = False) -> None:
        """Let the call number ``after`` (from 0) of the kind of file ``on`` fail."""
        self.failure, self.on, self.after, self.lasting = failure, on, after, lasting
        self.met: Counter[tuple[str, str]] = Counter()
        self.failed = 0

    def heal(self) -> None:
        self.arm("", "", 0)

    def strikes(self, failures: tuple[str, ...], on: str) -> str:
        """Give the failure of this call, or nothing."""
        turn = self.met[failures[0], on]
        self.met.update((failure, on) for failure in failures)
        if self.failure not in failures or on != self.on:
            return ""
        if turn < self.after or (turn > self.after and not self.lasting):
            return ""
        self.failed += 1
        return self.failure

    def xOpen(self, name: Any, flags: Any) -> apsw.VFSFile:  # noqa: N802
        file = File(self, name, flags)
        if self.strikes(("open",), file.kind):
            raise failure_of("open")
        file.open(name, flags)
        return file


class File(apsw.VFSFile):
    """A file on a failing disk."""

    def __init__(self, disk: Disk, name: Any, flags: Any) -> None:
        self.disk = disk
        self.kind = "other"
        if flags[0] & apsw.SQLITE_OPEN_MAIN_DB:
            self.kind = "database"
        elif flags[0] & apsw.SQLITE_OPEN_WAL:
            self.kind = "log"

    def open(self, name: Any, flags: Any) -> None:
        super().__init__(self.disk.base, name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        if failure := self.disk.strikes(("read",), self.kind):
            raise failure_of(failure)
        return super().xRead(amount, offset)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        if failure := self.disk.strikes(("write", "torn", "full"), self.kind):
            if failure == "torn":
                super().xWrite(data[: len(data) // 2], offset)
            raise failure_of(failure)
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802
        if failure := self.disk.strikes(("sync",), self.kind):
            raise failure_of(failure)
        super().xSync(flags)

    def xTruncate(self, size: int) -> None:  # noqa: N802
        if failure := self.disk.strikes(("truncate",), self.kind):
            raise failure_of(failure)
        super().xTruncate(size)


def failure_of(name: str) -> apsw.Error:
    kind, code = FAILURES[name]
    error = kind(name)
    error.extendedresult = code
    return error


@pytest.fixture
def disk() -> Iterator[Disk]:
    """Give a failing disk, on which this process opens all stores meanwhile."""
    made = Disk()
    apsw.set_default_vfs(Disk.NAME)
    yield made
    made.heal()
    apsw.set_default_vfs(made.base)
    made.unregister()


COPIER = """
import os, shutil, sys
for line in sys.stdin:
    source, target = line.split()
    os.makedirs(os.path.dirname(target), exist_ok=True)
    for suffix in ("", "-wal", "-journal", ".key", ".forget.key"):
        if os.path.exists(source + suffix):
            shutil.copyfile(source + suffix, target + suffix)
    print("copied", flush=True)
"""


@pytest.fixture(scope="session")
def copy_store() -> Iterator[Callable[[str, str], str]]:
    """Give the function that copies a store's files as they are, as a crash would leave them.

    A process of its own does so: one that opens and closes a live file would drop its locks.
    """
    child = subprocess.Popen(
        [sys.executable, "-c", COPIER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdin is not None
    assert child.stdout is not None

    def copy(source: str, target: str) -> str:
        child.stdin.write(f"{source} {target}\n")
        child.stdin.flush()
        assert child.stdout.readline() == "copied\n"
        return target

    yield copy
    child.communicate()


@dataclass
class Tally:
    """What was tried, by name: how often, how it was answered, and what was wrong after it."""

    rows: dict[str, Counter[str]] = field(default_factory=dict)

    def note(self, name: str, **counts: int) -> None:
        self.rows.setdefault(name, Counter()).update(counts)

    def lines(self) -> list[str]:
        names = list(dict.fromkeys(name for row in self.rows.values() for name in row))
        width = max(len(name) for name in [*self.rows, "fault"])
        head = " ".join([f"{'fault':{width}}", *(f"{name:>10}" for name in names)])
        body = [
            " ".join([f"{name:{width}}", *(f"{row[one]:>10}" for one in names)])
            for name, row in self.rows.items()
        ]
        return [head, *body]


_tally = Tally()


@pytest.fixture(scope="session")
def tally() -> Tally:
    """Give the table that is printed at the end of a long run."""
    return _tally


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if LONG and _tally.rows:
        terminalreporter.section("faults")
        for line in _tally.lines():
            terminalreporter.write_line(line)


@pytest.fixture
def make_disk(tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Give the function that makes a file system of some megabytes; skip where none can be."""
    place = tmp_path / "disk"

    def make(megabytes: int, *, ballast: int = 0) -> Path:
        """Mount it, with a file of ``ballast`` bytes in it that can be removed."""
        place.mkdir()
        size = f"size={megabytes}m"
        try:
            done = subprocess.run(
                ["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(place)], capture_output=True
            )
        except OSError as error:
            pytest.skip(f"no mount: {error}")
        if done.returncode:
            pytest.skip("a small file system cannot be mounted here")
        if ballast:
            (place / "ballast").write_bytes(b"x" * ballast)
        return place

    yield make
    if place.is_mount():
        subprocess.run(["umount", str(place)], check=True)


@pytest.fixture(scope="session")
def long() -> bool:
    """Tell whether all is tried, or a part of it."""
    return LONG


ENDS = (("qzjvxk", "xkqzvj"), ("饕餮魍", "鼋鼍魑"))
"""How each planted word begins and ends, in two languages; nothing else has any of it."""
SEARCH = """
import json, mmap, os, sys
from memorycore.store.connection import open_connection
path, ends = sys.argv[1], json.loads(sys.argv[2])
found = {}
for end in ("", "-wal", "-journal", "-shm"):
    if not os.path.exists(path + end) or not os.path.getsize(path + end):
        continue
    with open(path + end, "rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        for part in ends:
            for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
                needle, at, count = part.encode(encoding), -1, 0
                while (at := data.find(needle, at + 1)) >= 0:
                    count += 1
                if count:
                    found[f"{end} {encoding} {part}"] = count
db = open_connection(path, read_only=False, busy_timeout=10)
marks = [part for part in ends if part.isascii()]
marks += "".join(part for part in ends if not part.isascii())
for index in ("episode_index", "fact_index"):
    db.execute(f"CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, {index}, row)").fetchall()
    terms = [row[0] for row in db.execute("SELECT term FROM temp.terms")]
    db.execute("DROP TABLE temp.terms").fetchall()
    if count := sum(any(mark in term for mark in marks) for term in terms):
        found[f"terms of {index}"] = count
db.close()
print(json.dumps(found))
"""


@pytest.fixture(scope="session")
def planted_word() -> Callable[[int], str]:
    """Give the maker of words that nobody else says, every other one in Chinese."""

    def make(number: int) -> str:
        chance = random.Random(f"word {number}")
        begin, end = ENDS[number % 2]
        if number % 2:
            return begin + "".join(chr(chance.randrange(0x7300, 0x9F00)) for _ in range(4)) + end
        return begin + "".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=8)) + end

    return make


@pytest.fixture(scope="session")
def search_planted(run_python: Any) -> Callable[[str], dict[str, int]]:
    """Give the search for planted words in the files and indexes of a store that is closed."""

    def call(path: str) -> dict[str, int]:
        parts = json.dumps([part for pair in ENDS for part in pair])
        return dict(json.loads(run_python(SEARCH, path, parts, timeout=900)))

    return call
