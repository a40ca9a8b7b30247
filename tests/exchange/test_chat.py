"""Tests of OpenAI chat rows and ShareGPT conversations."""

from typing import Any

import pytest

from memorycore.errors import InvalidInputError
from memorycore.exchange.chat import is_message, read_conversation, read_message
from memorycore.model.draft import Draft, Rejection

OPENAI = {
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "I'm allergic to walnuts 🌰", "name": "Ana"},
        {"role": "assistant", "content": "记住了。", "weight": 0, "id": "m3"},
    ],
    "tools": [],
}
SHAREGPT = {
    "id": "s1",
    "system": "Answer in Chinese.",
    "conversations": [
        {"from": "human", "value": "My sister is called Inês."},
        {"from": "gpt", "value": "好的"},
        {"from": "observation", "value": "{}"},
    ],
}


def read(record: Any, *, session: str | None = None) -> list[Draft | Rejection]:
    return read_conversation(record, session=session, number=2, source="c", place="c line 2")


def one(message: Any) -> Draft | Rejection | None:
    return read_message(message, session="s", source="c", place="c line 1")


def test_an_openai_row_becomes_one_session() -> None:
    assert read(OPENAI) == [
        Draft("Be brief.", "system", session="c#2", source="c", place="c line 2 message 1"),
        Draft(
            "I'm allergic to walnuts 🌰", session="c#2", speaker="Ana", source="c",
            place="c line 2 message 2",
        ),
        Draft(
            "记住了。", "assistant", session="c#2", source="c", external_id="m3",
            place="c line 2 message 3",
        ),
    ]  # fmt: skip


def test_a_sharegpt_conversation_begins_with_its_system_text() -> None:
    drafts = read(SHAREGPT)

    assert [(draft.role, draft.text) for draft in drafts if isinstance(draft, Draft)] == [
        ("system", "Answer in Chinese."),
        ("user", "My sister is called Inês."),
        ("assistant", "好的"),
        ("tool", "{}"),
    ]
    assert {draft.session for draft in drafts if isinstance(draft, Draft)} == {"s1"}


@pytest.mark.parametrize("system", ["", "  ", None, 5])
def test_a_sharegpt_conversation_may_be_without_a_system_text(system: Any) -> None:
    assert len(read(SHAREGPT | {"system": system})) == 3


def test_no_message_has_a_time() -> None:
    drafts = read(OPENAI) + read(SHAREGPT)

    assert [draft.occurred for draft in drafts if isinstance(draft, Draft)] == [None] * 7


def test_a_list_of_messages_is_a_conversation() -> None:
    assert read(OPENAI["messages"]) == read(OPENAI)


@pytest.mark.parametrize(
    ("own", "given", "session"),
    [
        ({}, None, "c#2"),
        ({"id": "x"}, None, "x"),
        ({"id": 7}, None, "7"),
        ({"conversation_id": "对话"}, None, "对话"),
        ({"id": "x"}, "mine", "mine"),
        ({"id": None}, None, "c#2"),
        ({"id": {"no": "text"}}, None, "c#2"),
    ],
)
def test_a_session_is_named_by_the_caller_the_row_or_its_place(
    own: dict[str, Any], given: str | None, session: str
) -> None:
    (draft,) = read({"messages": [{"role": "user", "content": "a"}]} | own, session=given)

    assert isinstance(draft, Draft)
    assert draft.session == session


@pytest.mark.parametrize(
    "own",
    [
        {"id": ""},
        {"id": " \u3000"},
        pytest.param({"id": True}),
    ],
)
def test_an_id_that_names_nothing_gives_way_to_the_place(own: dict[str, Any]) -> None:
    (draft,) = read({"messages": [{"role": "user", "content": "a"}]} | own)

    assert isinstance(draft, Draft)
    assert draft.session == "c#2"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("plain", "plain"),
        ("", ""),
        ([{"type": "text", "text": "one"}], "one"),
        ([{"type": "text", "text": "一"}, {"type": "text", "text": "二"}], "一\n二"),
        ([{"type": "image_url", "image_url": {}}, {"type": "text", "text": "see"}], "see"),
    ],
)
def test_the_text_of_a_message_is_its_content_or_its_text_parts(content: Any, text: str) -> None:
    draft = one({"role": "user", "content": content})

    assert isinstance(draft, Draft)
    assert draft.text == text


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "content": None, "tool_calls": [{"id": "t1"}]},
        {"role": "assistant", "tool_calls": [{"id": "t1"}]},
        {"role": "user", "content": []},
        {"role": "user", "content": [{"type": "image_url", "image_url": {}}]},
    ],
)
def test_a_message_that_says_nothing_is_passed_over(message: dict[str, Any]) -> None:
    assert one(message) is None
    assert read({"messages": [message, {"role": "user", "content": "a"}]}) == [
        Draft("a", session="c#2", source="c", place="c line 2 message 2")
    ]


@pytest.mark.parametrize(
    ("role", "ours"),
    [("developer", "system"), ("function", "tool"), ("tool", "tool"), ("User", "user")],
)
def test_the_roles_of_others_become_ours(role: str, ours: str) -> None:
    draft = one({"role": role, "content": "x"})

    assert isinstance(draft, Draft)
    assert draft.role == ours


@pytest.mark.parametrize(
    "message",
    [
        "MARK", None, 5, {"content": "MARK"}, {"role": "MARK", "content": "MARK"},
        {"role": 5, "content": "MARK"}, {"role": "user", "content": 5},
        {"role": "user", "content": {"text": "MARK"}}, {"role": "user", "content": ["MARK"]},
        {"role": "user", "content": [{"text": "MARK"}]}, {"role": "user", "content": "a", "id": 5},
    ],
)  # fmt: skip
def test_a_wrong_message_is_named_without_its_content_and_the_rest_is_read(message: Any) -> None:
    good = {"role": "user", "content": "a"}

    first, wrong, last = read({"messages": [good, message, good]})

    assert isinstance(first, Draft)
    assert isinstance(last, Draft)
    assert isinstance(wrong, Rejection)
    assert wrong.place == "c line 2 message 2"
    assert "MARK" not in wrong.reason


@pytest.mark.parametrize(
    "turn",
    [
        "MARK", None, {"from": "human"}, {"value": "MARK"}, {"from": "MARK", "value": "MARK"},
        {"from": "human", "value": ["MARK"]}, {"from": 5, "value": "MARK"},
    ],
)  # fmt: skip
def test_a_wrong_turn_is_named_without_its_content_and_the_rest_is_read(turn: Any) -> None:
    good = {"from": "human", "value": "a"}

    first, wrong, last = read({"conversations": [good, turn, good]})

    assert isinstance(first, Draft)
    assert isinstance(last, Draft)
    assert isinstance(wrong, Rejection)
    assert wrong.place == "c line 2 message 2"
    assert "MARK" not in wrong.reason


@pytest.mark.parametrize(
    "record",
    [None, 5, "MARK", {}, {"messages": "MARK"}, {"conversations": None}, {"text": "MARK"}],
)
def test_what_is_no_conversation_is_refused(record: Any) -> None:
    with pytest.raises(InvalidInputError) as caught:
        read(record)

    assert "MARK" not in caught.value.message


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"role": "user", "content": "a"}, True),
        ({"role": "user", "messages": []}, False),
        ({"content": "a"}, False),
        (["role"], False),
        ("role", False),
    ],
)
def test_a_single_message_is_told_by_its_role(record: Any, expected: bool) -> None:
    assert is_message(record) is expected
