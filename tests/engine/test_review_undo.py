"""Whatever reviews do can be taken back, and that too: every state is one of before or after."""

from collections.abc import Callable
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from memorycore import Memory, errors
from memorycore.engine.upkeep import require_indexes

TEXTS = ("提交前只暂存本次改动文件", "提交时暂存全部文件", "回答要简短")
OUTCOMES = ("used-successfully", "ignored", "overridden")
SMALL = st.integers(0, 2)
DEED = st.tuples(
    st.sampled_from(["observe", "observe", "observe", "remember", "used", "forget", "pause"]),
    SMALL,
    SMALL,
    SMALL,
)


def do(memory: Memory, deed: str, first: int, second: int, third: int) -> str | None:
    """Do something; give its operation, or ``None`` where nothing was done."""
    if deed == "observe":
        told = {"language": "zh-CN", "workflow": "build", "candidate_key": f"k{third % 2}"}
        result = memory.observe(TEXTS[first], change=f"c{second}", **told)
        return result.operation.id if result.operation else None
    if deed == "pause":
        return memory.operations()[0].id if memory.pause_learning(paused=bool(first)) else None
    if deed == "remember":
        request = {"action": "remember", "text": TEXTS[first], "scope": "project"}
        packet = memory.review_packet(
            language="zh-CN", workflow="chat", change=f"r{second}", checkpoint="用户提出请求",
            request=request,
        )  # fmt: skip
        create = {"action": "create", "language": "zh-CN", "scope": "project",
                  "projectKey": "web", "category": "习惯", "text": TEXTS[first]}  # fmt: skip
        document = {"schema": "comet.memory.actions.v1", "actions": [create]}
        operation = memory.apply_review(packet, document).operation
        return operation.id if operation else None
    records = memory.review_records(state=("trial", "proven", "superseded")[second])
    if not records:
        return None
    record = records[first % len(records)]
    if deed == "used":
        result = memory.memory_used(record.id, OUTCOMES[third], change=f"u{first % 2}")
        return result.operation.id if result.operation else None
    return memory.forget(record.id, level="soft").operation


def state(memory: Memory, world: Any) -> Any:
    kept = [
        world.rows(f"SELECT {columns} FROM {table} WHERE recorded_to > 1000000 ORDER BY 1")
        for table, columns in (
            ("review_records", "review_record_id, state, fact_id, shape"),
            ("review_observations", "review_record_id, project, change"),
            ("review_uses", "review_record_id, change, outcome"),
            ("review_pauses", "scope_id"),
        )
    ]
    removed = world.rows(
        "SELECT identity, removed_at FROM review_removals WHERE recorded_to > 1000000 ORDER BY 1, 2"
    )
    found = sorted(str(hit) for hit in memory.search("暂存 文件 回答"))
    return memory.digest(), kept, removed, found


PROMOTED = [("observe", 0, 0, 0), ("observe", 0, 1, 0)]
REVISED = [*PROMOTED, ("used", 0, 1, 2), ("used", 0, 2, 1)]
PROVEN_BY_USE = [("observe", 0, 0, 0), ("used", 0, 0, 0), ("used", 0, 1, 1), ("observe", 0, 1, 0)]


@settings(max_examples=40, deadline=None)
@example(deeds=REVISED)
@example(deeds=PROVEN_BY_USE)
@example(deeds=[*PROMOTED, ("observe", 1, 2, 0), ("remember", 1, 0, 0)])
@given(deeds=st.lists(DEED, min_size=1, max_size=8))
def test_undoing_and_redoing_what_reviews_did_gives_the_states_of_before_and_after(
    make_world: Callable[..., Any], deeds: list[tuple[str, int, int, int]]
) -> None:
    with make_world() as world:
        memory = world.memory.scoped("project:web", ("user:ana",))
        for deed in deeds:
            before = state(memory, world)
            try:
                operation = do(memory, *deed)
            except errors.MemoryCoreError:
                operation = None
            after = state(memory, world)
            if operation is None:
                assert after == before, f"{deed} did something without an operation"
                continue
            undone = memory.undo(operation).operation
            assert state(memory, world) == before, f"undo of {deed}"
            memory.undo(undone.id)
            assert state(memory, world) == after, f"undo of the undo of {deed}"
        with world.store.read() as db:
            require_indexes(db)
