"""Each column of a predicate schema changes what becomes of a statement, by itself."""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest

from memorycore.model.predicate import Predicate

MARCH, APRIL, MAY = (f"2025-0{month}-10T09:00:00+00:00" for month in (3, 4, 5))
PLAIN = Predicate("keeps", subject_kinds=("person",))
HABIT = "Nell keeps"

Make = Callable[..., Any]
COLUMNS: set[str] = set()
"""The columns that a test here is about."""


def about(*columns: str) -> Callable[[Any], Any]:
    """Mark the columns that a test shows."""
    COLUMNS.update(columns)
    return lambda test: test


@pytest.fixture
def define(make_story: Callable[[], Any]) -> Make:
    """Give the maker of stories whose store knows one more predicate."""

    def make(base: Predicate = PLAIN, **columns: Any) -> Any:
        story = make_story()
        story.memory.add_predicates([replace(base, **columns)])
        return story

    return make


def two(story: Any, **spoken: Any) -> str:
    """Tell of two values, a month apart; give the second decision."""
    story.tell("I keep bees.", "keeps", "bees", MARCH, **spoken)
    return str(story.tell("I keep hens.", "keeps", "hens", APRIL, **spoken))


@about("cardinality")
def test_how_many_values_hold_at_a_time(define: Make) -> None:
    base = replace(PLAIN, conflict_policy="review")
    one, many = define(base, cardinality="single"), define(base, cardinality="multi")

    assert two(one, proposer="person") == "supersede superseded"
    assert two(many, proposer="person") == "add coexists"
    assert (len(one.now()), len(many.now())) == (1, 2)


@about("conflict_policy")
@pytest.mark.parametrize(
    ("cardinality", "policy", "decision"),
    [
        ("single", "supersede", "supersede superseded"),
        ("single", "review", "review policy"),
        ("multi", "coexist", "add coexists"),
        ("multi", "review", "review policy"),
        ("temporal_multi", "coexist", "add coexists"),
        ("temporal_multi", "review", "review policy"),
    ],
)
def test_what_happens_to_the_value_that_is_there(
    define: Make, cardinality: str, policy: str, decision: str
) -> None:
    assert two(define(cardinality=cardinality, conflict_policy=policy)) == decision


@about("conflict_policy")
@pytest.mark.parametrize(("policy", "left"), [("coexist", 2), ("merge", 1)])
def test_whether_texts_that_say_more_become_one(define: Make, policy: str, left: int) -> None:
    story = define(conflict_policy=policy, object_kind="literal")
    for said in ("bees in the yard", "bees in the yard behind the shed"):
        story.tell(f"I keep {said}.", "keeps", said)

    assert len(story.now()) == left


@about("conflict_policy")
@pytest.mark.parametrize(("policy", "left"), [("coexist", 1), ("expire", 0)])
def test_whether_a_value_ends_by_itself(define: Make, policy: str, left: int) -> None:
    story = define(cardinality="temporal_multi", conflict_policy=policy, tau_days=30)
    story.tell("I keep bees.", "keeps", "bees", MARCH)

    assert len(story.on("2025-03-20")) == 1
    assert len(story.now()) == left


@about("tau_days")
@pytest.mark.parametrize(("days", "end"), [(10, "2025-03-20"), (31.5, "2025-04-10")])
def test_how_long_a_value_holds(define: Make, days: float, end: str) -> None:
    story = define(cardinality="temporal_multi", conflict_policy="expire", tau_days=days)
    story.tell("I keep bees.", "keeps", "bees", MARCH)

    assert story.fact(f"{HABIT} bees").period.ends("UTC") == end


@about("temporal")
@pytest.mark.parametrize(
    ("temporal", "when"),
    [
        ("state", "true by 2025-03-10 →"),
        ("preference", "true by 2025-03-10 →"),
        ("habit", "true by 2025-03-10 →"),
        ("event", "said 2025-03-10"),
        ("commitment", "said 2025-03-10"),
    ],
)
def test_what_its_time_means(define: Make, temporal: str, when: str) -> None:
    story = define(temporal=temporal)
    story.tell("I keep bees.", "keeps", "bees", MARCH)

    assert story.fact(f"{HABIT} bees").when == when


@about("temporal")
@pytest.mark.parametrize(
    ("temporal", "decision"), [("state", "reject hypothetical"), ("commitment", "add new")]
)
def test_only_a_promise_may_hang_on_a_condition(define: Make, temporal: str, decision: str) -> None:
    story = define(temporal=temporal)

    assert story.tell("If it rains I keep bees.", "keeps", "bees") == decision


@about("object_kind")
@pytest.mark.parametrize(
    ("kind", "is_entity"), [("entity", True), ("literal", False), ("either", False)]
)
def test_what_it_speaks_of(define: Make, kind: str, is_entity: bool) -> None:
    story = define(object_kind=kind)
    story.tell("I keep bees.", "keeps", "bees")

    assert (story.fact(f"{HABIT} bees").object is not None) == is_entity


