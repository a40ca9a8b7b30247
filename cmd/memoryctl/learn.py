"""memoryctl learn: propose, consolidate and admit in one go."""

from typing import Any

import click

from memoryctl.admit import policy_options
from memoryctl.deciding import exit_code, refused_lines, report, summary, talk
from memoryctl.options import common_options, settings_of
from memoryctl.propose import file_options, take_file
from memoryctl.turns import chosen_file, chosen_turns, read_lines, take_turns, turn_options


@click.command("learn", epilog="The format: memoryctl help candidates")
@file_options
@turn_options
@policy_options
@common_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
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
    which, file = chosen_turns(given), chosen_file(given)
    settings = settings_of(ctx, given)
    policy = {"min_confidence": min_confidence, "rest": "queue" if queue_rest else "reject"}
    with settings.open(read_only=False) as memory:
        if file.path is None:
            result = take_turns(settings, memory, file, which, **policy)
        else:
            result = take_file(settings, memory, file, which, learn=True, **policy)
    lines = refused_lines() if result.is_refused else [summary(result)]
    report(settings, result, lines if file.path else [*read_lines(result), *lines])
    talk(settings, result, next_='memoryctl search "…"' if result.admitted else None)
    reject_rest = file.path is None or not queue_rest
    return exit_code(result, fail_on_review=fail_on_review, reject_rest=reject_rest)
