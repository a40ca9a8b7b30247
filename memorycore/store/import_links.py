"""Links that imported statements ask for, and the facts that they lead to."""

from collections.abc import Sequence
from typing import Any

import apsw

from memorycore.store.connection import Connection

SELECT_ASKING = """
SELECT i.fact_id, json_extract(c.statement, '$.links')
FROM import_items i JOIN candidates c ON c.candidate_id = i.candidate_id
WHERE i.job_id = :job_id AND i.fact_id IS NOT NULL AND instr(c.statement, '"links":[') > 0
ORDER BY i.number LIMIT :limit
"""


def list_asking(db: Connection, job_id: int, *, limit: int) -> list[tuple[int, str]]:
    """List the facts of a job whose statements ask for links, with these as JSON."""
    rows: Any = db.execute(SELECT_ASKING, {"job_id": job_id, "limit": limit})
    return list(rows)


SELECT_NAMED = """
SELECT json_extract(c.statement, '$.ref'), i.fact_id
FROM import_jobs j JOIN import_items i ON i.job_id = j.job_id
JOIN candidates c ON c.candidate_id = i.candidate_id
WHERE j.scope_id = :scope_id AND i.fact_id IS NOT NULL
  AND json_extract(c.statement, '$.ref') IN (SELECT value FROM carray(:refs))
ORDER BY i.item_id
"""


def facts_by_ref(db: Connection, scope_id: int, refs: Sequence[str]) -> dict[str, int]:
    """Find the facts that imports have made under some names; of several the last."""
    if not refs:
        return {}
    values = {"scope_id": scope_id, "refs": apsw.carray(tuple(refs))}
    rows: Any = db.execute(SELECT_NAMED, values)
    return dict(rows)
