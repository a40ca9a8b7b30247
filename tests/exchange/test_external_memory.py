"""External-memory JSON is read strictly as a document, and leniently record by record."""

import json
from typing import Any

import pytest

from memorycore import errors
from memorycore.exchange.external_memory import (
    EVENT_TYPES,
    Parsed,
    Record,
    parse_external_memory,
    read_event_type,
)

ONE: dict[str, Any] = {"title": "t", "summary": "s"}
V1 = {"schemaVersion": "stratagate.external-memory.v1", "events": [ONE]}
FENCE = "```"


def parsed(document: Any) -> Parsed:
    return parse_external_memory(document if isinstance(document, str) else json.dumps(document))


def record(**fields: Any) -> Record:
    [found] = parsed({"candidates": [ONE | fields]}).records
    return found.record


@pytest.mark.parametrize("document", [{}, {"candidates": []}, {"coverage": "full"}])
def test_a_document_without_records_is_read(document: Any) -> None:
    assert parsed(document) == Parsed((), ())


@pytest.mark.parametrize("document", ["[]", '"text"', "3", "null", "true"])
def test_only_an_object_is_a_document(document: str) -> None:
    with pytest.raises(errors.InvalidInputError, match="no JSON object"):
        parsed(document)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("schemaVersion", "stratagate.external-memory.v3"),
        ("schemaVersion", 2),
        ("sourceType", "chat_log"),
    ],
)
def test_another_schema_or_source_is_refused_as_a_whole(field: str, value: Any) -> None:
    with pytest.raises(errors.InvalidInputError, match=field):
        parsed({field: value, "candidates": [ONE]})


def test_the_first_version_has_events() -> None:
    assert len(parsed(V1).records) == 1


def test_candidates_come_before_events() -> None:
    assert len(parsed({"candidates": [ONE, ONE], "events": [ONE]}).records) == 2


@pytest.mark.parametrize("word", ["JSON", "json", "Json", ""])
@pytest.mark.parametrize("around", ["", "\n\n  "])
def test_one_fence_around_the_whole_is_looked_through(word: str, around: str) -> None:
    text = f"{around}{FENCE}{word}\n{json.dumps(V1)}\n{FENCE}{around}"
    assert len(parsed(text).records) == 1


@pytest.mark.parametrize(
    "text",
    [
        f"Sure! {FENCE}json\n{json.dumps(V1)}\n{FENCE}",
        f"{FENCE}json\n{json.dumps(V1)}\n{FENCE}\nDone.",
        f"{FENCE}json\n{json.dumps(V1)}",
        f"{json.dumps(V1)}\n{FENCE}",
        f"{FENCE}\n{{}}\n{FENCE}\n{FENCE}\n{{}}\n{FENCE}",
        f"{FENCE}python\n{json.dumps(V1)}\n{FENCE}",
        "Here it is: " + json.dumps(V1),
        '{"candidates": [}',
        '{"candidates": [],}',
        '{"candidates": NaN}',
        "{'candidates': []}",
        "[" * 100_000,
        '{"a": ' + "1" * 5000 + "}",
    ],
    ids=range(13),
)
def test_what_is_no_json_is_refused_and_never_mended(text: str) -> None:
    with pytest.raises(errors.InvalidInputError, match="JSON"):
        parsed(text)


def test_half_characters_are_refused() -> None:
    with pytest.raises(errors.InvalidInputError, match="half a character"):
        parsed('{"candidates": [{"title": "\\ud800", "summary": "s"}]}')


def test_an_error_quotes_nothing_of_the_document() -> None:
    with pytest.raises(errors.InvalidInputError) as caught:
        parsed('{"candidates": secret-word}')
    assert "secret-word" not in f"{caught.value.message}{caught.value.why}{caught.value.hint}"


@pytest.mark.parametrize(
    "bad", [{"title": "  "}, {"title": None}, {"summary": ""}, {"summary": 3}, {"title": ["t"]}]
)
def test_a_record_without_title_or_summary_is_dropped_and_counted(bad: dict[str, Any]) -> None:
    found = parsed({"candidates": [ONE | bad, ONE]})
    assert len(found.records) == 1
    assert found.dropped == ((1, "it has no title or no summary"),)


@pytest.mark.parametrize("one", [None, "text", 3, []])
def test_what_is_no_object_is_dropped(one: Any) -> None:
    assert [number for number, _ in parsed({"candidates": [ONE, one]}).dropped] == [2]


def test_candidates_that_are_no_list_are_refused() -> None:
    with pytest.raises(errors.InvalidInputError, match="no list"):
        parsed({"candidates": {"title": "t"}})


def test_the_first_200_are_taken_and_the_rest_is_counted() -> None:
    found = parsed({"candidates": [ONE] * 201})
    assert len(found.records) == 200
    assert found.dropped == ((201, "only the first 200 are taken"),)


def test_texts_are_trimmed_and_cut() -> None:
    read = record(title=f" {'t' * 200} ", summary="s" * 3000, narrative="n" * 9000)
    assert (read.title, len(read.summary or ""), len(read.narrative or "")) == (
        "t" * 160, 2000, 8000,
    )  # fmt: skip


def test_12_quotes_of_500_characters_are_kept() -> None:
    quotes = [f"{number:02}" + "q" * 600 for number in range(13)]
    read = record(quotes=quotes)
    assert (len(read.quotes), {len(one) for one in read.quotes}) == (12, {500})


