"""The answer to a review packet: actions, and the faults that are found in them.

The document is ``comet.memory.actions.v1``. A fault names the rule that is broken, by the number
that the specification of memory review gives it, and the place in the document.
"""

from dataclasses import dataclass
from typing import Any

from memorycore.model.review_packet import NO_LISTS, Lists

ACTIONS_SCHEMA = "comet.memory.actions.v1"
ACTIONS = ("create", "update", "forget", "skip")
PACKET_RULE = "packet"
"""Stands where a packet itself is not as it must be."""


@dataclass(frozen=True, slots=True)
class ReviewAction:
    """One action of a reviewer, of the right shape; whether it may be done is another question."""

    action: str
    language: str
    scope: str | None = None
    project_key: str | None = None
    target_id: str | None = None
    candidate_key: str | None = None
    evidence_keys: tuple[str, ...] = ()
    text: str | None = None
    category: str | None = None
    title: str | None = None
    reason: str | None = None
    memory_class: str | None = None
    lists: Lists = NO_LISTS
    permanent: bool = False

    @property
    def is_real(self) -> bool:
        """Whether it asks for anything to be done."""
        return self.action != "skip"

    @property
    def shown(self) -> tuple[tuple[str, str], ...]:
        """The texts that a user may see, each with its field."""
        named = {
            "text": self.text,
            "category": self.category,
            "title": self.title,
            "reason": self.reason,
        }
        found = [(name, text) for name, text in named.items() if text is not None]
        return (*found, *(("tags", tag) for tag in self.lists.tags))

    @property
    def texts(self) -> tuple[tuple[str, str], ...]:
        """All texts that would be kept, each with its field."""
        rest = [("lists", text) for text in self.lists.texts if text not in self.lists.tags]
        key = [] if self.candidate_key is None else [("candidateKey", self.candidate_key)]
        return (*self.shown, *rest, *key)


@dataclass(frozen=True, slots=True)
class Fault:
    """A rule that a document breaks: which, where, and why in words that never quote it."""

    rule: str
    place: str
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """Give the fault in the shape of the JSON outputs."""
        return {"rule": self.rule, "place": self.place, "reason": self.reason}
