"""Files that were cut, torn, lost or mixed up: a clear error or the store as it was, nothing else.

The files are damaged when no process has them open.
"""

import os
import random
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from memorycore import Memory, errors

PAGE = 4096
WRITE = """
import sys, time
from memorycore import Memory
memory = Memory.open(sys.argv[1], scope="user:ana")
for number in range(int(sys.argv[2]), int(sys.argv[3])):
    memory.add(f"message {number} 消息")
print("written", flush=True)
time.sleep(60)
"""


def told(n: int) -> dict[str, Any]:
    return {"text": f"I like tea number {n} 茶", "speaker": "Ana", "external_id": f"e{n}"}


def candidate(n: int) -> dict[str, Any]:
    said = {"name": f"tea number {n}", "kind": "thing"}
    text = told(n)["text"]
    return {"predicate": "likes", "object": said, "external_id": f"e{n}", "quote": text}


@pytest.fixture
def closed(store_path: str) -> Path:
    """A store that is closed, with facts in it."""
    with Memory.open(store_path, scope="user:ana") as memory:
        memory.add_many(told(n) for n in range(60))
        memory.learn(candidate(n) for n in range(40))
    return Path(store_path)


@pytest.fixture
def write_and_die(start_python: Callable[..., Any], store_path: str) -> Callable[[int, int], None]:
    """Give the function that adds messages in another process, which is then killed."""

    def write(first: int, last: int) -> None:
        process = start_python(WRITE, store_path, str(first), str(last))
        assert process.stdout.readline() == "written\n"
        process.send_signal(signal.SIGKILL)
        process.wait()

    return write


def messages(path: str | Path) -> list[str]:
    with Memory.open(path, scope="user:ana", create=False) as memory:
        return [one.text for one in memory.episodes(limit=1000)]


def acts(memory: Memory) -> Iterator[Callable[[], object]]:
    yield lambda: memory.search("tea 茶")
    yield lambda: list(memory.facts())
    yield lambda: memory.stats()
    yield lambda: memory.episodes(limit=500)
    yield lambda: memory.add("one more 又一条")
    yield lambda: memory.undo()


@pytest.mark.parametrize("cut", [PAGE, 10 * PAGE, 60 * PAGE])
def test_a_file_that_was_cut_is_told_to_be_damaged_and_is_not_written(
    closed: Path, cut: int
) -> None:
    with open(closed, "r+b") as file:
        file.truncate(closed.stat().st_size - cut)
    before = closed.read_bytes()
    with pytest.raises(errors.CorruptStoreError) as caught:
        Memory.open(closed, scope="user:ana")
    assert caught.value.hint
    assert closed.read_bytes() == before


