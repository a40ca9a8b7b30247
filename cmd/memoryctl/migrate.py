"""memoryctl migrate: bring the store's schema up to date."""

from typing import Any

import click

from memorycore import Memory, MigrationPlan
from memorycore.errors import ConfirmationNeededError
from memoryctl.asking import ask_yes, is_interactive
from memoryctl.options import file_options, settings_of_file
from memoryctl.output import counted, one_line, require_fields, safe, write_records
from memoryctl.sizes import megabytes

COLUMNS = ("number", "name", "purpose")


@click.command("migrate")
@click.option("--plan", "only_plan", is_flag=True, help="Say what would be done; change nothing.")
@click.option("--yes", is_flag=True, help="Ask nothing.")
@file_options
@click.pass_context
def command(ctx: click.Context, /, only_plan: bool, yes: bool, **given: Any) -> None:
    """Bring the schema of an older store up to date; a copy of it is put beside it first.

    \b
      memoryctl migrate --plan
      memoryctl migrate --yes

    Many processes may do this at once: one does it, the others find it done.
    """
    settings = settings_of_file(ctx, given)
    require_fields(settings, COLUMNS)
    if only_plan and yes:
        raise click.UsageError("--plan changes nothing: leave --yes out.", ctx)
    path = str(settings.store.value)
    plan = Memory.plan_migration(path)
    asks = bool(plan.steps) and not only_plan and not yes
    if asks and not is_interactive(settings):
        raise ConfirmationNeededError(
            f"The schema would be changed from {plan.found} to {plan.newest}, "
            "and this is not a terminal.",
            why="nothing was changed; memoryctl migrate --plan says what it does",
            hint="memoryctl migrate --yes",
        )
    if asks:
        click.echo(_planned(plan), err=True)
        ask_yes("Go on?")
    if plan.steps and not only_plan:
        plan = Memory.migrate(path, busy_timeout=settings["busy_timeout"])
    record = plan.to_dict()
    text = _planned(plan) if only_plan or not plan.steps else _done(plan)
    write_records(
        settings,
        record["steps"],
        record,
        columns=COLUMNS,
        cards=lambda: safe(text) if plan.steps else "",
    )
    if not plan.steps:
        settings.talk(f"Schema {plan.found} is the newest: nothing to do.")
    elif only_plan:
        settings.talk("Nothing was changed. To carry it out: memoryctl migrate --yes")
    elif plan.backup:
        settings.talk(f"The copy of before is {one_line(plan.backup)}")
        settings.talk("When all is well, it may go. Next: memoryctl doctor")


def _planned(plan: MigrationPlan) -> str:
    steps = counted(len(plan.steps), "migration")
    lines = [f"schema {plan.found} → {plan.newest}, {steps}"]
    lines += [f"  {number}  {one_line(purpose)}" for number, _, purpose in plan.steps]
    return "\n".join(
        [
            *lines,
            f"  size {megabytes(plan.size)} · takes {megabytes(plan.needed)} of free disk, "
            f"{megabytes(plan.free)} are free · a copy is put beside the store first",
        ]
    )


def _done(plan: MigrationPlan) -> str:
    lines = [f"schema {plan.found} → {plan.newest}"]
    if plan.backup:
        lines.append(f"  copy of before   {one_line(plan.backup)}")
    return "\n".join(lines)
