"""What was forgotten shows at no door: every read, in every way of naming it, at every level."""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from memorycore import AsyncMemory, errors
from memorycore.engine.upkeep import require_indexes
from memorycore.model.candidate import Quarantined
from memorycore.model.draft import Rejection
from memorycore.model.word import fold

STATES = ("past", "upcoming", "invalid", "archived", "consolidated")
VIEWS = ("episodes", "sessions", "entities", "operations", "facts", "evidence", "links",
         "candidates")  # fmt: skip
FORMS: tuple[Callable[[int], str], ...] = (
    lambda n: f"Zqoril{chr(97 + n)}",
    lambda n: f"{chr(0x7FE1 + n)}{chr(0x69BF + n)}{chr(0x6816 + n)}",
    lambda n: f"Zq{chr(97 + n)}翡{chr(0x7FE1 + n)}x",
    lambda n: f"🦭{chr(97 + n)}zqu🧶",
    lambda n: f"Zqé{chr(97 + n)}lo",
    lambda n: f"Zqo\u0308{chr(97 + n)}ra",
    lambda n: f"ＺＱＵＵ{chr(0xFF21 + n)}",
    lambda n: " ".join(f"Zqwide{chr(97 + n)}{chr(97 + place)}" for place in range(20)),
)
"""Ways to write a word that nobody else says."""
MARKS = tuple(form(n) for n in range(2) for form in FORMS)


def plant(memory: Any, mark: str, n: int, *, around: bool) -> None:
    """Say a word wherever a text can stand; ``around`` in names and notes too."""
    told = {"session": "s", "external_id": f"x{n}", "speaker": "Nell"}
    if around:
        told |= {"session": f"on {mark}", "external_id": f"{mark} {n}", "source": f"from {mark}"}
        told |= {"meta": {"note": mark}}
    text = f"I like {mark} and {mark}"
    memory.add(text, at=f"2024-03-{n + 4:02}", **told)
    item = {"external_id": told["external_id"], "quote": text}
    thing = {"name": mark, "kind": "thing"}
    memory.learn([item | {"predicate": "likes", "object": thing}])
    memory.add_alias(mark, f"{mark}-alias")
    memory.learn([item | {"predicate": "is_busy_with", "object": mark}])
    memory.learn([item | {"predicate": "lives_in", "object": {"name": mark, "kind": "place"}}])
    memory.propose([item | {"predicate": "knows_about", "object": f"{mark} 2"}])
    memory.learn([item | {"predicate": "dislikes", "object": f"{mark} 3", "confidence": 0.4}])
    memory.learn([item | {"predicate": "dislikes", "object": f"{mark} 4", "confidence": 0.41}])
    waiting = [view for view in memory.reviews() if f"{mark} 4" in json.dumps(
        view.to_dict(), ensure_ascii=False)]  # fmt: skip
    for view in waiting:
        memory.reject(view.id, "wrong")
    memory.propose([Quarantined(Rejection(f"line {n}", "bad", "no candidate"), f"{text}, {n}")])


def control(memory: Any) -> None:
    memory.add("I like tea.", at="2024-08-01", session="c", speaker="Nell", external_id="c")
    thing = {"name": "tea", "kind": "thing"}
    item = {"external_id": "c", "quote": "I like tea.", "predicate": "likes", "object": thing}
    memory.learn([item])


def answers(memory: Any, ids: Any) -> Iterator[Any]:
    """Go through what every read door answers, also to ids and names that are not there."""
    for settings in ({}, {"include": STATES}, {"as_of": "2024-04"}, {"known_at": "now"},
                     {"known_at": "2025-01-01T00:05:00Z", "include": ("past",)}):  # fmt: skip
        yield list(memory.facts(**settings))
    yield memory.candidates()
    yield memory.reviews()
    yield memory.conflicts()
    yield memory.quarantined()
    yield memory.entities()
    yield memory.episodes()
    yield memory.operations(limit=10_000)
    yield memory.predicates() if hasattr(memory, "predicates") else ()
    yield memory.receipts()
    yield memory.forget_plans()
    yield memory.suppressions()
    yield memory.history(predicate="likes")
    yield memory.history(predicate="lives_in", known_at="2025-01-01T00:05:00Z")
    with suppress(errors.NotFoundError):
        yield memory.history(subject="Nell")
    difference = memory.as_of_diff("2024-02", "2024-04")
    yield [*difference.began, *difference.ended]
    yield [memory.stats(), memory.stats(all_scopes=True)]
    for view in VIEWS:
        yield list(memory.sql(f"SELECT * FROM {view}"))
    yield from found(memory)
    yield from named(memory, ids)