@pytest.mark.parametrize(
    ("fields", "tags"),
    [
        ({"tags": ["a", " a ", "b"]}, ("a", "b")),
        ({"tags": ["a", "a"], "category": "career"}, ("career", "a")),
        ({"tags": ["a", "career"], "category": "career"}, ("career", "a")),
        ({"category": "sport", "tags": ["x"]}, ("x",)),
        ({"tags": "a"}, ()),
        ({"tags": [str(n) for n in range(20)], "category": "project"},
         ("project", *[str(n) for n in range(11)])),
        ({"tags": [3, None, "x"]}, ("x",)),
    ],
)  # fmt: skip
def test_tags_are_once_each_with_the_category_first(
    fields: dict[str, Any], tags: tuple[str, ...]
) -> None:
    assert record(**fields).tags == tags


@pytest.mark.parametrize(
    ("field", "good", "attribute"),
    [
        ("memoryKind", "preference", "memory_kind"),
        ("category", "identity", "category"),
        ("scope", "project", "scope"),
        ("criticality", "safety", "criticality"),
    ],
)
@pytest.mark.parametrize("bad", ["opinion", 3, None, ["fact"]])
def test_a_value_that_is_not_known_drops_the_field_and_not_the_record(
    field: str, good: str, attribute: str, bad: Any
) -> None:
    assert getattr(record(**{field: good}), attribute) == good
    assert getattr(record(**{field: bad}), attribute) is None


def test_kind_and_category_are_independent() -> None:
    read = record(memoryKind="event", category="preference")
    assert (read.memory_kind, read.category) == ("event", "preference")
    assert record(category="preference").memory_kind is None


@pytest.mark.parametrize(
    ("given", "confidence"), [(7, 1.0), (-2, 0.0), (0.4, 0.4), ("0.4", None), (True, None)]
)
def test_how_sure_it_is_lies_between_0_and_1(given: Any, confidence: float | None) -> None:
    assert record(confidence=given).confidence == confidence


def temporal(**fields: Any) -> Any:
    return record(temporal=fields).temporal


@pytest.mark.parametrize(
    "unknown", [{"precision": "unknown", "basis": "explicit"}, {"basis": "unknown"}]
)
def test_dates_that_are_not_known_are_removed_and_the_words_stay(unknown: dict[str, str]) -> None:
    when = temporal(
        happenedStart="2025-01-01", happenedEnd="2025-02", originalText="then",
        mentionedAt="2025-03-01", **unknown,
    )  # fmt: skip
    assert (when.happened_start, when.happened_end) == (None, None)
    assert (when.original_text, when.mentioned_at) == ("then", "2025-03-01")


@pytest.mark.parametrize("basis", ["explicit", "relative", "inferred"])
def test_dates_on_any_other_basis_are_kept(basis: str) -> None:
    when = temporal(precision="day", basis=basis, happenedStart="2025-01-01")
    assert (when.happened_start, when.basis) == ("2025-01-01", basis)


def test_a_date_is_not_filled_from_the_export() -> None:
    document = {
        "exportedAt": "2026-01-01",
        "candidates": [ONE | {"temporal": {"status": "planned"}}],
    }
    [found] = parsed(document).records
    when = found.record.temporal
    assert when is not None
    assert (when.mentioned_at, when.happened_start, when.happened_end) == (None, None, None)


@pytest.mark.parametrize("bad", ["soon", 3, ["x"]])
def test_times_that_are_no_object_are_left_out(bad: Any) -> None:
    assert record(temporal=bad).temporal is None


def test_participants_are_24_of_200_characters() -> None:
    when = temporal(participants=[f"{number:03}" + "p" * 300 for number in range(30)])
    assert (len(when.participants), {len(one) for one in when.participants}) == (24, {200})


@pytest.mark.parametrize(
    ("given", "type_"),
    [
        ("Version-Release", "other"),
        ("版本 发布", "release"),
        ("发布", "release"),
        ("Released", "release"),
        ("ＲＥＬＥＡＳＥ", "release"),
        ("Task-Completed", "task_completed"),
        ("决策", "decision"),
        ("canceled", "cancellation"),
        ("cancelled", "cancellation"),
        ("故障", "incident"),
        ("迁移", "migration"),
        ("birthday", "other"),
        ("", None),
        (4, None),
        *((one, one) for one in EVENT_TYPES),
    ],
)
def test_an_event_type_is_a_standard_one(given: Any, type_: str | None) -> None:
    assert read_event_type(given) == type_


@pytest.mark.parametrize("indent", [None, 2])
def test_each_summary_knows_where_it_stands(indent: int | None) -> None:
    document = {"candidates": [ONE | {"summary": "喝茶 tea"}, {"summary": "two", "title": "two"}]}
    text = f"\n{FENCE}json\n{json.dumps(document, ensure_ascii=False, indent=indent)}\n{FENCE}"
    found = parsed(text).records
    assert [text[one.start : one.end] for one in found] == ["喝茶 tea", "two"]
    assert text[found[1].start - 12 : found[1].start].endswith('"summary": "')


def test_unknown_fields_are_looked_past() -> None:
    assert record(mood="sunny", temporal={"weather": 3}).title == "t"
