"""Events: what is planned may come to pass or be cancelled; the latest sentence tells."""

from collections.abc import Sequence

from memorycore.engine.statement import Statement
from memorycore.engine.workbench import Workbench
from memorycore.model.timeline import Observation
from memorycore.store.evidence import list_of_fact
from memorycore.store.journal import change_field


def update_event(
    bench: Workbench, statement: Statement, fact_id: int, observations: Sequence[Observation]
) -> None:
    """Move the status of an event that is there, if these sentences are the latest of it."""
    status = statement.candidate.event_status
    if status is None:
        return
    said = max((one.asserted_at or 0 for one in observations), default=0)
    if said >= max((one.asserted_at or 0 for one in list_of_fact(bench.db, fact_id)), default=0):
        change_field(bench.db, bench.recorded, "fact", fact_id, "event_status", status)
