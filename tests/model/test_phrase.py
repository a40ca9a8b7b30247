"""Time phrases: what they name, seen from the day on which they were said."""

import json
import time
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorycore.errors import InvalidTimeError
from memorycore.model.phrase import TimePhrase, find_time_phrases
from memorycore.model.time import DAY, from_microseconds, load_zone, parse_moment

ROOT = Path(__file__).parents[2]
CASES = [
    json.loads(line)
    for line in (ROOT / "testdata" / "time_phrases.jsonl").read_text("utf-8").splitlines()
]
WEDNESDAY = "2024-05-15T10:00:00+08:00"


def find(text: str, said_at: str | None = WEDNESDAY, zone: str = "UTC") -> tuple[TimePhrase, ...]:
    reference = None if said_at is None else parse_moment(said_at, zone=zone)
    return find_time_phrases(text, said_at=reference, zone=zone)


def only(text: str, said_at: str | None = WEDNESDAY, zone: str = "UTC") -> TimePhrase:
    (phrase,) = find(text, said_at, zone)
    return phrase


def days(phrase: TimePhrase) -> tuple[str, str] | None:
    moment = phrase.moment
    if moment is None:
        return None
    zone = load_zone(moment.zone)
    ends = (moment.from_, moment.to - 1)
    first, last = (from_microseconds(end).astimezone(zone).date().isoformat() for end in ends)
    return first, last


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['text']} {case['reference'][:10]}")
def test_a_phrase_names_the_days_it_should(case: dict[str, str | None]) -> None:
    placed = [found for found in find(str(case["text"]), case["reference"]) if found.moment]
    if case["start"] is None:
        assert not placed
        return
    (phrase,) = placed
    assert days(phrase) == (case["start"], case["end"])
    assert phrase.moment is not None
    assert phrase.moment.precision == case["precision"]


def test_there_are_enough_phrases_of_both_languages_and_enough_traps() -> None:
    languages = [case["lang"] for case in CASES]
    assert min(languages.count("zh"), languages.count("en")) >= 110
    assert sum(case["start"] is None for case in CASES) >= 40


@pytest.mark.parametrize(
    ("text", "phrase", "relation"),
    [
        ("I have lived here since May 2020", "since May 2020", "since"),
        ("it was open until 2023.", "until 2023", "until"),
        ("finish it by Friday, please", "by Friday", "until"),
        ("we will meet before Christmas 2024", "before Christmas 2024", "before"),
        ("I moved after 2019", "after 2019", "after"),
        ("from 2019 on, she worked alone", "from 2019 on", "since"),
        ("自2019年起我住在这里", "自2019年起", "since"),
        ("从去年开始学日语", "从去年开始", "since"),
        ("直到去年我都住在武汉", "直到去年", "until"),
        ("到2027年3月为止", "到2027年3月为止", "until"),
        ("2019年以前", "2019年以前", "before"),
        ("去年国庆以后没见过", "去年国庆以后", "after"),
        ("2019年至今", "2019年至今", "since"),
        ("I was there in May 2023.", "in May 2023", "at"),
    ],
)
def test_the_word_that_joins_a_phrase_belongs_to_it(text: str, phrase: str, relation: str) -> None:
    found = only(text)
    assert (found.text, found.relation) == (phrase, relation)
    assert found.moment is not None


def test_an_absolute_phrase_needs_no_reference_and_a_relative_one_does() -> None:
    assert days(only("in May 2023", None)) == ("2023-05-01", "2023-05-31")
    assert only("in May 2023", None).basis == "explicit"
    for text in ("yesterday", "上周三", "两年前", "国庆节", "in May", "3 hours ago", "5月7号"):
        assert only(text, None).moment is None
        assert only(text, None).basis == "relative"


@pytest.mark.parametrize(
    ("text", "said_at", "expected"),
    [
        ("yesterday", "2024-05-15", ("2024-05-14", "2024-05-14")),
        ("yesterday", "2024-05", None),
        ("last year", "2024-05", ("2023-01-01", "2023-12-31")),
        ("last month", "2024-05", ("2024-04-01", "2024-04-30")),
        ("last week", "2024-W20", ("2024-05-06", "2024-05-12")),
        ("last Friday", "2024-W20", None),
        ("去年九月", "2024", ("2023-09-01", "2023-09-30")),
        ("上个月", "2024", None),
        ("上周", "2024-05", None),
        ("3 hours ago", "2024-05-15", None),
    ],
)
def test_a_coarse_reference_places_what_it_can(
    text: str, said_at: str, expected: tuple[str, str] | None
) -> None:
    assert days(only(text, said_at)) == expected


