"""What is told of items while they are read: counted by code, and the first ones listed."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict

from memorycore.model.import_item import Noted
from memorycore.store import import_jobs
from memorycore.store.connection import Connection

LISTED = 1000


def add_notes(db: Connection, job_id: int, notes: Sequence[Noted]) -> None:
    """Add what was told of a page of items to its job."""
    if not notes:
        return
    settings = import_jobs.get_job(db, job_id).settings
    counts = Counter(settings.get("note_counts", {}))
    counts.update(one.code for one in notes)
    listed = settings.get("notes", [])
    listed += [asdict(one) for one in notes[: LISTED - len(listed)]]
    told = settings | {"note_counts": dict(counts), "notes": listed}
    import_jobs.set_column(db, job_id, "settings", json.dumps(told))
