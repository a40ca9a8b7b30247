"""What the schema holds of links, scopes, enumerations, candidates and decisions."""

import apsw
import pytest

from memorycore.model import decision
from memorycore.store.journal import TABLES

NOWHERE = 99


@pytest.mark.parametrize("table", ["links", "candidates", "decisions", "review_items", "aliases"])
def test_a_good_row_is_taken(ground, table):
    changed = {"candidate_id": 10, "uid": b"d" * 16, "fingerprint": b"g" * 16}
    ground.insert(table, **(changed if table == "candidates" else {}))


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("facts", "scope_id"),
        ("facts", "subject_id"),
        ("facts", "predicate_id"),
        ("facts", "attributed_to"),
        ("facts", "recorded"),
        ("fact_periods", "fact_id"),
        ("fact_periods", "recorded_from"),
        ("evidence", "fact_id"),
        ("evidence", "episode_id"),
        ("evidence", "candidate_id"),
        ("evidence", "recorded_from"),
        ("links", "from_fact_id"),
        ("links", "to_fact_id"),
        ("links", "recorded_from"),
        ("decisions", "candidate_id"),
        ("decisions", "fact_id"),
        ("decisions", "target_id"),
        ("decisions", "recorded_from"),
        ("review_items", "candidate_id"),
        ("review_items", "fact_id"),
        ("review_items", "target_id"),
        ("aliases", "entity_id"),
        ("aliases", "scope_id"),
        ("aliases", "recorded_from"),
        ("candidates", "scope_id"),
        ("candidates", "recorded_from"),
    ],
)
def test_a_link_to_nothing_is_refused(ground, table, column):
    changed: dict[str, object] = {column: NOWHERE, "recorded_to": 1000}
    if table == "facts":
        changed.pop("recorded_to")
    if table == "candidates":
        changed |= {"candidate_id": 10, "uid": b"d" * 16}
    with pytest.raises(apsw.ConstraintError, match=r"FOREIGN KEY|one scope|of its fact"):
        ground.insert(table, **changed)


@pytest.mark.parametrize(
    ("table", "changed"),
    [
        ("facts", {"subject_id": "Bea"}),
        ("facts", {"object_id": "Leiden", "object_value": None}),
        ("evidence", {"fact_id": 3, "timeline_id": 3}),
        ("evidence", {"episode_id": 3}),
        ("links", {"to_fact_id": 3}),
        ("links", {"from_fact_id": 3, "to_fact_id": 2}),
        ("links", {"kind": "ABOUT_ENTITY", "to_fact_id": None, "to_entity_id": "Leiden"}),
    ],
    ids=str,
)
def test_nothing_reaches_into_another_scope(ground, table, changed):
    names = {"Bea", "Leiden"}
    row = {key: ground.number(value) if value in names else value for key, value in changed.items()}
    with pytest.raises(apsw.ConstraintError, match="scope"):
        ground.insert(table, **row)


def test_entities_of_two_scopes_are_not_merged(ground):
    merge = "UPDATE entities SET merged_into = ? WHERE name = 'Ana'"
    with pytest.raises(apsw.ConstraintError, match="of its own scope"):
        ground.db.execute(merge, (ground.number("Bea"),)).fetchall()
    ground.db.execute(merge, (ground.number("Porto"),)).fetchall()


def test_an_entity_is_not_merged_into_itself_or_into_nothing(ground):
    merge = "UPDATE entities SET merged_into = ? WHERE name = 'Ana'"
    for target in (ground.number("Ana"), NOWHERE):
        with pytest.raises(apsw.ConstraintError):
            ground.db.execute(merge, (target,)).fetchall()


def test_a_fact_does_not_move_to_an_entity_of_another_scope(ground):
    for column, name in (("subject_id", "Bea"), ("object_id", "Leiden")):
        with pytest.raises(apsw.ConstraintError, match="of one scope"):
            ground.db.execute(
                f"UPDATE facts SET {column} = ? WHERE fact_id = 1", (ground.number(name),)
            ).fetchall()


WRONG = [
    *[("facts", "confidence", value) for value in (-0.01, 1.01, "high", None)],
    *[("facts", "importance", value) for value in (-0.01, 1.01, None)],
    *[("facts", "valence", value) for value in (-1.01, 1.01)],
    *[("facts", "arousal", value) for value in (-0.01, 1.01)],
    *[("facts", "rank", value) for value in (0, -1, 1.5)],
    *[("facts", "support", value) for value in (-1, None)],
    *[("facts", "is_pinned", value) for value in (2, None)],
    ("facts", "validity", "true"),
    ("facts", "visibility", "gone"),
    ("facts", "lifecycle", "old"),
    ("facts", "sensitivity", "secret"),
    ("facts", "event_status", "done"),
    ("facts", "uid", b"short"),
    ("facts", "object_value", None),
    ("facts", "object_id", 1),
    ("fact_periods", "from_precision", "hour"),
    ("fact_periods", "to_precision", "hour"),
    ("fact_periods", "from_basis", "guessed"),
    ("fact_periods", "to_basis", "guessed"),
    ("fact_periods", "ended_by", "chance"),
    ("fact_periods", "certainty", "sure"),
    ("evidence", "ended_by", "successor"),
    ("evidence", "source_class", "rumour"),
    *[("evidence", "reliability", value) for value in (-0.01, 1.01)],
    ("evidence", "span_from", -1),
    *[("links", "kind", value) for value in ("EVIDENCED_BY", "related_to", "")],
    ("links", "to_fact_id", 1),
    ("links", "to_fact_id", None),
    ("links", "to_entity_id", 1),
    ("links", "kind", "ABOUT_ENTITY"),
    ("candidates", "state", "open"),
    ("candidates", "proposer", "nobody"),
    ("candidates", "statement", "no json"),
    ("candidates", "uid", b"short"),
    ("decisions", "kind", "accept"),
    ("decisions", "reason", ""),
    ("review_items", "state", "closed"),
]


