"""What may not come back: keyed fingerprints, and the key that alone gives them a meaning."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from memorycore.model.identity import IdSource, format_id
from memorycore.model.time import format_instant
from memorycore.store.connection import Connection, number_list

Entry = tuple[str, tuple[bytes, ...]]
"""What may not come back: its kind, and the fingerprints of all its names."""

IS_ACTIVE = """
SELECT EXISTS(SELECT 1 FROM suppressions
  WHERE scope_id = :scope_id AND recorded_to = 9223372036854775807)
"""


def is_active(db: Connection, scope_id: int) -> bool:
    """Tell whether anything of a scope may not come back."""
    return bool(db.execute(IS_ACTIVE, {"scope_id": scope_id}).get)


SELECT_KNOWN = """
SELECT fingerprint FROM suppressions
WHERE scope_id = :scope_id AND kind = :kind AND recorded_to = 9223372036854775807
  AND fingerprint IN (SELECT value FROM carray(:prints))
"""


def list_suppressed(
    db: Connection, scope_id: int, kind: str, prints: Sequence[bytes]
) -> set[bytes]:
    """List those of some fingerprints that may not come back."""
    if not prints:
        return set()
    values = {"scope_id": scope_id, "kind": kind, "prints": apsw.carray(tuple(prints))}
    return {row[0] for row in db.execute(SELECT_KNOWN, values)}


LAST = "SELECT coalesce(max(suppression_id), 0) FROM suppressions"
INSERT = """
INSERT INTO suppressions(
  suppression_id, uid, entry_id, scope_id, kind, fingerprint, receipt_id, recorded_from)
VALUES(:number, :uid, :entry_id, :scope_id, :kind, :fingerprint, :receipt_id, :recorded)
"""


def insert_suppressions(
    db: Connection,
    scope_id: int,
    entries: Sequence[Entry],
    *,
    receipt_id: int,
    recorded: int,
    at: int,
    new_id: IdSource,
) -> None:
    """Keep what may not come back, as kind and the fingerprints of all its names."""
    same = {"scope_id": scope_id, "receipt_id": receipt_id, "recorded": recorded}
    number = int(db.execute(LAST).get)
    rows = []
    for kind, prints in dict.fromkeys(entries):
        entry = number + 1
        for fingerprint in prints:
            number += 1
            uid = new_id(at) if number == entry else None
            own = {"number": number, "uid": uid, "entry_id": entry}
            rows.append(same | own | {"kind": kind, "fingerprint": fingerprint})
    db.executemany(INSERT, rows)


@dataclass(frozen=True, slots=True)
class StoredSuppression:
    """How much of one forgetting may not come back."""

    number: int
    uid: bytes
    kind: str
    receipt_uid: bytes
    level: str
    scope: str
    at: int

    @property
    def id(self) -> str:
        """The suppression's public id."""
        return format_id("sup", self.uid)

    def to_dict(self) -> dict[str, Any]:
        """Give what may be told of it: not what it is that may not come back."""
        return {
            "id": self.id,
            "kind": self.kind,
            "receipt": format_id("rcpt", self.receipt_uid),
            "level": self.level,
            "scope": self.scope,
            "at": format_instant(self.at),
        }


SUPPRESSION = """
SELECT s.suppression_id, s.uid, s.kind, r.uid, r.level, c.name, o.at
FROM suppressions s JOIN receipts r ON r.receipt_id = s.receipt_id
JOIN scopes c ON c.scope_id = s.scope_id
JOIN operations o ON o.operation_id = s.recorded_from
WHERE s.recorded_to = 9223372036854775807 AND s.scope_id IN (SELECT value FROM carray(:scopes))
  AND s.uid IS NOT NULL
"""
SELECT_ALL = SUPPRESSION + " AND s.suppression_id > :after ORDER BY s.suppression_id LIMIT :limit"
SELECT_BY_UID = SUPPRESSION + " AND s.uid BETWEEN :lowest AND :highest ORDER BY s.uid LIMIT 4"
SELECT_OF_RECEIPT = SUPPRESSION + " AND r.uid = :receipt ORDER BY s.suppression_id"


def list_suppressions(
    db: Connection, scope_ids: Sequence[int], *, after: int, limit: int
) -> list[StoredSuppression]:
    """List what may not come back in some scopes, oldest first."""
    values = {"scopes": number_list(scope_ids), "after": after, "limit": limit}
    rows: Any = db.execute(SELECT_ALL, values)
    return [StoredSuppression(*row) for row in rows]


def find_suppressions(
    db: Connection, scope_ids: Sequence[int], lowest: bytes, highest: bytes
) -> list[StoredSuppression]:
    """Find the suppressions (at most four) whose id lies in a range."""
    values = {"scopes": number_list(scope_ids), "lowest": lowest, "highest": highest}
    rows: Any = db.execute(SELECT_BY_UID, values)
    return [StoredSuppression(*row) for row in rows]


def suppressions_of_receipt(
    db: Connection, scope_ids: Sequence[int], receipt: bytes
) -> list[StoredSuppression]:
    """List what one forgetting keeps from coming back."""
    rows: Any = db.execute(
        SELECT_OF_RECEIPT, {"scopes": number_list(scope_ids), "receipt": receipt}
    )
    return [StoredSuppression(*row) for row in rows]


SELECT_ROWS = """
SELECT suppression_id FROM suppressions
WHERE entry_id IN (SELECT value FROM carray(?)) AND recorded_to = 9223372036854775807
ORDER BY suppression_id
"""


def rows_of_entries(db: Connection, entries: Sequence[int]) -> list[int]:
    """List the rows of some suppressions: one for each name."""
    return [row[0] for row in db.execute(SELECT_ROWS, (number_list(entries),))]


SELECT_KEY = """
SELECT key_check FROM suppression_keys WHERE recorded_to = 9223372036854775807
ORDER BY key_id DESC LIMIT 1
"""
INSERT_KEY = "INSERT INTO suppression_keys(key_check, recorded_from) VALUES(:check, :recorded)"
END_KEYS = """
UPDATE suppression_keys SET key_check = NULL, recorded_to = :recorded
WHERE recorded_to = 9223372036854775807
"""
DELETE_ALL = "DELETE FROM suppressions"
COUNT = """
SELECT count(*) FROM suppressions WHERE recorded_to = 9223372036854775807 AND uid IS NOT NULL
"""


def find_key_check(db: Connection) -> bytes | None:
    """Give the check value of the key in use, if there is one."""
    found: Any = db.execute(SELECT_KEY).get
    return None if found is None else bytes(found)


def insert_key_check(db: Connection, check: bytes, *, recorded: int) -> None:
    """Note that fingerprints are made with a key from now on."""
    db.execute(INSERT_KEY, {"check": check, "recorded": recorded})


def end_key(db: Connection, *, recorded: int) -> None:
    """Forget every fingerprint, and that there was a key for them."""
    db.execute(END_KEYS, {"recorded": recorded})
    db.execute(DELETE_ALL)


def count_suppressions(db: Connection) -> int:
    """Count what may not come back, in all scopes."""
    return int(db.execute(COUNT).get)