@about("object_kind")
@pytest.mark.parametrize(("kind", "is_entity"), [("literal", False), ("either", True)])
def test_whether_a_text_may_name_what_is_known(define: Make, kind: str, is_entity: bool) -> None:
    story = define(object_kind=kind)
    story.tell("I live in Alfa.", "lives_in", "Alfa")
    story.tell("I keep Alfa tidy.", "keeps", "Alfa")

    assert (story.fact(f"{HABIT} Alfa").object is not None) == is_entity


@about("value_type")
@pytest.mark.parametrize(
    ("type_", "word", "number", "date"),
    [("text", "add", "add", "add"), ("number", "reject", "add", "reject"),
     ("date", "reject", "reject", "add")],
)  # fmt: skip
def test_what_a_literal_must_be(
    define: Make, type_: str, word: str, number: str, date: str
) -> None:
    story = define(object_kind="literal", value_type=type_)
    said = ("bees", "12.5", "2024-05-01")

    decisions = [story.tell(f"I keep {one}.", "keeps", one).split()[0] for one in said]

    assert decisions == [word, number, date]


@about("subject_kinds")
@pytest.mark.parametrize(
    ("kinds", "decision"),
    [((), "add new"), (("pet", "person"), "add new"), (("person",), "reject subject_kind")],
)
def test_who_it_may_be_said_of(define: Make, kinds: tuple[str, ...], decision: str) -> None:
    story = define(subject_kinds=kinds)
    dog = {"name": "Moss", "kind": "pet"}

    assert story.tell("Moss keeps bones.", "keeps", "bones", subject=dog) == decision


@about("subject_kinds")
def test_the_first_kind_is_taken_where_none_is_told(define: Make) -> None:
    story = define(subject_kinds=("pet", "person"))
    story.tell("Moss keeps bones.", "keeps", "bones", subject="Moss")

    assert story.memory.entity("Moss").kind == "pet"


@about("object_kinds")
@pytest.mark.parametrize(
    ("kinds", "decision"),
    [((), "add new"), (("tag", "place"), "add new"), (("tag",), "review object_kind")],
)
def test_what_kinds_its_object_may_be(define: Make, kinds: tuple[str, ...], decision: str) -> None:
    story = define(object_kinds=kinds)

    assert story.tell("I keep Alfa.", "keeps", {"name": "Alfa", "kind": "place"}) == decision


@about("object_kinds")
@pytest.mark.parametrize(("kinds", "kind"), [((), "thing"), (("tag", "place"), "tag")])
def test_the_kind_of_an_object_that_is_not_told(
    define: Make, kinds: tuple[str, ...], kind: str
) -> None:
    story = define(object_kind="entity", object_kinds=kinds)
    story.tell("I keep Alfa.", "keeps", "Alfa")

    assert story.memory.entity("Alfa").kind == kind


@about("opposite")
@pytest.mark.parametrize(
    ("opposites", "decision"),
    [((None, None), "add new"), (("drops", "keeps"), "supersede superseded")],
)
def test_what_cannot_hold_at_the_same_time(
    make_story: Callable[[], Any], opposites: tuple[str | None, ...], decision: str
) -> None:
    story = make_story()
    both = [replace(PLAIN, name=name, opposite=opposite)
            for name, opposite in zip(("keeps", "drops"), opposites, strict=True)]  # fmt: skip
    story.memory.add_predicates(both)
    story.tell("I keep bees.", "keeps", "bees", MARCH)

    assert story.tell("I drop bees.", "drops", "bees", APRIL) == decision


@about("is_ranked")
@pytest.mark.parametrize(
    ("is_ranked", "decision"), [(False, "add coexists"), (True, "supersede superseded")]
)
def test_whether_one_value_holds_at_a_rank(define: Make, is_ranked: bool, decision: str) -> None:
    story = define(conflict_policy="review", object_kind="entity", is_ranked=is_ranked)

    story.tell("Bees first.", "keeps", "Bees", MARCH, rank=1, proposer="person", confidence=0.7)
    second = story.tell(
        "Hens first.", "keeps", "Hens", APRIL, rank=1, proposer="person", confidence=0.9
    )

    assert second == decision


@about("importance")
def test_how_much_a_fact_weighs(define: Make) -> None:
    for weight in (0.2, 0.9):
        story = define(importance=weight)
        story.tell("I keep bees.", "keeps", "bees")

        assert story.fact(f"{HABIT} bees").importance == weight


@about("is_sensitive")
@pytest.mark.parametrize(
    ("is_sensitive", "sensitivity", "inferred"),
    [(False, "normal", "add coexists"), (True, "sensitive", "review sensitive")],
)
def test_what_is_sensitive_is_marked_and_not_concluded(
    define: Make, is_sensitive: bool, sensitivity: str, inferred: str
) -> None:
    story = define(is_sensitive=is_sensitive)
    story.tell("I keep bees.", "keeps", "bees")

    assert story.fact(f"{HABIT} bees").sensitivity == sensitivity
    assert story.tell("My hens lay.", "keeps", "hens", inferred=True) == inferred


