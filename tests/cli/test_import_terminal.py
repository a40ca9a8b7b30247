"""At a terminal memoryctl import asks about what waits, item by item, and before it carries out."""

import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
START = "from memoryctl.main import main; main()"
TEA = "The user drinks oolong tea every morning."
CAT = "The user lives with a cat called Miso."
RECORDS = (
    f'{{"candidates": [{{"title": "Tea", "summary": "{TEA}"}},'
    f' {{"title": "Cat", "summary": "{CAT}"}}]}}'
)


@pytest.fixture
def talk(store: Any, home: Path) -> Callable[..., tuple[int, str]]:
    """Run memoryctl at a terminal where somebody types some lines; give code and what it showed."""
    (home / "m.json").write_text(RECORDS)

    def run(*arguments: str, typed: str) -> tuple[int, str]:
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-c", START, *arguments, "--scope", "user:lin"],
            stdin=theirs, stdout=theirs, stderr=theirs, cwd=home,
            env=os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'cmd'}", "TERM": "dumb"},
        )  # fmt: skip
        os.close(theirs)
        os.write(ours, typed.encode())
        shown = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other end has closed
                break
            if not part:
                break
            shown += part
        os.close(ours)
        return process.wait(60), shown.decode()

    return run


def facts(store: Any) -> str:
    return str(store("list", "facts", "--scope", "user:lin").out)


def test_a_ready_import_is_carried_out_after_a_yes(talk: Any, store: Any) -> None:
    code, shown = talk("import", "stratagate", "m.json", typed="y\n")
    assert (code, "Import this?" in shown, "imported 2 of 2" in shown) == (0, True, True)
    assert TEA in facts(store)


def test_a_no_imports_nothing_and_keeps_the_job(talk: Any, store: Any) -> None:
    code, _ = talk("import", "stratagate", "m.json", typed="n\n")
    assert (code, facts(store)) == (130, "")
    assert "\tready\t" in store("import", "status", "--scope", "user:lin").out


def test_each_item_that_waits_is_asked_about(talk: Any, store: Any) -> None:
    arguments = ("import", "stratagate", "m.json", "--decider", "review")
    code, shown = talk(*arguments, typed="?\ny\ni\ny\n")
    assert (code, "2 waiting" in shown, "imported 1 of 2" in shown) == (0, True, True)
    assert (TEA in facts(store), CAT in facts(store)) == (True, False)


def test_stopping_in_between_keeps_what_was_said(talk: Any, store: Any) -> None:
    arguments = ("import", "stratagate", "m.json", "--decider", "review")
    code, shown = talk(*arguments, typed="a\nq\n")
    assert (code, "Nothing was imported." in shown) == (8, True)
    [job] = store("import", "status", "-o", "id", "--scope", "user:lin").lines
    code, shown = talk("import", "apply", job, typed="a\ny\n")
    assert (code, "1 waiting" in shown, "imported 2 of 2" in shown) == (0, True, True)
