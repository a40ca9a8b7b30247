"""The bundled conversations answer two hundred questions, each with the right turn first."""

import json
from pathlib import Path

import pytest

from memorycore import Memory

TESTDATA = Path(__file__).parents[2] / "testdata"
QUERIES = [
    json.loads(line) for line in (TESTDATA / "field_queries.jsonl").read_text("utf-8").splitlines()
]


@pytest.fixture(scope="module")
def memory() -> Memory:
    memory = Memory.open(":memory:")
    for path in sorted((TESTDATA / "conversations").glob("*.jsonl")):
        result = memory.ingest_file(path)
        assert not result.rejected, result.rejections
    return memory


def test_there_are_two_hundred_in_both_languages() -> None:
    assert len(QUERIES) >= 200
    assert {query["lang"] for query in QUERIES} == {"zh", "en"}


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query["id"])
def test_the_right_turn_comes_first(memory: Memory, query: dict[str, str]) -> None:
    found = memory.scoped(query["scope"]).search(query["text"], limit=3)
    assert found.hits, f"nothing for {query['text']}"
    assert found.hits[0].episode.external_id in query["expect"], query["text"]
