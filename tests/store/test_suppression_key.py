"""The key of what was forgotten is there just when the store says so."""

import os
from collections.abc import Callable
from contextlib import suppress

from memorycore import Memory, errors
from memorycore.open_store import OpenStore

FORGET = """
import sys
from memorycore import Memory
with Memory.open(sys.argv[1], scope="user:ana") as memory:
    memory.destroy_suppression_key()
    memory.forget(memory.add("I like coffee 咖啡").id, level="redact")
"""


def refuses(memory: Memory, text: str) -> bool:
    try:
        memory.add(text)
    except errors.SuppressedError:
        return True
    return False


def test_a_dry_run_makes_no_key_and_leaves_none_behind(
    file_memory: Memory, store_path: str
) -> None:
    told = file_memory.add("I like tea 茶")
    file_memory.forget(told.id, level="redact", dry_run=True)
    assert not os.path.exists(f"{store_path}.forget.key")
    file_memory.forget(told.id, level="redact")
    with Memory.open(store_path, scope="user:ana") as memory:
        assert refuses(memory, "I like tea 茶")


def test_a_forgetting_that_was_rolled_back_leaves_the_key_to_the_next(
    file_memory: Memory, store_path: str
) -> None:
    told = file_memory.add("I like tea 茶")
    store: OpenStore = file_memory._store
    with suppress(KeyboardInterrupt), store.write() as db:
        store.suppression_key(db, make=True)
        raise KeyboardInterrupt
    file_memory.forget(told.id, level="redact")
    with Memory.open(store_path, scope="user:ana") as memory:
        assert refuses(memory, "I like tea 茶")


def test_a_key_that_another_process_has_put_in_place_of_the_first_is_used(
    file_memory: Memory, run_python: Callable[..., str]
) -> None:
    file_memory.forget(file_memory.add("I like tea 茶").id, level="redact")
    assert refuses(file_memory, "I like tea 茶")
    run_python(FORGET, file_memory._store.path)
    assert refuses(file_memory, "I like coffee 咖啡")
    assert not refuses(file_memory, "I like tea 茶")
