"""What the schema itself holds, whoever writes to it."""

import apsw
import pytest

EPISODE = """
INSERT INTO episodes(uid, scope_id, role, occurred_from, occurred_to, precision, recorded,
  fingerprint, visibility, sensitivity)
VALUES(:uid, :scope_id, :role, :occurred_from, :occurred_to, :precision, :recorded, :fingerprint,
  :visibility, :sensitivity)
"""
GOOD = {
    "uid": b"u" * 16,
    "scope_id": 1,
    "role": "user",
    "occurred_from": 1,
    "occurred_to": 2,
    "precision": "instant",
    "recorded": 1,
    "fingerprint": b"f",
    "visibility": "visible",
    "sensitivity": "normal",
}
TABLES = (
    "aliases backups candidate_evidence candidates changes decided_links decisions entities "
    "episode_texts episodes erasures evidence fact_periods facts forget_plans harvests "
    "hidden_names import_items import_jobs links "
    "operation_kinds operation_rows operations predicate_versions predicates quarantined "
    "receipt_entries receipts review_applied review_items review_observations review_pauses "
    "review_queue review_records review_removals review_uses schema_migrations scopes sessions "
    "sources stores "
    "struck_spans suppression_keys suppressions upkeep"
).split()


@pytest.fixture
def bare(world):
    """A store with one episode, and its connection inside a write transaction."""
    world.memory.add(
        "I moved to 杭州",
        speaker="Ana",
        session="s1",
        at="2025-03-01",
        source="app",
        external_id="m1",
        meta={"k": 1},
    )
    world.memory.add("second", speaker="Bo", session="s2", source="web")
    with world.store.write(dry_run=True) as db:
        yield db.raw


def test_every_table_of_ours_is_strict(bare):
    found = bare.execute(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict "
        "ORDER BY name"
    )
    assert [name for (name,) in found] == TABLES


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("episode_id", 99),
        ("uid", b"x" * 16),
        ("scope_id", 99),
        ("session_id", 2),
        ("session_id", None),
        ("role", "assistant"),
        ("speaker_id", 2),
        ("occurred_from", 5),
        ("occurred_to", 1 << 60),
        ("precision", "week"),
        ("zone", "Asia/Tokyo"),
        ("zone", None),
        ("source_id", 2),
        ("external_id", "m2"),
        ("recorded", 1),
    ],
)
def test_no_column_of_an_episode_can_be_changed(bare, column, value):
    with pytest.raises(apsw.ConstraintError, match="an episode is never changed"):
        bare.execute(f"UPDATE episodes SET {column} = ? WHERE episode_id = 1", (value,))


@pytest.mark.parametrize(
    "column", ["speaker_id", "source_id", "external_id", "fingerprint", "withdrawn_fingerprint"]
)
def test_what_could_tell_of_a_person_can_be_taken_away(bare, column):
    bare.execute(f"UPDATE episodes SET {column} = NULL WHERE episode_id = 1")
    assert bare.execute(f"SELECT {column} FROM episodes WHERE episode_id = 1").get is None


@pytest.mark.parametrize(
    ("column", "value"), [("withdrawn", 1), ("visibility", "hidden"), ("sensitivity", "restricted")]
)
def test_the_status_of_an_episode_can_move(bare, column, value):
    bare.execute(f"UPDATE episodes SET {column} = ? WHERE episode_id = 1", (value,))
    assert bare.execute(f"SELECT {column} FROM episodes WHERE episode_id = 1").get == value


def test_every_column_of_an_episode_is_covered_by_the_tests_above(bare):
    columns = {name for (name,) in bare.execute("SELECT name FROM pragma_table_info('episodes')")}
    assert columns == {
        "episode_id",
        "uid",
        "scope_id",
        "session_id",
        "role",
        "speaker_id",
        "occurred_from",
        "occurred_to",
        "precision",
        "zone",
        "source_id",
        "external_id",
        "recorded",
        "withdrawn",
        "visibility",
        "sensitivity",
        "fingerprint",
        "withdrawn_fingerprint",
    }


def test_an_episode_cannot_be_deleted(bare):
    bare.execute("DELETE FROM episode_texts")
    with pytest.raises(apsw.ConstraintError, match="an episode is never deleted"):
        bare.execute("DELETE FROM episodes WHERE episode_id = 1")