def test_whatever_page_is_damaged_no_other_error_comes_out(
    closed: Path, tmp_path: Path, long: bool
) -> None:
    whole, moments = closed.read_bytes(), random.Random(3)
    pages = range(len(whole) // PAGE)
    for page in pages if long else moments.sample(pages, 8):
        content = bytearray(whole)
        content[page * PAGE : (page + 1) * PAGE] = moments.randbytes(PAGE)
        path = tmp_path / str(page) / "memory.db"
        path.parent.mkdir()
        path.write_bytes(content)
        shutil.copyfile(f"{closed}.key", f"{path}.key")
        with (
            suppress(errors.MemoryCoreError),
            Memory.open(path, scope="user:ana", create=False) as memory,
        ):
            for act in acts(memory):
                with suppress(errors.MemoryCoreError):
                    act()


def test_a_text_that_is_none_is_told_as_damage_without_its_bytes(file_world: Any) -> None:
    episode = file_world.memory.add("tea 茶")
    file_world.write("INSERT INTO sources(name) VALUES(CAST(x'e88cb6ff' AS TEXT))")
    with pytest.raises(errors.CorruptStoreError) as caught:
        file_world.rows("SELECT name FROM sources")
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
    assert file_world.memory.get(episode.id).text == "tea 茶"


def test_a_page_torn_in_the_log_ends_it_there_and_what_came_before_is_kept(
    closed: Path, write_and_die: Callable[[int, int], None], assert_sound: Callable[[str], None]
) -> None:
    before = len(messages(closed))
    write_and_die(0, 20)
    log = Path(f"{closed}-wal")
    content = bytearray(log.read_bytes())
    frames = (len(content) - 32) // (PAGE + 24)
    torn = 32 + frames // 2 * (PAGE + 24) + 24 + PAGE // 2
    content[torn : torn + PAGE // 2] = bytes(PAGE // 2)
    log.write_bytes(content)
    kept = messages(closed)[before:]
    assert 0 < len(kept) < 20
    assert kept == [f"message {n} 消息" for n in range(len(kept))]
    assert_sound(str(closed))


def test_without_its_log_a_store_is_what_it_was_when_that_was_last_written_into_it(
    closed: Path, write_and_die: Callable[[int, int], None], assert_sound: Callable[[str], None]
) -> None:
    before = messages(closed)
    write_and_die(0, 20)
    os.remove(f"{closed}-wal")
    assert messages(closed) == before
    assert_sound(str(closed))


def test_a_file_and_a_log_copied_at_different_times_are_a_state_that_was_or_told_as_damage(
    closed: Path,
    write_and_die: Callable[[int, int], None],
    tmp_path: Path,
    assert_sound: Callable[[str], None],
) -> None:
    log = Path(f"{closed}-wal")
    files, logs, states = [closed.read_bytes()], [], [messages(closed)]
    for first in (0, 20, 40):
        write_and_die(first, first + 20)
        logs.append(log.read_bytes())
        states.append(messages(closed))  # whoever closes last writes the log into the file
        files.append(closed.read_bytes())
    for number, (content, other) in enumerate((f, one) for f in files for one in logs):
        mixed = tmp_path / str(number) / "memory.db"
        mixed.parent.mkdir()
        mixed.write_bytes(content)
        Path(f"{mixed}-wal").write_bytes(other)
        shutil.copyfile(f"{closed}.key", f"{mixed}.key")
        try:
            assert_sound(str(mixed))
        except (AssertionError, errors.CorruptStoreError):
            continue
        assert messages(mixed) in states


KINDS: dict[str, Callable[[Path], object]] = {
    "folder": lambda path: path.mkdir(),
    "pipe": lambda path: os.mkfifo(path),
    "link to itself": lambda path: path.symlink_to(path.name),
    "link to a device": lambda path: path.symlink_to("/dev/null"),
    "link to a folder": lambda path: path.symlink_to(path.parent),
}
DOORS: dict[str, Callable[[Path], object]] = {
    "open": lambda path: Memory.open(path),
    "open what is there": lambda path: Memory.open(path, create=False),
    "read": lambda path: Memory.open(path, read_only=True),
    "init": lambda path: Memory.init(path),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_is_told_as_such_and_nothing_is_made(
    tmp_path: Path, kind: str, door: str
) -> None:
    path = tmp_path / "memory.db"
    KINDS[kind](path)
    with pytest.raises(errors.NotAStoreError) as caught:
        DOORS[door](path)
    assert caught.value.hint
    assert os.listdir(tmp_path) == ["memory.db"]


@pytest.mark.parametrize("door", DOORS)
def test_no_path_at_all_is_the_current_folder_which_is_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, door: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(errors.NotAStoreError, match="current folder"):
        DOORS[door]("")  # type: ignore[arg-type]
    assert os.listdir(tmp_path) == []


def test_a_clock_that_jumps_back_a_day_reorders_nothing(file_world: Any) -> None:
    memory, clock = file_world.memory, file_world.clock
    memory.add_many([told(1), told(2)])
    memory.learn([candidate(1)])
    known = memory.operations()[0]
    clock.now -= 86_400_000_000
    memory.learn([candidate(2)])
    memory.forget(memory.add("gone 忘掉").id, level="redact")
    memory.add("after 之后")
    memory.undo()
    times = [one.at for one in reversed(memory.operations(limit=100))]
    assert times == sorted(set(times))
    assert len(list(memory.facts())) == 2
    assert len(list(memory.facts(known_at=known.to_dict()["at"]))) == 1
    assert memory.verify_receipts().fault is None


HALF = """
import os, signal, sys
import apsw
db = apsw.Connection(sys.argv[1])
db.execute("PRAGMA journal_mode = DELETE; PRAGMA cache_size = 2").fetchall()
db.execute("BEGIN IMMEDIATE; CREATE TABLE half(text)").fetchall()
db.executemany("INSERT INTO half VALUES(?)", [("x" * 3000,)] * 300)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_was_begun_without_a_log_is_taken_back_by_whoever_opens_the_store(
    closed: Path, run_python: Callable[..., str], assert_sound: Callable[[str], None]
) -> None:
    before = messages(closed)
    run_python(HALF, str(closed), code=-signal.SIGKILL)
    assert os.path.getsize(f"{closed}-journal")
    assert messages(closed) == before
    assert_sound(str(closed))
