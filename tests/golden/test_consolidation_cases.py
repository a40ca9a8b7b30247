"""What becomes of statements that meet: small stories, each with the one outcome it must have."""

from pathlib import Path
from typing import Any

import pytest

from memorycore.model.identity import format_id

MARCH, APRIL, MAY = (f"2025-0{month}-10T09:00:00+00:00" for month in (3, 4, 5))


def place(name: str, *aliases: str) -> dict[str, Any]:
    return {"name": name, "kind": "place", "aliases": list(aliases)}


def pet(name: str, *aliases: str) -> dict[str, Any]:
    return {"name": name, "kind": "pet", "aliases": list(aliases)}


def test_a_later_home_ends_the_earlier_one(story: Any) -> None:
    assert story.tell("I live in Alfa.", "lives_in", "Alfa", MARCH) == "add new"
    assert story.tell("I now live in Bravo.", "lives_in", "Bravo", APRIL) == "supersede superseded"

    assert story.now() == ["Nell lives_in Bravo"]
    assert story.fact("Nell lives_in Alfa").validity == "invalidated"
    assert story.fact("Nell lives_in Bravo").validity == "valid"
    assert story.links("SUPERSEDES") == [("Nell lives_in Bravo", "Nell lives_in Alfa")]
    [sentence] = story.fact("Nell lives_in Bravo").evidence
    assert sentence.quote == "I now live in Bravo."


def test_likings_stand_beside_each_other_and_one_is_said_again(story: Any) -> None:
    assert story.tell("I like coffee.", "likes", "coffee", MARCH) == "add new"
    assert story.tell("I like tea.", "likes", "tea", APRIL) == "add coexists"
    assert story.tell("I still like coffee.", "likes", "coffee", MAY) == "reinforce same_statement"

    quotes = [one.quote for one in story.fact("Nell likes coffee").evidence]
    assert quotes == ["I like coffee.", "I still like coffee."]
    assert story.now() == ["Nell likes coffee", "Nell likes tea"]


def test_the_first_wording_of_a_boundary_is_kept(story: Any) -> None:
    assert story.tell("No calls before noon", "has_boundary", "No calls before noon") == "add new"
    again = story.tell("no calls before noon!", "has_boundary", "no calls before noon!", APRIL)

    assert again == "reinforce same_statement"
    assert story.now() == ["Nell has_boundary No calls before noon"]


def test_two_boundaries_stand_beside_each_other(story: Any) -> None:
    story.tell("No calls before noon.", "has_boundary", "No calls before noon")
    other = story.tell("Keep my diary private.", "has_boundary", "Keep my diary private", APRIL)

    assert other == "add coexists"
    assert len(story.now()) == 2


def test_a_boundary_that_says_more_is_merged_and_the_parts_are_kept(story: Any) -> None:
    first, second = "No calls before noon", "No calls before noon, not even from family"
    story.tell(first, "has_boundary", first)

    assert story.tell(second, "has_boundary", second, APRIL) == "merge merged"

    assert story.now() == [f"Nell has_boundary {second}"]
    assert story.fact(f"Nell has_boundary {first}").lifecycle == "consolidated"
    assert len(story.fact(f"Nell has_boundary {second}").evidence) == 2
    assert len(story.links("MERGED_FROM")) == 1


def test_a_feeling_about_the_agent_waits_for_a_person(story: Any) -> None:
    decision = story.tell("I trust you, I think.", "feels_about_agent", "trust", MARCH)

    assert decision == "review policy"
    assert story.now() == []
    assert len(story.memory.reviews()) == 1


def test_what_keeps_somebody_busy_ends_after_three_weeks(story: Any) -> None:
    said = "I am busy with release preparation."
    story.tell(said, "is_busy_with", "release preparation", "2026-04-28T09:00:00+08:00")

    period = story.fact("Nell is_busy_with release preparation").period
    assert period.ends("UTC") == "2026-05-19"
    assert (period.to_basis, period.ended_by) == ("policy", "expiry")
    assert story.on("2026-05-19T00:59:59Z") == ["Nell is_busy_with release preparation"]
    assert story.on("2026-05-19T01:00:00Z") == []
    assert story.fact("Nell is_busy_with release preparation").lifecycle == "active"


def test_a_dislike_is_said_with_not(story: Any) -> None:
    assert story.tell("I don't like 8 am meetings.", "dislikes", "8 am meetings") == "add new"

    [fact] = story.memory.facts()
    assert fact.subject.name == "Nell"
    assert len(fact.evidence) == 1


