"""An import that is killed, raced or run twice loses nothing and doubles nothing."""

import os
import random
import signal
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from memorycore import Memory

LONG = os.environ.get("MEMORYCORE_LONG_TESTS") == "1"
KILLS = 30 if LONG else 5
TOTAL = 24
GROUND = """
import json, sys, time
from memorycore import Memory, errors
from memorycore.model.import_item import Verdict
TOTAL = 24
def document():
    return json.dumps({"candidates": [
        {"title": f"Tea {n}", "summary": f"The user likes tea number {n}."} for n in range(TOTAL)]})
class Slow:
    name, is_slow, can_recover = "model", True, False
    def decide(self, content, proposals, matches):
        print("asked", flush=True)
        time.sleep(0.02)
        return Verdict("ADD", (), None, "so", 0.9)
"""
DECIDE = (
    GROUND
    + """
with Memory.open(sys.argv[1], scope="user:ana") as memory:
    memory.import_(text=document(), decider=Slow())
"""
)
RETRY = (
    GROUND
    + """
with Memory.open(sys.argv[1], scope="user:ana") as memory:
    [job] = memory.import_jobs()
    print("ready", flush=True)
    sys.stdin.readline()
    memory.import_retry(job.id, decider=Slow())
    print(memory.import_job(job.id).at.processed, flush=True)
"""
)
LINES = """
import sys, types
from memorycore.model.candidate import Candidate, Quote
from memorycore.model.draft import Draft
from memorycore.model.import_item import Item, Proposal
from memorycore.port import import_format
import json
class Lines:
    name, keeps_document, compares, role = "lines", False, False, "user"
    def read(self, stream, *, source, zone):
        for line in stream:
            text = line.decode().strip()
            yield Item(json.dumps(text), text, (text,))
    def search_of(self, content):
        return ""
    def drafts(self, content, *, source, zone):
        return (Draft(json.loads(content), "user", source=source),)
    def propose(self, content, episodes, *, zone):
        text = json.loads(content)
        return [Proposal(Candidate("note", (Quote(episodes[0]),), value=text, is_literal=True))]
home = types.ModuleType("lines_format")
home.open_format = lambda options: Lines()
sys.modules["lines_format"] = home
import_format.FORMATS["lines"] = "lines_format"
"""
APPLY = (
    LINES
    + """
from memorycore import Memory, errors
from memorycore.engine import import_apply
import_apply.PAGE = 20
with Memory.open(sys.argv[1], scope="user:ana") as memory:
    [job] = memory.import_jobs()
    print("ready", flush=True)
    if len(sys.argv) > 2:
        sys.stdin.readline()
    try:
        done = memory.import_apply(job.id)
        print(done.state, done.at.imported, flush=True)
    except errors.MemoryCoreError as error:
        print(error.message, flush=True)
"""
)
READ = (
    LINES
    + """
from memorycore import Memory
with Memory.open(sys.argv[1], scope="user:ana") as memory:
    text = "".join(f"The user likes tea number {n}.\\n" for n in range(200))
    print(memory.import_(text=text, format="lines").id)
"""
)


def test_a_kill_while_a_model_thinks_loses_and_doubles_no_decision(
    store_path: str, start_python: Callable[..., Any], assert_sound: Callable[[str], None]
) -> None:
    Memory.init(store_path)
    chance = random.Random(7)
    process = start_python(DECIDE, store_path)
    decided = 0
    for _ in range(KILLS):
        for _ in range(chance.randint(1, 3)):
            assert process.stdout.readline() in ("asked\n", "ready\n", "")
        process.send_signal(signal.SIGKILL)
        process.wait()
        with Memory.open(store_path, scope="user:ana") as memory:
            [job] = memory.import_jobs()
            assert job.state in ("processing", "ready")
            assert (job.at.total, job.at.processed >= decided) == (TOTAL, True)
            decided = job.at.processed
            items = memory.import_items(job.id)
            assert [one.choice is not None for one in items] == [
                number < decided for number in range(TOTAL)
            ]
        process = start_python(RETRY, store_path)
        process.stdin.write("\n")
        process.stdin.flush()
    process.kill()
    process.wait()
    with Memory.open(store_path, scope="user:ana") as memory:
        [job] = memory.import_jobs()
        if job.state == "processing":
            memory.import_retry(job.id, decider="rules")
        assert memory.import_apply(job.id).at.imported == TOTAL
        assert len(list(memory.facts())) == TOTAL
    assert_sound(store_path)


