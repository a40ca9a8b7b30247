"""Settle a timeline: bring periods, links and states of its facts to what its evidence says."""

from collections.abc import Sequence
from dataclasses import dataclass

from memorycore.model.confidence import combine
from memorycore.model.predicate import Predicate
from memorycore.model.timeline import (
    EVERYTHING,
    LATEST,
    OPPOSED,
    SUREST,
    Observation,
    Piece,
    Window,
    contradictions,
    rewrite,
    successions,
    timeline,
    validity_of,
)
from memorycore.store.connection import Connection
from memorycore.store.evidence import (
    count_evidence,
    ends_at,
    has_endings,
    has_evidence,
    list_observations,
    list_reliabilities,
    walk_observations,
)
from memorycore.store.facts import predicates_of, set_state
from memorycore.store.links import settle_links
from memorycore.store.periods import (
    close_period,
    insert_periods,
    list_current,
    list_shown,
    list_touching,
)


def rule_of(predicate: Predicate, rank: int | None) -> str:
    """Give the rule by which facts of a predicate exclude each other."""
    if predicate.is_ranked and rank is not None:
        return SUREST
    return OPPOSED if predicate.opposite else LATEST


@dataclass(slots=True)
class Effect:
    """What new observations do to a timeline, before anything is written.

    ``before`` and ``after`` are the periods that touch the window; ``rows`` number those before.
    """

    timeline_id: int
    window: Window
    observations: list[Observation]
    before: list[Piece]
    rows: list[tuple[int, int]]
    closing: list[int]
    new: list[Piece]
    strengthened: frozenset[int] = frozenset()
    """The facts that the new observations are of: they are surer, even where nothing moves."""

    @property
    def after(self) -> list[Piece]:
        gone = set(self.closing)
        kept = [piece for place, piece in enumerate(self.before) if place not in gone]
        return sorted(kept + self.new, key=lambda piece: piece.valid_from)

    @property
    def facts(self) -> set[int]:
        return {piece.fact_id for piece in (*self.before, *self.new)}


def foresee(
    db: Connection,
    timeline_id: int | None,
    fact_id: int,
    added: Sequence[Observation],
    rule: str,
    *,
    without: frozenset[int] = frozenset(),
) -> Effect:
    """Compute what added observations of a fact would do to its timeline.

    Observations of the facts in ``without`` no longer count. One observation of a fact looks only
    at what it can change; the whole timeline is looked at when the ends of others depend on it.
    """
    if timeline_id is None:
        pieces = timeline(added, rule)
        return Effect(fact_id, EVERYTHING, list(added), [], [], [], pieces)
    if len(added) == 1 and rule == LATEST and not without and _is_alone(db, fact_id, added[0]):
        one = added[0]
        around, high = walk_observations(db, timeline_id, one.starts, one.ends)
        window = Window(one.starts, high)
        effect = _effect(db, timeline_id, window, [*around, one], rule)
        if _is_enough(db, effect, around):
            effect.strengthened = frozenset([fact_id])
            return effect
    standing = [one for one in list_observations(db, timeline_id) if one.fact_id not in without]
    return _effect(db, timeline_id, EVERYTHING, [*standing, *added], rule)


def _is_alone(db: Connection, fact_id: int, one: Observation) -> bool:
    """Tell whether no other sentence about the fact decides where this one ends, or is ended by it.

    Beside sentences that are open at the end it may say that they ended, and the other way round.
    """
    if not has_evidence(db, fact_id):
        return True
    return one.ended_by == "nothing" and not has_endings(db, [fact_id])


def _is_enough(db: Connection, effect: Effect, around: Sequence[Observation]) -> bool:
    """Tell whether no observation that was not read decides on an end in the window."""
    low = effect.window.low
    closing = {one.fact_id for one in around if one.ended_by != "statement"}
    cut = {piece.fact_id for piece in effect.before if piece.valid_from < low < piece.valid_to}
    return not has_endings(db, sorted(closing)) and not ends_at(db, sorted(cut), low)


def _effect(
    db: Connection, timeline_id: int, window: Window, observations: list[Observation], rule: str
) -> Effect:
    touching = list_touching(db, timeline_id, window)
    before = [piece for _, _, piece in touching]
    pieces = timeline(observations, rule)
    closing, new = rewrite(before, observations, pieces, window)
    rows = [(period_id, since) for period_id, since, _ in touching]
    return Effect(timeline_id, window, observations, before, rows, closing, new)


def settle(db: Connection, timeline_id: int, rule: str, *, recorded: int) -> None:
    """Bring a whole timeline to what its standing evidence says."""
    apply_effect(
        db,
        _effect(db, timeline_id, EVERYTHING, list_observations(db, timeline_id), rule),
        recorded=recorded,
    )


def apply_effect(db: Connection, effect: Effect, *, recorded: int) -> None:
    """Write what was foreseen: periods, the links that follow from them, the states of facts."""
    appearing = effect.strengthened - list_shown(db, sorted(effect.strengthened))
    for place in effect.closing:
        period_id, since = effect.rows[place]
        close_period(db, period_id, since, recorded=recorded)
    mentioned = effect.facts | {one.fact_id for one in effect.observations}
    facts = sorted(mentioned)
    predicates, subject_id = predicates_of(db, facts)
    insert_periods(db, effect.timeline_id, subject_id, predicates, effect.new, recorded=recorded)
    is_whole = effect.window == EVERYTHING
    if len(facts) > 1 or is_whole:
        settle_links(
            db,
            facts,
            _links(db, effect),
            appearing=sorted(appearing),
            whole=is_whole,
            recorded=recorded,
        )
    changed = effect.strengthened | {piece.fact_id for piece in effect.new}
    changed |= {effect.before[place].fact_id for place in effect.closing}
    for fact_id in facts if is_whole else sorted(changed):
        refresh(db, fact_id)


def refresh(db: Connection, fact_id: int) -> None:
    """Set what follows from a fact's evidence and periods: validity, confidence, support."""
    validity = validity_of(list_current(db, fact_id))
    confidence = combine(list_reliabilities(db, fact_id), contested=validity == "uncertain")
    support = count_evidence(db, fact_id)
    set_state(db, fact_id, validity=validity, confidence=confidence, support=support)


def _links(db: Connection, effect: Effect) -> set[tuple[str, int, int]]:
    after = effect.after
    wanted = {("SUPERSEDES", newer, older) for newer, older in successions(after)}
    wanted |= {("CONTRADICTS", one, other) for one, other in contradictions(after)}
    hidden = {one.fact_id for one in effect.observations} - {piece.fact_id for piece in after}
    hidden -= list_shown(db, sorted(hidden))
    for one in effect.observations:
        # A statement that never shows was overtaken by what holds where it begins.
        if one.fact_id in hidden:
            wanted |= {
                ("SUPERSEDES", piece.fact_id, one.fact_id)
                for piece in after
                if piece.valid_from <= one.starts < piece.valid_to
            }
    return wanted
