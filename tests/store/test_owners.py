"""Every table that can hold a text says whose it is, and gives it up when that is forgotten."""

from typing import Any

import pytest

from memorycore.store.erase import CONTENT_FREE, OWNERS

WORDS = ("zyxwvutsrq", "鼋鼍魑魅")
TABLES = """
SELECT m.name FROM sqlite_schema m
WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
  AND EXISTS(SELECT 1 FROM pragma_table_info(m.name) WHERE type IN ('TEXT', 'BLOB', 'ANY', ''))
"""
SHADOWS = ("_data", "_idx", "_docsize", "_config", "_content")


def tables(world: Any) -> set[str]:
    names = {name for (name,) in world.rows(TABLES)}
    return {name for name in names if not name.endswith(SHADOWS)}


def test_each_table_with_texts_names_an_owner_or_says_why_it_needs_none(world: Any) -> None:
    assert tables(world) - set(OWNERS) - CONTENT_FREE == set()
    assert set(OWNERS) & CONTENT_FREE == set()


@pytest.mark.parametrize("word", WORDS)
def test_no_table_keeps_a_word_of_a_scope_that_was_purged(story: Any, word: str) -> None:
    text = f"I like {word}."
    story.tell(text, "likes", {"name": word, "kind": "thing", "aliases": [f"{word} two"]})
    story.tell(text, "likes", word, rank=1, session=f"session {word}", speaker=f"Ana {word}")
    story.tell(text, "no such predicate", word)
    story.tell(f"If I had {word}, I would like it.", "likes", word)
    memory = story.memory
    memory.add(f"note of {word}", external_id=word, source=word, meta={"k": word})
    memory.add_alias(next(one.id for one in memory.entities() if word in one.name), f"{word} three")
    memory.forget(memory.plan_forget(subject=memory.scope, level="purge"))

    with memory._store.read() as db:
        for table in OWNERS | dict.fromkeys(CONTENT_FREE):
            if table in ("episode_index", "fact_index"):
                continue
            rows = db.execute(f"SELECT * FROM {table}").fetchall()
            assert word not in repr(rows), table
