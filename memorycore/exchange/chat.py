"""Chat files of others: OpenAI message rows and ShareGPT conversations.

Neither has times; OpenAI rows have no ids. A conversation becomes a session.
"""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memorycore.errors import InvalidInputError
from memorycore.exchange.episode_line import read_role
from memorycore.exchange.reading import describe
from memorycore.model.draft import Draft, Rejection


class _Foreign(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


class ContentPart(_Foreign):
    """A part of an OpenAI message; only those with text are read."""

    type: str
    text: str | None = None


class ChatMessage(_Foreign):
    """A message of an OpenAI row; without content it is a bare tool call."""

    role: str
    content: str | list[ContentPart] | None = None
    name: str | None = None
    id: str | None = None

    def said(self) -> str | None:
        if self.content is None or isinstance(self.content, str):
            return self.content
        texts = [part.text for part in self.content if part.text]
        return "\n".join(texts) if texts else None


class ShareGptTurn(_Foreign):
    """A turn of a ShareGPT conversation."""

    from_: str = Field(alias="from")
    value: str


def is_message(record: Any) -> bool:
    """Tell whether a record is a single OpenAI message."""
    return isinstance(record, dict) and "role" in record and "messages" not in record


def read_conversation(
    record: Any, *, session: str | None, number: int, source: str, place: str
) -> list[Draft | Rejection]:
    """Read one conversation: an OpenAI row, a ShareGPT one, or a list of messages.

    ``session`` overrides the conversation's own id; without either it is named by the source and
    its number there.

    Raises:
        InvalidInputError: it is none of these.
    """
    if isinstance(record, list):
        record = {"messages": record}
    if not isinstance(record, dict):
        raise InvalidInputError("a conversation must be an object or a list of messages")
    own = record.get("id", record.get("conversation_id"))
    is_name = isinstance(own, (str, int)) and not isinstance(own, bool)
    named = str(own).strip() if is_name else ""
    session = session or named or f"{source}#{number}"
    for key, read in (("messages", read_message), ("conversations", read_turn)):
        turns = record.get(key)
        if isinstance(turns, list):
            drafts = [
                read(turn, session=session, source=source, place=f"{place} message {at}")
                for at, turn in enumerate(turns, 1)
            ]
            system = record.get("system")
            if key == "conversations" and isinstance(system, str) and system.strip():
                drafts.insert(0, Draft(system, "system", None, session, source=source, place=place))
            return [draft for draft in drafts if draft is not None]
    raise InvalidInputError("neither messages (OpenAI) nor conversations (ShareGPT) is there")


def read_message(record: Any, *, session: str, source: str, place: str) -> Draft | Rejection | None:
    """Read one OpenAI message; ``None`` for one that says nothing (a bare tool call)."""
    try:
        message = ChatMessage.model_validate(record)
        text = message.said()
        if text is None:
            return None
        role = read_role(message.role)
    except ValidationError as error:
        return Rejection(place, "invalid_input", describe(error, list(ChatMessage.model_fields)))
    except InvalidInputError as error:
        return Rejection(place, error.code, error.message)
    return Draft(
        text, role, None, session, message.name or None, None, source, message.id, place=place
    )


def read_turn(record: Any, *, session: str, source: str, place: str) -> Draft | Rejection | None:
    """Read one ShareGPT turn."""
    try:
        turn = ShareGptTurn.model_validate(record)
        role = read_role(turn.from_)
    except ValidationError as error:
        return Rejection(place, "invalid_input", describe(error, ["from", "value"]))
    except InvalidInputError as error:
        return Rejection(place, error.code, error.message)
    return Draft(turn.value, role, None, session, source=source, place=place)
