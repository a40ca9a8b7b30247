"""A store that this user may not write is read, or refused with the reason; it is never written."""

import os
import shutil
import signal
import tempfile
from pathlib import Path

import pytest

from memorycore import Memory

pytestmark = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become somebody else"
)
AS_NOBODY = """
import os, sys
from memorycore import Memory, errors
with Memory.open(":memory:") as warm:
    warm.add("everything that is imported late 都先导入")
    warm.search("imported")
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
path = sys.argv[1]
def attempt(act):
    try:
        print(act())
    except errors.MemoryCoreError as error:
        print(type(error).__name__)
def read(**settings):
    with Memory.open(path, scope="user:ana", **settings) as memory:
        return len(memory.search("茶"))
def write():
    with Memory.open(path, scope="user:ana") as memory:
        return memory.add("written 写入").text
def init():
    return Memory.init(path)
for act in sys.argv[2:]:
    attempt(eval(act))
"""
TELL_NOBODY = AS_NOBODY.replace(
    "type(error).__name__", "error.message, error.why, error.hint, sep='\\n'"
)


@pytest.fixture
def folder():
    """A folder that everybody can reach, outside the test's private one."""
    made = Path(tempfile.mkdtemp())
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


@pytest.fixture
def path(folder):
    """A store of root's that everybody may read, with its key."""
    place = folder / "memory.db"
    with Memory.open(place, scope="user:ana") as memory:
        memory.add("喜欢喝茶 likes tea")
    for file in folder.iterdir():
        file.chmod(0o644)
    return place


HALF = """
import os, signal, sys
import apsw
db = apsw.Connection(sys.argv[1])
db.execute("PRAGMA journal_mode = DELETE; PRAGMA cache_size = 2").fetchall()
db.execute("BEGIN IMMEDIATE; CREATE TABLE half(text)").fetchall()
db.executemany("INSERT INTO half VALUES(?)", [("x" * 3000,)] * 300)
os.kill(os.getpid(), signal.SIGKILL)
"""
LOGGED = """
import os, signal, sys
from memorycore import Memory
memory = Memory.open(sys.argv[1], scope="user:ana")
memory.add("乌龙茶 oolong tea")
os.kill(os.getpid(), signal.SIGKILL)
"""
LEFT = pytest.mark.parametrize(
    ("half", "end", "said"), [(HALF, "-journal", 1), (LOGGED, "-wal", 2)], ids=["journal", "log"]
)


def leave_half(run_python, path, half, end):
    """Let a process be killed while it writes, and everybody read what it leaves."""
    run_python(half, str(path), code=-signal.SIGKILL)
    assert os.path.getsize(f"{path}{end}")
    for file in path.parent.iterdir():
        file.chmod(0o644)
    Path(f"{path}-shm").unlink(missing_ok=True)


@LEFT
def test_a_handle_that_may_only_read_reads_on_after_a_writer_was_killed(
    run_python, path, half, end, said
):
    leave_half(run_python, path, half, end)
    with Memory.open(path, scope="user:ana", read_only=True) as memory:
        assert len(memory.search("茶")) == said
        assert memory.verify_log().fault is None


@LEFT
def test_who_may_not_mend_what_a_killed_writer_left_is_told_what_to_do(
    run_python, folder, path, half, end, said
):
    leave_half(run_python, path, half, end)
    before = contents(folder)
    for act in ("read", "lambda: read(read_only=True)"):
        message, why, hint = run_python(TELL_NOBODY, str(path), act).splitlines()
        assert ("killed" in message) == (end == "-journal")
        assert "user may not" in why or "folder is read-only" in why
        assert "memoryctl stats" in hint or "copy the store" in hint
    assert contents(folder) == before


def contents(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_in_a_read_only_folder_reading_works_or_says_why_and_writing_is_refused(
    run_python, folder, path
):
    before = contents(folder)
    out = run_python(AS_NOBODY, str(path), "read", "lambda: read(read_only=True)", "write")
    first, second, third = out.split()
    assert first in ("1", "ReadOnlyStoreError")
    assert second in ("1", "ReadOnlyStoreError")
    assert third == "ReadOnlyStoreError"
    assert contents(folder) == before


def test_while_its_owner_has_the_store_open_others_read_it(run_python, folder, path):
    with Memory.open(path, scope="user:ana") as memory:
        memory.add("绿茶 green tea")
        out = run_python(AS_NOBODY, str(path), "lambda: read(read_only=True)", "write")
    assert out.split() == ["2", "ReadOnlyStoreError"]


def test_a_read_only_file_in_a_writable_folder_is_not_written(run_python, folder, path):
    folder.chmod(0o777)
    before = path.read_bytes()
    first, second = run_python(AS_NOBODY, str(path), "read", "write").split()
    assert first in ("1", "ReadOnlyStoreError")
    assert second == "ReadOnlyStoreError"
    assert path.read_bytes() == before


def test_a_store_is_not_made_in_a_read_only_folder(run_python, folder):
    out = run_python(AS_NOBODY, str(folder / "new.db"), "init", "write", "read")
    assert out.split() == ["ReadOnlyStoreError"] * 3
    assert list(folder.iterdir()) == []


def test_a_store_that_may_not_even_be_read_is_refused(run_python, folder, path):
    path.chmod(0o600)
    out = run_python(AS_NOBODY, str(path), "read", "write").split()
    assert out == ["ReadOnlyStoreError"] * 2


def test_a_key_that_may_not_be_read_keeps_from_writing(run_python, folder, path):
    Path(f"{path}.key").chmod(0o600)
    before = contents(folder)
    out = run_python(AS_NOBODY, str(path), "write").strip()
    assert out in ("KeyFileError", "ReadOnlyStoreError")
    assert contents(folder) == before
