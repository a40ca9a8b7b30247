"""A model as an extractor: what a store knows around some turns becomes the packets it is asked."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from memorycore.errors import InvalidInputError
from memorycore.model.additive import AdditiveInputs
from memorycore.model.heard import Heard
from memorycore.model.packet import MAX_CONTEXT, MAX_TURNS, Packet, build_packets
from memorycore.port.extractor import Extracted, Surroundings
from memorycore.port.model_proposer import ModelProposer, coverage

ADDITIVE_VERSION = "additive-1"
"""The version of the additive prompt and of its answer's form."""


class PacketMaker:
    """Makes of turns the packets that a model is to be asked, and asks nobody.

    ``version`` is that of the prompts and of the answer's form; another model is no other version.
    """

    name = ModelProposer.name
    version = "2"
    page = MAX_TURNS
    needs_surroundings = True

    def __init__(
        self,
        *,
        language: str | None = None,
        additive: AdditiveInputs | None = None,
        context: Sequence[str] = (),
    ) -> None:
        """Remember the ``language`` of the prompts; without one it is that of the turns.

        With ``additive`` the model is asked for free texts, by the contract of Mem0. ``context``
        are documents that only help to understand.

        Raises:
            InvalidInputError: they are longer than a packet may hold of them.
        """
        if sum(map(len, context)) > MAX_CONTEXT:
            raise InvalidInputError(
                f"The context is longer than {MAX_CONTEXT:,} characters.", hint="give less of it"
            )
        self.language = language
        self.context = tuple(context)
        self.additive = additive
        if additive is not None:
            self.version = ADDITIVE_VERSION

    def packets(self, turns: Sequence[Heard], around: Surroundings) -> list[Packet]:
        """Make packets of turns and what is known around them."""
        return build_packets(
            turns,
            current_date=around.current_date,
            predicates=around.predicates,
            before=around.before,
            facts=around.facts,
            tags=[(f"tag:{name}", name) for name in around.tags],
            language=self.language,
            additive=self._inputs(around),
            context=self.context,
        )

    def _inputs(self, around: Surroundings) -> AdditiveInputs | None:
        if self.additive is None:
            return None
        recent = self.additive.recent or around.recent
        is_agents = self.additive.for_agent or around.is_agent
        return replace(self.additive, recent=recent, for_agent=is_agents)


class ModelExtractor(PacketMaker):
    """Reads turns by asking a model, a packet at a time, so that little is lost if it fails."""

    def __init__(
        self,
        proposer: ModelProposer,
        *,
        language: str | None = None,
        additive: AdditiveInputs | None = None,
        context: Sequence[str] = (),
    ) -> None:
        """Read with a proposer; see ``PacketMaker``."""
        super().__init__(language=language, additive=additive, context=context)
        self.proposer = proposer

    def extract(self, turns: Sequence[Heard], around: Surroundings) -> Iterator[Extracted]:
        """Propose candidates from turns, a part for each answer.

        Raises:
            ModelError: the endpoint failed; what was given before stands.
        """
        for answered in self.proposer.propose(self.packets(turns, around)):
            covered = coverage([answered])
            yield Extracted(
                list(answered.candidates),
                list(answered.quarantined),
                list(answered.problems),
                turns=len(answered.packet.turns),
                silent=len(covered.silent),
                unread=len(covered.unread),
                spent=answered.spent,
            )
