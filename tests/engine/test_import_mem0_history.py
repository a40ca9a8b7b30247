"""The history of Mem0 against an oracle: what was there at each instant is what is answered."""

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memorycore.model.time import DAY, format_instant, parse_moment

FIRST = parse_moment("2025-01-01").from_
TEXTS = ("Lives in Porto", "Lives in Braga", "Has a cat")
OTHERS = ("Likes tea", "Likes coffee", "Sings")

Row = dict[str, Any]


@st.composite
def chains(draw: st.DrawFn) -> list[Row]:
    """Give the rows of one or two memories, each added, changed and perhaps deleted, by time."""
    rows: list[Row] = []
    for memory, texts in enumerate((TEXTS, OTHERS)[: draw(st.integers(1, 2))]):
        days = sorted(draw(st.sets(st.integers(0, 40), min_size=1, max_size=5)))
        text = draw(st.sampled_from(texts))
        created = _time(2 * days[0] + memory)
        rows.append(_row(memory, "ADD", None, text, created, created))
        for place, day in enumerate(days[1:], 1):
            others = [one for one in texts if one != text]
            is_end = place == len(days) - 1 and draw(st.booleans())
            new = None if is_end else draw(st.sampled_from(others))
            at = _time(2 * day + memory)
            rows.append(_row(memory, "DELETE" if is_end else "UPDATE", text, new, created, at))
            text = new or text
    return sorted(rows, key=lambda row: row["updated_at"])


def _time(day: int) -> str:
    return format_instant(FIRST + day * DAY)


def _row(memory: int, event: str, old: str | None, new: str | None, made: str, at: str) -> Row:
    return {"id": f"{memory}@{at}", "memory_id": f"m{memory}", "event": event, "old_memory": old,
            "new_memory": new, "created_at": made, "updated_at": at}  # fmt: skip


def there(rows: list[Row], instant: int) -> list[str]:
    """Say what stood in Mem0 at an instant."""
    texts: dict[str, str | None] = {}
    for row in rows:
        if parse_moment(row["updated_at"]).from_ <= instant:
            texts[row["memory_id"]] = row["new_memory"]
    return sorted({f"ana note {text}" for text in texts.values() if text})


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(rows=chains(), cut=st.integers(0, 10), order=st.randoms())
def test_what_was_there_is_what_is_answered(
    make_world: Any, rows: list[Row], cut: int, order: Any
) -> None:
    """Import rows in two files, and ask for each third day."""
    with make_world() as world:
        memory = world.memory
        for part in (rows[:cut], rows[cut:]):
            shuffled = order.sample(part, len(part))
            text = "".join(json.dumps(row) + "\n" for row in shuffled)
            if text:
                job = memory.import_(text=text, format="mem0")
                memory.import_apply(job.id)
        for day in range(0, 84, 3):
            instant = FIRST + day * DAY + DAY // 2
            told = sorted(fact.text for fact in memory.facts(as_of=format_instant(instant)))
            assert told == there(rows, instant)
