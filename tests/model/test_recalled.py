"""Tests of cutting recalled blocks out of transcripts."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorycore.model.recalled import CLOSING, MARK, MAX_TAG_LENGTH, OPENING, cut_recalled

OPEN = f"{OPENING}{MARK}>"
BLOCK = f"{OPEN}\n- Ana plays the viola\n{CLOSING}"


@pytest.mark.parametrize(
    ("text", "left", "count"),
    [
        ("", "", 0),
        ("nothing marked 没有标记 😀", "nothing marked 没有标记 😀", 0),
        (BLOCK, "", 1),
        (f"before {BLOCK} after", "before  after", 1),
        (f"前文{BLOCK}后文🎻", "前文后文🎻", 1),
        (f"{BLOCK}a{BLOCK}b{BLOCK}", "ab", 3),
        (f'{OPENING}id="1" {MARK} v="2">x{CLOSING}y', "y", 1),
        (f"{OPEN}{CLOSING}", "", 1),
    ],
)
def test_marked_blocks_are_cut_and_counted(text: str, left: str, count: int) -> None:
    assert cut_recalled(text) == (left, count)


@pytest.mark.parametrize(
    "text",
    [
        f"{OPENING}>my memory of it{CLOSING}",
        f"{OPENING}kind='other'>x{CLOSING}",
        f"<memory>x{CLOSING}",
        f"the mark is {MARK}, they say",
        f"{OPENING}{'a' * (MAX_TAG_LENGTH + 1)}{MARK}>x{CLOSING}",
        f"{OPENING}no end of the tag {MARK}",
        CLOSING,
    ],
)
def test_what_is_not_marked_stays(text: str) -> None:
    assert cut_recalled(text) == (text, 0)


@pytest.mark.parametrize(("before", "left"), [("", ""), ("hello ", "hello "), (BLOCK, "")])
def test_a_block_that_is_never_closed_goes_to_the_end(before: str, left: str) -> None:
    text = f"{before}{OPEN} and so on 没有结束"

    assert cut_recalled(text) == (left, text.count(OPEN))


def test_a_block_inside_a_block_goes_with_it() -> None:
    assert cut_recalled(f"a{OPEN}x{OPEN}y{CLOSING}z{CLOSING}b") == ("ab", 1)


@pytest.mark.parametrize("tag", ["<MEMORY ", "<memory\n", "<memory  scope='x' "])
def test_a_mark_that_was_written_again_is_known(tag: str) -> None:
    written = f"{tag}{MARK.replace(chr(34), chr(39))}>old{CLOSING.upper()} new"

    assert cut_recalled(written) == (" new", 1)


def test_a_bare_opening_before_a_block_does_not_shield_it() -> None:
    left, count = cut_recalled(f"{OPENING}> {BLOCK}!")

    assert (left, count) == (f"{OPENING}> !", 1)


PIECES = st.sampled_from(
    [OPENING, MARK, ">", CLOSING, OPEN, BLOCK, "text", "中文", "😀", "\n", "<", "/"]
)


@given(pieces=st.lists(PIECES, max_size=12))
def test_what_is_left_is_part_of_the_text_in_its_order(pieces: list[str]) -> None:
    text = "".join(pieces)

    left, count = cut_recalled(text)

    rest = iter(text)
    assert all(character in rest for character in left)
    assert (count == 0) == (left == text)
    assert count <= text.count(MARK)


@given(pieces=st.lists(st.sampled_from([BLOCK, "text ", "中文", "😀\n"]), max_size=12))
def test_of_whole_blocks_and_plain_text_the_plain_text_is_left(pieces: list[str]) -> None:
    left, count = cut_recalled("".join(pieces))

    assert left == "".join(piece for piece in pieces if piece != BLOCK)
    assert count == pieces.count(BLOCK)


@pytest.mark.parametrize(
    "piece", [OPENING, OPEN, f"{OPENING}>", f"{OPENING}{'x' * 500}", f"{CLOSING}{OPENING}", BLOCK]
)
def test_very_many_openings_take_no_long_time(piece: str) -> None:
    text = piece * (2_000_000 // len(piece))

    started = time.perf_counter()
    cut_recalled(text)

    assert time.perf_counter() - started < 2
