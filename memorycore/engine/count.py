"""Count what is in a store."""

from collections.abc import Sequence

from memorycore.model.stats import ScopeStats, Stats
from memorycore.store.connection import Connection
from memorycore.store.episodes import count_episodes
from memorycore.store.operations import count_operations
from memorycore.store.schema import schema_version
from memorycore.store.scopes import list_scope_counts
from memorycore.store.stores import StoreRow, count_bytes


def count_store(db: Connection, row: StoreRow, scopes: Sequence[str] | None) -> Stats:
    """Count the episodes, sessions and operations of some scopes, or of all."""
    episodes, with_time, first_at, last_at = count_episodes(db, scopes)
    counted = [counts for counts in list_scope_counts(db) if scopes is None or counts[0] in scopes]
    return Stats(
        schema=schema_version(db),
        episodes=episodes,
        with_time=with_time,
        first_at=first_at,
        last_at=last_at,
        operations=count_operations(db, scopes),
        file_bytes=count_bytes(db),
        time_zone=row.time_zone,
        language=row.language,
        scopes=tuple(ScopeStats(*counts) for counts in counted),
    )