def test_the_same_extraction_again_changes_nothing(story: Any) -> None:
    key = story.say("I don't like 8 am meetings.")
    item = {"predicate": "dislikes", "object": "8 am meetings", "external_id": key}
    story.learn(item)
    before = story.memory.digest()

    result = story.memory.learn([item])

    assert (result.already_there, result.operation) == (1, None)
    assert story.memory.digest() == before


def test_the_same_sentence_extracted_in_other_words_is_no_new_evidence(story: Any) -> None:
    key = story.say("I don't like 8 am meetings.")
    item = {"predicate": "dislikes", "object": "8 am meetings", "external_id": key}
    story.learn(item)
    before = story.fact("Nell dislikes 8 am meetings")

    assert story.learn(item | {"object": "8 AM meetings."}) == ["ignore same_evidence"]

    after = story.fact("Nell dislikes 8 am meetings")
    assert (after.support, after.confidence) == (before.support, before.confidence)


@pytest.mark.parametrize("name", ["PQ", "ｐｑ", "皮克港"])
def test_a_place_is_known_by_its_short_and_translated_names(story: Any, name: str) -> None:
    story.tell("I moved to Port Quill.", "lives_in", place("Port Quill", "PQ", "皮克港"), MARCH)

    again = story.tell(f"I live in {name}.", "lives_in", name, APRIL)

    assert again == "reinforce same_statement"
    assert [one.name for one in story.memory.entities() if one.kind == "place"] == ["Port Quill"]


def test_a_sentence_that_corrects_and_says_now_is_a_change(story: Any) -> None:
    story.tell("I live in Alfa.", "lives_in", "Alfa", MARCH)

    decision = story.tell("Correction: I live in Bravo now.", "lives_in", "Bravo", APRIL)

    assert decision == "supersede superseded"
    assert story.on("2025-03-20") == ["Nell lives_in Alfa"]


def test_a_correction_takes_the_place_of_what_was_wrong(story: Any) -> None:
    story.tell("I live in Alfa.", "lives_in", "Alfa", MARCH)
    believed = story.memory.operations()[0].at

    decision = story.tell("Typo: I live in Alba.", "lives_in", "Alba", APRIL, act="correct")

    assert decision == "correct corrected"
    assert story.on("2025-03-20") == ["Nell lives_in Alba"]
    assert story.on("2025-03-20", known_at=iso(believed)) == ["Nell lives_in Alfa"]
    assert story.links("CORRECTS") == [("Nell lives_in Alba", "Nell lives_in Alfa")]


def iso(at: int) -> str:
    from memorycore.model.time import format_instant

    return format_instant(at)


def test_an_order_to_forget_states_nothing(story: Any) -> None:
    story.say("Forget where I live.")

    result = story.memory.learn([])

    assert (result.operation, story.now(), result.admitted) == (None, [], 0)


def test_what_the_assistant_supposes_of_the_user_is_refused(story: Any) -> None:
    spoken = {"role": "assistant", "speaker": "Lamp"}
    said = "You may like warm milk."

    decision = story.tell(said, "likes", "warm milk", MARCH, subject="Nell", **spoken)

    assert decision == "reject not_said_by_user"
    assert story.now() == []


def test_a_cause_is_linked_to_its_effect(story: Any) -> None:
    key = story.say("Because I joined Team Heron, I am busy with the migration.", APRIL)
    work = {"predicate": "works_at", "object": "Team Heron", "external_id": key,
            "quote": "I joined Team Heron", "ref": "work"}  # fmt: skip
    busy = {"predicate": "is_busy_with", "object": "the migration", "external_id": key,
            "quote": "I am busy with the migration",
            "links": [{"kind": "CAUSED_BY", "to": "work"}]}  # fmt: skip

    # The effect comes first: links are made when all facts of the batch are there.
    assert story.learn(busy, work) == ["add new", "add new"]

    expected = [("Nell is_busy_with the migration", "Nell works_at Team Heron")]
    assert story.links("CAUSED_BY") == expected


def test_a_cause_that_was_known_already_is_linked(story: Any) -> None:
    key = story.say("Because I joined Team Heron, I am busy with the migration.", APRIL)
    work = {"predicate": "works_at", "object": "Team Heron", "external_id": key,
            "quote": "I joined Team Heron"}  # fmt: skip
    busy = {"predicate": "is_busy_with", "object": "the migration", "external_id": key,
            "quote": "I am busy with the migration",
            "links": [{"kind": "CAUSED_BY", "to": "work"}]}  # fmt: skip
    story.learn(work)

    decisions = story.learn(work | {"ref": "work", "object": "team heron"}, busy)

    assert decisions == ["ignore same_evidence", "add new"]
    assert len(story.links("CAUSED_BY")) == 1


