"""How sure a fact is: from its evidence, recomputed whenever evidence comes or goes."""

import math
from collections.abc import Iterable

RELIABILITY = {
    "person": 0.95,
    "user": 0.90,
    "document": 0.75,
    "event": 0.75,
    "assistant": 0.60,
    "tool": 0.50,
    "system": 0.50,
}
"""How far one sentence of a source is believed where the proposer does not say."""
CERTAIN = 0.99
"""No fact is surer than this."""
CONTRADICTED = 0.6
"""A fact that is contested is so much less sure."""


def combine(reliabilities: Iterable[float], *, contested: bool = False) -> float:
    """Combine independent occasions as a noisy OR, capped, in 0…1 with four digits."""
    doubt = math.prod(sorted(1.0 - one for one in reliabilities))
    sure = min(CERTAIN, 1.0 - doubt)
    return round(sure * CONTRADICTED if contested else sure, 4)
