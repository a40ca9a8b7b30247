"""Tests of what a wording says: ranks, the usual confidence, and the concept in a tag."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorycore.model.wording import (
    LIKED,
    PLAIN,
    canonical_tag,
    confidence_band,
    said_ranks,
    starts_with_context,
    strip_context,
)


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("最喜欢的小说是《雾港来信》", 1),
        ("最喜歡的小說是《霧港來信》", 1),
        ("我最爱《雾港来信》", 1),
        ("最愛的還是它", 1),
        ("最喜爱的书", 1),
        ("第一喜欢的作家是林拾", 1),
        ("心里的 No.1 是它", 1),
        ("我的Ｎｏ．１", 1),
        ("第二喜欢的是《纸灯》", 2),
        ("第二爱的是《紙燈》", 2),
        ("第二愛", 2),
        ("第2喜欢", 2),
        ("第三喜欢", 3),
        ("第十二喜欢", 12),
        ("第二十一喜欢", 21),
        ("第二个最喜欢的", 2),
        ("My favourite novel is The Salt Map", 1),
        ("my FAVORITE novel", 1),
        ("my second favourite novel", 2),
        ("her third-favorite", 3),
        ("my 4th favourite", 4),
    ],
)
def test_an_ordering_says_its_rank(text: str, rank: int) -> None:
    assert said_ranks(text) == {rank}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "很喜欢林拾",
        "也很喜欢，挺喜欢的",
        "喜欢的作家之一",
        "最近喜欢看小说",
        "最不喜欢的书",
        "最可爱的猫",
        "第一次喜欢上诗",
        "第一个喜欢的作家",
        "聊到第三章",
        "第二爱好是摄影",
        "No.10 号",
        "no. 1.5",
        "piano1",
        "我不是最喜欢它",
        "谈不上最喜欢",
        "很喜欢《最爱》这部电影",
        "I like it, a favourite of mine",
        "my favourites are many",
        "my least favourite novel",
        "it isn't my favourite",
        "no longer my favorite",
        "the second chapter",
    ],
)
def test_other_words_say_no_rank(text: str) -> None:
    assert said_ranks(text) == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "最喜欢的作家之一",
        "林拾是我最喜歡的作家之一",
        "最爱的三本书其中一本是《纸灯》",
        "One of my favourite novels",
        "one of my all-time, absolute favourite novels",
        "among her favorite writers",
    ],
)
def test_one_of_cancels_an_ordering(text: str) -> None:
    assert said_ranks(text) == frozenset()


def test_one_of_cancels_only_the_ordering_of_its_own_clause() -> None:
    assert said_ranks("最喜欢的书是《雾港来信》，林拾是喜欢的作家之一") == {1}
    assert said_ranks("One of my friends reads. My favourite is The Salt Map.") == {1}


def test_a_text_may_say_several_ranks() -> None:
    assert said_ranks("最喜欢《雾港来信》，第二喜欢《纸灯》") == {1, 2}


@pytest.mark.parametrize(
    ("text", "owner"),
    [
        ("最喜欢林拾的作品是《雾港来信》", "林拾"),
        ("最喜欢林拾《雾港来信》", "林拾"),
        ("最喜歡《霧港來信》的第三章", "雾港来信"),
        ("My favourite Ann Lee novel is The Salt Map", "Ann Lee"),
        ("my favourite Ann Lee's novel", "Ann Lee"),
    ],
)
def test_the_ordering_of_a_thing_is_not_its_owners(text: str, owner: str) -> None:
    assert said_ranks(text, owners=[owner]) == frozenset()
    assert said_ranks(text, owners=["另一个人"]) == {1}


@pytest.mark.parametrize(
    "text", ["最喜欢林拾", "最喜欢的作家是林拾", "最喜欢林拾的原因很多", "my favourite is 林拾"]
)
def test_the_ordering_of_an_owner_is_its_own(text: str) -> None:
    assert said_ranks(text, owners=["林拾"]) == {1}


@pytest.mark.parametrize(
    ("text", "band"),
    [
        ("最喜欢的小说是《雾港来信》", PLAIN),
        ("my second favourite", PLAIN),
        ("最喜欢的小说之一", LIKED),
        ("也很喜欢", LIKED),
        ("挺喜歡", LIKED),
        ("one of my favourites", LIKED),
        ("I like tea", LIKED),
        ("looks like tea", None),
        ("聊到了茶", None),
        ("", None),
    ],
)
def test_a_wording_has_its_usual_confidence(text: str, band: tuple[float, float] | None) -> None:
    assert confidence_band(text) == band


@pytest.mark.parametrize(
    ("tag", "bare"),
    [
        ("读起来拖沓", "拖沓"),
        ("讀起來拖沓", "拖沓"),
        ("看起來不夠有趣", "不夠有趣"),
        ("覺得冗长", "冗长"),
        ("自認為冗长", "冗长"),
        ("在写作中犹豫", "犹豫"),
        ("寫起來吃力", "吃力"),
        ("写作不够诚实", "不够诚实"),
        ("可能太长", "太长"),
        ("有點冗长", "冗长"),
        ("比較冗长", "冗长"),
        ("写作 看起来 有点冗长", "冗长"),
        ("觉得比较文学枯燥", "比较文学枯燥"),
    ],
)
def test_context_is_stripped_from_a_tag_again_and_again(tag: str, bare: str) -> None:
    assert strip_context(tag) == bare
    assert starts_with_context(tag)


@pytest.mark.parametrize(
    "tag",
    [
        "比较文学",
        "比較文學",
        "可能性",
        "写作技巧",
        "写作",
        "寫作",
        "写作课",
        "拖沓",
        "文学比较",
        "",
    ],
)
def test_real_concepts_stay_whole(tag: str) -> None:
    assert strip_context(tag) == tag
    assert not starts_with_context(tag)


@pytest.mark.parametrize("tag", ["觉得", "读起来慢"])
def test_context_that_begins_no_concept_is_told_even_where_it_is_not_stripped(tag: str) -> None:
    assert starts_with_context(tag)
    assert strip_context(tag) == tag


def test_a_canonical_tag_has_no_quotation_marks_and_single_spaces() -> None:
    assert canonical_tag(" 《读起来》“slow   burn” ") == "slow burn"


@given(text=st.text("最第一二喜欢爱的之一。，. 《》no1favourite不是写作读起来比较", max_size=60))
def test_any_text_can_be_asked(text: str) -> None:
    assert all(rank >= 0 for rank in said_ranks(text, owners=[text[:3]]))
    assert strip_context(strip_context(text)) == strip_context(text)
    assert canonical_tag(canonical_tag(text)) == canonical_tag(text)


def test_long_texts_are_read_in_no_more_than_a_moment() -> None:
    long = "最喜欢林拾的" * 100_000 + "one of my " * 50_000 + "favourite " * 50_000

    assert said_ranks(long, owners=["林拾"])
