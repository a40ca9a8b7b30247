"""Each pattern reads its own examples and leaves alone what it must not read."""

from dataclasses import replace

import pytest

from memorycore.errors import InvalidInputError
from memorycore.exchange.predicate_file import load_seeded
from memorycore.model.heard import Heard
from memorycore.model.time import parse_moment
from memorycore.model.value import canonical_value
from memorycore.port.rule_patterns import Language, Pattern, load_patterns, read_language
from memorycore.port.rules import Rules

LANGUAGES, VERSION = load_patterns(checked=True)
PATTERNS = [(language, one) for language in LANGUAGES for one in language.patterns]
SAID = parse_moment("2025-09-10T10:00:00+02:00")
SEEDED = {predicate.name: predicate for predicate in load_seeded()}


def only(language: Language, pattern: Pattern) -> Rules:
    """Give rules that know a single pattern."""
    rules = Rules()
    by_word = dict.fromkeys(pattern.words, (0,))
    rules.languages = (replace(language, patterns=(pattern,), by_word=by_word),)
    return rules


def objects(rules: Rules, text: str) -> list[str]:
    return [
        canonical_value(found.object.name if found.object else found.value or "")
        for found in rules.propose(Heard("e1", text, said_at=SAID))
    ]


@pytest.mark.parametrize(("language", "pattern"), PATTERNS, ids=[one.place for _, one in PATTERNS])
def test_a_pattern_reads_its_examples_and_nothing_else(
    language: Language, pattern: Pattern
) -> None:
    rules = only(language, pattern)
    assert pattern.examples, "a pattern shows what it reads"
    for example in pattern.examples:
        assert canonical_value(example["object"]) in objects(rules, example["text"]), example
    for text in pattern.misses:
        assert objects(rules, text) == [], text


@pytest.mark.parametrize(("language", "pattern"), PATTERNS, ids=[one.place for _, one in PATTERNS])
def test_a_pattern_proposes_what_its_predicate_takes(language: Language, pattern: Pattern) -> None:
    predicate = SEEDED[pattern.predicate]
    if predicate.object_kind == "entity":
        assert pattern.kind
    if predicate.object_kind == "literal":
        assert pattern.kind is None
    if pattern.kind and predicate.object_kinds:
        assert pattern.kind in predicate.object_kinds
    assert 0.6 <= pattern.confidence <= 0.98


def test_a_version_names_the_files() -> None:
    assert len(VERSION) == 12
    assert int(VERSION, 16) >= 0


@pytest.mark.parametrize(
    "broken",
    [
        {"predicate": "likes", "words": "like", "match": "("},
        {"predicate": "likes", "words": "like"},
        {"predicate": "likes", "words": "like", "match": "x", "colour": "red"},
        {"predicate": "likes", "words": "like", "match": "x", "act": "guess"},
    ],
)
def test_what_is_no_pattern_is_refused(broken: dict[str, str]) -> None:
    cues = dict.fromkeys(
        ("correction", "contrast", "fiction", "played", "past", "now", "unreal", "theirs",
         "speaker", "others", "starts"), "x",
    )  # fmt: skip
    document = {
        "macros": {}, "ranks": {}, "cues": cues, "trim": {"phrase": {}}, "pattern": [broken],
    }  # fmt: skip
    with pytest.raises(InvalidInputError):
        read_language("en", [("x.toml", document)])
