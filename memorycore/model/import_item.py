"""Items of an import: what a format has read, what each was compared with, what was decided."""

import math
import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memorycore.errors import InvalidInputError
from memorycore.model.candidate import Candidate
from memorycore.model.json_object import innermost
from memorycore.model.time import Moment

ACTIONS = ("ADD", "MERGE", "SUPERSEDE", "CONFLICT", "IGNORE")
"""What becomes of an item: a fact beside the others, one that joins or replaces some, one that
contradicts some, or nothing."""
TARGETED = frozenset(("MERGE", "SUPERSEDE", "CONFLICT"))
TOP_K, MAX_TOP_K = 5, 20
SURE = 0.85
"""What is less sure waits for a person; just this is sure enough."""
UNSURE = 0.5
MAX_REASON = 500
DECIDERS = ("rules", "model", "review")

_BLANK = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Item:
    """One record of a document, as a format has read it.

    ``content`` is the record in the format's own form, from which it makes drafts and candidates
    later. ``label`` is one line for people, ``key`` that by which it is recognised when it comes
    again. With ``refused``, a reason code, nothing of it is kept. ``words`` are those of its texts
    that say something, where others are ids and names, in which only secrets are looked for.
    """

    content: str
    label: str
    key: tuple[str, ...] | None = None
    refused: str | None = None
    words: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Dropped:
    """A record that is no item: where it stands, and why, in words that quote nothing."""

    place: str
    reason: str


@dataclass(frozen=True, slots=True)
class Noted:
    """What was left out of an item or could not be told: where, as a code, and in words."""

    place: str
    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """A candidate that an item makes, and when its words were said, if that is told.

    ``read_as`` is how its quotes read, where they stand in a document as no plain sentences.
    """

    candidate: Candidate
    said: Moment | None = None
    read_as: str | None = None


def place_in(
    text: str, objects: Sequence[tuple[int, int]], proposal: Proposal
) -> tuple[int, int] | None:
    """Give the span of the record that makes a proposal: that of its object in a document.

    ``objects`` are the spans of those in it. ``None``: its quote does not stand there.
    """
    quote = proposal.candidate.quotes[0]
    said = quote.text or ""
    start = quote.start
    if start is None or text[start : start + len(said)] != said:
        start = text.find(said)
    return None if start < 0 else innermost(objects, start, start + len(said))


