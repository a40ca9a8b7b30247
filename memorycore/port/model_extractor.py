"""A model as an extractor: what a store knows around some turns becomes the packets it is asked."""

from collections.abc import Iterator, Sequence

from memorycore.model.heard import Heard
from memorycore.model.packet import MAX_TURNS, build_packets
from memorycore.port.extractor import Extracted, Surroundings
from memorycore.port.model_proposer import ModelProposer, coverage


class ModelExtractor:
    """Reads turns by asking a model, a packet at a time, so that little is lost if it fails.

    ``version`` is that of the prompts and of the answer's form; another model is no other version.
    """

    name = ModelProposer.name
    version = "2"
    page = MAX_TURNS
    needs_surroundings = True

    def __init__(self, proposer: ModelProposer, *, language: str | None = None) -> None:
        """Read with a proposer; ``language`` is that of the prompts, else that of the turns."""
        self.proposer = proposer
        self.language = language

    def extract(self, turns: Sequence[Heard], around: Surroundings) -> Iterator[Extracted]:
        """Propose candidates from turns, a part for each answer.

        Raises:
            ModelError: the endpoint failed; what was given before stands.
        """
        packets = build_packets(
            turns,
            current_date=around.current_date,
            predicates=around.predicates,
            before=around.before,
            facts=around.facts,
            tags=[(f"tag:{name}", name) for name in around.tags],
            language=self.language,
        )
        for answered in self.proposer.propose(packets):
            spent = answered.spent
            yield Extracted(
                list(answered.candidates),
                list(answered.quarantined),
                list(answered.problems),
                len(answered.packet.turns),
                len(coverage([answered]).silent),
                spent.prompt_tokens + spent.completion_tokens,
                spent.ms,
            )
