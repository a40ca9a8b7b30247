"""The registry of tags: how often each is used, and when it was first and last heard of."""

from collections.abc import Sequence
from typing import Any

from memorycore.model.tag import TagUse
from memorycore.store.connection import Connection, number_list

SELECT_USES = """
SELECT e.name, count(DISTINCT f.fact_id), min(v.asserted_at), max(v.asserted_at)
FROM shown_entities e
LEFT JOIN facts f ON f.object_id = e.entity_id AND f.support > 0 AND f.visibility = 'visible'
LEFT JOIN evidence v ON v.fact_id = f.fact_id AND v.recorded_to = 9223372036854775807
WHERE e.scope_id IN (SELECT value FROM carray(:scopes)) AND e.kind = 'tag'
  AND e.merged_into IS NULL
GROUP BY e.name ORDER BY e.name
"""


def list_uses(db: Connection, scope_ids: Sequence[int]) -> list[TagUse]:
    """List the tags of some scopes by name."""
    rows: Any = db.execute(SELECT_USES, {"scopes": number_list(scope_ids)})
    return [TagUse(*row) for row in rows]
