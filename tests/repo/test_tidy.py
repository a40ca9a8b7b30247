"""Small and clear: sizes, docstrings and names, held by a test."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted(
    path
    for folder in ("memorycore", "cmd", "tests", "benchmarks", "scripts")
    for path in (ROOT / folder).rglob("*.py")
)
PUBLIC = [path for path in SOURCES if path.is_relative_to(ROOT / "memorycore")]
MAX_FUNCTION_LINES = 50
MAX_FILE_LINES = 400
BANNED_NAMES = re.compile(r"(Manager|Helper|Util|Utils|Base|Impl)$")


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    tree = ast.parse(path.read_text("utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [node for node in ast.walk(tree) if isinstance(node, kinds)]


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_a_file_has_at_most_400_lines(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= MAX_FILE_LINES


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_a_function_has_at_most_50_lines(path: Path) -> None:
    for function in functions(path):
        lines = (function.end_lineno or 0) - function.lineno + 1
        assert lines <= MAX_FUNCTION_LINES, f"{function.name} has {lines}"


@pytest.mark.parametrize("path", PUBLIC, ids=name)
def test_what_is_public_says_what_it_is(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    assert ast.get_docstring(tree), "the module has no docstring"
    for node in tree.body:
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef)) or node.name.startswith("_"):
            continue
        doc = ast.get_docstring(node)
        assert doc, f"{node.name} has no docstring"
        assert doc.splitlines()[0].rstrip().endswith((".", ":", "?")), f"{node.name}: {doc[:60]}"


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_names_say_what_a_thing_is(path: Path) -> None:
    assert path.stem not in {"utils", "util", "helpers", "common", "misc"}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ClassDef):
            assert not BANNED_NAMES.search(node.name), node.name


@pytest.mark.parametrize("path", PUBLIC, ids=name)
def test_no_error_is_swallowed_whole(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ExceptHandler):
            caught = ast.unparse(node.type) if node.type else "everything"
            re_raises = any(isinstance(part, ast.Raise) for part in ast.walk(node))
            assert caught not in {"everything", "Exception", "BaseException"} or re_raises


def test_every_error_of_ours_ends_in_error_and_shadows_nothing() -> None:
    import builtins

    from memorycore import errors

    for item in vars(errors).values():
        if isinstance(item, type) and issubclass(item, Exception):
            assert item.__name__.endswith("Error")
            assert not hasattr(builtins, item.__name__)


def test_the_error_tree_is_drawn_in_full() -> None:
    from memorycore import errors

    drawn = errors.__doc__ or ""
    for item in vars(errors).values():
        if isinstance(item, type) and issubclass(item, Exception):
            assert item.__name__ in drawn


def tracked_texts() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False, text=True
    )
    paths = [ROOT / entry for entry in listed.stdout.split("\0") if entry]
    return [path for path in paths if path.suffix in {".py", ".md", ".sql", ".toml", ".txt", ".sh"}]


def test_texts_are_utf8_with_unix_line_ends() -> None:
    for path in tracked_texts():
        assert b"\r" not in path.read_bytes(), path
        path.read_text("utf-8")
