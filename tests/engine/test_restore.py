"""A backup that is put back is the store as it was, without what was forgotten since."""

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from memorycore import Memory, errors
from memorycore.store.copies import check_whole, reading_sealed
from memorycore.store.schema import NEWEST_SCHEMA

OLD = Path(__file__).parents[2] / "testdata" / "stores" / "schema-2.db"
HOLD = """
import sys
from memorycore import Memory
with Memory.open(sys.argv[1], create=False, read_only=True) as memory:
    print("open", flush=True)
    sys.stdin.readline()
"""


def say(path: str, *texts: str, scope: str = "user:ana") -> None:
    with Memory.open(path, scope=scope) as memory:
        for text in texts:
            memory.add(text, session=text.split()[0])


def texts(path: str, scope: str = "user:ana") -> list[str]:
    with Memory.open(path, scope=scope, create=False) as memory:
        return sorted(one.text for one in memory.episodes())


@pytest.fixture
def backup(store_path: str, tmp_path: Path) -> str:
    """A backup of a store in which more was said since."""
    say(store_path, "first 第一", "second 第二")
    with Memory.open(store_path, scope="user:ana") as memory:
        made = memory.backup(tmp_path / "kept.db").path
        memory.add("third 第三")
    return made


def test_it_takes_the_store_back_and_keeps_todays(
    store_path: str, backup: str, assert_sound: Callable[[str], None]
) -> None:
    before = Path(backup).read_bytes()
    done = Memory.restore(backup, store_path)
    assert texts(store_path) == ["first 第一", "second 第二"]
    assert done.kept == f"{store_path}.before-restore"
    assert texts(done.kept) == ["first 第一", "second 第二", "third 第三"]
    assert (done.before.episodes, done.contents.episodes) == (3, 2)  # type: ignore[union-attr]
    assert Path(backup).read_bytes() == before
    assert stat.S_IMODE(os.stat(store_path).st_mode) == 0o600
    say(store_path, "fourth 第四")
    assert_sound(store_path)
    with Memory.open(store_path) as memory:
        assert memory.verify_log().fault is None
        assert "restore" in [one.kind for one in memory.operations(all_scopes=True)]


def test_an_earlier_file_from_before_is_never_written_over(store_path: str, backup: str) -> None:
    first = Memory.restore(backup, store_path).kept
    say(store_path, "fourth 第四")
    second = Memory.restore(backup, store_path).kept
    assert second == f"{store_path}.before-restore-2"
    assert "third 第三" in texts(str(first))
    assert "fourth 第四" in texts(second)


def test_what_was_put_aside_can_be_put_back(store_path: str, backup: str) -> None:
    kept = Memory.restore(backup, store_path).kept
    Memory.restore(str(kept), store_path)
    assert texts(store_path) == ["first 第一", "second 第二", "third 第三"]


def test_a_dry_run_changes_nothing(store_path: str, backup: str, tmp_path: Path) -> None:
    there = sorted(os.listdir(tmp_path))
    told = Memory.restore(backup, store_path, dry_run=True)
    assert (told.dry_run, told.contents.episodes) == (True, 2)
    assert texts(store_path) == ["first 第一", "second 第二", "third 第三"]
    assert [name for name in sorted(os.listdir(tmp_path)) if "-" not in name] == [
        name for name in there if "-" not in name
    ]


def test_a_new_file_gets_its_keys_and_can_be_written(
    store_path: str, backup: str, tmp_path: Path, assert_sound: Callable[[str], None]
) -> None:
    to = str(tmp_path / "elsewhere.db")
    done = Memory.restore(backup, store_path, to=to)
    assert (done.kept, done.missing_keys, done.knows_later) == (None, (), True)
    say(to, "fourth 第四", "first 第一")
    assert texts(to) == ["first 第一", "fourth 第四", "second 第二"]
    assert len(texts(store_path)) == 3
    assert_sound(to)


