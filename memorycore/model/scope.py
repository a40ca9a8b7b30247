"""Scopes: whose memory a record belongs to, such as ``user:ana``, ``project:web`` or ``global``."""

import unicodedata
from functools import lru_cache

from memorycore.errors import InvalidScopeError

MAX_SCOPE_LENGTH = 200
DEFAULT_SCOPE = "default"


@lru_cache(maxsize=1024)
def parse_scope(text: str) -> str:
    """Read a scope name: any printable text of 1 to 200 code points, in NFC, trimmed.

    Identifiers, spaces and Chinese are all fine; what is accepted here is accepted everywhere.

    Raises:
        InvalidScopeError: it is empty, too long, or holds a control character or lone surrogate.
    """
    if not isinstance(text, str):
        raise InvalidScopeError("A scope is a text, such as user:ana.")
    name = unicodedata.normalize("NFC", text).strip()
    if not name:
        raise InvalidScopeError("A scope needs a name.", hint="--scope user:ana")
    if len(name) > MAX_SCOPE_LENGTH:
        raise InvalidScopeError(
            f"The scope name has {len(name)} characters; {MAX_SCOPE_LENGTH} are allowed."
        )
    if any(unicodedata.category(character) in {"Cc", "Cs"} for character in name):
        raise InvalidScopeError("The scope name holds a control character or half a character.")
    return name


def owner_of(scope: str) -> str:
    """Name who a scope is of: whoever speaks in it without a name."""
    _, colon, name = scope.partition(":")
    return name if colon and name else scope
