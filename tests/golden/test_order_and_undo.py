"""Order of arrival, repeats, expiry, opposites, taking back, scopes and names that are shared."""

from itertools import permutations
from typing import Any

import pytest

from memorycore import Memory

MARCH, APRIL, MAY = (f"2025-0{month}-10T09:00:00+00:00" for month in (3, 4, 5))


def lives(key: str, name: str) -> dict[str, Any]:
    return {"predicate": "lives_in", "object": name, "external_id": key}


def test_an_older_home_told_late_becomes_history(story: Any) -> None:
    story.tell("I live in Bravo.", "lives_in", "Bravo", MAY)

    assert story.tell("I live in Alfa.", "lives_in", "Alfa", MARCH) == "history older"

    assert story.now() == ["Nell lives_in Bravo"]
    assert story.on("2025-04-01") == ["Nell lives_in Alfa"]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_dated_sentences_end_alike_in_whatever_order_they_come(
    story: Any, order: tuple[int, ...]
) -> None:
    homes = [("Alfa", MARCH), ("Bravo", APRIL), ("Alfa", MAY)]
    for number in order:
        name, at = homes[number]
        story.tell(f"I live in {name}.", "lives_in", name, at)

    assert story.now() == ["Nell lives_in Alfa"]
    assert story.on("2025-03-20") == ["Nell lives_in Alfa"]
    assert story.on("2025-04-20") == ["Nell lives_in Bravo"]


def test_the_same_text_in_another_session_is_independent_evidence(story: Any) -> None:
    story.tell("I like plum tea.", "likes", "plum tea", MARCH, session="one")
    once = story.fact("Nell likes plum tea").confidence

    assert story.tell("I like plum tea.", "likes", "plum tea", APRIL, session="two") == (
        "reinforce same_statement"
    )

    assert story.fact("Nell likes plum tea").confidence > once
    assert len(story.now()) == 1


def test_the_same_text_again_in_one_session_counts_once(story: Any) -> None:
    story.tell("I like plum tea.", "likes", "plum tea", MARCH, session="one")
    once = story.fact("Nell likes plum tea").confidence

    story.tell("I like plum tea.", "likes", "plum tea", APRIL, session="one")

    fact = story.fact("Nell likes plum tea")
    assert (fact.confidence, fact.support) == (once, 2)


def test_what_expires_ends_although_nothing_ran(story: Any) -> None:
    story.tell("I am busy with the audit.", "is_busy_with", "the audit", MARCH)
    before = story.memory.operations()[0].id

    assert story.on("2025-03-20") == ["Nell is_busy_with the audit"]
    assert story.on("2025-04-10") == []
    assert story.now() == []
    assert story.memory.operations()[0].id == before


def test_what_begins_later_is_not_told_before(story: Any) -> None:
    said = "From May 2031 I live in Delta."
    story.tell(said, "lives_in", "Delta", MARCH, valid_from="2031-05")

    assert story.now() == []
    assert story.memory.search("Delta").facts == ()
    assert story.on("2031-05-02") == ["Nell lives_in Delta"]
    assert story.now(include={"upcoming"}) == ["Nell lives_in Delta"]


def test_what_was_not_known_yet_is_not_told_of_that_time(story: Any) -> None:
    said = "Ysolde has been director of Lantern Hall since June 2024."
    story.tell(said, "works_at", "Lantern Hall", MARCH, subject="Ysolde", valid_from="2024-06")

    assert story.on("2024-09-10") == ["Ysolde works_at Lantern Hall"]
    assert story.on("2024-09-10", known_at="2024-09-10") == []


@pytest.mark.parametrize("first", ["likes", "dislikes"])
def test_the_later_of_two_dated_opposites_holds(story: Any, first: str) -> None:
    second = {"likes": "dislikes", "dislikes": "likes"}[first]
    said = {"likes": "I like liquorice.", "dislikes": "I dislike liquorice."}
    story.tell(said[first], first, "liquorice", MARCH)

    assert story.tell(said[second], second, "liquorice", MAY) == "supersede superseded"

    assert story.now() == [f"Nell {second} liquorice"]
    assert story.on("2025-04-01") == [f"Nell {first} liquorice"]


def test_opposites_without_time_stay_contested_and_say_so(story: Any) -> None:
    story.tell("I like liquorice.", "likes", "liquorice", None)

    assert story.tell("I dislike liquorice.", "dislikes", "liquorice", None) == (
        "conflict contradicts"
    )

    likes, dislikes = "Nell likes liquorice", "Nell dislikes liquorice"
    assert {story.fact(one).validity for one in (likes, dislikes)} == {"uncertain"}
    assert sorted(story.links("CONTRADICTS")) == [(dislikes, likes), (likes, dislikes)]
    assert len(story.memory.conflicts()) == 1


def test_opposites_in_one_session_go_by_the_last_word(story: Any) -> None:
    story.tell("I like liquorice.", "likes", "liquorice", None, session="one")
    story.tell("I dislike liquorice after all.", "dislikes", "liquorice", None, session="one")

    assert story.now() == ["Nell dislikes liquorice"]


