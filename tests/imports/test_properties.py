"""Whatever is imported: taking one import back gives the store that never had it."""

import json
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memorycore.store.canonical import iter_lines

SUMMARIES = tuple(
    f"The user {verb} {thing}."
    for verb in ("likes", "makes", "sells")
    for thing in ("tea", "bread")
)
KINDS = ("instruction", "preference", "fact", "event")
ACTIONS = ("ADD", "MERGE", "SUPERSEDE", "CONFLICT", "IGNORE")


@st.composite
def histories(draw: st.DrawFn) -> tuple[list[tuple[tuple[int, str, str], ...]], int]:
    """Draw imports (records as number, kind and action) and which of them is taken back."""
    record = st.tuples(
        st.integers(0, len(SUMMARIES) - 1), st.sampled_from(KINDS), st.sampled_from(ACTIONS)
    )
    imports = draw(
        st.lists(st.lists(record, min_size=1, max_size=3).map(tuple), min_size=1, max_size=4)
    )
    return imports, draw(st.integers(0, len(imports) - 1))


def said(world: Any) -> list[str]:
    """List what a store says, but for the reasons that decisions had when they were taken."""
    with world.store.read() as db:
        scopes = [number for (number,) in db.execute("SELECT scope_id FROM scopes")]
        lines = [json.loads(line) for line in iter_lines(db, scopes)]
    return [repr(line[:4] if line[0] == "candidate" else line) for line in lines]


def bring(desk: Any, number: int, records: Any, mine: set[str]) -> Any:
    """Import some records; those of each import say whose they are, so that no two are the same.

    A record meets only facts of imports that are never taken back.
    """
    actions = {}
    shapes = []
    for place, (which, kind, action) in enumerate(records):
        title = f"record {number}.{place}"
        shapes.append(
            {"title": title, "summary": f"{SUMMARIES[which]} ({title})", "memoryKind": kind}
        )
        actions[title] = action

    def decided(item: dict[str, Any], found: Any) -> tuple[Any, ...]:
        # Not the nearest one: which that is hangs on all that there is.
        known = sorted((one.value, one.id) for one in found if one.value not in mine)
        return actions[item["title"]], [id_ for _, id_ in known[:1]], None, "so", 0.9

    job = desk.decide(*shapes, by=desk.says(decided), top_k=20)
    return desk.memory.import_apply(job.id, rest="accept")


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(histories())
def test_taking_an_import_back_equals_never_having_made_it(
    make_world: Callable[..., Any], make_desk: Callable[..., Any], history: Any
) -> None:
    imports, undone = history
    with make_world() as with_it, make_world() as without_it:
        desk, other = make_desk(with_it.memory), make_desk(without_it.memory)
        jobs = []
        mine: set[str] = set()
        for number, records in enumerate(imports):
            jobs.append(bring(desk, number, records, mine))
            if number == undone:
                mine |= {
                    one.object_text
                    for one in desk.memory.facts(include={"past", "invalid", "consolidated"})
                    if f"(record {number}." in one.object_text
                }
            else:
                bring(other, number, records, set())
        if jobs[undone].operation is not None:
            desk.memory.import_undo(jobs[undone].id)
        assert said(with_it) == said(without_it)
