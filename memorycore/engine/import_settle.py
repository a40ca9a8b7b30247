"""Settle what a decider said of an item: the contract of its action, and of its words. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memorycore.engine.gate import find_unsafe_in
from memorycore.model.decision import REASONS
from memorycore.model.detail import invented_details, numbers_in
from memorycore.model.import_item import TARGETED, Choice, Match, Verdict, settle_verdict
from memorycore.model.stopword import HAN_CHARACTERS
from memorycore.model.timeline import TRUST
from memorycore.model.word import CJK

UNTOLD = "the joined text has words or numbers that neither the record nor the fact has"
JOINED_BY = "well besides plus currently additionally"
"""Words that join two statements, and say nothing themselves."""

_HAN = re.compile(f"[{CJK}]")
_DENIED = re.compile(r"\b(?:not?|never|without|cannot|neither|nor)\b|n['’]t\b|[不没沒未無无非]")
_JOINING = frozenset(HAN_CHARACTERS) | set("并且又还既则即也均皆同时以前后来现已曾用户会要")
"""Characters that do the same."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of an item: those it had, and what it says in those of the decider."""

    own: str
    merged: str | None = None


def settle_choice(
    verdict: Verdict,
    matches: Sequence[Match],
    *,
    is_recovered: bool,
    source_class: str,
    words: Words,
) -> Choice:
    """Make a decision of what a decider said.

    A less trusted source replaces nothing by itself. What may not be kept is left out of the
    decider's own words; where they say more than the record and the facts, a person is to look.
    """
    choice = settle_verdict(verdict, {one.id for one in matches}, is_recovered=is_recovered)
    choice = _safe(choice)
    if choice.merged is not None and words.merged is not None:
        met = [one.text for one in matches if one.id in choice.targets]
        if _says_more(words.merged, [words.own, *met]):
            choice = replace(choice, waits=True, reason=UNTOLD)
    if choice.action in TARGETED and not choice.waits:
        met_trust = max(one.trust for one in matches if one.id in choice.targets)
        if choice.action != "CONFLICT" and met_trust > TRUST[source_class]:
            return replace(choice, waits=True)
    return choice


def _safe(choice: Choice) -> Choice:
    """Leave out of a decision what may not be kept; a person is told why, and looks."""
    reason, merged = choice.reason, choice.merged
    if reason is not None and (code := find_unsafe_in([reason])) is not None:
        choice = replace(choice, reason=f"its reason is not kept: {REASONS[code]}")
    if merged is not None and (code := find_unsafe_in([merged])) is not None:
        told = f"its joined text is not kept: {REASONS[code]}"
        return replace(choice, merged=None, waits=True, reason=told)
    return choice


def _says_more(merged: str, known: Sequence[str]) -> bool:
    """Tell whether a text has words, numbers or a denial that none of those known has."""
    if invented_details([*known, JOINED_BY], merged):
        return True
    whole = "\n".join(known)
    if not numbers_in(merged) <= numbers_in(whole):
        return True
    if not set(_HAN.findall(merged)) <= set(whole) | _JOINING:
        return True
    return bool(_DENIED.search(merged.lower())) and not _DENIED.search(whole.lower())
