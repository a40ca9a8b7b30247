"""What waits for a person: recalled by nobody, decided by a person, and taken back whole."""

from collections.abc import Callable
from typing import Any

import pytest

from memorycore.errors import InvalidInputError, NotFoundError

MARCH, APRIL, MAY = (f"2025-0{month}-10T09:00:00+00:00" for month in (3, 4, 5))
LAMP = {"role": "assistant", "speaker": "Lamp", "subject": "Nell", "confidence": 0.9}
READS = """
[[predicate]]
name = "reads"
cardinality = "single"
conflict_policy = "supersede"
allow_assistant_source = true
"""


def unsure(story: Any, thing: str = "tea", at: str | None = MARCH, **more: Any) -> str:
    """Tell of something that waits for a person; give the id of the candidate."""
    fields = {"confidence": 0.3} | more
    assert story.tell(f"I like {thing}.", "likes", thing, at, **fields).startswith("review ")
    return str(story.memory.reviews()[-1].id)


def conflict(story: Any) -> str:
    """Tell of two homes that contradict each other; give the id of the later candidate."""
    story.tell("I live in Alfa.", "lives_in", "Alfa", None)
    assert story.tell("I live in Bravo.", "lives_in", "Bravo", None) == "conflict contradicts"
    [waiting] = story.memory.conflicts()
    return str(waiting.id)


def taken_back(story: Any, act: Callable[[], Any]) -> None:
    """Check that an act can be taken back, and that back again."""
    before = story.memory.digest()
    act()
    after = story.memory.digest()
    assert after != before
    undone = story.memory.undo()
    assert story.memory.digest() == before
    story.memory.undo(undone.operation.id)
    assert story.memory.digest() == after


WAITING: list[tuple[str, str, Any, dict[str, Any]]] = [
    ("I like tea.", "likes", "tea", {"confidence": 0.2}),
    ("I like tea.", "likes", "tea", {"tentative": True}),
    ("I like tea.", "likes", "tea", {"sensitivity": "restricted"}),
    ("我喜欢短信", "prefers", "短信", {"inferred": True}),
    ("I trust you.", "feels_about_agent", "trust", {}),
    ("I collect tea.", "collects", "tea", {}),
    ("I have a cat.", "has_pet", "a cat", {}),
]


@pytest.mark.parametrize(("text", "predicate", "thing", "fields"), WAITING)
def test_what_waits_is_recalled_by_nobody(
    story: Any, text: str, predicate: str, thing: str, fields: dict[str, Any]
) -> None:
    story.tell(text, predicate, thing, **fields)

    everything = {"past", "upcoming", "invalid", "consolidated", "archived"}
    assert story.now(include=everything) == []
    assert story.memory.search(f"{thing} {text}", include=sorted(everything)).facts == ()
    assert story.on("2025-06-01") == []
    [waiting] = story.memory.reviews()
    assert (waiting.state, waiting.decision, waiting.proposed) == ("review", "review", "add")
    assert [one.quote for one in waiting.evidence] == [text]


def test_approving_admits_what_waits(story: Any) -> None:
    waiting = unsure(story)

    result = story.memory.approve(waiting)

    assert [one.decision.kind for one in result.outcomes] == ["add"]
    assert story.now() == ["Nell likes tea"]
    assert story.memory.reviews() == []
    assert story.memory.get(waiting).decision == "add"


def test_approving_replays_the_decision_on_what_is_there_now(story: Any) -> None:
    story.tell("I live in Alfa.", "lives_in", "Alfa", MARCH)
    story.tell("I live in Bravo.", "lives_in", "Bravo", APRIL, confidence=0.3)
    story.tell("I live in Delta.", "lives_in", "Delta", MAY)
    [waiting] = story.memory.reviews()

    [outcome] = story.memory.approve(waiting.id).outcomes

    assert f"{outcome.decision.kind} {outcome.decision.reason}" == "history within"
    assert story.now() == ["Nell lives_in Delta"]
    assert story.on("2025-04-20") == ["Nell lives_in Bravo"]


def test_a_person_may_let_the_less_trusted_overrule(story: Any) -> None:
    story.memory.add_predicates(READS)
    story.tell("I read Salt.", "reads", "Salt", MARCH)
    assert story.tell("Nell reads Tin.", "reads", "Tin", MAY, **LAMP) == "review low_trust"
    [waiting] = story.memory.reviews()

    story.memory.approve(waiting.id)

    assert story.now() == ["Nell reads Tin"]
    assert story.links("SUPERSEDES") == [("Nell reads Tin", "Nell reads Salt")]


def test_rejecting_keeps_the_reason_and_admits_nothing(story: Any) -> None:
    waiting = unsure(story)

    story.memory.reject(waiting, "she was joking")

    assert story.now() == []
    assert story.memory.reviews() == []
    assert (story.memory.get(waiting).decision, story.memory.get(waiting).reason) == (
        "reject", "rejected"
    )  # fmt: skip


