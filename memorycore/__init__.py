"""memorycore: long-term memory for AI agents in one SQLite file.

>>> from memorycore import Memory
>>> with Memory.open(":memory:", scope="user:ana") as memory:
...     _ = memory.add("我不喜欢早上八点开会。")
...     [hit.episode.text for hit in memory.search("八点")]
['我不喜欢早上八点开会。']
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memorycore import errors
    from memorycore.async_memory import AsyncMemory
    from memorycore.engine.undo import UndoResult
    from memorycore.memory import Memory
    from memorycore.model.draft import Draft, Rejection
    from memorycore.model.episode import Episode
    from memorycore.model.ingest import IngestResult
    from memorycore.model.operation import Operation
    from memorycore.model.search import Hit, SearchResult
    from memorycore.model.stats import Stats

__version__ = "0.1.0"

__all__ = [
    "AsyncMemory",
    "Draft",
    "Episode",
    "Hit",
    "IngestResult",
    "Memory",
    "Operation",
    "Rejection",
    "SearchResult",
    "Stats",
    "UndoResult",
    "__version__",
    "errors",
]

# Each name is imported when it is first asked for: a program that only wants the version, or only
# searches, does not pay for the rest.
_HOMES = {
    "AsyncMemory": "memorycore.async_memory",
    "Draft": "memorycore.model.draft",
    "Episode": "memorycore.model.episode",
    "Hit": "memorycore.model.search",
    "IngestResult": "memorycore.model.ingest",
    "Memory": "memorycore.memory",
    "Operation": "memorycore.model.operation",
    "Rejection": "memorycore.model.draft",
    "SearchResult": "memorycore.model.search",
    "Stats": "memorycore.model.stats",
    "UndoResult": "memorycore.engine.undo",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "errors":
        return import_module("memorycore.errors")
    if name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
