"""Nobody stays where facts were cleared, and what others have is no remains of what went."""

import re

import pytest


@pytest.mark.parametrize("level", ["redact", "purge"])
def test_nobody_stays_when_a_text_goes_that_cleared_facts_rest_on(world, level):
    memory = world.memory
    for number, thing in enumerate(("oolong", "乌龙茶")):
        memory.add(f"I like {thing}", external_id=str(number), speaker="Nell")
        memory.learn([{"predicate": "likes", "object": {"name": thing, "kind": "thing"},
                       "external_id": str(number), "quote": f"I like {thing}"}])  # fmt: skip
    memory.forget(memory.plan_forget(subject="Nell", level="hard"))
    memory.forget(memory.plan_forget(memory.episodes()[0].id, level=level))
    assert world.rows("PRAGMA foreign_key_check") == []
    assert [row[0] for row in world.rows("SELECT kind FROM entities")].count("nobody") == 1


def test_an_emoji_that_another_scope_has_too_is_no_remains(file_world):
    for scope in ("user:ana", "user:bo"):
        file_world.memory.scoped(scope).add("I am busy with the garden 🌱", session="s")
    receipt = file_world.memory.forget(file_world.memory.plan_forget(session="s", level="purge"))
    assert receipt.verification.found == 0
    assert receipt.is_settled


WORDS_OF_ITS_OWN = """
SELECT group_concat(sql, ' ') FROM sqlite_schema
UNION ALL SELECT group_concat(kind, ' ') FROM operation_kinds
UNION ALL SELECT group_concat(name || ' ' || label_en || ' ' || fact_type, ' ')
  FROM predicates JOIN predicate_versions USING(predicate_id)
UNION ALL SELECT group_concat(name, ' ') FROM schema_migrations
UNION ALL SELECT time_zone FROM stores
UNION ALL SELECT 'automerge hashsize rcpt verified logical user-requested memoryctl'
"""


@pytest.mark.parametrize("level", ["redact", "purge"])
def test_words_that_the_store_itself_writes_are_no_residue(file_world, level):
    memory = file_world.memory
    memory.add("something else 别的")
    own = " ".join(text for (text,) in file_world.rows(WORDS_OF_ITS_OWN))
    words = sorted(set(re.findall("[A-Za-z_]{6,}", own)))
    for at in range(0, len(words), 40):
        memory.add(" ".join(words[at : at + 40]), session="own")
    receipt = memory.forget(memory.plan_forget(session="own", level=level))
    assert receipt.verification.words > 100
    assert (receipt.verification.found, receipt.is_settled) == (0, True)


def test_the_words_are_out_of_the_indexes_as_soon_as_nobody_can_read_the_rest(file_world):
    episode = file_world.memory.add("a rare zyxomatic word 稀罕")
    receipt = file_world.memory.forget(episode.id, level="redact", finish=False)
    phases = receipt.to_dict()["phases"]
    assert list(phases) == ["logical", "index", "file", "verified"]
    assert phases["index"] == phases["logical"] is not None
    assert (phases["file"], phases["verified"]) == (None, None)
