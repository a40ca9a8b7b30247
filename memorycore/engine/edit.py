"""Edit: a person changes a candidate that waits into another one, which is then admitted."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from memorycore.engine.learn import Learning
from memorycore.engine.propose import store_candidate
from memorycore.engine.review import close_edited, waiting
from memorycore.model.candidate import Candidate
from memorycore.model.candidate_text import shape_of
from memorycore.store.candidates import StoredCandidate
from memorycore.store.connection import Connection


def edit(
    learning: Learning,
    db: Connection,
    stored: StoredCandidate,
    read: Callable[[dict[str, Any]], Candidate],
    *,
    now: int,
) -> None:
    """Replace a candidate by what ``read`` makes of its shape; both stay on record."""
    bench = learning.bench(db, now)
    old = waiting(bench, stored)
    changed = read(shape_of(old.candidate))
    close_edited(bench, stored)
    pending = store_candidate(bench, replace(changed, place=stored.place), old.sightings)
    decided = learning.decide(bench, replace(pending, approved=True))
    learning.finish(bench, [decided])
