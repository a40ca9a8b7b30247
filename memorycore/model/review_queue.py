"""The queue of packets that wait for a reviewer: its states, when each is tried, and how often."""

from dataclasses import dataclass
from typing import Any

from memorycore.errors import InvalidInputError
from memorycore.model.identity import format_id
from memorycore.model.time import format_instant

STATUSES = ("pending", "processing", "waiting", "failed", "processed")
MAX_ATTEMPTS = 8
MAX_ERROR = 2_000
MAX_BATCH = 8
MAX_BATCH_EVIDENCE = 16
SECOND = 1_000_000
DEFAULT_LEASE_S = 300
MIN_LEASE_S, MAX_LEASE_S = 1, 1_800
FIRST_DELAY = 5 * SECOND
LONGEST_DELAY = 3_600 * SECOND


def delay_after(attempts: int) -> int:
    """Give the microseconds until the next try, after so many that failed."""
    if attempts <= 1:
        return 0
    return min(LONGEST_DELAY, FIRST_DELAY << min(attempts - 2, 40))


def require_lease(seconds: float) -> int:
    """Check how long a packet may be worked on, in seconds; give it in microseconds.

    Raises:
        InvalidInputError: it is too short or too long.
    """
    is_number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    if not is_number or not MIN_LEASE_S <= seconds <= MAX_LEASE_S:
        raise InvalidInputError(
            f"A lease lasts {MIN_LEASE_S} to {MAX_LEASE_S} seconds.",
            hint=f"{DEFAULT_LEASE_S}",
        )
    return round(seconds * SECOND)


@dataclass(frozen=True, slots=True)
class QueueItem:
    """A packet in the queue, without its content. Times are microseconds UTC.

    ``outcome`` is what became of it: a result of the review, or why it was given up.
    """

    uid: bytes
    scope: str
    status: str
    attempts: int
    made_at: int
    next_at: int
    lease_until: int | None = None
    last_error: str | None = None
    outcome: str | None = None

    @property
    def id(self) -> str:
        """The item's public id."""
        return format_id("rvw", self.uid)

    def to_dict(self) -> dict[str, Any]:
        """Give the item in the shape of the JSON outputs."""
        lease = None if self.lease_until is None else format_instant(self.lease_until)
        return {
            "id": self.id,
            "scope": self.scope,
            "status": self.status,
            "attempts": self.attempts,
            "made_at": format_instant(self.made_at),
            "next_at": format_instant(self.next_at) if self.status == "waiting" else None,
            "lease_until": lease,
            "last_error": self.last_error,
            "outcome": self.outcome,
        }
