"""Review: what waits for a person."""

from dataclasses import dataclass
from typing import Any

from memorycore.model.decision import REASONS
from memorycore.model.fact import Evidence
from memorycore.model.identity import format_id
from memorycore.model.time import format_instant


@dataclass(frozen=True, slots=True)
class CandidateView:
    """A candidate with what became of it, as it is shown.

    ``statement`` is the candidate in the shape of the candidate format; ``None`` where its text may
    not be kept.
    """

    uid: bytes
    scope: str
    proposer: str
    place: str
    state: str
    statement: dict[str, Any] | None
    evidence: tuple[Evidence, ...]
    decision: str | None
    reason: str | None
    proposed: str | None
    fact: str | None
    target: str | None
    target_text: str | None
    at: int

    @property
    def id(self) -> str:
        return format_id("cand", self.uid)

    @property
    def text(self) -> str:
        """What it says, in one line; where it names no subject, whoever speaks is meant."""
        said = self.statement or {}
        speaker = self.evidence[0].speaker if self.evidence else None
        parts = [said.get("subject") or (speaker if said else None)]
        parts += [said.get(name) for name in ("predicate", "object", "value")]
        return " ".join(_named(part) for part in parts if part)

    def to_dict(self) -> dict[str, Any]:
        """Give the candidate in the shape of the JSON outputs."""
        return {
            "id": self.id,
            "scope": self.scope,
            "state": self.state,
            "text": self.text,
            "statement": self.statement,
            "evidence": [one.to_dict() for one in self.evidence],
            "proposer": self.proposer,
            "place": self.place,
            "decision": self.decision,
            "reason": self.reason,
            "because": None if self.reason is None else REASONS.get(self.reason, self.reason),
            "proposed": self.proposed,
            "fact": self.fact,
            "target": self.target,
            "target_text": self.target_text,
            "at": format_instant(self.at),
        }


def _named(value: Any) -> str:
    return str(value["name"]) if isinstance(value, dict) else str(value)
