"""The long tests of faults can be run in parts, and the parts are all there is."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = {path.name for path in (ROOT / "tests" / "faults").glob("test_*.py")}

needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="make is not there")


def told(*words: str) -> "subprocess.CompletedProcess[str]":
    command = ["make", "-n", "--assume-old=pyproject.toml", "faults", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def named(text: str) -> list[str]:
    return re.findall(r"tests/faults/(test_\w+\.py)", text)


@needs_make
def test_all_parts_together_are_all_tests_of_faults_once() -> None:
    found = named(told().stdout)
    assert sorted(found) == sorted(FILES)


@needs_make
@pytest.mark.parametrize("part", ["kills", "disk", "flips", "processes"])
def test_a_part_is_some_of_them(part: str) -> None:
    found = named(told(f"PART={part}").stdout)
    assert found
    assert set(found) < FILES


@needs_make
def test_two_parts_are_both_run_and_progress_is_printed() -> None:
    done = told("PART=kills flips").stdout
    assert {"test_kill.py", "test_flipped_bits.py"} < set(named(done))
    assert "pytest -vv " in done
