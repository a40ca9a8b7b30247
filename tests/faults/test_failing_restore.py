"""A restore on a disk that fails leaves the old store or the new, and can be made again."""

import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memorycore import Memory, errors

FAULTS = [
    (failure, on)
    for on in ("log", "database")
    for failure in ("write", "torn", "full", "sync", "read", "truncate", "open")
]


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store, and a backup of it from before a forgetting."""
    folder = tmp_path_factory.mktemp("ground")
    with Memory.open(folder / "memory.db", scope="user:ana") as memory:
        memory.add_many({"text": f"turn {n} 说过的话", "session": f"s{n % 4}"} for n in range(80))
        memory.backup(folder / "kept.db")
        memory.forget(memory.plan_forget(session="s1", level="purge"))
        memory.add_many([{"text": f"later {n} 后来"} for n in range(5)])
    return folder


def episodes(path: Path) -> int:
    with Memory.open(path, scope="user:ana", create=False) as memory:
        return memory.stats().episodes


def test_a_restore_that_failed_leaves_a_whole_store_and_is_made_good_by_the_next(
    disk: Any,
    ground: Path,
    tmp_path: Path,
    long: bool,
    tally: Any,
    assert_sound: Callable[[str], None],
) -> None:
    disk.heal()
    folder = tmp_path / "whole"
    shutil.copytree(ground, folder)
    Memory.restore(folder / "kept.db", folder / "memory.db")
    counts = disk.met
    assert episodes(folder / "memory.db") == 60
    for fault in FAULTS if long else random.Random(3).sample(FAULTS, 6):
        moments = random.Random(f"{fault}")
        tries = min(counts[fault], 20 if long else 1)
        for after in moments.sample(range(counts[fault]), tries):
            shutil.rmtree(folder)
            shutil.copytree(ground, folder)
            path, told = folder / "memory.db", False
            disk.arm(*fault, after)
            try:
                Memory.restore(folder / "kept.db", path)
            except errors.MemoryCoreError:
                told = True
            failed = disk.failed
            disk.heal()
            assert episodes(path) in ((65, 60) if told else (60,))
            assert_sound(str(path))
            Memory.restore(folder / "kept.db", path)
            assert episodes(path) == 60
            tally.note("restore", trials=1, failed=bool(failed), told=told, lost=0, damaged=0)
