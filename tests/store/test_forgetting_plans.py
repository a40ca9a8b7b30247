"""What a forgetting asks of single records is found by indexes, however large the store is."""

import re
from types import ModuleType
from typing import Any

import pytest

from memorycore.store import (
    erase,
    forgotten,
    hidden_names,
    known_names,
    orphans,
    reach,
    stray_names,
    struck,
    suppressions,
)
from memorycore.store.connection import number_list

TABLES = "aliases candidates decisions entities episodes episode_texts evidence facts links".split()
TABLES.append("suppressions")
ASKED = [
    (erase, "REPOINT_FIRST"),
    (forgotten, "SELECT_NAMES"),
    (known_names, "SELECT_NAMES"),
    (known_names, "SELECT_NAMES_EVER"),
    (known_names, "SELECT_SPEAKERS"),
    (orphans, "SELECT_INVOLVED"),
    (orphans, "SELECT_NAMESAKES"),
    (orphans, "SELECT_SUPPORTED"),
    (orphans, "SELECT_UNSUPPORTED"),
    (orphans, "SELECT_WITHDRAWN"),
    (reach, "SELECT_BESIDE"),
    (reach, "SELECT_EDITED"),
    (reach, "SELECT_ELSEWHERE"),
    (reach, "SELECT_EVIDENCE_OF"),
    (reach, "SELECT_RESTING"),
    (hidden_names, "SELECT_HIDDEN"),
    (hidden_names, "SELECT_NAMES"),
    (hidden_names, "SELECT_SEEN"),
    (hidden_names, "SELECT_SILENT"),
    (stray_names, "SELECT_ROOTS"),
    (stray_names, "SELECT_ALIASES"),
    (stray_names, "SELECT_BEARERS"),
    (stray_names, "SELECT_ENDED"),
    (stray_names, "SELECT_MERGED"),
    (stray_names, "SELECT_SHOWN_ALIASES"),
    (stray_names, "SELECT_STATEMENTS"),
    (stray_names, "SELECT_OTHER_TEXTS"),
    (stray_names, "SELECT_OWN"),
    (stray_names, "SELECT_SAME_ALIAS"),
    (struck, "SELECT_SPANS"),
    (suppressions, "IS_ACTIVE"),
    (suppressions, "SELECT_KNOWN"),
    (suppressions, "SELECT_OF_RECEIPT"),
    (suppressions, "SELECT_ROWS"),
]


def bindings_of(sql: str) -> Any:
    """Bind a number, or a list of one, to all that a statement asks for."""
    lists = set(re.findall(r"carray\(:(\w+)\)", sql))
    if names := set(re.findall(r":(\w+)", sql)):
        return {name: number_list([1]) if name in lists else 1 for name in names}
    return tuple(number_list([1]) if "carray" in sql else 1 for _ in range(sql.count("?")))


@pytest.mark.parametrize(("module", "name"), ASKED)
def test_no_table_is_read_as_a_whole(world: Any, module: ModuleType, name: str) -> None:
    sql = getattr(module, name)
    with world.store.read() as db:
        rows = db.execute("EXPLAIN QUERY PLAN " + sql, bindings_of(sql)).fetchall()
    scans = {row[3].split()[1] for row in rows if row[3].startswith("SCAN ")}
    assert not scans & set(TABLES), [row[3] for row in rows]
