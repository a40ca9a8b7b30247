"""Answer a question with one page: the facts that hold, and the episodes that speak of it."""

from memorycore.engine.cursor import Position, read_cursor, write_cursor
from memorycore.engine.identify import get_entity
from memorycore.engine.look import Instant, read_as_of
from memorycore.engine.question import read_question
from memorycore.engine.retrieve import check_request, search_episodes
from memorycore.engine.retrieve_facts import FactRequest, search_facts
from memorycore.errors import InvalidInputError, NotFoundError
from memorycore.model.fact import STATES
from memorycore.model.search import FactHit, Hit, SearchRequest, SearchResult
from memorycore.store.connection import Connection
from memorycore.store.episodes import next_episode_id
from memorycore.store.fact_reads import AsOf
from memorycore.store.scopes import find_scope


def search(db: Connection, request: SearchRequest, *, cursor_key: bytes) -> SearchResult:
    """Answer a question with one page of facts and episodes.

    Raises:
        InvalidQueryError, InvalidCursorError, InvalidInputError: the request cannot be read.
    """
    check_request(request)
    start = read_cursor(request, cursor_key) or Position(next_episode_id(db) - 1, 0, request.now)
    words = read_question(request.query, ()).words
    when = read_as_of(
        db, Instant(request.as_of, request.known_at), now=start.now, zone=request.zone
    )
    facts: list[FactHit] = []
    more = past = 0
    if not request.is_about_episodes:
        wanted = _fact_request(db, request, when)
        facts, more, past = search_facts(db, wanted, limit=request.limit, offset=start.facts)
    hits: tuple[Hit, ...] = ()
    after: int | None = None
    if not request.is_about_facts:
        hits, after = search_episodes(db, request, start, known=when.known)
    next_ = None
    if after is not None or more:
        place = after if after is not None else _END
        position = Position(start.last_episode, place, start.now, start.facts + len(facts))
        next_ = write_cursor(request, cursor_key, position)
    return SearchResult(hits, next_, words, request, tuple(facts), past)


_END = 2**32 - 1
"""The place after the last episode."""


def _fact_request(db: Connection, request: SearchRequest, when: AsOf) -> FactRequest:
    if unknown := set(request.include) - set(STATES):
        raise InvalidInputError(f"{sorted(unknown)[0]!r} is no state.", hint=", ".join(STATES))
    found = [find_scope(db, name) for name in request.scopes]
    scope_ids = tuple(number for number in found if number is not None)
    if request.as_of is None and {"past", "upcoming", "invalid"} & set(request.include):
        when = AsOf(None, when.known)
    predicate = None
    if request.predicate is not None:
        predicate = _predicate(db, request.predicate)
    entity = None
    if request.entity is not None:
        entity = get_entity(db, scope_ids, request.entity).uid
    return FactRequest(
        request.query,
        scope_ids,
        when,
        predicate,
        entity,
        request.min_confidence,
        "consolidated" in request.include,
        "archived" in request.include,
        request.zone,
    )


def _predicate(db: Connection, name: str) -> str:
    from memorycore.store.predicates import find_predicate

    predicate = find_predicate(db, name)
    if predicate is None:
        raise NotFoundError(
            f"There is no predicate {name[:64]!r}.", hint="memoryctl predicate list"
        )
    return predicate.name
