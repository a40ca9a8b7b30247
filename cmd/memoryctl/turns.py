"""Reading conversation: what learn and propose do when they are given no file."""

import os
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import click

from memorycore import AdmitResult, Memory
from memorycore.errors import InvalidConfigError
from memoryctl.options import Settings
from memoryctl.progress import counted

F = TypeVar("F", bound=Callable[..., Any])
URL = "MEMORYCORE_MODEL_URL"
KEY = "MEMORYCORE_MODEL_KEY"
KEY_FILE = "MEMORYCORE_MODEL_KEY_FILE"


MODEL_OPTIONS = (
    click.option("--model", metavar="NAME", help="Read by a model; else by sentence patterns."),
    click.option("--model-url", metavar="URL", help=f"Its OpenAI-compatible base ({URL})."),
)


class FileGiven(NamedTuple):
    """Where candidates come from, and how they are taken."""

    path: str | None
    format: str
    items: str | None
    strict: bool
    progress: str
    dry_run: bool


def turn_options(function: F) -> F:
    """Add the options that say which turns are read, and by what."""
    options = (
        click.option("--since", default="last", metavar="T|last|all", help="Which turns (last)."),
        click.option("--session", metavar="ID", help="Only turns of this session."),
        click.option("--limit", type=click.IntRange(1), help="At most so many turns."),
        *MODEL_OPTIONS,
    )
    for option in reversed(options):
        function = option(function)
    return function


def chosen_turns(given: dict[str, Any]) -> dict[str, Any]:
    """Take the options of ``turn_options`` out of what was given."""
    return {name: given.pop(name) for name in ("since", "session", "limit", "model", "model_url")}


def rested_on(which: dict[str, Any]) -> dict[str, Any]:
    """Give the turns that a file without evidence of its own is said to rest on."""
    since = which["since"]
    return {"session": which["session"], "since": None if since == "last" else since}


def chosen_file(given: dict[str, Any]) -> FileGiven:
    """Take the options of ``file_options`` out of what was given."""
    return FileGiven(
        given.pop("path"),
        given.pop("format_"),
        given.pop("items"),
        given.pop("strict"),
        given.pop("progress"),
        given.pop("dry_run"),
    )


def take_turns(
    settings: Settings,
    memory: Memory,
    file: FileGiven,
    which: dict[str, Any],
    **options: Any,
) -> AdmitResult:
    """Read turns with progress. The key of a model comes from the environment or a file only."""
    options |= which | {"dry_run": file.dry_run}
    options |= chosen_model(options.pop("model"), options.pop("model_url"))
    kind = "none" if settings["quiet"] else file.progress
    with counted("Reading turns", kind=kind) as advance:
        return memory.harvest(progress=advance, **options)


def chosen_model(name: str | None, url: str | None) -> dict[str, Any]:
    """Give what says which model reads, with its key; nothing for the sentence patterns."""
    if name is None:
        return {}
    url = url or os.environ.get(URL)
    return {"extractor": "model", "model": name, "base_url": url, "key": _key()}


def _key() -> str | None:
    path = os.environ.get(KEY_FILE)
    if not path:
        return os.environ.get(KEY)
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().strip()
    except OSError as error:
        raise InvalidConfigError(f"{KEY_FILE} cannot be read ({error.strerror}).") from error


def read_line(result: AdmitResult) -> str:
    """Say how much was read, and how much of it gave nothing: that is normal."""
    tokens = f" · {result.tokens:,} tokens" if result.tokens else ""
    return f"Read {result.turns:,} turns; {result.silent:,} gave nothing worth keeping{tokens}"
