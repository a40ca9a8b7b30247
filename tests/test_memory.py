"""The library's front door: paging, ids, threads, forks, clocks, and closing."""

import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorycore import Draft, Memory, errors
from memorycore.bulk import BATCH


def pages(memory, query, **settings_):
    cursor = None
    while True:
        page = memory.search(query, cursor=cursor, **settings_)
        yield page
        if (cursor := page.next) is None:
            return


def numbers(found):
    return [hit.episode.number for page in found for hit in page]


@pytest.mark.parametrize("limit", [1, 7, 50, 200, 249, 250, 251])
def test_paging_gives_250_distinct_episodes_in_the_order_of_one_long_page(memory, limit):
    memory.add_many({"text": f"cup {n} of tea 茶" + " more" * (n % 9)} for n in range(250))
    long = numbers([memory.search("tea 茶", limit=1000)])
    assert len(set(long)) == 250
    assert numbers(pages(memory, "tea 茶", limit=limit)) == long


def test_paging_goes_through_several_scopes_and_pools(memory):
    for scope, count in (("user:ana", 450), ("user:bo", 30), ("team", 230)):
        memory.add_many({"text": f"tea {n} 茶", "scope": scope} for n in range(count))
    ask = memory.scoped("user:ana", reads=["user:bo", "team", "nobody"])
    found = numbers(pages(ask, "tea", limit=64))
    assert len(found) == len(set(found)) == 710


@settings(max_examples=30, deadline=None)
@given(
    items=st.lists(st.sampled_from(["tea", "green tea", "tea?", "茶 tea tea", "no"]), max_size=60),
    limit=st.integers(1, 20),
)
def test_pages_of_any_width_are_the_whole(make_world, items, limit):
    with make_world() as world:
        world.memory.add_many({"text": t, "external_id": str(n)} for n, t in enumerate(items))
        whole = numbers([world.memory.search("green tea", limit=1000)])
        assert numbers(pages(world.memory, "green tea", limit=limit)) == whole


def test_the_last_page_has_no_next(memory):
    memory.add_many({"text": f"tea {n}"} for n in range(10))
    assert memory.search("tea", limit=10).next is None
    assert memory.search("tea", limit=9).next is not None


def test_what_is_added_between_pages_does_not_appear_in_later_ones(memory):
    memory.add_many({"text": f"tea {n}"} for n in range(60))
    first = memory.search("tea", limit=20)
    memory.add_many({"text": f"tea tea tea new {n}"} for n in range(50))
    second = memory.search("tea", limit=20, cursor=first.next)
    third = memory.search("tea", limit=20, cursor=second.next)
    found = numbers([first, second, third])
    assert sorted(found) == list(range(1, 61))
    assert third.next is None


def test_what_a_run_adds_between_pages_does_not_appear_in_later_ones(memory):
    pages_ = []

    def read_on(_count):
        cursor = pages_[-1].next if pages_ else None
        pages_.append(memory.search("tea", limit=600, cursor=cursor))

    memory.ingest((Draft(f"tea {n}") for n in range(2 * BATCH)), progress=read_on)
    assert len(numbers(pages_)) == len(set(numbers(pages_))) == 1200
    assert max(numbers(pages_)) <= BATCH


QUESTION = {
    "query": "tea",
    "limit": 5,
    "session": "s",
    "roles": ["user"],
    "since": "2024",
    "until": "2026",
}


@pytest.fixture
def cursor(memory):
    memory.add_many(
        {"text": f"tea {n}", "session": "s", "at": "2025-01-01", "external_id": str(n)}
        for n in range(20)
    )
    return memory.search(**QUESTION).next


@pytest.mark.parametrize(
    "other",
    [
        {"query": "Tea"},
        {"session": None},
        {"roles": []},
        {"since": "2023"},
        {"until": None},
    ],
    ids=str,
)
def test_a_cursor_of_another_question_is_refused(memory, cursor, other):
    assert len(memory.search(**QUESTION, cursor=cursor)) == 5
    with pytest.raises(errors.InvalidCursorError) as caught:
        memory.search(**QUESTION | other, cursor=cursor)
    assert caught.value.hint


def test_a_cursor_fits_any_width_of_page(memory, cursor):
    assert len(memory.search(**QUESTION | {"limit": 15}, cursor=cursor)) == 15


@pytest.mark.parametrize("handle", [("user:bo", []), ("user:ana", ["user:bo"])])
def test_a_cursor_of_other_scopes_is_refused(memory, cursor, handle):
    with pytest.raises(errors.InvalidCursorError):
        memory.scoped(*handle).search(**QUESTION, cursor=cursor)


def test_a_cursor_of_another_store_is_refused(cursor, make_world):
    ids = type("Later", (), {"__call__": lambda self, at: b"\x01" * 16})()
    with make_world(ids=ids) as other, pytest.raises(errors.InvalidCursorError):
        other.memory.search(**QUESTION, cursor=cursor)


