"""When there is no room, the error is clear, the store stays whole, and work goes on afterwards."""

import os
import shutil

import pytest

from memorycore import Memory, errors

FILL = """
import os, sys
from memorycore import Memory, errors
path, room = sys.argv[1:]
{start}
def batch(number):
    return [{"text": f"{number}/{n} " + "words 文字 " * 40, "session": "s"} for n in range(100)]
memory = Memory.open(path, scope="user:ana")
memory.add("first 第一")
kept, error = 1, None
for number in range(1000):
    try:
        kept += memory.add_many(batch(number)).stored
    except errors.MemoryCoreError as raised:
        error = raised
        break
print(type(error).__name__, error.hint is not None)
print(memory.stats().episodes - kept, len(memory.search("第一")))
try:
    memory.add_many(batch(number))
except errors.StorageError as again:
    print("still full")
{room}
print(memory.add_many(batch(number)).stored)
print(memory.add_many(batch(number + 1)).stored)
print(memory.stats().episodes - kept)
memory.close()
"""
TMPFS = FILL.replace("{start}", "").replace("{room}", "os.remove(room)")
LIMIT = FILL.replace(
    "{start}",
    "import resource, signal\n"
    "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    "Memory.init(path)\n"
    "hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]\n"
    "resource.setrlimit(resource.RLIMIT_FSIZE, (int(room), hard))",
).replace("{room}", "resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))")


@pytest.fixture
def small_disk(make_disk):
    """A file system of four megabytes, of which one is taken by a file that can be removed."""
    return make_disk(4, ballast=1_000_000)


def test_a_full_disk_is_a_clear_error_and_the_store_goes_on_after_room_is_made(
    small_disk, run_python, assert_sound
):
    path = str(small_disk / "memory.db")
    lines = run_python(TMPFS, path, str(small_disk / "ballast")).splitlines()
    assert lines == ["DiskFullError True", "0 1", "still full", "100", "100", "200"]
    assert_sound(path)
    with Memory.open(path, scope="user:ana") as memory:
        assert len(memory.search("第一")) == 1


@pytest.mark.parametrize("room", [200_000, 500_000, 777_777])
def test_a_file_that_may_not_grow_is_a_clear_error_and_the_store_goes_on_afterwards(
    run_python, store_path, room, assert_sound
):
    lines = run_python(LIMIT, store_path, str(room)).splitlines()
    assert lines[0].split()[0] in ("DiskFullError", "StorageError", "UnknownOutcomeError")
    assert lines[1:] == ["0 1", "still full", "100", "100", "200"]
    assert_sound(store_path)


def test_a_store_that_cannot_be_made_for_want_of_room_can_be_made_later(
    small_disk, run_python, assert_sound
):
    script = """
import sys
from memorycore import Memory, errors
try:
    Memory.open(sys.argv[1])
except errors.MemoryCoreError as error:
    print(type(error).__name__)
"""
    with open(small_disk / "more", "wb") as file:
        file.write(b"x" * (os.statvfs(small_disk).f_bavail * 4096 - 8192))
    path = str(small_disk / "memory.db")
    assert run_python(script, path).split() in (["DiskFullError"], ["StorageError"])
    os.remove(small_disk / "more")
    Memory.init(path)
    with Memory.open(path) as memory:
        assert memory.add("now there is room 有地方了").text == "now there is room 有地方了"
    assert_sound(path)


def test_a_backup_that_finds_no_room_leaves_nothing(make_disk, store_path):
    disk = make_disk(1)
    with Memory.open(store_path, scope="user:ana") as memory:
        memory.add_many({"text": f"message {n} 消息 " * 30} for n in range(3000))
        with pytest.raises(errors.DiskFullError):
            memory.backup(disk / "kept.db")
        assert list(disk.iterdir()) == []
        assert memory.stats().episodes == 3000


def test_a_restore_that_finds_no_room_leaves_the_store(make_disk, tmp_path):
    disk = make_disk(4)
    path = str(disk / "memory.db")
    with Memory.open(path, scope="user:ana") as memory:
        memory.add_many({"text": f"message {n} 消息 {n % 7}"} for n in range(3000))
        backup = memory.backup(tmp_path / "kept.db").path
    (disk / "filler").write_bytes(b"x" * (shutil.disk_usage(disk).free - 200_000))
    before = sorted(os.listdir(disk))
    with pytest.raises(errors.DiskFullError):
        Memory.restore(backup, path)
    assert sorted(os.listdir(disk)) == before
    with Memory.open(path, scope="user:ana") as memory:
        assert memory.stats().episodes == 3000
