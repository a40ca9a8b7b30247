"""Recall: gather what an agent should have before its eyes for a question, within a budget."""

from collections.abc import Sequence
from dataclasses import dataclass

from memorycore.engine.compose import Frame, compose
from memorycore.engine.context_line import closing, fact_line, opening, turn_line
from memorycore.engine.cursor import Position
from memorycore.engine.diversify import diversify
from memorycore.engine.look import Instant, read_as_of
from memorycore.engine.question import read_question
from memorycore.engine.retrieve import search_episodes
from memorycore.engine.retrieve_facts import FactRequest, search_facts
from memorycore.model.context import Context, Line
from memorycore.model.fact import Fact
from memorycore.model.search import SearchRequest
from memorycore.model.time import format_instant
from memorycore.model.tokens import CountTokens
from memorycore.store.connection import Connection
from memorycore.store.episodes import next_episode_id
from memorycore.store.fact_reads import AsOf, load_facts
from memorycore.store.import_reach import documents_among
from memorycore.store.links import list_contradicted
from memorycore.store.predicates import list_predicates
from memorycore.store.scopes import find_scope
from memorycore.store.standing import list_of_predicates, list_pinned

MAX_FACTS = 60
MAX_TURNS = 40
MAX_STANDING = 200
STANDING = ("instructs",)
"""Predicates that count whatever is asked, as what is pinned does."""
OPEN_WEIGHT = 0.15
"""What is owed matters a little even where nobody asks for it."""


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """What a context is made for.

    Turns of ``session`` are left out: whoever asks has them before its eyes. ``exclude`` are ids
    of facts and episodes; ``sections`` those that are wanted. Times are as in a search.
    """

    query: str
    scopes: tuple[str, ...]
    budget: int
    sections: tuple[str, ...]
    now: int
    zone: str
    as_of: str | None = None
    known_at: str | None = None
    session: str | None = None
    exclude: frozenset[str] = frozenset()
    is_stable: bool = False


def recall(db: Connection, request: RecallRequest, *, count: CountTokens) -> Context:
    """Make the context of a question.

    Raises:
        InvalidQueryError: the question is empty.
        InvalidTimeError: a time cannot be read.
    """
    asked = Instant(request.as_of, request.known_at)
    when = read_as_of(db, asked, now=request.now, zone=request.zone)
    gathering = _Gathering(db, request, when)
    by_section = {
        "pinned": gathering.pinned,
        "now": gathering.now,
        "past": gathering.past,
        "promised": gathering.promised,
        "said": gathering.said,
    }
    lines: list[Line] = []
    repeats = 0
    for section, gather in by_section.items():
        if section in request.sections:
            found, repeated = diversify(gather())
            lines += found
            repeats += repeated
    shown = format_instant(when.valid_at or request.now, request.zone)[:10]
    frame = Frame(opening(request.scopes, shown), closing())
    return compose(
        lines, frame, budget=request.budget, count=count, is_stable=request.is_stable,
        repeats=repeats,
    )  # fmt: skip