def test_a_cursor_fits_a_window_that_was_told_from_now(memory):
    memory.add_many({"text": f"tea {n}", "at": "2024-12-31"} for n in range(20))
    first = memory.search("tea", limit=5, since="-3d")
    assert len(memory.search("tea", limit=5, since="-3d", cursor=first.next)) == 5


@pytest.mark.parametrize("cursor", ["", "x", "AAAA", "é", "🙂", "A" * 27, "A" * 5000, "=" * 8])
def test_a_damaged_cursor_is_refused(memory, cursor):
    with pytest.raises(errors.InvalidCursorError):
        memory.search("tea", cursor=cursor)


def test_a_cursor_that_was_changed_anywhere_is_refused(memory, cursor):
    for at in range(len(cursor) - 1):
        changed = cursor[:at] + ("B" if cursor[at] != "B" else "C") + cursor[at + 1 :]
        with pytest.raises(errors.InvalidCursorError):
            memory.search(**QUESTION, cursor=changed)


def test_an_episode_is_got_by_its_id_in_any_case_and_by_its_start(memory):
    episode = memory.add("部署方案")
    whole = episode.id
    assert memory.get(whole) == memory.get("ep_" + whole[3:].lower()) == episode
    assert memory.get(whole[:-1]) == episode


def test_an_operation_is_got_by_its_id(memory):
    memory.add("tea")
    newest = memory.operations()[0]
    assert memory.get(newest.id) == newest


def test_a_start_that_fits_several_names_them(memory):
    first, second = memory.add("one"), memory.add("two")
    with pytest.raises(errors.AmbiguousIdError) as caught:
        memory.get("ep_0000")
    assert first.id in str(caught.value)
    assert second.id in str(caught.value)
    with pytest.raises(errors.AmbiguousIdError):
        memory.get("op_0000")


@pytest.mark.parametrize("id_", ["ep_7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "ep_7ZZZ", "op_7ZZZ", "ent_7ZZZ"])
def test_what_is_not_there_is_not_found(memory, id_):
    memory.add("tea")
    with pytest.raises(errors.NotFoundError):
        memory.get(id_)


@pytest.mark.parametrize("id_", ["", "ep", "ep_", "ep_1", "xx_0000", "ep_00U0", "ep_" + "0" * 27])
def test_what_is_no_id_is_refused(memory, id_):
    with pytest.raises(errors.InvalidInputError):
        memory.get(id_)


def test_an_id_of_another_scope_is_not_found_and_not_told(memory):
    episode = memory.scoped("user:bo").add("bo's secret 秘密")
    with pytest.raises(errors.NotFoundError) as caught:
        memory.get(episode.id)
    assert "秘密" not in str(caught.value)
    assert "user:bo" not in str(caught.value)
    assert memory.scoped("user:ana", reads=["user:bo"]).get(episode.id) == episode


def test_ids_of_other_scopes_do_not_hide_an_episode_from_its_start(memory):
    bo = memory.scoped("user:bo")
    for number in range(5):
        bo.add(f"bo {number}")
    episode = memory.add("mine")
    assert memory.get("ep_0000") == episode


def test_ids_of_other_scopes_do_not_hide_that_a_start_fits_several(memory):
    memory.add("first")
    for number in range(5):
        memory.scoped("user:bo").add(f"bo {number}")
    memory.add("second")
    with pytest.raises(errors.AmbiguousIdError):
        memory.get("ep_0000")


def test_eight_threads_share_a_handle(file_memory):
    def work(thread):
        for number in range(25):
            episode = file_memory.add(f"tea {thread}-{number} 茶", session=f"s{thread % 3}")
            assert file_memory.get(episode.id) == episode
            assert len(file_memory.search("tea 茶", limit=5)) >= 1
        return thread

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(work, range(8))) == list(range(8))
    assert file_memory.stats().episodes == 200
    assert len(file_memory.search("tea", limit=1000)) == 200


def test_eight_threads_share_a_store_in_memory(memory):
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: memory.add(f"tea {number}"), range(80)))
        assert {len(page) for page in pool.map(lambda _: memory.search("tea"), range(8))} == {10}
    assert memory.stats().episodes == 80


def test_threads_that_add_the_same_message_keep_it_once(file_memory):
    barrier = threading.Barrier(8)

    def add(_thread):
        barrier.wait()
        return file_memory.add("the same message 同一句话").id

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(add, range(8)))) == 1


ACTS = {
    "add": lambda memory: memory.add("x"),
    "search": lambda memory: memory.search("x"),
    "get": lambda memory: memory.get("ep_0000"),
    "stats": lambda memory: memory.stats(),
    "operations": lambda memory: memory.operations(),
    "undo": lambda memory: memory.undo(),
    "sql": lambda memory: list(memory.sql("SELECT 1")),
}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("place", [":memory:", "file"])
def test_a_closed_handle_refuses_everything(tmp_path, place, act):
    memory = Memory.open(place if place == ":memory:" else tmp_path / place)
    other = memory.scoped("user:bo")
    memory.close()
    memory.close()
    for handle in (memory, other):
        with pytest.raises(errors.ClosedError):
            ACTS[act](handle)


