"""Tests of a model's dates: held against what the words say, seen from the day they were said."""

import json
from typing import Any

import pytest

from memorycore.exchange.model_answer import Reading, read_answer
from memorycore.exchange.model_time import Dated, check_date
from memorycore.model.heard import Heard
from memorycore.model.packet import Packet
from memorycore.model.predicate import Predicate
from memorycore.model.time import format_moment, parse_moment

SAID = "2022-01-16T10:00:00+08:00"
"""A Sunday."""


def heard(text: str, said: str | None = SAID) -> Heard:
    return Heard("ep_A", text, said_at=parse_moment(said) if said else None, zone="+08:00")


def check(
    text: str, words: str | None, given: str, *, end: str = "valid_from", said: str | None = SAID
) -> Dated:
    return check_date(end, given, words, heard(text, said), text)


def when(dated: Dated) -> str | None:
    if dated.when is None:
        return None
    moment = dated.when.moment
    return format_moment(moment.from_, moment.precision, moment.zone)


def code(dated: Dated) -> str | None:
    return dated.note[0] if dated.note else None


AGREEING = [
    ("I moved to Braga last week", "last week", "2022-W01", "2022-W01"),
    ("I moved to Braga yesterday", "yesterday", "2022-01-15", "2022-01-15"),
    ("我昨天搬到了杭州", "昨天", "2022-01-15", "2022-01-15"),
    ("去年九月搬到了柏林", "去年九月", "2021-09", "2021-09"),
    ("２０２１年３月读的《边城》", "2021年3月", "2021-03", "2021-03"),
    ("去年九月搬到了柏林 🏠", "去年九月", "2021-09-01", "2021-09"),
    ("I moved to Braga last week", "last week", "2022-01-05", "2022-W01"),
    ("I moved to Braga last week", "week", "2022-01", "2022-W01"),
    ("I have lived here since 2019", "since 2019", "2019", "2019"),
    ("He retired in May 2021", "May", "2021", "2021-05"),
]


@pytest.mark.parametrize(("text", "words", "given", "taken"), AGREEING)
def test_where_both_agree_what_the_words_say_is_taken_and_no_more(
    text: str, words: str, given: str, taken: str
) -> None:
    dated = check(text, words, given)

    assert (when(dated), dated.note, dated.needs_person) == (taken, None, False)


DISAGREEING = [
    # Counted from the day of the run, in 2026.
    ("I moved to Braga last week", "last week", "2026-W07", "2022-W01"),
    ("I moved to Braga yesterday", "yesterday", "2026-02-17", "2022-01-15"),
    ("去年九月搬到了柏林", "去年九月", "2025-09", "2021-09"),
    ("我昨天搬到了杭州", "昨天", "2026-02-17", "2022-01-15"),
    # Counted wrongly, or not at all.
    ("我昨天搬到了杭州", "昨天", "2022-01-16", "2022-01-15"),
    ("He retired in May 2021", "May 2021", "2021-06", "2021-05"),
    ("We met two years ago", "two years ago", "2024", "2020-01-16"),
]


@pytest.mark.parametrize(("text", "words", "given", "taken"), DISAGREEING)
def test_where_they_differ_the_words_hold_and_a_person_looks(
    text: str, words: str, given: str, taken: str
) -> None:
    dated = check(text, words, given)

    assert (when(dated), code(dated), dated.needs_person) == (taken, "time_disagrees", True)


@pytest.mark.parametrize(
    ("text", "words", "given", "taken"),
    [
        ("We met two years ago", "two years ago", "2020", "2020"),
        ("We met two years ago", "two years ago", "2019-12", "2020-01-16"),
        ("三年前认识的", "三年前", "2019", "2019"),
        ("He left two weeks ago", "two weeks ago", "2022-01-04", "2022-01-02"),
    ],
)
def test_what_was_said_roughly_is_held_against_roughly(
    text: str, words: str, given: str, taken: str
) -> None:
    dated = check(text, words, given)

    assert (when(dated), dated.needs_person) == (taken, False)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I finished Middlemarch recently", "recently"),
        ("最近读完了《边城》", "最近"),
        ("小时候住在绍兴", "小时候"),
    ],
)
def test_words_that_name_no_certain_time_give_no_date(text: str, words: str) -> None:
    dated = check(text, words, "2022-01-16")

    assert (when(dated), code(dated)) == (None, "time_not_placed")


