"""The awaitable face has the imports too."""

import asyncio
import json
from pathlib import Path

from memorycore import AsyncMemory

TEXT = json.dumps({"candidates": [{"title": "t", "summary": "Ana drinks tea."}]})


async def use(path: Path) -> list[object]:
    async with await AsyncMemory.open(path, scope="user:ana") as memory:
        job = await memory.import_(text=TEXT, decider="review")
        [item] = await memory.import_items(job.id, waiting=True)
        await memory.import_choose(job.id, {item.number: "ADD"})
        done = await memory.import_apply(job.id)
        undone = await memory.import_undo(job.id)
        states = [(await memory.import_job(job.id)).state, *(
            one.state for one in await memory.import_jobs())]  # fmt: skip
        return [done.at.imported, undone.facts_gone, *states]


def test_an_import_can_be_awaited_from_end_to_end(tmp_path: Path) -> None:
    assert asyncio.run(use(tmp_path / "m.db")) == [1, 1, "undone", "undone"]


async def fail(path: Path) -> str:
    async with await AsyncMemory.open(path) as memory:
        job = await memory.import_(text="Sure!")
        return (await memory.import_retry(job.id)).state


def test_a_retry_can_be_awaited(tmp_path: Path) -> None:
    assert asyncio.run(fail(tmp_path / "m.db")) == "extracting"
