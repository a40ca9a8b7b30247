"""The same memory for asyncio: each call runs in a worker thread, under the same names.

Cancelling a call stops the waiting. A write that has begun is finished or rolled back as a whole.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, Self

from memorycore.memory import Memory

if TYPE_CHECKING:
    from memorycore.engine.undo import UndoResult
    from memorycore.model.backup import Backup
    from memorycore.model.context import Context
    from memorycore.model.decision import AdmitResult
    from memorycore.model.draft import Draft
    from memorycore.model.entity import Entity
    from memorycore.model.episode import Episode
    from memorycore.model.fact import Fact
    from memorycore.model.forgetting import ForgetPlan, Receipt
    from memorycore.model.history import Explanation, HistoryLine
    from memorycore.model.import_item import ImportItem
    from memorycore.model.import_job import ImportJob
    from memorycore.model.ingest import IngestResult
    from memorycore.model.operation import Operation
    from memorycore.model.review import CandidateView
    from memorycore.model.review_queue import QueueItem
    from memorycore.model.review_result import ReviewCheck, ReviewRecord, ReviewResult
    from memorycore.model.search import SearchResult
    from memorycore.model.stats import Stats
    from memorycore.model.subject import Subject, SubjectExport, SubjectMatches


class AsyncMemory:
    """An awaitable face on ``Memory``; its arguments and errors are those of ``Memory``."""

    def __init__(self, memory: Memory) -> None:
        self.sync = memory

    @classmethod
    async def open(cls, path: str | Path, **settings: Any) -> Self:
        """Open a store, as ``Memory.open`` does."""
        return cls(await asyncio.to_thread(Memory.open, path, **settings))

    def scoped(self, scope: str, reads: tuple[str, ...] = ()) -> "AsyncMemory":
        """Give a handle on the same open store for another scope."""
        return AsyncMemory(self.sync.scoped(scope, reads))

    async def close(self) -> None:
        """Close the store."""
        await asyncio.to_thread(self.sync.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def add(self, text: str, **fields: Any) -> "Episode":
        """Keep one message."""
        return await asyncio.to_thread(self.sync.add, text, **fields)

    async def add_many(
        self, items: "Iterable[Draft | Mapping[str, Any]]", **settings: Any
    ) -> "IngestResult":
        """Keep many messages."""
        return await asyncio.to_thread(self.sync.add_many, items, **settings)

    async def search(self, query: str, **settings: Any) -> "SearchResult":
        """Find the episodes that answer a question."""
        return await asyncio.to_thread(self.sync.search, query, **settings)

    async def context(self, query: str, **settings: Any) -> "Context":
        """Make a text for a prompt from what is known."""
        return await asyncio.to_thread(self.sync.context, query, **settings)

    async def learn(self, items: Any, **settings: Any) -> "AdmitResult":
        """Propose, consolidate and admit candidates."""
        return await asyncio.to_thread(self.sync.learn, items, **settings)

    async def propose(self, items: Any, **settings: Any) -> "AdmitResult":
        """Take candidates in, to be decided later."""
        return await asyncio.to_thread(self.sync.propose, items, **settings)

    async def propose_file(self, path: "str | Path", **settings: Any) -> "AdmitResult":
        """Take the proposals of a file in."""
        return await asyncio.to_thread(self.sync.propose_file, path, **settings)

    async def remember(self, text: str, **settings: Any) -> "AdmitResult":
        """Keep one sentence, and the fact that it states."""
        return await asyncio.to_thread(self.sync.remember, text, **settings)

    async def approve(self, candidate: str, **settings: Any) -> "AdmitResult":
        """Admit a candidate that waits."""
        return await asyncio.to_thread(self.sync.approve, candidate, **settings)

    async def reject(self, candidate: str, reason: str, **settings: Any) -> "AdmitResult":
        """Reject a candidate that waits."""
        return await asyncio.to_thread(self.sync.reject, candidate, reason, **settings)

    async def edit(
        self, candidate: str, changes: Mapping[str, Any], **settings: Any
    ) -> "AdmitResult":
        """Change a candidate that waits."""
        return await asyncio.to_thread(self.sync.edit, candidate, changes, **settings)

    async def import_(self, source: "str | Path | None" = None, **settings: Any) -> "ImportJob":
        """Read a document into a job and decide on each item."""
        return await asyncio.to_thread(self.sync.import_, source, **settings)

    async def import_jobs(self, **settings: Any) -> "list[ImportJob]":
        """List import jobs, newest first."""
        return await asyncio.to_thread(self.sync.import_jobs, **settings)

    async def import_job(self, job: str) -> "ImportJob":
        """Read an import job."""
        return await asyncio.to_thread(self.sync.import_job, job)

    async def import_items(self, job: str, **settings: Any) -> "list[ImportItem]":
        """List the items of an import job."""
        return await asyncio.to_thread(self.sync.import_items, job, **settings)

    async def import_choose(self, job: str, choices: "Mapping[int, str | None]") -> "ImportJob":
        """Say what becomes of items that wait."""
        return await asyncio.to_thread(self.sync.import_choose, job, choices)

    async def import_apply(
        self, job: str, choices: "Mapping[int, str | None] | None" = None, **settings: Any
    ) -> "ImportJob":
        """Carry an import job out."""
        return await asyncio.to_thread(self.sync.import_apply, job, choices, **settings)

    async def import_retry(self, job: str, **settings: Any) -> "ImportJob":
        """Let an import job go on, or decide it anew."""
        return await asyncio.to_thread(self.sync.import_retry, job, **settings)

    async def import_undo(self, job: str, **settings: Any) -> "UndoResult":
        """Take back what an import job has brought."""
        return await asyncio.to_thread(self.sync.import_undo, job, **settings)

    async def explain(self, fact: str, **settings: Any) -> "Explanation":
        """Explain a fact."""
        return await asyncio.to_thread(self.sync.explain, fact, **settings)

    async def consolidate(self, *candidates: str) -> "AdmitResult":
        """Say what admitting would do, and write nothing."""
        return await asyncio.to_thread(self.sync.consolidate, candidates)

    async def admit(self, *candidates: str, **settings: Any) -> "AdmitResult":
        """Admit pending candidates."""
        return await asyncio.to_thread(self.sync.admit, candidates, **settings)

    async def facts(self, **settings: Any) -> "list[Fact]":
        """List facts: those that hold now, or then."""
        return await asyncio.to_thread(lambda: list(self.sync.facts(**settings)))

    async def history(self, what: str | None = None, **settings: Any) -> "list[HistoryLine]":
        """Tell a history on both axes."""
        return await asyncio.to_thread(self.sync.history, what, **settings)

    async def candidates(self, **settings: Any) -> "list[CandidateView]":
        """List candidates."""
        return await asyncio.to_thread(lambda: list(self.sync.candidates(**settings)))

    async def entities(self) -> "list[Entity]":
        """List entities."""
        return await asyncio.to_thread(lambda: list(self.sync.entities()))

    async def find_entities(self, name: str) -> "list[Entity]":
        """Find entities by exact name, then similar ones."""
        return await asyncio.to_thread(self.sync.find_entities, name)

    async def plan_forget(self, target: str | None = None, **settings: Any) -> "ForgetPlan":
        """Say what forgetting something would take with it."""
        return await asyncio.to_thread(self.sync.plan_forget, target, **settings)

    async def forget(self, what: "ForgetPlan | str", **settings: Any) -> "Receipt":
        """Forget what a plan covers, or a single record by its id."""
        return await asyncio.to_thread(self.sync.forget, what, **settings)

    async def finish_forgetting(self, **settings: Any) -> "list[Receipt]":
        """Make the file forget too, and prove it."""
        return await asyncio.to_thread(self.sync.finish_forgetting, **settings)

    async def backup(self, path: str | Path, **settings: Any) -> "Backup":
        """Copy the store into a file of its own, while others may write."""
        return await asyncio.to_thread(self.sync.backup, path, **settings)

    async def receipts(self, **settings: Any) -> "list[Receipt]":
        """List receipts, newest first."""
        return await asyncio.to_thread(self.sync.receipts, **settings)

    async def lift(self, what: str, **settings: Any) -> "tuple[Operation, int]":
        """Let something come in again."""
        return await asyncio.to_thread(self.sync.lift, what, **settings)

    async def find_subject(self, name: str) -> "SubjectMatches":
        """Find whom a name means, and apart those of almost that name."""
        return await asyncio.to_thread(self.sync.find_subject, name)

    async def subject(self, subject: str) -> "Subject":
        """Tell of one person on one page."""
        return await asyncio.to_thread(self.sync.subject, subject)

    async def export_subject(
        self, subject: str, to: "str | Path | BinaryIO", **settings: Any
    ) -> "SubjectExport":
        """Write all that is held about one person as a zip."""
        return await asyncio.to_thread(self.sync.export_subject, subject, to, **settings)

    async def review_packet(self, **settings: Any) -> dict[str, Any]:
        """Make a bounded packet for a reviewer."""
        return await asyncio.to_thread(self.sync.review_packet, **settings)

    async def check_review(self, packet: Any, actions: Any) -> "ReviewCheck":
        """Judge the actions that answer a packet."""
        return await asyncio.to_thread(self.sync.check_review, packet, actions)

    async def apply_review(self, packet: Any, actions: Any, **settings: Any) -> "ReviewResult":
        """Apply the actions that answer a packet, all or nothing."""
        return await asyncio.to_thread(self.sync.apply_review, packet, actions, **settings)

    async def observe(self, text: str, **settings: Any) -> "ReviewResult":
        """Report that a habit was observed."""
        return await asyncio.to_thread(self.sync.observe, text, **settings)

    async def memory_used(self, memory: str, outcome: str, **settings: Any) -> "ReviewResult":
        """Report how the use of a memory went."""
        return await asyncio.to_thread(self.sync.memory_used, memory, outcome, **settings)

    async def review_records(self, **settings: Any) -> "list[ReviewRecord]":
        """List the memories that reviews keep."""
        return await asyncio.to_thread(self.sync.review_records, **settings)

    async def pause_learning(self, **settings: Any) -> bool:
        """Let a scope learn nothing from observations, or let it learn again."""
        return await asyncio.to_thread(self.sync.pause_learning, **settings)

    async def queue_review(self, packet: Any, **settings: Any) -> "tuple[QueueItem, bool]":
        """Put a packet in the queue of reviews."""
        return await asyncio.to_thread(self.sync.queue_review, packet, **settings)

    async def review_queue(self, **settings: Any) -> "list[QueueItem]":
        """List what is in the queue of reviews."""
        return await asyncio.to_thread(self.sync.review_queue, **settings)

    async def run_reviews(self, reviewer: Any = "rules", **settings: Any) -> "list[QueueItem]":
        """Work on what is due in the queue of reviews."""
        return await asyncio.to_thread(self.sync.run_reviews, reviewer, **settings)

    async def retry_reviews(self, item: str | None = None, **settings: Any) -> int:
        """Let packets that have failed be tried again."""
        return await asyncio.to_thread(self.sync.retry_reviews, item, **settings)

    async def get(self, id: str, **settings: Any) -> Any:  # noqa: A002
        """Get a record by its id."""
        return await asyncio.to_thread(self.sync.get, id, **settings)

    async def undo(self, operation: str | None = None, **settings: Any) -> "UndoResult":
        """Take an operation back."""
        return await asyncio.to_thread(self.sync.undo, operation, **settings)

    async def operations(self, **settings: Any) -> "list[Operation]":
        """List the newest operations."""
        return await asyncio.to_thread(self.sync.operations, **settings)

    async def stats(self, **settings: Any) -> "Stats":
        """Count what is in the store."""
        return await asyncio.to_thread(self.sync.stats, **settings)

    async def sql(
        self, query: str, params: Mapping[str, Any] | None = None
    ) -> "AsyncIterator[dict[str, Any]]":
        """Run one SELECT over what may be seen; the rows are read before the first is given."""
        for row in await asyncio.to_thread(lambda: list(self.sync.sql(query, params))):
            yield row
