"""The statements that run often use their indexes."""

import pytest

from memorycore.store.connection import number_list
from memorycore.store.entities import SELECT_ENTITY
from memorycore.store.episodes import (
    NEXT_ID,
    SELECT_BY_NUMBER,
    SELECT_BY_UID,
    SELECT_KNOWN,
    SELECT_OF_OPERATION,
)
from memorycore.store.operations import LAST_AT, LAST_NUMBER, SELECT_BY_KEY, SELECT_LATEST
from memorycore.store.operations import SELECT_BY_UID as SELECT_OPERATION
from memorycore.store.scopes import SELECT_SCOPE, SELECT_SESSION, SELECT_SOURCE
from memorycore.store.search import RANK_PLAIN, RANK_PLAIN_NARROWED
from memorycore.store.search_index import SELECT_DOCUMENTS, SELECT_NEIGHBOURS, SELECT_TAIL

IDS = {"ids": 0, "window": 2}
MATCH = {"match": '"x"', "limit": 1, "offset": 0}


def plan(world, sql, bindings):
    with world.store.read() as db:
        return [row[3] for row in db.execute("EXPLAIN QUERY PLAN " + sql, bindings)]


@pytest.mark.parametrize(
    ("sql", "bindings", "steps"),
    [
        (SELECT_KNOWN, (0,), ["episodes USING INDEX sqlite_autoindex_episodes_2 (fingerprint=?)"]),
        (SELECT_BY_UID, (b"", b""), ["e USING INDEX sqlite_autoindex_episodes_1 (uid>?"]),
        (SELECT_BY_NUMBER, (0,), ["e USING INTEGER PRIMARY KEY", "t USING INTEGER PRIMARY KEY"]),
        (NEXT_ID, (), ["SEARCH episodes"]),
        (
            SELECT_TAIL, {"session_id": 1, "before": 1, "limit": 4},
            ["e USING INDEX episodes_by_session (session_id=? AND rowid<?)"],
        ),
        (
            SELECT_NEIGHBOURS, IDS,
            [
                "b USING INDEX episodes_by_session (session_id=? AND rowid<?)",
                "a USING INDEX episodes_by_session (session_id=? AND rowid>?)",
            ],
        ),
        (
            SELECT_DOCUMENTS, (0,),
            [
                "e USING INTEGER PRIMARY KEY",
                "p USING INDEX episodes_by_session (session_id=? AND rowid<?)",
                "n USING INDEX episodes_by_session (session_id=? AND rowid>?)",
            ],
        ),
        (
            SELECT_SESSION, {"scope_id": 1, "name": ""},
            ["sessions USING COVERING INDEX sqlite_autoindex_sessions_1"],
        ),
        (SELECT_SCOPE, {"name": ""}, ["scopes USING COVERING INDEX sqlite_autoindex_scopes_1"]),
        (SELECT_SOURCE, {"name": ""}, ["sources USING COVERING INDEX sqlite_autoindex_sources_1"]),
        (
            SELECT_ENTITY, {"scope_id": 1, "kind": "", "name_key": ""},
            ["entities USING COVERING INDEX sqlite_autoindex_entities_2"],
        ),
        (LAST_AT, (), ["operations USING COVERING INDEX sqlite_autoindex_operations_2"]),
        (LAST_NUMBER, (), ["SEARCH operations"]),
        (SELECT_LATEST, {"before": 9, "limit": 1}, ["operations USING INTEGER PRIMARY KEY"]),
        (
            SELECT_OPERATION, {"lowest": b"", "highest": b""},
            ["operations USING INDEX sqlite_autoindex_operations_1"],
        ),
        (
            SELECT_BY_KEY, {"key": b""},
            ["operations USING INDEX sqlite_autoindex_operations_3 (idempotency_key=?)"],
        ),
        (RANK_PLAIN.replace("{context}", "0.25"), MATCH, ["f VIRTUAL TABLE INDEX"]),
        (
            RANK_PLAIN_NARROWED.replace("{context}", "0.25").replace("{narrowing}", "1"), MATCH,
            ["f VIRTUAL TABLE INDEX", "e USING INTEGER PRIMARY KEY"],
        ),
    ],
)
def test_a_frequent_statement_uses_its_index(world, sql, bindings, steps):
    if bindings in ((0,), IDS):
        numbers = number_list([1])
        bindings = (numbers,) if isinstance(bindings, tuple) else IDS | {"ids": numbers}
    found = plan(world, sql, bindings)
    for step in steps:
        assert any(step in line for line in found), found


@pytest.mark.xfail(strict=True, reason="episodes has no index by the operation that recorded it")
def test_listing_what_an_operation_recorded_reads_no_whole_table(world):
    assert not any("SCAN" in line for line in plan(world, SELECT_OF_OPERATION, {"number": 1}))
