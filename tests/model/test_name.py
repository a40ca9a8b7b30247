"""Tests of names: what may be one, and where one stands in a sentence."""

import pytest

from memorycore.errors import InvalidInputError
from memorycore.model.name import (
    MAX_VALUE_LENGTH,
    bare,
    is_kind,
    name_fault,
    require_text,
    stands_in,
    value_fault,
)
from memorycore.model.value import canonical_value, is_date, is_number


@pytest.mark.parametrize(
    "name", ["Ana", "林拾", "👨\u200d👩\u200d👧", "می\u200cخواهم", "a\u3000b", "…", "x" * 500]
)
def test_what_can_be_seen_is_a_name(name: str) -> None:
    assert name_fault(name) is None


@pytest.mark.parametrize(
    "name",
    ["", " \u3000", "\u200b", "\ufeff\u2060", "\ufe0f", "a\n", "\x7f", "\udc00", 5, "x" * 501],
)
def test_what_cannot_be_seen_or_written_is_none(name: object) -> None:
    assert name_fault(name) is not None


def test_a_value_may_have_lines() -> None:
    assert value_fault("one\n\ttwo\r\n") is None
    assert value_fault("one\x1b") is not None
    assert value_fault("x" * MAX_VALUE_LENGTH) is None
    assert value_fault("x" * (MAX_VALUE_LENGTH + 1)) is not None


def test_a_kind_is_letters_digits_and_two_marks() -> None:
    assert all(map(is_kind, ["work", "side_work", "role-model", "作品", "2"]))
    assert not any(map(is_kind, ["", "a b", "a.b", "x" * 65, "\u3164", 5]))


def test_a_text_can_be_written() -> None:
    assert require_text("沙丘", "it") == "沙丘"
    with pytest.raises(InvalidInputError, match="half a character"):
        require_text("a\ud800", "it")


@pytest.mark.parametrize(
    ("name", "text", "stands"),
    [
        ("Poe", "a poem", False), ("Poe", "by 《POE》.", True), ("沙丘", "我喜欢沙丘吗", True),
        ("", "x", False), ("ＤＵＮＥ", "dune", True), ("Dune", "dunes and Dune", True),
    ],
)  # fmt: skip
def test_a_name_stands_as_a_word(name: str, text: str, stands: bool) -> None:
    assert stands_in(bare(name), bare(text)) is stands


@pytest.mark.parametrize(
    "text", ["0", "-0", "1,250.5", "３", "-3.5", ".5", "1 250".replace(" ", "")]
)
def test_a_number_is_written_in_digits(text: str) -> None:
    assert is_number(text)


@pytest.mark.parametrize("text", ["²", "١", "1,5", "1.2.3", "1e5", "inf", "-", "", "①"])
def test_what_else_looks_like_a_number_is_none(text: str) -> None:
    assert not is_number(text)


def test_minus_zero_is_zero() -> None:
    assert canonical_value("-0") == canonical_value("-0.0") == canonical_value("0") == "0"


@pytest.mark.parametrize("text", ["2024", "2024-02", "2024-2-29", "1990年5月", "May 3, 2020"])
def test_a_date_is_in_the_calendar(text: str) -> None:
    assert is_date(text)


@pytest.mark.parametrize(
    "text", ["2024-02-30", "2023-02-29", "2024-13", "0000", "24", "spring", "²024", "2024-00"]
)
def test_what_is_not_in_the_calendar_is_no_date(text: str) -> None:
    assert not is_date(text)
