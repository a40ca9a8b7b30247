"""Tests of what a predicate schema may say."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorycore.errors import InvalidInputError
from memorycore.model.predicate import (
    CARDINALITIES,
    CONFLICT_POLICIES,
    Predicate,
)
from memorycore.model.predicate_rules import (
    MAX_NAMES,
    POLICIES,
    check_predicate,
    is_name,
    label_of,
)

PLAIN = Predicate("plays")
SINGLE = replace(PLAIN, cardinality="single", conflict_policy="supersede")
TIMED = replace(PLAIN, cardinality="temporal_multi", conflict_policy="expire")
MERGED = replace(PLAIN, conflict_policy="merge", object_kind="literal")
RANKED = replace(PLAIN, conflict_policy="supersede", is_ranked=True, object_kind="entity")
LIKES, DISLIKES = Predicate("likes", opposite="dislikes"), Predicate("dislikes", opposite="likes")
NAN, INFINITE = float("nan"), float("inf")


def beside(*others: Predicate) -> dict[str, Predicate]:
    return {other.name: other for other in others}


def refusal(predicate: Predicate, *others: Predicate, are_all: bool = True) -> InvalidInputError:
    with pytest.raises(InvalidInputError) as caught:
        check_predicate(predicate, beside(*others), are_all=are_all)
    return caught.value


@pytest.mark.parametrize("predicate", [PLAIN, SINGLE, TIMED, MERGED, RANKED])
def test_what_makes_sense_passes(predicate: Predicate) -> None:
    check_predicate(predicate, {})


@pytest.mark.parametrize(
    ("predicate", "changes", "words"),
    [
        (SINGLE, {"conflict_policy": "coexist"}, "coexist does not go with cardinality single"),
        (SINGLE, {"conflict_policy": "expire"}, "expire does not go with cardinality single"),
        (
            SINGLE,
            {"conflict_policy": "merge", "object_kind": "literal"},
            "merge does not go with cardinality single",
        ),
        (SINGLE, {"temporal": "event"}, "temporal event does not go with cardinality single"),
        (SINGLE, {"is_ranked": True}, "is_ranked does not go with cardinality single"),
        (PLAIN, {"conflict_policy": "supersede"}, "supersede does not go with cardinality multi"),
        (PLAIN, {"conflict_policy": "expire"}, "expire does not go with cardinality multi"),
        (TIMED, {"conflict_policy": "supersede"}, "does not go with cardinality temporal_multi"),
        (TIMED, {"conflict_policy": "merge"}, "does not go with cardinality temporal_multi"),
        (TIMED, {"is_ranked": True}, "is_ranked does not go with cardinality temporal_multi"),
        (RANKED, {"conflict_policy": "coexist"}, "is_ranked does not go with conflict_policy"),
        (RANKED, {"object_kind": "literal"}, "is_ranked does not go with object_kind literal"),
        (MERGED, {"object_kind": "entity"}, "merge does not go with object_kind entity"),
        (PLAIN, {"object_kind": "entity", "value_type": "number"}, "value_type number does not"),
        (PLAIN, {"object_kind": "entity", "value_type": "date"}, "value_type date does not"),
        (MERGED, {"object_kinds": ("place",)}, "object_kinds does not go with object_kind literal"),
        (PLAIN, {"min_evidence": 2, "allow_inference": False}, "min_evidence above 1 does not go"),
        (
            PLAIN,
            {"is_sensitive": True, "allow_assistant_source": True},
            "allow_assistant_source does not go with is_sensitive",
        ),
        (PLAIN, {"subject_kinds": ("agent",)}, "subject_kinds holds agent, but"),
        (
            PLAIN,
            {"allow_agent_subject": True, "subject_kinds": ("person",)},
            "subject_kinds does not hold agent",
        ),
    ],
)
def test_a_combination_that_makes_no_sense_is_refused(
    predicate: Predicate, changes: dict[str, object], words: str
) -> None:
    error = refusal(replace(predicate, **changes))  # type: ignore[arg-type]
    assert error.message.startswith("predicate plays: ")
    assert words in error.message
    assert error.hint


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("tau_days", 0.0, "tau_days must be above 0"),
        ("tau_days", -1.0, "tau_days must be above 0"),
        ("tau_days", NAN, "tau_days must be above 0"),
        ("tau_days", INFINITE, "at most 365000 days"),
        ("importance", -0.01, "importance must lie between 0 and 1"),
        ("importance", 1.01, "importance must lie between 0 and 1"),
        ("importance", NAN, "importance must lie between 0 and 1"),
        ("min_evidence", 0, "min_evidence must lie between 1 and 100"),
        ("min_evidence", 101, "min_evidence must lie between 1 and 100"),
        ("fact_type", "mood", "fact_type has a value that does not exist"),
        ("cardinality", "many", "cardinality has a value that does not exist"),
        ("conflict_policy", "fight", "conflict_policy has a value that does not exist"),
        ("temporal", "eternal", "temporal has a value that does not exist"),
        ("object_kind", "thing", "object_kind has a value that does not exist"),
        ("value_type", "colour", "value_type has a value that does not exist"),
        ("name", "", "name is no valid name"),
        ("domain", "two words", "domain is no valid name"),
        ("aliases", ("1st",), "aliases holds what is no valid name"),
        ("aliases", tuple(f"a{n}" for n in range(MAX_NAMES + 1)), "aliases holds more than 50"),
        ("subject_kinds", ("Person",), "subject_kinds holds Person: kinds are in lower case"),
        ("object_kinds", ("",), "object_kinds holds what is no valid name"),
        ("label_en", "two\nlines", "label_en is no short line"),
        ("label_zh", "长" * 65, "label_zh is no short line"),
        ("opposite", "not a name", "opposite is no valid name"),
    ],
)
def test_a_value_that_does_not_exist_is_refused(field: str, value: object, words: str) -> None:
    error = refusal(replace(PLAIN, **{field: value}))  # type: ignore[arg-type]
    assert words in error.message
    assert error.hint


@pytest.mark.parametrize(
    ("predicate", "others", "words"),
    [
        (replace(LIKES, opposite="likes"), (), "opposite is the predicate itself"),
        (LIKES, (), "opposite is dislikes, which is no predicate"),
        (LIKES, (replace(DISLIKES, opposite=None),), "which does not name it back"),
        (replace(LIKES, opposite=None), (DISLIKES,), "opposite must be dislikes, which names it"),
        (
            LIKES,
            (replace(DISLIKES, cardinality="temporal_multi"),),
            "whose cardinality is temporal_multi",
        ),
        (replace(SINGLE, opposite="likes"), (LIKES,), "opposite does not go with cardinality"),
        (PLAIN, (Predicate("performs", aliases=("PLAYS",)),), "name has plays, which is already"),
        (PLAIN, (Predicate("Plays"),), "already a name or alias of Plays"),
        (
            replace(PLAIN, aliases=("住在",)),
            (Predicate("lives_in", aliases=("住在",)),),
            "aliases has 住在, which is already a name or alias of lives_in",
        ),
    ],
)
def test_what_cannot_stand_beside_the_others_is_refused(
    predicate: Predicate, others: tuple[Predicate, ...], words: str
) -> None:
    error = refusal(predicate, *others)
    assert words in error.message
    assert error.hint


def test_opposites_that_name_each_other_pass() -> None:
    check_predicate(LIKES, beside(LIKES, DISLIKES))
    check_predicate(DISLIKES, beside(LIKES, DISLIKES))


def test_an_opposite_that_is_yet_to_be_looked_up_passes() -> None:
    check_predicate(LIKES, {}, are_all=False)
    words = refusal(LIKES, replace(DISLIKES, opposite=None), are_all=False).message
    assert "which does not name it back" in words


def test_a_predicate_does_not_clash_with_its_own_earlier_version() -> None:
    check_predicate(replace(PLAIN, aliases=("plays", "performs")), beside(PLAIN))


@given(st.sampled_from(CARDINALITIES), st.sampled_from(CONFLICT_POLICIES))
def test_the_policies_of_a_cardinality_are_those_that_pass(cardinality: str, policy: str) -> None:
    predicate = replace(PLAIN, cardinality=cardinality, conflict_policy=policy)
    if policy in POLICIES[cardinality]:
        check_predicate(predicate, {})
    else:
        error = refusal(predicate)
        assert error.why
        assert "cardinality" in str(error.hint)


@given(st.text(max_size=70))
def test_any_text_is_a_valid_name_or_refused_without_harm(text: str) -> None:
    predicate = replace(PLAIN, name=text)
    if is_name(text):
        check_predicate(predicate, {})
    else:
        assert refusal(predicate).message.isprintable()


@pytest.mark.parametrize("name", ["likes", "PREFERS_AUTHOR", "a1_", "住在", "é", "x" * 64])
def test_a_name_begins_with_a_letter_or_a_han_character(name: str) -> None:
    assert is_name(name)


@pytest.mark.parametrize("name", ["", "_a", "1a", "a b", "a-b", "a\n", "x" * 65, "ｗｉｄｅ", "🙂"])
def test_other_texts_are_no_names(name: str) -> None:
    assert not is_name(name)


def test_a_label_falls_back_to_the_other_and_then_to_the_name() -> None:
    full = Predicate("lives_in", label_en="lives in", label_zh="住在")
    assert (label_of(full), label_of(full, language="zh-Hant")) == ("lives in", "住在")
    assert label_of(replace(full, label_zh=""), language="zh") == "lives in"
    assert label_of(replace(full, label_en="")) == "住在"
    assert label_of(Predicate("has_a_boat")) == "has a boat"
