"""What a model is told around some turns: the nearest tags, by what the text says."""

from memorycore.engine.surround import NEAREST_TAGS, nearest_tags


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
