"""What an import format gives: how its documents are read, and what its records become.

A format knows its documents and nothing of the store. ``read`` goes through a document record by
record and keeps none; what a record becomes is made later, from the ``content`` that was stored.
"""

import io
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any, Protocol, cast

from memorycore.errors import InvalidInputError
from memorycore.model.draft import Draft
from memorycore.model.import_item import Dropped, Item, Noted, Proposal


class ImportFormat(Protocol):
    """A format that can be imported."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def keeps_document(self) -> bool:
        """Whether the document as a whole becomes one episode that every fact cites."""

    @property
    def compares(self) -> bool:
        """Whether its records are compared with known facts before they are decided on."""

    @property
    def role(self) -> str:
        """The role of the episodes that it makes, which says how far they are trusted."""

    def read(
        self, stream: io.BufferedIOBase, *, source: str, zone: str
    ) -> Iterator[Item | Dropped | Noted]:
        """Go through the records of a document.

        Raises:
            InvalidInputError: it is of another shape; the message quotes nothing of it.
        """

    def plain(self, text: str) -> str:
        """Give a document in the form in which it is kept, where it is kept as a whole."""

    def document(self, text: str, *, source: str) -> Draft:
        """Give the episode that a document becomes, where it is kept as a whole."""

    def guesses(self, text: str) -> Iterator[str]:
        """Give the records that a document may hold which cannot be read, by any of its texts."""

    def search_of(self, content: str) -> str:
        """Give the words by which known facts are looked for.

        None: the record is compared with nothing, and added unless it is there word for word.
        """

    def merged(self, content: str, merged: str) -> str:
        """Give a record in the words of a decider: ``merged`` is JSON with title and summary."""

    def drafts(self, content: str, *, source: str, zone: str) -> Sequence[Draft]:
        """Give the episodes that a record becomes; none where the document is kept as a whole."""

    def propose(self, content: str, episodes: Sequence[str], *, zone: str) -> Sequence[Proposal]:
        """Give the candidates of a record; ``episodes`` are the ids of its drafts, in order.

        Where the document is kept as a whole there is one: the document's.
        """


FORMATS = {
    "mem0": "memorycore.port.import_mem0",
    "stratagate": "memorycore.port.import_stratagate",
}
"""Where each format lives: a module with a function ``open_format(options) -> ImportFormat``."""
KNOWS_STORE = frozenset(("mem0",))
"""The formats that are told, when they read, the ``predicates`` that the store has, by name, and by
``is_session`` which sessions there are."""


def open_format(name: str, options: dict[str, Any] | None = None) -> ImportFormat:
    """Give a format by its name, with what was asked for beside it.

    Raises:
        InvalidInputError: there is no such format, or an option does not fit.
    """
    if name not in FORMATS:
        raise InvalidInputError(
            f"{name[:40]!r} is no format that can be imported.", hint=", ".join(sorted(FORMATS))
        )
    made = cast("Callable[..., ImportFormat]", import_module(FORMATS[name]).open_format)
    return made(dict(options or {}))
