"""The wheel works elsewhere: built, installed by itself, run from another folder."""

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(folder)]
    subprocess.run([*command, str(ROOT)], check=True, capture_output=True, timeout=300)
    return next(folder.glob("memorycore-*.whl"))


@pytest.mark.slow
def test_the_wheel_ships_migrations_data_and_the_command(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    migrations = {f"memorycore/migrations/{path.name}" for path in (ROOT / "migrations").iterdir()}
    topics = {f"memoryctl/topics/{path.name}" for path in (ROOT / "cmd/memoryctl/topics").iterdir()}
    assert migrations | topics <= names
    prompts = {f"memorycore/prompt/{path.name}" for path in (ROOT / "memorycore/prompt").iterdir()}
    assert prompts
    assert prompts | {"memorycore/py.typed", "memorycore/model/han_folding.txt"} <= names
    assert not {name for name in names if name.startswith(("cmd/", "tests/", "testdata/"))}


@pytest.mark.slow
def test_an_installed_wheel_makes_a_store_from_another_folder(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "env"
    venv.create(home, with_pip=False, system_site_packages=False)
    site = next(home.glob("lib/python*/site-packages"))
    zipfile.ZipFile(wheel).extractall(site)
    # The packages that it depends on come from the environment that runs this test.
    ours = {str(ROOT), str(ROOT / "cmd")}
    others = [entry for entry in sys.path if "site-packages" in entry and entry not in ours]
    (site / "others.pth").write_text("\n".join(others) + "\n")
    (site / "_memorycore.pth").write_text("")
    python = home / "bin" / "python"
    script = (
        "import memorycore; print(memorycore.__file__); from memoryctl.main import main; main()"
    )
    environment = {
        **os.environ,
        "MEMORYCORE_DB": str(tmp_path / "memory.db"),
        "PYTHONPATH": str(site),
    }
    done = subprocess.run(
        [python, "-c", script, "init-db"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert str(site) in done.stdout
    assert "Created a memory store" in done.stdout


def test_an_editable_install_finds_migrations_in_the_checkout() -> None:
    from memorycore.store.migrate import load_migrations

    numbers = [migration.number for migration in load_migrations()]
    assert numbers == list(range(1, len(numbers) + 1))
    assert numbers