def test_the_day_is_that_of_the_zone_it_was_said_in() -> None:
    late = parse_moment("2024-12-31T23:30:00+08:00")
    (phrase,) = find_time_phrases("today", said_at=late, zone="America/New_York")
    assert days(phrase) == ("2024-12-31", "2024-12-31")
    assert phrase.moment is not None
    assert phrase.moment.zone == "+08:00"
    assert phrase.moment.to - phrase.moment.from_ == DAY
    (phrase,) = find_time_phrases("May 7, 2023", said_at=None, zone="Asia/Shanghai")
    assert phrase.moment == parse_moment("2023-05-07", zone="Asia/Shanghai")


def test_a_day_of_the_change_of_clocks_has_its_own_length() -> None:
    phrase = only("today", "2024-03-31T12:00:00", "Europe/Berlin")
    assert phrase.moment is not None
    assert phrase.moment.to - phrase.moment.from_ == 23 * DAY // 24


def test_clock_times_are_instants_in_the_zone() -> None:
    expected = parse_moment("2024-05-16T15:30:00+08:00")
    for text in ("明天下午三点半", "tomorrow at 3:30 pm", "3:30pm tomorrow", "明天15:30"):
        assert only(text).moment == expected
    assert only("今晚十二点").moment == parse_moment("2024-05-16T00:00:00+08:00")
    iso = only("2023-05-07T15:30:00Z")
    assert iso.moment == parse_moment("2023-05-07T15:30:00Z")


@pytest.mark.parametrize("text", ["Tuesday 25 March", "on 25 March (Tuesday)", "3月25日星期二"])
def test_the_weekday_beside_a_date_tells_its_year(text: str) -> None:
    assert days(only(text, "2025-03-22")) == ("2025-03-25", "2025-03-25")
    assert days(only(text, "2025-05-22")) == ("2025-03-25", "2025-03-25")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the lease ends on 28 March", "2025-03-28"),
        ("the report came on 28 November", "2024-11-28"),
        ("I will go on 28 March", "2025-03-28"),
        ("She has it on 10 August", None),
        ("I booked the van for 20 February", None),
        ("my birthday is on 28 March", None),
    ],
)
def test_a_date_without_a_year_takes_the_year_that_the_sentence_shows(
    text: str, expected: str | None
) -> None:
    found = days(only(text, "2025-02-11"))
    assert (found and found[0]) == expected


@pytest.mark.parametrize("text", ["next Friday", "last March", "next summer", "next November"])
def test_where_people_differ_nothing_is_guessed(text: str) -> None:
    assert only(text).moment is None


def test_rough_phrases_are_marked() -> None:
    for text in ("two years ago", "三个月前", "around Christmas 2022", "2022年国庆前后"):
        assert only(text).loose
    for text in ("two days ago", "yesterday", "2022年国庆"):
        assert not only(text).loose


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("是《边城》，2021年3月读的", "2021年3月"),
        ("出生日期：1990年5月3日", "1990年5月3日"),
        ("旅行:3月去的", "3月"),
    ],
)
def test_a_year_stands_right_after_a_chinese_comma_or_colon(text: str, phrase: str) -> None:
    assert [found.text for found in find(text)] == [phrase]


@pytest.mark.parametrize("text", ["共1,200年历史", "开场12:30月票", "比分3:2年年如此"])
def test_what_stands_behind_a_mark_between_digits_is_no_year(text: str) -> None:
    assert find(text) == ()


def test_spans_are_code_points_of_the_text_as_it_was_written() -> None:
    text = "😀 兩年前，ＭＡＹ　 İ, 上週三我去了"
    first, second = find(text)
    assert (first.text, text[first.start : first.end]) == ("兩年前", "兩年前")
    assert second.text == "上週三"


def test_several_phrases_of_a_sentence_are_found_in_order() -> None:
    found = find("昨天开会，明天出差，last Friday I slept")
    assert [phrase.text for phrase in found] == ["昨天", "明天", "last Friday"]


def test_what_is_no_time_gives_no_phrase_at_all() -> None:
    for text in (
        "I may go", "we march on", "a second", "for three days", "三天的假", "等了两年",
        "2 hours long", "version 3.12", "$2019", "RTX 3090", "+86 138-0013-8000", "3:2 win",
        "五一路", "三月饼", "3号线", "90后", "《夏天》", "Red October", "April said no",
    ):  # fmt: skip
        assert find(text) == (), text


def test_an_unknown_zone_is_an_error() -> None:
    with pytest.raises(InvalidTimeError):
        find_time_phrases("in 2019", said_at=None, zone="Moon/Base")


