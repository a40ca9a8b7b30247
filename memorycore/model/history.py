"""Answers about facts in time: histories, differences between two instants, explanations."""

from dataclasses import dataclass
from typing import Any

from memorycore.model.decision import REASONS
from memorycore.model.fact import Evidence, Fact, Period
from memorycore.model.time import DAY, format_instant, local_time, to_microseconds
from memorycore.model.timeline import LOWEST

LATE_DAYS = 7
"""A fact that was heard of so much later than it began was learned late."""


_MONTHS = {"month": 1, "quarter": 3, "year": 12}
_DAYS = {"day": 1, "week": 7}


def end_of(begins: int, precision: str, zone: str) -> int:
    """Give the end of the day, week, month, quarter or year that begins at an instant."""
    if precision in _MONTHS:
        local = local_time(begins, zone)
        years, month = divmod(local.month - 1 + _MONTHS[precision], 12)
        try:
            return to_microseconds(local.replace(year=local.year + years, month=month + 1, day=1))
        except ValueError:  # the year 9999
            return begins
    return begins + _DAYS.get(precision, 0) * DAY


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One period of a fact that was ever believed, and by what it ended."""

    fact: Fact
    period: Period
    closed_by: str | None

    def __repr__(self) -> str:
        return f"<HistoryLine {self.fact.id}>"

    @property
    def late_days(self) -> int:
        """How many days after its stated beginning the store heard of it; 0 when in time.

        A beginning of which only the month is known is counted from the end of that month.
        """
        begins = self.period.valid_from
        if begins == LOWEST or self.period.from_basis in ("asserted", "unknown", "policy"):
            return 0
        heard = min((one.asserted_at for one in self.fact.evidence if one.asserted_at), default=0)
        begun = end_of(begins, self.period.from_precision, self.fact.zone)
        days = (heard - begun) // DAY if heard else 0
        return days if days >= LATE_DAYS else 0

    def to_dict(self) -> dict[str, Any]:
        """Give the line in the shape of the JSON outputs."""
        period = self.period
        return {
            "fact": self.fact.id,
            "text": self.fact.text,
            "valid": period.to_dict(self.fact.zone),
            "known": {
                "from": format_instant(period.known_from),
                "to": None if period.known_to is None else format_instant(period.known_to),
            },
            "closed_by": self.closed_by,
            "late_days": self.late_days,
        }


@dataclass(frozen=True, slots=True)
class Difference:
    """What changed between two instants: facts that hold at one of them and not at the other."""

    began: tuple[Fact, ...]
    ended: tuple[Fact, ...]

    def to_dict(self) -> dict[str, Any]:
        """Give the difference in the shape of ``memorycore.diff.v1``."""
        return {
            "schema": "memorycore.diff.v1",
            "ok": True,
            "began": [fact.to_dict() for fact in self.began],
            "ended": [fact.to_dict() for fact in self.ended],
        }


@dataclass(frozen=True, slots=True)
class Origin:
    """How a fact came to be believed: which decision, on what, by which operation."""

    candidate: str
    proposer: str
    place: str
    decision: str
    reason: str
    operation: str
    at: int
    actor: str

    def to_dict(self) -> dict[str, Any]:
        """Give the origin in the shape of the JSON outputs."""
        return {
            "candidate": self.candidate,
            "proposer": self.proposer,
            "place": self.place,
            "decision": self.decision,
            "reason": self.reason,
            "because": REASONS.get(self.reason, self.reason),
            "operation": self.operation,
            "at": format_instant(self.at),
            "actor": self.actor,
        }


@dataclass(frozen=True, slots=True)
class LinkView:
    """A link of a fact, seen from it."""

    kind: str
    direction: str
    id: str
    text: str

    def to_dict(self) -> dict[str, Any]:
        """Give the link in the shape of the JSON outputs."""
        return {"kind": self.kind, "direction": self.direction, "id": self.id, "text": self.text}


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything that is known about a fact."""

    fact: Fact
    periods: tuple[Period, ...]
    evidence: tuple[Evidence, ...]
    origins: tuple[Origin, ...]
    links: tuple[LinkView, ...]
    policy: str

    def to_dict(self) -> dict[str, Any]:
        """Give the explanation in the shape of ``memorycore.explain.v1``."""
        return {
            "schema": "memorycore.explain.v1",
            "ok": True,
            "fact": self.fact.to_dict(),
            "periods": [
                period.to_dict(self.fact.zone)
                | {
                    "known_from": format_instant(period.known_from),
                    "known_to": None
                    if period.known_to is None
                    else format_instant(period.known_to),
                }
                for period in self.periods
            ],
            "evidence": [one.to_dict() | {"text": one.text} for one in self.evidence],
            "came_by": [origin.to_dict() for origin in self.origins],
            "links": [link.to_dict() for link in self.links],
            "policy": self.policy,
        }
