"""Find the facts that answer a question: by their words, and only those that hold when asked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memorycore.engine.question import Question, read_question
from memorycore.engine.retrieve import SATURATION, choose_clauses, weigh
from memorycore.model.fact import Fact
from memorycore.model.search import FactHit
from memorycore.store.connection import Connection
from memorycore.store.entities import list_speakers
from memorycore.store.fact_reads import AsOf, load_facts
from memorycore.store.fact_search import count_fact_matches, count_indexed_facts, rank_facts
from memorycore.store.match import Clause

POOL = 200
MAX_DEPTH = 5_000
FLOOR = 0.08
"""Below this share of the best possible score a fact is no answer."""
MAX_SPEAKERS = 200
MAX_CLAUSES = 24


@dataclass(slots=True)
class FactRequest:
    """A question to the facts of some scopes. A field that is ``None`` asks for nothing."""

    query: str
    scope_ids: tuple[int, ...]
    when: AsOf
    predicate: str | None = None
    entity_uid: bytes | None = None
    min_confidence: float | None = None
    consolidated: bool = False
    archived: bool = False
    zone: str = "UTC"
    floor: float = FLOOR


def search_facts(
    db: Connection, request: FactRequest, *, limit: int, offset: int = 0
) -> tuple[list[FactHit], int, int]:
    """Find facts, best first, after ``offset`` of them.

    Gives them, how many more there may be (0 or 1), and how many fit but do not hold when asked.
    """
    scored: list[tuple[float, Fact]] = []
    past = 0
    for scope_id in request.scope_ids:
        question = read_question(request.query, list_speakers(db, scope_id, limit=MAX_SPEAKERS))
        needed = offset + limit + 1
        kept = 0
        for score, fact in _ranked(db, scope_id, question, request):
            if not _is_wanted(fact, request):
                continue
            if fact.period is None:
                past += 1
                continue
            scored.append((score, fact))
            kept += 1
            if kept == needed:
                break
    scored.sort(key=lambda pair: (-pair[0], pair[1].number))
    page = scored[offset : offset + limit]
    numbers = [fact.number for _, fact in page]
    whole = load_facts(db, numbers, request.when, zone=request.zone)
    hits = [FactHit(whole[fact.number], min(1.0, score)) for score, fact in page]
    return hits, int(len(scored) > offset + limit), past


def _ranked(
    db: Connection, scope_id: int, question: Question, request: FactRequest
) -> Iterator[tuple[float, Fact]]:
    """Go through the facts of a scope that fit, best first, pool by pool."""
    size, total = count_indexed_facts(db, scope_id)
    wanted = [*question.clauses[:MAX_CLAUSES], *question.extra] if question.clauses else []
    if question.required:
        wanted = [Clause(question.required, "as quoted")]
    if not size or not wanted:
        return
    weighed = [weigh(one, count_fact_matches(db, scope_id, one), size, total) for one in wanted]
    telling = weighed[: max(1, len(question.clauses[:MAX_CLAUSES]))]
    asked = [one for one in telling if one.count or one.clause.label.isascii()]
    # Rarity in the scope decides, whatever other scopes hold.
    ideal = max(SATURATION * sum(one.rarity for one in asked), 1e-6)
    weighted = [(one.clause, one.weight) for one in choose_clauses(weighed)]
    for start in range(0, MAX_DEPTH if weighted else 0, POOL):
        pool = rank_facts(db, scope_id, weighted, limit=POOL, offset=start)
        yield from _loaded(db, pool, ideal, request)
        if len(pool) < POOL:
            return


def _loaded(
    db: Connection, pool: Sequence[tuple[int, float]], ideal: float, request: FactRequest
) -> Iterator[tuple[float, Fact]]:
    numbers = [number for number, _ in pool]
    facts = load_facts(db, numbers, request.when, zone=request.zone, evidence=False)
    for number, raw in pool:
        score = raw / ideal
        if number in facts and score >= request.floor:
            yield score, facts[number]


def _is_wanted(fact: Fact, request: FactRequest) -> bool:
    lifecycles = ["active"]
    lifecycles += ["consolidated"] if request.consolidated else []
    lifecycles += ["archived", "deep_archived"] if request.archived else []
    object_uid = fact.object.uid if fact.object is not None else None
    return (
        fact.lifecycle in lifecycles
        and (request.predicate is None or fact.predicate == request.predicate)
        and (request.entity_uid is None or request.entity_uid in (fact.subject.uid, object_uid))
        and (request.min_confidence is None or fact.confidence >= request.min_confidence)
    )
