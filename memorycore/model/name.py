"""Names and short texts: what may be one, and where a name stands in a sentence."""

import re
import unicodedata

from memorycore.errors import InvalidInputError
from memorycore.model.draft import MAX_NAME_LENGTH
from memorycore.model.word import fold

MAX_VALUE_LENGTH = 2000
"""Code points in an object that is a text. What is longer is no statement."""

SPEAKER_WORDS = frozenset(
    ("user", "the user", "i", "me", "myself", "speaker", "用户", "使用者", "我", "本人", "我自己")
)
"""Words, folded, that stand for whoever speaks where a name is asked for."""

_KIND = re.compile(r"[\w-]{1,64}\Z")
_QUOTES = re.compile('[《》〈〉「」『』“”"]')
_BARRED = frozenset(("Cc", "Cs"))
_LINES = frozenset("\n\r\t")
_UNSEEN = re.compile(
    "[\\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]*\\Z"
)


def require_text(value: str, what: str) -> str:
    """Give a text back if it is one that can be written.

    Raises:
        InvalidInputError: it is no text, or holds half a character.
    """
    if not isinstance(value, str):
        raise InvalidInputError(f"{what} must be a text.")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise InvalidInputError(f"{what} holds half a character (a lone surrogate).") from error
    return value


def name_fault(name: object, *, longest: int = MAX_NAME_LENGTH) -> str | None:
    """Say what keeps a text from being a name, if anything does."""
    return _fault(name, longest, has_lines=False)


def value_fault(value: object) -> str | None:
    """Say what keeps a text from being the object of a statement, if anything does."""
    return _fault(value, MAX_VALUE_LENGTH, has_lines=True)


def _fault(text: object, longest: int, *, has_lines: bool) -> str | None:
    if not isinstance(text, str):
        return "must be a text"
    if len(text) > longest:
        return f"is longer than {longest} characters"
    if _UNSEEN.match(text):
        return "is empty, or holds nothing that can be seen"
    if text.isprintable():
        return None
    for char in text:
        if unicodedata.category(char) in _BARRED and not (has_lines and char in _LINES):
            return "holds a control character or half a character"
    return None


def is_kind(kind: object) -> bool:
    """Tell whether a text can be a kind of entity: letters, digits, ``_`` and ``-``."""
    if not isinstance(kind, str) or _KIND.match(kind) is None:
        return False
    return kind.isascii() or not any(map(_UNSEEN.match, kind))


def require_name(name: str, what: str) -> str:
    """Give a name back if it is one.

    Raises:
        InvalidInputError: it is empty, too long, or holds what no name may hold.
    """
    if fault := name_fault(name):
        raise InvalidInputError(f"{what} {fault}.")
    return name


def require_value(value: str, what: str) -> str:
    """Give the object of a statement back if it can be one.

    Raises:
        InvalidInputError: it is empty, too long, or holds what no text may hold.
    """
    if fault := value_fault(value):
        raise InvalidInputError(f"{what} {fault}.")
    return value


def bare(text: str) -> str:
    """Fold a text, without quotation marks and marks of books, and with single spaces."""
    return " ".join(_QUOTES.sub("", fold(text)).split())


def stands_in(name: str, text: str) -> bool:
    """Find a bare name in a bare text.

    At an end in Latin letters it must end a word: Poe is not named by a poem.
    """
    at = text.find(name) if name else -1
    while at >= 0:
        before, after = text[max(0, at - 1) : at], text[at + len(name) : at + len(name) + 1]
        if not (_is_one_word(before + name[0]) or _is_one_word(name[-1] + after)):
            return True
        at = text.find(name, at + 1)
    return False


def _is_one_word(pair: str) -> bool:
    return len(pair) == 2 and pair.isascii() and pair.isalnum()