def found(memory: Any) -> Iterator[Any]:
    for mark in (*MARKS, "like", "喜欢"):
        yield [memory.find_entities(mark)]
        for settings in ({}, {"include": STATES}, {"as_of": "2024-04"}, {"known_at": "2025"}):
            result = memory.search(mark, limit=100, explain=True, **settings)
            yield [result.hits, result.facts]


def named(memory: Any, ids: Any) -> Iterator[Any]:
    for id_ in ids:
        for ask in (memory.get, memory.explain, memory.history, memory.entity):
            try:
                yield ask(id_)
            except errors.MemoryCoreError as error:
                yield [str(error), error.hint, error.why]
        if id_.startswith("fct_"):
            with suppress(errors.MemoryCoreError):
                yield memory.get(id_, known_at="2025-01-01T00:05:00Z")
                yield memory.explain(id_, known_at="2025-01-01T00:05:00Z")


def written(answer: Any) -> str:
    """Write an answer down, with all that is in it, folded."""
    items = answer if isinstance(answer, (list, tuple)) or hasattr(answer, "__next__") else [answer]
    lines = []
    for item in items:
        lines.append(repr(item))
        if hasattr(item, "to_dict"):
            lines.append(json.dumps(item.to_dict(), ensure_ascii=False))
    return fold("\n".join(lines))


def assert_nothing_shows(memory: Any, ids: Any) -> None:
    words = [fold(mark) for mark in MARKS]
    for number, answer in enumerate(answers(memory, ids)):
        text = written(answer)
        shown = [word for word in words if word in text]
        assert not shown, (number, shown, text[max(0, text.index(shown[0]) - 300) :][:600])


def counts(memory: Any) -> list[Any]:
    stats = memory.stats().to_dict()
    kept = {name: stats[name] for name in stats if name not in ("file_bytes", "operations")}
    listed = [len(list(one)) for one in (
        memory.facts(include=STATES), memory.candidates(), memory.reviews(), memory.entities(),
        memory.episodes(), memory.quarantined(), memory.history(predicate="likes"))]  # fmt: skip
    views = [next(memory.sql(f"SELECT count(*) AS n FROM {view}"))["n"]
             for view in VIEWS if view != "operations"]  # fmt: skip
    kept.pop("scopes")
    return [kept, listed, views]


def all_ids(memory: Any) -> list[str]:
    return [one.id for one in (*memory.facts(include=STATES), *memory.episodes(),
                               *memory.entities(), *memory.candidates())]  # fmt: skip


def targets(memory: Any, kind: str, operations: list[str]) -> list[dict[str, Any]]:
    """Name all that was planted, in one way."""

    def is_planted(text: str) -> bool:
        return any(fold(mark) in fold(text) for mark in MARKS)

    if kind == "fact":
        return [{"target": one.id} for one in memory.facts(include=STATES) if is_planted(one.text)]
    if kind == "episode":
        return [{"target": one.id} for one in memory.episodes() if is_planted(one.text)]
    if kind == "entity":
        return [{"target": one.id} for one in memory.entities() if is_planted(one.name)]
    if kind == "session":
        names = {one.session for one in memory.episodes() if is_planted(one.text)}
        return [{"session": name} for name in sorted(names)]
    if kind == "operation":
        return [{"target": one} for one in operations]
    if kind == "query":
        return [{"query": mark} for mark in MARKS]
    if kind == "period":
        return [{"before": "2024-06"}]
    return [{"subject": "user:ana"}]


WAYS = (
    ("fact", "soft"), ("fact", "hard"), ("fact", "purge"),
    ("episode", "soft"), ("episode", "redact"), ("episode", "purge"),
    ("session", "soft"), ("session", "redact"), ("session", "purge"),
    ("operation", "soft"), ("operation", "redact"), ("operation", "purge"),
    ("query", "soft"), ("query", "hard"), ("query", "redact"), ("query", "purge"),
    ("period", "soft"), ("period", "redact"), ("period", "purge"),
    ("subject", "soft"), ("subject", "redact"), ("subject", "purge"),
)  # fmt: skip


@pytest.fixture(scope="module")
def originals(make_world: Callable[..., Any]) -> dict[bool, Any]:
    """Stores in which the words stand wherever a text can, in names and notes too or not."""
    made = {}
    for around in (False, True):
        made[around] = make_world()
        control(made[around].memory)
        for n, mark in enumerate(MARKS):
            plant(made[around].memory, mark, n, around=around)
    return made


