"""Search the files of a store for byte sequences, in a process of its own.

A process that opens and closes the file of a live store drops SQLite's locks on it; a child's locks
are its own. What is looked for comes in on standard input and is written nowhere.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from memorycore.errors import StorageError

CHUNK_BYTES = 1 << 20
"""So much stays in the processor's own memory until all sequences were looked for in it."""
HANDFUL = 60
MAX_HANDFULS = 20
MAX_DFA = 5000
"""Sequences: an automaton of more would need too much memory."""
SUFFIXES = ("", "-wal", "-journal", "-shm")


@dataclass(frozen=True, slots=True)
class Scan:
    """How many bytes were looked at, and the places of the sequences that were found."""

    bytes_searched: int
    found: tuple[int, ...]


def scan_files(path: str, needles: Sequence[bytes]) -> Scan:
    """Look for byte sequences in a store's file, its log and its journal.

    Raises:
        StorageError: the search could not be carried out.
    """
    asked = json.dumps({"path": path, "needles": [needle.hex() for needle in needles]})
    command = [sys.executable, "-m", "memorycore.store.scan"]
    done = subprocess.run(command, input=asked.encode(), capture_output=True, check=False)
    if done.returncode:
        raise StorageError(
            "The file could not be searched for what was forgotten.",
            why=f"the searching process ended with {done.returncode}",
            hint="memoryctl forget finish",
        )
    answer = json.loads(done.stdout)
    return Scan(answer["bytes"], tuple(answer["found"]))


def search(paths: Iterable[str], needles: Sequence[bytes]) -> Scan:
    """Search files chunk by chunk; a sequence over the end of a chunk is found too."""
    if not needles:
        return Scan(0, ())
    find = _finder(list(needles))
    overlap = max(map(len, needles)) - 1
    found: set[int] = set()
    size = 0
    # One buffer for all: taking new memory for each chunk costs more than the search itself.
    buffer = memoryview(bytearray(overlap + CHUNK_BYTES))
    for path in paths:
        if not os.path.exists(path):
            continue
        with open(path, "rb", buffering=0) as file:
            kept = 0
            while count := file.readinto(buffer[kept : kept + CHUNK_BYTES]):
                size += count
                end = kept + count
                found.update(find(buffer[:end]))
                kept = min(overlap, end)
                buffer[:kept] = bytes(buffer[end - kept : end])
    return Scan(size, tuple(sorted(found)))


def _finder(needles: list[bytes]) -> Callable[[memoryview], set[int]]:
    """Give a search for all of some sequences at once.

    A handful at a time is looked for many bytes at once; that pays while the handfuls are few. Only
    where anything is found are the matches that lie over each other told apart.
    """
    from ahocorasick_rs import BytesAhoCorasick, Implementation, MatchKind

    size = HANDFUL if len(needles) <= HANDFUL * MAX_HANDFULS else len(needles)
    quick = [
        BytesAhoCorasick(
            needles[at : at + size],
            matchkind=MatchKind.LeftmostFirst,
            implementation=Implementation.DFA if len(needles) <= MAX_DFA else None,
        )
        for at in range(0, len(needles), size)
    ]
    exact = BytesAhoCorasick(needles)

    def find(data: memoryview) -> set[int]:
        if not any(one.find_matches_as_indexes(data) for one in quick):
            return set()
        return {match[0] for match in exact.find_matches_as_indexes(data, overlapping=True)}

    return find


def main() -> None:
    """Answer one search: what is asked on standard input, what was found on standard output."""
    asked = json.loads(sys.stdin.buffer.read())
    needles = [bytes.fromhex(needle) for needle in asked["needles"]]
    result = search([asked["path"] + suffix for suffix in SUFFIXES], needles)
    sys.stdout.write(json.dumps({"bytes": result.bytes_searched, "found": result.found}))


if __name__ == "__main__":
    main()
