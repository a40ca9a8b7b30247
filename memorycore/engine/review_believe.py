"""From a review to facts: each observation becomes a sentence, and the one admission decides.

Nothing here writes a fact. An observation is kept as an episode of its own, in a session that
stands for what must be independent: the change within a project, the project beyond one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memorycore.engine.correct import retract
from memorycore.engine.ingest import Intake
from memorycore.engine.learn import Learning
from memorycore.engine.propose import find_fresh, take_candidates
from memorycore.engine.statement import Decided
from memorycore.engine.workbench import Workbench
from memorycore.model.candidate import Candidate, Quote
from memorycore.model.draft import Draft
from memorycore.model.identity import format_id
from memorycore.model.ingest import IngestPolicy, IngestResult
from memorycore.model.promotion import Observed
from memorycore.model.review_said import Said
from memorycore.model.time import Moment
from memorycore.store.connection import Connection
from memorycore.store.fact_names import load_names
from memorycore.store.facts import get_known
from memorycore.store.journal import change_field
from memorycore.store.links import find_merged
from memorycore.store.review_records import (
    list_doubted,
    list_observed,
    list_of_facts,
    only_observed,
    told_by_user,
)
from memorycore.store.search_index import change_visible

SOURCE = "review"


@dataclass(frozen=True, slots=True)
class Claim:
    """What is to be believed: the words, by whose word, and what they put right, if anything."""

    said: Said
    authority: str
    predicate: str
    observed: tuple[Observed, ...]
    corrects: int | None = None
    is_settled: bool = False
    """Whether its use has shown that it holds, however often it was observed."""


def believe(learning: Learning, bench: Workbench, claim: Claim, *, proposer: str) -> Decided | None:
    """Let admission decide on a claim; ``None`` when this very sentence was decided before.

    Raises:
        SuppressedError, RefusedError: the store was told to forget it, or may not keep it.
    """
    quotes = tuple(Quote(format_id("ep", uid)) for uid in _tell(learning, bench, claim))
    candidate = Candidate(
        claim.predicate,
        quotes,
        value=claim.said.text,
        is_inferred=claim.authority == "inferred",
        place=SOURCE,
    )
    if claim.corrects is not None:
        candidate = _correcting(bench, candidate, claim.corrects)
    scene = bench.scene
    fresh = find_fresh(bench.db, scene.key, scene.scope, scene.scope_id, [candidate])
    pending, refused = take_candidates(bench, fresh.candidates, proposer, state="decided")
    if not pending:
        return refused[0] if refused else None
    approved = claim.corrects is not None or claim.is_settled
    return learning.decide(bench, replace(pending[0], approved=approved, is_stated=True))


def _correcting(bench: Workbench, candidate: Candidate, target: int) -> Candidate:
    """Let a candidate speak of the same as the fact that it puts right."""
    uid, _ = load_names(bench.db, [target])[target]
    predicate = bench.predicate_of(get_known(bench.db, target).predicate_id)
    return replace(candidate, act="correct", target=format_id("fct", uid), predicate=predicate.name)


def _tell(learning: Learning, bench: Workbench, claim: Claim) -> list[bytes]:
    """Keep what was observed as episodes; give their ids."""
    run = learning.run
    policy = IngestPolicy(run.scope, True, "reject", True, run.actor)
    intake = Intake(
        run.key,
        policy,
        IngestResult(bench.scene.operation),
        suppression=run.suppression,
        new_id=run.new_id,
    )
    drafts = [_draft(claim, one) for one in claim.observed]
    uids = [uid for uid, _ in intake.take(bench.db, drafts, now=bench.scene.operation.at)]
    # What was taken back when its fact was doubted counts again.
    _set_withdrawn(bench, list_doubted(bench.db, uids), None)
    return uids


def _draft(claim: Claim, one: Observed) -> Draft:
    apart = one.project if claim.said.scope == "global" else one.change
    role = "user" if claim.authority == "explicit" else "event"
    return Draft(
        claim.said.text,
        role=role,
        session=f"review {apart.hex()}",
        occurred=Moment(one.observed_at, one.observed_at + 1, "instant", "UTC"),
        source=SOURCE,
        external_id=f"review {one.project.hex()} {one.change.hex()}",
        place=SOURCE,
    )


def disbelieve(bench: Workbench, facts: Sequence[int | None]) -> None:
    """Let the evidence of facts no longer count: they leave every result, with what was observed.

    What was observed is taken back, not hidden: nobody has asked that it be forgotten.
    """
    named = [one for one in dict.fromkeys(facts) if one is not None]
    merged = [find_merged(bench.db, one) for one in named]
    standing = [*named, *(one for one in merged if one is not None)]
    episodes = list_observed(bench.db, standing, SOURCE)
    for fact_id in standing:
        if (known := get_known(bench.db, fact_id)).support:
            retract(bench, known)
    _set_withdrawn(bench, episodes, bench.recorded)


def explicit_among(db: Connection, facts: Sequence[int]) -> set[int]:
    """List those of some facts that are the user's own word, whatever a document calls them.

    A record tells, and so does a sentence of the user's; without a record all is the user's word
    but what rests on observations alone.
    """
    records = [one for one in list_of_facts(db, facts) if one.state != "superseded"]
    said = {one.fact_id for one in records if one.authority == "explicit"}
    told = told_by_user(db, facts)
    recorded = {one.fact_id for one in records}
    observed = only_observed(db, facts, SOURCE)
    return {one for one in facts if one in said | told or one not in recorded | observed}


def _set_withdrawn(bench: Workbench, episodes: Sequence[int], by: int | None) -> None:
    def change() -> None:
        for number in episodes:
            change_field(bench.db, bench.recorded, "episode", number, "withdrawn", by)

    if episodes:
        change_visible(bench.db, episodes, change)
