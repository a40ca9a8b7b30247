"""A store of the version before imports is brought up to date, and loses nothing."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from memorycore import Memory
from memorycore.store.schema import NEWEST_SCHEMA

OLD = Path(__file__).parents[2] / "testdata" / "stores" / "schema-6.db"
DIGEST = "59b269a403ebd69cf220a44ac8beee264b51c73f7f60eac21d02831dcef93b6d"
"""What the store said when it was made, by the version that made it."""


@pytest.fixture
def old_path(store_path: str) -> str:
    """A copy of the old store, with its key."""
    shutil.copyfile(OLD, store_path)
    shutil.copyfile(f"{OLD}.key", f"{store_path}.key")
    return store_path


@pytest.fixture
def memory(old_path: str) -> Iterator[Memory]:
    """The old store, brought up to date and opened."""
    assert Memory.init(old_path) == 6
    with Memory.open(old_path, scope="user:nell", create=False) as memory:
        yield memory


def look(path: str, sql: str) -> list[tuple[object, ...]]:
    connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
    rows = connection.execute(sql).fetchall()
    connection.close()
    return rows


def test_the_old_store_is_one_file_of_the_old_schema() -> None:
    assert look(str(OLD), "PRAGMA user_version") == [(6,)]
    assert look(str(OLD), "PRAGMA journal_mode") == [("delete",)]


def test_it_has_the_schema_of_a_new_store(memory: Memory, old_path: str, tmp_path: Path) -> None:
    new = str(tmp_path / "new.db")
    Memory.init(new)
    schema = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"
    assert look(old_path, schema) == look(new, schema)
    assert look(old_path, "PRAGMA user_version") == [(NEWEST_SCHEMA,)]


def test_it_says_what_it_said(memory: Memory) -> None:
    assert memory.digest() == DIGEST
    assert sorted(fact.text for fact in memory.facts()) == [
        "Nell lives_in Porto", "Nell note sister Iris", "Nell prefers short answers without lists",
    ]  # fmt: skip
    assert [fact.text for fact in memory.facts(as_of="2025-02-20")] == ["Nell lives_in Leeds"]


def test_what_was_hidden_stays_so_until_it_is_taken_back(memory: Memory) -> None:
    assert memory.search("oolong").facts == ()
    [hiding] = [one for one in memory.operations() if one.kind == "hide"]
    memory.undo(hiding.id)
    assert [hit.fact.text for hit in memory.search("oolong").facts] == ["Nell likes oolong tea"]


def test_an_import_can_meet_what_was_there_and_be_taken_back(
    memory: Memory, old_path: str, assert_sound: Callable[[str], None]
) -> None:
    before = memory.digest()
    record = '{"candidates": [{"title": "t", "summary": "Nell moved to Braga in May."}]}'
    job = memory.import_apply(memory.import_(text=record).id)
    assert job.at.imported == 1
    memory.import_undo(job.id)
    assert memory.digest() == before
    assert_sound(old_path)
