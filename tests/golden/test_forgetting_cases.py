"""Forgetting, case by case: what is gone, what stays, and what may not come back."""

from typing import Any

import pytest

from memorycore import errors
from memorycore.engine.upkeep import require_indexes
from memorycore.store.receipts import append_entry

TEA = "I like oolong."
LEVELS = ("soft", "hard", "redact", "purge")


def fact(story: Any, word: str) -> Any:
    return next(one for one in story.memory.facts() if word in one.text)


def forget(story: Any, what: str, level: str) -> Any:
    return story.memory.forget(story.memory.plan_forget(what, level=level))


def found(story: Any, words: str, **wanted: Any) -> list[str]:
    result = story.memory.search(words, **wanted)
    return [hit.fact.text for hit in result.facts] + [hit.episode.text for hit in result.hits]


def test_what_is_hidden_is_in_no_answer_and_its_content_stays(story: Any) -> None:
    story.tell(TEA, "likes", "oolong")
    forget(story, fact(story, "oolong").id, "soft")

    assert found(story, "oolong", include=["past", "invalid"]) == []
    [(value,)] = rows(story, "SELECT object_value FROM facts")
    assert value == "oolong"


def test_a_pinned_fact_that_is_cleared_is_pinned_no_longer(story: Any) -> None:
    story.memory.remember("I live in Bravo.", predicate="lives_in", object="Bravo", pin=True)
    forget(story, fact(story, "Bravo").id, "hard")

    assert found(story, "Bravo", include=["past"]) == []
    assert rows(story, "SELECT is_pinned, object_value, visibility FROM facts") == [
        (0, "", "forgotten")
    ]


def test_one_of_two_sources_redacted_leaves_a_less_sure_fact(story: Any) -> None:
    story.tell(TEA, "likes", "oolong")
    before = fact(story, "oolong").confidence
    story.tell("As I said, I like oolong.", "likes", "oolong", at="2025-04-03T09:00:00+00:00")
    forget(story, story.memory.episodes()[0].id, "redact")
    left = fact(story, "oolong")

    assert (left.support, left.confidence) == (1, before)
    forget(story, story.memory.episodes()[0].id, "redact")
    assert list(story.memory.facts(include=["past", "invalid"])) == []


def test_a_cleared_value_does_not_bring_back_the_one_before_it(story: Any) -> None:
    story.tell("I live in Alfa.", "lives_in", "Alfa")
    story.tell("I now live in Bravo.", "lives_in", "Bravo", at="2025-05-03T09:00:00+00:00")
    forget(story, fact(story, "Bravo").id, "hard")

    assert story.now() == []
    assert [one.text for one in story.memory.facts(as_of="2025-04-01")] == ["Nell lives_in Alfa"]


def test_a_purge_of_the_later_value_leaves_the_earlier_as_if_it_were_the_only_one(
    story: Any,
) -> None:
    story.tell("I live in Alfa.", "lives_in", "Alfa")
    story.tell("I now live in Bravo.", "lives_in", "Bravo", at="2025-05-03T09:00:00+00:00")
    forget(story, fact(story, "Bravo").id, "purge")

    assert story.now() == ["Nell lives_in Alfa"]
    assert rows(story, "SELECT count(*) FROM facts") == [(1,)]


@pytest.mark.parametrize("level", ["hard", "purge"])
@pytest.mark.parametrize(
    ("text", "again", "word"),
    [
        (TEA, "You know that I like OOLONG!", "oolong"),
        ("我喜欢烏龍茶。", "我真的很喜欢乌龙茶。", "乌龙茶"),
        ("我喜歡ｊａｚｚ。", "I like jazz, did I say that?", "jazz"),
    ],
)
def test_a_forgotten_statement_is_refused_in_a_new_message_until_that_is_lifted(
    story: Any, level: str, text: str, again: str, word: str
) -> None:
    story.tell(text, "likes", word)
    receipt = forget(story, next(story.memory.facts()).id, level)
    assert story.tell(again, "likes", word) == "reject suppressed"

    operation, count = story.memory.lift(receipt.id)
    assert count >= 1
    assert story.tell(f"{again} {again}", "likes", word) == "add new"
    story.memory.undo(operation.id)
    assert story.tell(f"{again} 3", "likes", word) == "reject suppressed"


