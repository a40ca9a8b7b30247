"""Free SQL reads the four views of what may be seen, and does nothing else."""

import pytest

from memorycore import errors

FORBIDDEN = [
    "SELECT * FROM main.episodes",
    "SELECT count(*) FROM main.episodes",
    "SELECT 1 FROM main.scopes",
    "SELECT * FROM episode_texts",
    "SELECT text FROM main.episode_texts",
    "SELECT * FROM stores",
    "SELECT key_check FROM main.stores",
    "SELECT * FROM scopes",
    "SELECT * FROM main.operations",
    "SELECT * FROM main.sessions",
    "SELECT * FROM main.entities",
    "SELECT * FROM readable_episodes",
    "SELECT * FROM episode_documents",
    "SELECT * FROM episode_index",
    "SELECT * FROM episode_index WHERE episode_index MATCH 'secret'",
    "SELECT * FROM episode_index_data",
    "SELECT * FROM sqlite_schema",
    "SELECT * FROM sqlite_temp_schema",
    "SELECT sql FROM temp.sqlite_master",
    "SELECT * FROM pragma_table_info('episodes')",
    "SELECT * FROM pragma_database_list",
    "SELECT * FROM dbstat",
    "SELECT * FROM sqlite_dbpage",
    "SELECT * FROM sqlite_sequence",
    "WITH episodes AS (SELECT * FROM main.episode_texts) SELECT * FROM episodes",
    "WITH operations AS (SELECT text FROM episode_texts) SELECT * FROM operations",
    "WITH sessions(x) AS (SELECT name FROM main.scopes) SELECT x FROM sessions",
    "SELECT (SELECT group_concat(text) FROM episode_texts) FROM episodes",
    "SELECT * FROM episodes WHERE text IN (SELECT text FROM main.episode_texts)",
    "SELECT * FROM episodes JOIN main.scopes USING(scope_id)",
    "SELECT * FROM episodes UNION ALL SELECT 1,2,3,4,5,6,name,8,9,10,11,12,13,14,15 FROM scopes",
    "PRAGMA user_version",
    "PRAGMA foreign_keys = OFF",
    "PRAGMA writable_schema = ON",
    "ATTACH ':memory:' AS other",
    "DETACH main",
    "BEGIN",
    "COMMIT",
    "ROLLBACK",
    "SAVEPOINT x",
    "VACUUM",
    "VACUUM INTO 'copy.db'",
    "ANALYZE",
    "REINDEX",
    "INSERT INTO episodes DEFAULT VALUES",
    "INSERT INTO main.scopes(name) VALUES('x')",
    "UPDATE scopes SET name = 'x'",
    "DELETE FROM episode_texts",
    "DELETE FROM main.episodes",
    "DROP TABLE scopes",
    "DROP VIEW episodes",
    "CREATE TABLE t(x)",
    "CREATE TEMP TABLE t(x)",
    "CREATE TEMP VIEW v AS SELECT * FROM main.episodes",
    "ALTER TABLE scopes RENAME TO s",
    "CREATE TEMP TRIGGER t INSTEAD OF INSERT ON episodes BEGIN SELECT 1; END",
    "CREATE VIRTUAL TABLE temp.v USING fts5vocab('main', 'episode_index', 'row')",
    "SELECT 1; DELETE FROM episode_texts",
    "SELECT 1; SELECT * FROM stores",
    "WITH x AS (SELECT 1) DELETE FROM scopes",
    "INSERT INTO scopes(name) VALUES('x') RETURNING *",
]


