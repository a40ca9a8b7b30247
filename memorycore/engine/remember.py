"""Remember: a person's sentence, kept as an episode and admitted as the fact that it states."""

from dataclasses import dataclass

from memorycore.engine.draft_gate import as_error
from memorycore.engine.ingest import Intake
from memorycore.engine.learn import Learning
from memorycore.model.candidate import Candidate, Naming, Quote, When
from memorycore.model.decision import REASONS
from memorycore.model.draft import Draft, Rejection
from memorycore.model.identity import format_id
from memorycore.model.ingest import IngestPolicy, IngestResult
from memorycore.model.time import Moment
from memorycore.store.connection import Connection
from memorycore.store.entities import list_heard_people
from memorycore.store.journal import change_field

SOURCE = "remember"


@dataclass(frozen=True, slots=True)
class Sentence:
    """What is to be remembered, and what it states."""

    text: str
    about: str | None
    predicate: str
    object: str
    valid_from: Moment | None
    valid_to: Moment | None
    at: Moment | None
    session: str | None
    pin: bool


def remember(
    learning: Learning, db: Connection, sentence: Sentence, *, now: int, on_secret: str
) -> None:
    """Keep a sentence and admit what it states, under one operation.

    Raises:
        SuppressedError: the store was told to forget the text, or what it states; then the outcome
            is noted, and the caller's transaction must not be kept.
    """
    bench = learning.bench(db, now)
    run = learning.run
    policy = IngestPolicy(run.scope, True, on_secret, True, run.actor)
    intake = Intake(
        run.key,
        policy,
        IngestResult(bench.scene.operation),
        suppression=run.suppression,
        new_id=run.new_id,
    )
    draft = Draft(
        sentence.text,
        speaker=_only_person(db, bench.scene.scope_id),
        session=sentence.session,
        occurred=sentence.at or Moment(now, now + 1, "instant", "UTC"),
        source=SOURCE,
        place="remember",
    )
    [(uid, _)] = intake.take(db, [draft], now=now)
    candidate = Candidate(
        sentence.predicate,
        (Quote(format_id("ep", uid)),),
        subject=None if sentence.about is None else Naming(sentence.about),
        value=sentence.object,
        valid_from=None if sentence.valid_from is None else When(sentence.valid_from),
        valid_to=None if sentence.valid_to is None else When(sentence.valid_to),
        place=SOURCE,
    )
    decided = learning.propose(db, [candidate], (), proposer="person", now=now, admit=True)
    if decided and decided[0].decision.reason == "suppressed":
        raise as_error(Rejection(SOURCE, "suppressed", REASONS["suppressed"]))
    fact_id = decided[0].fact_id if decided else None
    if sentence.pin and fact_id is not None:
        change_field(db, bench.recorded, "fact", fact_id, "is_pinned", 1)


def _only_person(db: Connection, scope_id: int) -> str | None:
    """Name the one person who speaks in a scope, so that a remembered sentence is theirs."""
    people = list_heard_people(db, scope_id, limit=2)
    return people[0] if len(people) == 1 else None
