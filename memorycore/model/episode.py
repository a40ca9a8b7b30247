"""Episodes: what was said or happened, verbatim. They are evidence, and never change."""

from dataclasses import dataclass
from typing import Any

from memorycore.model.identity import format_id

ON_SECRET = ("reject", "mask", "keep")
"""What may become of a text that holds a secret."""
ROLES = ("user", "assistant", "system", "tool", "event", "document")


@dataclass(frozen=True, slots=True)
class Turn:
    """As much of an episode as its place among others needs. Times are as an episode's."""

    number: int
    speaker_id: int | None
    session_id: int | None
    occurred_from: int | None
    occurred_to: int | None
    text: str

    def touches(self, start: int, end: int) -> bool:
        """Tell whether it may have happened within a half-open period."""
        if self.occurred_from is None or self.occurred_to is None:
            return False
        return self.occurred_from < end and self.occurred_to > start


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

    def __repr__(self) -> str:
        return f"<Episode {self.id} {self.role}>"

    @property
    def id(self) -> str:
        return format_id("ep", self.uid)

    @property
    def at(self) -> str | None:
        """The time it happened, as precise as it is known, in the zone it was given in."""
        from memorycore.model.time import format_moment

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