def test_a_handle_opened_for_reading_reads_and_does_not_write(file_memory, store_path):
    file_memory.add("tea 茶")
    with Memory.open(store_path, scope="user:ana", read_only=True) as reader:
        assert len(reader.search("茶")) == 1
        for act in (ACTS["add"], ACTS["undo"]):
            with pytest.raises(errors.ReadOnlyStoreError):
                act(reader)


FORK = """
import os, sys
from memorycore import Memory, errors
memory = Memory.open(sys.argv[1])
memory.add("before the fork")
child = os.fork()
if not child:
    for act in [{acts}]:
        try:
            act()
            print("no error", flush=True)
        except errors.ForkedHandleError:
            print("forked", flush=True)
    memory.close()
    sys.exit()
_, status = os.waitpid(child, 0)
memory.add("after the fork")
print(status, len(memory.search("fork")), flush=True)
memory.close()
with Memory.open(sys.argv[1]) as memory:
    print(memory.stats().episodes)
"""


def test_in_a_forked_child_the_handle_is_refused_and_the_parent_goes_on(run_python, store_path):
    acts = "lambda: memory.add('x'), lambda: memory.search('fork')"
    out = run_python(FORK.replace("{acts}", acts), store_path)
    assert out.splitlines() == ["forked", "forked", "0 2", "2"]


def test_in_a_forked_child_the_handle_is_refused_each_time(run_python, store_path):
    out = run_python(FORK.replace("{acts}", "lambda: memory.search('fork')," * 3), store_path)
    assert out.splitlines()[:3] == ["forked"] * 3


@pytest.mark.parametrize("step", [0, -1_000_000, -3_600_000_000])
def test_recorded_time_grows_when_the_clock_stands_or_steps_back(make_world, step):
    with make_world() as world:
        world.clock.step = step
        for number in range(20):
            world.memory.add(f"tea {number}")
        world.memory.undo()
        times = [operation.at for operation in reversed(world.memory.operations(limit=100))]
    assert len(times) == 22
    assert times == sorted(set(times))


def test_recorded_time_is_the_clock_s_when_it_goes_on(world):
    world.memory.add("tea")
    assert world.memory.operations()[0].at == world.clock.now


def test_the_newest_operations_come_first(memory):
    for number in range(5):
        memory.add(f"tea {number}")
    assert [operation.number for operation in memory.operations(limit=3)] == [6, 5, 4]


def test_what_is_counted_is_what_may_be_seen(memory):
    memory.add_many([{"text": "tea", "at": "2025-03-01", "session": "s"}, {"text": "undated"}])
    memory.add("withdrawn")
    memory.undo()
    shape = memory.stats().to_dict()
    assert (shape["episodes"], shape["without_time"], shape["operations"]) == (2, 1, 4)
    assert shape["first_at"] == shape["last_at"] == "2025-03-01T00:00:00Z"
    assert shape["scopes"] == [{"name": "user:ana", "sessions": 1, "episodes": 2, "facts": 0}]


def test_times_without_an_offset_are_read_in_the_zone_of_the_store(tmp_path):
    with Memory.open(tmp_path / "m.db", time_zone="Asia/Shanghai") as memory:
        memory.add("早", at="2025-03-01T08:00:00")
    with Memory.open(tmp_path / "m.db", time_zone="UTC") as memory:
        assert memory.time_zone == "Asia/Shanghai"
        assert memory.search("早")[0].episode.to_dict()["at"] == "2025-03-01T08:00:00+08:00"


def test_a_store_is_not_made_with_a_zone_that_does_not_exist(tmp_path):
    with pytest.raises(errors.InvalidTimeError):
        Memory.open(tmp_path / "m.db", time_zone="Mars/Base").close()
    assert not (tmp_path / "m.db").exists()


@pytest.mark.parametrize("settings_", [{"read_only": True}, {"create": False}], ids=str)
def test_a_store_in_memory_cannot_be_there_already(settings_):
    with pytest.raises(errors.StoreMissingError):
        Memory.open(":memory:", **settings_)


SLOW_START = """
import sys
from memorycore import Memory
def clock():
    print("making", flush=True)
    sys.stdin.readline()
    return 1
Memory.open(sys.argv[1], clock=clock).close()
"""


def test_opening_a_store_that_is_just_being_made_waits_for_it(start_python, store_path):
    first = start_python(SLOW_START, store_path)
    assert first.stdout.readline() == "making\n"
    second = start_python(SLOW_START.replace("clock=clock", "busy_timeout=20"), store_path)
    with pytest.raises(subprocess.TimeoutExpired):
        second.wait(timeout=1)
    first.communicate("\n" * 9, timeout=20)
    assert second.wait(timeout=20) == 0


def test_no_use_case_hides_another_of_the_same_name():
    named: dict[str, str] = {}
    for part in reversed(Memory.__mro__[:-1]):
        for name in vars(part):
            if not name.startswith("__"):
                assert name not in named, (name, part.__name__, named[name])
                named[name] = part.__name__
