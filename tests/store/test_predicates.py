"""Predicate schemas in the store: one version stands, the others are kept."""

from collections.abc import Iterator
from dataclasses import replace

import apsw
import pytest

from memorycore.exchange.predicate_file import load_seeded
from memorycore.model.predicate import Predicate
from memorycore.store.connection import Connection, open_connection, transaction
from memorycore.store.migrate import apply_migrations
from memorycore.store.operations import insert_operation
from memorycore.store.predicates import (
    count_facts_of,
    find_predicate,
    insert_predicate,
    list_predicates,
    load_predicates,
)

FULL = Predicate(
    "plays",
    domain="music",
    label_en="plays",
    label_zh="演奏",
    aliases=("performs", "演奏"),
    fact_type="core_identity",
    cardinality="temporal_multi",
    conflict_policy="expire",
    temporal="habit",
    object_kind="entity",
    value_type="text",
    subject_kinds=("person", "agent"),
    object_kinds=("thing",),
    opposite="avoids",
    is_ranked=True,
    tau_days=12.5,
    importance=0.25,
    is_sensitive=True,
    allow_inference=False,
    allow_assistant_source=True,
    allow_agent_subject=True,
    is_denial=True,
    min_evidence=7,
)
INSERT_FACT = """
INSERT INTO facts(fact_id, uid, scope_id, timeline_id, subject_id, predicate_id, object_value,
  object_key, fact_type, confidence, importance, validity, support, first_evidence_id, recorded)
VALUES(:n, randomblob(16), 1, :n, 1, :predicate_id, 'x', :n, 'note', 1, 1, 'valid', :support, 1, 1)
"""


def close_version(db: Connection, number: int, *, recorded: int) -> None:
    """End the version of a predicate that stands."""
    db.execute(
        "UPDATE predicate_versions SET recorded_to = ? "
        "WHERE predicate_id = ? AND recorded_to = 9223372036854775807",
        (recorded, number),
    ).fetchall()


@pytest.fixture
def db() -> Iterator[Connection]:
    """Give a bare store, inside a transaction that is not kept."""
    connection = open_connection(":memory:", read_only=False, busy_timeout=1)
    connection.execute("PRAGMA foreign_keys = OFF").fetchall()
    with transaction(connection):
        apply_migrations(connection)
    with transaction(connection, keep=False):
        for _ in range(3):
            record(connection)
        yield connection
    connection.close()


def record(db: Connection) -> int:
    count = db.execute("SELECT count(*) FROM operations").get
    return insert_operation(
        db, now=0, new_id=lambda at: bytes(15) + bytes([count]), actor="test", kind="predicate"
    ).number


def test_every_field_of_a_predicate_comes_back(db: Connection) -> None:
    number, _ = insert_predicate(db, FULL, recorded=1)
    assert list_predicates(db) == [replace(FULL, number=number)]


def test_the_seeded_predicates_come_back_by_name(db: Connection) -> None:
    for predicate in load_seeded():
        insert_predicate(db, predicate, recorded=1)
    found = list_predicates(db)
    assert [predicate.name for predicate in found] == sorted(p.name for p in load_seeded())
    assert {replace(predicate, number=0) for predicate in found} == set(load_seeded())
    assert load_predicates(db) == {predicate.name: predicate for predicate in found}


def test_a_new_version_keeps_the_number_and_the_old_version(db: Connection) -> None:
    number, first = insert_predicate(db, FULL, recorded=1)
    close_version(db, number, recorded=2)
    assert list_predicates(db) == []
    again, second = insert_predicate(db, replace(FULL, tau_days=3.0), recorded=2)
    assert (again, second) == (number, first + 1)
    assert [predicate.tau_days for predicate in list_predicates(db)] == [3.0]
    periods = db.execute(
        "SELECT tau_days, recorded_from, recorded_to FROM predicate_versions ORDER BY version_id"
    ).fetchall()
    assert periods == [(12.5, 1, 2), (3.0, 2, 2**63 - 1)]


def test_two_versions_never_stand_at_once(db: Connection) -> None:
    insert_predicate(db, FULL, recorded=1)
    with pytest.raises(apsw.ConstraintError):
        insert_predicate(db, FULL, recorded=2)


def test_closing_leaves_other_predicates_and_closed_versions_alone(db: Connection) -> None:
    number, _ = insert_predicate(db, FULL, recorded=1)
    insert_predicate(db, Predicate("likes"), recorded=1)
    close_version(db, number, recorded=2)
    close_version(db, number, recorded=3)
    ends = db.execute("SELECT recorded_to FROM predicate_versions ORDER BY version_id").fetchall()
    assert ends == [(2,), (2**63 - 1,)]


@pytest.mark.parametrize("name", ["plays", "PLAYS", "Performs", "演奏", "ｐlays"])
def test_a_predicate_is_found_by_its_names_in_any_case(db: Connection, name: str) -> None:
    insert_predicate(db, FULL, recorded=1)
    found = find_predicate(db, name)
    assert found is not None
    assert found.name == "plays"


def test_an_exact_name_wins_over_an_alias_and_another_case(db: Connection) -> None:
    for predicate in (Predicate("a", aliases=("LIKES",)), Predicate("LIKES"), Predicate("likes")):
        insert_predicate(db, predicate, recorded=1)
    for name in ("likes", "LIKES", "a"):
        found = find_predicate(db, name)
        assert found is not None
        assert found.name == name


def test_a_predicate_that_does_not_stand_is_not_found(db: Connection) -> None:
    number, _ = insert_predicate(db, FULL, recorded=1)
    assert find_predicate(db, "sings") is None
    close_version(db, number, recorded=2)
    assert find_predicate(db, "plays") is None


def test_only_facts_with_evidence_are_counted(db: Connection) -> None:
    number, _ = insert_predicate(db, FULL, recorded=1)
    other, _ = insert_predicate(db, Predicate("likes"), recorded=1)
    db.execute("INSERT INTO scopes(scope_id, name) VALUES(1, 'user:ana')")
    db.execute(
        "INSERT INTO entities(entity_id, uid, scope_id, kind, name, name_key, recorded) "
        "VALUES(1, randomblob(16), 1, 'person', 'Ana', 'ana', 1)"
    )
    for n, (predicate_id, support) in enumerate([(number, 1), (number, 2), (number, 0)], 1):
        db.execute(INSERT_FACT, {"n": n, "predicate_id": predicate_id, "support": support})
    assert (count_facts_of(db, number), count_facts_of(db, other)) == (2, 0)
