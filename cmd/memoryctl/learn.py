"""memoryctl learn: propose, consolidate and admit in one go."""

from typing import Any

import click

from memoryctl.admit import policy_options
from memoryctl.deciding import exit_code, refused_lines, report, summary, talk
from memoryctl.options import common_options, settings_of
from memoryctl.propose import file_options, take_file
from memoryctl.turns import chosen_turns, read_line, take_turns, turn_options


@click.command("learn", epilog="The format: memoryctl help candidates")
@file_options
@turn_options
@policy_options
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
    min_confidence: float | None,
    queue_rest: bool,
    fail_on_review: bool,
    **given: Any,
) -> int:
    """Learn facts: from what was said since the last time, or from the candidates of a file.

    \b
      memoryctl learn --scope user:ana
      memoryctl learn --model qwen3-8b --model-url http://localhost:11434/v1 --scope user:ana
      memoryctl learn --from ana.candidates.jsonl --scope user:ana
      memoryctl learn --from suying.claims.jsonl --scope agent:suying --min-confidence 0.8

    When it is interrupted, what was committed stands and the same command adds what is missing.
    All of one run is one operation, and undo takes it back as a whole.
    """
    which = chosen_turns(given)
    settings = settings_of(ctx, given)
    policy = {"min_confidence": min_confidence, "rest": "queue" if queue_rest else "reject"}
    if path is None:
        with settings.open(read_only=False) as memory:
            result = take_turns(settings, memory, progress, which, dry_run=dry_run, **policy)
        report(settings, result, [read_line(result), summary(result)])
        talk(settings, result, next_='memoryctl search "…"' if result.admitted else None)
        return exit_code(result, fail_on_review=fail_on_review, reject_rest=True)
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
            learn=True,
            **policy,
        )
    report(settings, result, refused_lines() if result.is_refused else [summary(result)])
    talk(settings, result, next_='memoryctl search "…"' if result.admitted else None)
    return exit_code(result, fail_on_review=fail_on_review, reject_rest=not queue_rest)
