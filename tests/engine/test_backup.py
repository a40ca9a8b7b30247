"""A backup holds what the store holds, stands alone, and never takes another file's place."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from memorycore import Memory, errors
from memorycore.store.copies import read_header

WRITER = """
import sys
from memorycore import Memory
with Memory.open(sys.argv[1], scope="user:ana", create=False) as memory:
    print("ready", flush=True)
    for number in range(2000):
        memory.add(f"meanwhile 同时 {number}")
print("done", flush=True)
"""


def fill(memory: Memory, count: int = 300) -> None:
    memory.add_many({"text": f"turn {n} 说过的话", "session": f"s{n // 40}"} for n in range(count))


def test_a_backup_is_a_sealed_private_store_with_all_that_was_said(
    file_memory: Memory, tmp_path: Path, assert_sound: Any
) -> None:
    fill(file_memory)
    made = file_memory.backup(tmp_path / "kept.db")
    header = read_header(made.path)
    assert header is not None
    assert header.is_sealed
    assert stat.S_IMODE(os.stat(made.path).st_mode) == 0o600
    assert (made.contents.episodes, made.bytes) == (300, os.stat(made.path).st_size)
    assert made.keys == (f"{file_memory._store.path}.key",)
    with Memory.open(made.path, scope="user:ana", read_only=True) as copy:
        assert copy.stats().episodes == 300
        assert copy.digest() == file_memory.digest()
        assert len(copy.search("说过")) > 0
    assert_sound(made.path)


def test_a_folder_is_made_and_the_name_tells_the_time(file_memory: Memory, tmp_path: Path) -> None:
    made = file_memory.backup(tmp_path / "backups")
    assert Path(made.path).name == "memory-20250101T000002Z.db"
    assert stat.S_IMODE((tmp_path / "backups").stat().st_mode) == 0o700
    assert os.listdir(tmp_path / "backups") == ["memory-20250101T000002Z.db"]


def test_a_name_that_is_taken_is_refused_and_left(file_memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "kept.db").write_text("something else")
    for settings in ({}, {"dry_run": True}):
        with pytest.raises(errors.RefusedError, match="there already"):
            file_memory.backup(tmp_path / "kept.db", **settings)
    assert (tmp_path / "kept.db").read_text() == "something else"
    with pytest.raises(errors.RefusedError):
        file_memory.backup(file_memory._store.path)


def test_a_dry_run_writes_nothing(file_memory: Memory, tmp_path: Path) -> None:
    fill(file_memory)
    told = file_memory.backup(tmp_path / "backups", keep=3, dry_run=True)
    assert (told.contents.episodes, told.removed) == (300, ())
    assert not (tmp_path / "backups").exists()


def test_only_the_oldest_backups_of_this_store_go(
    file_world: Any, tmp_path: Path, make_world: Any
) -> None:
    folder, file_memory = tmp_path / "backups", file_world.memory
    kept = [file_memory.backup(folder).path for _ in range(3)]
    others_ids = type(file_world.ids)(1000)
    with make_world(str(tmp_path / "other" / "memory.db"), ids=others_ids) as other:
        other.clock.now -= 500_000_000
        strange = other.memory.backup(folder).path
    (folder / "memory-20200101T000000Z.db").write_text("a file of that name")
    told = file_memory.backup(folder, keep=2, dry_run=True)
    assert told.removed == tuple(kept[:2])
    made = file_memory.backup(folder, keep=2)
    assert made.removed == tuple(kept[:2])
    left = {"memory-20200101T000000Z.db", *map(os.path.basename, (strange, kept[2], made.path))}
    assert set(os.listdir(folder)) == left


def test_backups_of_one_second_are_numbered_and_the_oldest_goes_first(
    file_world: Any, tmp_path: Path
) -> None:
    def back_up(**settings: Any) -> Any:
        file_world.clock.now = 1_899_999_999_000_000
        return file_world.memory.backup(tmp_path / "backups", **settings)

    start = "memory-20300317T174640Z"
    names = [f"{start}.db", *(f"{start}-{n}.db" for n in range(2, 12))]
    assert [Path(back_up().path).name for _ in names] == names
    made = back_up(keep=2)
    assert [Path(path).name for path in made.removed] == names[:10]
    assert sum(one.is_there for one in file_world.memory.backups()) == 2


def test_those_who_back_up_in_one_second_each_get_a_name(
    file_memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(file_memory)
    monkeypatch.setattr(file_memory._store, "clock", lambda: 1_900_000_000_000_000)
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: file_memory.backup(tmp_path / "backups"), range(12)))
    assert len({one.path for one in made}) == 12
    assert {one.path for one in made} == {one.path for one in file_memory.backups()}
    assert len(list((tmp_path / "backups").iterdir())) == 12


@pytest.mark.parametrize(("place", "keep"), [("kept.db", 3), ("folder", 0), ("folder", -1)])
def test_backups_are_kept_by_number_in_a_folder(
    file_memory: Memory, tmp_path: Path, place: str, keep: int
) -> None:
    with pytest.raises(errors.InvalidInputError):
        file_memory.backup(tmp_path / place, keep=keep)


def test_there_is_none_while_a_forgetting_is_not_finished(
    file_memory: Memory, tmp_path: Path
) -> None:
    text = file_memory.add("the 秘密 word")
    file_memory.forget(text.id, level="redact", finish=False)
    with pytest.raises(errors.RefusedError) as caught:
        file_memory.backup(tmp_path / "kept.db")
    assert caught.value.hint == "memoryctl forget finish"
    assert not (tmp_path / "kept.db").exists()
    file_memory.finish_forgetting()
    assert file_memory.backup(tmp_path / "kept.db").contents.episodes == 0


def test_what_is_purged_is_in_no_byte_of_a_later_backup(
    file_memory: Memory, tmp_path: Path
) -> None:
    fill(file_memory)
    text = file_memory.add("I like zyxwvutsrq and 鼋鼍魑魅.", session="secret")
    file_memory.forget(file_memory.plan_forget(text.id, level="purge"))
    data = Path(file_memory.backup(tmp_path / "kept.db").path).read_bytes()
    assert b"zyxwv" not in data
    assert "鼋鼍".encode() not in data


def test_others_write_meanwhile_and_the_copy_is_of_one_moment(
    file_memory: Memory, tmp_path: Path, start_python: Any, assert_sound: Any
) -> None:
    fill(file_memory, 3000)
    writer = start_python(WRITER, file_memory._store.path)
    assert writer.stdout.readline() == "ready\n"
    made = [file_memory.backup(tmp_path / f"kept-{n}.db") for n in range(3)]
    assert writer.stdout.readline() == "done\n"
    assert file_memory.stats().episodes == 5000
    for one in made:
        with Memory.open(one.path, scope="user:ana", read_only=True) as copy:
            assert copy.stats().episodes == one.contents.episodes
        assert_sound(one.path)


def test_a_store_in_memory_has_no_backup(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(errors.InvalidInputError, match="in memory"):
        memory.backup(tmp_path / "kept.db")


def test_a_folder_that_cannot_be_written_says_so(file_memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(errors.StorageError, match="cannot be"):
        file_memory.backup(tmp_path / "file" / "kept.db")


def test_progress_is_told_in_bytes(file_memory: Memory, tmp_path: Path) -> None:
    fill(file_memory)
    told: list[int] = []
    made = file_memory.backup(tmp_path / "kept.db", progress=told.append)
    assert told[-1] == made.bytes


def test_two_at_once_in_one_process_do_not_disturb_each_other(
    file_memory: Memory, tmp_path: Path
) -> None:
    fill(file_memory, 2000)
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda n: file_memory.backup(tmp_path / f"kept-{n}.db"), range(12)))
    assert [one.contents.episodes for one in made] == [2000] * 12
    assert len(list(tmp_path.glob("kept-*"))) == 12


def test_what_others_are_making_is_left_and_what_is_not_ours(
    file_memory: Memory, tmp_path: Path
) -> None:
    alive = os.getppid()
    left = {
        f"memory-20250101T000000Z.db.part-{alive}": True,
        "memory-20250101T000000Z.db.part-999999": False,
        f"memory-20250101T000000Z.db.part-{os.getpid()}": False,
        "memory_export.csv.part-999999": True,
        "memory.db.notes": True,
    }
    for name in left:
        (tmp_path / name).write_text("x")
    file_memory.backup(tmp_path)
    assert {name: (tmp_path / name).exists() for name in left} == left
