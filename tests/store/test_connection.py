"""Every connection to a store has the same settings, and none opens what is not a store."""

import os
from pathlib import Path

import apsw
import pytest

from memorycore import Memory, errors
from memorycore.store.connection import (
    open_connection,
    snapshot,
    transaction,
    translated,
)
from memorycore.store.mounts import refuse_network_file_system

SETTINGS = {
    "journal_mode": "wal",
    "synchronous": 2,
    "secure_delete": 1,
    "foreign_keys": 1,
    "trusted_schema": 0,
    "temp_store": 2,
    "cache_size": -65536,
}
NFS = "srv:/x /mnt/nfs nfs4 rw 0 0\n/dev/a / ext4 rw 0 0\n/dev/b /mnt/nfs/local ext4 rw 0 0\n"


def settings_of(db):
    return {name: db.execute(f"PRAGMA {name}").get for name in SETTINGS}


def test_the_reading_and_the_writing_connection_have_the_settings(file_world):
    with file_world.store.read() as db:
        assert settings_of(db) == SETTINGS
    with file_world.store.write() as db:
        assert settings_of(db) == SETTINGS


def test_a_store_that_is_opened_again_has_the_settings(file_world):
    file_world.store.close()
    with Memory.open(file_world.path) as memory:
        memory.add("one")
    for read_only in (True, False):
        db = open_connection(file_world.path, read_only=read_only, busy_timeout=1)
        assert settings_of(db) == SETTINGS
        db.close()


def test_a_connection_in_memory_has_the_settings_but_for_the_log(world):
    with world.store.read() as db:
        assert settings_of(db) == SETTINGS | {"journal_mode": "memory"}


def test_memory_mapping_is_off(file_world):
    with file_world.store.read() as db:
        assert db.execute("PRAGMA mmap_size").get == 0


def test_double_quotes_are_no_strings(file_world):
    with file_world.store.read() as db, pytest.raises(apsw.SQLError, match="no such column"):
        db.execute('SELECT "hello" FROM scopes')


def test_the_schema_cannot_be_rewritten_through_a_connection(file_world):
    with file_world.store.write(dry_run=True) as db:
        db.execute("PRAGMA writable_schema = ON").fetchall()
        with pytest.raises(apsw.SQLError, match="may not be modified"):
            db.execute("DELETE FROM sqlite_schema")


def test_a_reading_connection_cannot_write(file_world):
    with (
        pytest.raises(errors.ReadOnlyStoreError),
        file_world.store.read() as db,
        translated(db),
    ):
        db.execute("INSERT INTO scopes(name) VALUES('x')")


def test_a_write_transaction_on_a_reading_connection_is_refused(file_world):
    with file_world.store.read() as db, pytest.raises(errors.ReadOnlyStoreError), transaction(db):
        pass


def test_a_failing_block_is_rolled_back_whole(file_world):
    with pytest.raises(errors.StorageError), file_world.store.write() as db:
        db.execute("INSERT INTO scopes(name) VALUES('half'), ('whole'), ('half')")
    assert file_world.rows("SELECT count(*) FROM scopes WHERE name = 'half'") == [(0,)]


def test_a_snapshot_does_not_see_what_is_committed_after_it_began(file_world):
    db = open_connection(file_world.path, read_only=True, busy_timeout=1)
    with snapshot(db):
        before = db.execute("SELECT count(*) FROM episodes").get
        file_world.memory.add("新的消息")
        assert db.execute("SELECT count(*) FROM episodes").get == before == 0
    assert db.execute("SELECT count(*) FROM episodes").get == 1
    db.close()


def test_no_error_of_sqlite_quotes_what_was_bound(file_world):
    with pytest.raises(errors.StorageError) as caught, file_world.store.write() as db:
        db.execute("INSERT INTO scopes(scope_id, name) VALUES(1, '秘密'), (1, '秘密')")
    assert "秘密" not in str(caught.value)


@pytest.mark.parametrize("path", ["/mnt/nfs/memory.db", "/mnt/nfs/deep/er/memory.db"])
def test_a_network_file_system_is_refused(tmp_path, path):
    table = tmp_path / "mounts"
    table.write_text(NFS)
    with pytest.raises(errors.NetworkFileSystemError, match="nfs4"):
        refuse_network_file_system(path, mounts=str(table))


