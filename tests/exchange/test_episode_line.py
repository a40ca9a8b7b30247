"""Tests of our own episode format."""

import json
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorycore.errors import InvalidInputError, InvalidScopeError
from memorycore.exchange.episode_line import (
    MAX_META_DEPTH,
    read_episode,
    read_items,
    read_role,
    read_time,
    write_meta,
)
from memorycore.model.draft import ROLE_ALIASES, Draft, Rejection
from memorycore.model.episode import ROLES
from memorycore.model.time import parse_moment

FULL = {
    "text": "我在学大提琴 🎻",
    "role": "assistant",
    "speaker": "小明",
    "at": "2024-09-15T08:30:00+08:00",
    "session": "s1",
    "scope": "user:ana",
    "source": "notes",
    "external_id": "m-1",
    "meta": {"topic": "音乐", "n": [1, 2.5, None, True]},
}


def read(record: Any, *, source: str | None = None) -> Draft:
    return read_episode(record, time_zone="Asia/Shanghai", place="f line 1", source=source)


def test_a_full_record_is_read_field_by_field() -> None:
    assert read(FULL) == Draft(
        text="我在学大提琴 🎻",
        role="assistant",
        scope="user:ana",
        session="s1",
        speaker="小明",
        occurred=parse_moment("2024-09-15T08:30:00+08:00"),
        source="notes",
        external_id="m-1",
        meta='{"topic":"音乐","n":[1,2.5,null,true]}',
        place="f line 1",
    )


def test_only_the_text_is_needed() -> None:
    assert read({"text": "hi"}, source="f") == Draft("hi", source="f", place="f line 1")


def test_a_null_is_the_same_as_an_absent_field() -> None:
    optional = ("speaker", "at", "session", "scope", "source", "external_id", "meta")

    assert read({"text": "hi"} | dict.fromkeys(optional)) == read({"text": "hi"})


def test_a_time_without_an_offset_is_in_the_given_zone() -> None:
    occurred = read({"text": "a", "at": "2024-09"}).occurred

    assert occurred == parse_moment("2024-09", zone="Asia/Shanghai")


@given(text=st.text())
def test_the_text_is_kept_verbatim(text: str) -> None:
    assert read({"text": text}).text == text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"text": 1}, "text: "),
        ({"text": None}, "text: "),
        ({"text": ["MARK"]}, "text: "),
        ({"text": b"MARK"}, "text: "),
        ({"role": 1}, "role: "),
        ({"role": None}, "role: "),
        ({"role": "MARK"}, "unknown role; known ones are user, assistant"),
        ({"role": ""}, "unknown role"),
        ({"role": "用户"}, "unknown role"),
        ({"at": 1726358400}, "at: "),
        ({"at": "MARK"}, "at is no ISO 8601 time"),
        ({"at": "昨天"}, "at is no ISO 8601 time"),
        ({"at": ""}, "at is no ISO 8601 time"),
        ({"at": "2024-02-30"}, "at is no ISO 8601 time"),
        ({"session": 5}, "session: "),
        ({"speaker": {"name": "MARK"}}, "speaker: "),
        ({"meta": ["MARK"]}, "meta must be"),
        ({"meta": "MARK"}, "meta must be"),
        ({"meta": {"MARK": math.nan}}, "meta holds something that is not JSON"),
        ({"meta": {"MARK": {1, 2}}}, "meta holds something that is not JSON"),
        ({"meta": {"a": "MARK\ud83d"}}, "meta holds something that is not JSON"),
        ({"tekst": "MARK"}, "unknown field tekst; known ones are text, role"),
        ({"limit": 10}, "unknown field limit"),
    ],
)
def test_a_wrong_field_is_named_and_its_value_is_not(change: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        read({"text": "MARK"} | change)

    assert caught.value.message.startswith(said)
    assert "MARK" not in caught.value.message


@pytest.mark.parametrize("record", [None, 1, "MARK", ["MARK"], {}, {"role": "user"}])
def test_what_is_no_record_is_refused(record: Any) -> None:
    with pytest.raises(InvalidInputError) as caught:
        read(record)

    assert "MARK" not in caught.value.message


@pytest.mark.parametrize("scope", ["", "  ", "a\nMARK", "MARK" * 100])
def test_a_wrong_scope_is_refused(scope: str) -> None:
    with pytest.raises(InvalidScopeError) as caught:
        read({"text": "a", "scope": scope})

    assert "MARK" not in caught.value.message


def test_metadata_that_holds_itself_is_refused() -> None:
    meta: dict[str, Any] = {}
    meta["again"] = meta

    with pytest.raises(InvalidInputError):
        write_meta(meta)


def _nested(wrap: Callable[[Any], Any], depth: int) -> dict[str, Any]:
    value: Any = 1
    for _ in range(depth - 1):
        value = wrap(value)
    return {"a": value}


@pytest.mark.parametrize(
    "wrap",
    [
        lambda value: {"a": value},
        lambda value: [value],
        pytest.param(lambda value: (value,)),
    ],
    ids=["objects", "lists", "tuples"],
)
def test_metadata_is_nested_only_so_deep(wrap: Callable[[Any], Any]) -> None:
    assert write_meta(_nested(wrap, MAX_META_DEPTH))
    with pytest.raises(InvalidInputError, match="nested deeper"):
        write_meta(_nested(wrap, MAX_META_DEPTH + 1))


@pytest.mark.parametrize("meta", [None, {}])
def test_no_metadata_is_none(meta: dict[str, Any] | None) -> None:
    assert write_meta(meta) is None


SCALARS = st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8"))


@given(meta=st.dictionaries(st.text(st.characters(codec="utf-8")), SCALARS, min_size=1))
def test_metadata_survives_being_written(meta: dict[str, Any]) -> None:
    text = write_meta(meta)

    assert text is not None
    assert json.loads(text) == meta


@pytest.mark.parametrize(
    ("text", "role"),
    [(role, role) for role in ROLES]
    + sorted(ROLE_ALIASES.items())
    + [(" Human ", "user"), ("ASSISTANT", "assistant"), ("GPT", "assistant"), ("\tTool\n", "tool")],
)
def test_a_role_is_known_by_its_names(text: str, role: str) -> None:
    assert read_role(text) == role


def test_an_unknown_time_stays_unknown() -> None:
    assert read_time(None, time_zone="UTC") is None


def test_items_of_a_program_are_read_and_bad_ones_are_named() -> None:
    draft = Draft("kept as it is")

    records = list(read_items([{"text": "a"}, {"text": 5}, draft, {}, FULL], time_zone="UTC"))

    assert [type(record) for record in records] == [Draft, Rejection, Draft, Rejection, Draft]
    assert records[2] is draft
    assert [record.place for record in records if isinstance(record, Rejection)] == [
        "item 2", "item 4",
    ]  # fmt: skip


def test_items_are_read_one_by_one() -> None:
    def endless() -> Any:
        while True:
            yield {"text": "again"}

    assert next(read_items(endless(), time_zone="UTC")) == Draft("again", place="item 1")
