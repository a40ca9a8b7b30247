"""Settle a timeline: bring periods, links and states of its facts to what its evidence says."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memorycore.model.confidence import CERTAIN, combine
from memorycore.model.predicate import Predicate
from memorycore.model.timeline import (
    EVERYTHING,
    LATEST,
    LOWEST,
    OPEN,
    OPPOSED,
    SUREST,
    Observation,
    Piece,
    Window,
    overtakes,
    rewrite,
    timeline,
    validity_of,
)
from memorycore.model.timeline_links import contradictions, successions
from memorycore.store.connection import Connection
from memorycore.store.decided_links import decided_validity, settle_decided
from memorycore.store.evidence import (
    begins_at,
    count_evidence,
    ends_at,
    has_alike,
    has_as_sure,
    has_endings,
    has_evidence,
    has_open,
    has_rivals,
    list_observations,
    list_reliabilities,
    walk_observations,
)
from memorycore.store.facts import places_of, set_state
from memorycore.store.journal import get_field
from memorycore.store.links import settle_links
from memorycore.store.periods import (
    close_period,
    insert_periods,
    list_current,
    list_current_rows,
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
    added: Observation | None = None
    """The one observation that is new, where nothing else about the evidence changes."""
    is_settled: bool = False
    """Whether the evidence of any fact of the timeline may have changed since it was written."""

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
        return Effect(fact_id, EVERYTHING, list(added), [], [], [], pieces, is_settled=True)
    effect = None
    if len(added) == 1 and not without:
        effect = _unchanged(db, timeline_id, added[0], rule)
        effect = effect or _in_window(db, timeline_id, added[0], rule)
    if effect is None:
        standing = list_observations(db, timeline_id)
        standing = [one for one in standing if one.fact_id not in without]
        effect = _effect(db, timeline_id, EVERYTHING, [*standing, *added], rule)
        effect.is_settled = bool(without)
    effect.strengthened = frozenset([fact_id])
    effect.added = added[0] if len(added) == 1 and not without else None
    return effect


def _unchanged(db: Connection, timeline_id: int, one: Observation, rule: str) -> Effect | None:
    """Foresee that one more sentence says of a fact just what is believed of it already.

    That is so where another one gives it the same period, and no other fact begins there.
    """
    least = one.reliability if rule == SUREST else 0.0
    if has_alike(db, timeline_id, one, least_reliability=least):
        if _meets_others(db, timeline_id, one, rule):
            return None
    elif not _is_within(db, timeline_id, one, rule):
        return None
    if one.ended_by == "statement":
        if has_open(db, one.fact_id):
            return None
    elif has_endings(db, [one.fact_id]):
        return None
    rows = [
        row
        for row in list_current_rows(db, one.fact_id)
        if row[2].valid_from <= one.starts < row[2].valid_to
    ]
    if len(rows) != 1 or rows[0][2].certainty != "asserted":
        return None
    places = [(period_id, since) for period_id, since, _ in rows]
    window = Window(one.starts, one.starts)
    return Effect(timeline_id, window, [one], [rows[0][2]], places, [], [])


def _meets_others(db: Connection, timeline_id: int, one: Observation, rule: str) -> bool:
    """Tell whether another fact is observed to begin where one does, or is opposed undated."""
    if has_rivals(db, timeline_id, one.fact_id, one.starts, one.starts):
        return True
    until = OPEN if one.starts == LOWEST else LOWEST
    return rule == OPPOSED and has_rivals(db, timeline_id, one.fact_id, LOWEST, until)


def _is_within(db: Connection, timeline_id: int, one: Observation, rule: str) -> bool:
    """Tell whether a fact without rivals holds already, from before a sentence, without end."""
    return (
        rule == SUREST
        and one.ended_by == "nothing"
        and any(
            piece.valid_from < one.starts and piece.valid_to == OPEN
            for piece in list_current(db, one.fact_id)
        )
        and not has_rivals(db, timeline_id, one.fact_id, LOWEST, OPEN)
    )


def _in_window(db: Connection, timeline_id: int, one: Observation, rule: str) -> Effect | None:
    """Foresee what one observation does from a window of the timeline, where that is enough."""
    if rule == OPPOSED and one.starts > LOWEST and not begins_at(db, timeline_id, LOWEST):
        # Opposites that all have their time only follow each other.
        rule = LATEST
    if rule != LATEST or not _is_alone(db, one.fact_id, one):
        return None
    around, high = walk_observations(db, timeline_id, one.starts, one.ends)
    effect = _effect(db, timeline_id, Window(one.starts, high), [*around, one], rule)
    return effect if _is_enough(db, effect, one, around) else None


def _is_alone(db: Connection, fact_id: int, one: Observation) -> bool:
    """Tell whether no other sentence about the fact decides where this one ends, or is ended by it.

    Beside sentences that are open at the end it may say that they ended, and the other way round.
    """
    if one.ended_by != "nothing" and overtakes(one):
        # What it takes the place of does not come back behind it.
        return False
    if not has_evidence(db, fact_id):
        return True
    return one.ended_by != "statement" and not has_endings(db, [fact_id])


def _is_enough(
    db: Connection, effect: Effect, one: Observation, around: Sequence[Observation]
) -> bool:
    """Tell whether no observation that was not read decides on an end in the window.

    One that reaches over another that is open may show again behind that. What shows nowhere any
    more was overtaken where it began, which may lie before.
    """
    if {effect.before[place].fact_id for place in effect.closing} - {
        piece.fact_id for piece in effect.after
    }:
        return False
    low, high = effect.window.low, effect.window.high
    if one.ended_by != "nothing" and high < one.ends:
        return False
    if any(other.ended_by == "statement" and overtakes(other) for other in around):
        # It takes the place of this one and ends: what then shows may have begun before.
        return False
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
    effect = _effect(db, timeline_id, EVERYTHING, list_observations(db, timeline_id), rule)
    effect.is_settled = True
    apply_effect(db, effect, recorded=recorded)


def apply_effect(db: Connection, effect: Effect, *, recorded: int) -> None:
    """Write what was foreseen: periods, the links that follow from them, the states of facts."""
    appearing = effect.strengthened - list_shown(db, sorted(effect.strengthened))
    for place in effect.closing:
        period_id, since = effect.rows[place]
        close_period(db, period_id, since, recorded=recorded)
    facts = sorted(effect.facts | {one.fact_id for one in effect.observations})
    places = places_of(db, facts)
    insert_periods(db, effect.timeline_id, places, effect.new, recorded=recorded)
    changed = effect.strengthened | {piece.fact_id for piece in effect.new}
    changed |= {effect.before[place].fact_id for place in effect.closing}
    if len(facts) > 1 or effect.is_settled:
        settle_links(
            db,
            facts,
            _links(db, effect, None if effect.is_settled else changed),
            changed=None if effect.is_settled else sorted(changed),
            appearing=sorted(appearing),
            recorded=recorded,
        )
    for fact_id in facts if effect.is_settled else sorted(changed):
        is_grown = effect.added is not None and effect.added.fact_id == fact_id
        refresh(db, fact_id, added=effect.added if is_grown else None)


def refresh(db: Connection, fact_id: int, *, added: Observation | None = None) -> None:
    """Set what follows from a fact's evidence and periods: validity, confidence, support.

    ``added`` is the one observation that is new since it was last set, if just one is.
    """
    validity = decided_validity(db, fact_id, validity_of(list_current(db, fact_id)))
    confidence = None if added is None else _as_sure_as_before(db, added, validity)
    if confidence is None:
        confidence = combine(list_reliabilities(db, fact_id), contested=validity == "uncertain")
    support = count_evidence(db, fact_id)
    set_state(db, fact_id, validity=validity, confidence=confidence, support=support)


def settle_decisions(
    db: Connection, facts: Iterable[int], *, left: Sequence[int] = (), recorded: int
) -> None:
    """Bring what follows from importers' decisions about facts to what stands of them."""
    for fact_id in settle_decided(db, facts, left=left, recorded=recorded):
        refresh(db, fact_id)


