"""memoryctl propose: take candidates in, to be decided later."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from memorycore import AdmitResult, Memory
from memoryctl.deciding import exit_code, refused_lines, report, stored_lines, talk
from memoryctl.options import Settings, common_options, settings_of
from memoryctl.progress import counted
from memoryctl.requesting import write_requests
from memoryctl.turns import (
    FileGiven,
    chosen_file,
    chosen_turns,
    read_lines,
    rested_on,
    take_turns,
    turn_options,
)

F = TypeVar("F", bound=Callable[..., Any])

FORMATS = ("auto", "candidates", "claims", "answers", "additive")


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
@click.option(
    "--request-only", is_flag=True, help="Print what a model would be asked; write nothing."
)
@common_options
@click.pass_context
def command(ctx: click.Context, /, request_only: bool, **given: Any) -> int:
    """Take candidates in, from what was said or from a file; consolidate and admit decide on them.

    \b
      memoryctl propose --scope user:ana
      memoryctl propose --from ana.candidates.jsonl --scope user:ana
      memoryctl propose --from suying.claims.jsonl --scope agent:suying --strict
      extractor | memoryctl propose --from - -o json
      memoryctl propose --request-only --session s42 --scope user:ana > packets.jsonl
      memoryctl propose --from answers.jsonl --scope user:ana

    --request-only prints a packet a line for those who run the model elsewhere. A line of answers
    is {"packet": …, "answer": …}, its packet as it was. memoryctl help packets says more.

    Exit code 7 says that lines were no candidates or were refused, and the rest was stored; 6 that
    --strict refused it all.
    """
    which, file = chosen_turns(given), chosen_file(given)
    settings = settings_of(ctx, given)
    if request_only:
        if file.path is not None:
            raise click.UsageError("--request-only reads turns, and --from a file: one of them.")
        with settings.open(read_only=True) as memory:
            write_requests(settings, memory, which)
        return 0
    with settings.open(read_only=False) as memory:
        if file.path is None:
            result = take_turns(settings, memory, file, which, admit=False)
        else:
            result = take_file(settings, memory, file, which)
    lines = refused_lines() if result.is_refused else stored_lines(result)
    report(settings, result, lines if file.path else [*read_lines(result), *lines])
    talk(settings, result, next_="memoryctl consolidate" if result.proposed else None)
    return exit_code(result, reject_rest=file.path is None)


def take_file(
    settings: Settings, memory: Memory, file: FileGiven, which: dict[str, Any], **options: Any
) -> AdmitResult:
    """Take a file of candidates in, with progress."""
    assert file.path is not None
    kind = "none" if settings["quiet"] else file.progress
    with counted(f"Reading {file.path}", kind=kind) as advance:
        return memory.propose_file(
            file.path,
            progress=advance,
            format=file.format,
            items=file.items,
            strict=file.strict,
            dry_run=file.dry_run,
            **rested_on(which),
            **options,
        )
