"""memoryctl propose: take candidates in, to be decided later."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from memorycore import AdmitResult, Memory
from memoryctl.deciding import exit_code, refused_lines, report, stored_lines, talk
from memoryctl.options import Settings, common_options, settings_of
from memoryctl.progress import counted
from memoryctl.turns import chosen_turns, read_line, take_turns, turn_options

F = TypeVar("F", bound=Callable[..., Any])

FORMATS = ("auto", "candidates", "claims")


def file_options(function: F) -> F:
    """Add the options that say where candidates come from."""
    options = (
        click.option("--from", "path", metavar="FILE|-", help="Read candidates from this file."),
        click.option(
            "--format", "format_", type=click.Choice(FORMATS), default="auto", help="Format."
        ),
        click.option("--items", metavar="EXPORT", help="The memory export that claims rest on."),
        click.option("--strict/--lenient", default=False, help="One broken rule refuses it all."),
        click.option("--progress", type=click.Choice(["auto", "plain", "none"]), default="auto"),
        click.option("-n", "--dry-run", is_flag=True, help="Do it all and take it back."),
    )
    for option in reversed(options):
        function = option(function)
    return function


@click.command("propose", epilog="The format: memoryctl help candidates")
@file_options
@turn_options
@common_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    path: str | None,
    format_: str,
    items: str | None,
    strict: bool,
    progress: str,
    dry_run: bool,
    **given: Any,
) -> int:
    """Take candidates in, from what was said or from a file; consolidate and admit decide on them.

    \b
      memoryctl propose --scope user:ana
      memoryctl propose --from ana.candidates.jsonl --scope user:ana
      memoryctl propose --from suying.claims.jsonl --scope agent:suying --strict
      extractor | memoryctl propose --from - -o json

    Exit code 7 says that lines were no candidates or were refused, and the rest was stored; 6 that
    --strict refused it all.
    """
    which = chosen_turns(given)
    settings = settings_of(ctx, given)
    if path is None:
        with settings.open(read_only=False) as memory:
            result = take_turns(settings, memory, progress, which, dry_run=dry_run, admit=False)
        report(settings, result, [read_line(result), *stored_lines(result)])
        talk(settings, result, next_="memoryctl consolidate" if result.proposed else None)
        return 0
    with settings.open(read_only=False) as memory:
        result = take_file(
            settings,
            memory,
            path,
            progress,
            format=format_,
            items=items,
            strict=strict,
            dry_run=dry_run,
        )
    report(settings, result, refused_lines() if result.is_refused else stored_lines(result))
    talk(settings, result, next_="memoryctl consolidate" if result.proposed else None)
    return exit_code(result)


def take_file(
    settings: Settings, memory: Memory, path: str, progress: str, **options: Any
) -> AdmitResult:
    """Take a file of candidates in, with progress."""
    kind = "none" if settings["quiet"] else progress
    with counted(f"Reading {path}", kind=kind) as advance:
        return memory.propose_file(path, progress=advance, **options)