@pytest.mark.parametrize(
    "piece",
    [
        "1",
        "the ",
        "a ",
        "一",
        "二十",
        "去年",
        "每",
        "in ",
        "12:",
        "2019-",
        "May ",
        "周一",
        "(",
        "from ",
    ],
)
def test_a_long_text_takes_time_in_proportion_to_its_length(piece: str) -> None:
    def cost(length: int) -> float:
        text = piece * (length // len(piece))
        begin = time.process_time()
        find(text)
        return time.process_time() - begin

    cost(2_000)
    assert cost(80_000) < 12 * max(cost(20_000), 0.005)


WORDS = (
    "last next this the day before yesterday after tomorrow in on since until May march 7 31 2023"
    " two weeks ago from now Friday Sunday's weekend of and to - : 15:30 3pm early end month year"
    " summer Christmas Q3 90s half a an couple every 去年 上 下 个 周 月 号 日 三 十 二 〇 半 年 前"
    " 后 到 从 起 初 底 国庆 中秋 早上 点 分 每 几 第 最近 的 9999 0001 İ ß 𝟚 週 兩 99999 ( ) ，"
).split()
TEXTS = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=14).map("".join),
)
REFERENCES = st.sampled_from(
    "none 2024-02-29 2024-05 2024 2023-12-31T23:59:59+08:00 2020-W53 0001-01-02 9999-12-30 9998"
    " 2025-01-01T00:00:00-05:00 0001-01-01T00:00:00Z 9999-12-31T23:59:59Z".split()
).map(lambda text: None if text == "none" else text)


@settings(max_examples=1500, deadline=None)
@given(TEXTS, REFERENCES, st.sampled_from(["UTC", "+08:00", "America/New_York", "Pacific/Apia"]))
def test_any_text_is_read_without_an_error(text: str, said_at: str | None, zone: str) -> None:
    end = 0
    for phrase in find(text, said_at, zone):
        assert end <= phrase.start < phrase.end <= len(text)
        assert phrase.text == text[phrase.start : phrase.end]
        end = phrase.end
        assert phrase.basis in ("explicit", "relative")
        assert phrase.relation in ("at", "since", "until", "before", "after")
        if phrase.moment:
            assert phrase.moment.from_ < phrase.moment.to
            assert said_at is not None or phrase.basis == "explicit"


@settings(max_examples=200, deadline=None)
@given(
    st.dates(date(1990, 1, 1), date(2045, 1, 1)),
    st.integers(1, 200),
    st.sampled_from(
        "上周三 下周一 这周日 last_Friday next_Tuesday this_Thursday on_Friday 周三 上周 last_week"
        " next_week 上周末 大后天 yesterday 三天前 two_weeks_ago 最近三天 since_Monday".split()
    ),
)
def test_a_reference_some_weeks_later_moves_what_hangs_on_the_week(
    day: date, weeks: int, text: str
) -> None:
    text = text.replace("_", " ")
    later = day + timedelta(weeks=weeks)
    first, second = only(text, day.isoformat()), only(text, later.isoformat())
    if first.moment is None or second.moment is None:
        assert first.moment is second.moment
        return
    assert second.moment.from_ - first.moment.from_ == weeks * 7 * DAY
    assert second.moment.to - first.moment.to == weeks * 7 * DAY


@settings(max_examples=300, deadline=None)
@given(st.dates(date(1700, 1, 1), date(2099, 12, 31)), st.dates(date(1900, 1, 1)))
def test_a_full_date_is_the_same_however_it_is_written(day: date, said: date) -> None:
    month = f"{day:%B}"
    for text in (
        day.isoformat(),
        f"{day.year}年{day.month}月{day.day}日",
        f"{day.year}/{day.month}/{day.day}",
        f"{month} {day.day}, {day.year}",
        f"on {day.day} {month} {day.year}",
        f"the {day.day}th of {month.lower()} {day.year}",
        f"{day:%A}, {month[:3]}. {day.day} {day.year}",
    ):
        for reference in (None, said.isoformat()):
            assert only(text, reference).moment == parse_moment(day.isoformat()), text


@settings(max_examples=200, deadline=None)
@given(st.dates(date(1950, 1, 1), date(2049, 12, 31)), st.integers(1, 999))
def test_days_ago_and_from_now_are_counted_alike_in_both_languages(day: date, count: int) -> None:
    for texts, sign in (
        ((f"{count} days ago", f"{count}天前"), -1),
        ((f"{count} days from now", f"{count}天后"), 1),
    ):
        expected = (day + timedelta(days=sign * count)).isoformat()
        for text in texts:
            assert days(only(text, day.isoformat())) == (expected, expected)
