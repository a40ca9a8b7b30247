"""Suppression: what the store was told to forget is refused when it comes again.

A text is recognised by its letters and digits, wherever it comes again in its scope, if it says
enough to be its own, also as some sentences of a longer text; a short one ("ok") only as the very
message that it was. A statement is recognised by subject, predicate and object, under every name
that they have (``known_as``) when it is forgotten, or when it comes again.

Older stores hold fingerprints of texts with their marks and spaces: those are looked up too.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from memorycore.engine.known_as import OWNER, Told
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
"""So many names of one entity are kept from coming back, told apart by their letters."""
MAX_COMPARED = 64
"""So many names of whom, and of what, a candidate speaks are looked up."""


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


def statement_prints(key: Key, scope: str, told: Told) -> tuple[bytes, ...]:
    """Give the fingerprints by which a statement is recognised under all of its names."""
    return _prints(key, scope, told, MAX_NAMES)


def _prints(key: Key, scope: str, told: Told, most: int) -> tuple[bytes, ...]:
    subjects = _distinct(map(_subject, told.subjects), most)
    objects = _distinct(map(_object, told.objects), most)
    return _of_fields(key, scope, subjects, told.predicate, objects)


def _older_prints(key: Key, scope: str, told: Told) -> tuple[bytes, ...]:
    """Give the fingerprints that older versions made, of names with their marks and spaces."""
    named = (name_key(one) for one in told.subjects if not one.startswith(OWNER))
    meant = (name_key(canonical_value(one)) for one in told.objects if not one.startswith(OWNER))
    subjects, objects = _distinct(named, MAX_COMPARED), _distinct(meant, MAX_COMPARED)
    return _of_fields(key, scope, subjects, told.predicate, objects)


def _of_fields(
    key: Key, scope: str, subjects: Sequence[str], predicate: str, objects: Sequence[str]
) -> tuple[bytes, ...]:
    return tuple(
        key.fingerprint(b"forgotten fact", (scope, subject, predicate, object_))
        for subject in subjects
        for object_ in objects
    )


def _distinct(names: Iterable[str], most: int) -> list[str]:
    return list(islice(dict.fromkeys(names), most))


def _subject(name: str) -> str:
    return name if name.startswith(OWNER) else name_essence(name)


def _object(name: str) -> str:
    if name.startswith(OWNER):
        return name
    value = canonical_value(name)
    return value if is_number(value) else name_essence(value)


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

    def is_active(self, db: Connection, scope_id: int) -> bool:
        """Tell whether anything of a scope may not come back."""
        return is_active(db, scope_id)

    def refuses_statement(self, db: Connection, scope_id: int, scope: str, told: Told) -> bool:
        """Tell whether the store was told to forget a statement, under any of its names.

        Raises:
            KeyFileError: something is suppressed, and its key is not there.
        """
        key = self.load_key(db)
        prints = _prints(key, scope, told, MAX_COMPARED) + _older_prints(key, scope, told)
        return bool(list_suppressed(db, scope_id, "statement", prints))
