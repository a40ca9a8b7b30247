"""memoryctl admit: let candidates become facts."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from memoryctl.completing import complete_candidate
from memoryctl.deciding import exit_code, report, summary, talk
from memoryctl.options import common_options, settings_of, zero_to_one

F = TypeVar("F", bound=Callable[..., Any])


def policy_options(function: F) -> F:
    """Add the options that say how candidates are admitted."""
    options = (
        click.option(
            "--min-confidence",
            type=float,
            metavar="X",
            callback=zero_to_one,
            help="What is less sure waits (0.6).",
        ),
        click.option(
            "--queue-rest/--reject-rest", default=True, help="The rest waits, or is rejected."
        ),
        click.option("--fail-on-review", is_flag=True, help="Exit 8 when something waits."),
    )
    for option in reversed(options):
        function = option(function)
    return function


@click.command("admit", epilog="Next: memoryctl review, if something waits")
@click.argument("names", nargs=-1, metavar="[PLAN|CANDIDATE]…", shell_complete=complete_candidate)
@policy_options
@click.option("-n", "--dry-run", is_flag=True, help="Do it all and take it back.")
@common_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    names: tuple[str, ...],
    min_confidence: float | None,
    queue_rest: bool,
    fail_on_review: bool,
    dry_run: bool,
    **given: Any,
) -> int:
    """Admit candidates: those named, else all that wait to be decided in the scope.

    \b
      memoryctl admit --scope user:ana
      memoryctl admit plan_5TQH2M8X --min-confidence 0.85
      memoryctl admit cand_01M8MD3K cand_01M8MD3M

    With a plan only if the store is still as consolidate saw it; else exit code 6, and nothing is
    written.
    """
    settings = settings_of(ctx, given)
    plans = [name for name in names if name.startswith("plan_")]
    if len(plans) > 1:
        raise click.UsageError("One plan at a time.", ctx)
    candidates = [name for name in names if name not in plans]
    with settings.open(read_only=False) as memory:
        result = memory.admit(
            candidates,
            plan=plans[0] if plans else None,
            min_confidence=min_confidence,
            rest="queue" if queue_rest else "reject",
            dry_run=dry_run,
        )
    lines = [summary(result)] if result.counts else ["Nothing waits to be decided."]
    report(settings, result, lines)
    talk(settings, result)
    return exit_code(result, fail_on_review=fail_on_review, reject_rest=not queue_rest)
