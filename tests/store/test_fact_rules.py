"""Further rules that the schema of facts holds, whoever writes to it."""

import apsw
import pytest


def test_a_contested_period_hides_no_overlap_from_the_asserted(ground):
    ground.insert("fact_periods", valid_from=0, valid_to=100)
    ground.insert(
        "fact_periods", valid_from=50, valid_to=60, certainty="uncertain"
    )  # fmt: skip
    with pytest.raises(apsw.ConstraintError, match="do not overlap"):
        ground.insert("fact_periods", valid_from=10, valid_to=40)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("episode_id", 2),
        ("span_from", 1),
        ("span_to", 5),
        ("starts", 1),
        ("ends", 2),
        ("source_class", "tool"),
        ("reliability", 0.1),
        ("occasion", 9),
        ("asserted_at", 1),
        ("recorded_from", 2),
    ],
)
def test_a_piece_of_evidence_is_never_changed(ground, column, value):
    with pytest.raises(apsw.ConstraintError, match="never changed"):
        ground.db.execute(
            f"UPDATE evidence SET {column} = ? WHERE evidence_id = 1", (value,)
        ).fetchall()


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("predicate_id", 2),
        ("from_precision", "week"),
        ("from_basis", "inferred"),
        ("to_precision", "week"),
        ("to_basis", "inferred"),
        ("ended_by", "expiry"),
    ],
)
def test_no_mark_of_a_period_is_changed(ground, column, value):
    ground.insert("fact_periods")
    with pytest.raises(apsw.ConstraintError, match="closed, never changed"):
        ground.db.execute(
            f"UPDATE fact_periods SET {column} = ? WHERE timeline_id = 77", (value,)
        ).fetchall()


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("object_value", "another"),
        ("fact_type", "commitment"),
        ("claim_key", "another"),
        ("attributed_to", 1),
    ],
)
def test_what_a_fact_says_is_never_changed(ground, column, value):
    with pytest.raises(apsw.ConstraintError, match="never changed"):
        ground.db.execute(f"UPDATE facts SET {column} = ? WHERE fact_id = 2", (value,)).fetchall()


@pytest.mark.parametrize("column", ["timeline_id", "subject_id", "predicate_id"])
def test_a_period_repeats_what_its_fact_says(ground, column):
    ground.insert("fact_periods")
    with pytest.raises(apsw.ConstraintError, match="those of its fact"):
        ground.insert("fact_periods", valid_from=30, valid_to=40, **{column: 2})


def test_a_piece_of_evidence_repeats_the_timeline_of_its_fact(ground):
    with pytest.raises(apsw.ConstraintError, match="that of its fact"):
        ground.insert("evidence", timeline_id=2)


def test_a_candidate_rests_on_sentences_of_its_own_scope(ground):
    add = "INSERT INTO candidate_evidence(candidate_id, episode_id, span_from, span_to) VALUES"
    ground.db.execute(add + "(9, 1, 0, 5)").fetchall()
    with pytest.raises(apsw.ConstraintError, match="scope"):
        ground.db.execute(add + "(9, 3, 0, 5)").fetchall()


@pytest.mark.parametrize("entity", [False, True], ids=["fact", "entity"])
def test_a_link_stands_once(ground, entity):
    row: dict[str, object] = {}
    if entity:
        row = {"kind": "ABOUT_ENTITY", "to_fact_id": None, "to_entity_id": ground.number("Porto")}
    ground.insert("links", **row)
    with pytest.raises(apsw.ConstraintError, match="UNIQUE"):
        ground.insert("links", **row)


@pytest.mark.parametrize(
    "column", ["label_en", "aliases", "conflict_policy", "cardinality", "min_evidence"]
)
def test_a_version_of_a_predicate_is_never_changed(ground, column):
    other = {"aliases": "[]", "conflict_policy": "review", "cardinality": "multi"}
    with pytest.raises(apsw.ConstraintError, match="never changed"):
        ground.db.execute(
            f"UPDATE predicate_versions SET {column} = ? WHERE predicate_id = 1",
            (other.get(column, 7),),
        ).fetchall()


@pytest.mark.parametrize(
    ("table", "changed"),
    [
        ("facts", {"attributed_to": "Bea"}),
        ("facts", {"timeline_id": 3}),
        ("aliases", {"entity_id": "Bea"}),
        ("aliases", {"scope_id": 2}),
        ("decisions", {"fact_id": 3}),
        ("decisions", {"fact_id": None, "target_id": 3}),
        ("review_items", {"fact_id": 3}),
        ("review_items", {"target_id": 3}),
    ],
    ids=str,
)
def test_nothing_else_reaches_into_another_scope(ground, table, changed):
    row = {key: ground.number("Bea") if value == "Bea" else value for key, value in changed.items()}
    with pytest.raises(apsw.ConstraintError, match="scope"):
        ground.insert(table, **row)


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("facts", "fact_type", "opinion"),
        ("evidence", "from_precision", "hour"),
        ("evidence", "to_precision", "hour"),
        ("evidence", "from_basis", "guessed"),
        ("evidence", "to_basis", "guessed"),
        ("review_items", "proposed", "accept"),
        ("review_items", "reason", ""),
    ],
)
def test_a_word_that_is_not_in_its_list_is_refused(ground, table, column, value):
    with pytest.raises(apsw.ConstraintError, match="CHECK"):
        ground.insert(table, **{column: value})
