"""What became of a commit that failed: asked of the store itself, through a connection of its own.

A commit whose last step, the sync, has failed left all its frames in the log; no reader sees them,
yet whoever recovers the log after a crash takes them for a commit.
"""

from typing import Any

from memorycore.store.connection import Connection, Witness, snapshot, transaction, translated

KEEP_VERSION = "PRAGMA user_version"


def is_written(db: Connection, witness: Witness) -> bool:
    """Tell whether a transaction is in the store."""
    with snapshot(db):
        return bool(db.execute(*witness).get)


def settle_outcome(db: Connection, witness: Witness) -> bool:
    """Tell whether a transaction is in the store, and make sure that this stays so.

    Raises:
        MemoryCoreError: that cannot be told, or not made sure of.
    """
    with transaction(db):
        found = bool(db.execute(*witness).get)
        if not found:
            # A change that changes nothing lies over the frames of the failed commit: their
            # checksums no longer follow on what is before them, and no recovery takes them.
            version: Any = db.execute(KEEP_VERSION).get
            db.execute(f"{KEEP_VERSION} = {version}").fetchall()
    if found:
        # What a failed sync left in the log may never reach the disk; in the file it is synced.
        with translated(db):
            db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    return found
