"""From a candidate to what it observed: one observation for each sentence it rests on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memorycore.model.candidate import Candidate, When
from memorycore.model.confidence import RELIABILITY
from memorycore.model.predicate import Predicate
from memorycore.model.time import DAY
from memorycore.model.timeline import ASSERTED, LOWEST, OPEN, UNKNOWN, UNTOLD, Mark, Observation
from memorycore.store.sightings import Turn

EXPIRY = Mark("day", "policy")


@dataclass(frozen=True, slots=True)
class Sighting:
    """A sentence of an episode: the half-open span of code points in its text.

    ``read_as`` is how it reads where the document around it is no conversation, or spells it with
    escapes.
    """

    turn: Turn
    span_from: int
    span_to: int
    read_as: str | None = None

    @property
    def quote(self) -> str:
        return self.turn.text[self.span_from : self.span_to]

    def as_read(self) -> "Sighting":
        """Give the sentence by itself, where it is read otherwise than it stands there."""
        if self.read_as is None:
            return self
        return Sighting(replace(self.turn, text=self.read_as), 0, len(self.read_as))


def observe(
    candidate: Candidate,
    sightings: Sequence[Sighting],
    predicate: Predicate,
    *,
    now: int,
    fact_id: int = 0,
    by_person: bool = False,
) -> list[Observation] | None:
    """Say what each sentence observes; ``None`` when the period ends before it begins.

    A start that was not said lies where the sentence was said: by then it held. Where even that is
    not known the start is open. An end that was not said is open too, but for predicates whose
    values expire.
    """
    found = []
    places = {(one.turn.episode_id, one.span_from): one for one in sightings}
    for sighting in places.values():
        period = _period(candidate, sighting.turn, predicate, now)
        if period is None:
            return None
        starts, from_mark, ends, to_mark, ended_by = period
        turn = sighting.turn
        source = "person" if by_person else turn.role
        reliability = RELIABILITY[source] if candidate.confidence is None else candidate.confidence
        found.append(
            Observation(
                fact_id,
                starts,
                ends,
                from_mark,
                to_mark,
                ended_by,
                turn.by(now),
                source,
                reliability,
                turn.episode_id * -1 if turn.session_id is None else turn.session_id,
                (turn.episode_id, sighting.span_from),
            )
        )
    return found


Period = tuple[int, Mark, int, Mark, str]


def _period(candidate: Candidate, turn: Turn, predicate: Predicate, now: int) -> Period | None:
    asserted_at = turn.by(now)
    start, end = candidate.valid_from, candidate.valid_to
    starts, from_mark = LOWEST, UNKNOWN
    if start is not None:
        starts, from_mark = start.moment.from_, _mark(start)
    elif asserted_at is not None:
        starts, from_mark = asserted_at, _said(turn)
    if end is not None:
        ends = end.moment.from_
        if start is None and (ends <= starts or starts == LOWEST):
            # It had ended when it was said; since when it held was not.
            starts, from_mark = ends - 1, UNTOLD
        if ends <= starts:
            ends = end.moment.to
        if ends <= starts:
            return None
        return starts, from_mark, ends, _mark(end), "statement"
    if predicate.conflict_policy == "expire" and starts != LOWEST:
        ends = min(starts + round(predicate.tau_days * DAY), OPEN - 1)
        return starts, from_mark, ends, EXPIRY, "expiry"
    return starts, from_mark, OPEN, UNKNOWN, "nothing"


def _said(turn: Turn) -> Mark:
    """Mark a start that was not said: by then, as precisely as the turn's own time is known."""
    return ASSERTED if turn.precision == "instant" else Mark(turn.precision, ASSERTED.basis)


def _mark(when: When) -> Mark:
    return Mark(when.moment.precision, when.basis)