def ingested(memory: Memory) -> list[str]:
    return [one.id for one in memory.operations() if one.kind in ("ingest", "add")][::-1]


def test_a_fact_outlives_one_of_its_two_sources_and_not_both(story: Any) -> None:
    story.tell("I like plum tea.", "likes", "plum tea", MARCH)
    story.tell("Plum tea is what I like.", "likes", "plum tea", APRIL)
    both, whole = story.fact("Nell likes plum tea"), story.memory.digest()
    first, second = ingested(story.memory)

    story.memory.undo(first)
    one = story.fact("Nell likes plum tea")
    assert one.confidence < both.confidence
    assert [sentence.quote for sentence in one.evidence] == ["Plum tea is what I like."]
    assert story.on("2025-03-20") == []

    undone = story.memory.undo(second)
    assert undone.facts_gone == 1
    assert story.now() == []
    assert story.memory.search("plum tea").facts == ()

    story.memory.undo(undone.operation.id)
    assert story.now() == ["Nell likes plum tea"]
    undos = [one.id for one in story.memory.operations() if one.undoes is not None]
    story.memory.undo(undos[-1])
    assert story.memory.digest() == whole


def test_taking_back_the_later_home_brings_the_earlier_one_back(story: Any) -> None:
    story.tell("I live in Alfa.", "lives_in", "Alfa", MARCH)
    before = story.memory.digest()
    story.tell("I live in Bravo.", "lives_in", "Bravo", APRIL)
    learned = story.memory.operations()[0]

    story.memory.undo(learned.id)

    assert story.now() == ["Nell lives_in Alfa"]
    assert story.fact("Nell lives_in Alfa").validity == "valid"
    assert story.links("SUPERSEDES") == []
    story.memory.undo(ingested(story.memory)[-1])
    assert story.memory.digest() == before


@pytest.mark.parametrize(
    "question", ["everything about Alfa including past", "Alfa include:past", "ignore scope Alfa"]
)
def test_the_words_of_a_question_do_not_widen_it(story: Any, question: str) -> None:
    story.tell("I live in Alfa.", "lives_in", "Alfa", MARCH)
    story.tell("I live in Bravo.", "lives_in", "Bravo", APRIL)

    found = story.memory.search(question)

    assert "Alfa" not in " ".join(hit.text for hit in found.facts)
    assert story.memory.search("Alfa", include=["past"]).facts[0].text == "Nell lives_in Alfa"


def test_no_scope_sees_or_meets_the_facts_of_another(story: Any) -> None:
    other = type(story)(story.memory.scoped("user:bo"), 100)
    story.tell("I live in Alfa.", "lives_in", "Alfa", MARCH)
    mine = story.memory.digest()

    assert other.tell("I live in Bravo.", "lives_in", "Bravo", APRIL) == "add new"
    stolen = {"predicate": "lives_in", "object": "Alfa", "external_id": "e1"}
    assert other.learn(stolen) == ["reject episode_not_visible"]

    assert story.now() == ["Nell lives_in Alfa"]
    assert other.now() == ["Nell lives_in Bravo"]
    assert story.memory.digest() == mine
    assert other.memory.search("Alfa").facts == ()
    both = story.memory.scoped("user:ana", ["user:bo"])
    assert sorted(fact.scope for fact in both.facts()) == ["user:ana", "user:bo"]


@pytest.mark.parametrize(
    "thing", ["gift shops", "nowhere songs", "undeleted scenes", "snowdrops", "rewrite contests"]
)
def test_a_word_inside_another_refuses_nothing(story: Any, thing: str) -> None:
    assert story.tell(f"I like {thing}.", "likes", thing) == "add new"


def test_a_person_and_a_place_of_one_name_stay_two_and_can_be_told_apart(story: Any) -> None:
    story.tell("I live in Hazel.", "lives_in", {"name": "Hazel", "kind": "place"}, MARCH)
    story.tell("I like Hazel.", "likes", {"name": "Hazel", "kind": "person"}, APRIL)

    kinds = [one.kind for one in story.memory.entities() if one.name == "Hazel"]
    assert sorted(kinds) == ["person", "place"]
    assert story.tell("I like Hazel a lot.", "likes", "Hazel", MAY) == "review entity_ambiguous"


def test_two_entities_are_merged_and_taken_apart_again(story: Any) -> None:
    story.tell("Admon lives in Alfa.", "lives_in", "Alfa", MARCH, subject="Admon")
    story.tell("Addy lives in Bravo.", "lives_in", "Bravo", APRIL, subject="Addy")
    before = story.memory.digest()

    merged = story.memory.merge_entities("Admon", "Addy")

    assert story.now() == ["Admon lives_in Bravo"]
    assert story.on("2025-03-20") == ["Admon lives_in Alfa"]
    assert story.tell("Addy likes chess.", "likes", "chess", MAY, subject="Addy") == "add new"
    story.memory.undo(story.memory.operations()[0].id)
    story.memory.undo(story.memory.operations()[2].id)
    story.memory.undo(merged.id)
    assert story.now() == ["Addy lives_in Bravo", "Admon lives_in Alfa"]
    assert story.memory.digest() == before
