"""Whatever was forgotten after a backup: put back, it says what the store says."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from memorycore import Memory, errors
from memorycore.store.canonical import iter_lines
from memorycore.store.scopes import find_scope

SCOPES = ("user:ana", "user:bo")
SAID = (
    ("likes", "I like {}", "thing", ("oolong", "乌龙茶", "Kafé")),
    ("lives_in", "I live in {}", "place", ("Alfa", "Bravo", "青石渡")),
    ("is_busy_with", "I am busy with {}", None, ("the garden 🌱", "搬家")),
)
LEVELS = ("soft", "hard", "redact", "purge")


def tell(memory: Memory, one: int, two: int) -> None:
    predicate, words, kind, objects = SAID[one % 3]
    said = objects[two % len(objects)]
    key = f"{one} {two} {memory.stats().operations}"
    memory.add(
        words.format(said), at=f"2024-0{two % 5 + 1}-03", session=f"s{two}", external_id=key,
        speaker=("Nell", "妮尔")[one % 2],
    )  # fmt: skip
    item = {"predicate": predicate, "external_id": key, "quote": words.format(said)}
    item |= {"object": said if kind is None else {"name": said, "kind": kind}}
    memory.learn([item | {"confidence": 0.4 if (one + two) % 5 == 4 else 0.9}])


def undo(memory: Memory, one: int, two: int) -> None:
    operations = [each for each in memory.operations() if each.kind != "init"]
    memory.undo(operations[(one + two) % len(operations)].id)


def merge(memory: Memory, one: int, two: int) -> None:
    named = sorted(each.id for each in memory.entities())
    memory.merge_entities(named[one % len(named)], named[two % len(named)])


def forget(memory: Memory, one: int, two: int) -> None:
    ways: list[Callable[[], dict[str, Any]]] = [
        lambda: {"target": sorted(each.id for each in memory.facts())[two % 3]},
        lambda: {"target": memory.episodes()[two % 4].id},
        lambda: {"session": f"s{two}"},
        lambda: {"query": ("oolong", "青石渡", "garden")[two % 3]},
        lambda: {"subject": ("Nell", memory.scope)[two % 2]},
        lambda: {"before": f"2024-0{two % 5 + 1}-10"},
        lambda: {"target": sorted(each.id for each in memory.entities())[two % 3]},
    ]
    derived = "forget" if one % 2 else "keep"
    level = LEVELS[(one // 7 + two) % 4]
    extra = {"derived": derived} if level == "redact" else {}
    plan = memory.plan_forget(**ways[one % 7](), level=level, **extra)
    if not plan.is_empty:
        memory.forget(plan, finish=False)


def take_back(memory: Memory, one: int, two: int) -> None:
    # A hiding from before the backup is there again when that is put back.
    hidden = [
        each
        for each in memory.receipts()
        if each.undoable and each.at > memory.backups()[0].made_at
    ]
    memory.undo(hidden[(one + two) % len(hidden)].operation)


BEFORE = (tell, tell, tell, undo, merge, forget)
AFTER = (forget, forget, take_back)
STEPS = st.tuples(st.integers(0, 5), st.integers(0, 1), st.integers(0, 27), st.integers(0, 6))


@contextmanager
def store() -> Iterator[str]:
    folder = tempfile.mkdtemp()
    try:
        yield str(Path(folder) / "memory.db")
    finally:
        shutil.rmtree(folder)


def carry_out(path: str, deeds: Any, steps: list[tuple[int, int, int, int]]) -> None:
    with Memory.open(path, scope=SCOPES[0]) as memory:
        for deed, scope, one, two in steps:
            handle = memory.scoped(SCOPES[scope])
            try:
                deeds[deed % len(deeds)](handle, one, two)
            except (errors.RefusedError, errors.NotFoundError, errors.InvalidInputError):
                continue
            except (IndexError, ZeroDivisionError):
                continue  # there is nothing of that yet
        memory.finish_forgetting()


def state(path: str) -> list[str]:
    with Memory.open(path) as memory, memory._store.read() as db:
        found = (find_scope(db, name) for name in SCOPES)
        lines = list(iter_lines(db, [number for number in found if number is not None]))
        named = (memory.scoped(name).entities() for name in SCOPES)
        return lines + sorted(
            f"{each.kind} {each.name} {each.aliases}" for two in named for each in two
        )


@given(st.lists(STEPS, min_size=3, max_size=14), st.lists(STEPS, min_size=1, max_size=5))
@settings(
    max_examples=15,
    deadline=None,
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),
)
def test_a_backup_that_is_put_back_says_what_the_store_says(
    before: list[tuple[int, int, int, int]], after: list[tuple[int, int, int, int]]
) -> None:
    with store() as path:
        carry_out(path, BEFORE, before)
        with Memory.open(path) as memory:
            backup = memory.backup(f"{path[:-3]}-kept.db").path
        carry_out(path, AFTER, after)
        expected = state(path)
        Memory.restore(backup, path)
        assert state(path) == expected
