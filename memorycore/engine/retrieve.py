"""Find the episodes that answer a question.

For each scope: count each clause, weigh it by how rare it is in that scope, let SQLite rank, then
correct the order of the best (``engine/rerank.py``). What may not be seen is not in the index, and
is checked again when the rows are read.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from memorycore.engine.cursor import Position
from memorycore.engine.question import MAX_CLAUSES, Question, read_question
from memorycore.engine.rerank import SESSION_SHARE, Ranked, Wish, read_wish, rerank
from memorycore.errors import InvalidInputError
from memorycore.model.episode import Episode
from memorycore.model.search import MAX_LIMIT, Hit, Part, SearchRequest
from memorycore.store.connection import Connection
from memorycore.store.entities import list_speakers
from memorycore.store.episodes import load_episodes, load_turns
from memorycore.store.match import Clause
from memorycore.store.scopes import find_scope, find_session
from memorycore.store.search import (
    Narrowing,
    count_indexed,
    count_matches,
    rank_apart,
    rank_together,
    score_clause,
)

POOL = 200
"""How many of SQLite's best are corrected at a time; a page is cut from such a pool."""
MAX_DEPTH = 10_000
"""How far paging goes."""
POSTINGS_BUDGET = 60_000
"""Of a long question in a large scope the rarest clauses are kept until they touch so many rows."""
FEWEST_CLAUSES = 4
MAX_COUNTED = 128
"""Of a very long question so many clauses are counted, to find the rarest."""
SATURATION = 2.2
"""The most that one clause can give is its rarity times this (bm25's k1 + 1)."""
SAME_WEIGHTS = 1.15
"""When SQLite's own rarities are within this factor of the scope's, one MATCH does."""
FLOOR = 0.03
"""Below this share of the best possible score a hit is chance."""
MAX_SPEAKERS = 200


@dataclass(slots=True, eq=False, repr=False)
class Weighted:
    """A clause with its rarity in the scope, and in the whole index as SQLite sees it."""

    clause: Clause
    count: int
    rarity: float
    native: float

    @property
    def weight(self) -> float:
        return self.rarity / self.native


@dataclass(slots=True, eq=False, repr=False)
class Plan:
    """How one scope is asked. ``ideal`` is the raw score of a turn that says all of it."""

    scope_id: int
    clauses: tuple[Weighted, ...]
    together: bool
    ideal: float


@dataclass(frozen=True, slots=True)
class Asked:
    """What one scope is asked: the plan, what else is wished for, and what narrows it."""

    plan: Plan
    wish: Wish
    narrowing: Narrowing


def search_episodes(
    db: Connection, request: SearchRequest, start: Position, *, known: int | None = None
) -> tuple[tuple[Hit, ...], int | None]:
    """Find one page of episodes; give them, and the place after them if more may follow.

    ``known`` is the last operation that counts.
    """
    page: list[tuple[Plan, Ranked]] = []
    after: int | None = None
    for place, plan, found in _ranked(db, _plan_scopes(db, request, start, known), start):
        if found.share < FLOOR:
            continue
        if len(page) == request.limit:
            after = place
            break
        page.append((plan, found))
    return _hits(db, page, explain=request.explain), after


def check_request(request: SearchRequest) -> None:
    """Refuse a request whose fields are of another kind.

    Raises:
        InvalidInputError: one is.
    """
    if type(request.limit) is not int or not 1 <= request.limit <= MAX_LIMIT:
        raise InvalidInputError(f"The limit is {request.limit!r}; 1 to {MAX_LIMIT} do.")
    texts = ("query", "cursor", "session", "since", "until", "as_of", "known_at", "predicate")
    for name in texts:
        value = getattr(request, name)
        if not isinstance(value, str) and (value is not None or name == "query"):
            raise InvalidInputError(f"{name} must be a text, not {type(value).__name__}.")


def _plan_scopes(
    db: Connection, request: SearchRequest, start: Position, known: int | None
) -> list[Asked]:
    asked = []
    everywhere = replace(_narrowing(request, start), recorded_until=known)
    for name in request.scopes:
        scope_id = find_scope(db, name)
        if scope_id is None:
            continue
        narrowing = everywhere
        if request.session is not None:
            session_id = find_session(db, scope_id, request.session)
            if session_id is None:
                continue
            narrowing = replace(everywhere, session_id=session_id)
        question = read_question(request.query, list_speakers(db, scope_id, limit=MAX_SPEAKERS))
        if not question.is_empty:
            plan = plan_scope(db, scope_id, question)
            wish = read_wish(request.query, question.speaker_id, now=start.now, zone=request.zone)
            asked.append(Asked(plan, wish, narrowing))
    return asked


def _narrowing(request: SearchRequest, start: Position) -> Narrowing:
    occurred_from, occurred_to = _window(request, start.now)
    return Narrowing(
        roles=request.roles,
        occurred_from=occurred_from,
        occurred_to=occurred_to,
        last_episode=start.last_episode if request.cursor else None,
    )


