"""Tests of reading Mem0's exports as streams: all shapes tell themselves."""

import io
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorycore.model.candidate import Quarantined
from memorycore.model.draft import Rejection
from memorycore.model.recollection import Recollection
from memorycore.port.json_array import CHUNK_BYTES
from memorycore.port.mem0_files import Found, Mem0Reading, read_mem0_export

POINT = {"id": "p-1", "payload": {"data": "喜欢乌龙茶", "hash": "aa01"}}
ITEM = {"id": "7b1c", "memory": "Plays the viola", "hash": "aa02"}
ROW = {"id": "h1", "memory_id": "7b1c", "old_memory": "Lives in Porto", "event": "UPDATE",
       "new_memory": "Lives in Braga", "updated_at": "2026-02-01T08:00:00Z"}  # fmt: skip
MARKDOWN = """---
id: m1
created_at: 2026-01-04T10:00:00Z
type: decision
confidence: 0.8
files:
  - a.py
categories: [build, "ci"]
---

Use uv.

---

It is faster.

---
id: m2
---
Second
"""


def read(text: str | bytes, *, predicates: tuple[str, ...] = ()) -> list[Found]:
    raw = text.encode() if isinstance(text, str) else text
    reading = Mem0Reading("x", is_predicate=lambda name: name in predicates)
    return list(read_mem0_export(io.BufferedReader(io.BytesIO(raw)), reading))  # type: ignore[arg-type]


def lines(*records: Any) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def shapes(text: str) -> list[str]:
    return [found.shape for found in read(text) if isinstance(found, Recollection)]


def texts(text: str) -> list[str]:
    found = [one for one in read(text) if isinstance(one, Recollection)]
    return [draft.text for one in found for draft in one.drafts]


PAGE = {"count": 2, "next": None, "previous": None, "results": [ITEM, ITEM]}


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize(
    ("document", "shape", "count"),
    [
        ({"results": [ITEM]}, "MX-2", 1),
        (PAGE, "MX-3", 2),
        ([ITEM, {"content": "x"}], "MX-5", 2),
        ({"memories": [ITEM]}, "MX-5", 1),
        ({"7b1c": {"memory": "x"}, "7b1d": {"text": "y"}}, "MX-5", 2),
        (ITEM, "MX-5", 1),
        ([ROW], "MX-6", 1),
        ({"results": [ITEM | {"event": "ADD"}], "relations": []}, "MX-7", 1),
        ([POINT], "MX-1", 1),
    ],
)
def test_a_document_tells_its_shape(
    document: Any, shape: str, count: int, indent: int | None
) -> None:
    assert shapes(json.dumps(document, indent=indent)) == [shape] * count


@pytest.mark.parametrize(("record", "shape"), [(POINT, "MX-1"), (ITEM, "MX-5"), (ROW, "MX-6")])
def test_lines_tell_their_shape(record: Any, shape: str) -> None:
    assert shapes(lines(record, record)) == [shape, shape]


def test_pages_may_follow_each_other() -> None:
    assert shapes(lines(PAGE, PAGE)) == ["MX-3"] * 4
    assert shapes(json.dumps(PAGE, indent=1) + "\n" + json.dumps(PAGE, indent=1)) == ["MX-3"] * 4


def test_a_page_after_the_last_that_is_missing_is_told() -> None:
    first = PAGE | {"next": "https://example.org/?page=2"}

    assert [one.code for one in read(lines(first)) if isinstance(one, Rejection)] == ["more_pages"]
    assert shapes(lines(first, PAGE)) == ["MX-3"] * 4
    assert all(isinstance(one, Recollection) for one in read(lines(first, PAGE)))


@pytest.mark.parametrize("indent", [None, 1])
def test_what_was_said_beside_a_memory_is_no_memory(indent: int | None) -> None:
    said = ITEM | {"messages": [{"role": "user", "content": "I play the viola"}]}

    assert texts(json.dumps(said, indent=indent)) == ["Plays the viola"]


