"""A store with facts in two scopes, and a good row of each table that could be beside them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import apsw
import pytest

from memorycore import Memory
from memorycore.store.functions import register_functions

OPEN = 9223372036854775807
SAID = {
    "user:ana": ("Ana", [("lives_in", "Porto"), ("note", "white tea")]),
    "user:bea": ("Bea", [("lives_in", "Leiden"), ("note", "black tea")]),
}
"""Who says what in each scope, a sentence each. Facts 1 and 2 with episodes 1 and 2 are Ana's,
3 and 4 Bea's."""

FACT = {
    "fact_id": 9,
    "uid": b"f" * 16,
    "scope_id": 1,
    "timeline_id": 9,
    "subject_id": 1,
    "predicate_id": 1,
    "object_id": None,
    "object_value": "x",
    "object_key": "=x",
    "rank": None,
    "fact_type": "note",
    "confidence": 0.9,
    "importance": 0.5,
    "valence": None,
    "arousal": None,
    "sensitivity": "normal",
    "validity": "valid",
    "visibility": "visible",
    "lifecycle": "active",
    "event_status": None,
    "is_pinned": 0,
    "support": 1,
    "first_evidence_id": 1,
    "recorded": 1,
}
PERIOD = {
    "fact_id": 77,
    "timeline_id": 77,
    "subject_id": 1,
    "predicate_id": 1,
    "valid_from": 10,
    "valid_to": 20,
    "from_precision": "day",
    "from_basis": "explicit",
    "to_precision": "day",
    "to_basis": "explicit",
    "ended_by": "nothing",
    "certainty": "asserted",
    "recorded_from": 1,
    "recorded_to": OPEN,
}
EVIDENCE = {
    "fact_id": 1,
    "timeline_id": 1,
    "episode_id": 1,
    "span_from": 18,
    "span_to": 36,
    "candidate_id": 1,
    "starts": 10,
    "ends": 20,
    "from_precision": "day",
    "from_basis": "explicit",
    "to_precision": "day",
    "to_basis": "explicit",
    "ended_by": "nothing",
    "source_class": "user",
    "reliability": 0.9,
    "occasion": 1,
    "recorded_from": 1,
    "recorded_to": OPEN,
}
LINK = {
    "kind": "RELATED_TO",
    "from_fact_id": 1,
    "to_fact_id": 2,
    "to_entity_id": None,
    "recorded_from": 1,
    "recorded_to": OPEN,
}
CANDIDATE = {
    "candidate_id": 9,
    "uid": b"c" * 16,
    "scope_id": 1,
    "proposer": "file",
    "place": "line 1",
    "state": "pending",
    "statement": "{}",
    "fingerprint": b"f" * 16,
    "recorded_from": 1,
    "recorded_to": OPEN,
}
DECISION = {
    "candidate_id": 9,
    "kind": "add",
    "reason": "new",
    "fact_id": 1,
    "target_id": None,
    "recorded_from": 1,
    "recorded_to": OPEN,
}
REVIEW = {
    "candidate_id": 9,
    "proposed": "add",
    "reason": "low_confidence",
    "fact_id": None,
    "target_id": None,
    "state": "open",
    "recorded_from": 1,
    "recorded_to": OPEN,
}
ALIAS = {
    "entity_id": 1,
    "scope_id": 1,
    "name": "Anne",
    "name_key": "anne",
    "recorded_from": 1,
    "recorded_to": OPEN,
}
GOOD: dict[str, dict[str, object]] = {
    "facts": FACT,
    "fact_periods": PERIOD,
    "evidence": EVIDENCE,
    "links": LINK,
    "candidates": CANDIDATE,
    "decisions": DECISION,
    "review_items": REVIEW,
    "aliases": ALIAS,
}
"""A row of each table that is taken as it is."""


def tell(memory: Memory) -> None:
    """Say what is said, and learn from it."""
    for scope, (speaker, said) in SAID.items():
        mine = memory.scoped(scope)
        for predicate, thing in said:
            text = f"I am happy in {thing}." if predicate != "note" else f"I drink {thing}."
            episode = mine.add(text, speaker=speaker, at="2025-03-01", session=thing)
            named = thing if predicate == "note" else {"name": thing, "kind": "place"}
            item = {"predicate": predicate, "object": named, "episode": episode.id, "quote": text}
            [outcome] = mine.learn([item]).outcomes
            assert outcome.decision.kind == "add", outcome


@dataclass
class Ground:
    """A connection inside a write transaction, with facts to refer to."""

    db: apsw.Connection

    def insert(self, table: str, **changed: object) -> None:
        """Insert the good row of a table, with some columns changed."""
        row = GOOD[table] | changed
        names = ", ".join(f":{name}" for name in row)
        self.db.execute(f"INSERT INTO {table}({', '.join(row)}) VALUES({names})", row).fetchall()

    def number(self, name: str) -> int:
        """Give the number of an entity."""
        return int(self.db.execute("SELECT entity_id FROM entities WHERE name = ?", (name,)).get)


@pytest.fixture(scope="session")
def told_world(make_world: Callable[..., Any]) -> Any:
    """A store in memory with the facts; to be copied."""
    world = make_world()
    tell(world.memory)
    return world


@pytest.fixture
def ground_world(told_world: Any) -> Iterator[Any]:
    """A copy of it, for one test."""
    with told_world.copy() as world:
        yield world


@pytest.fixture
def ground(ground_world: Any) -> Iterator[Ground]:
    """Facts 1 and 2 of ``user:ana`` and 3 and 4 of ``user:bea``, in a transaction left open.

    Facts 77 and 78 have no periods, and candidate 9 no decision.
    """
    with ground_world.store.write(dry_run=True) as db:
        made = Ground(db.raw)
        made.insert("candidates")
        for number in (77, 78):
            uid, key = bytes([number]) * 16, f"={number}"
            made.insert("facts", fact_id=number, timeline_id=number, uid=uid, object_key=key)
        yield made


@pytest.fixture
def told_path(file_world: Any) -> str:
    """A store in a file with the same facts, closed."""
    tell(file_world.memory)
    file_world.store.close()
    return str(file_world.path)


@pytest.fixture
def open_ground(told_path: str, raw: Callable[..., apsw.Connection]) -> Ground:
    """A bare connection to it, with its links checked, in a transaction that can be committed."""
    db = raw(told_path)
    register_functions(db)
    db.execute("PRAGMA foreign_keys = ON; BEGIN IMMEDIATE").fetchall()
    return Ground(db)
