"""A sentence with a line under the part that counts; wide characters count two columns."""

import unicodedata
from collections.abc import Iterator

from memoryctl.output import one_line

MAX_COLUMNS = 85
MAX_ROWS = 12
MARK = "━"


def width(text: str) -> int:
    """Count the columns of a text on a terminal."""
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def underline(text: str, start: int, end: int) -> list[str]:
    """Give the lines of a text around a span, with a line of marks under each part of it.

    Long texts are wrapped; of what is far from the span only an ellipsis is left. The last marks
    say which characters they stand under.
    """
    shown = one_line(text)  # as long as the text: each character is kept or replaced by one
    rows = list(_rows(shown))
    marked = [at for at, (low, high) in enumerate(rows) if low < end and high > start]
    first, last = max(0, min(marked, default=0) - 1), max(marked, default=0) + 1
    picked = range(first, min(last + 1, len(rows), first + MAX_ROWS))
    lines: list[str] = []
    last_marks = None
    for at in picked:
        low, high = rows[at]
        before = "…" if at == picked[0] and low > 0 else ""
        after = "…" if at == picked[-1] and high < len(shown) else ""
        lines.append(before + shown[low:high].rstrip() + after)
        begin, stop = max(low, start), min(high, end)
        if begin < stop and (part := shown[begin:stop].rstrip()):
            last_marks = len(lines)
            lines.append(" " * width(before + shown[low:begin]) + MARK * width(part))
    if last_marks is not None:
        lines[last_marks] += f"   characters {start}–{end}"
    return lines


def _rows(text: str) -> Iterator[tuple[int, int]]:
    """Cut a text into rows that fit, at blanks or between wide characters where that goes."""
    low = 0
    while low < len(text):
        high, columns, stop = low, 0, 0
        while high < len(text) and columns + _columns(text[high]) <= MAX_COLUMNS:
            columns += _columns(text[high])
            high += 1
            if text[high - 1] == " " or _columns(text[high - 1]) == 2:
                stop = high
        if high < len(text) and stop > low:
            high = stop
        yield low, high
        low = high