def test_markdown_blocks_are_memories_and_a_rule_inside_a_text_stays() -> None:
    found = [one for one in read(MARKDOWN) if isinstance(one, Recollection)]

    assert shapes(MARKDOWN) == ["MX-4", "MX-4"]
    assert texts(MARKDOWN) == ["Use uv.\n\n---\n\nIt is faster.", "Second"]
    assert [one.candidates[0].confidence for one in found] == [0.8, None]
    assert json.loads(found[0].drafts[0].meta or "")["mem0"]["categories"] == ["build", "ci"]


def test_windows_line_ends_change_nothing_in_markdown() -> None:
    assert texts(MARKDOWN.replace("\n", "\r\n")) == texts(MARKDOWN)


def test_places_name_the_line_or_the_item() -> None:
    assert [one.place for one in read(lines(POINT, POINT)) if isinstance(one, Recollection)] == [
        "x line 1",
        "x line 2",
    ]
    (found,) = read(json.dumps({"results": [ITEM]}, indent=1))
    assert isinstance(found, Recollection)
    assert found.place == "x results 1"


def test_what_cannot_be_read_is_a_rejection_and_reading_goes_on() -> None:
    found = read(lines(POINT, 5, {"id": 1, "payload": None}) + "{broken\n" + lines(ITEM))

    assert [one.code for one in found if isinstance(one, Rejection)] == [
        "invalid_input",
        "null_payload",
        "invalid_input",
    ]
    assert len([one for one in found if isinstance(one, Recollection)]) == 2


@pytest.mark.parametrize("text", ['{"results": [{"memory": "x"}', "[1", "{", '{"a" 1}', "[]]"])
def test_a_document_that_breaks_off_keeps_what_stood_before(text: str) -> None:
    found = read(text)

    assert all(isinstance(one, Rejection) for one in found[1:])


def test_an_edge_is_a_statement_where_its_predicate_and_a_memory_are_there() -> None:
    result = {
        "results": [{"id": "1", "memory": "Ana lives in San Francisco", "event": "ADD"}],
        "relations": [
            {"source": "ana", "relationship": "lives_in", "destination": "san_francisco"},
            {"source": "ana", "relationship": "orbits", "target": "san_francisco"},
            {"source": "ana", "relationship": "lives_in", "target": "porto"},
            {"source": "ana"},
        ],
    }
    found = read(json.dumps(result), predicates=("lives_in",))

    edge = found[1]
    assert isinstance(edge, Recollection)
    assert (edge.candidates[0].predicate, edge.candidates[0].value) == ("lives_in", "San Francisco")
    assert [one.rejection.code for one in found if isinstance(one, Quarantined)] == [
        "unknown_predicate",
        "no_evidence",
        "invalid_input",
    ]


def test_edges_may_stand_before_their_memories() -> None:
    edges = {"added_entities": [[{"source": "user_id", "relationship": "likes", "target": "tea"}]]}
    found = read(json.dumps({"relations": edges, "results": [ITEM | {"memory": "Likes tea"}]}),
                 predicates=("likes",))  # fmt: skip

    assert isinstance(found[1], Recollection)
    assert found[1].candidates[0].subject is None


def test_a_long_document_is_read_in_pieces() -> None:
    items = [ITEM | {"memory": f"memory {n} " + "x" * 90} for n in range(3 * CHUNK_BYTES // 100)]

    assert len(texts(json.dumps(PAGE | {"results": items}))) == len(items)


@settings(max_examples=200)
@given(st.one_of(st.binary(max_size=60), st.text(alphabet='{}[],:"-\n ad1', max_size=60)))
def test_any_bytes_never_raise(raw: bytes | str) -> None:
    read(raw)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["id", "payload", "memory", "event", "memory_id", "results", "relations",
                         "data", "created_at", "old_memory", "new_memory", "metadata"]),
        inner, max_size=5),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=300)
@given(st.lists(JSON, max_size=3))
def test_any_records_never_raise(records: list[Any]) -> None:
    read(lines(*records))
    read(json.dumps(records, indent=1))
