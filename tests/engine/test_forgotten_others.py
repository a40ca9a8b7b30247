"""Nobody stays where facts were cleared, and what others have is no remains of what went."""

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
