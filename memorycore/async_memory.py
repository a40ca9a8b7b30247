"""The same memory for asyncio: each call runs in a worker thread, under the same names.

Cancelling a call stops the waiting. A write that has begun is finished or rolled back as a whole.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from memorycore.memory import Memory

if TYPE_CHECKING:
    from memorycore.engine.undo import UndoResult
    from memorycore.model.draft import Draft
    from memorycore.model.episode import Episode
    from memorycore.model.ingest import IngestResult
    from memorycore.model.operation import Operation
    from memorycore.model.search import SearchResult
    from memorycore.model.stats import Stats


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
