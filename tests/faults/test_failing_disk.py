"""Whatever call to the disk fails, and whenever: an error or a success, and the store says which.

Each trial opens a store, does one thing and closes it, on a disk that fails once. After that the
store, and what a crash in that moment would leave, are whole, and hold what was answered for.
"""

import random
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memorycore import Memory, errors
from memorycore.store.copies import require_sealed

DRAFTS = [
    {"text": f"message {n} 消息 " + "and so on " * (n % 7), "session": f"s{n % 3}"}
    for n in range(30)
]
SECRET = "翡榿栖 zqoril"


def candidate(n: int) -> dict[str, Any]:
    text = f"I like tea number {n} 茶"
    said = {"name": f"tea number {n}", "kind": "thing"}
    return {"predicate": "likes", "object": said, "external_id": f"e{n}", "quote": text}


def told(n: int) -> dict[str, Any]:
    return {"text": candidate(n)["quote"], "speaker": "Ana", "external_id": f"e{n}"}


def look(memory: Memory) -> None:
    """Search: what comes is right, or an error comes."""
    found = memory.search("tea 茶", limit=20)
    assert (len(found.facts), len(found.hits)) == (5, 20)
    assert sum(1 for _ in memory.facts()) == 5


def back_up(memory: Memory) -> None:
    """Make a copy; it has its name when it is whole, and only then."""
    copy = Path(f"{memory._store.path}.copy.db")
    copy.unlink(missing_ok=True)
    try:
        memory.backup(copy)
    finally:
        if copy.exists():
            require_sealed(str(copy))
            assert copy.stat().st_size > 100_000


ACTS: dict[str, Callable[[Memory], object]] = {
    "add": lambda memory: memory.add("one more 又一条"),
    "ingest": lambda memory: memory.add_many(DRAFTS),
    "learn": lambda memory: memory.learn([candidate(n) for n in range(10, 20)]),
    "admit": lambda memory: memory.admit(),
    "undo": lambda memory: memory.undo(),
    "forget": lambda memory: memory.forget(memory.forget_plans()[0]),
    "look": look,
    "mend": lambda memory: memory.mend_indexes(),
    "compact": lambda memory: memory.compact(),
    "backup": back_up,
}
FAULTS = [
    *((failure, "log") for failure in ("write", "torn", "full", "sync", "read", "truncate")),
    *((failure, "database") for failure in ("write", "torn", "full", "sync", "read", "truncate")),
    ("open", "log"),
    ("open", "database"),
]
LASTING = [
    ("sync", "log"),
    ("write", "log"),
    ("full", "log"),
    ("read", "log"),
    ("write", "database"),
]
"""What may also fail from then on, until the disk is healed."""
CONTENT = re.compile(r"_[0-9A-Z]{26}|茶|消息|zqoril|user:ana")
LONG_STEPS = 40


@dataclass
class Ground:
    """A store to begin with, and what each act makes of it."""

    path: str
    before: str
    after: dict[str, str]


def open_store(path: str) -> Memory:
    return Memory.open(path, scope="user:ana", create=False)


def copy_closed(source: str, target: Path) -> str:
    target.mkdir(parents=True, exist_ok=True)
    for suffix in ("", ".key"):
        shutil.copyfile(source + suffix, f"{target / 'memory.db'}{suffix}")
    return str(target / "memory.db")


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    folder = tmp_path_factory.mktemp("ground")
    path = str(folder / "memory.db")
    with Memory.open(path, scope="user:ana") as memory:
        memory.add_many(told(n) for n in range(20))
        memory.learn([candidate(n) for n in range(5)])
        memory.propose([candidate(n) for n in range(5, 10)])
        memory.add_many({"text": f"{SECRET} {n}", "session": "gone"} for n in range(12))
        memory.plan_forget(session="gone", level="purge")
        before = memory.digest()
    after = {}
    for name, act in ACTS.items():
        with open_store(copy_closed(path, folder / name)) as memory:
            act(memory)
            after[name] = memory.digest()
    return Ground(path, before, after)