def test_a_name_that_two_candidates_have_is_linked_to_neither(story: Any) -> None:
    key = story.say("I like coffee and tea, and I am busy with the migration.", APRIL)
    items = [
        {"predicate": "likes", "object": name, "external_id": key, "ref": "it"}
        for name in ("coffee", "tea")
    ]
    busy = {"predicate": "is_busy_with", "object": "the migration", "external_id": key,
            "links": [{"kind": "CAUSED_BY", "to": "it"}]}  # fmt: skip

    result = story.memory.learn([*items, busy])

    assert [one["code"] for one in result.problems] == ["link_target"]
    assert story.links("CAUSED_BY") == []


def test_a_link_to_what_was_refused_is_a_problem_and_no_error(story: Any) -> None:
    key = story.say("I am busy with the migration.", APRIL)
    busy = {"predicate": "is_busy_with", "object": "the migration", "external_id": key,
            "links": [{"kind": "CAUSED_BY", "to": "nowhere"}]}  # fmt: skip

    result = story.memory.learn([busy])

    assert (result.admitted, [one["code"] for one in result.problems]) == (1, ["link_target"])


@pytest.mark.parametrize("sensitivity", ["sensitive", "restricted"])
def test_a_sensitive_diagnosis_waits_for_a_person(story: Any, sensitivity: str) -> None:
    said = "They found a growth in my lung."

    assert story.tell(said, "note", said, sensitivity=sensitivity) == "review sensitive"
    assert story.now() == []


@pytest.mark.parametrize("predicate", ["feels_about_agent", "is_busy_with"])
def test_the_mood_of_the_agent_is_no_fact(story: Any, predicate: str) -> None:
    said = "The agent is attached to me."
    agent = {"name": "the agent", "kind": "agent"}

    decision = story.tell(said, predicate, "attached to me", subject=agent)

    assert decision == "reject agent_affect"
    assert story.now() == []


def test_two_likings_of_one_turn_both_stand(story: Any) -> None:
    key = story.say("I like coffee and oolong.")
    items = [
        {"predicate": "likes", "object": name, "external_id": key} for name in ("coffee", "oolong")
    ]

    assert story.learn(*items) == ["add new", "add coexists"]
    assert story.now() == ["Nell likes coffee", "Nell likes oolong"]


@pytest.mark.parametrize("kind", ["animal", "thing"])
def test_a_kind_that_the_predicate_does_not_take_waits_and_can_be_set_right(
    story: Any, kind: str
) -> None:
    said = "Milo is my cat."
    assert story.tell(said, "has_pet", {"name": "Milo", "kind": kind}) == "review object_kind"

    [waiting] = story.memory.reviews()
    story.memory.edit(waiting.id, {"object": pet("Milo")})

    assert story.now() == ["Nell has_pet Milo"]
    assert [one.kind for one in story.memory.entities()] == ["person", "pet"]


def test_a_pet_is_one_under_all_its_names(story: Any) -> None:
    said = "Milo is my cat, Milo-cat to the children."
    assert story.tell(said, "has_pet", pet("Milo", "Milo-cat"), MARCH) == "add new"
    again = story.tell("Milo-cat is asleep.", "has_pet", "Milo-cat", APRIL)

    assert again == "reinforce same_statement"
    assert [one.name for one in story.memory.entities()] == ["Nell", "Milo"]
    fact = story.fact("Nell has_pet Milo")
    assert (fact.object.kind, len(fact.evidence)) == ("pet", 2)


def test_a_confidence_that_is_no_number_is_quarantined(story: Any, tmp_path: Path) -> None:
    key = story.say("Milo is my cat.")
    line = f'{{"predicate":"has_pet","object":"Milo","external_id":"{key}","confidence":"sure"}}'
    (tmp_path / "c.jsonl").write_text(line + "\n", "utf-8")

    result = story.memory.propose_file(tmp_path / "c.jsonl", learn=True)

    assert (result.quarantined, result.proposed) == (1, 0)
    assert "confidence" in result.rejections[0]["reason"]
    assert [line.text for line in story.memory.quarantined()] == [line]
    assert story.now() == []


@pytest.mark.parametrize("said", [{"value": "Milo"}, {"object": "a cat"}])
def test_a_pet_needs_a_name(story: Any, said: dict[str, str]) -> None:
    key = story.say("I have a cat, Milo.")

    assert story.learn({"predicate": "has_pet", "external_id": key} | said) == [
        "review object_kind"
    ]
    assert story.now() == []
    assert format_id("cand", story.memory.reviews()[0].uid).startswith("cand_")
