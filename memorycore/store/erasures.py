"""Which records each forgetting covered, by opaque id: so that an older copy can follow."""

from collections.abc import Sequence
from typing import Any

from memorycore.store.connection import Connection, number_list

ID_BYTES = 16
SELECT_UIDS = {
    "episode": "SELECT uid FROM episodes WHERE episode_id IN (SELECT value FROM carray(?))",
    "fact": "SELECT uid FROM facts WHERE fact_id IN (SELECT value FROM carray(?))",
    "entity": "SELECT uid FROM entities WHERE entity_id IN (SELECT value FROM carray(?))",
}
INSERT = "INSERT INTO erasures(receipt_id, record, uids) VALUES(:receipt_id, :record, :uids)"


def insert_erasures(db: Connection, receipt_id: int, record: str, numbers: Sequence[int]) -> None:
    """Note the records of one kind that a forgetting covers; before they are gone."""
    rows: Any = db.execute(SELECT_UIDS[record], (number_list(numbers),))
    uids = b"".join(row[0] for row in rows)
    if uids:
        db.execute(INSERT, {"receipt_id": receipt_id, "record": record, "uids": uids})
