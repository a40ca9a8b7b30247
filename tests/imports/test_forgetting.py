"""Forgetting reaches import jobs: their documents, their items, and what was decided of them."""

from typing import Any

import pytest

from memorycore import errors

TEA = "The user drinks oolong zyxwvut tea every morning."
CAT = "The user lives with a cat called Qwertzumi."
ERASING = ("hard", "redact", "purge")


def held(world: Any, dump: Any, word: str) -> list[str]:
    """List the tables that hold a word."""
    with world.store.read() as db:
        return [name for name, rows in dump(db) if word in repr(rows).lower()]


def forget(memory: Any, *target: str, level: str, **asked: Any) -> Any:
    return memory.forget(memory.plan_forget(*target, level=level, **asked))


@pytest.mark.parametrize("level", ["redact", "purge"])
def test_an_import_that_is_forgotten_is_gone_from_every_table(
    desk: Any, world: Any, dump: Any, level: str
) -> None:
    job = desk.bring(TEA, CAT)
    receipt = forget(desk.memory, import_=job.id, level=level, derived="forget")
    assert held(world, dump, "zyxwvut") == held(world, dump, "qwertzumi") == []
    assert desk.facts(include={"past", "invalid", "consolidated"}) == []
    assert (receipt.level, desk.memory.import_jobs()) == (level, [])
    with pytest.raises(errors.NotFoundError):
        desk.memory.import_job(job.id)


@pytest.mark.parametrize("level", ERASING)
@pytest.mark.parametrize("by", ["rules", "review"])
def test_a_job_that_was_never_carried_out_can_be_forgotten(
    desk: Any, world: Any, dump: Any, level: str, by: str
) -> None:
    job = desk.decide(TEA, CAT, by=by)
    assert held(world, dump, "zyxwvut") == ["import_items", "import_jobs"]
    forget(desk.memory, import_=job.id, level=level)
    assert held(world, dump, "zyxwvut") == held(world, dump, "qwertzumi") == []
    with pytest.raises(errors.NotFoundError):
        desk.memory.import_apply(job.id)


def test_an_import_can_be_hidden_and_shown_again(desk: Any) -> None:
    memory = desk.memory
    job = desk.bring(TEA, CAT)
    before = memory.digest()
    forget(memory, import_=job.id, level="soft")
    assert (desk.facts(), memory.import_jobs(), memory.search("oolong").hits) == ([], [], ())
    memory.undo()
    assert (memory.digest(), memory.import_job(job.id).state) == (before, "committed")


@pytest.mark.parametrize("level", ERASING)
def test_what_a_waiting_job_holds_of_a_forgotten_sentence_goes_with_it(
    desk: Any, world: Any, dump: Any, level: str
) -> None:
    memory = desk.memory
    told = memory.add(f"{TEA} {CAT}", speaker="ana", external_id="t")
    memory.learn([{"predicate": "note", "value": TEA, "external_id": "t", "quote": TEA}])
    waiting = desk.decide({"title": "Morning", "summary": f"{TEA} Always."}, "用户喜欢沙茶面。")
    target = desk.fact(TEA).id if level == "hard" else told.id
    forget(memory, target, level=level)
    kept = {"hard": {"episode_texts"}, "redact": {"facts"}, "purge": set()}[level]
    assert set(held(world, dump, "zyxwvut")) == kept
    with pytest.raises(errors.NotFoundError):
        memory.import_job(waiting.id)


@pytest.mark.parametrize("level", ["hard", "purge"])
def test_an_item_that_became_a_forgotten_fact_is_cleared(
    desk: Any, world: Any, dump: Any, level: str
) -> None:
    job = desk.bring(TEA, CAT)
    forget(desk.memory, desk.fact(TEA).id, level=level)
    kept = {"hard": {"episode_texts"}, "purge": set()}[level]
    assert set(held(world, dump, "zyxwvut")) == kept
    if level == "hard":
        labels = [one.label for one in desk.memory.import_items(job.id)]
        assert labels == [CAT]


def test_a_struck_sentence_shows_nowhere_in_the_document(desk: Any) -> None:
    desk.bring(TEA, CAT)
    forget(desk.memory, desk.fact(TEA).id, level="soft")
    [hit] = desk.memory.search("Qwertzumi").hits
    assert "zyxwvut" not in hit.episode.text


