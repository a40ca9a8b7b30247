"""From observations to memory: when a candidate becomes one (CM-30 to CM-42). Pure.

What is inferred is on trial until two independent successes speak for it: of two changes within a
project, of two projects for what is to hold everywhere. What a user says outright holds at once.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

RESULTS = (
    "candidate-created", "candidate-promoted", "deduplicated", "ignored", "skipped", "deferred",
)  # fmt: skip
OUTCOMES = ("used-successfully", "ignored", "overridden", "corrected", "contributed-to-failure")
NEGATIVE = frozenset(("overridden", "corrected", "contributed-to-failure"))
RECORD_STATES = ("trial", "proven", "superseded", "conflict")
NEEDED = 2
"""Independent successes that make a memory of a candidate."""
MAX_EVIDENCE = 32
MAX_APPLIED = 10_000
"""So many sets of actions are remembered, so that none is applied twice."""


@dataclass(frozen=True, slots=True)
class Observed:
    """One observation: where it was made, when (microseconds UTC), and whether it went well.

    ``project`` and ``change`` stand for the project's identity and the change, as keyed marks.
    """

    project: bytes
    change: bytes
    success: bool
    observed_at: int


@dataclass(frozen=True, slots=True)
class Known:
    """A record of the same identity: its text as a mark, who says so, and how it stands."""

    number: int
    text: bytes
    authority: str
    state: str
    observed: tuple[Observed, ...] = ()


@dataclass(frozen=True, slots=True)
class Grave:
    """A removal that later observations must respect."""

    removed_at: int
    is_permanent: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an observation does: the result, its reason as a code, and the records it concerns.

    ``record`` is the one that takes the observation, ``None`` for a new one; ``disputed`` are
    those that leave retrieval with it.
    """

    result: str
    reason: str
    record: int | None = None
    disputed: tuple[int, ...] = ()
    is_kept: bool = False


def judge(
    scope: str,
    text: bytes,
    new: Observed,
    known: Sequence[Known],
    graves: Collection[Grave] = (),
    *,
    is_paused: bool = False,
) -> Verdict:
    """Decide what an inferred observation does among the records of its identity."""
    if is_paused:
        return Verdict("ignored", "paused")
    if any(one.is_permanent or new.observed_at <= one.removed_at for one in graves):
        return Verdict("ignored", "removed")
    if not new.success:
        return Verdict("ignored", "no_success")
    standing = [one for one in known if one.state != "superseded"]
    same = [one for one in standing if one.text == text]
    explicit = [one for one in standing if one.authority == "explicit"]
    if explicit:
        return _beside_explicit(text, new, explicit, same)
    if any(one.state == "conflict" for one in standing):
        return Verdict("ignored", "conflict")
    if not same:
        rivals = tuple(one.number for one in standing)
        if rivals:
            return Verdict("ignored", "conflict", disputed=rivals, is_kept=True)
        return Verdict("candidate-created", "first_success", is_kept=True)
    return _again(scope, new, same[0])


def _beside_explicit(
    text: bytes, new: Observed, explicit: Sequence[Known], same: Sequence[Known]
) -> Verdict:
    """What the user said outright stays; the same words only add a source to it."""
    for one in explicit:
        if one.text == text:
            if _is_known(new, one.observed):
                return Verdict("deduplicated", "same_observation", one.number)
            return Verdict("deduplicated", "explicit", one.number, is_kept=True)
    if same:
        return Verdict("ignored", "conflict", same[0].number)
    return Verdict("ignored", "conflict", is_kept=True)


def _is_known(new: Observed, observed: Sequence[Observed]) -> bool:
    return any(
        (one.project, one.change) == (new.project, new.change) and one.success for one in observed
    )


def _again(scope: str, new: Observed, record: Known) -> Verdict:
    if _is_known(new, record.observed) or len(record.observed) >= MAX_EVIDENCE:
        return Verdict("deduplicated", "same_observation", record.number)
    if record.state == "proven":
        return Verdict("deduplicated", "one_more_source", record.number, is_kept=True)
    if is_promoted(scope, (*record.observed, new)):
        return Verdict("candidate-promoted", "independent_success", record.number, is_kept=True)
    return Verdict("deduplicated", "not_independent", record.number, is_kept=True)


def is_promoted(scope: str, observed: Sequence[Observed]) -> bool:
    """Tell whether enough independent successes speak for a candidate (CM-32, CM-33)."""
    good = [one for one in observed if one.success]
    places = {one.project if scope == "global" else one.change for one in good}
    return len(places) >= NEEDED


def revised(outcomes: Sequence[str], state: str) -> str:
    """Give the state of an inferred record after what its uses came to, the last of each use."""
    if any(one in NEGATIVE for one in outcomes):
        return "superseded"
    if state in ("trial", "superseded") and "used-successfully" in outcomes:
        return "proven"
    return state
