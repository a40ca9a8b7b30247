"""Tests of files of predicate schemas, and of the one that is shipped."""

import re
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorycore.errors import InvalidInputError
from memorycore.exchange.predicate_file import (
    PredicateIn,
    load_seeded,
    read_predicates,
    write_predicates,
)
from memorycore.model.predicate import FACT_TYPES, TEMPORALS, Predicate
from memorycore.model.predicate_rules import POLICIES, check_predicate

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "architecture" / "predicates.md"
SEEDED = {predicate.name: predicate for predicate in load_seeded()}
TABLE = """
lives_in core core_identity single supersede state entity 3650 .80
works_at core core_identity single supersede state entity 1825 .75
prefers_name core core_identity single supersede preference literal 3650 .85
likes core stable_preference multi coexist preference either 365 .55
dislikes core stable_preference multi coexist preference either 365 .60
has_pet core core_identity multi coexist state entity 1825 .65
is_busy_with core transient_context temporal_multi expire state either 21 .50
feels_about_agent core relational_state single review preference literal 180 .65
promised_to core commitment temporal_multi expire commitment literal 30 .70
is_considering core significant_event temporal_multi expire event either 90 .65
has_boundary core relational_state multi merge preference literal 365 .80
prefers_communication_style core stable_preference multi merge preference literal 365 .65
uses_coping_strategy core stable_preference multi coexist habit literal 365 .65
PREFERS_AUTHOR reading stable_preference multi coexist preference entity 365 .60
FAVORITE_WORK reading stable_preference multi supersede preference entity 365 .65
DISCUSSED_WORK reading significant_event multi coexist event entity 180 .40
DISCUSSED_CHAPTER reading significant_event multi coexist event entity 180 .40
PREFERS_NARRATIVE_STYLE reading stable_preference multi coexist preference entity 365 .60
SELF_TRAIT writing core_identity multi coexist state entity 365 .60
TRIED_STYLE writing significant_event multi coexist event entity 180 .45
SELF_CRITIQUE writing relational_state multi coexist preference entity 180 .50
PREFERS_TOPIC daily stable_preference multi coexist preference entity 365 .50
note general note multi coexist state literal 365 .50
prefers general stable_preference multi merge preference literal 365 .60
instructs general stable_preference multi merge state literal 365 .70
recommended general significant_event multi coexist event either 90 .40
happened general significant_event temporal_multi coexist event either 180 .50
"""
OF_THE_AGENT = {name for name in SEEDED if SEEDED[name].domain in {"reading", "writing", "daily"}}
NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,12}|[住喜爱][欢在a-z]{0,5}", fullmatch=True)
LABELS = st.text(max_size=20).filter(str.isprintable)


@st.composite
def predicates(draw: st.DrawFn, name: str) -> Predicate:
    cardinality = draw(st.sampled_from(sorted(POLICIES)))
    object_kind = draw(st.sampled_from(["literal", "either"]))
    is_sensitive = draw(st.booleans())
    return Predicate(
        name,
        domain=draw(NAMES),
        label_en=draw(LABELS),
        label_zh=draw(LABELS),
        fact_type=draw(st.sampled_from(FACT_TYPES)),
        cardinality=cardinality,
        conflict_policy=draw(st.sampled_from(POLICIES[cardinality])),
        temporal=draw(st.sampled_from([kind for kind in TEMPORALS if kind != "event"])),
        object_kind=object_kind,
        value_type=draw(st.sampled_from(["text", "number", "date"])),
        object_kinds=() if object_kind == "literal" else tuple(draw(st.lists(NAMES, max_size=3))),
        tau_days=draw(st.floats(0, 365_000, exclude_min=True)),
        importance=draw(st.floats(0, 1)),
        is_sensitive=is_sensitive,
        allow_assistant_source=not is_sensitive and draw(st.booleans()),
        allow_agent_subject=draw(st.booleans()),
        min_evidence=draw(st.integers(1, 100)),
    )


