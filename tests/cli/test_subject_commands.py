"""memoryctl subject: a person found, shown, and handed out as a zip."""

import io
import json
import shlex
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

ANA = ("--scope", "user:ana")
LIN = ("--scope", "user:lin")
MORE = (
    '{"text": "Ana is late again.", "speaker": "Bob", "session": "s9"}\n'
    '{"text": "Good morning.", "speaker": "Ana Reis", "session": "s9"}\n'
)


@pytest.fixture
def people(talks: Run) -> Run:
    """Ana of whom two places are believed, Bob who names her, Ana Reis; 林岚 with an allergy."""
    assert talks("ingest", "-", *ANA, stdin=MORE).code == 0
    for scope, place in ((ANA, "Leeds"), (LIN, "上海")):
        who = "Ana" if scope == ANA else "林岚"
        said = f"We live in {place}." if scope == ANA else f"我住在{place}。"
        done = talks("remember", said, "--about", who, "--predicate", "lives_in",
                     "--object", place, *scope)  # fmt: skip
        assert done.code == 0, done.err
    return talks


def test_find_tells_near_matches_apart(people: Run) -> None:
    found = people("subject", "find", "ana", *ANA)

    rows = [line.split("\t") for line in found.lines]
    assert [(row[1], row[2], row[4]) for row in rows] == [
        ("exact", "Ana", "1"), ("near", "Ana Reis", "0"),
    ]  # fmt: skip
    assert "1 near match, apart" in found.err
    assert f"subject show {rows[0][0]}" in found.err


def test_find_gives_the_ids_of_exact_matches_alone(people: Run) -> None:
    assert len(people("subject", "find", "Ana", "-o", "id", *ANA).lines) == 1
    assert people("subject", "find", "Anna", "-o", "id", *ANA).out == ""


def test_find_gives_json_with_counts(people: Run) -> None:
    shape = json.loads(people("subject", "find", "林岚", "-o", "json", *LIN).out)

    assert (shape["schema"], shape["near"]) == ("memorycore.subjects.v1", [])
    [one] = shape["exact"]
    assert (one["name"], one["facts"], one["said"], one["mentions"]) == ("林岚", 1, 3, 0)


def test_find_says_when_there_is_nobody(people: Run) -> None:
    nobody = people("subject", "find", "Zeppelin", *ANA)

    assert (nobody.code, nobody.out) == (0, "")
    assert "Nobody of that name in user:ana" in nobody.err
    assert "None has just that name" in people("subject", "find", "Anna", *ANA).err


@pytest.mark.parametrize(("scope", "name", "fact"), [
    (ANA, "Ana", "Ana lives_in Leeds"), (LIN, "林岚", "林岚 lives_in 上海"),
])  # fmt: skip
def test_show_is_one_page_for_people(people: Run, scope: Any, name: str, fact: str) -> None:
    shown = people("subject", "show", name, *scope)

    assert shown.lines[0].startswith(f"{name}   ent_")
    assert "believed now" in shown.lines
    assert any(line.startswith(f"  {fact}   fct_") for line in shown.lines)
    assert "subject export ent_" in shown.err


def test_show_tells_of_others_apart(people: Run) -> None:
    out = people("subject", "show", "Ana", *ANA).out

    believed, apart = out.split("apart, for a person to decide: ")
    assert "Ana is late" not in believed
    assert "Ana is late again." in apart
    assert "Ana Reis" in apart


def test_show_gives_the_page_as_json_and_the_facts_as_lines(people: Run) -> None:
    page = json.loads(people("subject", "show", "Ana", "-o", "json", *ANA).out)
    lines = people("subject", "show", "Ana", "-o", "jsonl", *ANA).lines

    assert page["schema"] == "memorycore.subject.v1"
    assert [json.loads(line)["text"] for line in lines] == ["Ana lives_in Leeds"]
    named = people("subject", "show", "Ana", "--fields", "text,role", *ANA)
    assert named.lines == ["Ana lives_in Leeds\tsubject"]


