"""Tests of the readers of conversations: formats, and what becomes of bad records."""

import gzip
import io
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorycore.errors import InvalidInputError
from memorycore.model.draft import Draft, Rejection
from memorycore.model.time import parse_moment
from memorycore.port import lines
from memorycore.port.lines import HEAD_BYTES, open_input
from memorycore.port.readers import READERS, Reading, detect_format, read_records

AT = parse_moment("2024-05-01")


def stream(data: bytes | str) -> io.BufferedReader:
    raw = data.encode() if isinstance(data, str) else data
    return io.BufferedReader(io.BytesIO(raw), HEAD_BYTES)


def read(
    data: bytes | str, *, of: str = "auto", reading: Reading | None = None
) -> list[Draft | Rejection]:
    return list(read_records(stream(data), of, reading or Reading("f")))


def texts(records: list[Draft | Rejection]) -> list[str | None]:
    return [record.text if isinstance(record, Draft) else None for record in records]


def rejected(records: list[Draft | Rejection]) -> list[str]:
    return [record.place for record in records if isinstance(record, Rejection)]


GOOD = '{"text":"好 MARK"}'
MESSAGE = '{"role":"user","content":"a"}'
ROW = '{"messages":[{"role":"user","content":"%s"}]}'
SHAREGPT = '{"conversations":[{"from":"human","value":"a"}]}'
POINT = '{"id":"p","payload":{"data":"a"}}'


@pytest.mark.parametrize(
    ("data", "format_"),
    [
        (GOOD, "jsonl"),
        ("\n \n" + GOOD, "jsonl"),
        (GOOD + "\r\n", "jsonl"),
        ('{"role":"user","text":"a"}', "jsonl"),
        ('{"text":"broken', "jsonl"),
        ('{"text":"' + "x" * HEAD_BYTES + '"}', "jsonl"),
        (ROW % "a", "chat"),
        (MESSAGE, "chat"),
        ('{"role":"assistant","tool_calls":[]}', "chat"),
        (SHAREGPT, "chat"),
        ("[" + ROW % "a" + "]", "chat"),
        ("  [" + MESSAGE + "]", "chat"),
        ('{\n "messages": [\n ]\n}', "chat"),
        ('{\n "id": "x",\n "conversations": [\n ]\n}', "chat"),
        (POINT, "mem0"),
        ('{"id":"p","payload":null}', "mem0"),
        ('{"text":"x","payload":{}}', "mem0"),
        ("", "text"),
        ("Dear diary", "text"),
        ("今天去了里斯本 {不是 JSON}", "text"),
        ("# Heading\n\n- [x] done", "text"),
    ],
)
def test_the_format_is_told_from_the_start_of_the_file(data: str, format_: str) -> None:
    source = stream(data)

    assert detect_format(source, "f") == format_
    assert source.read() == data.encode()


@pytest.mark.parametrize("data", ["{}", '{"MARK":1}', '{"memory":"MARK"}'])
def test_json_of_an_unknown_shape_is_refused(data: str) -> None:
    with pytest.raises(InvalidInputError, match="f holds JSON of a shape") as caught:
        read(data)

    assert "MARK" not in caught.value.message
    assert "jsonl" in (caught.value.hint or "")


def test_a_format_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="'zip' is no format"):
        read(GOOD, of="zip")


BAD_LINES: list[bytes | str] = [
    b'{"text":"MARK \xff"}',
    b"\xff\xfe",
    "昨天 MARK".encode("gbk"),
    '{"text":"MARK","meta":{"a":NaN}}',
    '{"text":"MARK",}',
    '{"text":"MARK"',
    '{about MARK} {"text":"MARK"}',
    '{"text":5,"speaker":"MARK"}',
    '{"speaker":"MARK"}',
    '{"text":null}',
    '{"text":"MARK","colour":"MARK"}',
    '{"text":"MARK","role":"MARK"}',
    '{"text":"MARK","at":"MARK"}',
    '{"text":"MARK","at":"2024-13"}',
    '{"text":"MARK","scope":""}',
    '{"text":"MARK","meta":{"a":"\\ud83d"}}',
    '{"text":"MARK","meta":' + "[" * 100_000,
    '{"text":"MARK","meta":{"n":' + "9" * 5000 + "}}",
    '{"text":"MARK","meta":{"n":1e999}}',
    '["MARK"]',
    '"MARK"',
    "null",
    "MARK",
]


@pytest.mark.parametrize("bad", BAD_LINES, ids=range(len(BAD_LINES)))
def test_a_bad_line_is_named_without_its_content_and_the_rest_is_read(bad: bytes | str) -> None:
    raw = bad.encode() if isinstance(bad, str) else bad
    data = GOOD.encode() + b"\n\n" + raw + b"\n" + GOOD.encode()

    first, wrong, last = read(data, of="jsonl")

    assert texts([first, last]) == ["好 MARK", "好 MARK"]
    assert isinstance(wrong, Rejection)
    assert wrong.place == "f line 3"
    assert "MARK" not in wrong.reason
    assert isinstance(last, Draft)
    assert last.place == "f line 4"


