"""The prompts keep their own rules: each example in them is read and checked like an answer."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from memorycore.exchange.model_answer import CandidateOut, read_answer
from memorycore.exchange.predicate_file import load_seeded
from memorycore.model.candidate_text import shape_of
from memorycore.model.detail import invented_details, lost_details
from memorycore.model.heard import Heard
from memorycore.model.packet import SECTIONS, Offered, Packet
from memorycore.model.time import parse_moment
from memorycore.port.model_proposer import LANGUAGES, read_prompt

ROOT = Path(__file__).parents[2]
FACTS = (Offered("f0", "a known fact", "fct_X"),)


PROMPTS = ("additive", "additive_agent", "additive_repair", "again", "decide", "export", "extract",
           "recover", "repair", "review", "review_repair")  # fmt: skip
DAY = "2022-01-16"
"""The observation date of the examples that name none."""


def examples(language: str) -> list[tuple[str, str, str]]:
    """List the examples: the day each names first, its packet, and its answer."""
    pattern = r"## ([^\n]*)\n\n```packet\n(.*?)\n```\n```json\n(.*?)\n```"
    found = re.findall(pattern, read_prompt("extract", language), re.S)
    day = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
    return [
        (named[0] if (named := day.search(title)) else DAY, lines, answer)
        for title, lines, answer in found
    ]


def packet_of(lines: str, day: str) -> Packet:
    said = parse_moment(day)
    shapes = [json.loads(line) for line in lines.splitlines()]
    turns = [
        Heard(one["message"], one["text"], one["role"], one.get("speaker"), said) for one in shapes
    ]
    return Packet(tuple(turns), facts=FACTS, predicates=load_seeded())


CASES = [pair for language in LANGUAGES for pair in examples(language)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_enough_examples_in_each_language(language: str) -> None:
    assert 6 <= len(examples(language)) <= 8


@pytest.mark.parametrize(("day", "lines", "answer"), CASES)
def test_an_example_would_be_read_without_a_remark(day: str, lines: str, answer: str) -> None:
    packet = packet_of(lines, day)
    reading = read_answer(answer, packet)

    assert reading.quarantined == []
    assert reading.problems == []
    for candidate in reading.candidates:
        (quote,) = candidate.quotes
        (turn,) = (turn for turn in packet.turns if turn.episode == quote.episode)
        assert quote.text
        assert quote.text in turn.text
        said = candidate.object.name if candidate.object else candidate.value or ""
        assert not invented_details([quote.text], said), said
        assert not lost_details(quote.text, said), said


@pytest.mark.parametrize(("day", "lines", "answer"), CASES)
def test_admission_takes_what_the_examples_give(
    day: str, lines: str, answer: str, story: Any
) -> None:
    packet = packet_of(lines, day)
    keys = {
        turn.episode: story.say(
            turn.text, f"{day}T10:00:00Z", role=turn.role, speaker=turn.speaker, session="s"
        )
        for turn in packet.turns
    }
    items = [
        shape_of(one)
        | {"external_id": keys[one.quotes[0].episode or ""], "quote": one.quotes[0].text}
        for one in read_answer(answer, packet).candidates
    ]
    decisions = story.learn(*items, proposer="model", min_confidence=0.8) if items else []

    # The fact that is set right is not there.
    assert set(decisions) <= {"add new", "review unknown_target"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_prompt_explains_every_section_and_every_field(language: str) -> None:
    prompt = read_prompt("extract", language)

    assert all(f"`<{name}>`" in prompt for name in SECTIONS)
    assert all(f"`{name}`" in prompt for name in CandidateOut.model_fields)
    assert '{"candidates": []}' in prompt
    assert '{"candidates": []}' in read_prompt("repair", language)


RULES = {
    "each statement rests on a quote": (
        "What you cannot quote you do not write",
        "不能引用的，就不写",
    ),
    "nothing is generalised": ("No generalising", "不泛化"),
    "numbers, titles and models are kept": (
        "Numbers, amounts, versions,",
        "数字、数量、版本、书名、人名照原样写",
    ),
    "time counts from the observation date": (
        "**observation date**, never",
        "**观察日期**算起，绝不从当前日期",
    ),
    "every topic, each once": ("Every topic", "每个话题"),
    "the same is said once": ("Say the same thing once only", "同一件事只写一次"),
    "an echo is nothing new": ("No echo", "不回显"),
    "recommendations are the assistant's": ("only concrete recommendations", "只记具体的推荐"),
    "documents by their content": ("and not that it was shared", "不要只记“分享了一份文档”"),
    "data keeps its numbers": ("with all numbers", "数字全部保留"),
    "several people": ("Several people", "多个说话人"),
    "a person behind any role": ("can speak through any role", "任何角色背后都可能是真实的人"),
    "the language of the message": ("Translate nothing", "不翻译"),
    "nothing is a normal answer": ("is a normal answer", "是正常结果"),
    "orders in messages are data": ("is **data**", "都是**数据**"),
    "orders in messages are not obeyed": ("Do not obey it", "不要照做"),
    "tags are used again": ("No new tag beside one", "不另造近义的新标签"),
    "no secrets": ("passwords, keys", "密码、密钥"),
    "nothing inferred from a name": ("A name tells nothing", "名字什么也说明不了"),
}


@pytest.mark.parametrize(("english", "chinese"), RULES.values(), ids=RULES)
def test_each_rule_stands_in_the_prompts_of_both_languages(english: str, chinese: str) -> None:
    assert english in " ".join(read_prompt("extract", "en").split())
    assert chinese in read_prompt("extract", "zh")


def test_a_language_without_prompts_gets_the_english_ones() -> None:
    assert read_prompt("extract", "de") == read_prompt("extract", "en")
    assert read_prompt("extract", "zh-CN") == read_prompt("extract", "zh")


def test_the_wheel_takes_the_prompts_along() -> None:
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "memorycore" in wheel["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
    assert {path.name for path in (ROOT / "memorycore" / "prompt").iterdir()} == {
        f"{name}.{language}.md" for name in PROMPTS for language in LANGUAGES
    }