class _Gathering:
    """Gathers the lines of each section. A fact stands in the first one that it belongs to."""

    def __init__(self, db: Connection, request: RecallRequest, when: AsOf) -> None:
        self._db = db
        self._request = request
        self._when = when
        found = [find_scope(db, name) for name in request.scopes]
        self._scope_ids = tuple(number for number in found if number is not None)
        self._words = read_question(request.query, ()).words
        self._seen: set[str] = set(request.exclude)
        self._current = self._search(when)
        ever = self._search(AsOf(None, when.known))
        holds = {fact.id for fact, _ in self._current}
        self._past = [pair for pair in ever if pair[0].id not in holds and self._is_over(pair[0])]

    def _search(self, when: AsOf) -> list[tuple[Fact, float]]:
        wanted = FactRequest(self._request.query, self._scope_ids, when, zone=self._request.zone)
        hits, _, _ = search_facts(self._db, wanted, limit=MAX_FACTS)
        return [(hit.fact, hit.score * (0.6 + 0.4 * hit.fact.confidence)) for hit in hits]

    def _is_over(self, fact: Fact) -> bool:
        at = self._when.valid_at
        return fact.period is not None and at is not None and fact.period.valid_to <= at

    def _take(self, fact: Fact) -> bool:
        if fact.id in self._seen:
            return False
        self._seen.add(fact.id)
        return True

    def _load(self, numbers: Sequence[int]) -> list[Fact]:
        loaded = load_facts(self._db, numbers, self._when, zone=self._request.zone)
        facts = [loaded[number] for number in numbers if number in loaded]
        return [fact for fact in facts if fact.period is not None]

    def pinned(self) -> list[Line]:
        """What always counts: pinned facts, then standing instructions."""
        names = {one.name: one.number for one in list_predicates(self._db)}
        standing = [names[name] for name in STANDING if name in names]
        numbers = list_pinned(self._db, self._scope_ids, limit=MAX_STANDING)
        numbers += list_of_predicates(self._db, self._scope_ids, standing, limit=MAX_STANDING)
        facts = [fact for fact in self._load(list(dict.fromkeys(numbers))) if self._take(fact)]
        return [
            fact_line(fact, section="pinned", weight=(1.0 if fact.is_pinned else fact.importance))
            for fact in facts
        ]

    def now(self) -> list[Line]:
        """What holds, each with what held before it and what contradicts it."""
        lines = []
        for fact, score in self._current:
            if fact.temporal == "commitment" or not self._take(fact):
                continue
            against = self._against(fact)
            before = tuple(one for one, _ in self._past if _is_same_slot(one, fact))
            weight = min(1.0, score)
            lines.append(
                fact_line(fact, section="now", weight=weight, before=before, against=against)
            )
        return lines

    def _against(self, fact: Fact) -> tuple[Fact, ...]:
        if fact.validity != "uncertain":
            return ()
        return tuple(self._load(list_contradicted(self._db, fact.number)))

    def past(self) -> list[Line]:
        """What held, and is over."""
        return [
            fact_line(fact, section="past", weight=min(1.0, 0.7 * score))
            for fact, score in self._past
            if fact.temporal != "commitment" and self._take(fact)
        ]

    def promised(self) -> list[Line]:
        """What is owed: what the question asks for first, then what else is open."""
        owing = [one.number for one in list_predicates(self._db) if one.temporal == "commitment"]
        numbers = list_of_predicates(self._db, self._scope_ids, owing, limit=MAX_STANDING)
        asked = [(fact, score) for fact, score in self._current if fact.temporal == "commitment"]
        open_ = [(fact, OPEN_WEIGHT * fact.importance) for fact in self._load(numbers)]
        return [
            fact_line(fact, section="promised", weight=min(1.0, score))
            for fact, score in [*asked, *open_]
            if self._take(fact)
        ]

    def said(self) -> list[Line]:
        """What was said of it, outside the session that asks.

        A document that was imported is no sentence: what it says stands as facts.
        """
        request = self._request
        asked = SearchRequest(
            request.query, request.scopes, limit=MAX_TURNS, zone=request.zone, now=request.now,
            as_of=request.as_of, known_at=request.known_at,
        )  # fmt: skip
        start = Position(next_episode_id(self._db) - 1, 0, request.now)
        hits, _ = search_episodes(self._db, asked, start, known=self._when.known)
        documents = documents_among(self._db, [hit.episode.number for hit in hits])
        return [
            turn_line(hit.episode, weight=0.8 * hit.score, words=self._words)
            for hit in hits
            if hit.episode.id not in self._seen
            and hit.episode.number not in documents
            and (request.session is None or hit.episode.session != request.session)
        ]


def _is_same_slot(one: Fact, other: Fact) -> bool:
    is_same = (one.subject.uid, one.predicate) == (other.subject.uid, other.predicate)
    return is_same and one.temporal == "state"