@pytest.mark.parametrize(
    "path", ["/home/ana/memory.db", "/mnt/nfs/local/memory.db", "/mnt/nfs2/memory.db"]
)
def test_a_local_file_system_is_taken(tmp_path, path):
    table = tmp_path / "mounts"
    table.write_text(NFS)
    refuse_network_file_system(path, mounts=str(table))


def test_a_mount_point_with_a_space_is_understood(tmp_path):
    table = tmp_path / "mounts"
    table.write_text("srv:/x /mnt/my\\040share cifs rw 0 0\n")
    with pytest.raises(errors.NetworkFileSystemError, match="cifs"):
        refuse_network_file_system("/mnt/my share/memory.db", mounts=str(table))


def test_a_link_into_a_network_file_system_is_followed(tmp_path):
    (tmp_path / "link").symlink_to("/mnt/nfs/memory.db")
    table = tmp_path / "mounts"
    table.write_text(NFS)
    with pytest.raises(errors.NetworkFileSystemError):
        refuse_network_file_system(str(tmp_path / "link"), mounts=str(table))


def test_where_there_is_no_mount_table_nothing_is_refused(tmp_path):
    refuse_network_file_system("/mnt/nfs/memory.db", mounts=str(tmp_path / "none"))


def foreign_database(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE notes(text); INSERT INTO notes VALUES('theirs')").fetchall()
    connection.close()


def foreign_number(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA application_id = 77; PRAGMA user_version = 1").fetchall()
    connection.close()


FOREIGN = {
    "database": foreign_database,
    "database of another application": foreign_number,
    "text": lambda path: path.write_text("今天的笔记。 Dear diary, " * 100, encoding="utf-8"),
    "short text": lambda path: path.write_text("ok"),
}


@pytest.mark.parametrize("kind", FOREIGN)
@pytest.mark.parametrize("door", [Memory.open, Memory.init])
def test_a_file_of_something_else_is_refused_and_left_as_it_is(tmp_path, kind, door):
    path = tmp_path / "theirs"
    FOREIGN[kind](path)
    before = path.read_bytes()
    with pytest.raises(errors.NotAStoreError):
        door(path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["theirs"]


def test_a_file_of_a_single_byte_is_refused_and_left_as_it_is(tmp_path):
    (tmp_path / "theirs").write_text("x")
    with pytest.raises(errors.NotAStoreError):
        Memory.init(tmp_path / "theirs")
    assert (tmp_path / "theirs").read_text() == "x"


@pytest.mark.parametrize("settings", [{"create": False}, {"read_only": True}], ids=str)
def test_an_empty_file_is_no_store_and_stays_empty(tmp_path, settings):
    (tmp_path / "empty").touch()
    with pytest.raises(errors.NotAStoreError, match="empty") as caught:
        Memory.open(tmp_path / "empty", **settings)
    assert caught.value.hint
    assert (tmp_path / "empty").read_bytes() == b""
    assert os.listdir(tmp_path) == ["empty"]


def test_an_empty_file_is_taken_for_a_start_that_was_interrupted(tmp_path):
    (tmp_path / "empty").touch()
    with Memory.open(tmp_path / "empty") as memory:
        assert memory.add("works 可以").text == "works 可以"


@pytest.mark.parametrize("door", [Memory.open, Memory.init])
def test_a_directory_is_refused_and_stays_as_it_is(tmp_path, door):
    with pytest.raises(errors.MemoryCoreError):
        door(tmp_path)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("settings", [{"create": False}, {"read_only": True}], ids=str)
def test_a_missing_store_is_not_made_by_reading(tmp_path, settings):
    with pytest.raises(errors.StoreMissingError):
        Memory.open(tmp_path / "none.db", **settings)
    assert os.listdir(tmp_path) == []


def test_a_store_file_is_for_its_owner_only(file_world):
    assert os.stat(file_world.path).st_mode & 0o777 == 0o600


def test_folders_on_the_way_are_made(tmp_path):
    Memory.open(tmp_path / "new" / "er" / "memory.db").close()
    assert (tmp_path / "new" / "er" / "memory.db").exists()


def test_a_damaged_page_is_a_clear_error(file_world):
    file_world.memory.add_many({"text": f"message {n} 消息"} for n in range(500))
    file_world.store.close()
    path = Path(file_world.path)
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(errors.StorageError), Memory.open(path) as memory:
        memory.search("message")
