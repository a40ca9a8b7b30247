"""What comes from broken files, other people and untrusted sources does no harm."""

import json
from pathlib import Path
from typing import Any

import pytest

from memorycore.errors import MemoryCoreError, NotFoundError, SecretRefusedError

MARCH, APRIL, MAY = (f"2025-0{month}-10T09:00:00+00:00" for month in (3, 4, 5))


def learn_lines(story: Any, path: Path, lines: list[str]) -> Any:
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return story.memory.propose_file(path, learn=True)


@pytest.mark.parametrize(
    "bad",
    [
        '{"predicate":"likes","object":"\\ud83d","external_id":"e1"}',
        '{"predicate":"likes","object":"tea","external_id":"e1",}',
        '{"predicate":"likes","object":"tea","external_id":"e1","confidence":NaN}',
        '{about travel} {"predicate":"likes","object":"tea","external_id":"e1"}',
        '{"predicate":"likes","object":"tea","external_id":"e1"} {"a":1}',
        '[{"predicate":"likes","object":"tea","external_id":"e1"}]',
        "!!python/object:os.system ls",
        "gASVKAAAAAAAAACMBXBvc2l4lIwGc3lzdGVtlJOU",
        "我喜欢茶",
    ],
)
def test_a_bad_line_is_kept_with_its_text_and_the_others_are_learned(
    story: Any, tmp_path: Path, bad: str
) -> None:
    story.say("I like plum tea and barley tea.")
    good = [
        json.dumps({"predicate": "likes", "object": f"{name} tea", "external_id": "e1"})
        for name in ("plum", "barley")
    ]

    result = learn_lines(story, tmp_path / "c.jsonl", [good[0], bad, good[1]])

    assert (result.admitted, result.quarantined) == (2, 1)
    assert not result.to_dict()["ok"]
    [line] = story.memory.quarantined()
    assert (line.text, line.place) == (bad, "c.jsonl line 2")
    assert story.now() == ["Nell likes barley tea", "Nell likes plum tea"]


def test_a_secret_in_a_bad_line_is_not_kept(story: Any, tmp_path: Path) -> None:
    secret = "gh" + "p_" + "a1B2" * 9

    result = learn_lines(story, tmp_path / "c.jsonl", [f"token {secret}"])

    assert result.quarantined == 1
    assert [line.text for line in story.memory.quarantined()] == [None]


@pytest.mark.parametrize("role", ["assistant", "tool", "system"])
def test_a_less_trusted_source_waits_instead_of_overruling(story: Any, role: str) -> None:
    schema = "[[predicate]]\nname = 'reads'\ncardinality = 'single'\nconflict_policy = 'supersede'"
    story.memory.add_predicates(schema + "\nallow_assistant_source = true\n")
    story.tell("I read Salt Ledger.", "reads", "Salt Ledger", MARCH)
    before = story.now()

    said = "Nell reads Tin Harbour."
    lamp = {"role": role, "speaker": "Lamp", "subject": "Nell", "confidence": 0.9}
    decision = story.tell(said, "reads", "Tin Harbour", MAY, **lamp)

    assert decision == "review low_trust"
    assert story.now() == before
    [waiting] = story.memory.reviews()
    assert waiting.target_text == "Nell reads Salt Ledger"
    assert story.fact("Nell reads Salt Ledger").evidence[0].source_class == "user"


def test_a_less_trusted_correction_waits_too(story: Any) -> None:
    schema = "[[predicate]]\nname = 'reads'\ncardinality = 'single'\nconflict_policy = 'supersede'"
    story.memory.add_predicates(schema + "\nallow_assistant_source = true\n")
    story.tell("I read Salt Ledger.", "reads", "Salt Ledger", MARCH)

    for act in ("correct", "retract"):
        said = f"Nell reads Tin Harbour, {act}."
        lamp = {"role": "assistant", "speaker": "Lamp", "subject": "Nell"}
        thing = "Tin Harbour" if act == "correct" else None
        assert story.tell(said, "reads", thing, MAY, act=act, **lamp) == "review low_trust"

    assert story.now() == ["Nell reads Salt Ledger"]


def test_more_trust_overrules_less(story: Any) -> None:
    schema = "[[predicate]]\nname = 'reads'\ncardinality = 'single'\nconflict_policy = 'supersede'"
    story.memory.add_predicates(schema + "\nallow_assistant_source = true\n")
    lamp = {"role": "assistant", "speaker": "Lamp", "subject": "Nell"}
    story.tell("Nell reads Tin Harbour.", "reads", "Tin Harbour", MARCH, **lamp)

    assert story.tell("I read Salt Ledger.", "reads", "Salt Ledger", MAY) == "supersede superseded"


