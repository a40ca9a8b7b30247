"""Where the sentence begins and ends that holds a span of a text, in Chinese and in English."""

import re
from functools import lru_cache

__all__ = ["LONGEST", "REACH", "sentence_around", "sentence_spans", "without_long"]

_END = re.compile(r"[.!?。！？…;；]+[\"'”’」』)）]*|[\r\n]+")
_ABBREVIATION = re.compile(
    r"(?i)(?:\b(?:mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|no|jr|sr|approx)|\b[a-z])$"
)
REACH = 2000
"""A sentence is sought at most this many code points to either side."""

LONGEST = 500
"""What goes on longer without an end is a list or a heap of words, and no plain sentence."""


def blank(length: int) -> str:
    """Give as much of nothing: lines of their own, and no white space that a pattern could skip."""
    return "\n" * length if length < 3 else f"\n{chr(0) * (length - 2)}\n"


def without_long(text: str) -> str:
    """Blank out the sentences that are too long to be plain; the length stays as it is."""
    if len(text) <= LONGEST:
        return text
    parts, begin = [], 0
    for end in [*(found.end() for found in _END.finditer(text)), len(text)]:
        part = text[begin:end]
        parts.append(part if len(part) <= LONGEST else blank(len(part)))
        begin = end
    return "".join(parts)


@lru_cache(maxsize=32)  # One turn is asked again and again for the same few spans.
def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Give the span of the sentence, or sentences, that hold a span of code points."""
    first, last = max(0, start - REACH), min(len(text), end + REACH)
    begin = first
    for found in _END.finditer(text, first, last):
        if not _ends_sentence(text, found):
            continue
        if found.end() <= start:
            begin = found.end()
        elif found.end() >= end:
            last = found.end()
            break
    while begin < start and text[begin].isspace():
        begin += 1
    while last > end and text[last - 1].isspace():
        last -= 1
    return begin, max(last, begin)


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Give the spans of the sentences of a text, in order, each with the marks that end it."""
    ends = [found.end() for found in _END.finditer(text) if _ends_sentence(text, found)]
    spans = zip([0, *ends], [*ends, len(text)], strict=True)
    return [(begin, end) for begin, end in spans if text[begin:end].strip()]


def _ends_sentence(text: str, found: re.Match[str]) -> bool:
    if not found[0].startswith("."):
        return True
    if found.end() < len(text) and not text[found.end()].isspace() and text[found.end()] < "\u2e80":
        return False
    if len(found[0]) > 1:
        return True
    return not _ABBREVIATION.search(text[max(0, found.start() - 8) : found.start()])
