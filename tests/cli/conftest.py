"""Running the command: in this process, or as people do, in one of its own; with its own home.

Most tests run it in this process. One of its own is for what only that can show: the environment
and the working directory, streams that are closed, starting, and a command's way from end to end.
Both see the same home, so that one can go on where the other ended.
"""

import io
import os
import shutil
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
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let standard output be a terminal for ``quick``: it gets what is written for people."""
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.fixture
def quick(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> Run:
    """Run memoryctl in this process: a hundred times faster, and the same answers."""
    from memoryctl.failure import run_guarded
    from memoryctl.tree import cli

    for name in [name for name in os.environ if name.startswith(("MEMORYCORE_", "XDG_"))]:
        monkeypatch.delenv(name)
    for name, value in {"HOME": str(home), "TZ": "Asia/Shanghai", "COLUMNS": "100"}.items():
        monkeypatch.setenv(name, value)
    for name in ("DATA", "STATE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
    monkeypatch.chdir(home)

    def call(*arguments: str, stdin: str | bytes = "", env: dict[str, str] | None = None) -> Ran:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        with monkeypatch.context() as during:
            for name, value in (env or {}).items():
                during.setenv(name, value)
            during.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
            during.setattr("sys.argv", ["memoryctl", *arguments])
            if "terminal" in request.fixturenames:
                during.setattr("sys.stdout.isatty", lambda: True)
            capfd.readouterr()
            code = run_guarded(cli)
            sys.stdout.flush()
            printed = capfd.readouterr()
        return Ran(code, printed.out, printed.err)

    return call


MESSAGES = (
    '{"text": "我对芒果过敏", "speaker": "林岚", "at": "2025-03-01T09:00:00+08:00",'
    ' "session": "s1", "scope": "user:lin"}\n'
    '{"text": "The spare key is under the blue flowerpot.", "speaker": "Ana",'
    ' "at": "2025-03-22", "session": "s1", "scope": "user:ana", "external_id": "a1"}\n'
    '{"text": "Ticket POL-358 is done", "scope": "user:ana", "session": "s2"}\n'
)
TALKS = (
    '{"text": "We live in Leeds.", "speaker": "Ana", "at": "2025-02-11T19:00:00+00:00",'
    ' "session": "s1", "scope": "user:ana", "external_id": "a1"}\n'
    '{"text": "Moved to Porto at last! The flat has a balcony.", "speaker": "Ana",'
    ' "at": "2025-03-30", "session": "s2", "scope": "user:ana", "external_id": "a2"}\n'
    '{"text": "对了，去年九月搬到了柏林，还没适应。", "speaker": "林岚",'
    ' "at": "2025-01-20T08:12:00+08:00", "session": "s8", "scope": "user:lin",'
    ' "external_id": "l1"}\n'
    '{"text": "我住在上海，我对芒果过敏", "speaker": "林岚", "at": "2024-03-01",'
    ' "session": "s7", "scope": "user:lin", "external_id": "l2"}\n'
    '{"text": "我住在青石渡", "speaker": "顾棠", "session": "s1", "scope": "user:tang",'
    ' "external_id": "t1"}\n'
    '{"text": "我住在白鹭洲", "speaker": "顾棠", "session": "s2", "scope": "user:tang",'
    ' "external_id": "t2"}\n'
)


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder in which stores that were made once are kept, to be copied."""
    return tmp_path_factory.mktemp("begun")


def _begin(quick: Run, home: Path, kept: Path, lines: str) -> None:
    """Make a store and take lines in, or copy the one for which that was done before."""
    if kept.exists():
        shutil.copytree(kept, home / "data")
        return
    assert quick("init-db").code == 0
    assert quick("ingest", "-", stdin=lines).code == 0
    shutil.copytree(home / "data", kept)


@pytest.fixture
def store(quick: Run, home: Path, begun: Path) -> Run:
    """The same, with a store and a few messages in it."""
    _begin(quick, home, begun / "messages", MESSAGES)
    return quick


@pytest.fixture
def talks(quick: Run, home: Path, begun: Path) -> Run:
    """The same, with a store and what Ana, 林岚 and 顾棠 said in it; 顾棠 contradicts himself."""
    _begin(quick, home, begun / "talks", TALKS)
    return quick