def test_a_scope_that_is_purged_keeps_nothing_of_its_imports(
    desk: Any, world: Any, dump: Any
) -> None:
    desk.bring(TEA)
    desk.decide(CAT, by="review")
    memory = desk.memory
    forget(memory, subject=memory.scope, level="purge")
    assert held(world, dump, "zyxwvut") == held(world, dump, "qwertzumi") == []


def test_what_was_ignored_is_found_by_what_is_forgotten_too(
    desk: Any, world: Any, dump: Any
) -> None:
    memory = desk.memory
    desk.bring(TEA, by=desk.always("IGNORE"))
    assert held(world, dump, "zyxwvut") == ["import_items"]
    memory.add(TEA, speaker="ana", external_id="t")
    forget(memory, level="purge", query="zyxwvut")
    assert held(world, dump, "zyxwvut") == []


@pytest.mark.parametrize("level", ERASING)
def test_decisions_about_a_fact_that_is_forgotten_leave_no_loose_link(
    desk: Any, world: Any, level: str
) -> None:
    desk.bring(TEA)
    desk.bring(CAT, by=desk.always("SUPERSEDE"), rest="accept")
    forget(desk.memory, subject="user:ana", level=level)
    assert world.rows("PRAGMA foreign_key_check") == []
    assert desk.facts() == []


@pytest.mark.parametrize("action", ["SUPERSEDE", "CONFLICT", "MERGE"])
@pytest.mark.parametrize("which", [TEA, CAT])
def test_either_side_of_a_decision_can_be_purged(
    desk: Any, world: Any, action: str, which: str
) -> None:
    desk.bring(TEA)
    desk.bring(CAT, by=desk.always(action), rest="accept")
    forget(desk.memory, desk.fact(which).id, level="purge")
    other = TEA if which == CAT else CAT
    gone_too = action == "MERGE"
    assert desk.facts() == ([] if gone_too else [other])
    if not gone_too:
        assert desk.fact(other).validity == "valid"
    assert world.rows("PRAGMA foreign_key_check") == []
    assert desk.links("SUPERSEDES") == desk.links("CONTRADICTS") == set()


def test_a_plan_to_forget_an_import_names_the_job(desk: Any) -> None:
    job = desk.bring(TEA)
    plan = desk.memory.plan_forget(import_=job.id, level="purge")
    assert (plan.confirm, plan.kind, plan.counts["facts"]) == (job.id, "operation", 1)
    desk.memory.add("More was said.")
    assert desk.memory.forget_plan(plan.id).holds
    with pytest.raises(errors.NotFoundError):
        desk.memory.plan_forget(import_="job_7777", level="purge")


@pytest.mark.parametrize("level", ["hard", "purge"])
def test_a_job_is_not_even_made_of_what_was_forgotten(
    desk: Any, world: Any, dump: Any, level: str
) -> None:
    memory = desk.memory
    memory.add(TEA, speaker="ana", external_id="t")
    memory.learn([{"predicate": "note", "value": TEA, "external_id": "t", "quote": TEA}])
    if level == "hard":
        memory.forget(memory.plan_forget(subject="user:ana", level="hard"))
        memory.forget(memory.plan_forget(session=None, query="zyxwvut", level="redact"))
    else:
        forget(memory, desk.fact(TEA).id, level="purge")
    job = desk.decide({"title": "Oolong zyxwvut", "summary": TEA}, CAT)
    assert (job.refused, job.state) == (((1, "suppressed"),), "ready")
    assert held(world, dump, "zyxwvut") == []
    assert memory.import_apply(job.id).at.imported == 1


def test_nor_is_an_item_of_a_stream(desk: Any, lines: str, world: Any, dump: Any) -> None:
    said = desk.memory.add(TEA)
    forget(desk.memory, said.id, level="purge")
    job = desk.memory.import_(text=f"{TEA}\n{CAT}\n", format=lines)
    assert job.refused == ((1, "suppressed"),)
    assert held(world, dump, "zyxwvut") == []
    assert desk.memory.import_apply(job.id).at.imported == 1


