"""Tests of details that a claim lost or made up, and of the numbers of a text."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorycore.model.detail import invented_details, lost_details, numbers_in

LOST = [
    ("我用 Python 3.12", "Python", ("3.12",)),
    ("37 snapshots", "snapshots", ("37",)),
    ("我有37个快照", "快照", ("37",)),
    ("三只猫", "猫", ("三",)),
    ("我家有兩隻貓", "猫", ("两",)),
    ("I have two cats", "cats", ("two",)),
    ("I live in Porto Alegre", "Porto", ("alegre",)),
    ("我喜欢 Python 编程", "编程", ("python",)),
    ("我有一部小米14", "小米", ("14",)),
    ("I bought an iPhone 15 Pro", "iPhone", ("15", "pro")),
    ("I bought an iPhone 15 Pro 😀", "an iPhone 15", ("pro",)),
    ("GPT-4 is good", "GPT", ("4",)),
    ("Ｐｙｔｈｏｎ ３.１２", "python", ("3.12",)),
    ("I take vitamin B12", "vitamin", ("b12",)),
    ("we drink Café Noir coffee", "coffee", ("cafe", "noir")),
    ("we drink Cafe\u0301 Noir coffee", "coffee", ("cafe", "noir")),
]
KEPT = [
    ("I drive a Model 3", "a car"),
    ("I live at 14 Harrow Lane in Leeds", "Leeds"),
    ("I play tennis 3 times a week", "tennis"),
    ("I moved to Porto 2 years ago", "Porto"),
    ("In 2019 Porto was fun", "Porto"),
    ("我用 Python 写代码", "写代码"),
    ("我2019年搬到北京", "北京"),
    ("我去北京3次了", "北京"),
    ("我每天喝2杯咖啡", "咖啡"),
    ("我统一北京", "北京"),
    ("I bought an iPhone 15 Pro", "iPhone 15 Pro"),
    ("I have two cats", "2 cats"),
    ("37 个快照", "三十七个快照"),
    ("Dana's cat", "cat"),
    ("On Monday Porto shone", "Porto"),
    ("", "Porto"),
    ("Porto", ""),
]
INVENTED = [
    (["37"], "38", ("38",)),
    (["我用 Python"], "Python 3", ("3",)),
    (["I drive a Model 3"], "a car", ("car",)),
    (["我住在北京"], "Berlin", ("berlin",)),
    (["我住在北京", "I like tea"], "coffee with tea in 2019", ("2019", "coffee")),
    (["3.10"], "3.1", ("3.1",)),
    (["137"], "37", ("37",)),
]
HELD = [
    (["三十七个"], "37"),
    (["两只猫"], "2 只猫"),
    (["two cats"], "2 cats"),
    (["2 cats"], "two cats"),
    (["twelve"], "12"),
    (["Dana's cat"], "the cat of Dana"),
    (["我住在北京"], "北京"),
    (["我住在臺北"], "台北"),
    (["I like cities"], "a city"),
    (["running"], "runs"),
    (["GPT-4"], "gpt 4"),
    (["VSCode"], "VS Code"),
    (["VS Code"], "VSCode"),
    (["1,000 m"], "1000 m"),
    (["３７"], "37"),
    (["三万"], "3万"),
    (["café"], "cafe\u0301"),
    (["一百二十"], "120"),
    (["二〇二四"], "2024"),
    (["3.0"], "3"),
    ([], "茶 😀"),
]
NUMBERS = [
    ("37 snapshots", {"37"}),
    ("三十七个快照", {"37"}),
    ("thirty, two and twelve", {"2", "12"}),
    ("1,000 and 3.0 and 3.10", {"1000", "3", "3.10"}),
    ("1.5万 3万", {"15000", "30000"}),
    ("v2 at 8am", {"2", "8"}),
    ("五只猫", {"5"}),
    ("一起 统一 星期五 万一 一个 one", set()),
    ("十分喜欢四川", set()),
    ("gift", set()),
    ("007", {"7"}),
    ("两千零二十四", {"2024"}),
    ("一亿三千万", {"130000000"}),
]


@pytest.mark.parametrize(("quote", "object_text", "lost"), LOST)
def test_a_detail_beside_shared_words_is_lost(
    quote: str, object_text: str, lost: tuple[str, ...]
) -> None:
    assert lost_details(quote, object_text) == lost


@pytest.mark.parametrize(("quote", "object_text"), KEPT)
def test_what_stands_elsewhere_is_not_lost(quote: str, object_text: str) -> None:
    assert lost_details(quote, object_text) == ()


@pytest.mark.parametrize(("quotes", "object_text", "invented"), INVENTED)
def test_a_number_or_word_of_no_quote_is_invented(
    quotes: list[str], object_text: str, invented: tuple[str, ...]
) -> None:
    assert invented_details(quotes, object_text) == invented


@pytest.mark.parametrize(("quotes", "object_text"), HELD)
def test_another_way_to_write_it_is_not_invented(quotes: list[str], object_text: str) -> None:
    assert invented_details(quotes, object_text) == ()


@pytest.mark.parametrize(("text", "numbers"), NUMBERS)
def test_the_numbers_of_a_text_have_one_form(text: str, numbers: set[str]) -> None:
    assert numbers_in(text) == numbers


_TEXTS = st.one_of(
    st.text(max_size=40),
    st.sampled_from([row[0] for row in LOST] + [row[0] for row in KEPT]),
    st.text(alphabet="0123.,万亿十百两三 aé'’\u0301Ⅻ½②\ud800", max_size=30),
)


@settings(max_examples=300, deadline=None)
@given(_TEXTS, _TEXTS)
def test_no_text_raises_and_a_copy_invents_nothing(one: str, other: str) -> None:
    lost_details(one, other)
    invented_details([one], other)
    assert lost_details(one, one) == ()
    assert invented_details([other, one], one) == ()
    assert numbers_in(one) <= numbers_in(one + "\n" + other)


@pytest.mark.parametrize(
    "unit",
    ["a", " ", "Python 3 ", "1", "1.", "1,", "1,000 ", "三", "三只", "北京5", "A-", "a b ", "é",
     "😀", "\ud800"],
)  # fmt: skip
def test_a_text_ten_times_as_long_takes_no_hundred_times_as_long(unit: str) -> None:
    spent = []
    for size in (2_000, 20_000):
        text = unit * (size // len(unit))
        # The best of some: what else the machine does only ever adds to it.
        spent.append(min(_cpu_time(text) for _ in range(4)))
    assert spent[1] < 40 * max(spent[0], 1e-3)


def _cpu_time(text: str) -> float:
    started = time.process_time()
    lost_details(text, "Python 北京 1 a")
    invented_details([text], "a 1")
    invented_details(["b"], text)
    return time.process_time() - started
