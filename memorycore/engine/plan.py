"""Plans: what admitting would do, named so that it is carried out only as it was shown."""

from collections.abc import Sequence

from memorycore.engine.statement import Decided
from memorycore.store.key_file import Key


def plan_id(key: Key, position: int, decided: Sequence[Decided]) -> bytes:
    """Give the id of a plan: a keyed mark of the store's last operation and of all decisions.

    Nothing is stored for it. Whoever carries the plan out decides anew and compares.
    """
    fields = [str(position)]
    for one in decided:
        decision = one.decision
        fields.append(
            f"{one.pending.candidate_id} {decision.kind} {decision.reason} "
            f"{one.fact_id} {decision.target_id}"
        )
    return key.fingerprint(b"plan", fields)
