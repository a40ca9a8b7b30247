"""A commit that failed is answered for: it is there, or it is not and cannot come to be."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from memorycore import Memory, errors
from memorycore.store.connection import open_connection, transaction

DRAFTS = [{"text": f"message {n} 消息"} for n in range(9000)]


@pytest.fixture
def memory(disk: Any, store_path: str) -> Iterator[Memory]:
    with Memory.open(store_path, scope="user:ana") as memory:
        memory.add("first 第一")
        yield memory
        disk.heal()


def texts(path: str) -> list[str]:
    with Memory.open(path, scope="user:ana", create=False) as memory:
        return [one.text for one in memory.episodes(limit=20_000)]


def scopes(path: str) -> int:
    db = open_connection(path, read_only=False, busy_timeout=1)
    count = db.execute("SELECT count(*) FROM scopes").get
    db.close()
    return int(count)


def test_a_commit_whose_sync_failed_is_not_there_and_no_crash_brings_it_back(
    disk: Any, memory: Memory, store_path: str, tmp_path: Any, copy_store: Callable[..., str]
) -> None:
    disk.arm("sync", "log", 0)
    with pytest.raises(errors.StorageError, match="nothing was written") as caught:
        memory.add("second 第二")
    assert caught.value.code == "storage"
    assert disk.failed
    crashed = copy_store(store_path, str(tmp_path / "crash" / "memory.db"))
    assert texts(crashed) == texts(store_path) == ["first 第一"]
    assert memory.add("second 第二").text == "second 第二"
    assert texts(store_path) == ["first 第一", "second 第二"]


def test_what_a_failed_sync_leaves_in_the_log_is_a_commit_to_whoever_recovers_it(
    disk: Any, memory: Memory, store_path: str, tmp_path: Any, copy_store: Callable[..., str]
) -> None:
    # This is why the store looks again, and writes over it.
    db = open_connection(store_path, read_only=False, busy_timeout=1)
    disk.arm("sync", "log", 0)
    with pytest.raises(errors.UnknownOutcomeError), transaction(db):
        db.execute("INSERT INTO scopes(name) VALUES('user:bo')")
    db.close()
    crashed = copy_store(store_path, str(tmp_path / "crash" / "memory.db"))
    assert [scopes(path) for path in (store_path, crashed)] == [1, 2]


def test_where_it_cannot_look_again_the_outcome_is_said_to_be_unknown(
    disk: Any, memory: Memory, store_path: str
) -> None:
    disk.arm("sync", "log", 0, lasting=True)
    with pytest.raises(errors.UnknownOutcomeError) as caught:
        memory.add("second 第二")
    assert caught.value.hint
    disk.heal()
    memory.add("second 第二")
    assert texts(store_path) == ["first 第一", "second 第二"]


def test_a_commit_that_is_there_though_it_failed_is_a_success(
    disk: Any, memory: Memory, store_path: str
) -> None:
    # Every so often a commit also writes the log into the file; here that is what fails.
    memory._store._writer.raw.wal_autocheckpoint(1)
    disk.arm("write", "database", 0)
    assert memory.add("second 第二").text == "second 第二"
    assert disk.failed
    assert texts(store_path) == ["first 第一", "second 第二"]


@pytest.mark.parametrize("after", [1, 2])
def test_a_later_batch_of_a_run_is_answered_for_too(
    disk: Any, memory: Memory, store_path: str, after: int
) -> None:
    disk.arm("sync", "log", after)
    with pytest.raises(errors.StorageError, match="nothing was written"):
        memory.add_many(DRAFTS)
    assert disk.failed
    assert len(texts(store_path)) == 1 + 4000 * after
    assert memory.add_many(DRAFTS).stored == 9000 - 4000 * after


def test_what_has_no_operation_says_that_it_is_not_known(disk: Any, memory: Memory) -> None:
    memory.forget(memory.add("tea 茶").id, level="redact", finish=False)
    # Cleaning the file comes first, and other errors with it; then the receipt is written.
    told = []
    for after in range(20):
        disk.arm("sync", "log", after)
        with suppress(errors.StorageError):
            try:
                memory.finish_forgetting()
            except errors.UnknownOutcomeError as error:
                told.append(error.hint)
    assert told
    assert all(told)
    disk.heal()
    memory.finish_forgetting()
    assert memory.pending_forgetting() == 0


def test_a_reading_connection_that_failed_is_not_used_again(disk: Any, memory: Memory) -> None:
    memory.search("first")
    [before] = memory._store._free_readers
    disk.arm("read", "log", 0)
    memory.add("second 第二")
    with pytest.raises(errors.StorageError):
        memory.search("second")
    assert before not in memory._store._free_readers
    assert len(memory.search("second")) == 1