def test_half_a_character_is_kept_for_the_admission_to_refuse() -> None:
    assert texts(read(f'{GOOD}\n{{"text":"\\ud83d"}}\n{GOOD}')) == ["好 MARK", "\ud83d", "好 MARK"]


JUNK = st.binary(max_size=30) | st.text(st.characters(codec="utf-8"), max_size=30).map(str.encode)


@given(junk=st.lists(JUNK, max_size=6), of=st.sampled_from(["jsonl", "mem0", "text"]))
@settings(deadline=None)
def test_a_good_last_line_is_read_after_any_junk(junk: list[bytes], of: str) -> None:
    good = (POINT if of == "mem0" else GOOD).encode()

    records = read(b"\n\n".join([*junk, b"\n" + good]), of=of)

    assert isinstance(records[-1], Draft)


def test_crlf_blank_lines_and_a_byte_order_mark_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + f"{GOOD}\r\n\r\n  \r\n{GOOD}\r\n".encode())

    with open_input(str(path)) as opened:
        records = list(read_records(opened, "auto", Reading("a.jsonl")))

    assert texts(records) == ["好 MARK"] * 2
    assert [record.place for record in records] == ["a.jsonl line 1", "a.jsonl line 4"]


def test_a_line_that_is_too_long_is_named_and_the_rest_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 50)
    long = '{"text":"' + "MARK" * 50 + '"}'

    records = read(f"{GOOD}\n{long}\n{GOOD}")

    assert texts(records) == ["好 MARK", None, "好 MARK"]
    assert rejected(records) == ["f line 2"]


def test_what_a_line_leaves_out_comes_from_the_caller() -> None:
    reading = Reading("f", time_zone="Asia/Shanghai", session="s", role="assistant", at=AT)
    full = '{"text":"b","role":"user","session":"own","at":"2020","source":"x"}'

    empty, given_ = read(f'{{"text":"a"}}\n{full}', reading=reading)

    assert empty == Draft("a", "assistant", session="s", occurred=AT, source="f", place="f line 1")
    assert given_ == Draft(
        "b", "user", session="own", occurred=parse_moment("2020", zone="Asia/Shanghai"),
        source="x", place="f line 2",
    )  # fmt: skip


@pytest.mark.parametrize(
    "data",
    [
        "[" + ",".join([ROW % "a", ROW % "b"]) + "]",
        "[\n  " + ",\n  ".join([ROW % "a", ROW % "b"]) + "\n]\n",
        ROW % "a" + "\n" + ROW % "b",
        ROW % "a" + "\r\n\r\n" + ROW % "b" + "\r\n",
        "[" + MESSAGE + ',{"role":"assistant","content":"b"}]',
        MESSAGE + '\n{"role":"assistant","tool_calls":[]}\n{"role":"assistant","content":"b"}',
        "[[" + MESSAGE + "],[" + MESSAGE.replace('"a"', '"b"') + "]]",
        json.dumps({"messages": [json.loads(MESSAGE), {"role": "tool", "content": "b"}]}, indent=2),
        SHAREGPT + "\n" + SHAREGPT.replace('"a"', '"b"'),
        "[" + SHAREGPT + "," + SHAREGPT.replace('"a"', '"b"') + "]",
    ],
    ids=["array", "pretty array", "lines", "crlf lines", "array of messages", "lines of messages",
         "array of arrays", "pretty document", "sharegpt lines", "sharegpt array"],
)  # fmt: skip
def test_every_arrangement_of_a_chat_is_read(data: str) -> None:
    assert texts(read(data)) == ["a", "b"]


@pytest.mark.parametrize("data", ["[" + MESSAGE + "," + MESSAGE + "]", MESSAGE + "\n" + MESSAGE])
def test_a_file_of_bare_messages_is_one_conversation(data: str) -> None:
    records = read(data)

    assert [record.session for record in records if isinstance(record, Draft)] == ["f", "f"]


def test_each_row_of_a_chat_is_a_conversation() -> None:
    records = read(ROW % "a" + "\n" + ROW % "b")

    assert [record.session for record in records if isinstance(record, Draft)] == ["f#1", "f#2"]


def test_a_chat_takes_session_and_time_from_the_caller() -> None:
    (record,) = read(ROW % "a", reading=Reading("f", session="mine", at=AT))

    assert isinstance(record, Draft)
    assert (record.session, record.occurred) == ("mine", AT)


def test_a_bad_line_of_a_chat_is_named_and_the_rest_is_read() -> None:
    bad = '{"messages":[{"role":"user","content":"MARK"},}'

    records = read(f"{ROW % 'a'}\n{bad}\n{ROW % 'b'}")

    assert texts(records) == ["a", None, "b"]
    assert rejected(records) == ["f line 2"]
    assert "MARK" not in str(records)


def test_an_array_is_read_up_to_where_it_is_broken() -> None:
    records = read(f'[{ROW % "a"},{ROW % "b"},{{"messages":[{{"role":"user" MARK')

    assert texts(records) == ["a", "b", None]
    assert rejected(records) == ["f item 3"]
    assert "MARK" not in str(records)


