"""Edges of Mem0's graph, beside the memories of one result (MX-7).

An edge says nothing by itself: it becomes a statement where a predicate of its name is known and a
memory of the same result names what it leads to. All others are kept aside with the reason.
"""

import json
import re
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from memorycore.errors import InvalidInputError
from memorycore.exchange.mem0 import Relation, read_shape
from memorycore.model.candidate import Candidate, Naming, Quarantined, Quote
from memorycore.model.draft import Draft, Rejection
from memorycore.model.name import name_fault
from memorycore.model.recollection import Recollection

MAX_HEARD = 200
"""Memories of a result among which an edge finds the one that it rests on."""
_ITSELF = frozenset(("user", "user_id", "i", "me", "self", "用户"))


class Relations:
    """Reads the edges of one document, from the memories that stood before them."""

    def __init__(self, is_predicate: Callable[[str], bool]) -> None:
        self._is_predicate = is_predicate
        self._heard: deque[Draft] = deque(maxlen=MAX_HEARD)

    def hear(self, draft: Draft) -> None:
        """Remember a memory that an edge may rest on."""
        self._heard.append(draft)

    def read(self, record: Any, place: str) -> Iterator[Recollection | Quarantined]:
        """Read one edge, or the lists of edges that newer versions give."""
        if isinstance(record, dict) and isinstance(record.get("added_entities"), list):
            for part in _flat(record["added_entities"]):
                yield from self.read(part, place)
            for part in _flat(record.get("deleted_entities") or []):
                yield _aside(part, place, "deleted_relation", "an edge that was taken away")
            return
        try:
            relation = read_shape(Relation, record)
        except InvalidInputError as error:
            yield _aside(record, place, "invalid_input", error.message)
            return
        found = self._statement(relation, place)
        if isinstance(found, Recollection):
            yield found
        else:
            yield _aside(record, place, *found)

    def _statement(self, relation: Relation, place: str) -> Recollection | tuple[str, str]:
        name = relation.relationship.strip().replace(" ", "_")
        leads_to = relation.destination or relation.target or ""
        if not leads_to.strip():
            return "invalid_input", "the edge leads nowhere"
        if name_fault(name) is not None or not self._is_predicate(name):
            return "unknown_predicate", "no predicate of that name"
        for draft in reversed(self._heard):
            if (said := _said(leads_to, draft.text)) is not None:
                break
        else:
            return "no_evidence", "no memory of the result names what the edge leads to"
        source = relation.source.replace("_", " ").strip()
        is_itself = relation.source.strip().lower() in _ITSELF or name_fault(source) is not None
        statement = Candidate(
            name,
            (Quote(external_id=draft.external_id),),
            subject=None if is_itself else Naming(source),
            value=said,
            place=place,
        )
        return Recollection(place, "MX-7", (draft,), (statement,))


def _said(name: str, text: str) -> str | None:
    """Find a name of the graph, which is in lower case and without spaces, as a text writes it."""
    words = [re.escape(word) for word in re.split(r"[\s_]+", name.strip()) if word]
    if not words:
        return None
    pattern = r"[\s_-]+".join(words)
    if name.isascii():
        pattern = rf"(?<![A-Za-z0-9]){pattern}(?![A-Za-z0-9])"
    found = re.search(pattern, text, re.IGNORECASE)
    return found[0] if found else None


def _flat(parts: list[Any]) -> Iterator[Any]:
    for part in parts:
        if isinstance(part, list):
            yield from _flat(part)
        else:
            yield part


def _aside(record: Any, place: str, code: str, reason: str) -> Quarantined:
    text = json.dumps(record, ensure_ascii=False)[:2000]
    return Quarantined(
        Rejection(place, code, reason), text.encode("utf-8", "backslashreplace").decode()
    )
