"""Inferred statements wait until they were observed often enough, on independent occasions."""

from memorycore.engine.statement import Pending, Statement
from memorycore.engine.workbench import Workbench
from memorycore.store.candidates import list_alike, set_identity
from memorycore.store.evidence import list_occasions
from memorycore.store.sightings import load_seen


def identity_of(bench: Workbench, statement: Statement) -> bytes:
    """Give the keyed mark by which candidates are recognised that say the same."""
    subject = statement.subject
    fields = (
        bench.scene.scope,
        subject.kind,
        str(subject.entity_id or subject.name),
        statement.predicate.name,
        statement.object_key or statement.object_name,
    )
    return bench.scene.key.fingerprint(b"statement", fields)


def occasions_of_alike(bench: Workbench, pending: Pending, statement: Statement) -> set[int]:
    """Tell on which other occasions a statement was observed, believed or still waiting."""
    identity = identity_of(bench, statement)
    set_identity(bench.db, pending.candidate_id, identity)
    occasions: set[int] = set()
    for fact in bench.same(statement):
        occasions |= list_occasions(bench.db, fact.fact_id)
    for waiting in list_alike(bench.db, identity):
        numbers = [episode_id for episode_id, _, _ in waiting.spans]
        for turn in load_seen(bench.db, bench.scene.scope_id, numbers).values():
            occasions.add(-turn.episode_id if turn.session_id is None else turn.session_id)
    return occasions


def waiting_alike(bench: Workbench, statement: Statement) -> list[int]:
    """List the candidates that wait and say the same."""
    return [one.candidate_id for one in list_alike(bench.db, identity_of(bench, statement))]
