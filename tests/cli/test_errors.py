"""The errors people meet: what, why, what to try, and the exit code."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
START = "from memoryctl.main import main; main()"


def test_no_store(run: Run) -> None:
    failed = run("search", "x")
    assert failed.code == 3
    assert failed.err.startswith("Error: No memory store at ")
    assert "Try: memoryctl init-db" in failed.err


def test_reading_never_makes_a_store(quick: Run, home: Path) -> None:
    for command in (["search", "x"], ["stats"], ["log"], ["show", "ep_01M8"], ["where"]):
        quick(*command)
    assert not (home / "data").exists()


@pytest.mark.parametrize(
    "content", [b"hello, this is text\n" * 100, b"x", b"SQLite format 3\0" * 40]
)
def test_a_file_that_is_no_store_is_refused_and_left_alone(
    quick: Run, home: Path, content: bytes
) -> None:
    (home / "other.db").write_bytes(content)
    for command in (["search", "x"], ["init-db"], ["ingest", "-"]):
        failed = quick(*command, "--db", "other.db", stdin='{"text": "x"}\n')
        assert failed.code in (1, 3), failed
        assert failed.err.startswith("Error: ")
    assert (home / "other.db").read_bytes() == content


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["search", ""], "The query is empty"),
        (["search", "  \t"], "The query is empty"),
        (["search"], "There is no query"),
        (["search", "x", "--since", "last summer"], "is not a time I will guess"),
        (["search", "x", "--limit", "0"], "limit"),
        (["search", "x", "--role", "king"], "no role"),
        (["search", "x", "--cursor", "zzz"], "cursor"),
        (["search", "x", "--scope", " "], "scope"),
        (["search", "x", "--no-such-option"], "No such option"),
        (["show", "nonsense"], "is not an id"),
        (["ingest", "missing.jsonl"], "cannot be read"),
        (["ingest", "-", "--at", "soon"], "is not a time"),
    ],
)
def test_wrong_usage_says_what_and_exits_with_2(
    store: Run, arguments: list[str], message: str
) -> None:
    failed = store(*arguments)
    assert failed.code == 2, failed
    assert message in failed.err
    assert "Traceback" not in failed.err


def test_a_mistyped_command_is_answered_with_the_right_one(quick: Run) -> None:
    failed = quick("serch", "x")
    assert failed.code == 2
    assert "search" in failed.err


def test_errors_are_json_when_json_was_asked_for(quick: Run) -> None:
    failed = quick("search", "x", "-o", "json")
    error = json.loads(failed.err)
    assert error["schema"] == "memorycore.error.v1"
    assert error["error"]["code"] == "store_missing"
    assert error["error"]["exit"] == failed.code == 3


HOSTILE = [
    "POL-358",
    "don't",
    "a/b/c.txt",
    "C:\\x",
    "f(x)*^:~",
    '"',
    "AND",
    "NEAR(",
    "x" * 10_000,
    "🎉",
    "?!",
    "body:x",
    "{body} : x",
    "-x",
    "*",
    "(",
    "a OR",
    "'; drop table episodes; --",
    "%s",
    "😀" * 500,
]


@pytest.mark.parametrize("query", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_query_is_answered(store: Run, query: str) -> None:
    answered = store("search", "--scope", "user:ana", "--", query)
    assert answered.code == 0, answered.err


def test_a_missing_key_stops_writing_but_not_reading(store: Run, home: Path) -> None:
    (home / "data" / "memorycore" / "memory.db.key").unlink()
    assert "芒果" in store("search", "过敏", "--scope", "user:lin").out
    failed = store("ingest", "-", stdin='{"text": "x"}\n')
    assert failed.code == 3
    assert "key file" in failed.err


@pytest.mark.usefixtures("store")
def test_an_unexpected_error_is_logged_without_content(run: Run, home: Path) -> None:
    broken = "import sys, memorycore.engine.retrieve as r\nr.plan_scope = None\n"
    (home / "sitecustomize.py").write_text(broken)
    failed = run("search", "芒果", "--scope", "user:lin", env={"PYTHONPATH": _path_with(home)})
    assert failed.code == 1
    log = (home / "state" / "memorycore" / "memoryctl.log").read_text()
    assert "plan_scope" in log or "_plan_scopes" in log
    assert "芒果" not in log + failed.err


def _path_with(home: Path) -> str:
    root = Path(__file__).parents[2]
    return f"{home}:{root}:{root / 'cmd'}"


def test_an_output_that_cannot_be_written_is_no_bug_and_undoes_nothing(
    store: Run, home: Path
) -> None:
    script = (
        f'printf \'{{"text": "kept"}}\\n\' | "{sys.executable}" -c "{START}" ingest - > /dev/full'
    )
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": _path_with(home)}
    env |= {"XDG_DATA_HOME": str(home / "data"), "XDG_STATE_HOME": str(home / "state")}
    done = subprocess.run(
        ["sh", "-c", script], env=env, capture_output=True, text=True, check=False
    )
    assert "bug" not in done.stderr
    assert "kept" in store("search", "kept").out
