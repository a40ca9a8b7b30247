"""Corrections, conflicts and splits: what is wrong goes, and nothing else."""

import pytest

from memorycore import errors


def learn(world, *items):
    """Learn statements about Ana, each said in a turn of its own: (text, time, session, fields)."""
    memory = world.memory
    candidates = []
    for text, at, session, fields in items:
        record = {"text": text, "at": at, "session": session, "speaker": "Ana"}
        said = memory.add(**{name: value for name, value in record.items() if value is not None})
        candidates.append({"episode": said.id, "quote": text} | fields)
    return memory.learn(candidates)


def lives(place, **fields):
    return {"predicate": "lives_in", "object": place} | fields


def now(world, as_of=None):
    return sorted(fact.object_text for fact in world.memory.facts(as_of=as_of))


PORTO = ("I live in Porto", "2024-01-01", "s1", lives("Porto"))
BRAGA = ("I live in Braga", "2024-06-01", "s2", lives("Braga"))


def test_a_correction_holds_where_what_is_wrong_was_learned_in_the_same_run(world):
    learn(world, PORTO, ("No, 不对, it was Faro", "2024-02-01", "s2", lives("Faro", act="correct")))
    assert now(world) == ["Faro"]
    assert not world.memory.conflicts()


def test_a_retraction_holds_where_what_is_wrong_was_learned_in_the_same_run(world):
    text = "I never lived in Porto"
    learn(world, PORTO, (text, "2024-02-01", "s2", {"predicate": "lives_in", "act": "retract"}))
    assert now(world) == []


def test_a_correction_means_the_value_that_its_sentence_names(world):
    learn(world, PORTO, BRAGA)
    text = "I never lived in Porto, it was Faro"
    learn(world, (text, "2024-07-01", "s3", lives("Faro", act="correct")))
    assert now(world, "2024-03-01") == ["Faro"]
    assert now(world) == ["Braga"]


def test_correcting_a_value_that_came_back_leaves_what_was_between(world):
    back = ("I live in Porto again", "2024-09-01", "s3", lives("Porto"))
    learn(world, PORTO, BRAGA, back)
    learn(world, ("Lisbon, not Porto", "2024-10-01", "s4", lives("Lisbon", act="correct")))
    assert [now(world, day) for day in ("2024-03-01", "2024-07-01", "2024-12-01")] == [
        ["Lisbon"],
        ["Braga"],
        ["Lisbon"],
    ]


def test_a_target_of_another_kind_goes_to_review(world):
    learn(world, PORTO)
    [fact] = world.memory.facts()
    item = {"predicate": "works_at", "object": "Siemens", "act": "correct", "target": fact.id}
    result = learn(world, ("I work at Siemens", "2024-05-01", "s2", item))
    assert result.reasons == {"unknown_target": 1}
    assert now(world) == ["Porto"]


def test_a_retraction_names_what_it_takes_back_or_waits(world):
    learn(world, PORTO)
    item = {"predicate": "lives_in", "act": "retract"}
    result = learn(world, ("I am thinking about a bike", "2024-05-01", "s2", item))
    assert result.reasons == {"not_spoken_of": 1}
    assert now(world) == ["Porto"]


def test_what_was_superseded_does_not_come_back_when_its_successor_ends(world):
    left = ("我离开布拉加了, I left Braga", "2024-12-01", "s3", lives("Braga", valid_to="2024-11"))
    learn(world, PORTO, BRAGA, left)
    assert now(world) == []
    assert now(world, "2024-07-01") == ["Braga"]
    assert now(world, "2010") == []


def test_three_values_of_one_instant_wait_one_by_one_and_one_word_decides(world):
    same = "2024-01-01T00:00:00+00:00"
    said = [(f"I live in {place}", same, place, lives(place)) for place in ("A1", "B2", "C3")]
    learn(world, *said)
    waiting = world.memory.conflicts()
    assert len(waiting) == 2
    world.memory.approve(waiting[-1].id)
    assert now(world) == ["C3"]
    assert not world.memory.reviews()


def test_a_conflict_that_is_over_harms_nobody_when_it_is_approved(world):
    same = "2024-01-01T00:00:00+00:00"
    learn(world, ("I live in Porto", same, "a", lives("Porto")),
          ("I live in Braga", same, "b", lives("Braga")))  # fmt: skip
    [waiting] = world.memory.conflicts()
    text = "I never lived in Braga"
    retraction = {"predicate": "lives_in", "object": "Braga", "act": "retract"}
    learn(world, (text, "2024-02-01", "c", retraction))
    with pytest.raises(errors.InvalidInputError, match="no longer stands"):
        world.memory.approve(waiting.id)
    assert now(world) == ["Porto"]


def test_splitting_off_the_first_fact_of_a_timeline_leaves_the_others_theirs(world):
    learn(world, PORTO, BRAGA)
    porto = next(fact for fact in world.memory.facts(as_of="2024-03-01"))
    before = world.memory.digest()
    world.memory.split_entity("Ana", "the colleague", [porto.id])
    assert now(world) == ["Braga", "Porto"]
    world.memory.undo()
    assert world.memory.digest() == before
    assert [entity.name for entity in world.memory.find_entities("Ana")] == ["Ana"]
    learn(world, ("I live in Faro", "2025-01-01", "s9", lives("Faro")))
    assert now(world) == ["Faro"]


def test_only_entities_of_one_kind_are_merged(world):
    learn(world, PORTO)
    with pytest.raises(errors.InvalidInputError, match="kind"):
        world.memory.merge_entities("Ana", "Porto")


def test_a_link_to_something_that_is_no_id_is_reported_and_the_rest_goes_on(world):
    linked = lives("Porto", links=[{"kind": "CAUSED_BY", "to": "fct_x"}])
    result = learn(world, ("I live in Porto", "2024-01-01", "s1", linked))
    assert [problem["code"] for problem in result.problems] == ["link_target"]
    assert now(world) == ["Porto"]


def test_two_quotes_that_begin_at_one_place_are_one_sentence(world):
    said = world.memory.add("I live in Porto now", speaker="Ana")
    evidence = [
        {"episode": said.id, "quote": "I live in Porto"},
        {"episode": said.id, "quote": "I live in Porto now"},
    ]
    result = world.memory.learn([lives("Porto", evidence=evidence)])
    assert result.counts == {"add": 1}


def test_what_is_said_on_a_day_or_in_a_month_is_known_by_its_end(world):
    learn(world, ("I live in Porto", "2024-10", "s1", lives("Porto")))
    [fact] = world.memory.facts()
    assert fact.period.shown("UTC") == "by 2024-10 →"
    assert now(world, "2024-10-05") == []
    assert now(world, "2024-10") == ["Porto"]


def test_a_remembered_sentence_is_of_the_one_person_who_speaks(world):
    world.memory.add("你好", speaker="陈默")
    world.memory.remember("我搬到了西安", predicate="lives_in", object="西安")
    [fact] = world.memory.facts()
    assert fact.subject.name == "陈默"
