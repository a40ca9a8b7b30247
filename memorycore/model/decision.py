"""Decisions: what becomes of a candidate, and why, in codes that do not change."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from memorycore.model.operation import Operation
from memorycore.model.spent import Spent

KINDS = ("add", "reinforce", "supersede", "history", "merge", "correct", "conflict", "ignore",
         "review", "reject")  # fmt: skip
MIN_CONFIDENCE = 0.6
"""Below this a candidate waits for a person (seed 000, C10: below it nothing is more than a
candidate)."""
REASONS = {
    # admitted
    "new": "nothing there that it meets",
    "coexists": "it may stand beside what is there",
    "same_statement": "said again",
    "superseded": "a later value: the earlier one ends where it begins",
    "came_back": "a value that held before holds again",
    "older": "older than what is known: it becomes history",
    "within": "it falls inside a known period",
    "less_sure": "what is known is surer",
    "merged": "it says more of the same",
    "rank_filled": "the same, with its rank told",
    "corrected": "the earlier statement was wrong",
    "retracted": "it never held",
    "nothing_to_correct": "there was nothing to correct",
    "nothing_to_retract": "there was nothing to take back",
    "contradicts": "both cannot hold and no rule decides",
    "same_evidence": "the same sentence said so before",
    # waiting for a person
    "policy": "its predicate asks for a person",
    "low_confidence": "not sure enough",
    "tentative": "proposed as a candidate only",
    "min_evidence": "inferred, and not yet seen often enough",
    "sensitive": "it is sensitive",
    "low_trust": "a less trusted source may not overrule a more trusted one",
    "unknown_predicate": "no such predicate",
    "unknown_target": "it names a fact that is not there",
    "not_spoken_of": "the sentence does not name what it takes back",
    "entity_ambiguous": "several entities have that name",
    "object_kind": "its object is not of the kind that the predicate takes",
    "two_ranks": "it has another rank already",
    # refused
    "no_evidence": "no sentence supports it",
    "quote_not_found": "the quote does not stand in the episode",
    "episode_not_visible": "the episode is not there, or may not be seen",
    "episode_ambiguous": "several episodes have that id at the source",
    "other_scope": "it belongs to another scope",
    "mixed_scopes": "its evidence lies in several scopes",
    "echo": "the quote was recalled from memory, and is no new evidence",
    "not_said_by_user": "only an assistant, a tool or the system said so",
    "agent_affect": "the agent's mood is not a fact",
    "subject_kind": "its subject is not of a kind that the predicate takes",
    "hypothetical": "the sentence only supposes it, asks it, or reports it of others",
    "negated": "the sentence denies it",
    "detail_lost": "a number, name or version of the sentence is gone",
    "detail_invented": "it holds a number or name that the sentence does not",
    "suppressed": "the store was told to forget it",
    "secret": "it holds what looks like a secret",
    "personal_number": "it holds a personal number",
    "injection": "it tries to instruct",
    "policy_edit": "it tries to change rules",
    "raw_log": "it is raw log or code output",
    "bad_period": "its period ends before it begins",
    "bad_rank": "its predicate takes no rank",
    "bad_value": "its value is not of the type that the predicate takes",
    "inference_not_allowed": "its predicate may not be inferred",
    "no_durable_value": "it says nothing that lasts",
    "one_time_request": "it asks for something once",
    # by a person
    "approved": "a person approved it",
    "rejected": "a person rejected it",
    "edited": "a person changed it into another candidate",
    "overruled": "a person decided for the other",
}
"""Every reason code, in words."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of one candidate. ``target_id`` is the fact it meets, if it meets one."""

    kind: str
    reason: str
    target_id: int | None = None
    proposed: str | None = None
    """For a review: what would be done if it is approved."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A decision as it is shown: the candidate, what it says, and the facts by id."""

    candidate: str
    text: str
    decision: Decision
    place: str
    fact: str | None = None
    target: str | None = None
    target_text: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give the decision in the shape of the JSON outputs."""
        return {
            "candidate": self.candidate,
            "decision": self.decision.kind,
            "reason": self.decision.reason,
            "because": REASONS.get(self.decision.reason, self.decision.reason),
            "text": self.text,
            "fact": self.fact,
            "target": self.target,
            "target_text": self.target_text,
            "place": self.place,
        }


MAX_LISTED = 1000


@dataclass(slots=True)
class AdmitResult:
    """What was decided, candidate by candidate: all are counted, the first 1,000 are listed."""

    operation: Operation | None = None
    proposed: int = 0
    already_there: int = 0
    quarantined: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    outcomes: list[Outcome] = field(default_factory=list)
    rejections: list[dict[str, str]] = field(default_factory=list)
    problems: list[dict[str, str]] = field(default_factory=list)
    plan: str | None = None
    dry_run: bool = False
    turns: int = 0
    silent: int = 0
    unread: int = 0
    spent: Spent = field(default_factory=Spent)
    """Of a reading of conversation: turns read, those that gave nothing, those that no answer of a
    model was about, and what its answers have cost."""
    is_refused: bool = False
    """A strict check found a broken rule, so nothing of the stream was taken."""

    def note(self, outcome: Outcome) -> None:
        """Count an outcome, and list it while there is room."""
        self.counts[outcome.decision.kind] += 1
        self.reasons[outcome.decision.reason] += 1
        if len(self.outcomes) < MAX_LISTED:
            self.outcomes.append(outcome)

    @property
    def tokens(self) -> int:
        """How many tokens a model's answers have cost, in and out."""
        return self.spent.tokens

    @property
    def admitted(self) -> int:
        """How many are believed now; a conflict is kept too, but as uncertain."""
        return sum(
            count
            for kind, count in self.counts.items()
            if kind not in ("review", "conflict", "reject", "ignore")
        )

    @property
    def queued(self) -> int:
        """How many wait for a person: those in review, and the conflicts."""
        return self.counts["review"] + self.counts["conflict"]

    @property
    def rejected(self) -> int:
        return self.counts["reject"]

    def to_dict(self) -> dict[str, Any]:
        """Give the result in the shape of ``memorycore.admit.v1``."""
        return {
            "schema": "memorycore.admit.v1",
            "ok": not self.rejected and not self.quarantined and not self.is_refused,
            "dry_run": self.dry_run,
            "plan": self.plan,
            "operation": self.operation.id if self.operation and not self.dry_run else None,
            "proposed": self.proposed,
            "already_there": self.already_there,
            "quarantined": self.quarantined,
            "turns": self.turns,
            "silent": self.silent,
            "unread": self.unread,
            "tokens": self.tokens,
            "model": self.spent.to_dict() if self.spent.calls else None,
            "decisions": {kind: self.counts[kind] for kind in KINDS if self.counts[kind]},
            "reasons": dict(sorted(self.reasons.items())),
            "outcomes": [outcome.to_dict() for outcome in self.outcomes],
            "rejections": self.rejections,
            "problems": self.problems,
        }
