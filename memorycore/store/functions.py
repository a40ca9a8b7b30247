"""The functions that the store's own views and columns call, in SQL."""

from typing import Any

import apsw

from memorycore.model.row_digest import digest
from memorycore.model.word import context_text, index_text


def _link(*fields: Any) -> bytes:
    """Chain an operation; only a migration asks SQL for that."""
    from memorycore.model.operation_chain import link

    return link(*fields)


_FUNCTIONS: tuple[tuple[str, Any, int], ...] = (
    ("memory_words", index_text, 2),
    ("memory_context", context_text, 2),
    ("memory_digest", digest, -1),
    ("memory_link", _link, 9),
    # SQLite's own stops at a character of the number zero.
    ("memory_length", len, 1),
)


def register_functions(raw: apsw.Connection) -> None:
    """Give a connection the functions that the store's own views and columns call."""
    for name, function, arguments in _FUNCTIONS:
        raw.create_scalar_function(
            name, function, arguments, deterministic=True, flags=apsw.SQLITE_INNOCUOUS
        )