@pytest.mark.parametrize("words", [None, "", " ", "last month", "上个月"])
def test_a_date_without_words_that_were_said_is_left_out(words: str | None) -> None:
    dated = check("I moved to Braga last week", words, "2022-W01")

    assert (when(dated), code(dated)) == (None, "time_not_said")


def test_words_that_are_not_known_are_taken_where_they_hold_the_year() -> None:
    dated = check("Seit Ostern 2019 wohne ich in Kiel", "Ostern 2019", "2019-04-21")

    assert when(dated) is not None
    assert not dated.needs_person


def test_words_that_are_not_known_and_hold_no_year_are_looked_at() -> None:
    dated = check("Ich bin letzte Woche umgezogen", "letzte Woche", "2026-02-09")

    assert (code(dated), dated.needs_person) == ("time_not_checked", True)


@pytest.mark.parametrize(
    ("text", "words"), [("I moved last week", "last week"), ("我上周搬家了", "上周")]
)
def test_without_a_day_to_count_from_a_relative_time_stays_unknown(text: str, words: str) -> None:
    dated = check(text, words, "2026-W07", said=None)

    assert (when(dated), code(dated)) == (None, "no_observation_date")


def test_without_a_day_to_count_from_a_full_date_is_taken() -> None:
    assert when(check("在2021年3月搬的", "2021年3月", "2021-03", said=None)) == "2021-03"


def test_an_end_is_not_taken_for_a_beginning_nor_a_beginning_for_an_end() -> None:
    until = "I worked at Farol until May 2021"
    assert when(check(until, "until May 2021", "2021-05", end="valid_to")) == "2021-05"
    assert when(check(until, "until May 2021", "2021-06", end="valid_to")) == "2021-05"
    wrong = check(until, "until May 2021", "2021-05")
    assert (when(wrong), code(wrong), wrong.needs_person) == (None, "time_disagrees", True)

    since = check("I have lived here since 2019", "since 2019", "2019", end="valid_to")
    assert (when(since), code(since), since.needs_person) == (None, "time_disagrees", True)


def test_both_ends_may_lie_in_one_span() -> None:
    text, words = "从2019年到2021年在腾讯工作", "从2019年到2021年"
    assert when(check(text, words, "2019")) == "2019"
    outside = check(text, words, "2023")
    assert (when(outside), outside.needs_person) == (None, True)


def test_of_words_that_stand_twice_those_of_the_quote_count() -> None:
    text = "Last week was long. 2021: last week I moved. I moved to Braga last week."
    dated = check_date("valid_from", "2022-W01", "last week", heard(text), "I moved to Braga")

    assert when(dated) == "2022-W01"


def test_the_local_day_of_the_turn_counts() -> None:
    late = "2022-01-16T00:30:00+08:00"  # still the 15th in UTC
    assert when(check("我昨天搬到了杭州", "昨天", "2022-01-15", said=late)) == "2022-01-15"


def test_what_is_no_date_is_left_out() -> None:
    assert code(check("I moved last week", "last week", "last week")) == "invalid_time"


def read(text: str, **more: Any) -> Reading:
    packet = Packet((heard(text),), predicates=(Predicate("lives_in"),), current_date="2026-02-18")
    item = {"predicate": "lives_in", "object": "Braga", "quote": text, "message": "m1"} | more
    return read_answer(json.dumps({"candidates": [item]}), packet)


def test_a_candidate_whose_date_was_wrong_waits_for_a_person_with_a_note() -> None:
    reading = read("I moved to Braga last week", valid_from="2026-W07", time_text="last week")

    (candidate,) = reading.candidates
    assert candidate.is_tentative
    assert candidate.valid_from is not None
    assert candidate.valid_from.moment == parse_moment("2022-W01", zone="+08:00")
    assert candidate.valid_from.basis == "relative"
    (note,) = reading.problems
    assert (note.code, note.severity) == ("time_disagrees", "warn")


def test_a_candidate_whose_date_was_right_does_not_wait() -> None:
    reading = read("I moved to Braga last week", valid_from="2022-W01", time_text="last week")

    assert not reading.candidates[0].is_tentative
    assert reading.problems == []
