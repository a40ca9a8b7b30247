"""memorycore: long-term memory for AI agents in one SQLite file.

>>> from memorycore import Memory
>>> with Memory.open(":memory:", scope="user:ana") as memory:
...     _ = memory.add("我不喜欢早上八点开会。")
...     [hit.episode.text for hit in memory.search("八点")]
['我不喜欢早上八点开会。']
"""

from typing import TYPE_CHECKING, Any

from memorycore import errors
from memorycore.memory import Memory
from memorycore.model.episode import Draft, Episode, Rejection
from memorycore.model.search import Hit, SearchResult

if TYPE_CHECKING:
    from memorycore.async_memory import AsyncMemory
    from memorycore.engine.undo import UndoResult
    from memorycore.model.ingest import IngestResult

__version__ = "0.1.0"

__all__ = [
    "AsyncMemory",
    "Draft",
    "Episode",
    "Hit",
    "IngestResult",
    "Memory",
    "Rejection",
    "SearchResult",
    "UndoResult",
    "__version__",
    "errors",
]

_LAZY = {
    "AsyncMemory": "memorycore.async_memory",
    "IngestResult": "memorycore.model.ingest",
    "UndoResult": "memorycore.engine.undo",
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        from importlib import import_module

        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