@pytest.mark.parametrize("bad", ['{"messages":"MARK"}', '"MARK"', "5", "null", '{"x":"MARK"}'])
def test_an_item_of_another_shape_is_named_and_the_rest_of_the_array_is_read(bad: str) -> None:
    records = read(f"[{ROW % 'a'},{bad},{ROW % 'b'}]")

    assert texts(records) == ["a", None, "b"]
    assert rejected(records) == ["f item 2"]
    assert "MARK" not in str(records)


@pytest.mark.parametrize("content", [b"NaN", b'"MARK \xff"', b"9" * 5000, b"MARK"])
def test_an_array_that_is_not_strict_json_is_refused_from_there_on(content: bytes) -> None:
    data = b'[{"messages":[{"role":"user","content":%s}]}]' % content

    (record,) = read(data)

    assert isinstance(record, Rejection)
    assert record.place == "f item 1"
    assert "MARK" not in record.reason


def test_half_a_character_in_an_array_does_not_become_another_one() -> None:
    records = read("[" + ROW % "x \\ud83d y" + "]")

    assert texts(records) in ([None], ["x \ud83d y"])


def test_a_deeply_nested_array_takes_no_more_memory_than_its_length_asks_for() -> None:
    import tracemalloc

    depth = 2000
    tracemalloc.start()
    try:
        read(b"[" * depth + b"]" * depth)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 2_000_000


def test_a_chat_whose_first_line_is_broken_is_read_after_it() -> None:
    records = read('{"messages":[{"role":"user",}]}\n' + ROW % "a")

    assert texts(records) == [None, "a"]


@pytest.mark.parametrize("text", ["[09:12] Ana: 早上好", "[x] buy milk\n\n[ ] call mum"])
def test_a_text_that_begins_with_a_bracket_is_a_text(text: str) -> None:
    assert texts(read(text)) == text.split("\n\n")


def test_a_compressed_array_that_breaks_off_is_read_up_to_there(tmp_path: Path) -> None:
    whole = gzip.compress(("[" + ",".join(ROW % number for number in range(20_000)) + "]").encode())
    path = tmp_path / "a.json.gz"
    path.write_bytes(whole[: len(whole) // 2])

    with open_input(str(path)) as opened:
        *read_before, last = read_records(opened, "auto", Reading("a"))

    assert len(read_before) > 1000
    assert isinstance(last, Rejection)
    assert last.code == "broken_file"


@pytest.mark.parametrize(
    ("data", "places"),
    [
        ("", []),
        ("\n \n", []),
        ("one", [("one", 1)]),
        ("one\ntwo\n\n\nthree 三 😀\n", [("one\ntwo", 1), ("three 三 😀", 5)]),
        ("\n\n  lead\r\n\r\nnext\r\n", [("  lead", 3), ("next", 5)]),
        ("一\n \n二\n\t\n三", [("一", 1), ("二", 3), ("三", 5)]),
    ],
)
def test_each_paragraph_of_a_text_is_named_by_its_first_line(
    data: str, places: list[tuple[str, int]]
) -> None:
    records = read(data, of="text")

    assert [(record.text, record.place) for record in records if isinstance(record, Draft)] == [
        (text, f"f line {line}") for text, line in places
    ]


def test_a_paragraph_that_is_not_utf_8_is_named_and_the_rest_is_read() -> None:
    records = read(b"one\n\nMARK \xff\n\nthree")

    assert texts(records) == ["one", None, "three"]
    assert records[1] == Rejection("f line 3", "broken_text", "not valid UTF-8 at byte 5")


def test_a_paragraph_that_is_too_long_is_named_and_the_rest_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 20)

    records = read("one\n\n" + "MARK line\n" * 9 + "\nthree", of="text")

    assert texts(records) == ["one", None, "three"]
    assert rejected(records) == ["f line 3"]
    assert "MARK" not in str(records)


def test_a_text_is_one_session_of_one_role() -> None:
    (record,) = read("a", of="text", reading=Reading("f", role="Human", session="s", at=AT))

    assert record == Draft("a", "user", session="s", occurred=AT, source="f", place="f line 1")


def test_an_unknown_role_for_a_text_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="unknown role"):
        read("a", of="text", reading=Reading("f", role="narrator"))


def test_bad_points_of_a_dump_are_named_and_the_rest_is_read() -> None:
    bad = ['{"id":"p","payload":null}', '{"id":"p","payload":{"hash":"MARK"}}', "{MARK"]

    records = read("\n".join([POINT, *bad, POINT]))

    assert texts(records) == ["a", None, None, None, "a"]
    assert rejected(records) == ["f line 2", "f line 3", "f line 4"]
    assert "MARK" not in str(records)


@pytest.mark.parametrize("of", sorted(READERS))
def test_records_are_read_one_by_one(of: str) -> None:
    good = {"jsonl": GOOD + "\n", "mem0": POINT + "\n", "chat": ROW % "a" + "\n", "text": "a\n\n"}
    source = stream(good[of] * 50_000)

    next(iter(read_records(source, of, Reading("f"))))

    assert source.raw.tell() <= 2 * HEAD_BYTES
