"""Entities as they are read: whom and what facts speak of."""

from dataclasses import dataclass
from typing import Any

from memorycore.model.identity import format_id


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity with its other names. ``facts`` counts those that speak of it and stand.

    ``likeness`` is 1 where it was named exactly, and below that (0…1) where it is only similar.
    """

    uid: bytes
    scope: str
    kind: str
    name: str
    distinction: str
    aliases: tuple[str, ...]
    facts: int
    merged_into: bytes | None = None
    likeness: float = 1.0

    def __repr__(self) -> str:
        return f"<Entity {self.id} {self.kind}>"

    @property
    def id(self) -> str:
        return format_id("ent", self.uid)

    def to_dict(self) -> dict[str, Any]:
        """Give the entity in the shape of the JSON outputs."""
        return {
            "id": self.id,
            "scope": self.scope,
            "kind": self.kind,
            "name": self.name,
            "distinction": self.distinction or None,
            "aliases": list(self.aliases),
            "facts": self.facts,
            "merged_into": None if self.merged_into is None else format_id("ent", self.merged_into),
            "likeness": self.likeness,
        }