@dataclass
class Trial:
    """One act on a disk that is to fail; what came of it."""

    path: str
    name: str
    error: errors.MemoryCoreError | None = None

    def run(self, crash: Callable[[], object]) -> None:
        try:
            memory = open_store(self.path)
        except errors.MemoryCoreError as error:
            self.error = error
            crash()
            return
        try:
            ACTS[self.name](memory)
        except errors.MemoryCoreError as error:
            self.error = error
        crash()
        memory.close()

    def may_be(self, ground: Ground) -> set[str]:
        """Give the states that fit what was answered."""
        before, after = ground.before, ground.after[self.name]
        if self.error is None:
            return {after}
        return {before, after} if isinstance(self.error, errors.UnknownOutcomeError) else {before}


def holds(check: Callable[[str], None], path: str) -> bool:
    try:
        check(path)
    except (AssertionError, errors.MemoryCoreError):
        return False
    return True


def state(path: str) -> str:
    with open_store(path) as memory:
        return memory.digest()


def assert_gone(path: str, copy_store: Callable[..., str]) -> None:
    with open_store(path) as memory:
        memory.finish_forgetting()
        assert memory.pending_forgetting() == 0
    assert "翡榿".encode() not in Path(copy_store(path, f"{path}-copy")).read_bytes()


@pytest.fixture
def attempt(
    disk: Any, ground: Ground, tmp_path: Path, copy_store: Callable[..., str], tally: Any,
    assert_sound: Callable[[str], None],
) -> Callable[..., Trial]:  # fmt: skip
    """Give the function that makes one trial, and checks all that must hold after it."""

    def make(name: str, failure: str, on: str, after: int, *, lasting: bool = False) -> Trial:
        trial = Trial(copy_closed(ground.path, tmp_path / f"{after}"), name)
        image = str(tmp_path / f"{after}-crash" / "memory.db")
        disk.arm(failure, on, after, lasting=lasting)
        trial.run(lambda: copy_store(trial.path, image))
        failed = disk.failed
        disk.heal()
        damaged = [path for path in (image, trial.path) if not holds(assert_sound, path)]
        lost = [path for path in (image, trial.path) if state(path) not in trial.may_be(ground)]
        unknown = isinstance(trial.error, errors.UnknownOutcomeError)
        tally.note(
            f"{failure}, {on}" + ", lasting" * lasting,
            trials=1, failed=bool(failed), told=trial.error is not None, unknown=unknown,
            lost=bool(lost), damaged=bool(damaged),
        )  # fmt: skip
        assert not damaged
        assert not lost, trial.error
        if trial.error is not None:
            assert not CONTENT.search(f"{trial.error} {trial.error.why} {trial.error.hint}")
        elif name == "forget":
            assert_gone(trial.path, copy_store)
        with open_store(trial.path) as memory:
            if memory.digest() == ground.before:
                ACTS[name](memory)
            assert memory.digest() == ground.after[name]
        shutil.rmtree(Path(trial.path).parent)
        shutil.rmtree(Path(image).parent)
        return trial

    return make


def steps(count: int, name: str, *, long: bool) -> list[int]:
    """Choose the calls that fail: the first, the last and some between, or any one."""
    if not long:
        return random.Random(name).sample(range(count), min(count, 1))
    if count <= LONG_STEPS:
        return list(range(count))
    between = random.Random(name).sample(range(1, count - 1), LONG_STEPS - 2)
    return sorted([0, count - 1, *between])


@pytest.mark.parametrize("name", ACTS)
def test_after_any_failing_call_the_store_is_whole_and_as_it_was_answered(
    attempt: Callable[..., Trial],
    disk: Any,
    ground: Ground,
    tmp_path: Path,
    name: str,
    long: bool,
) -> None:
    disk.heal()
    Trial(copy_closed(ground.path, tmp_path / "count"), name).run(lambda: None)
    counts = disk.met
    for fault in FAULTS:
        for after in steps(counts[fault], f"{name} {fault}", long=long):
            attempt(name, *fault, after)
            if fault in LASTING and (long or fault[0] == "sync"):
                attempt(name, *fault, after, lasting=True)
