"""Import jobs: the states they go through, as pure functions, and how they are shown.

A job is read, decided on item by item, confirmed where that is needed, and carried out. Each
function gives the job as it is then, or raises what is wrong with the call; nothing is written.
"""

from dataclasses import dataclass, field, replace
from typing import Any

from memorycore.errors import InvalidInputError
from memorycore.model.decision import REASONS
from memorycore.model.identity import format_id
from memorycore.model.time import format_instant

STATES = ("extracting", "processing", "awaiting_confirmation", "ready", "failed", "committed",
          "undone")  # fmt: skip
MAX_ERROR = 2000
"""Characters of an error that are kept."""


@dataclass(frozen=True, slots=True)
class JobState:
    """Where a job stands: what moves it, and what it counts.

    ``processed`` of ``total`` items are decided, ``waiting`` of them need a person. ``imported``
    items have become facts. ``is_recovered`` says that a model made the items out of a document
    that could not be read.
    """

    state: str
    total: int = 0
    processed: int = 0
    waiting: int = 0
    imported: int = 0
    is_recovered: bool = False
    parse_error: str | None = None
    last_error: str | None = None


def created(text: str, *, total: int, parse_error: str | None = None) -> JobState:
    """Begin a job with what was read of a document.

    Raises:
        InvalidInputError: there is nothing in it.
    """
    if not text.strip():
        raise InvalidInputError("There is nothing to import.", hint="memoryctl import prompt")
    if parse_error is not None:
        return JobState("extracting", parse_error=parse_error[:MAX_ERROR])
    return JobState("processing" if total else "ready", total)


def complete_fallback(job: JobState, total: int) -> JobState:
    """Take the items that a model has recovered; in another state nothing happens."""
    if job.state != "extracting":
        return job
    if total == 0:
        return fail(job, "nothing that can be imported was found in the document")
    return replace(job, state="processing", total=total, is_recovered=True, last_error=None)


def next_index(job: JobState) -> int | None:
    """Give the number of the item that is decided next, if one is."""
    is_open = job.state == "processing" and job.processed < job.total
    return job.processed if is_open else None


def complete(job: JobState, index: int, *, waiting: int, count: int = 1) -> JobState:
    """Take the decisions on ``count`` items from ``index`` on; ``waiting`` of them need a person.

    What was decided before is not decided again, and is no error.

    Raises:
        InvalidInputError: it is not the turn of that item, or the job takes no decisions.
    """
    if job.processed > index:
        return job
    if job.state != "processing" or index != job.processed or index + count > job.total:
        raise InvalidInputError(
            f"Item {index + 1} cannot be decided now: the job is {job.state}, and item "
            f"{job.processed + 1} is next."
        )
    done = replace(job, processed=index + count, waiting=job.waiting + waiting, last_error=None)
    if done.processed < done.total:
        return done
    return replace(done, state="awaiting_confirmation" if done.waiting else "ready")


def fail(job: JobState, error: str) -> JobState:
    """Say that a job cannot go on; what was decided is kept."""
    return replace(job, state="failed", last_error=error[:MAX_ERROR])


def retry(job: JobState) -> JobState:
    """Let a job that failed go on where it stopped.

    Raises:
        InvalidInputError: it has not failed.
    """
    if job.state != "failed":
        raise InvalidInputError(f"The job has not failed: it is {job.state}.")
    if not job.total and job.parse_error is not None:
        return replace(job, state="extracting")
    return replace(job, state="processing")


def renew(job: JobState) -> JobState:
    """Let a job that was decided on another state of the store be decided anew.

    Raises:
        InvalidInputError: it is neither ready nor waiting for a person.
    """
    if job.state not in ("ready", "awaiting_confirmation"):
        raise InvalidInputError(f"There is nothing to decide anew: the job is {job.state}.")
    return replace(job, state="processing" if job.total else "ready", processed=0, waiting=0)


def commit(job: JobState, imported: int) -> JobState:
    """Say that a job was carried out.

    Raises:
        InvalidInputError: it is not ready for that.
    """
    require_committable(job)
    return replace(job, state="committed", imported=imported, last_error=None)


def require_committable(job: JobState) -> None:
    """Refuse to carry out what is not decided, or was carried out.

    Raises:
        InvalidInputError: the message says what the job is instead.
    """
    if job.state not in ("ready", "awaiting_confirmation"):
        hint = {
            "committed": "memoryctl import undo JOB  takes it back",
            "undone": "import the document again",
        }.get(job.state, "memoryctl import retry JOB  goes on")
        raise InvalidInputError(f"The job cannot be carried out: it is {job.state}.", hint=hint)


def undo(job: JobState) -> JobState:
    """Say that what a job brought was taken back.

    Raises:
        InvalidInputError: nothing of it stands.
    """
    if job.state != "committed":
        hint = "import the document again" if job.state == "undone" else None
        raise InvalidInputError(
            f"There is nothing to take back: the job is {job.state}.",
            hint=hint or "memoryctl import status JOB",
        )
    return replace(job, state="undone")


@dataclass(frozen=True, slots=True)
class ImportJob:
    """A job as it is shown. ``operation`` is that which carried it out, once there is one."""

    uid: bytes
    scope: str
    format: str
    source: str
    at: JobState
    settings: dict[str, Any]
    dropped: int
    made_at: int
    changed_at: int
    applied: int = 0
    operation: str | None = None
    is_stale: bool = False
    waiting_left: int = 0
    """Items of which a person has still to say what becomes of them."""
    actions: dict[str, int] = field(default_factory=dict)
    refused: tuple[tuple[int, str], ...] = ()

    @property
    def id(self) -> str:
        return format_id("job", self.uid)

    @property
    def state(self) -> str:
        return self.at.state

    def to_dict(self) -> dict[str, Any]:
        """Give the job in the shape of the JSON outputs."""
        at = self.at
        return {
            "id": self.id,
            "scope": self.scope,
            "format": self.format,
            "source": self.source,
            "state": at.state,
            "total": at.total,
            "processed": at.processed,
            "waiting": self.waiting_left,
            "imported": at.imported,
            "dropped": self.dropped,
            "notes": dict(self.settings.get("note_counts", {})),
            "recovered": at.is_recovered,
            "parse_error": at.parse_error,
            "last_error": at.last_error,
            "decider": self.settings.get("decider"),
            "top_k": self.settings.get("top_k"),
            "actions": dict(self.actions),
            "refused": [
                {"item": number, "reason": reason, "because": REASONS.get(reason, reason)}
                for number, reason in self.refused
            ],
            "stale": self.is_stale,
            "operation": self.operation,
            "made_at": format_instant(self.made_at),
            "changed_at": format_instant(self.changed_at),
        }
