"""Whatever is said, learned, forgotten and undone: scopes stay apart and the store stays whole."""

from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from memorycore import errors
from memorycore.engine.upkeep import require_indexes
from memorycore.store.canonical import iter_lines
from memorycore.store.scopes import find_scope

SCOPES = ("user:ana", "user:bo")
SAID = (
    ("likes", "I like {}", "thing", ("oolong", "乌龙茶", "Kafé")),
    ("lives_in", "I live in {}", "place", ("Alfa", "Bravo", "青石渡")),
    ("is_busy_with", "I am busy with {}", None, ("the garden 🌱", "搬家")),
)
LEVELS = ("soft", "hard", "redact", "purge")
STATES = ("past", "upcoming", "invalid", "archived", "consolidated")
HOLDS = (
    "SELECT count(*) FROM facts f WHERE support <> (SELECT count(*) FROM evidence e "
    "WHERE e.fact_id = f.fact_id AND e.recorded_to = 9223372036854775807)",
    "SELECT count(*) FROM evidence v JOIN facts f USING(fact_id) "
    "WHERE v.timeline_id <> f.timeline_id",
    "SELECT count(*) FROM fact_periods p JOIN facts f USING(fact_id) "
    "WHERE p.timeline_id <> f.timeline_id OR p.subject_id <> f.subject_id",
    "SELECT count(*) FROM facts f WHERE NOT EXISTS("
    "SELECT 1 FROM evidence_ever e WHERE e.evidence_id = f.first_evidence_id)",
    "SELECT count(*) FROM evidence v JOIN episodes e USING(episode_id) "
    "WHERE v.recorded_to = 9223372036854775807 AND e.withdrawn IS NOT NULL",
    "SELECT count(*) FROM evidence v JOIN episodes e USING(episode_id) "
    "WHERE v.recorded_to = 9223372036854775807 AND e.visibility IN ('forgotten', 'purged')",
    "SELECT count(*) FROM entities e WHERE e.merged_into IS NOT NULL AND NOT EXISTS("
    "SELECT 1 FROM entities m WHERE m.entity_id = e.merged_into)",
    "SELECT count(*) FROM evidence v WHERE v.candidate_id IS NOT NULL AND NOT EXISTS("
    "SELECT 1 FROM candidates c WHERE c.candidate_id = v.candidate_id)",
)
Deed = tuple[Callable[..., Any], int, int, int]


def tell(memory: Any, one: int, two: int, n: int) -> None:
    predicate, words, kind, objects = SAID[one % 3]
    said = objects[two % len(objects)]
    text = words.format(said)
    memory.add(text, at=f"2024-0{n % 5 + 1}-03", session=f"s{two}", speaker="Nell",
               external_id=f"{one} {two} {n}")  # fmt: skip
    item = {"predicate": predicate, "external_id": f"{one} {two} {n}", "quote": text}
    item["object"] = said if kind is None else {"name": said, "kind": kind}
    item["confidence"] = 0.4 if n == 4 else 0.9
    memory.learn([item])


def soft(memory: Any, one: int, two: int, n: int) -> None:
    forget(memory, one, two, n, level="soft")


def forget(memory: Any, one: int, two: int, n: int, level: str | None = None) -> None:
    level = level or LEVELS[one % 4]
    facts, episodes = list(memory.facts(include=STATES)), memory.episodes()
    entities = list(memory.entities())
    ways: tuple[Callable[[], dict[str, Any]], ...] = (
        lambda: {"target": facts[n % len(facts)].id},
        lambda: {"target": episodes[n % len(episodes)].id},
        lambda: {"target": entities[n % len(entities)].id},
        lambda: {"session": f"s{n % 3}"},
        lambda: {"query": SAID[n % 3][3][0]},
        lambda: {"before": "2024-03"},
        lambda: {"subject": "Nell"},
        lambda: {"target": memory.operations(limit=50)[n].id},
    )
    try:
        named = ways[two % len(ways)]()
    except (IndexError, ZeroDivisionError):
        return
    derived = "forget" if n % 2 else "keep"
    memory.forget(memory.plan_forget(**named, level=level, derived=derived, suppress=n > 2))


