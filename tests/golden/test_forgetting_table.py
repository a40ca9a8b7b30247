"""What each level of forgetting leaves: the table of the documentation, compared with the store."""

from pathlib import Path
from typing import Any

import pytest

from memorycore import Memory
from memorycore.model.word import index_text
from memorycore.store.connection import Connection

PAGE = Path(__file__).parents[2] / "docs" / "architecture" / "forgetting.md"
LEVELS = ("soft", "hard", "redact", "derived", "purge")
SENTENCE = "Nell says: I like oolong."
NAMED = "Nell says: I like Quixel, or Quixie."


def documented() -> dict[str, dict[str, str]]:
    """Read the table: what there was, then what each level leaves."""
    lines = PAGE.read_text("utf-8").split("## What each level leaves")[1].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "|" in line]
    return {row[0]: dict(zip(LEVELS, row[1:], strict=True)) for row in rows[2:]}


def one(db: Connection, sql: str) -> Any:
    rows = db.execute(sql).fetchall()
    return rows[0][0] if rows else None


def ended(db: Connection, table: str, word: str) -> str:
    until = one(db, f"SELECT max(recorded_to) FROM {table}")
    if until is None:
        return "gone"
    return word if until == 9223372036854775807 else "ended"


def content(db: Connection, sql: str) -> str:
    rows = db.execute(sql).fetchall()
    if not rows:
        return "gone"
    return "stays" if rows[0][0] else "empty"


def shown(db: Connection) -> str:
    text = one(db, "SELECT text FROM shown_texts")
    if text is None:
        return "nothing"
    return "whole" if text == SENTENCE else "struck"


def fact_row(db: Connection) -> str:
    rows: Any = db.execute("SELECT visibility, support FROM facts").fetchall()
    if not rows:
        return "gone"
    visibility, support = rows[0]
    return "unsupported" if (visibility, support) == ("visible", 0) else visibility


def indexed(db: Connection) -> str:
    word = index_text(1, "oolong")
    found = [
        one(db, f"SELECT count(*) FROM {index} WHERE {index} MATCH '\"{word}\"'")
        for index in ("episode_index", "fact_index")
    ]
    return "some" if any(found) else "none"


def forget(memory: Memory, column: str) -> Any:
    """Forget the statement, as a column says."""
    if column not in ("redact", "derived"):
        plan = memory.plan_forget(next(memory.facts()).id, level=column)
    else:
        derived = "forget" if column == "derived" else "keep"
        plan = memory.plan_forget(memory.episodes()[0].id, level="redact", derived=derived)
        assert plan.baseless == (column == "redact")
    return memory.forget(plan)


def observe_names(memory: Memory, column: str) -> dict[str, str]:
    """Forget a statement of a name at a level, and say what is left of its names."""
    forget(memory, column)
    shown = [one.name for one in memory.entities() if one.name.startswith("Qui")]
    with memory._store.read() as db:
        until = one(db, "SELECT recorded_to FROM aliases WHERE name = 'Quixie'")
        return {
            "own name of its object": content(db, "SELECT name FROM entities WHERE name='Quixel'"),
            "alias that only the sentence uses": "gone" if until is None else "ended",
            "names that are shown": ", ".join(shown) or "none",
        }


def observe(memory: Memory, column: str) -> dict[str, str]:
    """Forget the statement at a level, and say what is left."""
    receipt = forget(memory, column)
    with memory._store.read() as db:
        kinds = db.execute("SELECT DISTINCT kind FROM suppressions ORDER BY kind").fetchall()
        return {
            "target of the level": f"the {receipt.kind}",
            "episode row": one(db, "SELECT visibility FROM episodes"),
            "text of the episode": content(db, "SELECT text FROM episode_texts"),
            "what is shown of it": shown(db),
            "fact row": fact_row(db),
            "object of the fact": content(db, "SELECT object_value FROM facts"),
            "periods of the fact": ended(db, "fact_periods", "stand"),
            "evidence": ended(db, "evidence", "stands"),
            "statement of the candidate": content(db, "SELECT statement FROM candidates"),
            "decision on it": content(db, "SELECT kind FROM decisions"),
            "rows in the word indexes": indexed(db),
            "fingerprints that keep it out": ", ".join(kind for (kind,) in kinds) or "none",
            "receipt": "one" if one(db, "SELECT count(*) FROM receipts") == 1 else "none",
            "can be undone": "yes" if receipt.undoable else "no",
        }


@pytest.mark.parametrize("column", LEVELS)
def test_each_level_leaves_what_the_page_says(make_story: Any, column: str) -> None:
    plain, named = make_story(), make_story()
    assert plain.tell(SENTENCE, "likes", "oolong").startswith("add")
    thing = {"name": "Quixel", "kind": "thing", "aliases": ["Quixie"]}
    assert named.tell(NAMED, "likes", thing).startswith("add")
    with plain.memory._store.read() as db:
        assert indexed(db) == "some"
    found = observe(plain.memory, column) | observe_names(named.memory, column)

    assert found == {what: cells[column] for what, cells in documented().items()}
