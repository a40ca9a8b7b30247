"""Time as people meet it: zones, write time and event time, ticks, and both axes of a question."""

from typing import Any

import pytest

MARCH, APRIL, MAY = (f"2025-0{month}-10T09:00:00+00:00" for month in (3, 4, 5))


@pytest.mark.parametrize(
    ("zone", "when", "home"),
    [
        ("UTC", "2025-07-24", "Wick"),
        ("Asia/Tokyo", "2025-07-24", None),
        ("Asia/Tokyo", "2025-07-25", "Otter"),
        ("UTC", "2025-07-25", "Otter"),
    ],
)
def test_a_day_is_the_day_of_the_zone_that_asks(
    make_world: Any, zone: str, when: str, home: str | None
) -> None:
    world = make_world()
    memory = world.memory
    memory.add("I live in Wick.", speaker="Nell", at="2025-07-25T02:00:00+09:00", external_id="w")
    memory.add("I live in Otter.", speaker="Nell", at="2025-07-25T02:00:00Z", external_id="o")
    items = [{"predicate": "lives_in", "object": name, "external_id": key}
             for name, key in (("Wick", "w"), ("Otter", "o"))]  # fmt: skip
    memory.learn(items)
    last = {"UTC": "T23:59:59Z", "Asia/Tokyo": "T23:59:59+09:00"}[zone]

    found = [fact.object_text for fact in memory.facts(as_of=when + last)]

    assert found == ([home] if home else [])
    world.store.close()


def test_the_written_hour_decides_nothing(story: Any) -> None:
    # 02:00 in Tokyo is 17:00 of the day before in Greenwich.
    story.tell("I live in Wick.", "lives_in", "Wick", "2025-07-24T20:00:00Z")
    tokyo = story.tell("I live in Otter.", "lives_in", "Otter", "2025-07-25T02:00:00+09:00")

    assert tokyo == "history older"
    assert story.now() == ["Nell lives_in Wick"]


@pytest.mark.parametrize("text", ["I moved to Alfa on 31 May.", "我五月三十一号搬到了 Alfa。"])
def test_what_happened_is_dated_by_when_it_happened(story: Any, text: str) -> None:
    story.tell(text, "lives_in", "Alfa", "2025-06-01T08:00:00Z", valid_from="2025-05-31")

    fact = story.fact("Nell lives_in Alfa")
    assert fact.period.starts("UTC") == "2025-05-31"
    assert (fact.period.from_precision, fact.period.from_basis) == ("day", "explicit")
    assert fact.evidence[0].at.startswith("2025-06-01T08:00:00")
    assert fact.to_dict()["known"]["from"].startswith("2026-01-01")
    assert story.on("2025-05-31") == ["Nell lives_in Alfa"]
    assert story.on("2025-05-30") == []


def test_a_start_that_was_not_said_is_shown_as_when_it_was_mentioned(story: Any) -> None:
    story.tell("I live in Alfa.", "lives_in", "Alfa", MARCH)

    valid = story.fact("Nell lives_in Alfa").to_dict()["valid"]
    assert (valid["from"], valid["from_basis"]) == ("2025-03-10T09:00:00Z", "mentioned")
    assert story.fact("Nell lives_in Alfa").when == "true by 2025-03-10 →"


def test_nothing_is_known_of_the_time_of_an_undated_sentence(story: Any) -> None:
    story.tell("I live in Alfa.", "lives_in", "Alfa", None)

    valid = story.fact("Nell lives_in Alfa").to_dict()["valid"]
    assert (valid["from"], valid["to"]) == (None, None)
    assert story.on("1990") == ["Nell lives_in Alfa"]


@pytest.mark.parametrize("count", [2, 3, 5])
def test_changes_in_one_tick_go_by_their_order(story: Any, count: int) -> None:
    names = [f"Home{number}" for number in range(count)]
    for name in names:
        story.tell(f"I live in {name}.", "lives_in", name, MARCH, session="one")

    assert story.now() == [f"Nell lives_in {names[-1]}"]
    assert story.on("2025-06") == story.now()
    for fact in story.memory.facts(include={"past", "invalid"}):
        assert fact.period is None or fact.period.valid_from < fact.period.valid_to


def test_changes_in_one_sentence_go_by_their_place_in_it(story: Any) -> None:
    key = story.say("Call me Ada. No, wait: call me Bea.", MARCH)
    items = [{"predicate": "prefers_name", "object": name, "external_id": key, "quote": quote}
             for name, quote in (("Bea", "call me Bea"), ("Ada", "Call me Ada"))]  # fmt: skip

    story.learn(*items)

    assert story.now() == ["Nell prefers_name Bea"]


