"""Stored answers of a model, played by a server on the loopback address: what the store makes of
each. Every case is told in English and in Chinese. Forgetting has cases of its own.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from memorycore.model.decision import AdmitResult

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

ANSWERS = Path(__file__).parents[2] / "testdata" / "answers"
LANGUAGES = ("en", "zh")
CASES = {
    language: json.loads((ANSWERS / f"cases.{language}.json").read_text("utf-8"))
    for language in LANGUAGES
}
EASY = "I live in Braga."
"""What an endpoint is asked that has not answered anything readable yet."""


@dataclass
class Play:
    """A conversation that is said turn by turn, and a model that answers as was stored."""

    story: Any
    language: str
    serve: Callable[..., str]
    answers: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    url: str = ""

    def __post_init__(self) -> None:
        self.url = self.serve(self._answer)

    def _answer(self, handler: Any, request: dict[str, Any]) -> None:
        said = request["messages"][1]["content"]
        if EASY in said:
            handler.say('{"candidates": []}')
            return
        self.asked.append(said)
        handler.say(self.answers.pop(0))

    def learn(self, **settings: Any) -> AdmitResult:
        """Read what was said since the last time."""
        return self.story.memory.harvest("model", model="m", base_url=self.url, **settings)  # type: ignore[no-any-return]

    def tell(self, case: str, part: int = 0, **settings: Any) -> AdmitResult:
        """Say the turns of a part of a case, and let the model read them."""
        stored = CASES[self.language][case][part]
        self.answers = [json.dumps(one, ensure_ascii=False) for one in stored["answers"]]
        for turn in stored["turns"]:
            fields = {name: turn[name] for name in turn if name not in ("text", "at")}
            self.story.say(turn["text"], turn["at"], **fields)
        result = self.learn(**settings)
        assert self.answers == [], "each stored answer was asked for"
        return result

    def whole(self, case: str) -> list[str]:
        """Tell all parts of a case; give the decisions."""
        parts = len(CASES[self.language][case])
        return [one for part in range(parts) for one in decisions(self.tell(case, part))]

    def said(self, english: Any, chinese: Any) -> Any:
        """Choose what belongs to the language of the case."""
        return english if self.language == "en" else chinese

    def found(self, query: str) -> list[str]:
        """Search, and give the facts that were found."""
        return [hit.fact.text for hit in self.story.memory.search(query).facts]


def decisions(result: AdmitResult) -> list[str]:
    return [f"{one.decision.kind} {one.decision.reason}" for one in result.outcomes]


@pytest.fixture(params=LANGUAGES)
def play(request: Any, story: Any, serve: Callable[..., str]) -> Play:
    """Give a play in each language."""
    return Play(story, request.param, serve)


def test_both_languages_tell_the_same_cases() -> None:
    assert list(CASES["en"]) == list(CASES["zh"])


def test_a_dislike_is_kept_with_its_sentence(play: Play) -> None:
    assert decisions(play.tell("a dislike")) == ["add new"]

    [fact] = play.story.memory.facts()
    assert fact.text == play.said("Nell dislikes 8 am meetings", "小宁 dislikes 早上八点开会")
    assert fact.subject.name == play.said("Nell", "小宁")
    [sentence] = fact.evidence
    assert sentence.quote == play.said("I don't like 8 am meetings", "我不喜欢早上八点开会")
    assert play.found(play.said("meetings", "开会")) == [fact.text]


def test_turns_that_were_read_are_not_asked_about_again(play: Play) -> None:
    play.tell("a dislike")
    asked = len(play.asked)

    assert (play.learn().turns, len(play.asked)) == (0, asked)


def test_the_same_answer_about_the_same_turns_changes_no_fact(play: Play) -> None:
    play.tell("a dislike")
    [before] = play.story.memory.facts()
    [stored] = CASES[play.language]["a dislike"]
    play.answers = [json.dumps(stored["answers"][0])]

    again = play.learn(since="all")

    assert (again.already_there, again.outcomes) == (1, [])
    assert list(play.story.memory.facts()) == [before]


def test_other_words_for_the_same_sentence_are_no_new_evidence(play: Play) -> None:
    play.tell("a dislike")
    [before] = play.story.memory.facts()

    again = play.tell("the same dislike in other words", since="all")

    assert decisions(again) == ["ignore same_evidence"]
    [after] = play.story.memory.facts()
    assert (after.support, after.confidence) == (before.support, before.confidence)


def test_a_place_is_known_by_its_short_and_translated_names(play: Play) -> None:
    place = {"name": "Port Quill", "kind": "place", "aliases": ["PQ", "皮克"]}
    who = play.said("Nell", "小宁")
    play.story.tell("Off to Port Quill!", "lives_in", place, speaker=who, session="s0")

    reading = play.tell("a home by its short name", session="s1")

    assert decisions(reading) == ["reinforce same_statement"]
    places = [one.name for one in play.story.memory.entities() if one.kind == "place"]
    assert places == ["Port Quill"]


def test_a_move_ends_the_earlier_home(play: Play) -> None:
    assert play.whole("a move") == ["add new", "supersede superseded"]

    old, new = play.said(
        ("Nell lives_in Alfa", "Nell lives_in Bravo"),
        ("小宁 lives_in 青石渡", "小宁 lives_in 白鹭洲"),
    )
    assert play.story.now() == [new]
    assert (play.story.fact(old).validity, play.story.fact(new).validity) == (
        "invalidated", "valid",
    )  # fmt: skip
    assert play.story.links("SUPERSEDES") == [(new, old)]
    assert play.story.on("2025-04-28T12:00:00+08:00") == [old]


def test_a_slip_of_the_pen_is_set_right_by_the_number_of_the_fact(play: Play) -> None:
    assert play.whole("a slip of the pen") == ["add new", "correct corrected"]

    right = play.said("Nell lives_in Alba", "小宁 lives_in 青石埠")
    assert play.story.now() == [right]
    assert play.story.on("2025-04-28T12:00:00+08:00") == [right]
    assert len(play.story.links("CORRECTS")) == 1


def test_an_order_to_forget_states_nothing(play: Play) -> None:
    result = play.tell("an order to forget, with nothing to say")

    assert (result.admitted, result.silent, play.story.now()) == (0, 1, [])


def test_an_order_to_forget_takes_nothing_back_by_itself(play: Play) -> None:
    assert play.whole("an order to forget, read as a retraction") == [
        "add new", "review not_spoken_of",
    ]  # fmt: skip
    assert len(play.story.now()) == 1


def test_a_guess_of_the_assistant_is_no_liking(play: Play) -> None:
    assert decisions(play.tell("a guess of the assistant")) == ["reject not_said_by_user"]
    assert play.story.now() == []
    assert play.found(play.said("warm milk", "热牛奶")) == []


def test_what_keeps_somebody_busy_ends_after_three_weeks(play: Play) -> None:
    assert decisions(play.tell("what keeps somebody busy")) == ["add new"]

    [fact] = play.story.memory.facts(as_of="2025-05-01")
    assert (fact.fact_type, fact.period.ended_by) == ("transient_context", "expiry")
    assert play.story.on("2025-05-19T00:59:59Z") == [fact.text]
    assert play.story.on("2025-05-19T01:00:00Z") == []


def test_an_effect_is_linked_to_its_cause(play: Play) -> None:
    assert decisions(play.tell("a cause and its effect")) == ["add new", "add new"]

    effect, cause = play.said(
        ("Nell is_busy_with the migration", "Nell works_at Team Heron"),
        ("小宁 is_busy_with 迁移", "小宁 works_at 苍鹭组"),
    )
    assert play.story.links("CAUSED_BY") == [(effect, cause)]
    assert play.story.on("2025-05-01") == sorted([effect, cause])


def test_a_diagnosis_waits_for_a_person(play: Play) -> None:
    assert decisions(play.tell("a diagnosis")) == ["review sensitive"]
    assert play.story.now() == []

    [waiting] = play.story.memory.reviews()
    play.story.memory.approve(waiting.id)
    [fact] = play.story.memory.facts()
    assert fact.sensitivity == "sensitive"


def test_a_mood_of_the_agent_is_no_fact(play: Play) -> None:
    decided = play.whole("a mood of the agent")

    first = play.said("reject hypothetical", "reject agent_affect")
    assert decided == [first, "reject agent_affect", "reject agent_affect"]
    assert play.story.now() == []


def test_two_likings_of_one_turn_both_stand(play: Play) -> None:
    assert decisions(play.tell("two likings in one turn")) == ["add new", "add coexists"]

    facts = play.story.memory.facts()
    assert [fact.validity for fact in facts] == ["valid", "valid"]
    assert len(play.found(play.said("coffee", "咖啡"))) == 1


def test_an_answer_in_another_form_is_asked_for_again_and_then_waits(play: Play) -> None:
    result = play.tell("a pet in a form of its own")

    assert (len(play.asked), decisions(result)) == (2, ["review tentative"])
    [waiting] = play.story.memory.reviews()
    play.story.memory.approve(waiting.id)
    [fact] = play.story.memory.facts()
    assert (fact.predicate, fact.object.kind) == ("has_pet", "pet")


def test_a_pet_becomes_an_entity(play: Play) -> None:
    assert decisions(play.tell("a pet")) == ["add new"]

    [fact] = play.story.memory.facts()
    assert (fact.object.name, fact.object.kind) == (play.said("Milo", "米洛"), "pet")
    assert len(fact.evidence) == 1


def test_saying_it_again_in_the_session_makes_it_no_surer(play: Play) -> None:
    play.tell("a pet")
    [before] = play.story.memory.facts()

    assert decisions(play.tell("the same pet again in the session")) == ["reinforce same_statement"]

    [after] = play.story.memory.facts()
    assert (after.id, after.confidence) == (before.id, before.confidence)
    assert len([one for one in play.story.memory.entities() if one.kind == "pet"]) == 1


def test_another_name_in_another_session_is_the_same_pet_and_surer(play: Play) -> None:
    first = play.tell("a pet by its other name")
    [before] = play.story.memory.facts()

    second = play.tell("a pet by its other name", 1)

    assert decisions(first) + decisions(second) == ["add new", "reinforce same_statement"]
    [after] = play.story.memory.facts()
    assert after.confidence > before.confidence
    assert len(after.evidence) == 2
    assert len([one for one in play.story.memory.entities() if one.kind == "pet"]) == 1


def test_a_confidence_in_words_stores_nothing(play: Play) -> None:
    result = play.tell("a confidence that is no number, twice")

    assert (result.proposed, result.quarantined, len(play.asked)) == (0, 1, 2)
    assert play.story.now() == []
    assert [one.kind for one in play.story.memory.entities()] == ["person"]
    [line] = play.story.memory.quarantined()
    assert line.code == "schema_ignored"
    assert [one["code"] for one in result.problems] == ["schema_ignored"]


def test_a_confidence_in_words_costs_that_candidate_alone(play: Play) -> None:
    result = play.tell("one that is no number beside one that is")

    assert decisions(result) == ["add new"]
    [line] = play.story.memory.quarantined()
    assert "confidence" in line.reason
    assert [fact.predicate for fact in play.story.memory.facts()] == ["likes"]


def test_turns_whose_answer_is_withheld_are_told_as_unread(play: Play) -> None:
    def withhold(handler: Any, request: dict[str, Any]) -> None:
        is_easy = EASY in request["messages"][1]["content"]
        handler.say('{"candidates": []}', "stop" if is_easy else "content_filter")

    play.story.say(play.said("I live in Alfa.", "我住在青石渡。"), "2025-04-28")
    play.url = play.serve(withhold)

    result = play.learn()

    assert (result.turns, result.silent) == (1, 0)
    assert [(one["code"], one["severity"]) for one in result.problems] == [
        ("content_filter", "reject")
    ]


def test_a_pet_needs_a_name(play: Play) -> None:
    assert decisions(play.tell("a pet without a name")) == ["review object_kind"]
    assert play.story.now() == []
