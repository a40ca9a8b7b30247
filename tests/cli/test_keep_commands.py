"""The commands that keep a store: what they print, refuse, and end with."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]
OLD = Path(__file__).parents[2] / "testdata" / "stores" / "schema-2.db"
STORE = "data/memorycore/memory.db"


def break_index(home: Path) -> None:
    from memorycore.store.connection import open_connection, transaction

    db = open_connection(str(home / STORE), read_only=False, busy_timeout=5)
    with transaction(db):
        db.execute("INSERT INTO episode_index(episode_index) VALUES('delete-all')")
    db.close()


def test_backup_prints_file_size_time_and_counts(talks: Run, home: Path) -> None:
    done = talks("backup", "kept", "--keep", "3")
    assert done.code == 0
    [made] = (home / "kept").iterdir()
    assert done.out.startswith(f"{made}   ")
    assert "checked: 0 facts, 6 episodes, integrity ok" in done.out
    assert f"also needs {home / STORE}.key" in done.err
    assert "Next: memoryctl restore" in done.err


def test_backup_as_json_is_one_document(talks: Run, home: Path) -> None:
    shape = json.loads(talks("backup", "kept.db", "-o", "json").out)
    assert (shape["schema"], shape["path"]) == ("memorycore.backup.v1", str(home / "kept.db"))
    assert (shape["episodes"], shape["integrity"], shape["dry_run"]) == (6, "ok", False)


def test_a_dry_run_of_backup_says_so(talks: Run, home: Path) -> None:
    told = talks("backup", "kept.db", "-n")
    assert (told.code, "would be written" in told.out) == (0, True)
    assert "Nothing was changed." in told.err
    assert not (home / "kept.db").exists()


def test_backup_refuses_a_name_that_is_taken(talks: Run) -> None:
    assert talks("backup", "kept.db").code == 0
    again = talks("backup", "kept.db")
    assert (again.code, again.err.startswith("Error: ")) == (6, True)
    assert "give another name" in again.err


def test_backup_names_the_command_that_finishes_a_forgetting(talks: Run, home: Path) -> None:
    from memorycore import Memory

    with Memory.open(home / STORE, scope="user:ana") as memory:
        memory.forget(memory.episodes()[0].id, level="redact", finish=False)
    refused = talks("backup", "kept.db")
    assert (refused.code, "Try: memoryctl forget finish" in refused.err) == (6, True)


def test_compact_tells_both_sizes(talks: Run) -> None:
    told = talks("compact", "--dry-run")
    assert "of free disk" in told.out
    assert talks("compact").out.endswith(" after\n")
    assert json.loads(talks("compact", "-o", "json").out)["pending"] is False


def test_reindex_finds_what_is_missing_and_mends_it(talks: Run, home: Path) -> None:
    assert talks("reindex").code == 0
    break_index(home)
    found = talks("reindex", "--words")
    assert (found.code, "FAIL  episodes  6 rows: 6 missing" in found.out) == (9, True)
    assert "memoryctl reindex --fix" in found.err
    assert talks("reindex", "--fix").code == 0
    assert talks("reindex").out.count("ok ") == 2
    assert "柏林" in talks("search", "柏林", "--scope", "user:lin").out


def test_migrate_asks_for_a_yes_and_tells_what_it_did(quick: Run, home: Path) -> None:
    shutil.copyfile(OLD, home / "old.db")
    shutil.copyfile(f"{OLD}.key", home / "old.db.key")
    refused = quick("stats", "--db", "old.db")
    assert (refused.code, "memoryctl migrate" in refused.err) == (10, True)
    planned = quick("migrate", "--plan", "--db", "old.db")
    assert "3  Facts: what is believed" in planned.out
    assert "Nothing was changed" in planned.err
    asked = quick("migrate", "--db", "old.db")
    assert (asked.code, "--yes" in asked.err) == (6, True)
    done = quick("migrate", "--yes", "--db", "old.db")
    assert (done.code, "copy of before" in done.out) == (0, True)
    assert quick("stats", "--db", "old.db").code == 0
    assert "which is the newest" in quick("migrate", "--db", "old.db").out


def test_counts_for_prometheus_have_help_type_and_escaped_labels(talks: Run) -> None:
    talks("remember", "Zitat", "--scope", 'project:"quoted"\\back')
    lines = talks("stats", "--prometheus").out.splitlines()
    assert "# TYPE memorycore_episodes gauge" in lines
    assert 'memorycore_episodes{scope="user:lin"} 2' in lines
    assert 'memorycore_episodes{scope="project:\\"quoted\\"\\\\back"} 1' in lines
    names = {line.split()[2] for line in lines if line.startswith("# HELP")}
    assert {line.split("{")[0].split()[0] for line in lines if line[0] != "#"} == names
    assert all(name.startswith("memorycore_") for name in names)


def test_counts_for_prometheus_leave_out_what_is_hidden(talks: Run) -> None:
    talks("forget", "--session", "s1", "--level", "soft", "--scope", "user:ana")
    lines = talks("stats", "--prometheus").out.splitlines()
    assert 'memorycore_episodes{scope="user:ana"} 1' in lines
