"""The pages are true: generated ones are compared, links lead somewhere, examples validate."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "CHANGELOG.md"])
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")


def render_cli() -> str:
    """Write the reference of the command line from the commands themselves."""
    from memoryctl.help import TOPICS, read_topic
    from memoryctl.tree import COMMANDS, cli

    root = click.Context(
        cli,
        info_name="memoryctl",
        max_content_width=100,
        terminal_width=100,
        help_option_names=["-h", "--help"],
    )
    parts = ["# memoryctl", "This page is generated from the command's own help."]
    parts.append(f"```text\n{cli.get_help(root)}\n```")
    for commands in COMMANDS.values():
        for name in commands:
            command = cli.get_command(root, name)
            assert command is not None
            parts += render_command(command, name, root)
    parts.append("# Topics")
    for topic in TOPICS:
        parts += [f"## help {topic}", f"```text\n{read_topic(topic).rstrip()}\n```"]
    return "\n\n".join(parts) + "\n"


def render_command(command: click.Command, name: str, parent: click.Context) -> list[str]:
    context = click.Context(command, info_name=name, parent=parent, terminal_width=100)
    parts = [f"## {context.command_path}", f"```text\n{command.get_help(context)}\n```"]
    if isinstance(command, click.Group):
        for child in command.list_commands(context):
            found = command.get_command(context, child)
            assert found is not None
            parts += render_command(found, child, context)
    return parts


def render_schema() -> str:
    """Write the schema as SQLite holds it after all migrations."""
    script = """
import apsw
from memorycore.store.connection import open_connection, transaction
from memorycore.store.migrate import apply_migrations
db = open_connection(":memory:", read_only=False, busy_timeout=1)
with transaction(db):
    apply_migrations(db)
rows = db.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE "
                  "'episode_index\\\\_%' ESCAPE '\\\\' ORDER BY rowid")
print("-- Generated from the migrations: the schema as SQLite holds it.")
for (sql,) in rows:
    print(f"\\n{sql};")
"""
    command = [sys.executable, "-c", script]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    ("page", "render"),
    [(DOCS / "cli.md", render_cli), (DOCS / "architecture" / "schema.sql", render_schema)],
    ids=["cli.md", "schema.sql"],
)
def test_a_generated_page_is_current(
    page: Path, render: Any, request: pytest.FixtureRequest
) -> None:
    text = render()
    if request.config.getoption("--update-docs", default=False):
        page.write_text(text, "utf-8")
    assert page.read_text("utf-8") == text, "make docs rewrites it"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text("utf-8")):
        if not target.startswith(("http://", "https://")):
            assert (page.parent / target).exists(), f"{page.name} → {target}"


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop().resolve()
        if page in reached:
            continue
        reached.add(page)
        if page.suffix == ".md":
            targets = LINK.findall(page.read_text("utf-8"))
            waiting += [page.parent / t for t in targets if not t.startswith("http")]
    missing = {page.resolve() for page in DOCS.rglob("*") if page.is_file()} - reached
    assert not missing


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text("utf-8"), re.S | re.M)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_examples_run(page: Path, tmp_path: Path) -> None:
    for block in blocks(page, "python"):
        done = subprocess.run(
            [sys.executable, "-c", block], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_json_examples_are_json(page: Path) -> None:
    for block in blocks(page, "json"):
        for line in block.splitlines():
            json.loads(line)


def test_jsonl_examples_can_be_ingested() -> None:
    from memorycore import Memory

    lines = [line for block in blocks(DOCS / "ingest.md", "jsonl") for line in block.splitlines()]
    assert lines
    with Memory.open(":memory:") as memory:
        memory.add_many(json.loads(line) for line in lines)


def test_jsonl_examples_of_candidates_can_be_read() -> None:
    from memorycore.exchange.candidate_line import read_candidate_item

    lines = [line for block in blocks(DOCS / "learn.md", "jsonl") for line in block.splitlines()]
    assert lines
    for line in lines:
        read_candidate_item(json.loads(line), time_zone="UTC", place="docs")


def test_the_example_of_an_answer_is_one_whose_packet_was_not_changed() -> None:
    from memorycore.exchange.packet_line import read_answer_line

    [example] = blocks(DOCS / "learn.md", "json")
    assert read_answer_line(json.loads(example)).turns


def test_the_readme_names_the_two_commands() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for name in ("make demo", "make test"):
        assert name in readme
        assert f"\n{name.split()[1]}:" in makefile
