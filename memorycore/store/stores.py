"""The store's own row."""

from dataclasses import dataclass

import apsw

from memorycore.store.connection import Connection


@dataclass(slots=True, eq=False, repr=False)
class StoreRow:
    """What a store knows about itself."""

    uid: bytes
    time_zone: str
    language: str
    key_check: bytes
    folding_version: str


INSERT_STORE = """
INSERT INTO stores(store_id, uid, time_zone, language, key_check, folding_version)
VALUES(1, :uid, :time_zone, :language, :key_check, :folding_version)
"""


def insert_store(db: Connection, row: StoreRow) -> None:
    """Write the row of a new store."""
    db.execute(
        INSERT_STORE,
        {
            "uid": row.uid,
            "time_zone": row.time_zone,
            "language": row.language,
            "key_check": row.key_check,
            "folding_version": row.folding_version,
        },
    )


SELECT_STORE = "SELECT uid, time_zone, language, key_check, folding_version FROM stores"


def find_store(db: Connection) -> StoreRow | None:
    """Read the store's own row; ``None`` in a store that is just being made."""
    row = db.execute(SELECT_STORE).fetchone()
    return StoreRow(*row) if row else None


COUNT_BYTES = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"


def count_bytes(db: Connection) -> int:
    """Give the size of the store's file in bytes, its log not counted."""
    return int(db.execute(COUNT_BYTES).get)


def library_version() -> str:
    """Give the version of the SQLite that the store is opened with."""
    return apsw.sqlite_lib_version()
