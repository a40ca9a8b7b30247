"""Tests of scope names."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorycore.errors import InvalidScopeError
from memorycore.model.scope import DEFAULT_SCOPE, MAX_SCOPE_LENGTH, parse_scope


@pytest.mark.parametrize(
    "name",
    [
        "user:ana", "global", "default", "project:web app", "用户:小明", "プロジェクト", "사용자",
        "00000000-0000-0000-0000-000000000001", "a/b\\c", "it's \"quoted\"", "😀", "*", "%_",
        "ａｂｃ", "x" * MAX_SCOPE_LENGTH, "中" * MAX_SCOPE_LENGTH,
    ],
)  # fmt: skip
def test_a_printable_name_is_taken_as_it_is(name: str) -> None:
    assert parse_scope(name) == name


@pytest.mark.parametrize("text", [" user:ana ", "\tuser:ana\n", "\u3000user:ana\u3000"])
def test_blanks_around_a_name_are_taken_off(text: str) -> None:
    assert parse_scope(text) == "user:ana"


def test_composed_and_decomposed_names_are_one_scope() -> None:
    assert parse_scope("Cafe\u0301") == parse_scope("Café") == "Café"
    assert parse_scope(unicodedata.normalize("NFD", "사용자")) == "사용자"


def test_the_length_is_counted_in_composed_characters() -> None:
    assert len(parse_scope("e\u0301" * MAX_SCOPE_LENGTH)) == MAX_SCOPE_LENGTH


@pytest.mark.parametrize("text", ["", " ", "\n", "\u3000"])
def test_an_empty_name_is_refused(text: str) -> None:
    with pytest.raises(InvalidScopeError, match="needs a name"):
        parse_scope(text)


@pytest.mark.parametrize(
    "text", ["a\nb", "a\tb", "a\x00b", "a\x7fb", "a\x85b", "\ud83d", "a\udc00"]
)
def test_a_control_character_or_half_a_character_is_refused(text: str) -> None:
    with pytest.raises(InvalidScopeError, match="control character"):
        parse_scope(text)


def test_a_name_that_is_too_long_is_refused_without_being_shown() -> None:
    with pytest.raises(InvalidScopeError) as caught:
        parse_scope("MARK" * MAX_SCOPE_LENGTH)

    assert "MARK" not in caught.value.message
    assert str(MAX_SCOPE_LENGTH) in caught.value.message


@given(text=st.text(max_size=300))
def test_a_name_that_was_taken_is_taken_again_unchanged(text: str) -> None:
    try:
        name = parse_scope(text)
    except InvalidScopeError:
        return
    assert parse_scope(name) == name
    assert 0 < len(name) <= MAX_SCOPE_LENGTH
    assert unicodedata.is_normalized("NFC", name)


def test_the_default_scope_is_a_scope() -> None:
    assert parse_scope(DEFAULT_SCOPE) == DEFAULT_SCOPE
