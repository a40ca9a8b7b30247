"""What a model is told around some turns: the nearest tags, and what was learned just before."""

from typing import Any

from memorycore.engine.surround import NEAREST_TAGS, NEWEST_FACTS, nearest_tags, surround
from memorycore.model.heard import Heard


def test_tags_that_are_named_come_first_then_the_alike_then_the_used() -> None:
    tags = [("完全无关", 9), ("不够有趣", 1), ("毫无关系", 12), ("旁观者视角叙事", 0)]
    chosen = nearest_tags("我觉得自己写得不够有趣，旁观者视角也没写好", tags)

    assert chosen == ["不够有趣", "旁观者视角叙事", "毫无关系", "完全无关"]


def test_a_tag_is_named_in_whatever_writing() -> None:
    tags = [("zzz", 99), ("旁觀者視角", 0), ("TOO WORDY", 0)]

    assert nearest_tags("旁观者视角, and too wordy", tags)[:2] == ["TOO WORDY", "旁觀者視角"]


def test_among_equals_the_one_that_is_used_more_then_the_name() -> None:
    assert nearest_tags("x", [("bb", 1), ("cc", 2), ("aa", 1)]) == ["cc", "aa", "bb"]


def test_at_most_twenty_are_given() -> None:
    assert len(nearest_tags("x", [(f"n{n}", 0) for n in range(99)])) == NEAREST_TAGS == 20


def test_only_the_beginning_of_a_long_text_is_compared() -> None:
    assert nearest_tags("q" * 5000 + "旁观者", [("旁观者角", 0), ("qq", 0)])[0] == "qq"


def recent(story: Any) -> tuple[str, ...]:
    with story.memory._store.read() as db:
        page = [(1, Heard("ep_1", "Hello!"))]
        return surround(db, story.memory.scope, page, now=0, zone="UTC").recent


def test_what_is_hidden_or_stands_no_more_is_not_told_to_a_model(story: Any) -> None:
    story.tell("I like tea.", "likes", "tea")
    story.tell("I like rum.", "likes", "rum")
    story.memory.forget(story.fact("Nell likes rum").id, level="soft")

    assert recent(story) == ("Nell likes tea",)
    assert recent(type(story)(story.memory.scoped("user:other"))) == ()


def test_only_the_newest_facts_are_told(story: Any) -> None:
    for number in range(NEWEST_FACTS + 2):
        story.tell(f"I like drink {number}.", "likes", f"drink {number}")

    assert len(recent(story)) == NEWEST_FACTS
    assert recent(story)[0] == f"Nell likes drink {NEWEST_FACTS + 1}"
