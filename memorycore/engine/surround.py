"""What a model is told around some turns: nearest facts, nearest tags, the turns before.

None of it is evidence; it keeps a model from proposing what is known, and from making new names for
tags that are there.
"""

from collections.abc import Sequence

from memorycore.engine.retrieve_facts import FactRequest, search_facts
from memorycore.model.heard import Heard
from memorycore.model.search import FactHit
from memorycore.model.time import format_instant
from memorycore.model.word import fold
from memorycore.port.extractor import Surroundings
from memorycore.store.connection import Connection
from memorycore.store.entities import list_tags
from memorycore.store.fact_names import list_newest_texts
from memorycore.store.fact_reads import AsOf
from memorycore.store.harvests import list_before
from memorycore.store.predicates import list_predicates
from memorycore.store.scopes import find_scope

NEAREST_FACTS = 10
NEAREST_TAGS = 20
NEWEST_FACTS = 20
TURNS_BEFORE = 10
QUERY_LENGTH = 2_000
"""So many characters of the turns are looked up among the facts."""
COMPARED_LENGTH = 4_000
MAX_TAGS = 5_000


def surround(
    db: Connection, scope: str, page: Sequence[tuple[int, Heard]], *, now: int, zone: str
) -> Surroundings:
    """Look up what a store knows around some turns of a scope."""
    scope_id = find_scope(db, scope) or 0
    text = "\n".join(turn.text for _, turn in page)
    request = FactRequest(text[:QUERY_LENGTH], (scope_id,), AsOf(now), zone=zone, floor=0.0)
    facts: list[FactHit] = []
    if text.strip():
        facts, _, _ = search_facts(db, request, limit=NEAREST_FACTS)
    return Surroundings(
        tuple(list_before(db, page[0][0], limit=TURNS_BEFORE, zone=zone)),
        tuple((hit.fact.id, hit.fact.text) for hit in facts),
        tuple(nearest_tags(text, list_tags(db, scope_id, limit=MAX_TAGS))),
        tuple(list_predicates(db)),
        format_instant(now, zone)[:10],
        tuple(list_newest_texts(db, scope_id, limit=NEWEST_FACTS)),
        scope.startswith("agent:"),
    )


def nearest_tags(text: str, tags: Sequence[tuple[str, int]]) -> list[str]:
    """Rank tags (name and how often it is used) by how near they are to a text, best first.

    A name that stands in the text comes before all that are only similar; among equals the one that
    is used more, then by name (seed 000, T4).
    """
    from rapidfuzz.fuzz import ratio

    folded = fold(text)
    head = folded[:COMPARED_LENGTH]

    def score(name: str) -> float:
        bare = fold(name)
        if bare in folded:
            return 100.0 + min(20.0, len(bare) / 10)
        return float(ratio(bare, head)) / 10

    ranked = sorted(tags, key=lambda tag: (-score(tag[0]), -tag[1], tag[0]))
    return [name for name, _ in ranked[:NEAREST_TAGS]]
