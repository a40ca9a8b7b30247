"""Tests of strict JSON and of errors that show no content."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, ValidationError

from memorycore.errors import InvalidInputError
from memorycore.exchange.reading import MAX_FIELD_SHOWN, describe, parse_json

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=10,
)  # fmt: skip


@given(value=JSON)
def test_json_in_utf_8_is_read_as_it_was_written(value: object) -> None:
    assert parse_json(json.dumps(value, ensure_ascii=False).encode()) == value
    assert parse_json(json.dumps(value)) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b'{"MARK": 1,}', "not JSON"),
        (b"{'MARK': 1}", "not JSON"),
        (b'{"a": MARK}', "not JSON"),
        (b'{"a": 1} {"MARK": 2}', "Extra data at column 10"),
        (b'{about MARK} {"a": 1}', "not JSON"),
        (b'{"MARK": NaN}', "NaN is no number"),
        (b'{"MARK": Infinity}', "Infinity is no number"),
        (b'["MARK", -Infinity]', "-Infinity is no number"),
        (b'{"MARK": "a\tb"}', "Invalid control character"),
        (b'"MARK \xff"', "not valid UTF-8 at byte 6"),
        ("昨天 MARK".encode("gbk"), "not valid UTF-8"),
        (b'"MARK \xed\xa0\xbd"', "not valid UTF-8"),
        (b'["MARK", ' + b"9" * 5000 + b"]", "a number is too long"),
        (b'"MARK' + b"[" * 100_000, "not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"MARK":' * 100_000, "nested too deeply"),
    ],
)
def test_other_text_is_refused_with_a_place_and_without_content(text: bytes, reason: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        parse_json(text)

    assert reason in caught.value.message
    assert "MARK" not in caught.value.message


@given(text=st.binary(max_size=60) | st.text(max_size=60))
def test_any_bytes_are_json_or_refused(text: bytes | str) -> None:
    try:
        parse_json(text)
    except InvalidInputError:
        return
    json.loads(text)


class _Inner(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    size: int


class _Outer(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    name: str
    inner: _Inner


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"inner": {"size": 1}}, "the field name is missing"),
        ({"name": "x", "inner": {}}, "the field inner.size is missing"),
        ({"name": 5, "inner": {"size": 1}}, "name: input should be a valid string"),
        ({"name": "x", "inner": {"size": "MARK"}}, "inner.size: input should be a valid integer"),
        ({"name": "x", "inner": {"size": 1}, "more": "MARK"}, "unknown field more; known ones are"),
        ("MARK", "the record must be a JSON object"),
        (["MARK"], "the record must be a JSON object"),
    ],
)
def test_a_wrong_document_is_described_by_its_field(record: object, said: str) -> None:
    with pytest.raises(ValidationError) as caught:
        _Outer.model_validate(record)

    words = describe(caught.value, ["name", "inner"])

    assert words.startswith(said)
    assert "MARK" not in words


def test_no_more_than_the_start_of_a_long_field_name_is_shown() -> None:
    with pytest.raises(ValidationError) as caught:
        _Outer.model_validate(
            {"name": "x", "inner": {"size": 1}, "长" * MAX_FIELD_SHOWN + "MARK": 1}
        )

    assert "MARK" not in describe(caught.value, ["name"])
