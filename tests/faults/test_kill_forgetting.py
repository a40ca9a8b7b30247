"""A forgetting that is killed at any moment is whole or not begun, and another process ends it."""

import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from memorycore import Memory, errors
from memorycore.store.connection import open_connection

LONG = os.environ.get("MEMORYCORE_LONG_TESTS") == "1"
KILLS = 60 if LONG else 6
PLANTED = 24
STEPS = ("plan", "apply", "finish", "finish")
"""Each other kill comes while the file is cleaned and searched, which takes the longest."""
FORGET = """
import sys
from memorycore import Memory
level = sys.argv[2]
def step(name):
    print(name, flush=True)
with Memory.open(sys.argv[1], scope="user:nell", create=False) as memory:
    memory.stats()
    step("plan")
    plan = memory.plan_forget(session="secret", level=level, derived="forget")
    step("apply")
    memory.forget(plan, finish=False)
    step("finish")
    memory.finish_forgetting()
    step("done")
"""
FINISH = """
import sys
from memorycore import Memory
with Memory.open(sys.argv[1], scope="user:nell", create=False) as memory:
    memory.finish_forgetting()
    print(memory.pending_forgetting())
"""
LEFT = """
SELECT (SELECT count(*) FROM episodes e JOIN sessions s USING(session_id)
    WHERE s.name = 'secret' AND e.visibility = 'visible'),
  (SELECT count(*) FROM episode_texts WHERE text LIKE 'I like %'),
  (SELECT count(*) FROM facts WHERE visibility = 'visible'),
  (SELECT count(*) FROM candidates WHERE statement IS NOT NULL)
"""
WHOLE = (PLANTED, PLANTED, PLANTED, PLANTED)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, planted_word: Callable[[int], str]) -> Path:
    """Give a closed store in which words are planted among harmless turns."""
    path = tmp_path_factory.mktemp("filled") / "memory.db"
    with Memory.open(path, scope="user:nell") as memory:
        for number in range(PLANTED):
            word = planted_word(number)
            memory.add_many(
                {"text": f"harmless turn {number} {n} 平常的话", "session": f"s{number}"}
                for n in range(15)
            )
            memory.add(f"I like {word}.", session="secret", speaker="Nell",
                       external_id=str(number), meta={"note": word}, at="2025-02-01")  # fmt: skip
            item = {"predicate": "likes", "object": {"name": word, "kind": "thing"}}
            memory.learn([item | {"external_id": str(number), "quote": f"I like {word}."}])
    return path


def copied(filled: Path, path: Path) -> str:
    for end in ("", ".key"):
        shutil.copyfile(f"{filled}{end}", f"{path}{end}")
    return str(path)


def durations(start_python: Any, path: str, level: str) -> dict[str, float]:
    """Measure the steps of a forgetting that nobody interrupts, in seconds."""
    process = start_python(FORGET, path, level)
    seen = [(line.strip(), time.monotonic()) for line in process.stdout]
    assert [name for name, _ in seen] == ["plan", "apply", "finish", "done"]
    return {one: end - at for (one, at), (_, end) in pairwise(seen)}


def kill_in(process: subprocess.Popen[str], step: str, delay: float) -> None:
    """Kill a process some time after it has begun a step, if it has not ended by then."""
    assert process.stdout is not None
    while (line := process.stdout.readline()) and line.strip() != step:
        pass
    try:
        process.wait(delay)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
    process.wait()


def left(path: str) -> tuple[int, ...]:
    """Count what is left of what was planted, by kind."""
    db = open_connection(path, read_only=False, busy_timeout=10)
    found: tuple[int, ...] = db.execute(LEFT).fetchall()[0]
    db.close()
    return found


def end_it(path: str, level: str, text: str, run_python: Any) -> bool:
    """Begin once more if nothing was done, let another process finish, and look at the receipts.

    ``text`` is one of those that are gone. Tells whether it was
    done when the process was killed.
    """
    before = left(path)
    assert before in (WHOLE, (0, 0, 0, 0))
    with Memory.open(path, scope="user:nell") as memory:
        assert len(memory.receipts()) == (before != WHOLE)
        if before == WHOLE:
            plan = memory.plan_forget(session="secret", level=level, derived="forget")
            memory.forget(plan, finish=False)
    assert run_python(FINISH, path) == "0\n"
    with Memory.open(path, scope="user:nell") as memory:
        [receipt] = memory.receipts()
        assert receipt.is_settled
        assert receipt.verification is not None
        assert receipt.verification.found == 0
        assert memory.verify_receipts().fault is None
        with pytest.raises(errors.SuppressedError):
            memory.add(text, session="secret", speaker="Nell")
    return before != WHOLE


@pytest.mark.slow
@pytest.mark.parametrize("level", ["redact", "purge"])
def test_a_forgetting_killed_at_any_step_is_ended_by_another_process(
    filled: Path,
    tmp_path: Path,
    start_python: Any,
    run_python: Any,
    planted_word: Callable[[int], str],
    search_planted: Any,
    assert_sound: Callable[[str], None],
    tally: Any,
    level: str,
) -> None:
    chance = random.Random(level)
    taken = durations(start_python, copied(filled, tmp_path / "timed.db"), level)
    for number in range(KILLS // 2):
        step = STEPS[number % len(STEPS)]
        path = copied(filled, tmp_path / f"{number}.db")
        process = start_python(FORGET, path, level)
        kill_in(process, step, chance.uniform(0, 1.2 * taken[step]))
        text = f"I like {planted_word(number % PLANTED)}."
        begun = end_it(path, level, text, run_python)
        assert search_planted(path) == {}
        assert_sound(path)
        name = f"kill -9, {level}, in {step}"
        tally.note(name, trials=process.returncode != 0, answered=begun, lost=0, damaged=0)
