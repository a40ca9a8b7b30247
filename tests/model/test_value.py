"""Tests of the one written form of values that mean the same."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorycore.model.value import canonical_value

SAME = [
    ("1,000", "1000"),
    ("1,234,567", "1234567"),
    ("3.0", "3"),
    ("３．０", "3"),
    ("１２", "12"),
    ("2024年9月5日", "2024-09-05"),
    ("2024 年 09 月 05 号", "2024-09-05"),
    ("2024/9/5", "2024-09-05"),
    ("2024.9.5", "2024-09-05"),
    ("2024-09-05", "2024-09-05"),
    ("Sept 5, 2024", "2024-09-05"),
    ("5th of September 2024", "2024-09-05"),
    ("2024年9月", "2024-09"),
    ("70 公斤", "70kg"),
    ("70 Kg", "70kg"),
    ("70千克", "70kg"),
    ("5 kilometres", "5km"),
    ("10 公里跑", "10km跑"),
    ("3 小時", "3h"),
    ("7 percent", "7%"),
    (" “Porto”. ", "porto"),
    ("(Porto)", "porto"),
    ("《三體》", "三体"),
    ("臺北", "台北"),
    ("Cafe\u0301", "café"),
    ("Porto   and\n Leeds", "porto and leeds"),
]
OWN = [
    ("C++", "c++"),
    ("C#", "c#"),
    (".NET", ".net"),
    ("-5", "-5"),
    ("3.10", "3.10"),
    ("3.0.1", "3.0.1"),
    ("192.168.1.1", "192.168.1.1"),
    ("2024-13-40", "2024-13-40"),
    ("5米饭", "5米饭"),
    ("3杯", "3杯"),
    ("Porto (PT)", "porto (pt)"),
    ("😀", "😀"),
    ("...", "..."),
    ("—", "—"),
    ("", ""),
]


@pytest.mark.parametrize(("text", "value"), SAME)
def test_another_way_to_write_it_is_the_same_value(text: str, value: str) -> None:
    assert canonical_value(text) == value
    assert canonical_value(f"「{text}」。") == value


@pytest.mark.parametrize(("text", "value"), OWN)
def test_what_means_something_is_kept(text: str, value: str) -> None:
    assert canonical_value(text) == value


@pytest.mark.parametrize(
    ("one", "other"), [("3.1", "3.10"), ("70 kg", "70 lb"), ("7", "-7"), ("c", "c++"), ("5", "五")]
)
def test_different_values_stay_apart(one: str, other: str) -> None:
    assert canonical_value(one) != canonical_value(other)


_TEXTS = st.one_of(
    st.text(max_size=40),
    st.lists(st.sampled_from([row[0] for row in SAME + OWN] + ["(", ")", " .", "年"]), max_size=5)
    .map("".join),
    st.text(alphabet="0123456789.,-/年月日 kgm升小时米%()\u0301\ud800", max_size=24),
)  # fmt: skip


@settings(max_examples=500, deadline=None)
@given(_TEXTS)
def test_the_value_of_a_value_is_itself_and_never_empty_for_a_word(text: str) -> None:
    value = canonical_value(text)
    assert canonical_value(value) == value
    if any(char.isalnum() or char == "😀" for char in text):
        assert value


@pytest.mark.parametrize(
    "unit", ["a", " ", "(", ")", "1", "1.", "1,000", "1 kg ", "1,", "2024年", "é"]
)
def test_a_text_ten_times_as_long_takes_no_hundred_times_as_long(unit: str) -> None:
    spent = []
    for size in (2_000, 20_000):
        text = unit * (size // len(unit))
        started = time.process_time()
        for _ in range(3):
            canonical_value(text)
        spent.append(time.process_time() - started)
    assert spent[1] < 40 * max(spent[0], 2e-3)