@pytest.mark.parametrize("level", ["redact", "purge"])
def test_a_forgotten_text_is_refused_wherever_it_comes_again(story: Any, level: str) -> None:
    story.say("I have told nobody of the green house.", session="s1")
    story.say("ok", session="s1")
    for episode in story.memory.episodes():
        forget(story, episode.id, level)

    with pytest.raises(errors.SuppressedError):
        story.say("i have told nobody  of the GREEN house.", session="s9", speaker="Bo")
    with pytest.raises(errors.SuppressedError):
        story.say("ok", session="s1")
    story.say("ok", session="s2")


def test_a_person_is_told_too_that_it_was_forgotten(story: Any) -> None:
    story.tell(TEA, "likes", "oolong")
    forget(story, fact(story, "oolong").id, "hard")
    result = story.memory.remember("I do like oolong.", predicate="likes", object="oolong")

    assert result.outcomes[0].decision.reason == "suppressed"


def test_no_undo_and_no_redo_brings_back_what_was_purged(story: Any) -> None:
    story.tell(TEA, "likes", "oolong")
    forget(story, fact(story, "oolong").id, "purge")
    for one in story.memory.operations(limit=50):
        try:
            undone = story.memory.undo(one.id)
            story.memory.undo(undone.operation.id)
        except errors.NotUndoableError:
            continue
    assert found(story, "oolong", include=["past", "invalid"]) == []
    assert rows(story, "SELECT count(*) FROM facts") == [(0,)]


def test_everything_that_speaks_of_an_entity_goes_with_it(story: Any) -> None:
    pim = {"name": "Pim", "kind": "pet", "aliases": ["Pimpernel"]}
    story.tell("I have a cat, Pim, also Pimpernel.", "has_pet", pim)
    story.tell("I like Pim.", "likes", pim)
    other = story.say("Somebody else has seen Pim.")
    plan = story.memory.plan_forget(story.memory.entity("Pim").id, level="purge")
    assert [story.memory.get(one).external_id for one in plan.mentions] == [other]
    story.memory.forget(plan)

    for table in ("facts", "aliases", "candidates", "evidence", "links"):
        assert rows(story, f"SELECT count(*) FROM {table}") == [(0,)], table
    assert [one.external_id for one in story.memory.episodes()] == [other]
    assert rows(story, "SELECT count(*) FROM entities WHERE name LIKE '%Pim%'") == [(0,)]


@pytest.mark.parametrize("level", LEVELS)
def test_another_scope_is_not_touched(story: Any, level: str) -> None:
    other = story.memory.scoped("user:bo")
    other.add(TEA, external_id="b1")
    other.learn([{"predicate": "likes", "object": "oolong", "external_id": "b1", "quote": TEA}])
    before = other.digest()
    story.tell(TEA, "likes", "oolong")
    story.memory.forget(story.memory.plan_forget(subject=story.memory.scope, level=level))

    assert other.digest() == before
    assert len(other.search("oolong").hits) == 1
    assert found(story, "oolong") == []


def rows(story: Any, sql: str) -> list[Any]:
    with story.memory._store.read() as db:
        return list(db.execute(sql).fetchall())


@pytest.fixture(params=[("Nell", "Nelly", "knitting"), ("小林", "林岚", "搬家 🧳")])
def merged(story: Any, request: Any) -> tuple[Any, str]:
    """Two persons who say the same turn out to be one; give the story and what they said."""
    *names, said = request.param
    for name in names:
        story.tell(f"I am busy with {said}, says {name}", "is_busy_with", said, speaker=name)
    entities = {entity.name: entity.id for entity in story.memory.entities()}
    story.memory.merge_entities(*(entities[name] for name in names))
    return story, said