def test_two_processes_decide_each_item_once(
    store_path: str, start_python: Callable[..., Any]
) -> None:
    with Memory.open(store_path, scope="user:ana") as memory:
        first = start_python(DECIDE, store_path)
        first.stdout.readline()
        first.kill()
        first.wait()
        both = [start_python(RETRY, store_path) for _ in range(2)]
        for one in both:
            assert one.stdout.readline() == "ready\n"
        for one in both:
            one.stdin.write("\n")
            one.stdin.flush()
        told = [one.communicate()[0].splitlines() for one in both]
        assert [lines[-1] for lines in told] == [str(TOTAL)] * 2
        [job] = memory.import_jobs()
        assert (job.state, job.at.processed, job.actions) == ("ready", TOTAL, {"ADD": TOTAL})


def test_a_kill_in_the_middle_of_carrying_out_goes_on_where_it_stopped(
    store_path: str,
    start_python: Callable[..., Any],
    run_python: Callable[..., str],
    assert_sound: Callable[[str], None],
) -> None:
    run_python(READ, store_path)
    chance = random.Random(11)
    for _ in range(KILLS):
        process = start_python(APPLY, store_path)
        process.stdout.readline()
        try:
            process.wait(chance.uniform(0.01, 0.2))
        except subprocess.TimeoutExpired:  # It is still at work: that is when it is killed.
            process.send_signal(signal.SIGKILL)
            process.wait()
        assert_sound(store_path)
    run_python(APPLY, store_path)
    with Memory.open(store_path, scope="user:ana") as memory:
        [job] = memory.import_jobs()
        facts = [fact.object_text for fact in memory.facts()]
        assert (job.state, job.at.imported, len(facts), len(set(facts))) == (
            "committed", 200, 200, 200,
        )  # fmt: skip
        assert [one.kind for one in memory.operations()] == ["import", "init"]
        assert memory.import_undo(job.id).facts_gone == 200
        assert memory.stats().episodes == 0
    assert_sound(store_path)


def test_two_processes_carry_an_import_out_once(
    store_path: str, start_python: Callable[..., Any], run_python: Callable[..., str]
) -> None:
    run_python(READ, store_path)
    both = [start_python(APPLY, store_path, "together") for _ in range(2)]
    for one in both:
        assert one.stdout.readline() == "ready\n"
    for one in both:
        one.stdin.write("\n")
        one.stdin.flush()
    told = sorted(one.communicate()[0].strip() for one in both)
    assert "committed 200" in told
    assert all("committed" in one for one in told)
    with Memory.open(store_path, scope="user:ana") as memory:
        assert len(list(memory.facts())) == 200
        assert [one.kind for one in memory.operations()] == ["import", "init"]


def test_reopening_a_store_keeps_all_of_a_job(store_path: str) -> None:
    text = '{"candidates": [{"title": "t", "summary": "喝茶 tea"}, {"title": "x"}]}'
    with Memory.open(store_path, scope="user:ana") as memory:
        job = memory.import_(text=text, decider="review")
        items = memory.import_items(job.id, matches=True)
    with Memory.open(store_path, scope="user:ana") as memory:
        assert memory.import_job(job.id) == job
        assert memory.import_items(job.id, matches=True) == items
        memory.import_apply(job.id, {1: "ADD"})
        [fact] = memory.facts()
        assert fact.evidence[0].text == text


def test_a_job_of_another_store_is_not_found(tmp_path: Any) -> None:
    from memorycore import errors

    with Memory.open(tmp_path / "a.db") as one, Memory.open(tmp_path / "b.db") as other:
        job = one.import_(text='{"candidates": [{"title": "t", "summary": "s"}]}')
        with pytest.raises(errors.NotFoundError, match="import job"):
            other.import_apply(job.id)