@pytest.mark.parametrize("column", ["text", "meta"])
def test_the_text_of_an_episode_cannot_be_edited(bare, column):
    with pytest.raises(apsw.ConstraintError, match="never edited"):
        bare.execute(f"UPDATE episode_texts SET {column} = 'other'")


def test_the_text_of_an_episode_cannot_be_edited_by_an_upsert(bare):
    with pytest.raises(apsw.ConstraintError, match="never edited"):
        bare.execute(
            "INSERT INTO episode_texts(episode_id, text) VALUES(1, 'other') "
            "ON CONFLICT DO UPDATE SET text = excluded.text"
        )


def test_the_text_of_an_episode_cannot_be_replaced(bare):
    with pytest.raises(apsw.ConstraintError):
        bare.execute("REPLACE INTO episode_texts(episode_id, text) VALUES(1, 'other')")


def test_an_episode_cannot_be_replaced(bare):
    with pytest.raises(apsw.ConstraintError):
        bare.execute(
            "REPLACE INTO episodes(episode_id, uid, scope_id, role, precision, recorded) "
            "VALUES(1, randomblob(16), 1, 'tool', 'unknown', 1)"
        )


@pytest.mark.parametrize(
    "change",
    [
        {"uid": b"short"},
        {"uid": None},
        {"role": "robot"},
        {"precision": "hour"},
        {"precision": "unknown"},
        {"occurred_from": None, "occurred_to": None},
        {"occurred_to": None},
        {"occurred_from": 2},
        {"visibility": "gone"},
        {"sensitivity": "secret"},
        {"scope_id": "one"},
        {"occurred_from": 0.5},
        {"recorded": None},
    ],
    ids=str,
)
def test_an_episode_that_breaks_a_rule_is_refused(bare, change):
    bare.execute(EPISODE, GOOD)
    with pytest.raises(apsw.ConstraintError):
        bare.execute(EPISODE, GOOD | {"uid": b"v" * 16, "fingerprint": b"g"} | change)


@pytest.mark.parametrize("same", ["uid", "fingerprint"])
def test_ids_and_fingerprints_are_unique(bare, same):
    bare.execute(EPISODE, GOOD)
    other = GOOD | {"uid": b"v" * 16, "fingerprint": b"g"}
    with pytest.raises(apsw.ConstraintError, match="UNIQUE"):
        bare.execute(EPISODE, other | {same: GOOD[same]})


def test_episodes_without_a_fingerprint_may_be_many(bare):
    for letter in (b"v", b"w"):
        bare.execute(EPISODE, GOOD | {"uid": letter * 16, "fingerprint": None})
    assert bare.execute("SELECT count(*) FROM episodes WHERE fingerprint IS NULL").get == 2


@pytest.mark.parametrize("link", [{"scope_id": 99}, {"recorded": 99}], ids=str)
def test_a_link_to_nothing_is_refused(bare, link):
    with pytest.raises(apsw.ConstraintError, match="FOREIGN KEY"):
        bare.execute(EPISODE, GOOD | link)


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO operations(uid, at, actor, kind) VALUES(zeroblob(16), 1, 'a', 'rewrite')",
        "INSERT INTO operations(uid, at, actor, kind) SELECT zeroblob(16), at, 'a', 'undo' "
        "FROM operations WHERE operation_id = 1",
        "INSERT INTO scopes(name) VALUES('user:ana')",
        "INSERT INTO sessions(scope_id, name) VALUES(1, 's1')",
        "INSERT INTO sources(name) VALUES('app')",
        "INSERT INTO stores SELECT 2, uid, time_zone, language, key_check, folding_version "
        "FROM stores",
        "UPDATE scopes SET indexed_episodes = -1",
        "INSERT INTO entities(uid, scope_id, kind, name, name_key, recorded) "
        "SELECT zeroblob(16), scope_id, kind, 'ANA', name_key, 1 FROM entities",
    ],
)
def test_rows_that_would_be_double_or_senseless_are_refused(bare, statement):
    with pytest.raises(apsw.ConstraintError):
        bare.execute(statement)


def test_the_readable_views_write_ids_and_times_out(bare):
    row = bare.execute(
        "SELECT scope, session, speaker, occurred_from, source, text FROM readable_episodes"
    ).fetchone()
    assert row == ("user:ana", "s1", "Ana", "2025-03-01T00:00:00.000Z", "app", "I moved to 杭州")
    kinds = bare.execute("SELECT kind FROM readable_operations ORDER BY operation_id").fetchall()
    assert kinds == [("init",), ("ingest",), ("ingest",)]
