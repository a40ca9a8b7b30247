"""Migrations that were released are never edited, and a store of another schema is refused."""

import os
from pathlib import Path

import apsw
import pytest

from memorycore import Memory, errors
from memorycore.store.connection import APPLICATION_ID
from memorycore.store.migrate import load_migrations
from memorycore.store.schema import NEWEST_SCHEMA

RELEASED = {
    "0001_foundation": "812a77279360c562b9119d84238f3f5dfa174c1628d9fc54979f08b2c9f84818",
    "0002_search": "25411b9a51bb2732337e09c0667d3087acea7e38c86ef40f8303ac9ab530567a",
    "0003_facts": "8ec881402ef710c0079ec65bf7e3e4c991b5c7d0c38d6702a43d051e74ebe78b",
    "0004_harvests": "2b11b322d006b7a498b3c77c1df235deb45c2b52c13b3049faae425cbd70f756",
    "0005_forgetting": "77a3cc4722de9cf636f8864677672dbef153bc76a9a4b6abd63d5493c24de64f",
    "0006_survival": "0791bbe53c61a966bdeba9969e55ffaeb0efd3e0ddf7d17a4cc0503dbc0e49c0",
    "0007_hidden_names": "28710336e6de33910cd854a9ad6501a5cbe1df4fe584630cb4203d6230b0a462",
    "0008_reviews": "ce1565d1e406c16fdaf5345381cd8bea652026fce0a8290d538e8bb44f6e585d",
    "0009_imports": "562aca8798df2d640f9ab5220f55b70f01560378eceda1c2ea88f1632144a940",
}
"""A file that is listed here has been used to make stores: write a new file instead."""


def test_no_released_migration_was_edited():
    assert {migration.name: migration.sha256 for migration in load_migrations()} == RELEASED


def test_migrations_are_numbered_without_a_gap_and_the_newest_is_known():
    numbers = [migration.number for migration in load_migrations()]
    assert numbers == list(range(1, NEWEST_SCHEMA + 1))


def test_a_store_remembers_which_migrations_made_it(world):
    ledger = world.rows("SELECT name, sha256 FROM schema_migrations ORDER BY number")
    assert dict(ledger) == RELEASED


def test_a_new_store_carries_its_number_and_whose_it_is(world):
    assert world.rows("PRAGMA user_version") == [(NEWEST_SCHEMA,)]
    assert world.rows("PRAGMA application_id") == [(APPLICATION_ID,)]


def test_init_tells_what_it_found(store_path):
    assert Memory.init(store_path) == 0
    assert Memory.init(store_path) == NEWEST_SCHEMA


def test_init_of_a_finished_store_changes_nothing(file_world):
    file_world.memory.add("stays 不变")
    before = file_world.rows("SELECT * FROM operations")
    Memory.init(file_world.path)
    assert file_world.rows("SELECT * FROM operations") == before


def set_version(raw, path, number):
    connection = raw(path)
    connection.execute(f"PRAGMA user_version = {number}").fetchall()
    connection.close()


@pytest.fixture
def closed_path(file_world, raw):
    """A store of somebody else's version: closed, with an episode in it."""
    file_world.memory.add("kept 留着")
    file_world.store.close()
    return file_world.path


@pytest.mark.parametrize("settings", [{}, {"create": False}, {"read_only": True}], ids=str)
def test_a_newer_schema_is_refused_and_left_as_it_is(closed_path, raw, settings):
    set_version(raw, closed_path, NEWEST_SCHEMA + 1)
    before = Path(closed_path).read_bytes()
    with pytest.raises(errors.SchemaTooNewError, match=f"schema {NEWEST_SCHEMA + 1}") as caught:
        Memory.open(closed_path, **settings)
    assert caught.value.hint
    assert Path(closed_path).read_bytes() == before


def test_init_refuses_a_newer_schema_and_leaves_it_as_it_is(closed_path, raw):
    set_version(raw, closed_path, NEWEST_SCHEMA + 1)
    before = Path(closed_path).read_bytes()
    with pytest.raises(errors.SchemaTooNewError):
        Memory.init(closed_path)
    assert Path(closed_path).read_bytes() == before


def make_older(path, number):
    """Make a store as the version of that schema made it, with nothing in it."""
    connection = apsw.Connection(path)
    for migration in load_migrations()[:number]:
        connection.execute(migration.sql).fetchall()
    connection.execute(
        "CREATE TABLE schema_migrations("
        "number INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL) STRICT;"
        f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {number}"
    ).fetchall()
    connection.close()


@pytest.mark.parametrize("settings", [{}, {"read_only": True}], ids=str)
def test_an_older_schema_is_refused_with_the_way_out(store_path, settings):
    make_older(store_path, 1)
    before = Path(store_path).read_bytes()
    with pytest.raises(errors.SchemaTooOldError, match="schema 1") as caught:
        Memory.open(store_path, **settings)
    assert "migrate" in caught.value.hint
    assert Path(store_path).read_bytes() == before


def test_init_brings_an_older_schema_up_to_date(store_path):
    make_older(store_path, 1)
    assert Memory.init(store_path) == 1
    with Memory.open(store_path) as memory:
        memory.add("now it works 可以了")
        assert len(memory.search("可以")) == 1


OLD_SUPPRESSIONS = """
INSERT INTO scopes(scope_id, name) VALUES(1, 'user:ana');
INSERT INTO operations(operation_id, uid, at, actor, kind, scope_id)
VALUES(1, zeroblob(16), 1, 'cli', 'forget', 1);
INSERT INTO receipts(receipt_id, uid, scope_id, operation_id, level)
VALUES(1, zeroblob(16), 1, 1, 'hard');
INSERT INTO suppressions(uid, scope_id, kind, fingerprint, receipt_id, recorded_from)
VALUES(randomblob(16), 1, 'statement', randomblob(16), 1, 1),
  (randomblob(16), 1, 'statement', randomblob(16), 1, 1);
"""


def test_what_an_older_schema_keeps_out_stays_out_one_by_one(store_path, raw):
    make_older(store_path, 5)
    connection = raw(store_path)
    connection.execute(OLD_SUPPRESSIONS).fetchall()
    before = connection.execute("SELECT uid, fingerprint FROM suppressions").fetchall()
    connection.close()
    Memory.init(store_path)
    with Memory.open(store_path, scope="user:ana") as memory:
        assert [one.uid for one in memory.suppressions()] == [uid for uid, _ in before]
        assert memory.lift(memory.suppressions()[0].id)[1] == 1
        assert [one.uid for one in memory.suppressions()] == [before[1][0]]


def test_a_failing_migration_leaves_the_older_store_as_it_was(store_path, raw):
    make_older(store_path, 1)
    connection = raw(store_path)
    connection.execute("CREATE TABLE episode_index(in_the_way)").fetchall()
    connection.close()
    with pytest.raises(errors.StorageError):
        Memory.init(store_path)
    look = raw(store_path)
    assert look.execute("PRAGMA user_version").get == 1
    assert (
        look.execute(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'view' AND name = 'episode_documents'"
        ).get
        == 0
    )


def test_an_interrupted_start_is_finished_by_the_next(store_path):
    Path(store_path).touch()
    Path(store_path + ".key").write_bytes(os.urandom(32))
    kept = Path(store_path + ".key").read_bytes()
    assert Memory.init(store_path) == 0
    assert Path(store_path + ".key").read_bytes() == kept
    with Memory.open(store_path) as memory:
        assert memory.add("works").text == "works"
