"""Tests of cutting a claim stream into records (S1-S4)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorycore.exchange.claim_lines import Row, read_rows
from memorycore.model.candidate import Problem

ENTITY = '{"record_type":"entity","entity_id":"work:雾港来信"}'
CLAIM = '{"record_type":"claim","claim_id":"c"}'
BOTH = f"{ENTITY}\n{CLAIM}\n"


def read(raw: bytes | str, *, strict: bool = True) -> tuple[list[Row], list[Problem]]:
    if isinstance(raw, str):
        raw = raw.encode("utf-8", "surrogatepass")
    return read_rows(raw, source="s.jsonl", strict=strict)


def broken(raw: bytes | str, *, strict: bool = True) -> list[tuple[str, str, str]]:
    rows, problems = read(raw, strict=strict)
    problems = problems + [problem for row in rows for problem in row.problems]
    return [(p.place.removeprefix("s.jsonl line "), p.code, p.severity) for p in problems]


def records(raw: bytes | str) -> int:
    return sum(bool(row.record) for row in read(raw, strict=False)[0])


@pytest.mark.parametrize("end", ["", "\n"])
def test_lines_become_rows_and_a_final_newline_is_fine(end: str) -> None:
    rows, problems = read(f"{ENTITY}\n{CLAIM}{end}")

    assert problems == []
    assert [row.record["record_type"] for row in rows] == ["entity", "claim"]
    assert [(row.place, row.text) for row in rows] == [
        ("s.jsonl line 1", ENTITY),
        ("s.jsonl line 2", CLAIM),
    ]


@pytest.mark.parametrize("raw", [f"{ENTITY}\n\n{CLAIM}\n", f"{ENTITY}\n \t\r\n{CLAIM}"])
def test_a_blank_line_breaks_s1_and_is_skipped_with_a_warning_if_asked(raw: str) -> None:
    assert ("2", "S1", "reject") in broken(raw)
    assert ("2", "S1", "warn") in broken(raw, strict=False)
    assert records(raw) == 2


def test_a_second_final_newline_is_a_blank_line() -> None:
    assert broken(f"{ENTITY}\n\n") == [("2", "S1", "reject")]


@pytest.mark.parametrize(
    "line",
    [
        "Here are the claims:",
        "{",
        ENTITY + CLAIM,
        f"{ENTITY} {CLAIM}",
        '{"record_type":"claim",}',
        '{"record_type":"claim","confidence":NaN}',
        '{"record_type":"claim","confidence":-Infinity}',
        '{"record_type":"claim","text":"\\ud83d"}',
        '{"record_type":"claim","\\ud83d":1}',
        '{"record_type":"claim","record_type":"claim"}',
        '{"record_type":"claim","object":{"a":1,"a":2}}',
        '{"record_type":"claim","a":' + "[" * 40 + "]" * 40 + "}",
        '{"a":' * 100_000,
        '{"record_type":"claim","rank":' + "9" * 5000 + "}",
        "{'record_type':'claim'}",
    ],
)
def test_a_line_that_is_not_strict_json_breaks_s2_alone(line: str) -> None:
    for strict in (True, False):
        assert broken(f"{ENTITY}\n{line}\n{CLAIM}", strict=strict) == [("2", "S2", "reject")]
    assert records(f"{ENTITY}\n{line}\n{CLAIM}") == 2


def test_a_whole_pair_of_halves_is_one_character() -> None:
    rows, problems = read('{"record_type":"claim","text":"\\ud83c\\udf75"}')

    assert problems == []
    assert rows[0].record["text"] == "🍵"


def test_bytes_that_are_not_utf_8_break_s2_and_stay_legible() -> None:
    rows, _ = read(b'{"record_type":"\xff"}\n' + CLAIM.encode())

    assert rows[0].quarantined().rejection.code == "S2"
    assert rows[0].quarantined().text == '{"record_type":"\\xff"}'
    assert rows[1].record


@pytest.mark.parametrize("opening", ["```", "```jsonl", "\n```json "])
def test_a_fence_around_everything_is_taken_off_with_a_warning_if_asked(opening: str) -> None:
    raw = f"{opening}\n{BOTH}```\n"

    assert {code for _, code, severity in broken(raw) if severity == "reject"} >= {"S2"}
    assert ("S2", "warn") in {problem[1:] for problem in broken(raw, strict=False)}
    assert records(raw) == 2


@pytest.mark.parametrize(
    "raw",
    [f"```\n{BOTH}", f"{BOTH}```", f"text\n```\n{BOTH}```", f"```\n{ENTITY}\n```\n{CLAIM}\n```"],
)
def test_another_fence_breaks_s2(raw: str) -> None:
    assert ("S2", "reject") in {problem[1:] for problem in broken(raw, strict=False)}
    assert records(raw) == 2


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize(
    "raw", [f"[{ENTITY},{CLAIM}]", f"[\n{ENTITY},\n{CLAIM}\n]\n", f"[{ENTITY},\n\n{CLAIM}]"]
)
def test_one_array_breaks_s3_once(raw: str, strict: bool) -> None:
    assert broken(raw, strict=strict) == [("1", "S3", "reject")]


def test_a_line_that_is_an_array_breaks_s3_alone() -> None:
    assert broken(f"[{ENTITY}]\n{CLAIM}") == [("1", "S3", "reject")]


@pytest.mark.parametrize(
    "line",
    ["7", "null", '"claim"', "{}", '{"record_type":"node"}', '{"record_type":["claim"]}',
     '{"record_type":"Claim"}'],
)  # fmt: skip
def test_a_line_of_another_type_breaks_s4(line: str) -> None:
    assert broken(f"{line}\n{CLAIM}") == [("1", "S4", "reject")]


@pytest.mark.parametrize("raw", [b"", b"\xef\xbb\xbf"])
def test_nothing_at_all_holds_no_record(raw: bytes) -> None:
    assert ("s.jsonl", "S2", "reject") in broken(raw)


@pytest.mark.parametrize("raw", ["\n", "\n \n", "```\n```"])
def test_nothing_but_blank_lines_or_a_fence_holds_no_record(raw: str) -> None:
    assert ("s.jsonl", "S2", "reject") in broken(raw, strict=False)


@pytest.mark.parametrize("strict", [True, False])
def test_windows_line_ends_and_a_byte_order_mark_are_read_with_a_warning(strict: bool) -> None:
    crlf = BOTH.replace("\n", "\r\n")

    assert broken(crlf, strict=strict) == [("1", "S2", "warn")]
    assert broken("\ufeff" + BOTH, strict=strict) == [("1", "S2", "warn")]
    assert read(crlf)[0] == read(BOTH)[0] == read("\ufeff" + BOTH)[0]


def test_no_reason_shows_content() -> None:
    lines = ['{"MARK', "MARK", '{"MARK":1,"MARK":2}', '"MARK"', '{"record_type":"MARK"}']
    rows, problems = read("\n".join(lines))

    assert not any("MARK" in p.reason for p in problems)
    assert not any("MARK" in p.reason for row in rows for p in row.problems)


@given(
    parts=st.lists(
        st.sampled_from([ENTITY, CLAIM, "```", "[", "]", "\n", "\r\n", "\ufeff", " ", "{", "\x00"])
        | st.text(max_size=4),
        max_size=8,
    ),
    strict=st.booleans(),
)
def test_any_text_gives_rows_or_problems(parts: list[str], strict: bool) -> None:
    rows, problems = read("".join(parts), strict=strict)

    assert rows or problems
    assert all(bool(row.record) != row.is_out for row in rows)
    json.dumps([row.text for row in rows])