@pytest.mark.parametrize("level", ["soft", "hard", "purge"])
def test_a_statement_whose_evidence_has_moved_in_a_merging_goes_with_the_other(
    merged: tuple[Any, str], level: str
) -> None:
    story, said = merged
    [fact] = story.memory.facts(include={"past"})
    [merging] = [one for one in story.memory.operations() if one.kind == "entity"]

    story.memory.forget(story.memory.plan_forget(fact.id, level=level))
    story.memory.undo(merging.id)

    assert list(story.memory.facts(include={"past"})) == []
    assert story.memory.history(predicate="is_busy_with") == []
    assert not [one for one in story.memory.episodes() if said in one.text]


@pytest.mark.parametrize("level", ["redact", "purge"])
def test_no_table_keeps_what_was_said_before_a_merging(merged: tuple[Any, str], level: str) -> None:
    story, said = merged
    for episode in story.memory.episodes():
        story.memory.forget(story.memory.plan_forget(episode.id, level=level, derived="forget"))

    with story.memory._store.read() as db:
        assert db.execute("SELECT count(*) FROM facts WHERE object_value = ?", (said,)).get == 0


def test_a_fact_of_which_every_sentence_was_hidden_one_by_one_is_hidden(story: Any) -> None:
    for place in ("home", "work"):
        story.tell(f"I like tea, at {place}", "likes", "tea", session=place)

    story.memory.forget(story.memory.plan_forget(session="home", level="soft"))
    assert story.now() == ["Nell likes tea"]
    last = story.memory.forget(story.memory.plan_forget(session="work", level="soft"))

    assert story.now() == []
    assert list(story.memory.search("tea").facts) == []
    story.memory.undo(last.operation)
    assert story.now() == ["Nell likes tea"]


def test_hiding_what_was_taken_back_and_taking_that_back_counts_nothing_twice(story: Any) -> None:
    story.say("I like tea")
    [adding] = [one for one in story.memory.operations() if one.kind == "ingest"]
    episode = story.memory.episodes()[0].id
    back = story.memory.undo(adding.id)
    hiding = story.memory.forget(story.memory.plan_forget(episode, level="soft"))
    story.memory.undo(back.operation.id)
    assert story.memory.stats().episodes == 0

    story.memory.undo(hiding.operation)

    assert story.memory.stats().episodes == 1
    assert len(story.memory.search("tea").hits) == 1
    with story.memory._store.write() as db:
        require_indexes(db)


def test_what_was_found_afterwards_is_looked_for_again(story: Any) -> None:
    story.tell(TEA, "likes", "oolong")
    known = fact(story, "oolong").id
    receipt = story.memory.forget(known, level="hard", finish=False)
    found_one = {"receipt": receipt.id, "at": receipt.at, "kind": "bytes", "texts": 1, "words": 1,
                 "terms": 1, "found": 1, "bytes": 1}  # fmt: skip
    with story.memory._store.write() as db:
        append_entry(db, 1, "verified", found_one)
    assert not story.memory.receipt(receipt.id).is_settled
    assert story.memory.pending_forgetting() == 1

    [again] = story.memory.finish_forgetting()
    assert again.is_settled
    assert again.verification.found == 0
    assert story.memory.verify_receipts().fault is None


def test_a_block_character_that_somebody_wrote_is_nothing_that_was_struck(story: Any) -> None:
    said = story.say("Progress: ███ of ten")
    item = {"predicate": "likes", "object": "tea", "external_id": said, "quote": "likes tea"}

    assert story.learn(item) == ["reject quote_not_found"]


def test_a_plan_that_covers_nothing_says_so_when_it_is_carried_out(story: Any) -> None:
    story.say(TEA)
    plan = story.memory.plan_forget(query="zanzibar", level="purge")

    assert plan.is_empty
    with pytest.raises(errors.NotFoundError, match="covers nothing"):
        story.memory.forget(plan)
