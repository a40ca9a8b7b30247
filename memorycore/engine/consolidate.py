"""Decide what becomes of a candidate. Pure: everything a decision rests on comes in as a value."""

from dataclasses import dataclass, field

from memorycore.engine.settle import Effect
from memorycore.model.candidate import Candidate
from memorycore.model.decision import MIN_CONFIDENCE, Decision
from memorycore.model.predicate import Predicate
from memorycore.model.timeline import OPEN, Piece


@dataclass(frozen=True, slots=True)
class AdmitPolicy:
    """How candidates are admitted. ``rest`` says what becomes of those that are not sure enough."""

    min_confidence: float = MIN_CONFIDENCE
    rest: str = "queue"


@dataclass(frozen=True, slots=True)
class Standing:
    """What a decision needs to know of how a candidate came: from whom, and who has approved it."""

    proposer: str
    approved: bool = False
    confidence: float = 1.0
    occasions: int = 1

    @property
    def is_wished(self) -> bool:
        """A person has said so outright; that outranks what policies ask of others."""
        return self.approved or self.proposer == "person"


def hold_back(
    candidate: Candidate, predicate: Predicate, standing: Standing, policy: AdmitPolicy
) -> Decision | None:
    """Decide whether a candidate must wait for a person, whatever it meets."""
    if candidate.is_inferred and not predicate.allow_inference and not standing.approved:
        return Decision("reject", "inference_not_allowed")
    if standing.is_wished:
        return None
    if candidate.is_inferred and standing.occasions < predicate.min_evidence:
        return Decision("review", "min_evidence", proposed="add")
    reason = None
    if predicate.conflict_policy == "review":
        reason = "policy"
    elif candidate.sensitivity != "normal" or (predicate.is_sensitive and candidate.is_inferred):
        reason = "sensitive"
    elif candidate.is_tentative:
        reason = "tentative"
    elif standing.confidence < policy.min_confidence:
        reason = "low_confidence"
    if reason is None:
        return None
    if policy.rest == "reject" and reason == "low_confidence":
        return Decision("reject", reason)
    return Decision("review", reason, proposed="add")


@dataclass(slots=True)
class Meeting:
    """What a statement meets: the timeline as it would become, and who is trusted how far.

    ``is_known`` tells whether the fact is there and stands; ``trust`` is that of the new sentences,
    ``trust_of`` that of the facts they would overrule.
    """

    fact_id: int
    effect: Effect
    is_known: bool
    has_others: bool
    trust: int
    trust_of: dict[int, int] = field(default_factory=dict)


def decide(meeting: Meeting, standing: Standing) -> Decision:
    """Decide what a statement does, from what its timeline becomes."""
    fact_id, effect = meeting.fact_id, meeting.effect
    rivals = {piece.fact_id for piece in effect.before} - {fact_id}
    mine = [piece for piece in effect.after if piece.fact_id == fact_id]
    if contested := _contested(effect, fact_id):
        return Decision("conflict", "contradicts", contested, "supersede")
    if not mine:
        return Decision("history", "less_sure", _covering(effect, fact_id))
    overruled = _overruled(effect, fact_id)
    if overruled is not None and _shows_last(effect, fact_id):
        if meeting.trust < meeting.trust_of.get(overruled, 0) and not standing.approved:
            return Decision("review", "low_trust", overruled, "supersede")
        reason = "came_back" if meeting.is_known else "superseded"
        return Decision("supersede", reason, overruled)
    if meeting.is_known:
        return Decision("reinforce", "same_statement")
    if rivals or _follows_mine(effect, fact_id):
        if overruled is not None:
            if meeting.trust < meeting.trust_of.get(overruled, 0) and not standing.approved:
                return Decision("review", "low_trust", overruled, "history")
            return Decision("history", "within", overruled)
        return Decision("history", "older", _next_after(effect, mine[-1]))
    return Decision("add", "coexists" if meeting.has_others else "new")


def _contested(effect: Effect, fact_id: int) -> int | None:
    """Give a fact that a statement newly contradicts, if it does."""
    mine = [
        piece for piece in effect.new if piece.fact_id == fact_id and piece.certainty == "uncertain"
    ]
    return next(
        (
            piece.fact_id
            for piece in effect.after
            if piece.certainty == "uncertain"
            and piece.fact_id != fact_id
            and any(piece.valid_from == one.valid_from for one in mine)
        ),
        None,
    )


def _overruled(effect: Effect, fact_id: int) -> int | None:
    """Give the fact that held where this one now holds: it is cut short, or gone."""
    mine = [piece for piece in effect.new if piece.fact_id == fact_id]
    for old in effect.before:
        if old.fact_id != fact_id and any(
            piece.valid_from < old.valid_to and old.valid_from < piece.valid_to for piece in mine
        ):
            return old.fact_id
    return None


def _shows_last(effect: Effect, fact_id: int) -> bool:
    """Tell whether a fact holds until further notice, or to the end of what is known."""
    last = max(effect.after, key=lambda piece: piece.valid_to)
    return last.fact_id == fact_id


def _covering(effect: Effect, fact_id: int) -> int | None:
    mine = [one for one in effect.observations if one.fact_id == fact_id]
    return next(
        (
            piece.fact_id
            for piece in effect.after
            if any(piece.valid_from <= one.starts < piece.valid_to for one in mine)
        ),
        None,
    )


def _follows_mine(effect: Effect, fact_id: int) -> bool:
    return any(
        piece.ended_by == "successor" and piece.valid_to != OPEN
        for piece in effect.new
        if piece.fact_id == fact_id
    )


def _next_after(effect: Effect, mine: Piece) -> int | None:
    return next(
        (piece.fact_id for piece in effect.after if piece.valid_from == mine.valid_to), None
    )
