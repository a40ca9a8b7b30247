"""Labelled sentences are read strictly; what is wrong is named with its field."""

from typing import Any

import pytest

from memorycore.errors import InvalidInputError
from memorycore.exchange.labelled_line import read_labelled
from memorycore.model.scoring import Labelled

KNOWN = {"lives_in", "likes"}
LEEDS = {"predicate": "lives_in", "object": "Leeds", "quote": "live in Leeds"}
LINE: dict[str, Any] = {"id": "a", "lang": "en", "text": "I live in Leeds.", "expect": [LEEDS]}


def read(**changes: Any) -> Labelled:
    return read_labelled(LINE | changes, place="f line 1", predicates=KNOWN)


def test_a_line_becomes_a_turn_and_its_label() -> None:
    found = read(at="2025-02-11T09:00:00+01:00", speaker="Ana", trap="third_person")

    assert (found.turn.text, found.turn.role, found.turn.speaker) == (LINE["text"], "user", "Ana")
    assert found.turn.occurred is not None
    assert (found.label.id, found.label.language, found.label.trap) == ("a", "en", "third_person")
    assert found.label.expect[0][0].predicates == ("lives_in",)
    assert found.label.expect[0][0].shown == "Leeds"


def test_other_facts_may_stand_in_place_of_a_fact() -> None:
    [options] = read(expect=[{"any_of": [LEEDS, LEEDS | {"predicate": "likes"}]}]).label.expect
    assert [one.predicates for one in options] == [("lives_in",), ("likes",)]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"lang": "de"}, ("lang", "'en' or 'zh'")),
        ({"trap": "negatd"}, ("trap", "'negated'")),
        ({"role": "human"}, ("role", "'assistant'")),
        ({"text": ""}, ("text", "at least 1")),
        ({"expect": None}, ("expect", "list")),
        ({"expects": []}, ("unknown field expects", "lang, text")),
        ({"at": "spring"}, ("at is no ISO 8601",)),
        ({"expect": [LEEDS | {"subject": "Bo"}]}, ("expect.0.subject", "alt_predicates")),
        ({"expect": [LEEDS | {"predicate": "livs_in"}]}, ("expect.0", "likes, lives_in")),
        ({"allow": [LEEDS | {"alt_predicates": ["x"]}]}, ("allow.0", "likes, lives_in")),
        ({"expect": [LEEDS | {"quote": "lives in"}]}, ("expect.0.quote", "letter for letter")),
        ({"expect": [LEEDS | {"act": "deny"}]}, ("expect.0.act", "'retract'")),
        ({"expect": [LEEDS | {"rank": 0}]}, ("expect.0.rank", "greater than")),
        ({"expect": [LEEDS | {"valid_from": "May"}]}, ("expect.0.valid_from", "2025-W10")),
        ({"expect": [LEEDS | {"alt_valid_to": ["2025-3"]}]}, ("expect.0.valid_to", "2025-03")),
        ({"expect": [{"predicate": "likes"}]}, ("expect.0", "an object")),
        ({"expect": [{"quote": "Leeds"}]}, ("expect.0", "any_of")),
        ({"expect": [{"any_of": [LEEDS | {"quote": "no"}]}]}, ("expect.0.any_of.0.quote",)),
        ({"text": "\ud800"}, ("half a character",)),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_what_is_allowed(
    changes: dict[str, Any], told: tuple[str, ...]
) -> None:
    with pytest.raises(InvalidInputError) as caught:
        read(**changes)
    assert all(part in caught.value.message for part in told), caught.value.message


@pytest.mark.parametrize("key", ["id", "lang", "text", "expect"])
def test_what_is_needed_is_named(key: str) -> None:
    line = {name: value for name, value in LINE.items() if name != key}
    with pytest.raises(InvalidInputError, match=f"the field {key} is missing"):
        read_labelled(line, place="f line 1", predicates=KNOWN)


@pytest.mark.parametrize("record", [None, [], "text", 7])
def test_what_is_no_object_is_refused(record: Any) -> None:
    with pytest.raises(InvalidInputError, match="must be a JSON object"):
        read_labelled(record, place="f line 1", predicates=KNOWN)
