"""Mem0's exports as an import format: all shapes, read as a stream (MX-1 to MX-7)."""

import io
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, cast

from memorycore.errors import InvalidInputError
from memorycore.exchange.recollection_text import read_recollection, write_recollection
from memorycore.model.candidate import Candidate, Quarantined, Quote
from memorycore.model.draft import Draft, Rejection
from memorycore.model.import_item import Dropped, Item, Noted, Proposal
from memorycore.model.recollection import Recollection
from memorycore.model.word import fold
from memorycore.port.mem0_files import Mem0Reading, read_mem0_export

LABEL_LENGTH = 80
REMEMBERED = 1024
"""Items that were just read back from their texts, as each is needed twice."""

_read = lru_cache(maxsize=REMEMBERED)(read_recollection)


@dataclass(frozen=True, slots=True)
class Mem0Format:
    """Memories of Mem0.

    ``predicates`` are the names, folded, by which edges become statements; ``is_session`` tells
    which sessions are known.
    """

    predicates: Collection[str] = ()
    is_session: Callable[[str], bool] | None = None
    name: str = "mem0"
    keeps_document: bool = False
    compares: bool = False
    role: str = "document"

    def read(
        self, stream: io.BufferedIOBase, *, source: str, zone: str
    ) -> Iterator[Item | Dropped | Noted]:
        """Go through the memories of an export, whatever its shape."""
        buffered: Any = stream
        if not isinstance(stream, io.BufferedReader):
            buffered = io.BufferedReader(cast(io.RawIOBase, stream))
        reading = Mem0Reading(
            source,
            zone,
            lambda name: fold(name) in self.predicates,
            self.is_session or (lambda _: False),
        )
        for found in read_mem0_export(buffered, reading):
            if isinstance(found, Rejection):
                yield Dropped(found.place, f"{found.code}: {found.reason}")
            elif isinstance(found, Quarantined):
                yield _aside(found)
            else:
                words = tuple(draft.text for draft in found.drafts)
                yield Item(write_recollection(found), _label(found), _key(found), words=words)
                yield from (Noted(one.place, one.code, one.reason) for one in found.problems)

    def plain(self, text: str) -> str:
        """Refuse: no export is kept as a whole."""
        raise AssertionError("exports are streams")

    def document(self, text: str, *, source: str) -> Draft:
        """Refuse: no export is kept as a whole."""
        raise AssertionError("exports are streams")

    def search_of(self, content: str) -> str:
        """Give nothing: memories only ever add, and admission decides what they meet."""
        return ""

    def merged(self, content: str, merged: str) -> str:
        """Refuse: nothing is merged."""
        raise AssertionError("memories are not merged")

    def drafts(self, content: str, *, source: str, zone: str) -> Sequence[Draft]:
        """Give the episodes of a memory; an edge that is kept aside has none."""
        return _read(content).drafts

    def propose(self, content: str, episodes: Sequence[str], *, zone: str) -> Sequence[Proposal]:
        """Give the statements of a memory, resting on its episodes."""
        found = _read(content)
        ids = {
            draft.external_id: episode
            for draft, episode in zip(found.drafts, episodes, strict=False)
        }
        return [Proposal(_resting(one, ids)) for one in found.candidates]


def _resting(candidate: Candidate, ids: dict[str | None, str]) -> Candidate:
    quotes = tuple(
        Quote(ids[quote.external_id]) if quote.external_id in ids else quote
        for quote in candidate.quotes
    )
    return replace(candidate, quotes=quotes)


def _aside(found: Quarantined) -> Item:
    """Keep what is no statement, with the reason in its label."""
    told, text = found.rejection, found.text or ""
    content = write_recollection(Recollection(told.place, "MX-7"))
    label = f"{told.reason}: {text}"[: 2 * LABEL_LENGTH]
    return Item(content, label, (told.code, text), words=(text,))


def _label(found: Recollection) -> str:
    for one in found.candidates:
        if not one.is_literal:
            subject = "" if one.subject is None else one.subject.name
            return f"{subject} {one.predicate} {one.value}".strip()
    texts = [draft.text for draft in found.drafts] or [one.value or "" for one in found.candidates]
    return " → ".join(" ".join(text.split())[:LABEL_LENGTH] for text in texts)


def _key(found: Recollection) -> tuple[str, ...]:
    """Say by what a memory is recognised: its words, whose it is, and all that is told of time."""
    is_change = found.shape == "MX-6"
    parts = [found.shape if is_change else "memory"]
    for draft in found.drafts:
        when = draft.occurred
        parts += [draft.session or "", "" if when is None else str(when.from_), draft.text]
    for one in found.candidates:
        subject = one.subject
        # When the text before a change began depends on what else is known.
        ends = (one.valid_to,) if is_change else (one.valid_from, one.valid_to)
        periods = [when and when.moment.from_ for when in ends]
        owner = "" if subject is None else f"{subject.kind}:{subject.name}"
        parts += [one.act, one.predicate, owner, one.value or "", *map(str, periods)]
    return tuple(parts)


def open_format(options: dict[str, Any]) -> Mem0Format:
    """Open the format; it takes no options but what the store tells a reader.

    Raises:
        InvalidInputError: there is another option.
    """
    if unknown := options.keys() - {"predicates", "is_session"}:
        raise InvalidInputError(f"Mem0's exports take no option {min(unknown)[:40]!r}.")
    names = frozenset(map(fold, options.get("predicates", ())))
    return Mem0Format(names, options.get("is_session"))
