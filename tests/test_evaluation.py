"""Extraction is scored through the learning that everybody uses."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from memorycore.errors import InvalidInputError
from memorycore.evaluation import evaluate_extraction
from memorycore.model.candidate import Candidate, Quote
from memorycore.model.heard import Heard
from memorycore.model.spent import Spent
from memorycore.port.extractor import Extracted, Surroundings


class Fixed:
    """Proposes what it was told to propose of each text."""

    name = "fixed"
    version = "7"
    page = 3
    needs_surroundings = False

    def __init__(self, said: dict[str, list[Candidate]]) -> None:
        self.said = said
        self.read: list[list[str]] = []

    def extract(self, turns: Sequence[Heard], around: Surroundings) -> Iterator[Extracted]:
        self.read.append([turn.text for turn in turns])
        for turn in turns:
            found = [
                Candidate(one.predicate, (Quote(turn.episode, text=turn.text),), value=one.value,
                          confidence=one.confidence, is_tentative=one.is_tentative)
                for one in self.said.get(turn.text, ())
            ]  # fmt: skip
            yield Extracted(found, turns=1, silent=not found, spent=Spent(5))


def likes(what: str, confidence: float = 0.9, **more: Any) -> Candidate:
    return Candidate("likes", (), value=what, confidence=confidence, **more)


def line(name: str, text: str, *objects: str, lang: str = "en", **more: Any) -> dict[str, Any]:
    expect = [{"predicate": "likes", "object": one} for one in objects]
    return {"id": name, "lang": lang, "text": text, "expect": expect, "speaker": "Ana"} | more


LINES = [
    line("a", "I like tea.", "tea"),
    line("b", "I like rye bread and oats.", "rye bread", "oats"),
    line("c", "我喜欢乌龙茶。", "乌龙茶", lang="zh"),
    line("d", "If only I liked kale.", trap="wish"),
    line("e", "Somebody likes figs.", trap="generic"),
    line("f", "Nothing here.", "plums"),
]
SAID = {
    "I like tea.": [likes("tea")],
    "I like rye bread and oats.": [likes("rye bread", 0.5), likes("oats", is_tentative=True)],
    "我喜欢乌龙茶。": [likes("乌龙茶"), likes("乌龙茶"), likes("茶")],
    "If only I liked kale.": [likes("kale")],
    "Somebody likes figs.": [likes("figs")],
}


@pytest.fixture
def path(tmp_path: Path) -> str:
    file = tmp_path / "l.jsonl"
    file.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in LINES), "utf-8")
    return str(file)


def three(counts: dict[str, Any]) -> tuple[int, int, int]:
    return counts["right"], counts["wrong"], counts["missed"]


def test_all_candidates_are_counted_and_those_admitted_unasked(path: str) -> None:
    report = evaluate_extraction(path, Fixed(SAID))

    assert three(report["overall"]["all"]) == (4, 3, 1)
    assert three(report["overall"]["admitted"]) == (2, 2, 3)
    assert three(report["by_language"]["zh"]["all"]) == (1, 1, 0)
    assert report["by_language_and_predicate"]["en"]["likes"]["all"]["recall"] == 0.75
    assert report["cost"]["tokens"] == 30


def test_a_trap_that_admission_sees_through_is_no_false_admission(path: str) -> None:
    traps = evaluate_extraction(path, Fixed(SAID))["traps"]

    assert (traps["sentences"], traps["proposed"], traps["admitted"]) == (2, 2, 1)
    assert traps["by_kind"]["wish"] == {"sentences": 1, "proposed": 1, "admitted": 0}
    assert traps["false_admissions"] == 0.5


def test_how_sure_it_must_be_changes_what_is_admitted(path: str) -> None:
    lower = evaluate_extraction(path, Fixed(SAID), min_confidence=0.4)
    higher = evaluate_extraction(path, Fixed(SAID), min_confidence=0.95)

    assert three(lower["overall"]["admitted"]) == (3, 2, 2)
    assert three(higher["overall"]["admitted"]) == (0, 0, 5)
    assert higher["overall"]["admitted"]["precision"] is None


def test_each_sentence_is_read_by_itself(path: str) -> None:
    reader = Fixed({})
    evaluate_extraction(path, reader)
    assert reader.read == [[one["text"]] for one in LINES]


def test_a_language_and_a_number_narrow_it(path: str) -> None:
    assert evaluate_extraction(path, Fixed(SAID), language="zh")["sentences"] == 1
    assert evaluate_extraction(path, Fixed(SAID), limit=2)["sentences"] == 2
    with pytest.raises(InvalidInputError, match="in that language"):
        evaluate_extraction(path, Fixed(SAID), language="fr")


def test_what_was_wrong_is_listed_with_what_was_wanted_and_what_came(path: str) -> None:
    found = {
        one["id"]: one for one in evaluate_extraction(path, Fixed(SAID), with_wrong=True)["wrong"]
    }

    assert list(found) == ["c", "d", "e", "f"]
    assert found["f"]["missed"] == [{"predicate": "likes", "object": "plums"}]
    assert [one["object"] for one in found["c"]["wrong"]] == ["茶"]
    assert [one["object"] for one in found["c"]["got"]] == ["乌龙茶", "乌龙茶", "茶"]
    assert (found["d"]["wrong"][0]["decision"], found["d"]["wrong"][0]["reason"]) == (
        "reject", "hypothetical",
    )  # fmt: skip
