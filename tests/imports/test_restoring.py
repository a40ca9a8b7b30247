"""A backup that is put back holds nothing of imports that were forgotten since."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memorycore import Memory
from memorycore.store.connection import open_connection

TEA = "The user drinks oolong zyxwvut tea every morning."


def tables_with(path: str, dump: Any, word: str) -> list[str]:
    db = open_connection(path, read_only=True, busy_timeout=1)
    found = [name for name, rows in dump(db) if word in repr(rows).lower()]
    db.close()
    return found


@pytest.mark.parametrize("carried_out", [True, False])
def test_an_import_that_was_forgotten_does_not_come_back_with_a_backup(
    store_path: str, tmp_path: Path, dump: Any, make_desk: Any, carried_out: bool,
    assert_sound: Callable[[str], None],
) -> None:  # fmt: skip
    with Memory.open(store_path, scope="user:ana") as memory:
        desk = make_desk(memory)
        job = desk.bring(TEA) if carried_out else desk.decide(TEA, by="review")
        kept = memory.backup(tmp_path / "kept.db").path
        memory.forget(memory.plan_forget(import_=job.id, level="purge"))
    assert "import_items" in tables_with(kept, dump, "zyxwvut") or carried_out
    Memory.restore(kept, store_path)
    assert tables_with(store_path, dump, "zyxwvut") == []
    with Memory.open(store_path, scope="user:ana") as memory:
        assert (memory.import_jobs(), list(memory.facts())) == ([], [])
    assert_sound(store_path)


def test_what_a_waiting_job_quoted_does_not_come_back_either(
    store_path: str, tmp_path: Path, dump: Any, make_desk: Any
) -> None:
    with Memory.open(store_path, scope="user:ana") as memory:
        told = memory.add(TEA)
        make_desk(memory).decide(f"{TEA} Always.", by="review")
        kept = memory.backup(tmp_path / "kept.db").path
        memory.forget(memory.plan_forget(told.id, level="purge"))
    Memory.restore(kept, store_path)
    assert tables_with(store_path, dump, "zyxwvut") == []


def test_a_replaced_fact_stands_again_where_its_replacement_was_forgotten(
    store_path: str, tmp_path: Path, make_desk: Any
) -> None:
    coffee = "The user drinks black coffee every morning now."
    with Memory.open(store_path, scope="user:ana") as memory:
        desk = make_desk(memory)
        desk.bring(TEA)
        desk.bring(coffee, by=desk.always("SUPERSEDE"))
        kept = memory.backup(tmp_path / "kept.db").path
        memory.forget(memory.plan_forget(desk.fact(coffee).id, level="purge"))
        today = desk.facts()
    Memory.restore(kept, store_path)
    with Memory.open(store_path, scope="user:ana") as memory:
        assert make_desk(memory).facts() == today == [TEA]
