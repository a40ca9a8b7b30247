"""Operations: one write each, in the order the store made them."""

from dataclasses import dataclass
from typing import Any

from memorycore.model.identity import format_id
from memorycore.model.time import format_instant


@dataclass(frozen=True, slots=True)
class Operation:
    """A write that was made: ``number`` is recorded time, ``at`` the clock's word on it."""

    number: int
    uid: bytes
    at: int
    actor: str
    kind: str
    undoes: int | None = None

    @property
    def id(self) -> str:
        return format_id("op", self.uid)

    def to_dict(self) -> dict[str, Any]:
        """Give the operation in the shape of the JSON outputs."""
        return {
            "id": self.id,
            "at": format_instant(self.at),
            "actor": self.actor,
            "kind": self.kind,
        }
