"""Tests of memories in Mem0's exports: the shapes MX-1 to MX-5 and MX-7, record by record."""

import json
from typing import Any

import pytest

from memorycore.errors import InvalidInputError
from memorycore.exchange.mem0 import hash_of
from memorycore.exchange.mem0_memory import read_memory
from memorycore.model.candidate import AskedLink, Candidate, Naming, Quote, When
from memorycore.model.draft import Rejection
from memorycore.model.recollection import Recollection
from memorycore.model.time import parse_moment

POINT: dict[str, Any] = {
    "id": "p-1",
    "payload": {"data": "喜欢乌龙茶", "hash": "aa01", "created_at": "2026-03-01T09:00:00+08:00"},
    "exported_at": "2026-03-09T00:00:00Z",
}
ITEM: dict[str, Any] = {"id": "7b1c", "memory": "Plays the viola", "hash": "aa02"}


def read(record: Any) -> Recollection:
    found = read_memory(record, shape=None, zone="UTC", place="x line 1", source="x")
    assert isinstance(found, Recollection)
    return found


def refused(record: Any) -> str:
    found = read_memory(record, shape=None, zone="UTC", place="x line 1", source="x")
    assert isinstance(found, Rejection)
    return found.code


def statement(record: Any) -> Candidate:
    return read(record).candidates[0]


def payload(**change: Any) -> dict[str, Any]:
    return POINT | {"payload": POINT["payload"] | change}


def codes(record: Any) -> list[str]:
    return [problem.code for problem in read(record).problems]


def test_a_memory_becomes_an_episode_and_a_note_that_rests_on_it() -> None:
    found = read(ITEM | {"user_id": "ana", "run_id": "r9"})

    (draft,), (note,) = found.drafts, found.candidates
    assert (draft.text, draft.role, draft.session) == ("Plays the viola", "document", "r9")
    assert (note.predicate, note.value, note.is_literal) == ("note", "Plays the viola", True)
    assert note.quotes == (Quote(external_id=draft.external_id),)
    assert note.subject == Naming("ana", "person")
    assert not note.is_tentative


@pytest.mark.parametrize("key", ["memory", "text", "content"])
def test_the_text_may_stand_under_three_names(key: str) -> None:
    assert read({key: "likes tea"}).drafts[0].text == "likes tea"


def test_the_text_is_kept_verbatim() -> None:
    assert read({"memory": "  likes tea\n"}).drafts[0].text == "  likes tea\n"


@pytest.mark.parametrize(
    ("record", "shape"), [(POINT, "MX-1"), (ITEM, "MX-5"), (ITEM | {"event": "ADD"}, "MX-7")]
)
def test_a_record_tells_its_shape(record: Any, shape: str) -> None:
    assert read(record).shape == shape


def test_a_null_payload_is_reported() -> None:
    assert refused({"id": 1, "payload": None}) == "null_payload"


@pytest.mark.parametrize("record", [payload(data=" "), {"memory": "", "text": "\n"}])
def test_an_empty_text_is_reported(record: Any) -> None:
    assert refused(record) == "empty_text"


def test_a_missing_hash_is_that_of_the_text_with_a_warning() -> None:
    point = payload(hash=None)

    assert read(point).drafts[0].external_id == f"mem:{hash_of('喜欢乌龙茶')}"
    assert codes(point) == ["missing_hash"]


def test_the_time_of_the_export_dates_nothing() -> None:
    found = read(payload(created_at=None))

    assert found.drafts[0].occurred is None
    assert found.candidates[0].valid_from is None
    assert '"exported_at":"2026-03-09T00:00:00Z"' in (found.drafts[0].meta or "")


@pytest.mark.parametrize("value", ["MARK", 1772326800, "", ["x"]])
def test_a_time_that_cannot_be_read_is_unknown_and_the_memory_stays(value: Any) -> None:
    for record in (payload(created_at=value), ITEM | {"created_at": value}):
        assert read(record).drafts[0].occurred is None
        assert codes(record) == (["unread_time"] if value else [])


def test_what_was_written_anew_counts_from_then_on() -> None:
    note = statement(ITEM | {"created_at": "2026-01-04", "updated_at": "2026-02-01"})

    assert note.valid_from == When(parse_moment("2026-02-01"), "inferred")


def test_the_second_time_of_an_addition_is_no_rewriting() -> None:
    times = {"created_at": "2026-01-04T10:00:00.1Z", "updated_at": "2026-01-04T10:00:00.9Z"}

    assert statement(ITEM | times).valid_from is None


def test_other_keys_are_kept() -> None:
    record = ITEM | {"metadata": {"topic": "music"}, "categories": ["a"], "user_id": "ana"}

    assert json.loads(read(record).drafts[0].meta or "") == {
        "mem0": {key: value for key, value in record.items() if key != "memory"}
    }


