"""Who decides on the items of an import: rules, a person, or a model."""

from collections.abc import Sequence
from typing import Protocol

from memorycore.model.import_item import Match, Proposal, Verdict


class Decider(Protocol):
    """What decides on an item, of which only offered facts can be met."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def is_slow(self) -> bool:
        """Whether each decision is worth a transaction of its own."""

    @property
    def can_recover(self) -> bool:
        """Whether it can make a document out of one that cannot be read."""

    def decide(
        self, content: str, proposals: Sequence[Proposal], matches: Sequence[Match]
    ) -> Verdict:
        """Say what becomes of an item.

        Raises:
            ModelError: a model could not be asked.
        """

    def recover(self, text: str) -> str:
        """Make a readable document out of a text.

        Raises:
            ModelError: a model could not be asked, or made none.
        """
