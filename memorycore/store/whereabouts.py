"""Where a plan, a receipt, a suppression or an operation belongs: none of them has content."""

from typing import Any

from memorycore.store.connection import Connection

SELECT_SCOPE = {
    "plan": """
SELECT x.uid, c.name FROM forget_plans x JOIN scopes c ON c.scope_id = x.scope_id
WHERE x.uid BETWEEN :lowest AND :highest ORDER BY x.uid LIMIT 4
""",
    "rcpt": """
SELECT x.uid, c.name FROM receipts x JOIN scopes c ON c.scope_id = x.scope_id
WHERE x.uid BETWEEN :lowest AND :highest ORDER BY x.uid LIMIT 4
""",
    "sup": """
SELECT x.uid, c.name FROM suppressions x JOIN scopes c ON c.scope_id = x.scope_id
WHERE x.uid BETWEEN :lowest AND :highest AND x.recorded_to = 9223372036854775807
ORDER BY x.uid LIMIT 4
""",
    "op": """
SELECT x.uid, c.name FROM operations x JOIN scopes c ON c.scope_id = x.scope_id
WHERE x.uid BETWEEN :lowest AND :highest ORDER BY x.uid LIMIT 4
""",
}


def scopes_of_id(
    db: Connection, prefix: str, lowest: bytes, highest: bytes
) -> list[tuple[bytes, str]]:
    """Find the records (at most four) whose id lies in a range, each with its scope."""
    rows: Any = db.execute(SELECT_SCOPE[prefix], {"lowest": lowest, "highest": highest})
    return [(bytes(uid), name) for uid, name in rows]
