"""The statements that run often use their indexes."""

import pytest
from apsw import carray

from memorycore.store import (
    entities,
    episode_rows,
    episodes,
    operations,
    scopes,
    search,
    search_index,
)
from memorycore.store.connection import number_list

BETWEEN = ("lowest", "highest", "scopes")
IDS = {"ids": 0, "window": 2}
MATCH = {"match": '"x"', "limit": 1, "offset": 0}


def plan(world, sql, bindings):
    with world.store.read() as db:
        return [row[3] for row in db.execute("EXPLAIN QUERY PLAN " + sql, bindings)]


@pytest.mark.parametrize(
    ("module", "name", "bindings", "steps"),
    [
        (
            episode_rows,
            "SELECT_KNOWN",
            (0,),
            ["episodes USING INDEX sqlite_autoindex_episodes_2 (fingerprint=?)"],
        ),
        (
            episodes,
            "SELECT_BY_UID",
            BETWEEN,
            ["e USING INDEX sqlite_autoindex_episodes_1 (uid>? AND uid<?)"],
        ),
        (
            episodes,
            "SELECT_BY_NUMBER",
            (0,),
            ["e USING INTEGER PRIMARY KEY", "episode_texts USING INTEGER PRIMARY KEY"],
        ),
        (episodes, "NEXT_ID", (), ["SEARCH episodes"]),
        (
            search_index,
            "SELECT_TAIL",
            {"session_id": 1, "before": 1, "limit": 4},
            ["e USING INDEX episodes_by_session (session_id=? AND rowid<?)"],
        ),
        (
            search_index,
            "SELECT_NEIGHBOURS",
            IDS,
            [
                "b USING INDEX episodes_by_session (session_id=? AND rowid<?)",
                "a USING INDEX episodes_by_session (session_id=? AND rowid>?)",
            ],
        ),
        (
            search_index,
            "SELECT_DOCUMENTS",
            (0,),
            [
                "e USING INTEGER PRIMARY KEY",
                "p USING INDEX episodes_by_session (session_id=? AND rowid<?)",
                "n USING INDEX episodes_by_session (session_id=? AND rowid>?)",
            ],
        ),
        (
            scopes,
            "SELECT_SESSION",
            {"scope_id": 1, "name": ""},
            ["sessions USING COVERING INDEX sqlite_autoindex_sessions_1"],
        ),
        (
            scopes,
            "SELECT_SCOPE",
            {"name": ""},
            ["scopes USING COVERING INDEX sqlite_autoindex_scopes_1"],
        ),
        (
            scopes,
            "SELECT_SOURCE",
            {"name": ""},
            ["sources USING COVERING INDEX sqlite_autoindex_sources_1"],
        ),
        (
            entities,
            "SELECT_ENTITY",
            {"scope_id": 1, "kind": "", "name_key": ""},
            ["entities USING INDEX sqlite_autoindex_entities_2"],
        ),
        (
            operations,
            "SELECT_BY_UID",
            {"lowest": b"", "highest": b"", "scopes": None},
            ["o USING INDEX sqlite_autoindex_operations_1"],
        ),
        (search, "RANK_PLAIN", MATCH, ["f VIRTUAL TABLE INDEX"]),
        (
            search,
            "RANK_PLAIN_NARROWED",
            MATCH,
            ["f VIRTUAL TABLE INDEX", "e USING INTEGER PRIMARY KEY"],
        ),
    ],
)
def test_a_frequent_statement_uses_its_index(world, module, name, bindings, steps):
    if bindings in ((0,), IDS):
        numbers = number_list([1])
        bindings = (numbers,) if isinstance(bindings, tuple) else IDS | {"ids": numbers}
    if bindings is BETWEEN:
        bindings = (b"", b"", carray(("user:ana",)))
    sql = getattr(module, name).replace("{context}", "0.25").replace("{narrowing}", "1")
    found = plan(world, sql, bindings)
    for step in steps:
        assert any(step in line for line in found), found


def test_listing_what_an_operation_recorded_reads_no_whole_table(world):
    found = plan(world, episodes.SELECT_OF_OPERATION, {"number": 1, "uid": b""})
    assert not any("SCAN" in line for line in found)


@pytest.mark.parametrize(
    ("sql", "bindings"),
    [
        (operations.SELECT_LAST, ()),
        (operations.SELECT_LATEST, {"scopes": None, "limit": 1}),
        (operations.SELECT_UNDO_OF, {"number": 1}),
    ],
)
def test_the_newest_operation_is_read_from_the_end_and_not_sorted_for(world, sql, bindings):
    assert not any("TEMP B-TREE" in line for line in plan(world, sql, bindings))
