"""What was decided between facts: replaced, joined, contradicted, and taken back again."""

import json
from typing import Any

import pytest

from memorycore import errors

TEA = "The user drinks oolong tea every morning."
COFFEE = "The user drinks black coffee every morning now."
WATER = "The user drinks water every morning, since May."
JOINED = "The user drinks oolong tea and now also black coffee every morning."


def joining(item: dict[str, Any], found: Any) -> tuple[Any, ...]:
    merged = json.dumps({"title": "Drinks", "summary": JOINED})
    return "MERGE", [found[0].id], merged, "the same", 0.9


def test_a_fact_that_is_replaced_stays_findable_and_holds_no_more(desk: Any) -> None:
    desk.bring(TEA)
    desk.bring(COFFEE, by=desk.always("SUPERSEDE"))
    assert desk.facts() == [COFFEE]
    old = desk.fact(TEA)
    assert (old.validity, old.lifecycle, old.object_text) == ("invalidated", "consolidated", TEA)
    assert desk.links("SUPERSEDES") == {(COFFEE, TEA)}
    found = desk.memory.search("oolong tea morning", include=["consolidated"]).facts
    assert TEA in {hit.fact.object_text for hit in found}
    assert TEA not in {hit.fact.object_text for hit in desk.memory.search("oolong").facts}


def test_facts_that_are_joined_become_a_new_one_that_rests_on_both_sentences(desk: Any) -> None:
    desk.bring(TEA)
    desk.bring(COFFEE, by=desk.says(joining))
    assert desk.facts() == [JOINED]
    assert {one.quote for one in desk.fact(JOINED).evidence} == {TEA, COFFEE}
    assert desk.links("SUPERSEDES") == desk.links("MERGED_FROM") == {(JOINED, TEA)}
    assert desk.fact(TEA).lifecycle == "consolidated"


def test_facts_that_contradict_each_other_say_so_both_ways_and_both_stand(desk: Any) -> None:
    desk.bring(TEA)
    desk.bring(COFFEE, by=desk.always("CONFLICT"))
    assert desk.facts() == sorted([TEA, COFFEE])
    assert {desk.fact(one).validity for one in (TEA, COFFEE)} == {"uncertain"}
    assert desk.links("CONTRADICTS") == {(TEA, COFFEE), (COFFEE, TEA)}


def test_what_is_ignored_leaves_only_its_item(desk: Any) -> None:
    desk.bring(TEA)
    before = desk.memory.digest()
    job = desk.bring(COFFEE, by=desk.always("IGNORE"))
    assert (desk.memory.digest(), desk.outcomes(job)) == (before, ["IGNORE"])
    [item] = desk.memory.import_items(job.id)
    assert (item.choice.reason, item.choice.confidence) == ("so", 0.9)


@pytest.mark.parametrize("action", ["SUPERSEDE", "MERGE", "CONFLICT", "ADD"])
def test_taking_an_import_back_leaves_the_store_as_it_was(desk: Any, action: str) -> None:
    desk.bring(TEA)
    before = desk.memory.digest()
    job = desk.bring(COFFEE, by=desk.always(action))
    after = desk.memory.digest()
    undone = desk.memory.import_undo(job.id)
    assert (desk.memory.digest(), desk.memory.import_job(job.id).state) == (before, "undone")
    desk.memory.undo(undone.operation.id)
    assert (desk.memory.digest(), desk.memory.import_job(job.id).state) == (after, "committed")


def test_nothing_of_an_import_that_was_taken_back_is_found(desk: Any) -> None:
    memory = desk.memory
    job = desk.bring(TEA, {"title": "x", "summary": COFFEE, "memoryKind": "event",
                           "temporal": {"participants": ["Bodil"]}})  # fmt: skip
    memory.import_undo(job.id)
    for word in ("oolong", "coffee", "candidates"):
        found = memory.search(word, include=["past", "consolidated"])
        assert (found.hits, found.facts) == ((), ())
    assert desk.facts(include={"past", "invalid", "consolidated"}) == []
    assert [one.name for one in memory.entities()] == []
    for view in ("facts", "episodes", "evidence", "candidates", "links"):
        assert list(memory.sql(f"SELECT * FROM {view}")) == []


def test_what_two_imports_replaced_stays_so_when_one_is_taken_back(desk: Any) -> None:
    desk.bring(TEA)
    meets_tea = desk.says(lambda _, found: (
        "SUPERSEDE", [one.id for one in found if one.value == TEA], None, "so", 0.9))  # fmt: skip
    first, second = desk.bring(COFFEE, by=meets_tea), desk.bring(WATER, by=meets_tea)
    desk.memory.import_undo(first.id)
    assert desk.facts() == [WATER]
    assert desk.links("SUPERSEDES") == {(WATER, TEA)}
    assert desk.fact(TEA).validity == "invalidated"
    desk.memory.import_undo(second.id)
    assert desk.facts() == [TEA]
    assert desk.fact(TEA).validity == "valid"


