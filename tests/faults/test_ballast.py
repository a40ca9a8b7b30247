"""On a disk that is full to the last byte forgetting works, in room that was set aside for it."""

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memorycore import Memory, errors
from memorycore.store.ballast import ballast_path, keep_ballast

MEGABYTE = 1 << 20
FILL = """
def fill(path):
    # The disk grows full, down to the last byte.
    with open(path, "ab", buffering=0) as file:
        for size in (1 << 20, 4096, 1):
            while True:
                try:
                    file.write(b"x" * size)
                except OSError:
                    break
"""
TELL = """
import sys
from memorycore import Memory
with Memory.open(sys.argv[1], scope="user:ana", ballast_mb=int(sys.argv[2])) as memory:
    memory.add_many({"text": f"翡榿栖 zqoril {n} " + "words " * 300,
                     "session": "kept" if n % 6 else "gone"} for n in range(600))
"""
ACT = (
    FILL
    + """
import os, sys
from memorycore import Memory, errors
path, filler = sys.argv[1:3]
fill(filler)
left = os.statvfs(os.path.dirname(path))
print(left.f_bavail)
def attempt(act):
    try:
        return act()
    except errors.MemoryCoreError as error:
        return type(error).__name__
def look():
    with Memory.open(path, scope="user:ana", read_only=True) as memory:
        return memory.stats().episodes
def add():
    with Memory.open(path, scope="user:ana") as memory:
        for n in range(1000):
            memory.add(f"more {n} " + "words " * 1000)
def purge():
    with Memory.open(path, scope="user:ana", create=False) as memory:
        receipt = memory.forget(memory.plan_forget(session="gone", level="purge"))
        return receipt.verification.found, receipt.is_settled, memory.stats().episodes
def undo():
    with Memory.open(path, scope="user:ana", create=False) as memory:
        return memory.undo().withdrawn
for act in sys.argv[3:]:
    print(attempt(globals()[act]))
"""
)


@pytest.fixture
def full(
    make_disk: Callable[..., Path], run_python: Callable[..., str]
) -> Callable[..., list[str]]:
    """Give the function that fills a disk with a store on it, and then does things."""
    disk = make_disk(40)

    def run(*acts: str, ballast: int = 8) -> list[str]:
        path = str(disk / "memory.db")
        run_python(TELL, path, str(ballast))
        assert os.path.exists(ballast_path(path)) == bool(ballast)
        return run_python(ACT, path, str(disk / "filler"), *acts).splitlines()

    run.path = str(disk / "memory.db")  # type: ignore[attr-defined]
    return run


def test_a_purge_works_on_a_full_disk_and_no_byte_of_it_is_left(
    full: Any, copy_store: Callable[..., str], tmp_path: Path, assert_sound: Callable[[str], None]
) -> None:
    assert full("look", "purge", "look") == ["0", "DiskFullError", "(0, True, 500)", "500"]
    os.remove(Path(full.path).parent / "filler")
    copied = Path(copy_store(full.path, str(tmp_path / "copy" / "memory.db")))
    assert b"zqoril 594" not in copied.read_bytes()
    assert b"zqoril 595" in copied.read_bytes()
    assert_sound(full.path)
    with Memory.open(full.path, scope="user:ana") as memory:
        assert memory.verify_receipts().fault is None


def test_an_undo_works_on_a_full_disk(full: Any, assert_sound: Callable[[str], None]) -> None:
    assert full("undo") == ["0", "600"]
    assert_sound(full.path)


def test_what_only_adds_is_left_without_the_ballast(full: Any) -> None:
    full_disk, added, purged = full("add", "purge")
    assert (full_disk, added) == ("0", "DiskFullError")
    assert purged.startswith("(0, True, 5")


def test_without_a_ballast_there_is_no_room_to_forget(full: Any) -> None:
    assert full("purge", ballast=0) == ["0", "DiskFullError"]


def test_the_ballast_comes_back_with_a_write_when_there_is_room(full: Any) -> None:
    ballast = ballast_path(full.path)
    full()
    os.remove(ballast)
    with Memory.open(full.path, scope="user:ana") as memory:
        memory.add("there is room, but not twice that of the ballast 地方不够")
        assert not os.path.exists(ballast)
        os.remove(Path(full.path).parent / "filler")
        memory.add("there is room 有地方了")
        assert os.path.getsize(ballast) == 8 * MEGABYTE


def test_a_store_gets_its_ballast_once_it_is_worth_it(store_path: str) -> None:
    ballast = ballast_path(store_path)
    with Memory.open(store_path, scope="user:ana", ballast_mb=2) as memory:
        memory.add("small 小")
        assert not os.path.exists(ballast)
        memory.add_many({"text": f"{n} " + "words " * 300} for n in range(1000))
    made = os.stat(ballast)
    assert made.st_size == 2 * MEGABYTE
    assert made.st_blocks * 512 >= made.st_size
    assert stat.S_IMODE(made.st_mode) == 0o600


@pytest.mark.parametrize("size", [-1, 0.5, 1 << 20, "8"])
def test_a_size_that_is_none_is_refused(store_path: str, size: Any) -> None:
    with pytest.raises(errors.InvalidInputError, match="ballast_mb"):
        Memory.open(store_path, ballast_mb=size)


def test_reading_makes_no_ballast_and_gives_none_up(store_path: str) -> None:
    with Memory.open(store_path, scope="user:ana", ballast_mb=0) as memory:
        memory.add_many({"text": f"{n} " + "words " * 300} for n in range(400))
    with Memory.open(store_path, scope="user:ana", read_only=True) as memory:
        assert len(memory.search("words")) == 10
    assert not os.path.exists(ballast_path(store_path))
    assert keep_ballast(store_path, 1)
    with Memory.open(store_path, scope="user:ana", read_only=True) as memory:
        assert not memory._store.give_way()
    assert os.path.exists(ballast_path(store_path))


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_ballast_that_is_another_name_of_a_file_is_not_cut(
    store_path: str, tmp_path: Path, link: Callable[[str, str], None]
) -> None:
    (tmp_path / "diary").write_bytes(b"x" * 3 * MEGABYTE)
    Memory.init(store_path)
    link(str(tmp_path / "diary"), ballast_path(store_path))
    with Memory.open(store_path, scope="user:ana") as memory:
        assert not memory._store.give_way(whole=False)
        assert memory._store.give_way()
    assert (tmp_path / "diary").read_bytes() == b"x" * 3 * MEGABYTE
