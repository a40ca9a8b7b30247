"""What the schema itself holds of facts, their periods and their evidence, whoever writes to it."""

import apsw
import pytest

OPEN = 9223372036854775807
RELATIONS = {
    "before": (0, 5, False),
    "meets": (0, 10, False),
    "overlaps": (5, 15, True),
    "starts": (10, 15, True),
    "during": (12, 15, True),
    "finishes": (15, 20, True),
    "equals": (10, 20, True),
    "is finished by": (5, 20, True),
    "contains": (5, 25, True),
    "is started by": (10, 25, True),
    "is overlapped by": (15, 25, True),
    "is met by": (20, 25, False),
    "after": (25, 30, False),
    "is open and overlaps": (15, OPEN, True),
    "is open and after": (20, OPEN, False),
}
"""Allen's relations of a period to [10, 20): from, to, and whether both hold at one instant."""
OTHER = {"fact_id": 78, "timeline_id": 78}
"""Another timeline."""


@pytest.mark.parametrize("table", ["facts", "fact_periods", "evidence"])
def test_a_good_row_is_taken(ground, table):
    ground.insert(table)


@pytest.mark.parametrize("relation", RELATIONS)
def test_asserted_periods_of_a_timeline_do_not_overlap(ground, relation):
    start, end, overlap = RELATIONS[relation]
    ground.insert("fact_periods")
    period = {"valid_from": start, "valid_to": end}
    if overlap:
        with pytest.raises(apsw.ConstraintError, match="do not overlap"):
            ground.insert("fact_periods", **period)
    else:
        ground.insert("fact_periods", **period)


@pytest.mark.parametrize("relation", RELATIONS)
def test_contested_periods_may_overlap(ground, relation):
    start, end, _ = RELATIONS[relation]
    for low, high in ((10, 20), (start, end)):
        ground.insert(
            "fact_periods", valid_from=low, valid_to=high, certainty="uncertain"
        )  # fmt: skip


@pytest.mark.parametrize("relation", RELATIONS)
def test_periods_of_two_timelines_know_nothing_of_each_other(ground, relation):
    start, end, _ = RELATIONS[relation]
    ground.insert("fact_periods")
    ground.insert("fact_periods", **OTHER, valid_from=start, valid_to=end)


def test_a_period_that_is_no_longer_believed_leaves_its_place(ground):
    ground.insert("fact_periods", recorded_to=2)
    ground.insert("fact_periods", valid_from=5, valid_to=15)


def test_among_many_periods_every_overlap_is_found(ground):
    taken = [(start, start + 5) for start in range(0, 100, 10)]
    for start, end in taken:
        ground.insert("fact_periods", valid_from=start, valid_to=end)
    for start in range(-3, 103, 3):
        for end in (start + 1, start + 4, start + 7, start + 300):
            free = all(end <= low or high <= start for low, high in taken)
            period = {"valid_from": start, "valid_to": end}
            ground.db.execute("SAVEPOINT one").fetchall()
            if free:
                ground.insert("fact_periods", **period)
            else:
                with pytest.raises(apsw.ConstraintError, match="do not overlap"):
                    ground.insert("fact_periods", **period)
            ground.db.execute("ROLLBACK TO one; RELEASE one").fetchall()


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("fact_id", 2),
        ("valid_from", 11),
        ("valid_to", 19),
        ("certainty", "uncertain"),
        ("recorded_from", 2),
    ],
)
def test_a_period_is_never_changed(ground, column, value):
    ground.insert("fact_periods")
    with pytest.raises(apsw.ConstraintError, match="closed, never changed"):
        ground.db.execute(
            f"UPDATE fact_periods SET {column} = ? WHERE timeline_id = 77", (value,)
        ).fetchall()


def test_a_period_is_closed_once_and_not_opened_again(ground):
    ground.insert("fact_periods")
    close = "UPDATE fact_periods SET recorded_to = ? WHERE timeline_id = 77"
    ground.db.execute(close, (3,)).fetchall()
    for again in (OPEN, 4):
        with pytest.raises(apsw.ConstraintError, match="closed, never changed"):
            ground.db.execute(close, (again,)).fetchall()


