"""Tests of opening files and of going through their lines."""

import gzip
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorycore.errors import InvalidInputError
from memorycore.model.draft import Rejection
from memorycore.port import lines as module
from memorycore.port.lines import HEAD_BYTES, open_input, read_lines, read_some


def stream(data: bytes) -> io.BufferedReader:
    return io.BufferedReader(io.BytesIO(data), HEAD_BYTES)


def read(path: Path) -> bytes:
    with open_input(str(path)) as opened:
        return opened.read()


def write(folder: Path, name: str, data: bytes) -> Path:
    (folder / name).write_bytes(data)
    return folder / name


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"\n\n \t\r\n", []),
        (b"a", [("f line 1", b"a")]),
        (b"a\nb\n", [("f line 1", b"a"), ("f line 2", b"b")]),
        (b"a\r\nb\r\n", [("f line 1", b"a"), ("f line 2", b"b")]),
        (b"\n\na\n\n b \n", [("f line 3", b"a"), ("f line 5", b" b ")]),
        ("部署\n😀".encode(), [("f line 1", "部署".encode()), ("f line 2", "😀".encode())]),
        ("a\u2028b\x0bc\x85\n".encode(), [("f line 1", "a\u2028b\x0bc\x85".encode())]),
        (b"a\x00b\n\xff\n", [("f line 1", b"a\x00b"), ("f line 2", b"\xff")]),
    ],
)
def test_every_line_that_is_not_blank_is_given_with_its_number(
    data: bytes, lines: list[tuple[str, bytes]]
) -> None:
    assert list(read_lines(stream(data), "f")) == lines


@given(parts=st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r\n"))))
def test_the_numbers_are_those_of_the_file(parts: list[str]) -> None:
    found = read_lines(stream("\n".join(parts).encode()), "f")

    expected = [
        (f"f line {number}", part.encode())
        for number, part in enumerate(parts, 1)
        if part.encode().strip()
    ]
    assert list(found) == expected


@pytest.mark.parametrize("length", [11, 12, 20, 21, 22, 23, 31, 1000])
@pytest.mark.parametrize("end", [b"\n", b""])
def test_a_line_that_is_too_long_is_named_and_passed_over(
    monkeypatch: pytest.MonkeyPatch, length: int, end: bytes
) -> None:
    monkeypatch.setattr(module, "MAX_LINE_BYTES", 10)
    data = b"first\n" + b"x" * length + end + (b"last" if end else b"")

    first, long, *last = read_lines(stream(data), "f")

    assert first == ("f line 1", b"first")
    assert isinstance(long, Rejection)
    assert (long.place, long.code) == ("f line 2", "too_long")
    assert last == ([("f line 3", b"last")] if end else [])


@pytest.mark.parametrize("end", [b"\n", b""])
def test_a_line_of_just_the_longest_length_is_read(
    monkeypatch: pytest.MonkeyPatch, end: bytes
) -> None:
    monkeypatch.setattr(module, "MAX_LINE_BYTES", 10)

    assert list(read_lines(stream(b"0123456789" + end), "f")) == [("f line 1", b"0123456789")]


def test_a_plain_file_is_read_as_it_is(tmp_path: Path) -> None:
    assert read(write(tmp_path, "文件 😀.jsonl", "部署\r\n".encode())) == "部署\r\n".encode()


@pytest.mark.parametrize("name", ["a.jsonl.gz", "b.gz"])
def test_a_compressed_file_is_unpacked(tmp_path: Path, name: str) -> None:
    assert read(write(tmp_path, name, gzip.compress("部署".encode() * 50_000))) == (
        "部署".encode() * 50_000
    )


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz"])
def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path, name: str) -> None:
    data = b"\xef\xbb\xbf" + "部署".encode()

    path = write(tmp_path, name, gzip.compress(data) if name.endswith(".gz") else data)

    assert read(path) == "部署".encode()


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz"])
def test_wide_text_is_refused(tmp_path: Path, name: str, encoding: str) -> None:
    data = "MARK 部署".encode(encoding)
    path = write(tmp_path, name, gzip.compress(data) if name.endswith(".gz") else data)

    with pytest.raises(InvalidInputError, match="UTF-16") as caught:
        read(path)

    assert "iconv" in (caught.value.hint or "")
    assert "MARK" not in caught.value.message


def test_big_endian_wide_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="UTF-16"):
        read(write(tmp_path, "a.txt", b"\xfe\xff" + "部署".encode("utf-16-be")))


def test_an_empty_file_has_no_lines(tmp_path: Path) -> None:
    assert read(write(tmp_path, "a.txt", b"")) == b""


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInputError, match="cannot be read") as caught:
        read(tmp_path / name)

    assert str(tmp_path) in caught.value.message


WHOLE = gzip.compress(b"".join(b'{"text":"MARK %d"}\n' % number for number in range(20_000)))
"""A compressed file that is longer, unpacked, than what is looked at when it is opened."""


def test_a_file_that_is_not_compressed_at_all_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match=r"a\.gz cannot be read"):
        read(write(tmp_path, "a.gz", b"MARK"))


def test_a_compressed_file_that_breaks_off_later_is_read_up_to_there(tmp_path: Path) -> None:
    path = write(tmp_path, "a.gz", WHOLE[: len(WHOLE) // 2])
    found = []

    with open_input(str(path)) as opened, pytest.raises(InvalidInputError) as caught:
        found.extend(read_lines(opened, "a.gz"))

    assert found[0] == ("a.gz line 1", b'{"text":"MARK 0"}')
    assert len(found) > 1000
    assert caught.value.message == "a.gz cannot be read to its end."
    assert "MARK" not in f"{caught.value.why}{caught.value.hint}"


def test_a_damaged_compressed_file_is_refused_where_the_damage_is(tmp_path: Path) -> None:
    half = len(WHOLE) // 2
    path = write(tmp_path, "a.gz", WHOLE[:half] + b"\xff" * 64 + WHOLE[half + 64 :])

    with open_input(str(path)) as opened, pytest.raises(InvalidInputError):
        for _ in read_lines(opened, "a.gz"):
            pass


@pytest.mark.parametrize(
    "data",
    [
        WHOLE[:5],
        WHOLE[:12],
        gzip.compress(b'{"text":"short"}\n')[:-6],
        WHOLE[:12] + b"\xff" * 8 + WHOLE[20:],
    ],
    ids=["in its header", "before its data", "at its end", "damaged at its start"],
)
def test_a_compressed_file_that_is_broken_at_once_is_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(InvalidInputError):
        read(write(tmp_path, "a.gz", data))


def test_a_piece_of_a_line_is_no_longer_than_a_line_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_LINE_BYTES", 10)

    assert read_some(stream(b"x" * 100), "f") == b"x" * 11
