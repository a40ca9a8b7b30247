"""Decide on an item without a model: conservative, since what is related is not the same."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memorycore.engine.merge import says_the_same
from memorycore.errors import InvalidInputError
from memorycore.model.import_item import DECIDERS, UNSURE, Match, Proposal, Verdict
from memorycore.port.import_decider import Decider

ALIKE = 0.8
"""How sure it is that what says almost the same as a known fact is a fact of its own."""
ONE_VALUE = "its predicate has one value at a time"


def decide_by_rules(proposals: Sequence[Proposal], matches: Sequence[Match]) -> Verdict:
    """Decide on an item by rules.

    A value of a single-valued predicate takes the place of the one that is there when it says since
    when it holds, and contradicts it when it does not. All else is added; where a known fact says
    almost the same, a person is to look.
    """
    for proposal in proposals:
        candidate = proposal.candidate
        value = candidate.object.name if candidate.object is not None else candidate.value or ""
        for match in matches:
            if match.predicate == candidate.predicate and match.is_single and match.value != value:
                is_dated = candidate.valid_from is not None or proposal.said is not None
                action = "SUPERSEDE" if is_dated else "CONFLICT"
                return Verdict(action, [match.id], None, ONE_VALUE, 0.9)
        near = next((one for one in matches if says_the_same(one.value, value)), None)
        if near is not None:
            return Verdict("ADD", (), None, f"{near.id} says almost the same", ALIKE)
    return Verdict("ADD", (), None, None, 0.95)


def decide_by_person(proposals: Sequence[Proposal], matches: Sequence[Match]) -> Verdict:
    """Leave a decision to a person; what rules say is what is proposed."""
    found = decide_by_rules(proposals, matches)
    return Verdict(found.action, found.targets, found.merged, "a person decides", UNSURE)


@dataclass(frozen=True, slots=True)
class _Offline:
    """A decider that asks nobody."""

    name: str
    verdict: Callable[[Sequence[Proposal], Sequence[Match]], Verdict]
    is_slow: bool = False
    can_recover: bool = False

    def decide(
        self, content: str, proposals: Sequence[Proposal], matches: Sequence[Match]
    ) -> Verdict:
        """Say what becomes of an item."""
        return self.verdict(proposals, matches)

    def recover(self, text: str) -> str:
        """Refuse: only a model can."""
        raise InvalidInputError("Only a model can read a document that is no JSON.")


def make_decider(given: Decider | str, model: Mapping[str, Any]) -> Decider:
    """Make the decider that is meant: ``rules``, ``review``, ``model``, or one that was made.

    Raises:
        InvalidInputError: it is none, or a model lacks its name or endpoint.
    """
    if not isinstance(given, str):
        return given
    if given == "rules":
        return _Offline("rules", decide_by_rules)
    if given == "review":
        return _Offline("review", decide_by_person)
    if given != "model":
        raise InvalidInputError(f"{given[:40]!r} is no decider.", hint=", ".join(DECIDERS))
    from memorycore.port.import_model import ModelDecider
    from memorycore.port.model_asker import make_endpoint

    told = {"model": None, "base_url": None, "key": None} | dict(model)
    return ModelDecider(make_endpoint(**told))