@pytest.mark.parametrize(
    ("table", "start", "end"),
    [
        ("fact_periods", "valid_from", "valid_to"),
        ("fact_periods", "recorded_from", "recorded_to"),
        ("evidence", "starts", "ends"),
        ("evidence", "span_from", "span_to"),
    ],
)
def test_a_period_ends_after_it_begins(ground, table, start, end):
    for last in (1, 0):
        with pytest.raises(apsw.ConstraintError, match="CHECK"):
            ground.insert(table, **{start: 1, end: last})
    ground.insert(table, **{start: 1, end: 2})


@pytest.mark.parametrize("table", ["evidence", "links", "aliases", "decisions", "review_items"])
def test_a_row_that_its_own_operation_ends_was_never_in_force(ground, table):
    with pytest.raises(apsw.ConstraintError, match="CHECK"):
        ground.insert(table, recorded_from=1, recorded_to=0)
    ground.insert(table, recorded_from=1, recorded_to=1)


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("fact_periods", "valid_from"),
        ("fact_periods", "valid_to"),
        ("fact_periods", "recorded_to"),
        ("evidence", "starts"),
        ("evidence", "ends"),
        ("evidence", "recorded_to"),
        ("links", "recorded_to"),
        ("aliases", "recorded_to"),
        ("candidates", "recorded_to"),
        ("decisions", "recorded_to"),
    ],
)
@pytest.mark.parametrize("value", [9.3e18, float("inf"), 0.5, "open", b"open", None], ids=repr)
def test_the_end_of_a_period_is_a_whole_number(ground, table, column, value):
    with pytest.raises(apsw.ConstraintError):
        ground.insert(table, **{column: value})


@pytest.mark.parametrize("table", ["fact_periods", "evidence", "links", "decisions", "candidates"])
def test_an_end_that_is_open_is_the_greatest_whole_number(ground, table):
    found = ground.db.execute(
        f"SELECT DISTINCT recorded_to, typeof(recorded_to) FROM {table} WHERE recorded_to > 999"
    ).fetchall()
    assert found in ([(OPEN, "integer")], [])
    columns = ground.db.execute(f"SELECT name, dflt_value FROM pragma_table_info('{table}')")
    assert dict(columns.fetchall())["recorded_to"] == str(OPEN)


def test_a_fact_without_evidence_cannot_be_committed(open_ground):
    open_ground.insert("facts", first_evidence_id=99)
    with pytest.raises(apsw.ConstraintError, match="FOREIGN KEY"):
        open_ground.db.execute("COMMIT").fetchall()


def test_a_fact_with_evidence_can_be_committed(open_ground):
    open_ground.insert("facts", first_evidence_id=99)
    open_ground.insert("evidence", fact_id=9, timeline_id=9, evidence_id=99, candidate_id=None)
    open_ground.db.execute("COMMIT").fetchall()


def test_the_evidence_of_a_fact_cannot_be_deleted_from_under_it(open_ground):
    open_ground.db.execute("DELETE FROM evidence WHERE evidence_id = 1").fetchall()
    with pytest.raises(apsw.ConstraintError, match="FOREIGN KEY"):
        open_ground.db.execute("COMMIT").fetchall()


def test_a_fact_joins_a_timeline_that_is_there(ground):
    ground.insert("facts", timeline_id=1)
    with pytest.raises(apsw.ConstraintError, match="FOREIGN KEY"):
        ground.insert("facts", fact_id=10, uid=b"g" * 16, object_key="=y", timeline_id=99)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("uid", b"x" * 16),
        ("scope_id", 2),
        ("predicate_id", 2),
        ("rank", 3),
        ("recorded", 2),
    ],
)
def test_the_content_of_a_fact_is_never_changed(ground, column, value):
    with pytest.raises(apsw.ConstraintError, match=r"never changed|one scope"):
        ground.db.execute(f"UPDATE facts SET {column} = ? WHERE fact_id = 2", (value,)).fetchall()


def test_a_fact_is_never_deleted(ground):
    with pytest.raises(apsw.ConstraintError):
        ground.db.execute("DELETE FROM facts WHERE fact_id = 1").fetchall()
