"""Running the command as people do: a process of its own, with its own home."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
START = "from memoryctl.main import main; main()"


@dataclass(frozen=True)
class Ran:
    """What a call printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


Run = Callable[..., Ran]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def run(home: Path) -> Run:
    """Run memoryctl in an empty folder with a home of its own."""

    def call(*arguments: str, stdin: str | bytes = "", env: dict[str, str] | None = None) -> Ran:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "XDG_DATA_HOME": str(home / "data"),
            "XDG_STATE_HOME": str(home / "state"),
            "XDG_CONFIG_HOME": str(home / "config"),
            "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "cmd")]),
            "TZ": "Asia/Shanghai",
            "LANG": "C.UTF-8",
            **(env or {}),
        }
        done = subprocess.run(
            [sys.executable, "-c", START, *arguments],
            input=data,
            capture_output=True,
            cwd=home,
            env=environment,
            timeout=120,
            check=False,
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call


@pytest.fixture
def store(run: Run) -> Run:
    """The same, with a store and a few messages in it."""
    assert run("init-db").code == 0
    lines = (
        '{"text": "我对芒果过敏", "speaker": "林岚", "at": "2025-03-01T09:00:00+08:00",'
        ' "session": "s1", "scope": "user:lin"}\n'
        '{"text": "The spare key is under the blue flowerpot.", "speaker": "Ana",'
        ' "at": "2025-03-22", "session": "s1", "scope": "user:ana", "external_id": "a1"}\n'
        '{"text": "Ticket POL-358 is done", "scope": "user:ana", "session": "s2"}\n'
    )
    assert run("ingest", "-", stdin=lines).code == 0
    return run