@pytest.fixture(params=["in memory", "in a file"])
def filled(request, make_world, store_path):
    with make_world(":memory:" if request.param == "in memory" else store_path) as world:
        ana, bo = world.memory, world.memory.scoped("user:bo")
        ana.add("likes tea 喝茶", speaker="Ana", session="s1", meta={"n": 1})
        ana.add("withdrawn 收回", session="s2")
        ana.undo()
        bo.add("bo's secret 秘密", speaker="Bo", session="b1")
        yield world


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_a_statement_that_does_more_than_read_the_views_is_refused(filled, statement, dump):
    with filled.store.read() as db:
        before = dump(db)
    with pytest.raises((errors.RefusedError, errors.InvalidQueryError)) as caught:
        list(filled.memory.sql(statement))
    assert "秘密" not in str(caught.value)
    with filled.store.read() as db:
        assert dump(db) == before


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        (
            "SELECT text, scope, session, speaker FROM episodes",
            [("likes tea 喝茶", "user:ana", "s1", "Ana")],
        ),
        ("SELECT count(*) FROM episodes", [(1,)]),
        ("SELECT count(*) FROM temp.episodes", [(1,)]),
        ("SELECT meta ->> 'n' FROM episodes", [(1,)]),
        ("SELECT name FROM sessions ORDER BY name", [("s1",)]),
        ("SELECT name, kind FROM entities", [("Ana", "person")]),
        ("SELECT kind FROM operations WHERE undoes IS NOT NULL", [("undo",)]),
        ("WITH e AS (SELECT text FROM episodes) SELECT upper(text) FROM e", [("LIKES TEA 喝茶",)]),
        (
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION SELECT i + 1 FROM n LIMIT 3) SELECT i FROM n",
            [(1,), (2,), (3,)],
        ),
        (
            "SELECT e.text FROM episodes e JOIN sessions s ON s.name = e.session",
            [("likes tea 喝茶",)],
        ),
        ("SELECT 1 WHERE 0", []),
    ],
)
def test_the_views_hold_what_stands_in_the_scope_that_is_read(filled, query, answer):
    assert [tuple(row.values()) for row in filled.memory.sql(query)] == answer


def test_each_scope_sees_its_own_rows_and_both_when_both_are_read(filled):
    texts = "SELECT text FROM episodes ORDER BY id"
    both = filled.memory.scoped("user:ana", reads=["user:bo"])
    assert [row["text"] for row in both.sql(texts)] == ["likes tea 喝茶", "bo's secret 秘密"]
    assert [row["text"] for row in filled.memory.scoped("user:bo").sql(texts)] == [
        "bo's secret 秘密"
    ]
    assert list(filled.memory.scoped("nobody").sql(texts)) == []


COLUMNS = [
    "id",
    "scope",
    "session",
    "role",
    "speaker",
    "at",
    "text",
    "source",
    "external_id",
    "meta",
    "operation",
]


def test_each_column_can_be_read_alone_and_compared_with_each_other(memory):
    memory.add("likes tea 喝茶")
    for column in COLUMNS:
        for other in COLUMNS:
            query = f"SELECT {column} FROM episodes ORDER BY {other}"
            assert len(list(memory.sql(query))) == 1


def test_values_are_bound_and_never_read_as_sql(filled):
    query = "SELECT text FROM episodes WHERE text = :text"
    assert list(filled.memory.sql(query, {"text": "' OR 1=1 --"})) == []
    assert len(list(filled.memory.sql(query, {"text": "likes tea 喝茶"}))) == 1


@pytest.mark.parametrize("query", ["SELEC 1", "SELECT nothing FROM episodes", "SELECT (", "秘密"])
def test_what_is_no_sql_is_an_error_of_the_query(filled, query):
    with pytest.raises((errors.InvalidQueryError, errors.RefusedError)):
        list(filled.memory.sql(query))


def test_after_a_refusal_the_store_works_as_before(filled):
    with pytest.raises(errors.RefusedError):
        list(filled.memory.sql("SELECT * FROM stores"))
    assert len(list(filled.memory.sql("SELECT * FROM episodes"))) == 1
    assert filled.memory.add("goes on 继续").text == "goes on 继续"


def test_rows_that_are_not_read_to_the_end_hold_nothing_up(filled):
    rows = filled.memory.sql("SELECT 1 AS n UNION ALL SELECT 2")
    assert next(rows) == {"n": 1}
    rows.close()
    assert filled.memory.add("goes on 继续").text == "goes on 继续"


def test_a_missing_parameter_is_an_error_of_the_query(memory):
    with pytest.raises(errors.InvalidInputError):
        list(memory.sql("SELECT :text"))


def test_a_parameter_that_sqlite_cannot_hold_is_an_error_of_the_query(memory):
    with pytest.raises(errors.InvalidInputError):
        list(memory.sql("SELECT :text", {"text": object()}))


def test_half_a_character_is_an_error_of_the_query(memory):
    with pytest.raises(errors.InvalidInputError):
        list(memory.sql("SELECT '\ud800'"))


def test_a_second_statement_is_refused_even_when_it_only_reads(memory):
    with pytest.raises((errors.RefusedError, errors.InvalidQueryError)):
        list(memory.sql("SELECT 1 AS a; SELECT 1, 2"))