@pytest.fixture
def planted(originals: dict[bool, Any]) -> Iterator[Any]:
    """Give the maker of such a store of one's own."""
    made = []

    def make(*, around: bool) -> tuple[Any, list[str]]:
        made.append(originals[around].copy())
        memory = made[-1].memory
        operations = [one.id for one in memory.operations(limit=10_000) if one.kind == "ingest"]
        return memory, operations[:-1]

    yield make
    for world in made:
        world.store.close()


def forget_all(memory: Any, kind: str, level: str, operations: list[str]) -> None:
    """Forget what is left of the targets: some go together with others."""
    for target in targets(memory, kind, operations):
        with suppress(errors.NotFoundError):
            plan = memory.plan_forget(**target, level=level, derived="forget")
            if not plan.is_empty:
                memory.forget(plan)


@pytest.mark.parametrize(("kind", "level"), WAYS)
def test_what_was_forgotten_shows_at_no_door(planted: Any, kind: str, level: str) -> None:
    # Facts and words leave what else was said in a sentence's neighbourhood.
    memory, operations = planted(around=kind not in ("fact", "query") or level == "purge")
    ids = all_ids(memory)

    forget_all(memory, kind, level, operations)

    assert_nothing_shows(memory, ids)


@pytest.mark.parametrize("level", ["soft", "redact", "purge"])
def test_what_was_forgotten_is_not_counted_either(
    planted: Any, make_world: Any, level: str
) -> None:
    memory, operations = planted(around=True)

    forget_all(memory, "operation", level, operations)

    with make_world() as other:
        control(other.memory)
        assert counts(memory) == counts(other.memory)


@pytest.mark.parametrize("kind", [kind for kind, level in WAYS if level == "soft"])
def test_undoing_brings_everything_back_and_redoing_hides_it_again(planted: Any, kind: str) -> None:
    memory, operations = planted(around=kind not in ("fact", "query"))
    ids, before, counted = all_ids(memory), memory.digest(), counts(memory)
    forget_all(memory, kind, "soft", operations)
    hidden = memory.digest()
    hides = [one.id for one in memory.operations(limit=10_000) if one.kind == "hide"]

    undone = [memory.undo(one).operation.id for one in hides]

    assert (memory.digest(), counts(memory)) == (before, counted)
    assert_sound(memory)
    for one in reversed(undone):
        memory.undo(one)
    assert memory.digest() == hidden
    assert_nothing_shows(memory, ids)
    assert_sound(memory)


def assert_sound(memory: Any) -> None:
    with memory._store.write() as db:
        require_indexes(db)
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []


async def awaited(doors: AsyncMemory, ids: list[str]) -> list[Any]:
    read = [await doors.search("like", limit=100), await doors.facts(include=STATES),
            await doors.candidates(), await doors.entities(), await doors.stats(),
            await doors.find_entities(MARKS[0]),
            await doors.history(predicate="likes")]  # fmt: skip
    read += [row async for row in doors.sql("SELECT * FROM episodes")]
    for id_ in ids:
        with suppress(errors.NotFoundError):
            read.append(await doors.get(id_))
    return read


def test_the_awaitable_doors_show_nothing_either(planted: Any) -> None:
    memory, operations = planted(around=True)
    ids = all_ids(memory)
    forget_all(memory, "operation", "soft", operations)

    read = asyncio.run(awaited(AsyncMemory(memory), ids))

    assert not [mark for mark in MARKS if fold(mark) in written(read)]


@pytest.mark.parametrize("level", ["soft", "redact", "purge"])
def test_no_reader_is_handed_what_was_forgotten(planted: Any, level: str) -> None:
    memory, operations = planted(around=True)
    memory.add("I moved again.", session=f"on {MARKS[0]}", at="2024-08-01")
    forget_all(memory, "operation", level, operations)
    seen: list[Any] = []

    class Listener:
        """Reads nothing out of what it is handed, and keeps it."""

        name = "listener"
        version = "1"
        proposer = "model"
        page = 1000
        needs_surroundings = True

        def extract(self, turns: Any, around: Any) -> Iterator[Any]:
            seen.append((turns, around))
            return iter(())

    memory.harvest(Listener(), dry_run=True)

    assert seen
    assert not [mark for mark in MARKS if fold(mark) in written(seen)]
