"""Bringing a store up to date: planned, with a copy of before, and once however many do it."""

import shutil
from pathlib import Path
from typing import Any

import apsw
import pytest

from memorycore import Memory, errors
from memorycore.store.schema import NEWEST_SCHEMA

OLD = Path(__file__).parents[2] / "testdata" / "stores" / "schema-2.db"
MIGRATE = """
import sys
from memorycore import Memory
print("ready", flush=True)
sys.stdin.readline()
print(Memory.migrate(sys.argv[1], busy_timeout=60).backup)
"""


@pytest.fixture
def old_path(store_path: str) -> str:
    shutil.copyfile(OLD, store_path)
    shutil.copyfile(f"{OLD}.key", f"{store_path}.key")
    return store_path


def copies(path: str) -> list[Path]:
    return sorted(Path(path).parent.glob("memory.db.schema-*"))


def look(path: str | Path, sql: str) -> list[tuple[object, ...]]:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    rows = connection.execute(sql).fetchall()
    connection.close()
    return rows


def test_a_plan_tells_each_step_and_changes_nothing(old_path: str) -> None:
    before = Path(old_path).read_bytes()
    plan = Memory.plan_migration(old_path)
    assert (plan.found, plan.newest) == (2, NEWEST_SCHEMA)
    assert [number for number, _, _ in plan.steps] == list(range(3, NEWEST_SCHEMA + 1))
    assert all(purpose and not purpose.startswith("-") for _, _, purpose in plan.steps)
    assert plan.needed == 2 * plan.size == 2 * OLD.stat().st_size
    assert Path(old_path).read_bytes() == before


@pytest.mark.parametrize("way", ["migrate", "init"])
def test_a_copy_of_before_is_beside_the_store_then(old_path: str, way: str) -> None:
    getattr(Memory, way)(old_path)
    [copy] = copies(old_path)
    assert copy.name.startswith("memory.db.schema-2-20")
    assert look(copy, "PRAGMA user_version") == [(2,)]
    for sql in ("SELECT * FROM episode_texts ORDER BY 1", "SELECT * FROM operations ORDER BY 1"):
        assert look(copy, sql) == look(OLD, sql)
    assert look(old_path, "PRAGMA user_version") == [(NEWEST_SCHEMA,)]


def test_the_newest_schema_needs_no_copy(store_path: str) -> None:
    Memory.init(store_path)
    assert Memory.plan_migration(store_path).steps == ()
    assert Memory.migrate(store_path).backup is None
    Memory.init(store_path)
    assert copies(store_path) == []


def test_of_eight_that_do_it_at_once_one_does_it(old_path: str, start_python: Any) -> None:
    processes = [start_python(MIGRATE, old_path) for _ in range(8)]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()
    printed = sorted(process.communicate(timeout=60)[0].strip() for process in processes)
    assert printed.count("None") == 7
    assert [str(path) for path in copies(old_path)] == [one for one in printed if one != "None"]


def test_a_migration_that_fails_leaves_the_store_and_the_copy(old_path: str, raw: Any) -> None:
    raw(old_path).execute("CREATE TABLE readable_facts(in_the_way)").fetchall()
    with pytest.raises(errors.StorageError):
        Memory.migrate(old_path)
    assert look(old_path, "PRAGMA user_version") == [(2,)]
    assert len(copies(old_path)) == 1


@pytest.mark.parametrize("content", [None, b"", b"no database" * 100])
def test_what_is_no_store_is_refused(store_path: str, content: bytes | None) -> None:
    if content is not None:
        Path(store_path).write_bytes(content)
    for way in (Memory.plan_migration, Memory.migrate):
        with pytest.raises((errors.StoreMissingError, errors.NotAStoreError)):
            way(store_path)
