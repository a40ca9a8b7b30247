"""Backing up and putting back, at their edges: what is counted, and which places are refused."""

import json
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
OLD = Path(__file__).parents[2] / "testdata" / "stores" / "schema-2.db"
STORE = "data/memorycore/memory.db"
ANA = ("--scope", "user:ana")
BALCONY = ("forget", "--query", "balcony", "--level", "redact", "--yes", *ANA)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_restore_says_what_is_held_now_and_after(talks: Run) -> None:
    talks("backup", "kept.db")
    talks("remember", "later 后来", *ANA)
    talks("remember", "still later 再后来", *ANA)
    shape = json.loads(talks("restore", "kept.db", "-n", "-o", "json").out)
    assert (shape["episodes_before"], shape["episodes"]) == (8, 6)
    done = talks("restore", "kept.db", "--confirm", "memory.db", "-o", "json")
    assert json.loads(done.out)["episodes_before"] == 8


def test_a_dry_run_of_restore_counts_as_the_restore_itself(talks: Run, home: Path) -> None:
    talks("backup", "kept.db")
    talks("learn", *ANA)
    assert talks(*BALCONY).code == 0
    there = sorted(path.name for path in (home / STORE).parent.iterdir() if "-" not in path.name)
    planned = json.loads(talks("restore", "kept.db", "-n", "-o", "json").out)
    left = sorted(path.name for path in (home / STORE).parent.iterdir() if "-" not in path.name)
    done = json.loads(talks("restore", "kept.db", "--confirm", "memory.db", "-o", "json").out)
    assert left == there
    assert (planned["facts"], planned["episodes"]) == (done["facts"], done["episodes"]) == (0, 5)


def test_a_dry_run_into_a_folder_that_is_missing_makes_none(talks: Run, home: Path) -> None:
    talks("backup", "kept.db")
    talks(*BALCONY)
    planned = json.loads(talks("restore", "kept.db", "--to", "new/then.db", "-n", "-o", "json").out)
    assert (planned["episodes"], (home / "new").exists()) == (5, False)


def test_the_list_of_backups_counts_what_a_restore_repeats(talks: Run) -> None:
    talks("backup", "kept.db")
    talks(*BALCONY)
    talks("forget", "--session", "s1", "--level", "soft", *ANA)
    taken_back = talks("forget", "--session", "s7", "--level", "soft", "--scope", "user:lin")
    assert talks("undo", "--scope", "user:lin").code == 0, taken_back.err
    [known] = json.loads(talks("backup", "list", "-o", "json").out)["backups"]
    planned = json.loads(talks("restore", "kept.db", "-n", "-o", "json").out)
    assert known["forgotten_after"] == len(planned["repeated"]) == 2


@pytest.mark.parametrize("end", ["", ".key", ".forget.key", "-wal", ".ballast"])
def test_no_file_is_written_where_a_store_or_its_keys_belong(
    talks: Run, home: Path, end: str
) -> None:
    talks("backup", "kept.db")
    key = (home / f"{STORE}.key").read_bytes()
    asked = (
        ("subject", "export", "Ana", "-O", f"{STORE}{end}", "--force", *ANA),
        ("receipts", "export", "-O", f"{STORE}{end}"),
        ("receipts", "export", "--html", f"{STORE}{end}"),
        ("backup", f"{STORE}{end}"),
        ("restore", "kept.db", "--to", f"{STORE}{end}"),
    )
    for words in asked:
        refused = talks(*words)
        assert (refused.code, refused.err.startswith("Error: ")) == (6, True), words
        assert "Try: give another name" in refused.err
    assert not (home / f"{STORE}.forget.key").exists()
    assert (home / f"{STORE}.key").read_bytes() == key
    assert talks("doctor").code == 0


def test_no_export_takes_the_place_of_a_backup(talks: Run, home: Path) -> None:
    talks("backup", "kept.db")
    before = (home / "kept.db").read_bytes()
    refused = talks("subject", "export", "Ana", "-O", "kept.db", "--force", *ANA)
    assert (refused.code, "a backup of one" in refused.err) == (6, True)
    assert (home / "kept.db").read_bytes() == before
    assert talks("subject", "export", "Ana", "-O", "ana.zip", *ANA).code == 0
    assert talks("subject", "export", "Ana", "-O", "ana.zip", "--force", *ANA).code == 0


@pytest.mark.parametrize("words", [("compact",), ("restore", "kept.db", "--confirm", "memory.db")])
def test_a_store_that_others_may_read_is_its_owners_alone_again(
    talks: Run, home: Path, words: tuple[str, ...]
) -> None:
    talks("backup", "kept.db")
    (home / STORE).chmod(0o644)
    assert talks(*words).code == 0
    assert mode(home / STORE) == 0o600


@pytest.mark.parametrize("words", [("migrate", "--yes"), ("init-db",)])
def test_so_is_a_store_of_an_older_schema_and_the_copy_of_it(
    quick: Run, home: Path, words: tuple[str, ...]
) -> None:
    shutil.copyfile(OLD, home / "old.db")
    shutil.copyfile(f"{OLD}.key", home / "old.db.key")
    (home / "old.db").chmod(0o644)
    assert quick(*words, "--db", "old.db").code == 0
    [copy] = home.glob("old.db.schema-2-*.db")
    assert [mode(path) for path in (home / "old.db", copy)] == [0o600] * 2
