"""Order lines so that each says something that those before it do not (maximal marginal relevance).

Two lines are compared by their words and by pairs of characters, so that Chinese and English count
alike. Lines whose numbers differ say different things, however alike they look.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from memorycore.model.context import Line
from memorycore.model.word import fold, split_words

RELEVANCE = 0.72
"""How much weight counts against newness."""
SAME = 0.9
"""From this likeness on a line repeats another."""
MAX_COMPARED = 200

_NUMBER = re.compile(r"\d+(?:[.,:-]\d+)*")


def diversify(lines: Sequence[Line]) -> tuple[list[Line], int]:
    """Order lines by weight and newness; give them with the weights lowered, and how many repeat.

    A line that repeats one before it is left out.
    """
    left = [(line, _features(line)) for line in lines[:MAX_COMPARED]]
    chosen: list[tuple[Line, _Features]] = []
    nearest = [0.0] * len(left)
    ordered: list[Line] = []
    repeats = 0
    while left:
        at = max(
            range(len(left)),
            key=lambda n: (
                RELEVANCE * left[n][0].weight - (1 - RELEVANCE) * nearest[n],
                left[n][0].id,
            ),
        )
        line, features = left.pop(at)
        likeness = nearest.pop(at)
        if likeness >= SAME:
            repeats += 1
            continue
        lowered = line.weight * (1 - (1 - RELEVANCE) * likeness)
        ordered.append(replace(line, weight=lowered))
        chosen.append((line, features))
        nearest = [
            max(old, features.likeness(other))
            for old, (_, other) in zip(nearest, left, strict=True)
        ]
    return [*ordered, *lines[MAX_COMPARED:]], repeats


class _Features:
    """What a line is compared by."""

    def __init__(
        self, words: frozenset[str], pairs: frozenset[str], numbers: frozenset[str]
    ) -> None:
        self.words, self.pairs, self.numbers = words, pairs, numbers

    def likeness(self, other: "_Features") -> float:
        """Say how alike two lines are, in 0…1; at most half where their numbers differ."""
        alike = (_jaccard(self.words, other.words) + _jaccard(self.pairs, other.pairs)) / 2
        return alike if self.numbers == other.numbers else alike / 2


def _features(line: Line) -> _Features:
    text = fold(line.summary or line.text)
    pairs = frozenset(text[at : at + 2] for at in range(len(text) - 1))
    return _Features(frozenset(split_words(text)), pairs, frozenset(_NUMBER.findall(text)))


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 0.0