def undo(memory: Any, one: int, two: int, n: int) -> None:
    done = [op for op in memory.operations(limit=50) if op.scope]
    memory.undo(done[(one + two) % len(done)].id if done and n % 2 else None)


def merge(memory: Any, one: int, two: int, n: int) -> None:
    things = [entity.id for entity in memory.entities() if entity.kind in ("thing", "place")]
    if len(things) > 1:
        memory.merge_entities(things[0], things[-1])


def rename(memory: Any, one: int, two: int, n: int) -> None:
    things = [entity.id for entity in memory.entities()]
    if things:
        memory.add_alias(things[n % len(things)], f"name {two}")


def decide(memory: Any, one: int, two: int, n: int) -> None:
    for view in memory.reviews()[:1]:
        memory.approve(view.id) if n % 2 else memory.reject(view.id, "wrong")


DEEDS = (tell, tell, tell, soft, forget, forget, undo, undo, merge, rename, decide)
NUMBER = st.integers(0, 8)
DEED = st.tuples(st.integers(0, 1), st.sampled_from(DEEDS), NUMBER, NUMBER, NUMBER)


def lines(world: Any, scope: str) -> list[str]:
    with world.store.read() as db:
        return [one for one in iter_lines(db, [find_scope(db, scope) or 0]) if "predicate" not in
                one[:12]]  # fmt: skip


def assert_whole(world: Any) -> None:
    with world.store.write() as db:
        require_indexes(db)
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        for sql in HOLDS:
            assert db.execute(sql).fetchall() == [(0,)], sql


def assert_hidden(world: Any) -> None:
    """Check that no search gives what may not be seen."""
    rows = world.rows("SELECT uid FROM facts WHERE visibility <> 'visible' "
                      "UNION SELECT uid FROM episodes WHERE visibility <> 'visible'")  # fmt: skip
    gone = {row[0] for row in rows}
    for scope in SCOPES:
        memory = world.memory.scoped(scope)
        for _, words, _, objects in SAID:
            for said in objects:
                found = memory.search(words.format(said), include=STATES, limit=100)
                assert gone.isdisjoint(hit.episode.uid for hit in found.hits)
                assert gone.isdisjoint(hit.fact.uid for hit in found.facts)


@settings(max_examples=60, deadline=None)
@given(deeds=st.lists(DEED, min_size=4, max_size=16))
def test_nothing_done_in_one_scope_touches_the_other_and_the_store_stays_whole(
    make_world: Any, deeds: list[Any]
) -> None:
    with make_world() as world:
        for which, deed, *numbers in deeds:
            other = lines(world, SCOPES[1 - which])
            try:
                deed(world.memory.scoped(SCOPES[which]), *numbers)
            except (errors.InvalidInputError, errors.RefusedError, errors.NotFoundError):
                continue
            assert lines(world, SCOPES[1 - which]) == other
            assert_whole(world)
        assert_hidden(world)


@settings(max_examples=30, deadline=None)
@given(
    said=st.lists(st.tuples(NUMBER, NUMBER, NUMBER), min_size=1, max_size=8),
    deeds=st.lists(st.tuples(NUMBER, NUMBER, NUMBER), min_size=1, max_size=4),
)
def test_hiding_and_undoing_in_the_opposite_order_leaves_what_there_was(
    make_world: Any, said: list[Any], deeds: list[Any]
) -> None:
    with make_world() as world:
        memory = world.memory
        for numbers in said:
            tell(memory, *numbers)
        states = []
        for numbers in deeds:
            before = memory.digest()
            known = len(memory.receipts())
            try:
                soft(memory, *numbers)
            except (errors.NotFoundError, errors.InvalidInputError):
                continue
            if len(memory.receipts()) > known:
                states.append((before, memory.receipts()[0].operation))
        for before, operation in reversed(states):
            memory.undo(operation)
            assert memory.digest() == before
            assert_whole(world)
