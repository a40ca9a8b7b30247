"""Facts that count whatever is asked: pinned ones, and those of some predicates."""

from collections.abc import Sequence

from memorycore.store.connection import Connection, number_list

SELECT_PINNED = """
SELECT fact_id FROM facts
WHERE is_pinned = 1 AND scope_id IN (SELECT value FROM carray(:scopes))
  AND visibility = 'visible' AND support > 0 AND lifecycle = 'active'
ORDER BY importance DESC, fact_id DESC LIMIT :limit
"""


def list_pinned(db: Connection, scope_ids: Sequence[int], *, limit: int) -> list[int]:
    """List the pinned facts of some scopes, the most important first."""
    values = {"scopes": number_list(scope_ids), "limit": limit}
    return [row[0] for row in db.execute(SELECT_PINNED, values)]


SELECT_OF_PREDICATES = """
SELECT fact_id FROM facts
WHERE scope_id IN (SELECT value FROM carray(:scopes))
  AND predicate_id IN (SELECT value FROM carray(:predicates))
  AND visibility = 'visible' AND support > 0 AND lifecycle = 'active'
ORDER BY fact_id DESC LIMIT :limit
"""


def list_of_predicates(
    db: Connection, scope_ids: Sequence[int], predicates: Sequence[int], *, limit: int
) -> list[int]:
    """List the facts of some predicates, the newest first."""
    values = {
        "scopes": number_list(scope_ids),
        "predicates": number_list(predicates),
        "limit": limit,
    }
    return [row[0] for row in db.execute(SELECT_OF_PREDICATES, values)]
