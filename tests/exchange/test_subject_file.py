"""The documents that are handed out are strict: another shape is refused, not written."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from memorycore.exchange.subject_file import write_fact, write_mention, write_page, write_schema


@pytest.fixture
def page(story: Any) -> Any:
    story.tell("I like tea.", "likes", "tea", speaker="Ana")
    return story.memory.subject("Ana")


def test_a_page_is_written_as_it_is(page: Any) -> None:
    assert json.loads(write_page(page.to_dict())) == page.to_dict()


def test_a_fact_is_one_line_that_is_written_as_it_is(page: Any) -> None:
    shape = page.facts[0].to_dict()

    line = write_fact(shape)

    assert line.count("\n") == 1
    assert json.loads(line) == shape


@pytest.mark.parametrize("change", [
    {"extra": 1}, {"confidence": "high"}, {"role": "friend"}, {"now": None},
    {"state": {"validity": "valid", "visibility": "hidden", "lifecycle": "active"}},
])  # fmt: skip
def test_a_fact_of_another_shape_is_refused(page: Any, change: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        write_fact(page.facts[0].to_dict() | change)


@pytest.mark.parametrize("shape", [{"kind": "rumour"}, {"kind": "episode"}, {}])
def test_a_mention_of_another_kind_is_refused(shape: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        write_mention(shape)


def test_the_schema_names_each_file_and_forbids_more() -> None:
    schema = json.loads(write_schema())

    assert set(schema["x-files"]) == {
        "subject.json", "facts.jsonl", "episodes.jsonl", "mentions.jsonl",
    }  # fmt: skip
    assert all(
        part["additionalProperties"] is False
        for part in schema["$defs"].values()
        if part["type"] == "object"
    )
