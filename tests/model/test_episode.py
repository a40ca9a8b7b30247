"""Tests of episodes and their JSON shape."""

import json
from dataclasses import FrozenInstanceError, replace

import pytest

from memorycore.errors import InvalidInputError
from memorycore.exchange.episode_line import read_episode
from memorycore.exchange.reading import parse_json
from memorycore.model.draft import ROLE_ALIASES, Draft, Rejection
from memorycore.model.episode import ROLES, Episode
from memorycore.model.identity import parse_id
from memorycore.model.time import parse_moment

EPISODE = Episode(
    number=3,
    uid=bytes(range(16)),
    scope="user:ana",
    session="s1",
    role="user",
    speaker_id=7,
    speaker="小明",
    text="我在学大提琴 🎻",
    occurred_from=None,
    occurred_to=None,
    precision="unknown",
    zone=None,
    source="chat.jsonl",
    external_id="m-1",
    recorded=9,
    meta='{"topic":"音乐"}',
)


def test_an_episode_shows_its_public_fields_and_no_numbers() -> None:
    assert EPISODE.to_dict() == {
        "id": EPISODE.id,
        "scope": "user:ana",
        "session": "s1",
        "role": "user",
        "speaker": "小明",
        "at": None,
        "at_precision": "unknown",
        "text": "我在学大提琴 🎻",
        "source": "chat.jsonl",
        "external_id": "m-1",
        "meta": {"topic": "音乐"},
    }


def test_an_episode_without_optional_fields_shows_nulls() -> None:
    bare = replace(EPISODE, session=None, speaker=None, source=None, external_id=None, meta=None)

    shape = bare.to_dict()

    empty = ("session", "speaker", "source", "external_id", "meta", "at")
    assert all(shape[name] is None for name in empty)


def test_the_id_of_an_episode_is_its_uid() -> None:
    assert parse_id(EPISODE.id) == ("ep", EPISODE.uid, EPISODE.uid)


@pytest.mark.parametrize(
    ("text", "zone", "shown"),
    [
        ("2024", "UTC", "2024"),
        ("2024-09", "Asia/Shanghai", "2024-09"),
        ("2024-W05", "America/New_York", "2024-W05"),
        ("2024-02-29", "Asia/Tokyo", "2024-02-29"),
        ("2024-09-15T08:30:00+08:00", "UTC", "2024-09-15T08:30:00+08:00"),
        ("2024-09-15T08:30:00.000001", "UTC", "2024-09-15T08:30:00.000001Z"),
    ],
)
def test_the_time_is_shown_as_precise_as_it_is_known(text: str, zone: str, shown: str) -> None:
    moment = parse_moment(text, zone=zone)
    episode = replace(
        EPISODE,
        occurred_from=moment.from_,
        occurred_to=moment.to,
        precision=moment.precision,
        zone=moment.zone,
    )

    assert episode.at == shown
    assert episode.to_dict()["at_precision"] == moment.precision


def test_the_shape_of_an_episode_is_json() -> None:
    assert json.loads(json.dumps(EPISODE.to_dict())) == EPISODE.to_dict()


def _one_frame_deeper(episode: Episode, depth: int) -> object:
    if depth:
        return _one_frame_deeper(episode, depth - 1)
    return episode.to_dict()["meta"]


@pytest.mark.parametrize("depth", [1, 30])
def test_nested_metadata_that_was_taken_can_be_shown_anywhere(depth: int) -> None:
    record = json.loads('{"text":"a","meta":' + '{"a":' * depth + "1" + "}" * (depth + 1))
    draft = read_episode(record, time_zone="UTC", place="")

    assert _one_frame_deeper(replace(EPISODE, meta=draft.meta), 100) == record["meta"]


def test_very_deep_metadata_is_refused_or_can_be_shown_anywhere() -> None:
    line = '{"text":"a","meta":' + '{"a":' * 880 + "1" + "}" * 881
    try:
        draft = read_episode(parse_json(line), time_zone="UTC", place="")
    except InvalidInputError:
        return
    assert _one_frame_deeper(replace(EPISODE, meta=draft.meta), 200)


def test_an_episode_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        EPISODE.text = "other"  # type: ignore[misc]


def test_a_draft_needs_only_a_text() -> None:
    draft = Draft("你好")

    assert (draft.role, draft.scope, draft.occurred, draft.meta) == ("user", None, None, None)


def test_a_rejection_shows_place_code_and_reason() -> None:
    assert Rejection("a.jsonl line 3", "empty_text", "empty text").to_dict() == {
        "place": "a.jsonl line 3", "code": "empty_text", "reason": "empty text",
    }  # fmt: skip


def test_every_role_alias_stands_for_a_role() -> None:
    assert set(ROLE_ALIASES.values()) <= set(ROLES)
    assert not set(ROLE_ALIASES) & set(ROLES)