def test_a_replacement_that_is_forgotten_lets_what_it_replaced_stand_again(desk: Any) -> None:
    desk.memory.add(TEA, speaker="ana", external_id="t")
    desk.memory.learn([{"predicate": "note", "value": TEA, "external_id": "t"}])
    desk.bring(COFFEE, by=desk.always("SUPERSEDE"), rest="accept")
    assert desk.facts() == [COFFEE]
    memory = desk.memory
    memory.forget(memory.plan_forget(desk.fact(COFFEE).id, level="purge"))
    assert desk.facts() == [TEA]
    assert desk.fact(TEA).validity == "valid"


def test_a_document_replaces_nothing_that_a_person_said_unless_it_is_confirmed(desk: Any) -> None:
    desk.memory.add(TEA, speaker="ana", external_id="t")
    desk.memory.learn([{"predicate": "note", "value": TEA, "external_id": "t"}])
    job = desk.decide(COFFEE, by=desk.always("SUPERSEDE", 1.0))
    assert (job.state, job.waiting_left) == ("awaiting_confirmation", 1)
    desk.memory.import_apply(job.id, {1: "SUPERSEDE"})
    assert desk.facts() == [COFFEE]


def test_what_waits_is_ignored_when_nothing_is_said_of_it(desk: Any) -> None:
    job = desk.decide(TEA, COFFEE, by="review")
    assert job.state == "awaiting_confirmation"
    done = desk.memory.import_apply(job.id, {2: "add"})
    assert (desk.facts(), done.at.imported) == ([COFFEE], 1)


def test_a_choice_can_be_changed_and_taken_back_before_it_is_carried_out(desk: Any) -> None:
    job = desk.decide(TEA, COFFEE, by="review")
    assert desk.memory.import_choose(job.id, {1: "ADD", 2: "ADD"}).waiting_left == 0
    assert desk.memory.import_choose(job.id, {2: None}).waiting_left == 1
    desk.memory.import_apply(job.id)
    assert desk.facts() == [TEA]


def test_a_choice_about_what_does_not_wait_changes_nothing(desk: Any) -> None:
    job = desk.decide(TEA)
    desk.memory.import_apply(job.id, {1: "IGNORE"})
    assert desk.facts() == [TEA]


@pytest.mark.parametrize(("number", "action"), [(0, "ADD"), (3, "ADD"), (1, "DELETE")])
def test_a_choice_that_cannot_be_is_refused(desk: Any, number: int, action: str) -> None:
    job = desk.decide(TEA, COFFEE, by="review")
    with pytest.raises(errors.InvalidInputError):
        desk.memory.import_choose(job.id, {number: action})


def test_items_are_listed_by_what_waits_and_by_action(desk: Any) -> None:
    unsure = desk.says(lambda item, _: ("ADD", [], None, "", 0.5 if item["title"] == "a" else 1.0))
    job = desk.decide(
        {"title": "a", "summary": TEA}, {"title": "b", "summary": COFFEE},
        {"title": "b", "summary": COFFEE}, by=unsure,
    )  # fmt: skip
    listed = desk.memory.import_items
    assert [one.number for one in listed(job.id, waiting=True)] == [1]
    assert [one.number for one in listed(job.id, action="add")] == [1, 2]
    assert [one.number for one in listed(job.id, action="IGNORE")] == [3]
    assert [one.number for one in listed(job.id, first=2, limit=1)] == [2]


def test_an_exact_duplicate_is_ignored_and_nobody_is_asked(desk: Any) -> None:
    desk.bring({"title": "Tea", "summary": TEA})
    decider = desk.always("ADD")
    job = desk.decide(
        {"title": " ＴＥＡ ", "summary": TEA.upper().replace(" ", "  ")},
        {"title": "x", "summary": COFFEE}, {"title": "X", "summary": COFFEE}, by=decider,
    )  # fmt: skip
    assert desk.actions(job) == ["IGNORE", "ADD", "IGNORE"]
    assert len(decider.asked) == 1
    [item, *_] = desk.memory.import_items(job.id)
    assert (item.choice.confidence, item.waits, item.choice.targets) == (
        1.0, False, (desk.fact(TEA).id,),
    )  # fmt: skip


def test_a_replaced_fact_is_still_there_to_be_compared_with(desk: Any) -> None:
    desk.bring(TEA)
    desk.bring(COFFEE, by=desk.always("SUPERSEDE"))
    decider = desk.always("ADD")
    desk.decide("The user drinks oolong tea in the morning again.", by=decider)
    assert set(decider.asked[0]) == {TEA, COFFEE}
    assert desk.actions(desk.decide(TEA)) == ["IGNORE"]


