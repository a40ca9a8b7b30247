"""The same memory for asyncio."""

import asyncio
import contextlib

import pytest

from memorycore import AsyncMemory, Memory, errors


def run(work):
    return asyncio.run(work)


def test_it_does_what_memory_does(store_path):
    async def work():
        async with await AsyncMemory.open(store_path, scope="user:ana") as memory:
            episode = await memory.add("今天讨论了部署方案", session="s1")
            many = await memory.add_many([{"text": "tea"}, {"text": " "}], on_error="collect")
            assert (many.stored, many.rejected) == (1, 1)
            found = await memory.search("部署", explain=True)
            assert [hit.episode for hit in found] == [episode]
            assert await memory.get(episode.id) == episode
            assert [row async for row in memory.sql("SELECT count(*) AS n FROM episodes")] == [
                {"n": 2}
            ]
            undone = await memory.undo()
            assert undone.withdrawn == 1
            assert [one.kind for one in await memory.operations(limit=2)] == ["undo", "ingest"]
            assert (await memory.stats()).episodes == 1

    run(work())
    with Memory.open(store_path, scope="user:ana") as memory:
        assert len(memory.search("部署")) == 1


def test_many_calls_at_once_all_arrive(store_path):
    async def work():
        async with await AsyncMemory.open(store_path) as memory:
            await asyncio.gather(*(memory.add(f"tea {n} 茶") for n in range(40)))
            found = await asyncio.gather(*(memory.search("茶", limit=100) for _ in range(10)))
            assert {len(page) for page in found} == {40}

    run(work())


def test_calls_do_not_hold_up_the_loop(store_path):
    async def work():
        async with await AsyncMemory.open(store_path) as memory:
            items = [{"text": f"message {n} 消息"} for n in range(3000)]
            ingest = asyncio.create_task(memory.add_many(items))
            turns = 0
            while not ingest.done():
                await asyncio.sleep(0.001)
                turns += 1
            assert (await ingest).stored == 3000
            assert turns > 5

    run(work())


def test_a_call_that_is_cancelled_leaves_a_whole_write_or_none(store_path):
    async def work():
        async with await AsyncMemory.open(store_path) as memory:
            items = [{"text": f"message {n} 消息"} for n in range(3900)]
            ingest = asyncio.create_task(memory.add_many(items))
            await asyncio.sleep(0.02)
            ingest.cancel()
            # On a slow machine the write may be over already: then there is nothing to cancel.
            with contextlib.suppress(asyncio.CancelledError):
                await ingest
            # The write turn is free again only when the write is over.
            await memory.add("afterwards 之后")
            assert (await memory.stats()).episodes in (1, 3901)

    run(work())


def test_errors_are_those_of_memory(store_path):
    async def work():
        memory = await AsyncMemory.open(store_path)
        with pytest.raises(errors.InvalidQueryError):
            await memory.search(" ")
        with pytest.raises(errors.SecretRefusedError):
            await memory.add("my password is hunter2-correct-horse")
        await memory.close()
        with pytest.raises(errors.ClosedError):
            await memory.add("tea")

    run(work())


def test_a_scoped_handle_sees_its_scope(store_path):
    async def work():
        async with await AsyncMemory.open(store_path, scope="user:ana") as memory:
            await memory.scoped("user:bo").add("bo's tea")
            assert len(await memory.search("tea")) == 0
            assert len(await memory.scoped("team", ("user:bo",)).search("tea")) == 1

    run(work())


def test_a_person_is_found_told_of_and_handed_out(store_path, tmp_path):
    async def work():
        async with await AsyncMemory.open(store_path, scope="user:ana") as memory:
            await memory.add("Good morning.", speaker="安娜")
            assert len((await memory.find_subject("安娜")).exact) == 1
            assert (await memory.subject("安娜")).counts.said == 1
            done = await memory.export_subject("安娜", tmp_path / "a.zip")
            assert (tmp_path / "a.zip").stat().st_size == done.size_bytes

    run(work())


def test_forgetting_is_awaited_like_everything_else(store_path):
    async def talk() -> None:
        async with await AsyncMemory.open(store_path, scope="user:ana") as memory:
            episode = await memory.add("the green house 绿房子")
            plan = await memory.plan_forget(episode.id, level="purge")
            receipt = await memory.forget(plan)
            assert receipt.is_settled
            assert await memory.finish_forgetting() == []
            assert await memory.receipts() == [receipt]
            _, lifted = await memory.lift(receipt.id)
            assert lifted == 1

    asyncio.run(talk())


def test_memory_review_is_awaited_like_everything_else(store_path):
    async def work():
        async with await AsyncMemory.open(store_path, scope="project:web") as memory:
            for change in ("c1", "c2"):
                packet = await memory.review_packet(
                    language="en",
                    workflow="build",
                    change=change,
                    checkpoint="verified",
                    evidence=[{"text": "Stage only changed files", "candidateKey": "k"}],
                )
                await memory.queue_review(packet)
            done = await memory.run_reviews()
            assert len(await memory.review_queue()) == 2
            told = {"language": "en", "workflow": "build", "candidate_key": "k"}
            more = await memory.observe("Stage only changed files", change="c3", **told)
            [record] = await memory.review_records()
            used = await memory.memory_used(record.id, "used-successfully", change="c4")
            assert not (await memory.check_review(packet, {})).ok
            assert await memory.pause_learning()
            assert await memory.retry_reviews() == 0
            return [one.outcome for one in done], more.result, used.result

    results = asyncio.run(work())
    assert results == (["candidate-created", "candidate-promoted"], "deduplicated", "ignored")
