"""Drafts: what readers read and the store may take in, and what it may not."""

from dataclasses import dataclass
from typing import Any

from memorycore.model.time import Moment

ROLE_ALIASES = {
    "human": "user",
    "ai": "assistant",
    "gpt": "assistant",
    "model": "assistant",
    "bot": "assistant",
    "chatgpt": "assistant",
    "bing": "assistant",
    "bard": "assistant",
    "developer": "system",
    "function": "tool",
    "function_call": "tool",
    "observation": "tool",
}
MAX_TEXT_LENGTH = 1_000_000
"""Code points in one episode. Longer ones are no turns of a conversation; split them."""
MAX_NAME_LENGTH = 500
"""Code points in a speaker, session, source or external id."""


@dataclass(slots=True)
class Draft:
    """An episode that is to be stored. ``place`` says where it came from, for messages."""

    text: str
    role: str = "user"
    scope: str | None = None
    session: str | None = None
    speaker: str | None = None
    occurred: Moment | None = None
    source: str | None = None
    external_id: str | None = None
    meta: str | None = None
    place: str = ""


@dataclass(frozen=True, slots=True)
class Rejection:
    """A record that did not go in: where it stands, a stable code, and the reason in words."""

    place: str
    code: str
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """Give the rejection in the shape of the JSON outputs."""
        return {"place": self.place, "code": self.code, "reason": self.reason}
