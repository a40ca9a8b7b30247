"""Suppression: what the store was told to forget is refused when it comes again.

A text is recognised by its letters and digits, wherever it comes again in its scope, if it says
enough to be its own, also as some sentences of a longer text; a short one ("ok") only as the very
message that it was. A statement is recognised by subject, predicate and object, under every name
they had.

Older stores hold fingerprints of texts with their marks and spaces: those are looked up too.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from memorycore.model.distinctive import is_distinctive
from memorycore.model.draft import Draft
from memorycore.model.essence import essence, name_essence, passages
from memorycore.model.value import canonical_value, is_number
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
    words = essence(text)
    if is_distinctive(text):
        return "text", _of_text(key, scope, words)
    return "message", _of_message(key, scope, session, role, words)


def _of_text(key: Key, scope: str, words: str) -> bytes:
    return key.fingerprint(b"forgotten text", (scope, words))


def _of_message(key: Key, scope: str, session: str | None, role: str, words: str) -> bytes:
    return key.fingerprint(b"forgotten turn", (scope, session or "", role, words))


def _prints_of_draft(key: Key, scope: str, draft: Draft) -> Iterator[tuple[str, bytes]]:
    """Give all fingerprints under which a text may have been forgotten.

    How distinctive it is depends on its spaces, so both kinds are tried.
    """
    for words in dict.fromkeys((essence(draft.text), plain(draft.text))):
        yield "text", _of_text(key, scope, words)
        yield "message", _of_message(key, scope, draft.session, draft.role, words)
    for words in passages(draft.text):
        yield "text", _of_text(key, scope, words)


def statement_print(key: Key, scope: str, subject: str, predicate: str, object_: str) -> bytes:
    """Give the fingerprint by which a statement is recognised when it comes again."""
    value = canonical_value(object_)
    value = value if is_number(value) else name_essence(value)
    return key.fingerprint(b"forgotten fact", (scope, name_essence(subject), predicate, value))


def _older_print(key: Key, scope: str, subject: str, predicate: str, object_: str) -> bytes:
    fields = (scope, name_key(subject), predicate, name_key(canonical_value(object_)))
    return key.fingerprint(b"forgotten fact", fields)


def statement_prints(
    key: Key, scope: str, subjects: Iterable[str], predicate: str, objects: Iterable[str]
) -> list[bytes]:
    """Give the fingerprints of a statement under all names of its subject and object."""
    return _under_all_names(statement_print, key, scope, subjects, predicate, objects)


def _under_all_names(
    print_of: Callable[[Key, str, str, str, str], bytes],
    key: Key,
    scope: str,
    subjects: Iterable[str],
    predicate: str,
    objects: Iterable[str],
) -> list[bytes]:
    named, meant = list(subjects)[:MAX_NAMES], list(objects)[:MAX_NAMES]
    return [
        print_of(key, scope, subject, predicate, object_) for subject in named for object_ in meant
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
            (place, kind, one)
            for place, draft in enumerate(drafts)
            for kind, one in _prints_of_draft(key, scope, draft)
        ]
        known = {
            kind: list_suppressed(db, scope_id, kind, [one for _, of, one in prints if of == kind])
            for kind in ("text", "message")
        }
        return {place for place, kind, one in prints if one in known[kind]}

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
        key = self.load_key(db)
        prints = statement_prints(key, scope, subjects, predicate, objects)
        prints += _under_all_names(_older_print, key, scope, subjects, predicate, objects)
        return bool(list_suppressed(db, scope_id, "statement", prints))
