"""Operations: one write each, in the order the store made them."""

from dataclasses import dataclass
from typing import Any

from memorycore.model.identity import format_id
from memorycore.model.receipt_chain import write_hash
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
    hash: bytes = b""
    """Its link in the chain of operations: what proves it, together with all before it."""
    scope: str | None = None
    undoes_uid: bytes | None = None
    undone: bool = False
    """Whether it is taken back, as of when it was read."""

    def __repr__(self) -> str:
        return f"<Operation {self.id} {self.kind}>"

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
            "scope": self.scope,
            "undone": self.undone,
            "hash": write_hash(self.hash),
            "undoes": None if self.undoes_uid is None else format_id("op", self.undoes_uid),
        }