@about("allow_inference")
@pytest.mark.parametrize(
    ("allowed", "decision"), [(True, "add new"), (False, "reject inference_not_allowed")]
)
def test_whether_it_may_be_concluded(define: Make, allowed: bool, decision: str) -> None:
    story = define(allow_inference=allowed)

    assert story.tell("My hens lay.", "keeps", "hens", inferred=True) == decision


@about("allow_assistant_source")
@pytest.mark.parametrize(
    ("allowed", "decision"), [(True, "add new"), (False, "reject not_said_by_user")]
)
def test_whether_an_assistant_may_say_it(define: Make, allowed: bool, decision: str) -> None:
    story = define(allow_assistant_source=allowed)
    lamp = {"role": "assistant", "speaker": "Lamp", "subject": "Nell"}

    assert story.tell("Nell keeps bees.", "keeps", "bees", **lamp) == decision


@about("allow_agent_subject")
@pytest.mark.parametrize(
    ("allowed", "decision"), [(True, "add new"), (False, "reject subject_kind")]
)
def test_whether_it_may_be_said_of_the_agent(define: Make, allowed: bool, decision: str) -> None:
    story = define(subject_kinds=(), allow_agent_subject=allowed)
    lamp = {"name": "Lamp", "kind": "agent"}

    assert story.tell("Lamp keeps notes.", "keeps", "notes", subject=lamp) == decision


@about("is_denial")
@pytest.mark.parametrize(("is_denial", "decision"), [(True, "add new"), (False, "reject negated")])
@pytest.mark.parametrize(("text", "thing"), [("I do not keep bees.", "bees"), ("我不养蜂", "蜂")])
def test_whether_not_can_mean_it(
    define: Make, is_denial: bool, decision: str, text: str, thing: str
) -> None:
    assert define(is_denial=is_denial).tell(text, "keeps", thing) == decision


@about("min_evidence")
@pytest.mark.parametrize("needed", [1, 2, 3])
def test_how_often_an_inference_must_be_seen(define: Make, needed: int) -> None:
    story = define(min_evidence=needed)
    believed = []
    for day in range(1, 4):
        story.tell("My hens lay.", "keeps", "hens", f"2025-03-0{day}", inferred=True)
        believed.append(bool(story.now()))

    assert believed == [seen >= needed for seen in (1, 2, 3)]


@about("label_en", "label_zh")
@pytest.mark.parametrize(("column", "word"), [("label_en", "husbandry"), ("label_zh", "畜牧")])
def test_a_fact_is_found_by_the_label(define: Make, column: str, word: str) -> None:
    for label, found in ((word, [f"{HABIT} bees"]), ("", [])):
        story = define(**{column: label})
        story.tell("I keep bees.", "keeps", "bees")

        assert [hit.text for hit in story.memory.search(word).facts] == found


@about("aliases")
@pytest.mark.parametrize("alias", ["tends", "饲养"])
def test_a_candidate_may_call_it_by_an_alias(define: Make, alias: str) -> None:
    assert define(aliases=(alias,)).tell("I keep bees.", alias, "bees") == "add new"
    assert define().tell("I keep bees.", alias, "bees") == "review unknown_predicate"
    story = define(aliases=(alias,))
    story.tell("I keep bees.", alias.upper(), "bees")
    assert story.now(predicate=alias) == story.now() == [f"{HABIT} bees"]


@about("fact_type")
def test_the_sort_of_fact_is_stored_and_shown(define: Make) -> None:
    for sort in ("core_identity", "commitment"):
        story = define(fact_type=sort)
        story.tell("I keep bees.", "keeps", "bees")

        assert story.fact(f"{HABIT} bees").to_dict()["fact_type"] == sort


@about("fact_type")
@pytest.mark.parametrize(
    ("sort", "reason"),
    [("transient_context", "agent_affect"), ("stable_preference", "subject_kind")],
)
def test_the_state_of_an_agent_is_told_from_a_wrong_subject(
    define: Make, sort: str, reason: str
) -> None:
    lamp = {"name": "Lamp", "kind": "agent"}
    story = define(fact_type=sort)

    assert story.tell("Lamp keeps calm.", "keeps", "calm", subject=lamp) == f"reject {reason}"


@about("domain", "name")
def test_the_domain_is_shown(define: Make) -> None:
    [shown] = [one for one in define(domain="yard").memory.predicates() if one.name == "keeps"]

    assert shown.domain == "yard"


def test_no_column_is_without_a_test() -> None:
    assert {field.name for field in fields(Predicate)} - {"number"} == COLUMNS
