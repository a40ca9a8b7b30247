"""Tests of public ids."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorycore.errors import InvalidInputError
from memorycore.model.identity import (
    ALPHABET,
    PREFIXES,
    SHORTEST_PREFIX,
    TEXT_LENGTH,
    format_id,
    parse_id,
    ulid_source,
)

UIDS = st.binary(min_size=16, max_size=16)
KINDS = st.sampled_from(sorted(PREFIXES))


@given(times=st.lists(st.integers(-(10**12), 253402300799999999), max_size=50))
def test_ids_sort_as_they_were_made_whatever_the_clock_does(times: list[int]) -> None:
    next_id = ulid_source()

    made = [next_id(at) for at in times]

    assert made == sorted(set(made))
    texts = [format_id("ep", uid) for uid in made]
    assert texts == sorted(texts)


def test_ids_of_one_millisecond_still_grow() -> None:
    next_id = ulid_source(lambda size: bytes(size))

    first, second = next_id(5_000), next_id(5_999)

    assert int.from_bytes(second, "big") == int.from_bytes(first, "big") + 1


def test_ids_grow_when_the_random_part_is_used_up() -> None:
    next_id = ulid_source(lambda size: b"\xff" * size)

    first, second, third = next_id(5_000), next_id(5_000), next_id(6_000)

    assert first < second < third


def test_an_id_begins_with_its_millisecond() -> None:
    uid = ulid_source()(1_700_000_000_123_456)

    assert int.from_bytes(uid[:6], "big") == 1_700_000_000_123


def test_two_sources_make_different_ids_for_one_instant() -> None:
    assert ulid_source()(1_000) != ulid_source()(1_000)


@pytest.mark.parametrize(
    ("uid", "text"),
    [
        (bytes(16), "ep_" + "0" * 26),
        (b"\xff" * 16, "ep_7" + "Z" * 25),
        (bytes(15) + b"\x1f", "ep_" + "0" * 25 + "Z"),
        (bytes(15) + b"\x20", "ep_" + "0" * 24 + "10"),
    ],
)
def test_an_id_is_written_in_26_characters(uid: bytes, text: str) -> None:
    assert format_id("ep", uid) == text


@given(kind=KINDS, uid=UIDS)
def test_an_id_written_and_read_is_the_same(kind: str, uid: bytes) -> None:
    assert parse_id(format_id(kind, uid)) == (kind, uid, uid)


@given(first=UIDS, second=UIDS)
def test_ids_sort_as_text_as_they_do_as_bytes(first: bytes, second: bytes) -> None:
    assert (first < second) == (format_id("ep", first) < format_id("ep", second))


@given(kind=KINDS, uid=UIDS, length=st.integers(SHORTEST_PREFIX, TEXT_LENGTH))
def test_the_start_of_an_id_stands_for_a_range_that_holds_it(
    kind: str, uid: bytes, length: int
) -> None:
    text = format_id(kind, uid)[: len(kind) + 1 + length]

    prefix, lowest, highest = parse_id(text)

    assert prefix == kind
    assert lowest <= uid <= highest
    assert format_id(kind, lowest).startswith(text)
    assert format_id(kind, highest).startswith(text)


@given(uid=UIDS, length=st.integers(SHORTEST_PREFIX, TEXT_LENGTH))
def test_the_range_of_a_start_holds_no_other_start(uid: bytes, length: int) -> None:
    text = format_id("ep", uid)[: 3 + length]
    _, lowest, highest = parse_id(text)

    for outside in (int.from_bytes(lowest, "big") - 1, int.from_bytes(highest, "big") + 1):
        if 0 <= outside < 1 << 128:
            assert not format_id("ep", outside.to_bytes(16, "big")).startswith(text)


@given(uid=UIDS)
def test_lower_case_and_look_alikes_are_understood(uid: bytes) -> None:
    text = format_id("ent", uid)
    body = text.removeprefix("ent_")

    for typed in (
        body.lower(),
        body.replace("0", "O").replace("1", "I"),
        body.replace("0", "o").replace("1", "l"),
    ):
        assert parse_id(f" ent_{typed}\n") == ("ent", uid, uid)


@pytest.mark.parametrize(
    "text",
    [
        "", "ep", "ep_", "_0000", "ep_0", "ep_000", "xx_0000", "EP_0000", "ep-0000", "ep0000",
        "ep_U000", "ep_00-00", "ep_00 00", "ep_8000", "ep_ZZZZ", "ep_" + "0" * 27, "ep_事件编号",
        "ep_😀000", "ep_００００", "ep_\x000000", "ep__0000", "episode_0000", "'; DROP TABLE x",
    ],
)  # fmt: skip
def test_what_is_no_id_is_refused(text: str) -> None:
    with pytest.raises(InvalidInputError):
        parse_id(text)


@given(text=st.text(max_size=40))
def test_any_text_is_an_id_or_is_refused(text: str) -> None:
    try:
        prefix, lowest, highest = parse_id(f"ep_{text}")
    except InvalidInputError:
        return
    assert prefix == "ep"
    assert lowest <= highest


def test_the_alphabet_has_no_look_alikes() -> None:
    assert len(set(ALPHABET)) == 32
    assert not set("ILOU") & set(ALPHABET)
    assert sorted(ALPHABET) == list(ALPHABET)