def test_a_new_name_that_is_taken_is_refused(store_path: str, backup: str, tmp_path: Path) -> None:
    (tmp_path / "taken.db").write_text("x")
    (tmp_path / "free.db.key").write_bytes(b"another key")
    for name in ("taken.db", "free.db"):
        with pytest.raises(errors.RefusedError, match="there already"):
            Memory.restore(backup, store_path, to=tmp_path / name)
    assert (tmp_path / "taken.db").read_text() == "x"
    assert (tmp_path / "free.db.key").read_bytes() == b"another key"


def test_where_no_store_is_left_later_forgettings_are_not_known(
    store_path: str, backup: str
) -> None:
    os.unlink(store_path)
    done = Memory.restore(backup, store_path)
    assert (done.knows_later, done.kept, done.missing_keys) == (False, None, ())
    assert texts(store_path) == ["first 第一", "second 第二"]


def test_without_its_key_it_says_which_is_missing(backup: str, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    path = str(tmp_path / "other" / "memory.db")
    assert Memory.restore(backup, path).missing_keys == (f"{path}.key",)
    with Memory.open(path, scope="user:ana", read_only=True) as memory:
        assert len(memory.search("第一")) == 1


def test_another_stores_backup_is_refused_but_into_a_new_file(backup: str, tmp_path: Path) -> None:
    other = str(tmp_path / "other.db")
    say(other, "other 别的")
    with pytest.raises(errors.RefusedError, match="another store") as caught:
        Memory.restore(backup, other)
    assert "--to" in str(caught.value.hint)
    assert texts(other) == ["other 别的"]
    done = Memory.restore(backup, other, to=tmp_path / "new.db")
    assert (done.knows_later, done.missing_keys) == (False, (str(tmp_path / "new.db.key"),))


def test_an_older_schema_is_brought_up_to_date_in_the_copy_alone(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.db")
    shutil.copyfile(f"{OLD}.key", f"{path}.key")
    Memory.restore(OLD, path)
    with Memory.open(path, scope="user:nell") as memory:
        assert memory.stats().schema == NEWEST_SCHEMA
        assert memory.stats().episodes == 5
    assert not list(tmp_path.glob("*schema*"))


def test_a_newer_schema_is_refused(store_path: str, backup: str, raw: Any) -> None:
    raw(backup).execute(f"PRAGMA user_version = {NEWEST_SCHEMA + 1}").fetchall()
    with pytest.raises(errors.SchemaTooNewError):
        Memory.restore(backup, store_path)


def test_what_is_no_backup_is_refused(store_path: str, backup: str, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database " * 100)
    (tmp_path / "empty").touch()
    foreign = apsw.Connection(str(tmp_path / "foreign"))
    foreign.execute("CREATE TABLE other(x)").fetchall()
    foreign.close()
    for name in ("text", "empty", "foreign"):
        with pytest.raises(errors.NotAStoreError):
            Memory.restore(tmp_path / name, store_path)
    with pytest.raises(errors.StoreMissingError):
        Memory.restore(tmp_path / "missing", store_path)


def test_a_copy_that_lacks_its_log_or_is_in_use_is_refused(
    store_path: str, backup: str, tmp_path: Path, start_python: Any
) -> None:
    holder = start_python(HOLD, store_path)
    assert holder.stdout.readline() == "open\n"
    torn = tmp_path / "torn.db"
    shutil.copyfile(store_path, torn)
    for path in (torn, Path(store_path)):
        with pytest.raises(errors.RefusedError, match="lacks its log"):
            Memory.restore(path, tmp_path / "new.db")
    assert not (tmp_path / "torn.db-wal").exists()


@pytest.mark.parametrize("place", [0.3, 0.6, 0.9])
def test_a_damaged_backup_is_refused(store_path: str, backup: str, place: float) -> None:
    data = bytearray(Path(backup).read_bytes())
    start = int(len(data) * place) // 4096 * 4096
    data[start : start + 4096] = b"\x5a" * 4096
    Path(backup).write_bytes(data)
    with pytest.raises(errors.StorageError):
        Memory.restore(backup, store_path)
    assert len(texts(store_path)) == 3


def test_a_flipped_letter_in_a_backup_is_noticed(store_path: str, backup: str) -> None:
    data = Path(backup).read_bytes()
    assert data.count(b"second \xe7") >= 1
    Path(backup).write_bytes(data.replace(b"second \xe7", b"seconf \xe7"))
    with pytest.raises(errors.CorruptStoreError, match="not what they were"):
        Memory.restore(backup, store_path)


def test_a_store_that_another_process_has_open_is_left(
    store_path: str, backup: str, start_python: Any
) -> None:
    holder = start_python(HOLD, store_path)
    assert holder.stdout.readline() == "open\n"
    with pytest.raises(errors.StoreBusyError, match=r"has memory\.db open"):
        Memory.restore(backup, store_path, busy_timeout=0.2)
    holder.communicate("\n", timeout=20)
    assert len(texts(store_path)) == 3
    Memory.restore(backup, store_path)
    assert len(texts(store_path)) == 2


def test_leftovers_of_runs_that_were_killed_go(store_path: str, backup: str) -> None:
    left = [f"{store_path}.restoring-999999", f"{store_path}.restoring-999999-wal"]
    for path in left:
        Path(path).write_text("half made")
    os.link(store_path, f"{store_path}.before-restore")
    done = Memory.restore(backup, store_path)
    assert not any(os.path.exists(path) for path in left)
    assert done.kept == f"{store_path}.before-restore-2"
    assert os.stat(store_path).st_nlink == os.stat(str(done.kept)).st_nlink == 1


def test_a_store_that_is_damaged_needs_a_word_that_forgettings_are_lost(
    store_path: str, backup: str
) -> None:
    data = bytearray(Path(store_path).read_bytes())
    data[4096:] = b"\x5a" * (len(data) - 4096)
    Path(store_path).write_bytes(data)
    with pytest.raises(errors.CorruptStoreError) as caught:
        Memory.restore(backup, store_path)
    assert "--no-replay-forgets" in str(caught.value.hint)
    assert Path(store_path).read_bytes() == bytes(data)
    done = Memory.restore(backup, store_path, no_replay="damaged")
    assert texts(store_path) == ["first 第一", "second 第二"]
    assert Path(str(done.kept)).read_bytes() == bytes(data)


@pytest.mark.parametrize("quick", [True, False])
@pytest.mark.parametrize("place", [0.2, 0.5, 0.8])
def test_both_checks_find_a_page_that_makes_no_sense(
    backup: str, quick: bool, place: float
) -> None:
    data = bytearray(Path(backup).read_bytes())
    start = int(len(data) * place) // 4096 * 4096
    data[start : start + 4096] = b"\x0d" + b"\x5a" * 4095
    Path(backup).write_bytes(data)
    with pytest.raises(errors.StorageError), reading_sealed(backup) as db:
        check_whole(db, quick=quick)


def test_of_two_at_once_one_gives_way(store_path: str, backup: str, start_python: Any) -> None:
    script = (
        "import sys\nfrom memorycore import Memory, errors\nprint('ready', flush=True)\n"
        "sys.stdin.readline()\n"
        "try:\n    Memory.restore(sys.argv[2], sys.argv[1]); print('done')\n"
        "except errors.StoreBusyError as error: print('gave way')\n"
    )
    processes = [start_python(script, store_path, backup) for _ in range(4)]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()
    both = [process.communicate(timeout=60) for process in processes]
    said = [out.strip() for out, _ in both]
    assert set(said) <= {"done", "gave way"}, both
    assert said.count("done") >= 1
    assert texts(store_path) == ["first 第一", "second 第二"]
    assert len(list(Path(store_path).parent.glob("*.before-restore*"))) == said.count("done")


@pytest.mark.parametrize(("found", "left"), [(0o644, 0o600), (0o640, 0o600), (0o400, 0o400)])
def test_only_the_owner_may_read_what_was_put_back_and_what_was_put_aside(
    store_path: str, backup: str, found: int, left: int
) -> None:
    os.chmod(store_path, found)
    kept = Memory.restore(backup, store_path).kept
    assert [stat.S_IMODE(os.stat(str(path)).st_mode) for path in (store_path, kept)] == [left] * 2
