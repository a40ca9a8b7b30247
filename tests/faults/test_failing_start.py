"""Making a store, or bringing an old one up to date, on a disk that fails: whole, or to be done."""

import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memorycore import Memory, errors
from memorycore.store.schema import NEWEST_SCHEMA

OLD = Path(__file__).parents[2] / "testdata" / "stores" / "schema-2.db"
FAULTS = [
    (failure, on)
    for on in ("log", "database", "other")
    for failure in ("write", "torn", "full", "sync", "read", "truncate", "open")
]


def begin(kind: str, folder: Path) -> str:
    folder.mkdir()
    path = str(folder / "memory.db")
    if kind == "old":
        for suffix in ("", ".key"):
            shutil.copyfile(f"{OLD}{suffix}", f"{path}{suffix}")
    return path


def content(path: str) -> tuple[str, int, int]:
    with Memory.open(path, scope="user:nell", create=False) as memory:
        stats = memory.stats(all_scopes=True)
        return memory.digest(), stats.schema, stats.predicates


@pytest.mark.parametrize("kind", ["new", "old"])
def test_a_start_that_failed_is_made_good_by_the_next(
    disk: Any,
    tmp_path: Path,
    kind: str,
    long: bool,
    tally: Any,
    copy_store: Callable[..., str],
    assert_sound: Callable[[str], None],
) -> None:
    disk.heal()
    whole = begin(kind, tmp_path / "whole")
    found = Memory.init(whole)
    counts, expected = disk.met, content(whole)
    assert expected[1] == NEWEST_SCHEMA
    for fault in FAULTS if long else random.Random(kind).sample(FAULTS, 8):
        moments = random.Random(f"{kind} {fault}")
        tries = min(counts[fault], 20 if long else 1)
        for number, after in enumerate(moments.sample(range(counts[fault]), tries)):
            path = begin(kind, tmp_path / f"{fault[0]}-{fault[1]}-{number}")
            disk.arm(*fault, after)
            told = False
            try:
                assert Memory.init(path) == found
            except errors.MemoryCoreError:
                told = True
            image = copy_store(path, f"{path}-crash/memory.db")
            failed = disk.failed
            disk.heal()
            for one in (image, path):
                assert Memory.init(one) in ((found, NEWEST_SCHEMA) if told else (NEWEST_SCHEMA,))
                assert_sound(one)
                assert content(one) == expected
            shutil.rmtree(Path(path).parent)
            tally.note(f"start, {kind}", trials=1, failed=bool(failed), told=told)