def test_nor_is_a_document_kept_that_cannot_be_read(desk: Any) -> None:
    said = desk.memory.add(TEA)
    forget(desk.memory, said.id, level="purge")
    with pytest.raises(errors.SuppressedError):
        desk.memory.import_(text=TEA)
    assert desk.memory.import_jobs() == []


@pytest.mark.parametrize(
    "broken",
    [
        'Here: {"candidates":[%s,{"title":"Tea","summary":"%s"},…]}',
        '{"candidates":[%s,{"title":"A "cup","summary":"%s"}]',
        "%s\n%s\n",
    ],
)
@pytest.mark.parametrize("kind", ["fact", "preference"])
def test_nor_is_one_that_quotes_a_record_of_an_import_that_was_purged(
    desk: Any, world: Any, dump: Any, broken: str, kind: str
) -> None:
    job = desk.bring({"title": "Tea", "summary": TEA, "memoryKind": kind})
    forget(desk.memory, import_=job.id, level="purge", derived="forget")
    text = broken % ('{"title":"Cat","summary":"A cat."}', TEA)
    with pytest.raises(errors.SuppressedError):
        desk.memory.import_(text=text)
    assert (held(world, dump, "zyxwvut"), desk.memory.import_jobs()) == ([], [])


def test_nor_is_what_a_model_recovers_of_a_document(desk: Any, world: Any, dump: Any) -> None:
    job = desk.bring(TEA)
    forget(desk.memory, import_=job.id, level="purge", derived="forget")
    decider = desk.says(lambda record, found: ("ADD", [], None, "so", 0.9))
    decider.can_recover = True
    decider.recover = lambda text: desk.document(TEA, CAT)
    recovered = desk.memory.import_(text="no JSON", decider=decider)
    assert recovered.refused == ((1, "suppressed"),)
    assert held(world, dump, "zyxwvut") == []


@pytest.mark.parametrize("level", ERASING)
@pytest.mark.parametrize("action", ["SUPERSEDE", "CONFLICT"])
def test_what_a_forgotten_import_had_replaced_stands_again(
    desk: Any, world: Any, action: str, level: str
) -> None:
    desk.bring(TEA)
    later = desk.bring(CAT, by=desk.always(action), rest="accept")
    forget(desk.memory, import_=later.id, level=level, derived="forget")
    assert desk.facts() == [TEA]
    assert (desk.fact(TEA).validity, desk.fact(TEA).lifecycle) == ("valid", "active")
    assert desk.links("SUPERSEDES") == desk.links("CONTRADICTS") == set()
    assert world.rows("PRAGMA foreign_key_check") == []


def test_what_goes_only_with_its_document_is_told_and_may_come_back(desk: Any) -> None:
    desk.bring(TEA, CAT)
    plan = desk.memory.plan_forget(desk.fact(TEA).id, level="purge")
    assert (plan.counts["facts"], plan.siblings) == (2, 1)
    desk.memory.forget(plan)
    again = desk.bring(TEA, CAT)
    assert (desk.facts(), again.refused) == ([CAT], ((1, "suppressed"),))


@pytest.mark.parametrize("level", ["hard", "redact", "soft"])
def test_no_other_level_takes_siblings_along(desk: Any, level: str) -> None:
    desk.bring(TEA, CAT)
    target = desk.fact(TEA)
    named = target.evidence[0].episode if level == "redact" else target.id
    assert desk.memory.plan_forget(named, level=level).siblings == 0


def test_an_import_that_is_purged_is_meant_as_a_whole(desk: Any) -> None:
    job = desk.bring(TEA, CAT)
    plan = desk.memory.plan_forget(import_=job.id, level="purge")
    assert (plan.counts["facts"], plan.siblings) == (2, 0)
    desk.memory.forget(plan)
    assert {reason for _, reason in desk.bring(TEA, CAT).refused} == {"suppressed"}


@pytest.mark.parametrize("level", ["hard", "purge"])
def test_a_plan_tells_of_the_facts_that_were_joined_with_those_of_an_import(
    desk: Any, level: str
) -> None:
    desk.bring(TEA)
    later = desk.bring(CAT, by=desk.always("MERGE"), rest="accept")
    plan = desk.memory.plan_forget(import_=later.id, level=level)
    assert (plan.counts["facts"], plan.joined) == (2, 1)
