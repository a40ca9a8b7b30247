"""Tests of cursors: they lead on in their own question and in no other."""

import string
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorycore.engine.cursor import Position, read_cursor, write_cursor
from memorycore.errors import InvalidCursorError
from memorycore.model.search import SearchRequest

KEY = bytes(range(32))
REQUEST = SearchRequest("部署方案 😀", ("user:ana", "global"))
AT = Position(42, offset=10, now=1_764_453_600_000_000)
CURSOR = write_cursor(REQUEST, KEY, AT)


def read(cursor: str | None, request: SearchRequest = REQUEST, key: bytes = KEY) -> Position | None:
    return read_cursor(replace(request, cursor=cursor), key)


@given(
    episode=st.integers(0, 2**63 - 1),
    offset=st.integers(0, 2**32 - 1),
    now=st.integers(0, 2**62),
    query=st.text(),
    key=st.binary(min_size=1, max_size=64),
)
def test_a_cursor_written_and_read_is_the_same_position(
    episode: int, offset: int, now: int, query: str, key: bytes
) -> None:
    request = replace(REQUEST, query=query)
    position = Position(episode, offset, now)

    assert read(write_cursor(request, key, position), request, key) == position


def test_a_first_page_has_no_position() -> None:
    assert read(None) is None


def test_a_cursor_can_stand_in_an_address_and_tells_nothing_of_the_question() -> None:
    assert set(CURSOR) <= set(string.hexdigits)
    assert len(CURSOR) == len(write_cursor(replace(REQUEST, query="x" * 9999), KEY, AT))


@given(at=st.integers(0, 23), bit=st.integers(0, 7))
def test_a_cursor_with_any_bit_turned_is_refused(at: int, bit: int) -> None:
    raw = bytearray.fromhex(CURSOR)
    raw[at] ^= 1 << bit

    with pytest.raises(InvalidCursorError):
        read(raw.hex())


@pytest.mark.parametrize(
    "cursor",
    ["", " ", CURSOR[:-1], CURSOR[1:], CURSOR + "A", CURSOR + "AAAA", CURSOR.upper(),
     CURSOR + "!", "!" + CURSOR, "昨天", "😀" * 27, "\ud83d", "\x00", "*" * 27, "A" * 27,
     "A" * 100_000, "' OR 1=1"],
)  # fmt: skip
def test_a_text_that_is_no_cursor_is_refused(cursor: str) -> None:
    with pytest.raises(InvalidCursorError) as caught:
        read(cursor)

    assert "question" in caught.value.message
    assert caught.value.hint is not None


@given(cursor=st.text(max_size=40) | st.binary(max_size=30).map(lambda b: b.hex()))
def test_any_other_text_is_refused(cursor: str) -> None:
    with pytest.raises(InvalidCursorError):
        read(cursor)


@pytest.mark.parametrize(
    "change",
    [
        {"query": "部署方案"},
        {"query": "部署方案 😀 "},
        {"scopes": ("user:ana",)},
        {"scopes": ("global", "user:ana")},
        {"scopes": ("user:bea", "global")},
        {"session": "s1"},
        {"roles": ("user",)},
        {"since": "-3d"},
        {"until": "now"},
    ],
)
def test_a_cursor_of_another_question_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(InvalidCursorError):
        read(CURSOR, replace(REQUEST, **change))


def test_fields_that_run_into_each_other_are_different_questions() -> None:
    one = replace(REQUEST, query="a", scopes=("b', 'c",))
    other = replace(REQUEST, query="a", scopes=("b", "c"))

    with pytest.raises(InvalidCursorError):
        read(write_cursor(one, KEY, AT), other)


@pytest.mark.parametrize("change", [{"limit": 50}, {"explain": True}])
def test_the_size_of_a_page_may_change_from_page_to_page(change: dict[str, Any]) -> None:
    assert read(CURSOR, replace(REQUEST, **change)) == AT


def test_a_cursor_of_another_store_is_refused() -> None:
    with pytest.raises(InvalidCursorError):
        read(CURSOR, key=bytes(32))
