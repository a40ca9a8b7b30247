"""Where a pattern can begin: most alternatives begin with a macro that fits few places of a text.

A regular expression is tried at every character. An alternative that begins with one of the
macros of ``[starts]`` can only match where their expression does, so it is tried there alone.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

__all__ = ["Divided", "divide"]

_QUANTIFIERS = "?*+{"
_PREFIX = re.compile(r"(?:\{[A-Z][A-Z0-9_]*\}(?![?*+{][^A-Z]|[?*+]$))+")


class Divided(NamedTuple):
    """A pattern in two parts: what begins with a macro, and what may begin anywhere."""

    led: str | None
    free: str | None


def divide(text: str, macros: Sequence[str]) -> Divided:
    """Divide the alternatives of a pattern, macros not yet replaced, by how they begin."""
    alternatives, tail = list(_split(text)), ""
    if len(alternatives) == 1 and text.startswith("(?:"):
        end = _closing(text)
        if text[end + 1 : end + 2] not in _QUANTIFIERS or end + 1 == len(text):
            alternatives, tail = list(_split(text[3:end])), text[end + 1 :]
    led = [one for one in alternatives if _is_led(one, macros)]
    free = [one for one in alternatives if not _is_led(one, macros)]
    return Divided(_join(_gathered(led), tail), _join(free, tail))


def _gathered(alternatives: Sequence[str]) -> list[str]:
    """Put alternatives together that begin alike, so that their beginning is read once."""
    groups: dict[str, list[str]] = {}
    for text in alternatives:
        groups.setdefault(_prefix(text), []).append(text)
    gathered = []
    for prefix, texts in groups.items():
        if prefix and len(texts) > 1:
            rest = "|".join(text[len(prefix) :] for text in texts)
            gathered.append(f"{prefix}(?:{rest})")
        else:
            gathered += texts
    return gathered


def _join(alternatives: list[str], tail: str) -> str | None:
    return f"(?:{'|'.join(alternatives)}){tail}" if alternatives else None


def _prefix(text: str) -> str:
    """Give the macros, or the group, that an alternative begins with."""
    if text.startswith("(?:"):
        end = _closing(text) + 1
        return text[:end] if text[end : end + 1] not in tuple(_QUANTIFIERS) else ""
    found = _PREFIX.match(text)
    return found[0] if found else ""


def _is_led(text: str, macros: Sequence[str]) -> bool:
    if text.startswith("^") or any(text.startswith(f"{{{name}}}") for name in macros):
        # A repeated or an optional macro may stand for nothing at all.
        rest = text[text.find("}") + 1 :] if text.startswith("{") else " "
        return rest[:1] not in ("?", "*")
    if not text.startswith("(?:"):
        return False
    end = _closing(text)
    if text[end + 1 : end + 2] in ("?", "*"):
        return False
    return all(_is_led(one, macros) for one in _split(text[3:end]))


def _split(text: str) -> Iterator[str]:
    """Give the alternatives of an expression that are not inside a group or a set."""
    begin = 0
    for place, depth in _levels(text):
        if text[place] == "|" and depth == 0:
            yield text[begin:place]
            begin = place + 1
    yield text[begin:]


def _closing(text: str) -> int:
    """Find the bracket that closes the group at the beginning of a text."""
    return next(place for place, depth in _levels(text) if depth == 0 and text[place] == ")")


def _levels(text: str) -> Iterator[tuple[int, int]]:
    """Give every place that has a meaning, with the number of groups that are open after it."""
    depth = 0
    is_set = False
    for found in re.finditer(r"\\.|\[\^?\]?|[\])(|]", text, re.DOTALL):
        mark = found[0]
        if mark.startswith("\\"):
            continue
        if is_set:
            is_set = mark != "]"
        elif mark.startswith("["):
            is_set = True
        elif mark in "()|":
            depth += (mark == "(") - (mark == ")")
            yield found.start(), depth
