"""Strike sentences out of what is shown of their episodes."""

from collections.abc import Sequence

from memorycore.store import struck
from memorycore.store.connection import Connection
from memorycore.store.erase import facts_over, seen_among
from memorycore.store.fact_index import FactIndexing
from memorycore.store.search_index import change_visible


def strike(
    db: Connection,
    indexing: FactIndexing,
    spans: Sequence[tuple[int, int, int]],
    *,
    recorded: int,
) -> None:
    """Strike spans of texts, each an episode and two places in it; of a document, whole records."""
    wide = struck.records_around(db, spans)
    episodes = sorted({episode for episode, _, _ in wide})
    indexing.touch(facts_over(db, wide))
    seen = seen_among(db, episodes)
    struck.strike_spans(db, wide, recorded=recorded)
    change_visible(db, seen, lambda: struck.refresh_shown(db, episodes))
