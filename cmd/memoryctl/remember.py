"""memoryctl remember: keep one sentence now."""

import sys
from typing import Any

import click

from memorycore import AdmitResult, Fact, Memory
from memorycore.errors import SecretRefusedError
from memoryctl.completing import complete_predicate
from memoryctl.deciding import COLUMNS, document_of, exit_code, talk
from memoryctl.facts import fact_card
from memoryctl.ingest import not_empty
from memoryctl.options import Settings, common_options, settings_of
from memoryctl.output import one_line, write_answer


@click.command("remember", epilog="What a predicate means: memoryctl predicate show NAME")
@click.argument("text", required=False, metavar="TEXT|-")
@click.option("--about", metavar="ENTITY", callback=not_empty, help="Whom it speaks of.")
@click.option(
    "--predicate", metavar="P", shell_complete=complete_predicate, help="What it says: lives_in."
)
@click.option("--object", "object_", metavar="O", callback=not_empty, help="And the value.")
@click.option("--valid-from", metavar="T", help="True since: an ISO date, now, or -3d.")
@click.option("--valid-to", metavar="T", help="True until.")
@click.option("--at", metavar="T", help="When it was said; else now.")
@click.option("--session", metavar="ID", callback=not_empty, help="Session of the sentence.")
@click.option("--pin", is_flag=True, help="Always worth telling.")
@click.option("-n", "--dry-run", is_flag=True, help="Do it and take it back.")
@common_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    text: str | None,
    about: str | None,
    predicate: str | None,
    object_: str | None,
    valid_from: str | None,
    valid_to: str | None,
    at: str | None,
    session: str | None,
    pin: bool,
    dry_run: bool,
    **given: Any,
) -> int:
    """Keep one sentence now, as an episode and as the fact that it states.

    \b
      memoryctl remember "我不喜欢早上八点开会" --scope user:lin
      memoryctl remember "I moved to Porto in May" --about Ana --predicate lives_in \\
        --object Porto --valid-from 2026-05 --scope user:ana

    Without --predicate it is kept as a note, in its own words.
    """
    settings = settings_of(ctx, given)
    if text is None:
        click.echo(ctx.get_help(), err=True)
        return 2
    with settings.open(read_only=False) as memory:
        result = _remember(
            memory,
            sys.stdin.read().strip() if text == "-" else text,
            about=about,
            predicate=predicate,
            object=object_,
            valid_from=valid_from,
            valid_to=valid_to,
            at=at,
            session=session,
            pin=pin,
            dry_run=dry_run,
        )
        lines = _lines(settings, memory, result)
    records = [{"id": one.fact or one.candidate, **one.to_dict()} for one in result.outcomes]
    write_answer(settings, "\n".join(lines), records, document_of(result), columns=COLUMNS)
    talk(settings, result)
    return exit_code(result)


def _remember(memory: Memory, text: str, **fields: Any) -> AdmitResult:
    try:
        return memory.remember(text, **fields)
    except SecretRefusedError as error:
        raise SecretRefusedError(
            error.message,
            why=error.why,
            hint="take it out of the sentence, or MEMORYCORE_ON_SECRET=mask",
        ) from error


def _lines(settings: Settings, memory: Memory, result: AdmitResult) -> list[str]:
    if not result.outcomes:
        return ["That was remembered before, word for word."]
    outcome = result.outcomes[0]
    text, because = one_line(outcome.text), outcome.to_dict()["because"]
    why = ": ".join(filter(None, [text, because]))
    if outcome.decision.reason == "suppressed":
        return [f"Kept nothing: {why}"]
    if outcome.decision.kind == "reject":
        return [f"Kept the sentence, but no fact: {why}"]
    if outcome.decision.kind == "review":
        return [f"Kept the sentence; the fact waits for review: {why}"]
    verb = "Would remember" if result.dry_run else "Remembered"
    lines = [f"{verb}: {text}"]
    if outcome.decision.reason not in ("new", "coexists"):
        lines.append(f"  {because}" + _meets(outcome.target_text))
    if outcome.fact is not None and not result.dry_run:
        found = memory.get(outcome.fact)
        if isinstance(found, Fact):
            lines.append(click.unstyle(fact_card(settings, found)))
    return lines


def _meets(target: str | None) -> str:
    return "" if target is None else f" ({one_line(target)})"
