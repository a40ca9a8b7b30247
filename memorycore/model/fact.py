"""Facts as they are read: what is believed, since when, and which sentences say so."""

from dataclasses import dataclass
from typing import Any

from memorycore.model.identity import format_id
from memorycore.model.time import format_instant, format_moment
from memorycore.model.timeline import LOWEST, OPEN

STATES = ("hidden", "invalid", "past", "upcoming", "archived", "consolidated")
"""What a reader may ask to include besides facts that are current and visible."""


@dataclass(frozen=True, slots=True)
class EntityRef:
    """An entity that a fact speaks of."""

    uid: bytes
    name: str
    kind: str

    def to_dict(self) -> dict[str, Any]:
        """Give the entity in the shape of the JSON outputs."""
        return {"id": format_id("ent", self.uid), "name": self.name, "kind": self.kind}


@dataclass(frozen=True, slots=True)
class Period:
    """When a fact is true, and when that was believed; half-open, microseconds UTC.

    ``known_from`` and ``known_to`` are instants of operations; ``known_to`` is ``None`` while it is
    believed.
    """

    valid_from: int
    valid_to: int
    from_precision: str
    from_basis: str
    to_precision: str
    to_basis: str
    ended_by: str
    certainty: str
    known_from: int
    known_to: int | None

    def starts(self, zone: str) -> str | None:
        """Give the start as precisely as it is known; ``None`` where nothing is known of it."""
        if self.from_basis == "unknown":
            return None
        return format_edge(self.valid_from, self.from_precision, zone)

    def ends(self, zone: str) -> str | None:
        """Give the end as precisely as it is known; ``None`` where it is open."""
        return format_edge(self.valid_to, self.to_precision, zone)

    def shown(self, zone: str) -> str:
        """Write the period for people: ``2022-03 → 2024-09``, ``by 2025-01-20 →``, ``? → 2026``."""
        start = self.starts(zone) or "?"
        if self.from_basis == "asserted" and self.valid_from != LOWEST:
            start = f"by {start[:10]}"
        end = self.ends(zone) or ""
        if self.to_basis == "asserted":
            end = f"some time before {end[:10]}"
        return f"{start} → {end}".rstrip()

    def to_dict(self, zone: str) -> dict[str, Any]:
        """Give the period in the shape of the JSON outputs; open ends are null."""
        return {
            "from": self.starts(zone),
            "from_precision": self.from_precision,
            "from_basis": "mentioned" if self.from_basis == "asserted" else self.from_basis,
            "to": self.ends(zone),
            "to_precision": None if self.valid_to == OPEN else self.to_precision,
            "to_basis": None if self.valid_to == OPEN else self.to_basis,
            "ended_by": None if self.valid_to == OPEN else self.ended_by,
            "certainty": self.certainty,
        }


_PROMISE_ENDS = {"statement": "due", "expiry": "lapses"}


def _begun(period: Period, zone: str) -> str | None:
    """Say when a period began, or when it was spoken of where no start was told."""
    start = period.starts(zone)
    if start is not None and period.from_basis == "asserted":
        return f"said {start[:10]}"
    return start


def format_edge(at: int | None, precision: str, zone: str) -> str | None:
    """Write the start or end of a period; ``None`` where it is open or nothing is known of it."""
    if at is None or at in (LOWEST, OPEN):
        return None
    if precision == "unknown":
        return format_instant(at, zone)
    return format_moment(at, precision, zone)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence that a fact rests on: the span of code points in its episode, and its words."""

    episode_uid: bytes
    span_from: int
    span_to: int
    quote: str
    text: str
    role: str
    session: str | None
    speaker: str | None
    at: str | None
    asserted_at: int | None
    source_class: str
    stands: bool
    fact_id: int = 0

    @property
    def episode(self) -> str:
        return format_id("ep", self.episode_uid)

    def to_dict(self) -> dict[str, Any]:
        """Give the evidence in the shape of the JSON outputs."""
        return {
            "episode": self.episode,
            "start": self.span_from,
            "end": self.span_to,
            "quote": self.quote,
            "role": self.role,
            "session": self.session,
            "at": self.at,
            "stands": self.stands,
        }


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact with the period that answers the question it was read for, and its evidence."""

    number: int
    uid: bytes
    scope: str
    subject: EntityRef
    predicate: str
    object: EntityRef | None
    value: str | None
    rank: int | None
    fact_type: str
    confidence: float
    importance: float
    valence: float | None
    sensitivity: str
    validity: str
    visibility: str
    lifecycle: str
    is_pinned: bool
    attributed_to: str | None
    event_type: str | None
    event_status: str | None
    support: int
    temporal: str
    zone: str
    period: Period | None = None
    evidence: tuple[Evidence, ...] = ()

    def __repr__(self) -> str:
        return f"<Fact {self.id} {self.predicate}>"

    @property
    def id(self) -> str:
        return format_id("fct", self.uid)

    @property
    def object_text(self) -> str:
        return self.object.name if self.object is not None else self.value or ""

    @property
    def text(self) -> str:
        return f"{self.subject.name} {self.predicate} {self.object_text}"

    @property
    def when(self) -> str:
        """The period for people; what it means depends on what the predicate tells of."""
        if self.period is None:
            return "never"
        shown = self.period.shown(self.zone)
        if self.temporal == "commitment":
            return self._when_promised(self.period)
        if self.temporal == "event":
            begun = _begun(self.period, self.zone)
            if begun is None:
                return "at a time unknown"
            if begun.startswith("said "):
                return begun
            return f"on {shown.removesuffix(' →')}"
        return f"true {shown}"

    def _when_promised(self, period: Period) -> str:
        begun, ends = _begun(period, self.zone), period.ends(self.zone)
        parts = [] if begun is None else [begun if begun[0] == "s" else f"promised {begun}"]
        if ends is not None:
            parts.append(f"{_PROMISE_ENDS.get(period.ended_by, 'until')} {ends}")
        return ", ".join(parts) or "promised at a time unknown"

    def to_dict(self) -> dict[str, Any]:
        """Give the fact in the shape of the JSON outputs."""
        period = self.period
        return {
            "id": self.id,
            "kind": "fact",
            "scope": self.scope,
            "subject": self.subject.to_dict(),
            "predicate": self.predicate,
            "object": self.object.to_dict() if self.object else {"value": self.value},
            "text": self.text,
            "rank": self.rank,
            "confidence": self.confidence,
            "importance": self.importance,
            "fact_type": self.fact_type,
            "valence": self.valence,
            "attributed_to": self.attributed_to,
            "event": {"type": self.event_type, "status": self.event_status}
            if self.event_type or self.event_status
            else None,
            "valid": period.to_dict(self.zone) if period else None,
            "known": {
                "from": format_instant(period.known_from) if period else None,
                "to": format_instant(period.known_to) if period and period.known_to else None,
            },
            "state": {
                "validity": self.validity,
                "visibility": self.visibility,
                "lifecycle": self.lifecycle,
            },
            "pinned": self.is_pinned,
            "evidence": [one.to_dict() for one in self.evidence],
        }
