"""What is derived: find where it is not what it is derived from, and derive it anew."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from memorycore.engine.settle import refresh, rule_of, settle
from memorycore.engine.upkeep import check_indexes, mend_indexes
from memorycore.engine.veil import refresh_names, stale_names
from memorycore.model.backup import IndexState
from memorycore.model.confidence import combine
from memorycore.model.predicate import Predicate
from memorycore.model.timeline import LATEST, Piece, timeline, validity_of
from memorycore.store import struck
from memorycore.store.connection import Connection
from memorycore.store.decided_links import decided_validity
from memorycore.store.evidence import count_evidence, list_observations, list_reliabilities
from memorycore.store.fact_index import FactIndexing
from memorycore.store.facts import list_of_timeline
from memorycore.store.periods import list_current
from memorycore.store.predicates import load_predicates
from memorycore.store.soundness import State, has_broken_index, iter_states, rebuild_indexes


@dataclass(frozen=True, slots=True)
class Stale:
    """What is no longer what it is derived from, by number.

    ``timelines`` are those whose periods differ, each with its rule; ``facts`` those whose
    validity, confidence or support does; ``episodes`` those that show something else than what
    is struck leaves; ``named`` entities of whose names something else is hidden than of their
    sentences.
    """

    timelines: tuple[tuple[int, str], ...]
    facts: tuple[int, ...]
    episodes: tuple[int, ...]
    indexes: tuple[IndexState, ...]
    named: tuple[int, ...] = ()
    has_broken_index: bool = False
    """Whether an index of a table does not fit it."""

    @property
    def is_right(self) -> bool:
        """Whether all is what it is derived from."""
        rest = self.timelines or self.facts or self.episodes or self.named or self.has_broken_index
        return not rest and all(one.is_right for one in self.indexes)


def find_stale(db: Connection) -> Stale:
    """Derive everything anew and compare; in a transaction that may write, since indexes ask it."""
    if has_broken_index(db):
        # What is read by it may be wrong: all else is compared when it is whole.
        return Stale((), (), (), (), has_broken_index=True)
    timelines: list[tuple[int, str]] = []
    facts: list[int] = []
    predicates = {one.number: one for one in load_predicates(db).values()}
    for number, states in groupby(iter_states(db), key=lambda state: state.timeline_id):
        members = list(states)
        rule = _rule(predicates, members[0])
        if _differs(db, number, rule):
            timelines.append((number, rule))
        facts += [one.fact_id for one in members if _is_off(db, one)]
    episodes = [one for one in struck.list_struck(db) if struck.is_shown_stale(db, one)]
    indexes = tuple(check_indexes(db))
    named = tuple(stale_names(db))
    return Stale(tuple(timelines), tuple(facts), tuple(episodes), indexes, named)


def _rule(predicates: Mapping[int, Predicate], state: State) -> str:
    predicate = predicates.get(state.predicate_id)
    return LATEST if predicate is None else rule_of(predicate, state.rank)


def _differs(db: Connection, number: int, rule: str) -> bool:
    facts = list_of_timeline(db, number)
    standing = [piece for fact in facts for piece in list_current(db, fact)]
    return _sorted(standing) != _sorted(timeline(list_observations(db, number), rule))


def _sorted(pieces: Sequence[Piece]) -> list[Piece]:
    return sorted(pieces, key=lambda one: (one.valid_from, one.fact_id, one.valid_to))


def _is_off(db: Connection, state: State) -> bool:
    validity = decided_validity(db, state.fact_id, validity_of(list_current(db, state.fact_id)))
    confidence = combine(list_reliabilities(db, state.fact_id), contested=validity == "uncertain")
    found = (validity, confidence, count_evidence(db, state.fact_id))
    return found != (state.validity, state.confidence, state.support)


def derive(db: Connection, stale: Stale, *, recorded: int) -> None:
    """Derive anew what is stale, in the transaction that is open."""
    if stale.has_broken_index:
        rebuild_indexes(db)
        stale = find_stale(db)
    for number, rule in stale.timelines:
        settle(db, number, rule, recorded=recorded)
    for fact in stale.facts:
        refresh(db, fact)
    struck.refresh_shown(db, stale.episodes)
    refresh_names(db, FactIndexing(db), stale_names(db))
    # Last, and whole: what was derived anew may stand in any of their rows.
    mend_indexes(db)
