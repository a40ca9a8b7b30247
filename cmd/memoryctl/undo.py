"""memoryctl undo: take an operation back."""

from typing import Any

import click

from memoryctl.completing import complete_operation
from memoryctl.options import common_options, settings_of
from memoryctl.output import episodes, write_text


@click.command("undo")
@click.argument("operation", required=False, metavar="[OP]", shell_complete=complete_operation)
@click.option("-n", "--dry-run", is_flag=True, help="Do it and take it back.")
@common_options
@click.pass_context
def command(ctx: click.Context, /, operation: str | None, dry_run: bool, **given: Any) -> None:
    """Take an operation back: the one named, else the newest of the scope that stands.

    What was ingested is withdrawn: out of search and out of every listing, and free to come in
    again. Its text stays in the file until it is purged. An undo can be taken back the same way.
    """
    settings = settings_of(ctx, given)
    with settings.open(read_only=False) as memory:
        result = memory.undo(operation, dry_run=dry_run, all_scopes=not settings.scope_given)
    changed = []
    if result.withdrawn or not result.restored:
        changed.append(f"{episodes(result.withdrawn)} withdrawn")
    if result.restored:
        changed.append(f"{episodes(result.restored)} standing again")
    verb = "Would undo" if dry_run else "Undone"
    write_text(settings, f"{verb} {result.undone.id}: {', '.join(changed)}.", result.to_dict())
    if dry_run:
        settings.talk("Nothing was changed.")
    else:
        talk = f"{result.operation.id}   take this back: memoryctl undo {result.operation.id}"
        settings.talk(talk)
