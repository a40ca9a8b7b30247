"""The rules as an extractor: the default of learning, with no model and no network."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from memorycore.model.candidate import Candidate
from memorycore.model.heard import Heard
from memorycore.port.extractor import Extracted, Surroundings
from memorycore.port.rules import Rules

SURE = 0.9
"""What a pattern below this finds waits for a person: such patterns are wrong too often."""


class RuleExtractor:
    """Reads turns one by one, by the sentence patterns of the package."""

    name = "rules"
    page = 500
    needs_surroundings = False

    def __init__(self, *, checked: bool = False) -> None:
        self._rules = Rules(checked=checked)
        self.version = self._rules.version
        self.covers = self._rules.covers

    def extract(self, turns: Sequence[Heard], around: Surroundings) -> Iterator[Extracted]:
        """Propose what the turns say of their speakers."""
        found = Extracted(turns=len(turns))
        for turn in turns:
            candidates = [_weighed(one) for one in self._rules.propose(turn)]
            found.candidates += candidates
            found.silent += not candidates
        yield found


def _weighed(candidate: Candidate) -> Candidate:
    is_sure = candidate.confidence is None or candidate.confidence >= SURE
    return candidate if is_sure else replace(candidate, is_tentative=True)