def test_show_gives_markdown_in_which_no_memory_is_markup(people: Run) -> None:
    line = {"text": "Hi *all* <b>x</b> [y](http://z) from Ana", "speaker": "# Bob | `c`"}
    assert people("ingest", "-", *ANA, stdin=json.dumps(line) + "\n").code == 0

    shown = people("subject", "show", "Ana", "-o", "md", *ANA)

    assert shown.lines[0].startswith("# Ana   ent\\_")
    assert r"Hi \*all\* \<b\>x\</b\> \[y\]\(http://z\)" in shown.out
    assert r"\# Bob \| \`c\`" in shown.out


def test_a_name_with_control_characters_moves_no_terminal(people: Run) -> None:
    line = {"text": "Ana\x1b[2J\u202ehi", "speaker": "Bob\u202e"}
    assert people("ingest", "-", *ANA, stdin=json.dumps(line) + "\n").code == 0

    out = people("subject", "show", "Ana", *ANA).out

    assert not set(out) & {"\x1b", "\u202e"}


def test_show_of_a_scope_is_all_of_it(people: Run) -> None:
    shown = people("subject", "show", "user:ana", *ANA)

    assert shown.lines[0] == "user:ana   all of this scope"
    assert "subject export user:ana" in shown.err


def test_export_writes_a_private_file_and_says_so(people: Run, home: Path) -> None:
    done = people("subject", "export", "Ana", "-O", "ana.zip", *ANA)

    assert done.code == 0
    path = home / "ana.zip"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert done.out == f"{path}\t{done.out.split()[1]}\t{path.stat().st_size}\n"
    assert "may be about somebody else: see mentions.html" in done.err


def test_export_to_standard_output_is_the_zip_alone(people: Run, home: Path) -> None:
    command = (sys.executable, "-c", "from memoryctl.main import main; main()")
    store = str(home / "data" / "memorycore" / "memory.db")
    done = subprocess.run(
        [*command, "subject", "export", "Ana", "-O", "-", "--db", store, *ANA],
        capture_output=True,
        check=True,
    )

    with zipfile.ZipFile(io.BytesIO(done.stdout)) as archive:
        assert archive.testzip() is None
        assert "index.html" in archive.namelist()
    assert "mentions.html" in done.stderr.decode()


def test_export_gives_json(people: Run, home: Path) -> None:
    told = json.loads(people("subject", "export", "Ana", "-O", "a.zip", "-o", "json", *ANA).out)

    assert told["schema"] == "memorycore.subject_export.v1"
    assert told["bytes"] == (home / "a.zip").stat().st_size


def test_export_refuses_to_write_over_a_file(people: Run, home: Path) -> None:
    (home / "ana.zip").write_text("mine")

    refused = people("subject", "export", "Ana", "-O", "ana.zip", *ANA)

    assert refused.code == 6
    assert "--force" in refused.err
    assert (home / "ana.zip").read_text() == "mine"
    assert people("subject", "export", "Ana", "-O", "ana.zip", "--force", *ANA).code == 0
    with zipfile.ZipFile(io.BytesIO((home / "ana.zip").read_bytes())) as archive:
        assert archive.testzip() is None


def test_an_unknown_name_exits_4_with_a_suggestion(people: Run) -> None:
    for verb in (("show", "Anna"), ("export", "Anna", "-O", "a.zip")):
        failed = people("subject", *verb, *ANA)
        assert failed.code == 4
        assert "Why: similar: ent_" in failed.err
        words = shlex.split(failed.err.splitlines()[-1].removeprefix("Try: "))
        assert people(*words[1:]).lines[0].split("\t")[1] == "near"


def test_export_needs_to_know_where_to(people: Run) -> None:
    assert people("subject", "export", "Ana", *ANA).code == 2
