"""Small file systems, for what happens when there is no room, and words to be found nowhere."""

import json
import random
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest


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