@pytest.mark.parametrize(
    ("told", "subject"),
    [
        ({"user_id": "ana", "agent_id": "bot"}, Naming("ana", "person")),
        ({"agent_id": "bot"}, Naming("bot", "agent")),
        (
            {"agent_id": "mira", "user_id": "t:mira", "character_id": "mira"},
            Naming("mira", "agent"),
        ),
        ({"user_id": "u", "owner_type": "agent", "owner_id": "bot"}, Naming("bot", "agent")),
        ({"user_id": "u", "actor_id": "ben"}, Naming("ben", "person")),
        ({"user_id": 42}, Naming("42", "person")),
        ({"user_id": "ana@example.org"}, Naming("user ee634656", "person")),
        ({"user_id": "\x00"}, None),
        ({}, None),
    ],
)
def test_it_is_told_of_whom_a_memory_speaks(told: dict[str, Any], subject: Naming | None) -> None:
    assert statement(ITEM | told).subject == subject
    assert statement(payload(**told)).subject == subject


@pytest.mark.parametrize(
    ("text", "subject"),
    [("[User] likes tea", Naming("ana", "person")), ("[Agent] is calm", Naming("bot", "agent"))],
)
def test_a_mark_before_the_text_says_whose_it_is(text: str, subject: Naming) -> None:
    assert statement({"memory": text, "user_id": "ana", "agent_id": "bot"}).subject == subject


@pytest.mark.parametrize("told", [{"attributed_to": "assistant"}, {"role": "assistant"}])
def test_what_an_assistant_said_is_a_recommendation_of_its_own(told: dict[str, Any]) -> None:
    found = read(ITEM | told | {"agent_id": "bot", "user_id": "ana"})

    assert found.candidates[0].predicate == "recommended"
    assert found.candidates[0].subject == Naming("bot", "agent")
    assert (found.drafts[0].role, found.drafts[0].speaker) == ("assistant", "bot")


def test_attribution_outranks_the_role_of_the_message() -> None:  # M0-10
    assert statement(ITEM | {"attributed_to": "user", "role": "assistant"}).predicate == "note"


def test_linked_memories_become_links() -> None:
    note = statement(ITEM | {"linked_memory_ids": ["a", "a", 7, "7b1c", None]})

    assert note.ref == "mem0:7b1c"
    assert note.links == (AskedLink("RELATED_TO", "mem0:a"), AskedLink("RELATED_TO", "mem0:n7"))


def test_links_that_are_no_list_are_told() -> None:
    assert codes(ITEM | {"linked_memory_ids": "a"}) == ["bad_links"]


def test_a_memory_ends_when_it_expires() -> None:
    note = statement(ITEM | {"created_at": "2026-01-04", "expiration_date": "2026-02-01"})

    assert note.valid_to == When(parse_moment("2026-02-01"))


@pytest.mark.parametrize("created", [None, "2026-03-01"])
def test_an_expiry_before_any_beginning_is_told(created: str | None) -> None:
    record = ITEM | {"created_at": created, "expiration_date": "2026-02-01"}

    assert statement(record).valid_to is None
    assert codes(record) == ["expires_before"]


def test_a_text_too_long_for_a_statement_is_an_episode_alone() -> None:
    found = read({"memory": "word " * 500})

    assert len(found.drafts) == 1
    assert found.candidates == ()
    assert [problem.code for problem in found.problems] == ["no_statement"]


def test_a_change_takes_the_old_text_back_and_says_the_new_one() -> None:  # MX-7
    found = read(ITEM | {"event": "UPDATE", "previous_memory": "Plays the violin"})

    assert [(one.act, one.value) for one in found.candidates] == [
        ("assert", "Plays the viola"),
        ("retract", "Plays the violin"),
    ]
    assert [draft.text for draft in found.drafts] == ["Plays the violin", "Plays the viola"]


def test_a_deletion_takes_the_text_back() -> None:  # MX-7
    found = read(ITEM | {"event": "DELETE"})

    assert [(one.act, one.value) for one in found.candidates] == [("retract", "Plays the viola")]


def test_no_change_is_reported() -> None:  # MX-7
    assert refused(ITEM | {"event": "NONE"}) == "no_change"


@pytest.mark.parametrize("record", [5, "MARK", [], {}, {"memory": 5}, {"memory": None, "id": "M"}])
def test_what_is_no_memory_is_refused_without_its_content(record: Any) -> None:
    with pytest.raises(InvalidInputError, match="not a memory") as caught:
        read(record)

    assert "MARK" not in caught.value.message
