"""Starting costs little: what a command does not need it does not import."""

import subprocess
import sys

import pytest

HEAVY = ("sqlite_utils", "rich", "httpx2", "mcp", "pydantic", "dateutil", "ijson", "numpy")
SEARCH = """
import sys
sys.argv = ["memoryctl", "--db", sys.argv[1], sys.argv[3], "八点", "-o", sys.argv[2]]
from memoryctl.failure import run_guarded
from memoryctl.tree import cli
code = run_guarded(cli)
print("\\n".join(sorted(sys.modules)), file=sys.stderr)
sys.exit(code)
"""
VERSION = """
import sys
sys.argv = ["memoryctl", "--version"]
from memoryctl.main import main
main()
print("\\n".join(sorted(sys.modules)), file=sys.stderr)
"""


def modules_after(script: str, *arguments: str) -> tuple[str, set[str]]:
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout, set(done.stderr.split())


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    from memorycore import Memory

    path = str(tmp_path_factory.mktemp("store") / "memory.db")
    with Memory.open(path) as memory:
        memory.add("我不喜欢早上八点开会。", at="2026-02-17T22:45:46-08:00")
    return path


@pytest.mark.parametrize("form", ["auto", "json", "csv"])
@pytest.mark.parametrize("command", ["search", "context"])
def test_reading_imports_nothing_heavy(store: str, command: str, form: str) -> None:
    out, modules = modules_after(SEARCH, store, form, command)
    assert "早上八点" in out
    assert not {name for name in modules if name.split(".")[0] in HEAVY}


@pytest.mark.parametrize("command", ["search", "context"])
def test_reading_leaves_the_write_side_alone(store: str, command: str) -> None:
    _, modules = modules_after(SEARCH, store, "auto", command)
    assert not {
        name for name in modules if name.startswith(("memorycore.exchange", "memorycore.port"))
    }
    assert "memorycore.engine.ingest" not in modules


def test_the_version_is_told_before_anything_is_imported() -> None:
    out, modules = modules_after(VERSION)
    assert out.startswith("memoryctl ")
    assert not modules & {"click", "apsw", *HEAVY}
    assert "memorycore.memory" not in modules
