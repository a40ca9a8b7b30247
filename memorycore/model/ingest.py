"""What ingesting is told and what it reports."""

from dataclasses import dataclass, field
from typing import Any

from memorycore.model.draft import Rejection
from memorycore.model.operation import Operation
from memorycore.model.scope import DEFAULT_SCOPE
from memorycore.model.time import format_instant

MAX_LISTED_REJECTIONS = 1000


@dataclass(frozen=True, slots=True)
class IngestPolicy:
    """How episodes are taken in.

    ``scope`` is where records without a scope go. With ``only_scope`` no record may name another.
    With
    ``fail_fast`` the first rejection is raised.
    """

    scope: str = DEFAULT_SCOPE
    only_scope: bool = False
    on_secret: str = "reject"
    fail_fast: bool = False
    actor: str = "library"


@dataclass(slots=True)
class IngestResult:
    """What became of the records. All are counted; the first 1,000 rejections are listed."""

    operation: Operation | None = None
    stored: int = 0
    already_there: int = 0
    rejected: int = 0
    rejections: list[Rejection] = field(default_factory=list)
    masked: int = 0
    cut_blocks: int = 0
    without_time: int = 0
    first_at: int | None = None
    last_at: int | None = None
    scopes: set[str] = field(default_factory=set)
    dry_run: bool = False

    def reject(self, rejection: Rejection) -> None:
        """Count a rejection, and list it while there is room."""
        self.rejected += 1
        if len(self.rejections) < MAX_LISTED_REJECTIONS:
            self.rejections.append(rejection)

    def to_dict(self) -> dict[str, Any]:
        """Give the result in the shape of ``memorycore.ingest.v1``."""
        return {
            "schema": "memorycore.ingest.v1",
            "ok": not self.rejected,
            "dry_run": self.dry_run,
            "operation": self.operation.id if self.operation and not self.dry_run else None,
            "stored": self.stored,
            "already_there": self.already_there,
            "rejected": self.rejected,
            "rejections": [rejection.to_dict() for rejection in self.rejections],
            "masked": self.masked,
            "recalled_blocks_cut": self.cut_blocks,
            "without_time": self.without_time,
            "first_at": None if self.first_at is None else format_instant(self.first_at),
            "last_at": None if self.last_at is None else format_instant(self.last_at),
            "scopes": sorted(self.scopes),
        }