@pytest.mark.parametrize(
    "text", ["remember my pass" + "word is hunter2!x", "我的密" + "码是 hunter2!x"]
)
def test_a_password_is_neither_kept_nor_learned(story: Any, text: str) -> None:
    with pytest.raises(SecretRefusedError):
        story.say(text)
    with pytest.raises(MemoryCoreError):
        story.memory.remember(text)
    key = story.say("Remember this.")

    item = {"predicate": "note", "object": text, "external_id": key}
    assert story.learn(item) == ["reject secret"]

    assert story.now() == []
    stored = [view.statement for view in story.memory.candidates()]
    assert stored == [None]
    assert "hunter2" not in repr(story.memory.digest()) + repr(list(story.memory.candidates()))


def two_scopes(story: Any) -> tuple[Any, list[str]]:
    """Tell two people's facts; give the second's story and the ids of everything it has."""
    other = type(story)(story.memory.scoped("user:bo"), 100)
    story.tell("I live in Alfa.", "lives_in", "Alfa", MARCH)
    other.tell("I live in Zanzibar.", "lives_in", "Zanzibar", MARCH, speaker="Bo")
    other.tell("I trust you, mostly.", "feels_about_agent", "trust", MARCH, speaker="Bo")
    memory = other.memory
    ids = [fact.id for fact in memory.facts()] + [one.id for one in memory.candidates()]
    ids += [one.id for one in memory.operations() if one.kind != "init"]
    ids += [one.id for one in memory.entities()]
    return other, ids


def test_nothing_of_another_scope_is_listed_counted_or_found(story: Any) -> None:
    two_scopes(story)
    memory = story.memory

    shown = [list(memory.facts(include={"past", "upcoming"})), list(memory.entities()),
             list(memory.candidates()), memory.reviews(), memory.conflicts(), memory.operations(),
             memory.find_entities("Zanzibar"), memory.find_entities("Bo"),
             memory.search("Zanzibar Bo trust"), memory.as_of_diff("2020", "2026")]  # fmt: skip

    text = repr(shown)
    assert "Zanzibar" not in text.replace("'Zanzibar Bo trust'", "").replace("'zanzibar'", "")
    assert memory.stats().to_dict() == type(story)(memory).memory.stats().to_dict()
    with pytest.raises(NotFoundError):
        list(memory.facts(subject="Bo"))
    with pytest.raises(NotFoundError):
        memory.history("Bo")


def test_no_id_of_another_scope_is_found_or_acted_on(story: Any) -> None:
    other, ids = two_scopes(story)
    before, mine = other.memory.digest(), story.memory

    for id_ in ids:
        with pytest.raises(NotFoundError) as refused:
            mine.get(id_)
        assert "Zanzibar" not in str(refused.value)
    [waiting] = other.memory.reviews()
    [fact] = other.memory.facts()
    acts = (
        lambda: mine.approve(waiting.id),
        lambda: mine.reject(waiting.id, "no"),
        lambda: mine.edit(waiting.id, {"object": "x"}),
        lambda: mine.explain(fact.id),
        lambda: mine.history(fact.id),
        lambda: mine.undo(other.memory.operations()[0].id),
        lambda: mine.merge_entities("Nell", other.memory.entity("Bo").id),
        lambda: mine.add_alias(other.memory.entity("Bo").id, "B"),
        lambda: mine.admit([waiting.id]),
    )
    for act in acts:
        with pytest.raises(NotFoundError):
            act()
    assert other.memory.digest() == before


def test_what_is_stored_for_an_agent_is_found_by_the_agent(story: Any) -> None:
    agent = type(story)(story.memory.scoped("agent:lamp"), 100)
    said = "My favourite is Salt Ledger."
    lamp = {"role": "assistant", "speaker": "Lamp"}
    work = {"name": "Salt Ledger", "kind": "work"}

    assert agent.tell(said, "FAVORITE_WORK", work, MARCH, rank=1, **lamp) == "add new"

    assert agent.now() == ["Lamp FAVORITE_WORK Salt Ledger"]
    assert agent.now(subject="Lamp") == agent.now()
    assert [hit.text for hit in agent.memory.search("Salt Ledger").facts] == agent.now()
    assert story.now() == []
