"""Where the objects of a JSON text stand, told from its brackets and quotation marks alone."""

import re
from collections.abc import Sequence

_SIGN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}]', re.DOTALL)


def objects_in(text: str) -> list[tuple[int, int]]:
    """List the half-open spans of the objects in a text, each before those around it."""
    found: list[tuple[int, int]] = []
    begun: list[int] = []
    for sign in _SIGN.finditer(text):
        if sign[0] == "{":
            begun.append(sign.start())
        elif sign[0] == "}" and begun:
            found.append((begun.pop(), sign.end()))
    return found


def innermost(objects: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    """Give the smallest object that holds a span; the span itself where there is none."""
    holding = [one for one in objects if one[0] <= start and end <= one[1]]
    return min(holding, key=lambda one: one[1] - one[0], default=(start, end))
