"""Applying actions: all or nothing, once, as one operation, and only to what the packet names."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from memorycore import Memory, errors

TEXT = "Stage only the files of the change"
OTHER = "Squash before merging into main"


@pytest.fixture
def memory(make_world: Callable[..., Any]) -> Iterator[Memory]:
    with make_world() as world:
        yield world.memory.scoped("project:web", ("user:ana",))


def packet(memory: Memory, change: str = "c1", /, **more: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {"language": "en", "workflow": "build", "checkpoint": "verified"}
    return memory.review_packet(change=change, **(fields | more))


def seen(**more: Any) -> dict[str, Any]:
    return {"text": TEXT, "category": "commits", "candidateKey": "commit.scope"} | more


def answer(*actions: dict[str, Any]) -> dict[str, Any]:
    shapes = [{"language": "en"} | one for one in actions]
    return {"schema": "comet.memory.actions.v1", "actions": shapes}


def create(text: str = TEXT, **more: Any) -> dict[str, Any]:
    shape = {"action": "create", "scope": "project", "projectKey": "web", "category": "commits"}
    return shape | {"text": text, "evidenceKeys": ["e1"]} | more


def observed(memory: Memory, change: str, /, text: str = TEXT, **more: Any) -> Any:
    given = packet(memory, change, evidence=[seen(text=text)])
    return memory.apply_review(given, answer(create(text, **more)))


def keep(memory: Memory, text: str, predicate: str = "prefers") -> None:
    memory.remember(text, predicate=predicate, object=text)


def believed(memory: Memory) -> list[str]:
    return [fact.object_text for fact in memory.facts()]


def test_two_changes_make_a_fact_out_of_two_answers(memory: Memory) -> None:
    assert observed(memory, "c1").result == "candidate-created"
    assert believed(memory) == []
    done = observed(memory, "c2")
    assert done.result == "candidate-promoted"
    assert believed(memory) == [TEXT]
    memory.undo(done.operation.id)
    assert believed(memory) == []


def test_two_observations_of_two_changes_in_one_packet_promote_at_once(memory: Memory) -> None:
    given = packet(memory, evidence=[seen(), seen(key="e0", changeId="c0")])
    done = memory.apply_review(given, answer(create(evidenceKeys=["e0", "e1"])))
    assert done.result == "candidate-promoted"


def test_the_same_answer_to_the_same_packet_is_applied_once(memory: Memory) -> None:
    given = packet(memory, evidence=[seen()])
    document = json.dumps(answer(create()))
    first = memory.apply_review(json.dumps(given), document)
    again = memory.apply_review(given, document)
    assert (again.result, again.operation, again.is_repeat) == ("deduplicated", None, True)
    memory.undo(first.operation.id)
    assert memory.apply_review(given, document).result == "candidate-created"


def test_one_fault_writes_nothing(memory: Memory) -> None:
    given = packet(memory, evidence=[seen()])
    before = memory.operations()
    with pytest.raises(errors.RefusedError, match=r"CM-16 is broken at actions\[1\]"):
        memory.apply_review(given, answer(create(), create(OTHER, evidenceKeys=[])))
    assert memory.operations() == before
    assert memory.review_records() == []


def test_a_target_that_has_gone_since_writes_nothing(memory: Memory) -> None:
    observed(memory, "c1")
    [record] = memory.review_records()
    given = packet(memory, "c2", evidence=[seen(), seen(key="e2", candidateKey="merge")])
    memory.forget(record.id, level="hard")
    before = memory.operations()
    forget = {"action": "forget", "targetId": record.id}
    actions = answer(create(OTHER, evidenceKeys=["e2"]), forget)
    with pytest.raises(errors.PlanChangedError):
        memory.apply_review(given, actions)
    assert memory.operations() == before


def test_a_packet_for_another_project_is_refused(memory: Memory) -> None:
    given = packet(memory, evidence=[seen()])
    other = memory.scoped("project:api", ("user:ana",))
    with pytest.raises(errors.RefusedError, match="another project"):
        other.apply_review(given, answer(create()))


def test_a_dry_run_tells_and_keeps_nothing(memory: Memory) -> None:
    given = packet(memory, evidence=[seen()])
    done = memory.apply_review(given, answer(create()), dry_run=True)
    assert (done.result, done.to_dict()["operation"]) == ("candidate-created", None)
    assert memory.review_records() == []


def test_a_skip_writes_nothing(memory: Memory) -> None:
    before = memory.operations()
    done = memory.apply_review(packet(memory), answer({"action": "skip", "reason": "nothing"}))
    assert (done.result, memory.operations()) == ("skipped", before)


def test_an_inferred_update_waits_for_a_second_success_and_then_puts_right(
    memory: Memory,
) -> None:
    observed(memory, "c1")
    observed(memory, "c2")
    [old] = memory.facts()
    better = "Stage only the files of the change, hunk by hunk"
    for change, result in (("c3", "candidate-created"), ("c4", "candidate-promoted")):
        given = packet(memory, change, evidence=[seen()])
        update = {"action": "update", "targetId": old.id, "text": better, "evidenceKeys": ["e1"]}
        assert memory.apply_review(given, answer(update)).result == result
    assert believed(memory) == [better]
    assert {one.state for one in memory.review_records()} == {"proven"}


def test_a_user_puts_right_what_is_believed_whoever_said_it(memory: Memory) -> None:
    keep(memory, "Sign every commit", "instructs")
    [fact] = memory.facts()
    wish = {"action": "correct", "targetId": fact.id, "text": "Sign every release"}
    given = packet(memory, request=wish)
    update = {"action": "update", "targetId": fact.id, "text": "Sign every release"}
    done = memory.apply_review(given, answer(update))
    assert done.result == "corrected"
    assert believed(memory) == ["Sign every release"]
    memory.undo(done.operation.id)
    assert believed(memory) == ["Sign every commit"]


def test_forgetting_by_a_review_hides_and_is_undone_with_it(memory: Memory) -> None:
    observed(memory, "c1")
    observed(memory, "c2")
    [fact] = memory.facts()
    given = packet(memory, "c3", evidence=[seen(key="e2", candidateKey="merge", text=OTHER)])
    forget = {"action": "forget", "targetId": fact.id}
    done = memory.apply_review(given, answer(create(OTHER, evidenceKeys=["e2"]), forget))
    assert done.result == "applied"
    assert believed(memory) == []
    assert [one.text for one in memory.review_records()] == [OTHER]
    assert memory.receipts()[0].level == "soft"
    memory.undo(done.operation.id)
    assert believed(memory) == [TEXT]
    assert [one.text for one in memory.review_records()] == [TEXT]


def test_forgetting_for_good_needs_the_id_and_leaves_nothing(memory: Memory) -> None:
    observed(memory, "c1")
    observed(memory, "c2")
    [fact] = memory.facts()
    wish = {"action": "forget", "targetId": fact.id, "permanent": True}
    given = packet(memory, "c3", request=wish)
    with pytest.raises(errors.ConfirmationNeededError, match="for good"):
        memory.apply_review(given, answer(wish))
    memory.apply_review(given, answer(wish), confirm=fact.id)
    assert believed(memory) == []
    assert memory.review_records(state="superseded") == []
    assert observed(memory, "c4").outcomes[0].reason == "removed"


def test_two_texts_of_one_scope_are_admitted_together_and_undone_together(
    memory: Memory,
) -> None:
    for change in ("c1", "c2"):
        items = [seen(), seen(key="e2", text=OTHER, candidateKey="merge")]
        given = packet(memory, change, evidence=items)
        done = memory.apply_review(given, answer(create(), create(OTHER, evidenceKeys=["e2"])))
    assert sorted(believed(memory)) == sorted([OTHER, TEXT])
    memory.undo(done.operation.id)
    assert believed(memory) == []


def test_a_packet_holds_what_touches_it_and_stays_within_its_budget(memory: Memory) -> None:
    for number in range(30):
        keep(memory, f"Keep module number {number} apart from the rest")
    keep(memory, "Answers come with short examples")
    given = packet(memory, user_evidence=["short examples please"])
    size = len(json.dumps(given, ensure_ascii=False).encode())
    assert size <= 4096
    assert given["memories"][0]["text"] == "Answers come with short examples"
    assert all(one["kind"] == "explicit" for one in given["memories"])


def test_a_packet_that_is_too_large_even_alone_is_refused(memory: Memory) -> None:
    with pytest.raises(errors.InvalidInputError, match="bytes"):
        packet(memory, user_evidence=["x" * 2000] * 3)


@pytest.mark.parametrize("budget", [(9, 8, 4096), (4, 17, 4096), (4, 8, 12289), (0, 8, 4096)])
def test_no_budget_goes_beyond_the_ceilings(memory: Memory, budget: tuple[int, int, int]) -> None:
    with pytest.raises(errors.InvalidInputError, match="budget"):
        packet(memory, budget=budget)


def test_a_packet_with_a_secret_is_not_made(memory: Memory) -> None:
    with pytest.raises(errors.RefusedError):
        packet(memory, user_evidence=["password: hunter2-Xk29"])


def test_what_is_hidden_or_of_another_scope_is_in_no_packet(memory: Memory) -> None:
    keep(memory.scoped("user:lin"), "Lin signs every commit")
    keep(memory, "Sign every commit")
    memory.forget(next(iter(memory.facts())).id, level="soft")
    assert packet(memory, user_evidence=["sign commits"])["memories"] == []


def test_any_fact_can_be_forgotten_by_its_users_wish(memory: Memory) -> None:
    memory.remember("I live in Porto", predicate="lives_in", object="Porto")
    [fact] = memory.facts()
    wish = {"action": "forget", "targetId": fact.id}
    given = packet(memory, request=wish)
    assert memory.apply_review(given, answer(wish)).result == "forgotten"
    assert believed(memory) == []


def test_two_memories_in_much_the_same_words_stay_two(memory: Memory) -> None:
    texts = ["Squash before merging into main", "Squash before merging into dev"]
    for change in ("c1", "c2"):
        items = [seen(key=f"e{n}", text=text, candidateKey=f"k{n}") for n, text in enumerate(texts)]
        given = packet(memory, change, evidence=items)
        actions = [create(text, evidenceKeys=[f"e{n}"]) for n, text in enumerate(texts)]
        memory.apply_review(given, answer(*actions))
    assert sorted(believed(memory)) == sorted(texts)


def asked_for(memory: Memory, text: str = TEXT) -> str:
    """Let a user ask for something outright; give the fact that it became."""
    given = packet(memory, "c5", request={"action": "remember", "text": text, "scope": "project"})
    memory.apply_review(given, answer(create(text, evidenceKeys=[])))
    return next(iter(memory.facts())).id


@pytest.mark.parametrize("named", ["fact", "memory"])
@pytest.mark.parametrize(
    "action",
    [{"action": "update", "text": "Stage all files", "evidenceKeys": ["e1"]}, {"action": "forget"}],
)
def test_a_packet_that_calls_the_users_word_inferred_is_refused(
    memory: Memory, action: dict[str, Any], named: str
) -> None:
    target = asked_for(memory)
    given = packet(memory, "c6", evidence=[seen()])
    if named == "memory":
        [record] = memory.review_records()
        target = record.id
    [shown] = given["memories"]
    shown |= {"kind": "inferred", "id": target}
    before = memory.operations()
    with pytest.raises(errors.RefusedError, match=r"CM-17 is broken at actions\[0\]\.targetId"):
        memory.apply_review(given, answer(action | {"targetId": target}))
    assert (memory.operations(), believed(memory)) == (before, [TEXT])


def test_what_was_said_in_a_talk_is_not_put_right_by_inference(memory: Memory) -> None:
    keep(memory, TEXT)
    given = packet(memory, "c6", evidence=[seen()])
    [shown] = given["memories"]
    shown["kind"] = "inferred"
    with pytest.raises(errors.RefusedError, match="CM-17"):
        memory.apply_review(given, answer({"action": "forget", "targetId": shown["id"]}))


def test_what_a_user_has_said_stays_so_however_often_it_is_observed(memory: Memory) -> None:
    keep(memory, TEXT)
    observed(memory, "c1")
    observed(memory, "c2")
    given = packet(memory, "c6", evidence=[seen()])
    assert [one["kind"] for one in given["memories"]] == ["explicit"]
    [shown] = given["memories"]
    shown["kind"] = "inferred"
    with pytest.raises(errors.RefusedError, match="CM-17"):
        memory.apply_review(given, answer({"action": "forget", "targetId": shown["id"]}))


def test_a_use_that_went_badly_takes_nothing_a_user_has_said(memory: Memory) -> None:
    keep(memory, TEXT)
    observed(memory, "c1")
    observed(memory, "c2")
    [record] = memory.review_records()
    done = memory.memory_used(record.id, "overridden", change="c7")
    assert (done.result, done.outcomes[0].reason) == ("ignored", "explicit")
    assert believed(memory) == [TEXT]


def test_a_queued_packet_that_calls_the_users_word_inferred_changes_nothing(
    memory: Memory,
) -> None:
    asked_for(memory)
    given = packet(memory, "c6", evidence=[seen()])
    [shown] = given["memories"]
    shown["kind"] = "inferred"
    memory.queue_review(given)
    document = answer({"action": "forget", "targetId": shown["id"]})

    class Liar:
        name = "rules"

        def review(self, packet: Any) -> str:
            return json.dumps(document)

    [item] = memory.run_reviews(Liar())
    assert (item.status, believed(memory)) == ("failed", [TEXT])


def test_a_correction_on_trial_does_not_end_what_the_user_has_said_since(memory: Memory) -> None:
    observed(memory, "c1")
    observed(memory, "c2")
    [old] = memory.facts()
    update = {"action": "update", "targetId": old.id, "text": OTHER, "tags": ["merge"]}
    given = packet(memory, "c3", evidence=[seen()])
    memory.apply_review(given, answer(update | {"evidenceKeys": ["e1"]}))
    keep(memory, TEXT)
    [trial] = memory.review_records(state="trial")
    memory.memory_used(trial.id, "used-successfully", change="c7")
    assert TEXT in believed(memory)
