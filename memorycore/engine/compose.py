"""Put lines into a context that fits its budget. Pure: whoever gathers them is asked nothing.

Each section first gets its floor, so that none eats the others' room; what is left goes to the
weightiest lines of all. A line is in it whole or not at all.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from memorycore.model.context import SECTIONS, Context, Line
from memorycore.model.tokens import CountTokens

FLOORS = {"pinned": 0.25, "now": 0.3, "past": 0.1, "promised": 0.1, "said": 0.2}
"""The share of a budget that each section may fill before all compete for the rest."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around the lines: they are data, and neither end can be written from inside."""

    opening: str
    closing: str


def compose(
    lines: Sequence[Line],
    frame: Frame,
    *,
    budget: int,
    count: CountTokens,
    is_stable: bool = False,
    repeats: int = 0,
) -> Context:
    """Compose a context of at most ``budget`` tokens, as ``count`` counts them.

    Lines stand by weight in their section; with ``is_stable`` by id, so that the same memories give
    the same text whatever was asked.
    """
    room = _Room(frame, budget, count)
    kept = room.fill(lines)
    while True:
        shown = sorted(kept, key=lambda one: _place(one, is_stable=is_stable))
        text = render(shown, frame) if shown else ""
        tokens = count(text) if text else 0
        if tokens <= budget:
            break
        # Pieces may come to more tokens together than apart.
        kept.remove(min(kept, key=lambda one: (one.weight, one.id)))
    return Context(text, tuple(shown), tokens, budget, len(lines) - len(shown), repeats)


def render(lines: Sequence[Line], frame: Frame) -> str:
    """Write lines under their headings, within the frame."""
    parts = [frame.opening]
    heading = None
    for line in lines:
        if line.heading != heading:
            heading = line.heading
            parts.append(f"## {heading}")
        parts.append(line.text)
    return "\n".join([*parts, frame.closing])


def _place(line: Line, *, is_stable: bool) -> tuple[int, str, float, str]:
    return (
        SECTIONS.index(line.section),
        line.heading,
        0.0 if is_stable else -line.weight,
        line.id,
    )


class _Room:
    """Keeps account of what fits."""

    def __init__(self, frame: Frame, budget: int, count: CountTokens) -> None:
        self._count = count
        self._budget = budget
        self._used = count(f"{frame.opening}\n{frame.closing}") + 1
        self._headings: set[tuple[str, str]] = set()

    def fill(self, lines: Sequence[Line]) -> list[Line]:
        """Choose the lines: each section up to its floor, then the weightiest of all."""
        free = max(0, self._budget - self._used)
        by_weight = sorted(
            lines, key=lambda one: (-one.weight, SECTIONS.index(one.section), one.id)
        )
        kept: list[Line] = []
        for section in SECTIONS:
            left = int(free * FLOORS[section])
            for line in by_weight:
                if line.section == section:
                    cost = self._cost(line)
                    if cost <= left and self._take(line, cost):
                        left -= cost
                        kept.append(line)
        chosen = set(map(id, kept))
        rest = [line for line in by_weight if id(line) not in chosen]
        return kept + [line for line in rest if self._take(line, self._cost(line))]

    def _cost(self, line: Line) -> int:
        cost = self._count(line.text) + 1
        if (line.section, line.heading) not in self._headings:
            cost += self._count(f"## {line.heading}") + 1
        return cost

    def _take(self, line: Line, cost: int) -> bool:
        if self._used + cost > self._budget:
            return False
        self._used += cost
        self._headings.add((line.section, line.heading))
        return True
