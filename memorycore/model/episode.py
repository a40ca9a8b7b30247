"""Episodes: what was said or happened, verbatim. They are evidence, and never change."""

from dataclasses import dataclass
from typing import Any

from memorycore.model.identity import format_id
from memorycore.model.time import Moment, format_moment

ROLES = ("user", "assistant", "system", "tool", "event", "document")
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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Episode:
    """An episode as the store holds it. Times are microseconds UTC; ``None`` is unknown."""

    number: int
    uid: bytes
    scope: str
    session: str | None
    role: str
    speaker_id: int | None
    speaker: str | None
    text: str
    occurred_from: int | None
    occurred_to: int | None
    precision: str
    zone: str | None
    source: str | None
    external_id: str | None
    recorded: int
    meta: str | None

    @property
    def id(self) -> str:
        return format_id("ep", self.uid)

    @property
    def at(self) -> str | None:
        """The time it happened, as precise as it is known, in the zone it was given in."""
        return format_moment(self.occurred_from, self.precision, self.zone)

    def to_dict(self) -> dict[str, Any]:
        """Give the episode in the shape of the JSON outputs."""
        import json

        return {
            "id": self.id,
            "scope": self.scope,
            "session": self.session,
            "role": self.role,
            "speaker": self.speaker,
            "at": self.at,
            "at_precision": self.precision,
            "text": self.text,
            "source": self.source,
            "external_id": self.external_id,
            "meta": json.loads(self.meta) if self.meta else None,
        }