def test_what_was_rejected_does_not_come_back_by_learning_it_again(story: Any) -> None:
    key = story.say("I like tea.")
    item = {"predicate": "likes", "object": "tea", "external_id": key, "confidence": 0.3}
    story.learn(item)
    story.memory.reject(story.memory.reviews()[0].id, "no")

    assert story.memory.learn([item]).already_there == 1
    assert story.memory.reviews() == []


@pytest.mark.parametrize("reason", ["", " ", "x" * 201, "a\nb"])
def test_a_reason_is_a_short_line(story: Any, reason: str) -> None:
    waiting = unsure(story)

    with pytest.raises(InvalidInputError):
        story.memory.reject(waiting, reason)
    assert len(story.memory.reviews()) == 1


def test_editing_admits_what_a_person_makes_of_it(story: Any) -> None:
    story.tell("I collect old tickets.", "collects", "old tickets")
    [waiting] = story.memory.reviews()

    result = story.memory.edit(waiting.id, {"predicate": "likes"})

    assert [one.decision.kind for one in result.outcomes] == ["add"]
    assert story.now() == ["Nell likes old tickets"]
    assert story.memory.get(waiting.id).reason == "edited"
    [sentence] = story.fact("Nell likes old tickets").evidence
    assert sentence.quote == "I collect old tickets."


def test_an_edit_keeps_what_it_does_not_change(story: Any) -> None:
    waiting = unsure(story, valid_from="2024-05", valid_to="2026-06", valence=0.5)

    story.memory.edit(waiting, {"object": "green tea"})

    fact = story.fact("Nell likes green tea")
    assert (fact.period.starts("UTC"), fact.period.ends("UTC")) == ("2024-05", "2026-06")
    assert fact.valence == 0.5


@pytest.mark.parametrize(
    "changes", [{"predicat": "likes"}, {"confidence": 2}, {"object": "gh" + "p_" + "a1B2" * 9}]
)
def test_an_edit_that_cannot_be_read_changes_nothing(story: Any, changes: dict[str, Any]) -> None:
    waiting = unsure(story)
    before = story.memory.digest()

    with pytest.raises(InvalidInputError):
        story.memory.edit(waiting, changes)

    assert story.memory.digest() == before


def test_what_waits_can_be_merged_into_a_fact(story: Any) -> None:
    story.tell("Keep replies short.", "prefers", "Keep replies short", MARCH)
    said = "No long lists."
    story.tell(said, "prefers", "No long lists", APRIL, confidence=0.3)
    [waiting] = story.memory.reviews()
    into = story.fact("Nell prefers Keep replies short")

    [outcome] = story.memory.approve(waiting.id, into=into.id).outcomes

    assert outcome.decision.kind == "merge"
    assert story.now() == ["Nell prefers Keep replies short; No long lists"]
    assert len(story.links("MERGED_FROM")) == 2


def test_a_merge_into_another_subject_or_predicate_is_refused(story: Any) -> None:
    story.tell("Moss lives in Alfa.", "lives_in", "Alfa", MARCH, subject="Moss")
    waiting = unsure(story)
    before = story.memory.digest()

    with pytest.raises(InvalidInputError):
        story.memory.approve(waiting, into=story.fact("Moss lives_in Alfa").id)

    assert story.memory.digest() == before


def test_things_and_conflicts_are_not_merged(story: Any) -> None:
    waiting = conflict(story)
    home = story.fact("Nell lives_in Alfa")
    story.tell("I live in Delta.", "lives_in", "Delta", MAY, tentative=True)
    other = story.memory.reviews()[-1]
    before = story.memory.digest()

    for one in (waiting, other.id):
        with pytest.raises(InvalidInputError):
            story.memory.approve(one, into=home.id)

    assert story.memory.digest() == before


def test_a_conflict_shows_both_as_uncertain_until_it_is_decided(story: Any) -> None:
    conflict(story)

    assert story.now() == ["Nell lives_in Alfa", "Nell lives_in Bravo"]
    assert {fact.validity for fact in story.memory.facts()} == {"uncertain"}
    assert {fact.confidence for fact in story.memory.facts()} == {0.54}


def test_a_conflict_is_decided_for_the_later_candidate(story: Any) -> None:
    story.memory.approve(conflict(story))

    assert story.now() == ["Nell lives_in Bravo"]
    assert story.fact("Nell lives_in Bravo").validity == "valid"
    assert story.fact("Nell lives_in Bravo").confidence == 0.9
    assert story.links("CONTRADICTS") == []
    assert story.memory.conflicts() == []


def test_a_conflict_is_decided_for_what_was_there(story: Any) -> None:
    story.memory.reject(conflict(story), "she never lived there")

    assert story.now() == ["Nell lives_in Alfa"]
    assert story.fact("Nell lives_in Alfa").validity == "valid"
    assert story.links("CONTRADICTS") == []