@given(st.data(), st.lists(NAMES, min_size=1, max_size=4, unique=True))
def test_what_is_written_reads_back_equal(data: st.DataObject, names: list[str]) -> None:
    made = [data.draw(predicates(name)) for name in names]
    assert read_predicates(write_predicates(made), source="f") == made


def test_what_is_written_holds_no_row_of_a_store() -> None:
    written = write_predicates([replace(SEEDED["likes"], number=7)])
    assert read_predicates(written, source="f") == [SEEDED["likes"]]


def test_only_the_name_is_needed() -> None:
    text = '[[predicate]]\nname = "plays"\n'
    assert read_predicates(text, source="f") == [Predicate("plays")]


def test_a_file_knows_every_field_of_the_record_but_its_row() -> None:
    known = {field.name: field.default for field in fields(Predicate)}
    del known["number"]
    assert list(PredicateIn.model_fields) == list(known)


def test_an_empty_opposite_is_none() -> None:
    text = '[[predicate]]\nname = "plays"\nopposite = ""\n'
    assert read_predicates(text, source="f")[0].opposite is None


def test_an_opposite_may_be_in_the_store_alone() -> None:
    text = write_predicates([SEEDED["likes"]])
    assert read_predicates(text, source="f") == [SEEDED["likes"]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "holds no list of predicates"),
        ("predicate = []", "holds no list of predicates"),
        ("predicate = [1]", "predicate number 1: no table"),
        ('[predicate]\nname = "a"', "holds no list of predicates"),
        ("a = ", "not TOML at end of document"),
        ("\n[[predicate]]\nname = likes", "not TOML at line 3, column"),
        ("predicate = " + "[" * 9000, "nested too deeply"),
        ("predicate = 1" + "0" * 9000, "not TOML that can be read"),
        ('lable = "x"', "unknown key lable outside of a predicate"),
        ('[[predicate]]\nname = "a"\nlable = "x"', "predicate a: unknown field lable; known ones"),
        ('[[predicate]]\ndomain = "a"', "predicate number 1: the field name is missing"),
        ("[[predicate]]\nname = 3", "predicate number 1: name: input should be a valid string"),
        ('[[predicate]]\nname = "a"\naliases = "b"', "predicate a: aliases: "),
        ('[[predicate]]\nname = "a"\naliases = [1]', "predicate a: aliases.0: "),
        ('[[predicate]]\nname = "a"\nimportance = true', "predicate a: importance: "),
        ('[[predicate]]\nname = "a"\nis_ranked = 1', "predicate a: is_ranked: "),
        ('[[predicate]]\nname = "a"\nmin_evidence = 1.0', "predicate a: min_evidence: "),
        ('[[predicate]]\nname = "a"\ntau_days = nan', "predicate a: tau_days must be above 0"),
        ('[[predicate]]\nname = "a b"', "predicate a b: name is no valid name"),
        ('[[predicate]]\nname = "a"\n[[predicate]]\nname = "a"', "predicate a: name stands twice"),
        ('[[predicate]]\nname = "a"\n[[predicate]]\nname = "A"', "already a name or alias of A"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(text: str, words: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        read_predicates(text, source="my.toml")
    assert caught.value.message.startswith("my.toml: ")
    assert words in caught.value.message
    assert caught.value.hint


def test_a_refused_combination_says_why_and_what_to_try() -> None:
    text = '[[predicate]]\nname = "a"\ncardinality = "single"\n'
    with pytest.raises(InvalidInputError, match="coexist does not go with") as caught:
        read_predicates(text, source="my.toml")
    assert caught.value.why == "values that coexist are more than one"
    assert "supersede" in str(caught.value.hint)


def test_the_seeded_predicates_are_these() -> None:
    assert list(SEEDED) == [line.split()[0] for line in TABLE.strip().splitlines()]


@pytest.mark.parametrize("line", TABLE.strip().splitlines(), ids=lambda line: line.split()[0])
def test_a_seeded_predicate_is_as_decided(line: str) -> None:
    p = SEEDED[line.split()[0]]
    decided = line.split()[1:]
    found = [p.domain, p.fact_type, p.cardinality, p.conflict_policy, p.temporal, p.object_kind]
    assert found == decided[:6]
    assert [p.tau_days, p.importance] == [float(number) for number in decided[6:]]


def test_seeded_kinds_of_objects_are_as_decided() -> None:
    assert {name: p.object_kinds for name, p in SEEDED.items() if p.object_kinds} == {
        "lives_in": ("place",),
        "works_at": ("organization", "place"),
        "has_pet": ("pet",),
        "PREFERS_AUTHOR": ("author",),
        "FAVORITE_WORK": ("work",),
        "DISCUSSED_WORK": ("work",),
        "DISCUSSED_CHAPTER": ("chapter",),
        "PREFERS_NARRATIVE_STYLE": ("topic",),
        "SELF_TRAIT": ("tag", "topic"),
        "TRIED_STYLE": ("topic",),
        "SELF_CRITIQUE": ("tag", "topic"),
        "PREFERS_TOPIC": ("topic", "tag"),
        "happened": ("event",),
    }


@pytest.mark.parametrize(
    ("field", "names"),
    [
        ("is_ranked", {"FAVORITE_WORK"}),
        ("is_sensitive", {"has_boundary"}),
        ("opposite", {"likes", "dislikes"}),
        ("allow_agent_subject", {*OF_THE_AGENT, "note", "recommended"}),
        ("allow_assistant_source", {*OF_THE_AGENT, "recommended"}),
    ],
)
def test_what_few_seeded_predicates_have(field: str, names: set[str]) -> None:
    assert {name for name, predicate in SEEDED.items() if getattr(predicate, field)} == names


def test_what_must_have_been_said_and_what_needs_two_observations() -> None:
    said = {name for name, predicate in SEEDED.items() if not predicate.allow_inference}
    assert said == {"prefers_name", "has_boundary", "feels_about_agent", "promised_to"}
    needed = {n: p.min_evidence for n, p in SEEDED.items() if p.min_evidence != 1}
    assert needed == {"prefers": 2, "instructs": 2}


def test_the_seeded_predicates_go_together_and_have_labels_and_aliases() -> None:
    for predicate in SEEDED.values():
        check_predicate(predicate, SEEDED)
        assert predicate.label_en
        assert predicate.label_zh
        assert predicate.aliases
        assert all(alias == alias.lower() for alias in predicate.aliases)


def test_the_seeded_file_gives_and_explains_every_key() -> None:
    text = (ROOT / "memorycore" / "model" / "predicates.toml").read_text("utf-8")
    head = text.partition("\n[[predicate]]")[0]
    for key in PredicateIn.model_fields:
        assert re.search(rf"^#   {key}\b", head, re.M), key
        count = len(re.findall(rf"^{key} = ", text, re.M))
        assert count == (2 if key == "opposite" else len(SEEDED)), key


def test_the_example_of_the_page_can_be_read() -> None:
    page = PAGE.read_text("utf-8")
    examples = re.findall(r"^```toml\n(.*?)^```$", page, re.S | re.M)
    assert examples
    for example in examples:
        new = {predicate.name: predicate for predicate in read_predicates(example, source="page")}
        for predicate in new.values():
            check_predicate(predicate, SEEDED | new)


def test_the_page_names_every_key_and_every_seeded_predicate() -> None:
    page = PAGE.read_text("utf-8")
    for name in (*PredicateIn.model_fields, *SEEDED):
        assert f"`{name}`" in page, name


def test_the_table_of_the_page_is_true() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", PAGE.read_text("utf-8"), re.M)
    shown = {name: row.split(" | ") for name, row in rows if name in SEEDED}
    assert shown == {
        p.name: [
            p.domain,
            p.fact_type,
            p.cardinality,
            p.conflict_policy,
            p.temporal,
            " ".join([p.object_kind, *p.object_kinds]),
            f"{p.tau_days:g}",
            f"{p.importance:g}",
        ]
        for p in SEEDED.values()
    }
