"""What a review came to: the check of a set of actions, and what applying it did."""

from dataclasses import dataclass, field
from typing import Any

from memorycore.model.identity import format_id
from memorycore.model.operation import Operation
from memorycore.model.review_actions import Fault


@dataclass(frozen=True, slots=True)
class ReviewCheck:
    """The verdict on a packet and the actions that answer it; nothing was written."""

    actions: int
    faults: tuple[Fault, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the set may be applied as a whole."""
        return not self.faults

    def to_dict(self) -> dict[str, Any]:
        """Give the check in the shape of ``memorycore.review_check.v1``."""
        return {
            "schema": "memorycore.review_check.v1",
            "ok": self.ok,
            "actions": self.actions,
            "faults": [one.to_dict() for one in self.faults],
        }


@dataclass(frozen=True, slots=True)
class ReviewOutcome:
    """What became of one action or observation.

    ``result`` is one of the results of an observation, or ``remembered``, ``corrected``,
    ``forgotten``; ``reason`` a code. ``record`` and ``fact`` are ids.
    """

    action: str
    result: str
    reason: str
    record: str | None = None
    fact: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give the outcome in the shape of the JSON outputs."""
        return {
            "action": self.action,
            "result": self.result,
            "reason": self.reason,
            "record": self.record,
            "fact": self.fact,
        }


@dataclass(slots=True)
class ReviewResult:
    """What applying a set of actions did, as one operation.

    ``is_repeat`` says that this very set was applied before, and nothing was written.
    """

    operation: Operation | None = None
    outcomes: list[ReviewOutcome] = field(default_factory=list)
    is_repeat: bool = False
    dry_run: bool = False

    @property
    def is_final(self) -> bool:
        """Whether something was forgotten for good, so that the operation cannot be undone."""
        return any(one.reason == "purged" for one in self.outcomes)

    @property
    def result(self) -> str:
        """The result in one word: that of the one outcome, else that something was applied."""
        if self.is_repeat:
            return "deduplicated"
        results = {one.result for one in self.outcomes}
        return results.pop() if len(results) == 1 else "applied"

    def to_dict(self) -> dict[str, Any]:
        """Give the result in the shape of ``memorycore.review_result.v1``."""
        shown = self.operation is not None and not self.dry_run
        return {
            "schema": "memorycore.review_result.v1",
            "ok": True,
            "dry_run": self.dry_run,
            "operation": self.operation.id if shown and self.operation else None,
            "result": self.result,
            "repeat": self.is_repeat,
            "outcomes": [one.to_dict() for one in self.outcomes],
        }


@dataclass(frozen=True, slots=True)
class ReviewRecord:
    """A memory as reviews keep it: what it says, by whose word, and how it stands.

    A record on trial or in conflict is in no result of a search; one that is superseded is told
    without its words. ``fact`` is the fact that it has become, if that can be seen.
    """

    uid: bytes
    scope: str
    authority: str
    state: str
    text: str
    category: str
    memory_class: str | None
    memory_type: str
    candidate_key: str | None
    successes: int
    fact: str | None = None

    @property
    def id(self) -> str:
        """The record's public id."""
        return format_id("mem", self.uid)

    def to_dict(self) -> dict[str, Any]:
        """Give the record in the shape of the JSON outputs."""
        return {
            "id": self.id,
            "scope": self.scope,
            "kind": self.authority,
            "state": self.state,
            "text": self.text,
            "category": self.category,
            "memory_class": self.memory_class,
            "memory_type": self.memory_type,
            "candidate_key": self.candidate_key,
            "successes": self.successes,
            "fact": self.fact,
        }
