"""memoryctl forget: hide, clear, take texts away, or take everything away."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from unicodedata import normalize

import click

from memorycore import ForgetPlan, Memory, Receipt
from memorycore.errors import ConfirmationNeededError, InvalidInputError
from memoryctl.asking import ask_for, ask_yes, is_interactive
from memoryctl.forgotten import PLANS, tell_plan, tell_receipt, tell_receipts, write_mentions
from memoryctl.leading import TargetFirst
from memoryctl.options import Settings, common_options, file_options, settings_of, settings_of_file
from memoryctl.output import one_line, write_records

F = TypeVar("F", bound=Callable[..., Any])
LEVELS = ("soft", "hard", "redact", "purge")
WAYS = ("subject", "session", "query", "before", "import_")
HOW = ("reason", "ticket", "derived", "no_suppress")
RESIDUE, PENDING = 9, 7


@click.group(
    "forget",
    cls=TargetFirst,
    takes_target="what",
    epilog="More: memoryctl help forgetting",
)
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
        click.option("--import", "import_", metavar="JOB", help="What an import has brought."),
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
    ways = {name: given.pop(name) for name in WAYS}
    how = {name: given.pop(name) for name in HOW}
    settings = settings_of(ctx, given)
    if plan is not None:
        _refuse_beside_plan(ctx)
        with _open_for(settings, plan) as memory:
            planned = memory.forget_plan(plan)
            _confirm_plan(settings, planned, yes=yes, confirm=confirm)
            return _carry_out(settings, memory, planned)
    if level is None:
        raise InvalidInputError("How far is to be forgotten?", hint="--level soft")
    if target in command.commands:
        raise InvalidInputError(f"{target} comes before its options.", hint=f"forget {target} …")
    if how["derived"] == "forget" and level != "redact":
        raise InvalidInputError("--derived goes with --level redact.", hint="leave it out")
    options = {name: how[name] for name in ("reason", "ticket", "derived")}
    options |= {"level": level, "suppress": not how["no_suppress"], **ways}
    with _open_for(settings, ways["subject"]) as memory:
        # What somebody is asked about is kept, so that just that is carried out; but what is
        # refused writes nothing.
        is_kept = dry_run or is_interactive(settings)
        planned = memory.plan_forget(target, **options, keep=is_kept)
        if dry_run or planned.is_empty:
            tell_plan(settings, planned)
            return 0
        _require_consent(settings, planned, yes=yes, confirm=confirm)
        if not is_kept:
            planned = memory.plan_forget(target, **options)
        return _carry_out(settings, memory, planned)


def _open_for(settings: Settings, named: str | None) -> Memory:
    """Open the store in the scope of a plan, or of a scope that is named as the subject."""
    memory = settings.open(read_only=False)
    if named is None or settings.scope_given:
        return memory
    if named.startswith("plan_"):
        return memory.scoped(memory.scope_of(named))
    return memory.scoped(named) if ":" in named else memory


def _refuse_beside_plan(ctx: click.Context) -> None:
    """Refuse what would say once more, or otherwise, what a plan says already.

    Raises:
        InvalidInputError: something of that was given.
    """
    given = [
        name
        for name in ("target", "level", "dry_run", *WAYS, *HOW)
        if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    ]
    if given:
        raise InvalidInputError(
            f"A plan says already what is forgotten and how far; {given[0]} was given too.",
            hint="memoryctl forget --apply PLAN --confirm NAME, and nothing else",
        )


def _require_consent(
    settings: Settings, plan: ForgetPlan, *, yes: bool, confirm: str | None
) -> None:
    """Require as much as a level asks for, where no plan was named.

    Raises:
        ConfirmationNeededError: it was not given, and there is nobody to ask.
    """
    if plan.level == "soft" or (yes and plan.level != "purge"):
        return
    if plan.level != "purge" and confirm is not None and _is_named(confirm, plan.names):
        return
    if is_interactive(settings):
        tell_plan(settings, plan, carry_out=False)
        _ask(plan)
        return
    if plan.level == "purge":
        raise ConfirmationNeededError(
            "Purging needs a plan and the name, and this is not a terminal.",
            why="nothing was forgotten",
            hint="the same with --dry-run makes the plan and says how to carry it out",
        )
    raise ConfirmationNeededError(
        f"--level {plan.level} cannot be undone, and this is not a terminal.",
        why="nothing was forgotten",
        hint="--yes, or --dry-run to see what it covers",
    )


def _is_named(typed: str, names: Sequence[str | None]) -> bool:
    """Tell whether a name that was typed is one of some, however its accents are written."""
    return normalize("NFC", typed) in {normalize("NFC", name) for name in names if name}


def _confirm_plan(settings: Settings, plan: ForgetPlan, *, yes: bool, confirm: str | None) -> None:
    """Require for a plan as much as its level asks for.

    Raises:
        ConfirmationNeededError: it was not given, or another name than the plan's.
    """
    if plan.level == "soft" or (confirm is None and yes and plan.level != "purge"):
        return
    if confirm is None and is_interactive(settings):
        tell_plan(settings, plan, carry_out=False)
        _ask(plan)
    elif confirm is None or not _is_named(confirm, plan.names):
        raise ConfirmationNeededError(
            f"{plan.id} needs the name of its target, and --confirm gave "
            f"{'none' if confirm is None else 'another name'}; nothing was forgotten.",
            hint=f"memoryctl forget show {plan.id}  says which",
        )


def _ask(plan: ForgetPlan) -> None:
    """Ask at the terminal as much as a level asks for."""
    if plan.level != "purge":
        ask_yes("This cannot be undone. Go on?")
    elif not _is_named(ask_for(one_line(plan.confirm)), plan.names):
        raise click.Abort


def _carry_out(settings: Settings, memory: Memory, plan: ForgetPlan) -> int:
    receipt = memory.forget(plan)
    tell_receipt(settings, receipt)
    return code_of(receipt)


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
    with _open_for(settings, plan) as memory:
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
@file_options
@click.pass_context
def finish(ctx: click.Context, /, **given: Any) -> int:
    """Clean the file of what was forgotten, and look whether it is gone.

    \b
      memoryctl forget finish

    It is one file for all scopes. Exit code 7 says that another process still reads it.
    """
    settings = settings_of_file(ctx, given, ids=True)
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
