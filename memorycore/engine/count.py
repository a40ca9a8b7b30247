"""Count what is in a store."""

from collections.abc import Sequence

from memorycore.model.stats import ScopeStats, Stats
from memorycore.store.candidates import count_in_state
from memorycore.store.connection import Connection
from memorycore.store.entities import count_entities
from memorycore.store.episodes import count_episodes
from memorycore.store.operations import count_operations
from memorycore.store.predicates import count_predicates
from memorycore.store.schema import schema_version
from memorycore.store.scopes import list_scope_counts
from memorycore.store.stores import StoreRow, count_bytes


def count_store(db: Connection, row: StoreRow, scopes: Sequence[str] | None) -> Stats:
    """Count what is in some scopes, or in all."""
    episodes, with_time, first_at, last_at = count_episodes(db, scopes)
    counted = [counts for counts in list_scope_counts(db) if scopes is None or counts[0] in scopes]
    numbers = [counts[-1] for counts in counted]
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
        scopes=tuple(ScopeStats(*counts[:-1]) for counts in counted),
        facts=sum(counts[3] for counts in counted),
        entities=count_entities(db, numbers),
        pending=count_in_state(db, numbers, "pending"),
        reviews=count_in_state(db, numbers, "review"),
        predicates=count_predicates(db),
    )
