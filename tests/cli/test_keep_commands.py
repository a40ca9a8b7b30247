"""The commands that keep a store: what they print, refuse, and end with."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
OLD = Path(__file__).parents[2] / "testdata" / "stores" / "schema-2.db"
STORE = "data/memorycore/memory.db"


def break_index(home: Path) -> None:
    from memorycore.store.connection import open_connection, transaction

    db = open_connection(str(home / STORE), read_only=False, busy_timeout=5)
    with transaction(db):
        db.execute("INSERT INTO episode_index(episode_index) VALUES('delete-all')")
    db.close()


@pytest.mark.usefixtures("terminal")
def test_backup_prints_file_size_time_and_counts(talks: Run, home: Path) -> None:
    done = talks("backup", "kept", "--keep", "3")
    assert done.code == 0
    [made] = (home / "kept").iterdir()
    assert done.out.startswith(f"{made}   ")
    assert "checked: 0 facts, 6 episodes, pages and links ok" in done.out
    assert f"also needs {home / STORE}.key" in done.err
    assert "Next: memoryctl restore" in done.err


def test_backup_as_json_is_one_document(talks: Run, home: Path) -> None:
    shape = json.loads(talks("backup", "kept.db", "-o", "json").out)
    assert (shape["schema"], shape["path"]) == ("memorycore.backup.v1", str(home / "kept.db"))
    assert (shape["episodes"], shape["integrity"], shape["dry_run"]) == (6, "ok", False)


@pytest.mark.usefixtures("terminal")
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


def test_backup_list_says_what_is_known(talks: Run, home: Path) -> None:
    assert "No copy is known" in talks("backup", "list").err
    talks("backup", "kept")
    talks("backup", "other.db")
    talks("forget", "--query", "balcony", "--level", "redact", "--yes", "--scope", "user:ana")
    (home / "other.db").unlink()
    listed = json.loads(talks("backup", "list", "-o", "json").out)
    assert [one["there"] for one in listed["backups"]] == [True, False]
    assert [one["forgotten_after"] for one in listed["backups"]] == [1, 1]


def test_plans_say_which_backups_are_out_of_reach(talks: Run) -> None:
    talks("backup", "kept.db")
    ask = ("forget", "--session", "s1", "--level", "purge", "-n", "--scope", "user:ana")
    told = talks(*ask)
    assert "not reachable from here" in told.out
    assert "1 backup (newest 20" in told.out
    [left] = json.loads(talks(*ask, "-o", "json").out)["not_reached"]
    assert (left["kind"], left["until"]) == ("backup", None)


@pytest.mark.usefixtures("terminal")
def test_restore_over_a_store_needs_its_name(talks: Run, home: Path) -> None:
    talks("backup", "kept.db")
    talks("remember", "later 后来", "--scope", "user:ana")
    for confirm in ((), ("--confirm", "other.db")):
        refused = talks("restore", "kept.db", *confirm)
        assert (refused.code, "--confirm memory.db" in refused.err) == (6, True)
    done = talks("restore", "kept.db", "--confirm", "memory.db")
    assert done.code == 0
    assert "restored: 1 → 0 facts, 7 → 6 episodes, integrity ok" in done.out
    assert f"kept as {home / STORE}.before-restore" in done.out
    assert "forgotten  nothing since the backup" in done.out
    assert talks("search", "后来", "--scope", "user:ana").out == ""


@pytest.mark.usefixtures("terminal")
def test_restore_forgets_again_and_says_so(talks: Run) -> None:
    talks("backup", "kept.db")
    ask = ("forget", "--query", "balcony", "--level", "redact", "--yes", "--scope", "user:ana")
    receipt = json.loads(talks(*ask, "-o", "json").out)["id"]
    planned = talks("restore", "kept.db", "-n")
    assert "would be again what 1 forgetting took since the backup" in planned.out
    assert receipt in planned.out
    assert "restore" in planned.err
    assert "--confirm memory.db" in planned.err
    done = talks("restore", "kept.db", "--confirm", "memory.db", "-o", "json")
    assert json.loads(done.out)["repeated"] == [receipt]
    assert talks("search", "balcony", "--scope", "user:ana").out == ""
    shown = talks("receipts", "list", "--scope", "user:ana", "-o", "jsonl")
    assert json.loads(shown.out)["repeats"] == receipt


def test_restore_into_a_new_file_asks_nothing(talks: Run, home: Path) -> None:
    talks("backup", "kept.db")
    assert talks("restore", "kept.db", "--to", "new.db").code == 0
    assert "user:lin\t2\t2\t0" in talks("stats", "--db", "new.db").out
    again = talks("restore", "kept.db", "--to", "new.db")
    assert (again.code, "there already" in again.err) == (6, True)


def test_restore_says_when_nobody_can_tell_what_was_forgotten(talks: Run, home: Path) -> None:
    talks("backup", "kept.db")
    done = talks("restore", "kept.db", "--db", "nowhere.db")
    assert done.code == 0
    assert "No store is there that could say" in done.err
    assert f"{home}/nowhere.db.key is missing" in done.err
    talks("forget", "--query", "balcony", "--level", "redact", "--yes", "--scope", "user:ana")
    as_it_was = talks("restore", "kept.db", "--confirm", "memory.db", "--no-replay-forgets", "c-7")
    assert "in it again, as you asked" in as_it_was.err


def test_restore_of_what_is_no_backup(talks: Run, home: Path) -> None:
    (home / "text").write_text("no database " * 20)
    failed = talks("restore", "text", "--confirm", "memory.db")
    assert (failed.code, failed.err.startswith("Error: ")) == (3, True)
    assert talks("restore", "missing.db", "--confirm", "memory.db").code == 3
    live = talks("restore", STORE, "--to", "new.db")
    assert (live.code, "lacks its log" in live.err) == (6, True)


@pytest.mark.usefixtures("terminal")
def test_compact_tells_both_sizes(talks: Run) -> None:
    told = talks("compact", "--dry-run")
    assert "of free disk" in told.out
    assert talks("compact").out.endswith(" after\n")
    assert json.loads(talks("compact", "-o", "json").out)["pending"] is False


@pytest.mark.usefixtures("terminal")
def test_reindex_finds_what_is_missing_and_mends_it(talks: Run, home: Path) -> None:
    assert talks("reindex").code == 0
    break_index(home)
    found = talks("reindex", "--words")
    assert (found.code, "FAIL  episodes  6 rows: 6 missing" in found.out) == (9, True)
    assert "memoryctl reindex --fix" in found.err
    assert talks("reindex", "--fix").code == 0
    assert talks("reindex").out.count("ok ") == 2
    assert "柏林" in talks("search", "柏林", "--scope", "user:lin").out


@pytest.mark.usefixtures("terminal")
def test_migrate_asks_for_a_yes_and_tells_what_it_did(quick: Run, home: Path) -> None:
    shutil.copyfile(OLD, home / "old.db")
    shutil.copyfile(f"{OLD}.key", home / "old.db.key")
    refused = quick("stats", "--db", "old.db")
    assert (refused.code, "memoryctl --db old.db migrate" in refused.err) == (10, True)
    planned = quick("migrate", "--plan", "--db", "old.db")
    assert "3  Facts: what is believed" in planned.out
    assert "Nothing was changed" in planned.err
    asked = quick("migrate", "--db", "old.db")
    assert (asked.code, "--yes" in asked.err) == (6, True)
    done = quick("migrate", "--yes", "--db", "old.db")
    assert (done.code, "copy of before" in done.out) == (0, True)
    assert quick("stats", "--db", "old.db").code == 0
    assert "is the newest: nothing to do" in quick("migrate", "--db", "old.db").err


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


def test_a_backup_is_put_where_there_is_no_folder_yet(talks: Run, home: Path) -> None:
    assert talks("backup", "kept.db").code == 0
    done = talks("restore", "kept.db", "--to", "new/folder/memory.db")
    assert done.code == 0, done.err
    assert (home / "new" / "folder" / "memory.db").exists()


def test_the_next_step_is_for_the_store_that_was_named(talks: Run, home: Path) -> None:
    shutil.copytree(home / "data" / "memorycore", home / "my stores")
    named = ("--db", "my stores/memory.db")
    made = talks("backup", "kept.db", *named)
    assert "memoryctl --db 'my stores/memory.db' restore " in made.err
    planned = talks("restore", "kept.db", "--no-replay-forgets", "mistake", "-n", *named)
    assert "memoryctl --db 'my stores/memory.db' restore " in planned.err
    assert "--no-replay-forgets mistake" in planned.err
    undone = talks("undo", "--scope", "user:ana", *named)
    assert "memoryctl --db 'my stores/memory.db' undo op_" in undone.err
    assert "memoryctl --db" not in talks("undo", "--scope", "user:ana").err


def test_a_session_that_was_purged_is_not_counted(talks: Run) -> None:
    def sessions() -> int:
        rows = json.loads(talks("stats", "--scope", "user:lin", "-o", "json").out)
        return int(rows["scopes"][0]["sessions"])

    before = sessions()
    plan = talks("forget", "--session", "s8", "--level", "purge", "-n", "--scope", "user:lin",
                 "-o", "json")  # fmt: skip
    plan_id = json.loads(plan.out)["id"]
    done = talks("forget", "--apply", plan_id, "--confirm", "s8", "--scope", "user:lin")
    assert done.code == 0, done.err
    assert sessions() == before - 1
