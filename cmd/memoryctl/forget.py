"""memoryctl forget: hide, clear, take texts away, or take everything away."""

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from memorycore import ForgetPlan, Memory, Receipt
from memorycore.errors import ConfirmationNeededError, InvalidInputError
from memoryctl.forgotten import tell_plan, tell_receipt, tell_receipts, write_mentions
from memoryctl.options import Settings, common_options, settings_of
from memoryctl.output import one_line, write_records

F = TypeVar("F", bound=Callable[..., Any])
LEVELS = ("soft", "hard", "redact", "purge")
PLANS = ("id", "level", "target", "scope", "confirm", "reason", "ticket", "made_at")
RESIDUE, PENDING = 9, 7


class _TargetFirst(click.Group):
    """A group that takes a target where a subcommand could stand: ids never look like one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        is_help = bool(args) and args[0] in ctx.help_option_names
        if args and args[0] not in self.commands and not is_help:
            args = ["what", *args]
        return super().parse_args(ctx, args)


@click.group("forget", cls=_TargetFirst, epilog="More: memoryctl help forgetting")
def command() -> None:
    """Forget: soft hides, hard clears what a fact says, redact takes texts, purge takes everything.

    \b
      memoryctl forget fct_01M8MD3V --level soft
      memoryctl forget fct_01M8MD3V --level hard --yes
      memoryctl forget --subject user:ana --level purge --reason gdpr-17 --dry-run --scope user:ana
      memoryctl forget --apply plan_01M8ME10 --confirm user:ana --scope user:ana
      memoryctl forget finish

    The options of a forgetting: memoryctl forget what --help
    """


def target_options(function: F) -> F:
    """Add the options that say what is forgotten, and how far."""
    options = (
        click.option("--subject", metavar="NAME", help="Somebody, or the scope as a whole."),
        click.option("--session", metavar="ID", help="All that was said in a session."),
        click.option("--query", metavar="WORDS", help="All that holds all these words."),
        click.option("--before", metavar="T", help="All that was over at a time."),
        click.option("--level", type=click.Choice(LEVELS), help="How far."),
        click.option("--reason", default="user-requested", show_default=True, metavar="CODE"),
        click.option("--ticket", metavar="CODE", help="A number of yours, for the receipt."),
        click.option("--no-suppress", is_flag=True, help="Let the same come in again."),
        click.option("--derived", type=click.Choice(["keep", "forget"]), default="keep",
                     show_default=True, help="Facts that rest only on a redacted text."),
        click.option("-n", "--dry-run", is_flag=True, help="Only make the plan."),
        click.option("--yes", is_flag=True, help="Ask nothing (hard and redact)."),
        click.option("--apply", "plan", metavar="PLAN", help="Carry a plan out."),
        click.option("--confirm", metavar="NAME", help="The target's id or name."),
    )  # fmt: skip
    for option in reversed(options):
        function = option(function)
    return function


@command.command("what")
@click.argument("target", required=False)
@target_options
@common_options
@click.pass_context
def what(
    ctx: click.Context,
    /,
    target: str | None,
    plan: str | None,
    level: str | None,
    dry_run: bool,
    yes: bool,
    confirm: str | None,
    **given: Any,
) -> int:
    """Forget a target (the word "what" can be left out).

    \b
      memoryctl forget ep_01M8MD3V --level redact --derived forget --yes
      memoryctl forget --session s-42 --level soft
      memoryctl forget --before 2024-01-01 --level purge --dry-run

    Exit code 7 says that the file could not be cleaned yet, 9 that something was found afterwards.
    """
    names = ("subject", "session", "query", "before")
    asked = {name: given.pop(name) for name in names}
    options = {name: given.pop(name) for name in ("reason", "ticket", "derived")}
    options["suppress"] = not given.pop("no_suppress")
    settings = settings_of(ctx, given)
    with settings.open(read_only=False) as memory:
        if plan is not None:
            planned = memory.forget_plan(plan)
        else:
            if level is None:
                raise InvalidInputError("How far is to be forgotten?", hint="--level soft")
            planned = memory.plan_forget(target, level=level, **asked, **options)
        if planned.is_empty:
            settings.talk("There is nothing of that to forget; nothing was changed.")
            return 0
        if dry_run:
            tell_plan(settings, planned)
            return 0
        _confirm(settings, planned, yes=yes, confirm=confirm, is_named=plan is not None)
        receipt = memory.forget(planned)
    tell_receipt(settings, receipt)
    return code_of(receipt)


def _confirm(
    settings: Settings, plan: ForgetPlan, *, yes: bool, confirm: str | None, is_named: bool
) -> None:
    """Ask as much as the level asks for.

    Raises:
        ConfirmationNeededError: it was not given, and there is nobody to ask.
    """
    if plan.level == "soft" or (plan.level != "purge" and yes):
        return
    if confirm is not None and confirm in plan.names and (is_named or plan.level != "purge"):
        return
    if confirm is not None and is_named:
        raise ConfirmationNeededError(
            f"{plan.id} is of another name than the one that was typed; nothing was forgotten.",
            hint=f"memoryctl forget show {plan.id}  says which",
        )
    if not sys.stdin.isatty():
        raise _unconfirmed(plan)
    tell_plan(settings, plan, carry_out=False)
    if plan.level == "purge":
        asked = f"Type {one_line(plan.confirm)} to go on"
        typed = click.prompt(asked, err=True, default="", prompt_suffix=": ")
        if typed not in plan.names:
            raise click.Abort
    else:
        click.confirm("This cannot be undone. Go on?", abort=True, err=True)


def _unconfirmed(plan: ForgetPlan) -> ConfirmationNeededError:
    if plan.level == "purge":
        return ConfirmationNeededError(
            "Purging needs a plan and the name, and this is not a terminal.",
            why=f"nothing was forgotten; {plan.id} says what it would take with it",
            hint=f"memoryctl forget show {plan.id}, then memoryctl forget --apply {plan.id} "
            "--confirm NAME",
        )
    return ConfirmationNeededError(
        f"--level {plan.level} cannot be undone, and this is not a terminal.",
        why="nothing was forgotten",
        hint="--yes, or --dry-run to see what it covers",
    )


def code_of(receipt: Receipt) -> int:
    """Give the exit code of a forgetting."""
    if receipt.verification is not None and receipt.verification.found:
        return RESIDUE
    return 0 if receipt.is_settled else PENDING


@command.command("plans")
@common_options
@click.pass_context
def plans(ctx: click.Context, /, **given: Any) -> None:
    """List the plans that were not carried out, newest first."""
    settings = settings_of(ctx, given)
    with settings.open(read_only=True) as memory:
        found = memory.forget_plans()
    records = [plan.to_dict() for plan in found]
    document = {"schema": "memorycore.forget_plans.v1", "ok": True, "plans": records}
    write_records(
        settings,
        records,
        document,
        columns=PLANS,
        cards=lambda: "\n".join(f"{plan.id}  {plan.level} {plan.kind}" for plan in found),
    )
    if not found:
        settings.talk("There is no plan. memoryctl forget … --dry-run  makes one")


@command.command("show")
@click.argument("plan")
@click.option("--decide", is_flag=True, help="Show the sentences of others that name the target.")
@common_options
@click.pass_context
def show(ctx: click.Context, /, plan: str, decide: bool, **given: Any) -> None:
    """Show a plan with what it covers now; with --decide what others say of the target.

    What others say stays unless it is forgotten too, one by one, by its id.
    """
    settings = settings_of(ctx, given)
    with settings.open(read_only=True) as memory:
        planned = memory.forget_plan(plan)
        if decide:
            write_mentions(settings, _mentioned(memory, planned))
            return
    tell_plan(settings, planned)


def _mentioned(memory: Memory, plan: ForgetPlan) -> list[dict[str, Any]]:
    """Read what others say of the target; what is hidden already is not shown."""
    from memorycore.errors import NotFoundError

    found = []
    for id_ in plan.mentions:
        try:
            found.append({"id": id_, "text": memory.get(id_).text})  # type: ignore[union-attr]
        except NotFoundError:
            continue
    return found


@command.command("finish")
@common_options
@click.pass_context
def finish(ctx: click.Context, /, **given: Any) -> int:
    """Clean the file of what was forgotten, and look whether it is gone.

    It is one file for all scopes. Exit code 7 says that another process still reads it.
    """
    settings = settings_of(ctx, given)
    with settings.open(read_only=False) as memory:
        before = memory.pending_forgetting()
        if before:
            settings.talk("Cleaning the file; a large one takes a while.")
        done = memory.finish_forgetting(all_scopes=True)
        left = memory.pending_forgetting()
    tell_receipts(settings, done)
    if not before:
        settings.talk("Nothing is pending.")
    if left:
        settings.talk(
            "Another process reads the store. When it has closed: memoryctl forget finish"
        )
        return PENDING
    return max((code_of(receipt) for receipt in done), default=0)
