"""Reading conversation: what learn and propose do when they are given no file."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import click

from memorycore import AdmitResult, Memory
from memoryctl.models import asked_model, model_options
from memoryctl.options import Settings
from memoryctl.output import counted
from memoryctl.progress import counted as showing

F = TypeVar("F", bound=Callable[..., Any])


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
        *model_options("Read by a model, or the configured one; else by sentence patterns."),
        click.option(
            "--additive", is_flag=True, help="Ask for free texts, as Mem0 does; each waits."
        ),
        click.option(
            "--context",
            type=click.File(encoding="utf-8"),
            multiple=True,
            metavar="FILE",
            help="A document that helps a model to understand, and is no evidence.",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


def chosen_turns(given: dict[str, Any]) -> dict[str, Any]:
    """Take the options of ``turn_options`` out of what was given."""
    documents = given.pop("context")
    try:
        context = tuple(document.read() for document in documents)
    except UnicodeDecodeError as error:
        raise click.BadParameter("a document is not valid UTF-8", param_hint="--context") from error
    return {name: given.pop(name) for name in ("since", "session", "limit", "additive")} | {
        "context": context
    }


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
    """Read turns with progress, by a model only where the call itself names one."""
    model = asked_model(settings)
    if (which["additive"] or which["context"]) and not model:
        raise click.UsageError("--additive and --context are for a model: they need --model.")
    options |= which | {"dry_run": file.dry_run} | model
    kind = "none" if settings["quiet"] else file.progress
    with showing("Reading turns", kind=kind) as advance:
        return memory.harvest(progress=advance, **options)


def read_lines(result: AdmitResult) -> list[str]:
    """Say how much was read, how much of it gave nothing (that is normal), and what it cost."""
    lines = [f"Read {result.turns:,} turns; {result.silent:,} gave nothing worth keeping"]
    spent = result.spent
    if spent.calls:
        told = f"{spent.prompt_tokens:,} tokens in, {spent.completion_tokens:,} out"
        tokens = told if spent.tokens else "tokens not told"
        cost = f"{counted(spent.calls, 'answer')} ({spent.form}) · {tokens}"
        lines.append(f"  model           {cost} · {spent.ms / 1000:,.1f} s")
    if result.unread:
        lines.append(
            f"  not answered    {result.unread:,}   no readable answer; --since all asks again"
        )
    return lines
