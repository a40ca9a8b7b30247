"""The key file beside a store: made once, private, needed for writing and only there."""

import os
import stat
from pathlib import Path

import pytest

from memorycore import Memory, errors
from memorycore.store.key_file import KEY_BYTES, Key, key_path


@pytest.fixture
def closed_path(file_world):
    file_world.memory.add("喜欢喝茶 likes tea")
    file_world.store.close()
    return file_world.path


def test_a_new_store_gets_a_key_of_32_bytes_for_its_owner_only(file_world):
    path = Path(key_path(file_world.path))
    assert len(path.read_bytes()) == KEY_BYTES == 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_key_is_private_under_any_mask(store_path):
    before = os.umask(0)
    try:
        Memory.open(store_path).close()
    finally:
        os.umask(before)
    assert stat.S_IMODE(os.stat(store_path + ".key").st_mode) == 0o600
    assert stat.S_IMODE(os.stat(store_path).st_mode) == 0o600


def test_the_key_is_made_once(closed_path):
    before = Path(closed_path + ".key").read_bytes()
    Memory.init(closed_path)
    with Memory.open(closed_path) as memory:
        memory.add("again 再来")
    assert Path(closed_path + ".key").read_bytes() == before


def test_no_half_made_key_is_left(file_world, tmp_path):
    assert not [name for name in os.listdir(tmp_path) if name.endswith(".new")]


def test_two_stores_have_different_keys(tmp_path):
    for name in ("a", "b"):
        Memory.open(tmp_path / name).close()
    assert (tmp_path / "a.key").read_bytes() != (tmp_path / "b.key").read_bytes()


def test_the_key_is_nowhere_in_the_store(closed_path):
    assert Path(closed_path + ".key").read_bytes() not in Path(closed_path).read_bytes()


def test_without_its_key_a_store_can_be_read(closed_path):
    os.remove(closed_path + ".key")
    with Memory.open(closed_path) as memory:
        reader = memory.scoped("user:ana")
        assert [hit.episode.text for hit in reader.search("喝茶")] == ["喜欢喝茶 likes tea"]
        assert reader.stats().episodes == 1


def test_without_its_key_nothing_is_taken_in(closed_path):
    os.remove(closed_path + ".key")
    with Memory.open(closed_path, scope="user:ana") as memory:
        with pytest.raises(errors.KeyFileError, match="cannot be read") as caught:
            memory.add("x")
        assert caught.value.hint
        assert len(memory.operations()) == 2


def test_a_missing_key_is_never_made_anew_for_a_store_that_has_one(closed_path):
    os.remove(closed_path + ".key")
    Memory.init(closed_path)
    assert not os.path.exists(closed_path + ".key")


def test_the_key_of_another_store_is_refused(closed_path, tmp_path):
    Memory.open(tmp_path / "other").close()
    os.replace(tmp_path / "other.key", closed_path + ".key")
    with (
        Memory.open(closed_path) as memory,
        pytest.raises(errors.KeyFileError, match="another store"),
    ):
        memory.add("x")


@pytest.mark.parametrize("size", [0, 31, 33, 1000])
def test_a_key_of_a_wrong_size_is_refused(closed_path, size):
    Path(closed_path + ".key").write_bytes(b"k" * size)
    with Memory.open(closed_path) as memory, pytest.raises(errors.KeyFileError, match="32 bytes"):
        memory.add("x")


def test_a_key_that_is_put_back_works_again(closed_path):
    kept = Path(closed_path + ".key").read_bytes()
    os.remove(closed_path + ".key")
    with Memory.open(closed_path, scope="user:ana") as memory:
        with pytest.raises(errors.KeyFileError):
            memory.add("x")
        Path(closed_path + ".key").write_bytes(kept)
        assert memory.add("喜欢喝茶 likes tea").recorded == 2


def test_a_store_in_memory_leaves_no_key(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Memory.open(":memory:") as memory:
        memory.add("x y")
    assert os.listdir(tmp_path) == []


def test_a_fingerprint_depends_on_key_purpose_fields_and_their_borders():
    key = Key(b"a" * 32)
    prints = {
        key.fingerprint(
            b"p",
            (
                "ab",
                "c",
            ),
        ),
        key.fingerprint(
            b"p",
            (
                "a",
                "bc",
            ),
        ),
        key.fingerprint(b"p", ("abc",)),
        key.fingerprint(
            b"q",
            (
                "ab",
                "c",
            ),
        ),
        key.fingerprint(
            b"p",
            (
                "ab",
                "c",
                "",
            ),
        ),
        Key(b"b" * 32).fingerprint(
            b"p",
            (
                "ab",
                "c",
            ),
        ),
    }
    assert len(prints) == 6


def test_a_key_does_not_show_itself():
    assert "secret" not in repr(Key(b"secret" * 5 + b"xx"))