def test_a_conflict_of_opposites_is_decided_both_ways(make_story: Callable[[], Any]) -> None:
    for act, left in (("approve", "dislikes"), ("reject", "likes")):
        story = make_story()
        story.tell("I like tea.", "likes", "tea", None)
        story.tell("I dislike tea.", "dislikes", "tea", None)
        [waiting] = story.memory.conflicts()
        getattr(story.memory, act)(waiting.id, *(["no"] if act == "reject" else []))

        assert story.now() == [f"Nell {left} tea"]


def test_a_conflict_edited_into_something_else_is_over(story: Any) -> None:
    story.memory.edit(conflict(story), {"predicate": "works_at"})

    assert story.now() == ["Nell lives_in Alfa", "Nell works_at Bravo"]
    assert story.memory.conflicts() == []
    assert story.fact("Nell lives_in Alfa").validity == "valid"


def test_what_was_inferred_often_enough_is_admitted_with_all_that_waited(story: Any) -> None:
    words = ("I write short notes.", "Short notes again.")
    first = story.tell(words[0], "prefers", "short notes", MARCH, inferred=True)
    assert (first, story.now()) == ("review min_evidence", [])

    key = story.say(words[1], APRIL)
    result = story.memory.learn(
        [{"predicate": "prefers", "object": "short notes", "external_id": key, "inferred": True}]
    )

    assert sorted(one.decision.kind for one in result.outcomes) == ["add", "reinforce"]
    assert story.memory.reviews() == []
    [fact] = story.memory.facts()
    assert [one.quote for one in fact.evidence] == list(words)


def test_an_inference_from_one_session_is_seen_once(story: Any) -> None:
    for at in (MARCH, APRIL, MAY):
        decision = story.tell(
            "I write short notes.", "prefers", "short notes", at, session="one", inferred=True
        )

    assert decision == "review min_evidence"
    assert len(story.memory.reviews()) == 3


def test_an_inference_that_was_rejected_counts_no_more(story: Any) -> None:
    story.tell("I write short notes.", "prefers", "short notes", MARCH, inferred=True)
    story.memory.reject(story.memory.reviews()[0].id, "no")

    again = story.tell("Short notes again.", "prefers", "short notes", APRIL, inferred=True)

    assert again == "review min_evidence"


def second_inference(story: Any) -> Callable[[], Any]:
    story.tell("I write short notes.", "prefers", "short notes", MARCH, inferred=True)
    key = story.say("Short notes again.", APRIL)
    item = {"predicate": "prefers", "object": "short notes", "external_id": key, "inferred": True}
    return lambda: story.memory.learn([item])


def merge_into(story: Any) -> Callable[[], Any]:
    story.tell("Keep replies short.", "prefers", "Keep replies short", MARCH)
    story.tell("No long lists.", "prefers", "No long lists", APRIL, confidence=0.3)
    [waiting] = story.memory.reviews()
    into = story.fact("Nell prefers Keep replies short")
    return lambda: story.memory.approve(waiting.id, into=into.id)


ACTS: dict[str, Callable[[Any], Callable[[], Any]]] = {
    "approve": lambda story: (lambda one: lambda: story.memory.approve(one))(unsure(story)),
    "reject": lambda story: (lambda one: lambda: story.memory.reject(one, "no"))(unsure(story)),
    "edit": lambda story: (lambda one: lambda: story.memory.edit(one, {"object": "rum"}))(
        unsure(story)
    ),
    "merge": merge_into,
    "conflict for": lambda story: (lambda one: lambda: story.memory.approve(one))(conflict(story)),
    "conflict against": lambda story: (lambda one: lambda: story.memory.reject(one, "no"))(
        conflict(story)
    ),
    "conflict edited": lambda story: (
        lambda one: lambda: story.memory.edit(one, {"predicate": "works_at"})
    )(conflict(story)),
    "seen often enough": second_inference,
}


@pytest.mark.parametrize("act", ACTS.values(), ids=list(ACTS))
def test_every_act_is_taken_back_whole(story: Any, act: Callable[[Any], Callable[[], Any]]) -> None:
    taken_back(story, act(story))


def test_what_was_decided_cannot_be_decided_again(story: Any) -> None:
    waiting = unsure(story)
    story.memory.approve(waiting)

    for again in (
        lambda: story.memory.approve(waiting),
        lambda: story.memory.reject(waiting, "no"),
        lambda: story.memory.edit(waiting, {"object": "rum"}),
    ):
        with pytest.raises(InvalidInputError):
            again()


def test_nothing_is_decided_about_a_sentence_that_was_taken_back(story: Any) -> None:
    waiting = unsure(story)
    sentence = story.memory.operations()[1]
    story.memory.undo(sentence.id)

    with pytest.raises(InvalidInputError):
        story.memory.approve(waiting)
    story.memory.reject(waiting, "gone")
    assert story.memory.reviews() == []


def test_there_is_nothing_to_decide_in_an_empty_scope(story: Any) -> None:
    with pytest.raises(NotFoundError):
        story.memory.approve("cand_" + "0" * 26)