def _window(request: SearchRequest, now: int) -> tuple[int | None, int | None]:
    if request.since is None and request.until is None and request.as_of is None:
        return None, None
    from memorycore.model.time import parse_bound

    since = until = None
    if request.since is not None:
        since = parse_bound(request.since, now=now, zone=request.zone).from_
    if request.until is not None:
        until = parse_bound(request.until, now=now, zone=request.zone).to
    if request.as_of is not None:
        # What is true at a time is told by what was said until then.
        said_until = parse_bound(request.as_of, now=now, zone=request.zone).to
        until = said_until if until is None else min(until, said_until)
    return since, until


def plan_scope(db: Connection, scope_id: int, question: Question) -> Plan:
    """Count and weigh the clauses of a question in one scope."""
    size, total = count_indexed(db, scope_id)
    wanted = question.clauses[:MAX_COUNTED]
    if question.required:
        wanted = (Clause(question.required, "as quoted"),)
    telling = [weigh(one, count_matches(db, scope_id, one), size, total) for one in wanted]
    extra = [weigh(one, count_matches(db, scope_id, one), size, total) for one in question.extra]
    kept = choose_clauses(telling + extra)
    together = all(1 / SAME_WEIGHTS <= one.weight <= SAME_WEIGHTS for one in kept)
    # A pair of Han characters that occurs nowhere is mostly two words that meet in the question,
    # not something that was asked for and is missing; a Latin word that occurs nowhere is missing.
    asked = [one for one in telling if one.count or one.clause.label.isascii()]
    ideal = SATURATION * sum(one.native if together else one.rarity for one in asked)
    return Plan(scope_id, tuple(kept), together, max(ideal, 1e-6))


def weigh(clause: Clause, count: int, size: int, total: int) -> Weighted:
    """Give a clause that fits ``count`` of ``size`` episodes its rarity: never below zero."""
    rarity = math.log1p((size - count + 0.5) / (count + 0.5)) if count <= size else 0.0
    native = math.log((total - count + 0.5) / (count + 0.5)) if 2 * count < total else 0.0
    return Weighted(clause, count, rarity, max(native, 1e-6))


def choose_clauses(weighed: Sequence[Weighted]) -> list[Weighted]:
    """Keep the clauses that fit anything: the rarest ones, within the budget of rows to touch."""
    kept: list[Weighted] = []
    touched = 0
    for one in sorted(weighed, key=lambda one: one.count):
        if not one.count:
            continue
        touched += one.count
        if len(kept) >= FEWEST_CLAUSES and touched > POSTINGS_BUDGET:
            break
        kept.append(one)
    return kept[:MAX_CLAUSES]


def _ranked(
    db: Connection, asked: Sequence[Asked], start: Position
) -> Iterator[tuple[int, Plan, Ranked]]:
    """Go through the order of all that fits, from a position on, pool by pool.

    A place is counted over the pools, each as wide as it can get; so it stays what it is when a
    pool turns out smaller.
    """
    width = POOL * max(1, len(asked))
    for number in range(start.offset // width, MAX_DEPTH // POOL):
        pools = [_read_pool(db, one, offset=number * POOL) for one in asked]
        found = sorted(
            ((one.plan, ranked) for one, pool in zip(asked, pools, strict=True) for ranked in pool),
            key=lambda pair: (-pair[1].score, pair[1].number),
        )
        for place, (plan, ranked) in enumerate(found, number * width):
            if place >= start.offset:
                yield place, plan, ranked
        if not any(_may_go_on(pool) for pool in pools):
            return


def _may_go_on(pool: Sequence[Ranked]) -> bool:
    """Tell whether what follows a pool in SQLite's order can still lie above the floor."""
    return len(pool) == POOL and min(one.share for one in pool) >= FLOOR


def _read_pool(db: Connection, asked: Asked, *, offset: int) -> list[Ranked]:
    plan, narrowing = asked.plan, asked.narrowing
    if not plan.clauses:
        return []
    if plan.together:
        clauses = [one.clause for one in plan.clauses]
        ranked = rank_together(db, plan.scope_id, clauses, narrowing, limit=POOL, offset=offset)
    else:
        weighted = [(one.clause, one.weight) for one in plan.clauses]
        ranked = rank_apart(db, plan.scope_id, weighted, narrowing, limit=POOL, offset=offset)
    turns = load_turns(db, [number for number, _ in ranked])
    pool = [(turns[number], raw) for number, raw in ranked if number in turns]
    return rerank(pool, asked.wish, ideal=plan.ideal)


def _hits(db: Connection, page: Sequence[tuple[Plan, Ranked]], *, explain: bool) -> tuple[Hit, ...]:
    episodes = load_episodes(db, [found.number for _, found in page])
    return tuple(
        _explained(db, episodes[found.number], plan, found)
        if explain
        else Hit(episodes[found.number], min(1.0, found.score))
        for plan, found in page
    )


def _explained(db: Connection, episode: Episode, plan: Plan, found: Ranked) -> Hit:
    parts = []
    for one in plan.clauses:
        scores = score_clause(db, plan.scope_id, one.clause, found.number)
        if scores is not None:
            weight = (1 - SESSION_SHARE) * (1.0 if plan.together else one.weight)
            parts.append(Part(one.clause.label, weight * scores[0], weight * scores[1]))
    score = min(1.0, found.score)
    session = SESSION_SHARE * found.session * plan.ideal
    return Hit(episode, score, tuple(parts), found.factors, plan.ideal, session)
