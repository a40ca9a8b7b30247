"""The offline proposer: what it proposes of a turn, and what it leaves alone."""

import time

import pytest

from memorycore.model.candidate import Candidate
from memorycore.model.heard import Heard
from memorycore.model.time import format_moment, parse_moment
from memorycore.port.rules import Rules

RULES = Rules()
SAID = parse_moment("2025-09-10T10:00:00+02:00")


def propose(text: str, role: str = "user") -> list[Candidate]:
    return RULES.propose(Heard("e1", text, role, None, SAID, "+02:00"))


def shown(text: str) -> list[tuple[str, str, str]]:
    return [
        (found.predicate, found.object.name if found.object else found.value or "", found.act)
        for found in propose(text)
    ]


def day(found: Candidate, end: str) -> str | None:
    when = getattr(found, end)
    return when and format_moment(when.moment.from_, when.moment.precision, when.moment.zone)


def test_it_says_what_it_covers() -> None:
    assert RULES.name == "rules"
    assert len(RULES.version) == 12
    assert len(RULES.covers) == 24
    assert "lives_in" in RULES.covers
    assert "note" not in RULES.covers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I live in Torvik and I work at the Lighthouse Press.",
         [("lives_in", "Torvik", "assert"), ("works_at", "the Lighthouse Press", "assert")]),
        ("No, I never lived in Porto, it was Braga.", [("lives_in", "Braga", "correct")]),
        ("I never lived in Porto.", [("lives_in", "Porto", "retract")]),
        ("Correction: I live in Upper Harlow, not Harlow.",
         [("lives_in", "Upper Harlow", "correct")]),
        ("更正一下，我住的是南浦，不是北浦。", [("lives_in", "南浦", "correct")]),
        ("最喜欢柳见青的作品是《木匠的九个冬天》。",
         [("PREFERS_AUTHOR", "柳见青", "assert"), ("FAVORITE_WORK", "木匠的九个冬天", "assert")]),
        ("我喜欢爬山，但是讨厌露营。",
         [("likes", "爬山", "assert"), ("dislikes", "露营", "assert")]),
        ("從去年開始我就住在臺中。", [("lives_in", "臺中", "assert")]),
    ],
)  # fmt: skip
def test_what_a_speaker_says_of_themselves(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "My sister lives in Leeds.", "我姐住在温州。", "If I lived in Lisbon I'd surf every day.",
        "假设我搬到成都，社保怎么转？", "Do I live in Porto?", "I don't live in Porto.",
        'The poster reads "I love this town".', "My ex claimed I hated her friends.",
        "As a kid I hated spinach.", "小时候我最讨厌吃菠菜。", "Call me a taxi for seven.",
        "Let's role-play: I'm a pirate, I live on the Black Gull.", "Please fix the login page.",
        'My favourite password is "ilovebraga99".', "In my novel the heroine lives in Varn.",
        "他最近在忙搬家。", "Haha nice one.", "好的", "", "。。。",
    ],
)  # fmt: skip
def test_what_is_no_statement_of_the_speaker_gives_nothing(text: str) -> None:
    assert shown(text) == []


@pytest.mark.parametrize("role", ["assistant", "tool", "system", "event", "document"])
def test_only_users_speak_of_themselves(role: str) -> None:
    assert propose("I live in Porto.", role) == []


def test_a_secret_beside_a_statement_silences_it() -> None:
    assert propose("I love my api key = key_demo_77b0e1c4aa2d and I live in Porto") == []


@pytest.mark.parametrize(
    ("text", "end", "expected"),
    [
        ("I moved to Ghent in May 2021.", "valid_from", "2021-05"),
        ("Yesterday was my last day at Corvane Analytics.", "valid_to", "2025-09-09"),
        ("I'll send Mia the draft by Friday.", "valid_to", "2025-09-12"),
        ("I'll send Mia the draft by the 20th.", "valid_to", "2025-09-20"),
        ("I'll pay the rent by the 5th.", "valid_to", "2025-10-05"),
        ("上周五我从恒桥贸易离职了。", "valid_to", "2025-09-05"),
        ("昨天我把脚崴了。", "valid_from", "2025-09-09"),
        ("I've been with Northgate Dental since 2017.", "valid_from", "2017"),
    ],
)
def test_times_of_the_clause_are_taken(text: str, end: str, expected: str) -> None:
    (found,) = propose(text)
    assert day(found, end) == expected


def test_a_job_that_ended_at_no_known_time_is_not_proposed_as_held() -> None:
    assert propose("I resigned from Corvane Analytics.") == []


def test_an_order_is_ranked_only_where_it_was_said() -> None:
    first, second = propose("要说心头好，第一是《盐路》，第二是《灯下抄书人》。")
    assert (first.rank, second.rank) == (1, 2)
    (one_of,) = propose('"A Year of Low Tides" is one of my favourite films.')
    assert one_of.rank is None


def test_a_quote_is_found_where_it_stands() -> None:
    text = "I live in Porto? Sure I live in Porto. I live in Porto, and I love rain there."
    for found in propose(text):
        (quote,) = found.quotes
        assert quote.text is not None
        assert quote.text in text
        named = found.object.name if found.object else found.value
        assert named in quote.text
        assert text.find(quote.text) + len(quote.text) > text.find(str(named))
    assert propose(text)


def test_places_in_the_text_survive_folding() -> None:
    assert shown("我英文名Ｌｅｏ，平时就用这个吧。") == [("prefers_name", "Ｌｅｏ", "assert")]


def test_a_tag_is_bare() -> None:
    (found,) = propose("我写的对话太生硬了。")
    assert found.object is not None
    assert (found.object.name, found.object.kind) == ("太生硬", "tag")


def test_code_quotations_and_addresses_are_not_speech() -> None:
    assert propose("```\nI live in Porto.\n```\n> I live in Porto.\n") == []


@pytest.mark.parametrize("text", ["I love " * 4000, "我喜欢" * 1000, "my " * 2000, "a, " * 8000])
def test_a_long_turn_takes_no_time(text: str) -> None:
    propose(text)


@pytest.mark.parametrize(
    "said",
    ["我住在上海。", "我住在上海，", "我喜欢茶和", "\n", " ", "\n\n```\nx\n", ". ",
     "I like tea. ", "I like tea and ", "I moved to Berlin and I like tea but "],
)  # fmt: skip
def test_a_turn_that_says_the_same_over_and_over_costs_little_more_for_each(said: str) -> None:
    def cost(length: int) -> float:
        text = (said * length)[:length]
        began = time.process_time()
        propose(text)
        return time.process_time() - began

    cost(300)
    # Cubic cost would be a hundred times as much, and quadratic one twenty-five times.
    assert min(cost(4_000) for _ in range(2)) < 25 * max(min(cost(800) for _ in range(2)), 0.02)


def test_a_sentence_without_an_end_is_no_plain_sentence() -> None:
    assert shown("I live in Porto. " + "and I like tea " * 100 + ". I work at Acme.") == [
        ("lives_in", "Porto", "assert"),
        ("works_at", "Acme", "assert"),
    ]