def test_what_was_forgotten_or_taken_back_is_no_duplicate(desk: Any) -> None:
    job = desk.bring(TEA)
    desk.memory.import_undo(job.id)
    assert desk.actions(desk.decide(TEA)) == ["ADD"]


@pytest.mark.parametrize(("top_k", "asked"), [(None, 5), (2, 2), (0, 1), (99, 7)])
def test_as_many_facts_are_offered_as_asked(desk: Any, top_k: int | None, asked: int) -> None:
    desk.bring(*(f"The user likes tea number {number}." for number in range(7)))
    decider = desk.always("ADD")
    desk.decide("The user likes tea.", by=decider, top_k=top_k)
    assert len(decider.asked[0]) == asked


def test_rules_add_what_is_related_and_let_a_person_look_at_what_is_almost_the_same(
    desk: Any,
) -> None:
    desk.bring(TEA)
    job = desk.decide(
        "The user buys oolong tea in Porto.", {"title": "Other words", "summary": TEA[:-1] + " "}
    )
    assert desk.actions(job) == ["ADD", "ADD"]
    assert [one.waits for one in desk.memory.import_items(job.id)] == [False, True]


def test_a_preview_leaves_what_the_store_says_as_it_was(desk: Any) -> None:
    desk.bring(TEA)
    operations = [one.id for one in desk.memory.operations()]
    before = desk.memory.digest()
    job = desk.decide(COFFEE, by=desk.always("SUPERSEDE"))
    desk.memory.import_apply(job.id, dry_run=True)
    assert desk.memory.digest() == before
    assert [one.id for one in desk.memory.operations()] == operations
    assert desk.memory.import_job(job.id).state == "ready"


def test_decisions_are_refused_when_the_store_has_moved_since(desk: Any) -> None:
    job = desk.decide(COFFEE)
    desk.memory.add("Something else was said.")
    before = desk.memory.digest()
    with pytest.raises(errors.PlanChangedError) as caught:
        desk.memory.import_apply(job.id)
    assert "import retry" in (caught.value.hint or "")
    assert (desk.memory.digest(), desk.memory.import_job(job.id).is_stale) == (before, True)


def test_what_happens_in_another_scope_makes_no_decision_stale(desk: Any) -> None:
    job = desk.decide(COFFEE)
    desk.memory.scoped("user:bo").add("Something else was said.")
    assert desk.memory.import_apply(job.id).at.imported == 1


def test_deciding_anew_asks_only_where_other_facts_are_met(desk: Any) -> None:
    decider = desk.always("ADD", 0.5)
    job = desk.decide(COFFEE, "用户喜欢沙茶面。", by=decider)
    desk.memory.import_choose(job.id, {2: "ADD"})
    desk.bring(TEA)
    done = desk.memory.import_retry(job.id, decider=decider)
    assert decider.asked[2:] == [(TEA,)]
    assert [one.chosen for one in desk.memory.import_items(job.id)] == [None, "ADD"]
    assert (done.state, done.is_stale) == ("awaiting_confirmation", False)


def test_only_an_import_that_brought_something_can_be_taken_back(desk: Any) -> None:
    job = desk.decide(TEA)
    with pytest.raises(errors.InvalidInputError, match="ready"):
        desk.memory.import_undo(job.id)
    desk.memory.import_apply(job.id)
    again = desk.bring(TEA)
    with pytest.raises(errors.RefusedError, match="brought nothing"):
        desk.memory.import_undo(again.id)
    with pytest.raises(errors.InvalidInputError, match="committed"):
        desk.memory.import_apply(job.id)


def test_a_contradiction_waits_for_a_person_who_decides_for_either(desk: Any) -> None:
    memory = desk.memory
    desk.bring(TEA)
    job = desk.bring(COFFEE, by=desk.always("CONFLICT"))
    assert desk.outcomes(job) == ["conflict contradicts"]
    [open_] = memory.conflicts()
    chosen = memory.approve(open_.id)
    assert (desk.facts(), desk.fact(COFFEE).validity) == ([COFFEE], "valid")
    memory.undo(chosen.operation.id)
    assert desk.facts() == sorted([TEA, COFFEE])
    memory.reject(open_.id, "wrong")
    assert (desk.facts(), desk.fact(TEA).validity) == ([TEA], "valid")
    assert desk.links("CONTRADICTS") == set()


@pytest.mark.parametrize(
    ("action", "outcome"), [("SUPERSEDE", "supersede superseded"), ("MERGE", "merge merged")]
)
def test_the_decision_on_record_says_what_was_met(desk: Any, action: str, outcome: str) -> None:
    desk.bring(TEA)
    job = desk.bring(COFFEE, by=desk.always(action))
    assert desk.outcomes(job) == [outcome]
    [item] = desk.memory.import_items(job.id)
    assert desk.memory.get(item.candidate).target == desk.fact(TEA).id