@dataclass(frozen=True, slots=True)
class Match:
    """A known fact that an item is compared with, how near it is in 0…1, and how it may be met.

    ``is_single`` says that its subject has one value of this predicate at a time; ``trust`` is that
    of its surest source.
    """

    id: str
    text: str
    value: str
    predicate: str
    score: float
    is_single: bool = False
    trust: int = 0
    starts: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give the match in the shape of the JSON outputs."""
        return {"id": self.id, "text": self.text, "score": round(self.score, 3)}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a decider says of an item, before the contract has been applied to it."""

    action: Any = None
    targets: Sequence[Any] = ()
    merged: str | None = None
    reason: Any = None
    confidence: Any = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision that keeps the contract: an action, its targets, how sure, and why."""

    action: str
    targets: tuple[str, ...] = ()
    merged: str | None = None
    reason: str | None = None
    confidence: float = UNSURE
    waits: bool = False


def clamp_top_k(given: float | None) -> int:
    """Give how many known facts an item is compared with: 5, or what is given within 1…20."""
    if given is None or math.isnan(given):
        return TOP_K
    return int(min(max(math.floor(min(max(given, 0), MAX_TOP_K)), 1), MAX_TOP_K))


def normal(text: str) -> str:
    """Write a text so that it equals another that differs in case, width and spaces only."""
    return _BLANK.sub(" ", unicodedata.normalize("NFKC", text).lower()).strip()


def duplicate(*, of: str | None = None) -> Choice:
    """Decide on what is there already, word for word: nobody is asked."""
    targets = () if of is None else (of,)
    return Choice("IGNORE", targets, reason="it is there already, word for word", confidence=1.0)


def settle_verdict(
    verdict: Verdict, offered: Collection[str], *, is_recovered: bool = False
) -> Choice:
    """Make a decision of what a decider said, so that it keeps the contract.

    Only offered facts can be targets; an action that needs one and has none is no action. What was
    recovered by a model always waits for a person, as does what is not sure.
    """
    action = str(verdict.action).strip().upper() if isinstance(verdict.action, str) else ""
    reason = verdict.reason if isinstance(verdict.reason, str) else None
    reason = (reason or "").strip()[:MAX_REASON] or None
    confidence = _share(verdict.confidence)
    if action not in ACTIONS:
        action = "IGNORE"
    named = [one for one in verdict.targets if isinstance(one, str) and one in offered]
    targets = tuple(dict.fromkeys(named))
    if action in TARGETED and not targets:
        reason = f"{action} names none of the facts that it was compared with"
        action, confidence = "IGNORE", UNSURE
    if action not in TARGETED:
        targets = ()
    merged = verdict.merged if action in ("MERGE", "SUPERSEDE") else None
    waits = is_recovered or confidence < SURE
    return Choice(action, targets, merged, reason, confidence, waits)


def _share(given: Any) -> float:
    is_number = isinstance(given, (int, float)) and not isinstance(given, bool)
    if not is_number or not math.isfinite(given):
        return UNSURE
    return min(1.0, max(0.0, float(given)))


def confirmed(choice: Choice, action: str | None) -> Choice:
    """Give a decision as a person has confirmed it.

    What needs no confirmation stays as it is. What does is ignored when nothing was said, or when
    the action that was said needs a target and there is none.
    """
    if not choice.waits:
        return choice
    if action not in ACTIONS or (action in TARGETED and not choice.targets):
        action = "IGNORE"
    targets = choice.targets if action in TARGETED else ()
    return replace(choice, action=str(action), targets=targets)


def read_choice(given: str) -> tuple[str, tuple[str, ...]]:
    """Read what a person chose: an action, and after a colon the facts that it meets.

    Raises:
        InvalidInputError: it is no action.
    """
    named, _, facts = given.partition(":")
    action = named.strip().upper()
    if action not in ACTIONS:
        raise InvalidInputError(f"{named[:40]!r} is no action.", hint=", ".join(ACTIONS))
    targets = tuple(dict.fromkeys(filter(None, map(str.strip, facts.split(",")))))
    if targets and action not in TARGETED:
        raise InvalidInputError(f"{action} meets no facts.", hint=", ".join(sorted(TARGETED)))
    return action, targets


def targets_chosen(
    choice: Choice, offered: Sequence[str], action: str, named: Sequence[str], *, number: int
) -> tuple[str, ...]:
    """Give the facts that an action which a person chose for item ``number`` meets.

    Those that the person names, by the beginning of their ids, else those that were proposed.

    Raises:
        InvalidInputError: one is none of those offered, or the action needs one and there is none.
    """
    found: list[str] = []
    for name in named:
        meant = [one for one in offered if one.startswith(name)]
        if len(meant) != 1:
            raise InvalidInputError(
                f"Item {number} was not compared with {name[:40]!r}.",
                hint=", ".join(offered) or "it was compared with nothing: ADD or IGNORE",
            )
        found += meant
    targets = tuple(found) or choice.targets
    if action in TARGETED and not targets:
        raise InvalidInputError(
            f"{action} needs a fact that item {number} meets, and none was proposed.",
            why=f"it is near {', '.join(offered)}" if offered else "it is near no fact",
            hint=f"{number}={action}:{offered[0]}" if offered else f"{number}=ADD",
        )
    return targets


@dataclass(frozen=True, slots=True)
class ImportItem:
    """An item as it is shown. ``number`` counts from 1; ``outcome`` is what became of it."""

    number: int
    label: str
    choice: Choice | None
    chosen: str | None = None
    matches: tuple[Match, ...] = ()
    outcome: str | None = None
    candidate: str | None = None
    fact: str | None = None

    @property
    def action(self) -> str | None:
        """What is, or was, done with it: a person's choice before the decider's."""
        if self.choice is None:
            return None
        return confirmed(self.choice, self.chosen).action if self.chosen else self.choice.action

    @property
    def waits(self) -> bool:
        """Whether a person has still to say what becomes of it."""
        return self.choice is not None and self.choice.waits and self.chosen is None

    def to_dict(self) -> dict[str, Any]:
        """Give the item in the shape of the JSON outputs."""
        choice = self.choice or Choice("")
        return {
            "item": self.number,
            "label": self.label,
            "action": self.action,
            "proposed": choice.action or None,
            "targets": list(choice.targets),
            "merged": choice.merged,
            "reason": choice.reason,
            "confidence": choice.confidence if self.choice else None,
            "waits": self.waits,
            "chosen": self.chosen,
            "matches": [one.to_dict() for one in self.matches],
            "outcome": self.outcome,
            "candidate": self.candidate,
            "fact": self.fact,
        }