@pytest.mark.parametrize(("table", "column", "value"), WRONG)
def test_a_value_outside_its_range_is_refused(ground, table, column, value):
    changed: dict[str, object] = {}
    if table == "candidates":
        changed = {"candidate_id": 10, "uid": b"d" * 16, "fingerprint": None}
    with pytest.raises(apsw.ConstraintError):
        ground.insert(table, **changed | {column: value})


@pytest.mark.parametrize("kind", decision.KINDS)
def test_every_kind_of_decision_can_be_kept(ground, kind):
    ground.insert("decisions", kind=kind)


def test_a_candidate_has_one_decision_that_stands(ground):
    ground.insert("decisions", recorded_to=2)
    ground.insert("decisions", recorded_from=2)
    with pytest.raises(apsw.ConstraintError, match="UNIQUE"):
        ground.insert("decisions", kind="reject")


def test_a_candidate_waits_for_a_person_once(ground):
    ground.insert("review_items", state="admitted")
    ground.insert("review_items")
    with pytest.raises(apsw.ConstraintError, match="UNIQUE"):
        ground.insert("review_items", reason="policy")


def test_a_candidate_is_kept_once_while_it_stands(ground):
    again = {"candidate_id": 10, "uid": b"d" * 16}
    with pytest.raises(apsw.ConstraintError, match="UNIQUE"):
        ground.insert("candidates", **again)
    ground.db.execute("UPDATE candidates SET recorded_to = 2 WHERE candidate_id = 9").fetchall()
    ground.insert("candidates", **again)


def test_candidates_without_a_fingerprint_may_be_many(ground):
    for number in (10, 11):
        uid = bytes([number]) * 16
        ground.insert("candidates", candidate_id=number, uid=uid, fingerprint=None)


def test_a_predicate_has_one_version_that_stands(ground):
    columns = ground.db.execute("SELECT name FROM pragma_table_info('predicate_versions')")
    names = ", ".join(name for (name,) in columns if name != "version_id")
    again = (
        f"INSERT INTO predicate_versions({names}) SELECT {names} FROM predicate_versions "
        "WHERE version_id = 1"
    )
    with pytest.raises(apsw.ConstraintError, match="UNIQUE"):
        ground.db.execute(again).fetchall()
    ground.db.execute(
        "UPDATE predicate_versions SET recorded_to = 2 WHERE version_id = 1"
    ).fetchall()
    ground.db.execute(again.replace("recorded_to FROM", f"{(1 << 63) - 1} FROM")).fetchall()


def test_two_facts_do_not_say_the_same(ground):
    ground.insert("facts")
    with pytest.raises(apsw.ConstraintError, match="UNIQUE"):
        ground.insert("facts", fact_id=10, timeline_id=10, uid=b"g" * 16)
    ground.insert("facts", fact_id=10, timeline_id=10, uid=b"g" * 16, rank=1)


def test_one_sentence_supports_a_fact_over_a_period_once(ground):
    ground.insert("evidence")
    with pytest.raises(apsw.ConstraintError, match="UNIQUE"):
        ground.insert("evidence", span_to=30)


def test_an_entity_has_an_alias_once(ground):
    ground.insert("aliases")
    with pytest.raises(apsw.ConstraintError, match="UNIQUE"):
        ground.insert("aliases", name="ANNE")


def test_operations_are_of_a_known_kind(ground):
    add = (
        "INSERT INTO operations(uid, at, actor, kind, hash) "
        "VALUES(randomblob(16), ?, 'a', ?, zeroblob(32))"
    )
    at = int(ground.db.execute("SELECT max(at) FROM operations").get)
    kinds = ground.db.execute("SELECT kind FROM operation_kinds").fetchall()
    assert len(kinds) == 20
    for number, (kind,) in enumerate(kinds, 1):
        ground.db.execute(add, (at + number, kind)).fetchall()
    with pytest.raises(apsw.ConstraintError, match="FOREIGN KEY"):
        ground.db.execute(add, (at + 99, "rewrite")).fetchall()


def test_only_the_making_of_a_store_and_what_erases_cannot_be_taken_back(ground):
    found = ground.db.execute("SELECT kind FROM operation_kinds WHERE NOT is_undoable").fetchall()
    assert {kind for (kind,) in found} == {
        "init", "forget", "redact", "purge", "key", "repair", "restore",
    }  # fmt: skip


def test_the_journal_knows_every_record_that_is_added_and_closed(ground):
    for record in TABLES:
        ground.db.execute("INSERT INTO operation_rows VALUES(1, ?, 1, 1)", (record,)).fetchall()
    with pytest.raises(apsw.ConstraintError, match="CHECK"):
        ground.db.execute("INSERT INTO operation_rows VALUES(1, '', 1, 1)").fetchall()
    with pytest.raises(apsw.ConstraintError, match="CHECK"):
        ground.db.execute("INSERT INTO operation_rows VALUES(1, 'link', 2, 1)").fetchall()
