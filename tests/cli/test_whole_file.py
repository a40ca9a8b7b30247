"""Commands that concern the whole file: which options they have, and what they print where."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
STORE = "data/memorycore/memory.db"
OLD = Path(__file__).parents[2] / "testdata" / "stores" / "schema-2.db"
WHOLE = {
    "backup": ("backup", "new.db"),
    "backup list": ("backup", "list"),
    "restore": ("restore", "kept.db", "--to", "then.db"),
    "migrate": ("migrate", "--plan"),
    "compact": ("compact",),
    "reindex": ("reindex",),
    "doctor": ("doctor",),
    "log verify": ("log", "verify"),
    "receipts verify": ("receipts", "verify"),
    "receipts export": ("receipts", "export"),
    "forget finish": ("forget", "finish"),
    "suppression destroy-key": ("suppression", "destroy-key", "--confirm", "memory.db"),
}
whole = pytest.mark.parametrize("words", WHOLE.values(), ids=WHOLE)
WITHOUT_IDS = {name: words for name, words in WHOLE.items() if name != "forget finish"}
COLUMNS = {
    ("backup", "new.db"): 6,
    ("restore", "kept.db", "--to", "then.db"): 9,
    ("compact",): 5,
    ("reindex",): 7,
    ("doctor",): 4,
}


@whole
def test_a_scope_is_refused_where_the_whole_file_is_concerned(
    talks: Run, home: Path, words: tuple[str, ...]
) -> None:
    talks("backup", "kept.db")
    there = set(home.rglob("*"))
    for asked in ((*words, "--scope", "user:ana"), ("--scope", "user:ana", *words)):
        refused = talks(*asked)
        assert (refused.code, refused.out) == (2, "")
        assert "concerns the whole file, and so all scopes: leave --scope out." in refused.err
    assert {path for path in home.rglob("*") if path.suffix == ".db"} == {
        path for path in there if path.suffix == ".db"
    }
    assert "--scope" not in talks(*words, "--help").out


@whole
def test_a_scope_that_is_configured_is_passed_over(talks: Run, words: tuple[str, ...]) -> None:
    talks("backup", "kept.db")
    assert talks(*words, env={"MEMORYCORE_SCOPE": "user:nobody"}).code == 0


@pytest.mark.parametrize("words", WITHOUT_IDS.values(), ids=WITHOUT_IDS)
def test_where_there_are_no_ids_none_are_asked_for(
    talks: Run, home: Path, words: tuple[str, ...]
) -> None:
    talks("backup", "kept.db")
    refused = talks(*words, "-o", "id")
    assert (refused.code, refused.out) == (2, "")
    assert "has no ids to print: -o is one of auto, json, jsonl, csv, md." in refused.err
    assert not (home / "new.db").exists()
    assert talks(*words, env={"MEMORYCORE_OUTPUT": "id"}).code == 0


@pytest.mark.parametrize(("words", "columns"), COLUMNS.items(), ids=lambda one: str(one))
def test_what_is_piped_is_a_record_a_line_with_tabs(
    talks: Run, words: tuple[str, ...], columns: int
) -> None:
    talks("backup", "kept.db")
    done = talks(*words)
    assert done.code == 0, done.err
    assert {line.count("\t") + 1 for line in done.lines} == {columns}
    assert [len(line.split("\t")) for line in talks("stats").lines] == [4] * 3


@pytest.mark.usefixtures("terminal")
def test_a_terminal_is_told_in_words(talks: Run) -> None:
    assert "checked: 0 facts, 6 episodes" in talks("backup", "kept.db").out
    assert talks("doctor").out.startswith("ok    store      schema ")
    assert "restored: 0 facts, 6 episodes" in talks("restore", "kept.db", "--to", "then.db").out


def test_a_log_that_does_not_hold_is_talk_and_no_data(talks: Run, home: Path) -> None:
    line = talks("log", "verify").out
    assert line.startswith("op_")
    other = line.strip()[:-4] + "0000"
    failed = talks("log", "verify", "--checkpoint", other, "-q")
    assert (failed.code, failed.out) == (9, "")
    assert failed.err.startswith("Error: Operation ")
    assert "Try: memoryctl backup list" in failed.err


def test_a_checkpoint_is_a_line_a_file_or_standard_input(talks: Run, home: Path) -> None:
    done = talks("log", "verify")
    told = done.err.splitlines()[-1].partition(": ")[2]
    assert talks(*shlex.split(told)[1:]).code == 0
    assert talks("log", "verify", "--checkpoint", "-", stdin=done.out).code == 0
    missing = talks("log", "verify", "--checkpoint", "missing.txt")
    assert (missing.code, "There is no file missing.txt" in missing.err) == (2, True)
    folder = talks("log", "verify", "--checkpoint", "data")
    assert (folder.code, "data cannot be read" in folder.err) == (2, True)


def test_options_before_the_word_verify_hold_for_it(talks: Run) -> None:
    elsewhere = talks("log", "--db", "nowhere.db", "verify")
    assert (elsewhere.code, "nowhere.db" in elsewhere.err) == (3, True)
    assert talks("log", "--limit", "3", "verify").code == 2


def test_receipts_are_verified_from_standard_input_too(talks: Run, home: Path) -> None:
    chain = talks("receipts", "export").out
    nowhere = ("--db", "nowhere.db")
    assert talks("receipts", "verify", "-", *nowhere, stdin=chain).code == 0
    missing = talks("receipts", "verify", "missing.jsonl")
    assert (missing.code, "Try: " in missing.err) == (2, True)
    failed = talks("receipts", "verify", "-", *nowhere, stdin=chain.replace("sha256:", "sha256:0"))
    assert failed.code in (2, 9)
    assert failed.out == ""


REFUSED = {
    "a folder to restore": (("restore", "data", "--to", "new.db"), 3, "is a folder"),
    "a missing backup": (("restore", "no.db", "--to", "new.db"), 3, "There is no backup at"),
    "a cut backup": (("restore", "cut.db", "--to", "new.db"), 1, "is cut short: 200,000 of its"),
    "a store that is a folder": (("restore", "kept.db", "--db", "."), 3, "is a folder"),
    "so to migrate": (("migrate", "--db", "."), 3, "is a folder"),
    "a folder to restore to": (("restore", "kept.db", "--to", "new/"), 2, "--to new/memory.db"),
    "standard input": (("restore", "-"), 2, "not -"),
    "standard output": (("backup", "-"), 2, "never goes to standard output"),
    "a code of words": (
        ("restore", "kept.db", "-n", "--no-replay-forgets", "no code"),
        2,
        "Try: --no-replay-forgets gdpr-17",
    ),
    "receipts nowhere": (("receipts", "export", "-O", "no/x"), 2, "no/x cannot be written (No"),
    "a page nowhere": (("receipts", "export", "--html", "no/x"), 2, "no/x cannot be written (No"),
    "both to one": (("receipts", "export", "-O", "-", "--html", "-"), 2, "Only one of both"),
    "keeping files": (("backup", "one.db", "--keep", "3"), 2, "memoryctl backup FOLDER --keep 14"),
    "keeping none": (("backup", "some", "--keep", "0"), 2, "memoryctl backup FOLDER --keep 14"),
    "confirming nothing": (
        ("restore", "kept.db", "--to", "new.db", "--confirm", "memory.db"),
        2,
        "nothing to --confirm",
    ),
    "planning with a yes": (("migrate", "--plan", "--yes"), 2, "leave --yes out"),
    "trying nothing": (("doctor", "--dry-run"), 2, "--dry-run goes with --fix"),
    "an option before the list": (("backup", "-o", "csv", "list"), 2, "is ./list"),
    "the store itself": (("restore", STORE, "--confirm", "memory.db"), 6, "is the store itself"),
    "a report over a store": (
        ("eval", "rules", "kept.db", "--report", "kept.db"),
        6,
        "kept.db is a memory store, or a backup of one.",
    ),
    "two forms": (("stats", "--prometheus", "-o", "csv"), 2, "leave -o and --fields out"),
}


@pytest.mark.parametrize(("words", "code", "said"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_is_refused_with_a_next_step(
    talks: Run, home: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    talks("backup", "kept.db")
    (home / "cut.db").write_bytes((home / "kept.db").read_bytes()[:200_000])
    refused = talks(*words)
    assert (refused.code, refused.out) == (code, "")
    assert said in refused.err
    assert "\nTry: " in refused.err
    assert not any((home / name).exists() for name in ("new.db", "new", "one.db", "some", "-"))


def test_a_damaged_backup_names_the_list_of_others(talks: Run, home: Path) -> None:
    talks("backup", "kept.db")
    data = bytearray((home / "kept.db").read_bytes())
    data[100_000:120_000] = bytes(20_000)
    (home / "kept.db").write_bytes(data)
    refused = talks("restore", "kept.db", "-n")
    assert (refused.code, "Try: memoryctl backup list" in refused.err) == (1, True)


def test_an_older_schema_is_no_failed_check(quick: Run, home: Path) -> None:
    for end in ("", ".key"):
        (home / f"old.db{end}").write_bytes(Path(f"{OLD}{end}").read_bytes())
    refused = quick("doctor", "--db", "old.db")
    assert (refused.code, refused.out) == (10, "")
    assert "Try: memoryctl --db old.db migrate\n" in refused.err


def test_the_next_step_of_a_refused_restore_can_be_pasted(talks: Run, home: Path) -> None:
    talks("backup", "my copy.db")
    refused = talks("restore", "my copy.db", "--db", STORE)
    assert refused.code == 6
    line = refused.err.splitlines()[-1].removeprefix("Try: ")
    assert talks(*shlex.split(line)[1:]).code == 0


def test_the_next_steps_name_the_scope_that_they_need(talks: Run, home: Path) -> None:
    talks("propose", "--scope", "user:ana")
    checks = json.loads(talks("doctor", "-o", "json").out)["checks"]
    [queue] = [one for one in checks if one["name"] == "queue"]
    assert queue["fix"] == "memoryctl review --scope user:ana"
    talks("learn", "--scope", "user:ana")
    found = talks("subject", "find", "Ana", "--scope", "user:ana")
    told = found.err.splitlines()[-1].partition("Next: ")[2]
    assert talks(*shlex.split(told)[1:]).code == 0
    unknown = talks("history", "Nobody", "--scope", "user:ana")
    assert "Try: memoryctl list entities --scope user:ana" in unknown.err
    talks("forget", "--query", "balcony", "--level", "redact", "--yes", "--scope", "user:ana")
    listed = talks("suppression", "list")
    told = listed.err.splitlines()[0].partition(": ")[2]
    assert talks(*shlex.split(told)[1:], "--dry-run").code == 0


def test_what_is_all_there_already_names_no_other_scope(talks: Run, home: Path) -> None:
    said = {"text": "Tea, please. 请来茶", "scope": "user:ana", "session": "s9"}
    (home / "one.jsonl").write_text(json.dumps(said) + "\n")
    assert talks("ingest", "one.jsonl").out.startswith("Ingested 1 episode into user:ana")
    again = talks("ingest", "one.jsonl")
    assert again.out.startswith("Ingested 0 episodes\n  already there   1")


def test_a_file_that_others_may_read_names_the_command_that_mends_it(
    talks: Run, home: Path
) -> None:
    (home / STORE).chmod(0o644)
    checks = json.loads(talks("doctor", "-o", "json").out)["checks"]
    [files] = [one for one in checks if one["name"] == "files"]
    assert files["fix"] == f"chmod 600 {home / STORE}"


@pytest.mark.parametrize("words", COLUMNS, ids=lambda one: str(one))
def test_an_unknown_field_is_refused_before_anything_is_written(
    talks: Run, home: Path, words: tuple[str, ...]
) -> None:
    talks("backup", "kept.db")
    there = sorted(path for path in home.rglob("*") if not path.name.endswith(("-wal", "-shm")))
    refused = talks(*words, "--fields", "nosuch")
    assert (refused.code, refused.out) == (2, "")
    left = sorted(path for path in home.rglob("*") if not path.name.endswith(("-wal", "-shm")))
    assert left == there
    record = json.loads(talks(*words, "-o", "jsonl").lines[0])
    known = refused.err.splitlines()[-1].removeprefix("Try: ").split(", ")
    assert set(record) == set(known)


def test_the_store_to_make_is_the_one_that_was_named(quick: Run) -> None:
    for words in (("stats",), ("migrate",), ("doctor",)):
        told = json.loads(quick(*words, "--db", "my store.db", "-o", "json").err)["error"]
        assert told["try"].startswith("memoryctl --db 'my store.db' init-db")
    missing = quick("stats", "--db", "my store.db")
    assert (missing.code, "Try: memoryctl --db 'my store.db' init-db" in missing.err) == (3, True)
