"""No layer reaches up: which module may import which, read from the source alone."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ABOVE = {
    "errors": {"model", "store", "exchange", "port", "engine", "top"},
    "model": {"store", "exchange", "port", "engine", "top"},
    "store": {"exchange", "port", "engine", "top"},
    "exchange": {"store", "port", "engine", "top"},
    "port": {"store", "engine", "top"},
    "engine": {"exchange", "top"},
    "top": set(),
}
"""For each layer those of ours that it may not import; modules beside ``errors`` are the top."""
FOREIGN = {
    "errors": {"apsw", "click", "pydantic", "rich", "sqlite_utils", "dateutil", "ijson"},
    "model": {"apsw", "click", "pydantic", "rich", "sqlite_utils", "ijson"},
    "store": {"click", "pydantic", "rich", "sqlite_utils", "sqlite3", "dateutil", "ijson"},
    "exchange": {"apsw", "click", "rich", "sqlite_utils", "sqlite3"},
    "port": {"apsw", "click", "rich", "sqlite3"},
    "engine": {"apsw", "click", "rich", "sqlite_utils", "sqlite3", "time", "pydantic"},
    "top": {"apsw", "click", "rich", "sqlite_utils", "sqlite3"},
}
COMMAND_MAY = {"memorycore", "memorycore.errors", "memorycore.evaluation"}


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def layer_of(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in ABOVE else "top"


def imports(path: Path) -> set[str]:
    """Name every module that a file imports, at the top or inside a function."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import hides what it reaches"
            found.add(str(node.module))
            if node.module == "memorycore":
                found |= {f"memorycore.{alias.name}" for alias in node.names}
    return found


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


@pytest.mark.parametrize("path", sources("memorycore"), ids=module_name)
def test_a_module_imports_only_what_lies_below_it(path: Path) -> None:
    layer = "top" if path.parent.name == "memorycore" else path.parent.name
    layer = "errors" if path.name == "errors.py" else layer
    for name in imports(path):
        if name.split(".")[0] == "memorycore":
            assert layer_of(name) not in ABOVE[layer], f"{path.name} reaches up to {name}"
        else:
            assert name.split(".")[0] not in FOREIGN[layer], f"{path.name} imports {name}"


@pytest.mark.parametrize("path", sources("cmd"), ids=module_name)
def test_the_command_knows_only_the_public_names(path: Path) -> None:
    import memorycore

    public = {f"memorycore.{name}" for name in memorycore.__all__}
    for name in imports(path):
        if name.split(".")[0] == "memorycore":
            assert name in COMMAND_MAY | public, f"{path.name} imports {name}"
        assert name.split(".")[0] not in {"apsw", "sqlite3", "sqlite_utils"}


@pytest.mark.parametrize("path", sources("memorycore"), ids=module_name)
def test_sql_is_written_in_the_store_alone(path: Path) -> None:
    if path.parent.name == "store":
        return
    words = ("SELECT ", "INSERT INTO", "UPDATE ", "DELETE FROM", "CREATE TABLE", "PRAGMA ")
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert not node.value.lstrip().startswith(words), f"{path.name}:{node.lineno}"


@pytest.mark.parametrize("path", [*sources("memorycore/store")], ids=module_name)
def test_store_functions_never_begin_or_commit(path: Path) -> None:
    if path.name in ("connection.py",):
        return
    text = path.read_text("utf-8")
    assert not any(word in text for word in ('"BEGIN', '"COMMIT', '"ROLLBACK', "SELECT *\n"))


@pytest.mark.parametrize("path", sources("memorycore"), ids=module_name)
def test_the_library_neither_prints_nor_reads_the_environment(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id != "print", f"{path.name}:{node.lineno}"
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            used = f"{node.value.id}.{node.attr}"
            assert used not in {"os.environ", "os.getenv", "datetime.now", "date.today"}, used
            if used in {"time.time", "time.time_ns"}:
                assert path.name == "memory.py", f"{path.name} reads the clock"


def test_cmd_is_no_package() -> None:
    """A cmd/__init__.py would shadow the standard library's cmd, which pdb needs."""
    assert not (ROOT / "cmd" / "__init__.py").exists()


def test_migrations_hold_nothing_but_sql() -> None:
    """A Python file there breaks the editable install."""
    assert {path.suffix for path in (ROOT / "migrations").iterdir()} == {".sql"}
