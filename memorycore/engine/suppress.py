"""Suppression: what the store was told to forget is refused when it comes again.

A text is recognised wherever it comes again in its scope if it says enough to be its own; a short
one ("ok") only as the very message that it was. A statement is recognised by subject, predicate and
object, under every name they had.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from memorycore.model.distinctive import is_distinctive
from memorycore.model.draft import Draft
from memorycore.model.value import canonical_value
from memorycore.model.word import plain
from memorycore.store.connection import Connection
from memorycore.store.entities import name_key
from memorycore.store.key_file import Key
from memorycore.store.suppressions import is_active, list_suppressed

MAX_NAMES = 32
"""So many names of one entity are kept from coming back."""


def text_print(
    key: Key, scope: str, text: str, *, session: str | None, role: str
) -> tuple[str, bytes]:
    """Give kind and fingerprint by which a text is recognised when it comes again."""
    words = plain(text)
    if is_distinctive(text):
        return "text", key.fingerprint(b"forgotten text", (scope, words))
    return "message", key.fingerprint(b"forgotten turn", (scope, session or "", role, words))


def statement_print(key: Key, scope: str, subject: str, predicate: str, object_: str) -> bytes:
    """Give the fingerprint by which a statement is recognised when it comes again."""
    fields = (scope, name_key(subject), predicate, name_key(canonical_value(object_)))
    return key.fingerprint(b"forgotten fact", fields)


def statement_prints(
    key: Key, scope: str, subjects: Iterable[str], predicate: str, objects: Iterable[str]
) -> list[bytes]:
    """Give the fingerprints of a statement under all names of its subject and object."""
    named, meant = list(subjects)[:MAX_NAMES], list(objects)[:MAX_NAMES]
    return [
        statement_print(key, scope, subject, predicate, object_)
        for subject in named
        for object_ in meant
    ]


@dataclass(slots=True)
class Suppression:
    """Looks up what may not come back; the key is read only where there is anything."""

    load_key: Callable[[Connection], Key]

    def refused_texts(
        self, db: Connection, scope_id: int, scope: str, drafts: Sequence[Draft]
    ) -> set[int]:
        """Give the places of the drafts that the store was told to forget.

        Raises:
            KeyFileError: something is suppressed, and its key is not there.
        """
        if not scope_id or not is_active(db, scope_id):
            return set()
        key = self.load_key(db)
        prints = [
            text_print(key, scope, one.text, session=one.session, role=one.role) for one in drafts
        ]
        known = {
            kind: list_suppressed(db, scope_id, kind, [one for of, one in prints if of == kind])
            for kind in ("text", "message")
        }
        return {place for place, (kind, one) in enumerate(prints) if one in known[kind]}

    def refuses_statement(
        self,
        db: Connection,
        scope_id: int,
        scope: str,
        *,
        subjects: Sequence[str],
        predicate: str,
        objects: Sequence[str],
    ) -> bool:
        """Tell whether the store was told to forget a statement, under any of its names."""
        if not is_active(db, scope_id):
            return False
        prints = statement_prints(self.load_key(db), scope, subjects, predicate, objects)
        return bool(list_suppressed(db, scope_id, "statement", prints))