def test_two_sessions_in_one_tick_contradict_each_other(story: Any) -> None:
    story.tell("I live in Alfa.", "lives_in", "Alfa", MARCH)

    assert story.tell("I live in Bravo.", "lives_in", "Bravo", MARCH) == "conflict contradicts"
    assert story.now() == ["Nell lives_in Alfa", "Nell lives_in Bravo"]


def test_the_day_before_a_change_the_old_value_held(story: Any) -> None:
    story.tell("I live in Alfa.", "lives_in", "Alfa", MARCH)
    story.tell("I live in Bravo.", "lives_in", "Bravo", MAY)

    assert story.on("2025-05-09") == ["Nell lives_in Alfa"]
    assert story.fact("Nell lives_in Alfa").period.ended_by == "successor"


def test_an_end_that_was_told_is_not_overwritten(story: Any) -> None:
    said = "I live in Alfa until the end of June."
    story.tell(said, "lives_in", "Alfa", MARCH, valid_to="2025-06-30")
    story.tell("I live in Bravo.", "lives_in", "Bravo", "2025-09-01")

    period = story.fact("Nell lives_in Alfa").period
    assert (period.ends("UTC"), period.ended_by) == ("2025-06-30", "statement")
    assert story.on("2025-08-01") == []


def test_an_end_that_was_told_yields_to_a_move_before_it(story: Any) -> None:
    said = "I live in Alfa until the end of June."
    story.tell(said, "lives_in", "Alfa", MARCH, valid_to="2025-06-30")
    story.tell("I live in Bravo.", "lives_in", "Bravo", MAY)

    assert story.on("2025-05-20") == ["Nell lives_in Bravo"]
    assert story.fact("Nell lives_in Alfa").period.ends("UTC") == "2025-05-10T09:00:00Z"


def test_a_visit_inside_a_stay_splits_it(story: Any) -> None:
    story.tell("I live in Alfa.", "lives_in", "Alfa", MARCH)
    said = "In May I lived in Bravo."
    decision = story.tell(
        said, "lives_in", "Bravo", "2025-07-01", valid_from="2025-05-01", valid_to="2025-06-01"
    )

    assert decision == "history within"
    assert story.on("2025-04-15") == ["Nell lives_in Alfa"]
    assert story.on("2025-05-15") == ["Nell lives_in Bravo"]
    assert story.on("2025-06-15") == ["Nell lives_in Alfa"]


def test_true_then_and_known_then_are_two_questions(story: Any) -> None:
    said = "Ysolde has been director of Lantern Hall since June 2024."
    story.tell(said, "works_at", "Lantern Hall", MARCH, subject="Ysolde", valid_from="2024-06")

    assert story.on("2024-09") == ["Ysolde works_at Lantern Hall"]
    assert story.on("2024-09", known_at="2024-09") == []
    assert story.on("2024-05") == []


def test_what_was_believed_before_a_change_can_still_be_asked(story: Any) -> None:
    story.tell("I live in Alfa.", "lives_in", "Alfa", MARCH)
    known = story.memory.operations()[0].at
    story.tell("I live in Bravo.", "lives_in", "Bravo", APRIL)
    from memorycore.model.time import format_instant

    before = format_instant(known)
    assert story.on("2025-06-01", known_at=before) == ["Nell lives_in Alfa"]
    assert story.on("2025-06-01") == ["Nell lives_in Bravo"]
    difference = story.memory.as_of_diff("2025-03-20", "2025-04-20")
    assert [fact.text for fact in difference.began] == ["Nell lives_in Bravo"]
    assert [fact.text for fact in difference.ended] == ["Nell lives_in Alfa"]


@pytest.mark.parametrize(
    ("given", "precision", "inside", "outside"),
    [
        ("2024", "year", "2024-01-01", "2023-12-31"),
        ("2024-06", "month", "2024-06-01", "2024-05-31"),
        ("2024-06-15", "day", "2024-06-15", "2024-06-14"),
    ],
)
def test_a_start_is_as_precise_as_it_was_said(
    story: Any, given: str, precision: str, inside: str, outside: str
) -> None:
    story.tell("I live in Alfa.", "lives_in", "Alfa", MARCH, valid_from=given)

    period = story.fact("Nell lives_in Alfa").period
    assert (period.starts("UTC"), period.from_precision) == (given, precision)
    assert story.on(inside) == ["Nell lives_in Alfa"]
    assert story.on(outside) == []


def test_a_home_that_comes_back_has_two_periods(story: Any) -> None:
    for name, at in (("Alfa", MARCH), ("Bravo", APRIL)):
        story.tell(f"I live in {name}.", "lives_in", name, at)

    assert story.tell("I live in Alfa again.", "lives_in", "Alfa", MAY) == "supersede came_back"

    assert len(story.memory.history(subject="Nell", predicate="lives_in")) >= 3
    assert story.on("2025-03-20") == story.now() == ["Nell lives_in Alfa"]