def _as_sure_as_before(db: Connection, added: Observation, validity: str) -> float | None:
    """Give a fact's confidence where one more observation cannot raise it."""
    if get_field(db, "fact", added.fact_id, "validity") != validity or validity == "uncertain":
        return None
    confidence = float(get_field(db, "fact", added.fact_id, "confidence"))
    return confidence if confidence == CERTAIN or has_as_sure(db, added) else None


def _links(
    db: Connection, effect: Effect, changed: frozenset[int] | None
) -> set[tuple[str, int, int]]:
    """List the links that follow from a timeline, or those of what has changed in it."""
    after = effect.after
    wanted = {("SUPERSEDES", newer, older) for newer, older in successions(after, changed)}
    wanted |= {("CONTRADICTS", one, other) for one, other in contradictions(after, changed)}
    hidden = {one.fact_id for one in effect.observations} - {piece.fact_id for piece in after}
    hidden -= list_shown(db, sorted(hidden))
    moved = after if changed is None else [one for one in after if one.fact_id in changed]
    for one in effect.observations:
        # A statement that never shows was overtaken by what holds where it begins.
        if one.fact_id in hidden:
            wanted |= {
                ("SUPERSEDES", piece.fact_id, one.fact_id)
                for piece in (after if changed and one.fact_id in changed else moved)
                if piece.valid_from <= one.starts < piece.valid_to
            }
    return wanted
