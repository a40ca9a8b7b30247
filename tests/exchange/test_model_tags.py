"""Tests of the tags that a model gives: the offered ones are used again (E8, E9, W5, T1-T6)."""

import json

import pytest

from memorycore.exchange.model_answer import Reading, read_answer
from memorycore.model.heard import Heard
from memorycore.model.packet import Packet
from memorycore.model.predicate import Predicate

TEXT = "我的文字读起来不够有趣，写得有点拖沓。Too wordy."
PACKET = Packet(
    (Heard("ep_A", TEXT),),
    tags=(("tag:不够有趣", "不够有趣"), ("tag:Too Wordy", "Too Wordy"), ("tag:旁观者", "旁观者")),
    predicates=(
        Predicate("SELF_CRITIQUE", object_kind="entity", object_kinds=("tag", "topic")),
        Predicate("PREFERS_TOPIC", object_kind="entity", object_kinds=("topic", "tag")),
        Predicate("note", object_kind="literal", fact_type="note"),
    ),
)


def read(said: str, kind: str | None = "tag", predicate: str = "SELF_CRITIQUE") -> Reading:
    item = {"predicate": predicate, "object": said, "object_kind": kind, "quote": TEXT,
            "message": "m1"}  # fmt: skip
    return read_answer(json.dumps({"candidates": [item]}), PACKET)


def name(reading: Reading) -> str | None:
    (candidate,) = reading.candidates
    return candidate.object.name if candidate.object else candidate.value


@pytest.mark.parametrize(
    ("said", "taken"),
    [
        ("不够有趣", "不够有趣"),
        ("读起来不够有趣", "不够有趣"),
        ("自认为写起来不够有趣", "不够有趣"),
        ("《不够 有趣》", "不够有趣"),
        ("too wordy", "Too Wordy"),
        ("ＴＯＯ ＷＯＲＤＹ", "Too Wordy"),
        ("TooWordy", "Too Wordy"),
    ],
)
def test_a_tag_that_is_an_offered_one_gets_its_name(said: str, taken: str) -> None:
    reading = read(said)

    assert name(reading) == taken
    assert reading.problems == []


@pytest.mark.parametrize("kind", [None, "tag", "style"])
def test_what_the_predicate_takes_for_a_tag_is_treated_as_one(kind: str | None) -> None:
    assert name(read("读起来不够有趣", kind)) == "不够有趣"


def test_a_topic_and_a_text_stay_as_they_were_said() -> None:
    assert name(read("读起来不够有趣", "topic")) == "读起来不够有趣"
    assert name(read("too wordy", None, "PREFERS_TOPIC")) == "too wordy"
    assert name(read("too wordy", None, "note")) == "too wordy"


@pytest.mark.parametrize("said", ["不够有趣味", "不太够有趣", "too wordie"])
def test_a_new_tag_that_is_much_like_an_offered_one_is_noted(said: str) -> None:
    reading = read(said)

    assert name(reading) == said
    assert [(one.code, one.severity) for one in reading.problems] == [("W5", "warn")]


@pytest.mark.parametrize("said", ["拖沓", "比较文学", "可能性", "写作技巧", "写作"])
def test_another_concept_is_a_new_tag_and_never_cut_down(said: str) -> None:
    reading = read(said)

    assert name(reading) == said
    assert reading.problems == []
