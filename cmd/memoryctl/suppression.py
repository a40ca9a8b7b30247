"""memoryctl suppression: what may not come back, and letting it come back."""

import os
import shlex
from typing import Any

import click

from memorycore.errors import ConfirmationNeededError
from memoryctl.asking import ask_for, is_interactive
from memoryctl.options import common_options, file_options, settings_of, settings_of_file
from memoryctl.output import counted, write_records, write_text

COLUMNS = ("id", "kind", "level", "receipt", "scope", "at")


@click.group("suppression")
def command() -> None:
    """List what the store was told to forget and keeps from coming back, and lift it.

    \b
      memoryctl suppression list --scope user:ana
      memoryctl suppression lift rcpt_01M8ME10 --scope user:ana
    """


@command.command("list")
@click.option("--limit", type=click.IntRange(1), default=1000, show_default=True)
@common_options
@click.pass_context
def list_(ctx: click.Context, /, limit: int, **given: Any) -> None:
    """List what is kept out of the scope that is given, else of all.

    \b
      memoryctl suppression list
      memoryctl suppression list --scope user:ana -o csv

    It is one line for each statement, whatever its names, and for each text. None says what.
    """
    settings = settings_of(ctx, given)
    with settings.open(read_only=True) as memory:
        found = memory.suppressions(limit=limit, all_scopes=not settings.scope_given)
    records = [one.to_dict() for one in found]
    document = {"schema": "memorycore.suppressions.v1", "ok": True, "suppressions": records}
    write_records(
        settings,
        records,
        document,
        columns=COLUMNS,
        cards=lambda: "\n".join(
            f"{one['id']}  {one['kind']}  by {one['receipt']}" for one in records
        ),
    )
    if found:
        settings.talk(f"Let one come in again: memoryctl suppression lift {records[0]['id']}")
        settings.talk(f"Let all of a receipt: memoryctl suppression lift {records[0]['receipt']}")
    else:
        settings.talk("Nothing is kept from coming in.")


@command.command("lift")
@click.argument("what", metavar="RECEIPT|ID")
@click.option("-n", "--dry-run", is_flag=True, help="Do it and take it back.")
@common_options
@click.pass_context
def lift(ctx: click.Context, /, what: str, dry_run: bool, **given: Any) -> None:
    """Let come in again what a receipt, or one suppression, keeps out. It brings nothing back.

    \b
      memoryctl suppression lift rcpt_01M8ME10
      memoryctl suppression lift sup_01M8P4Z0 --dry-run
    """
    settings = settings_of(ctx, given)
    with settings.open(read_only=False) as memory:
        if not settings.scope_given:
            memory = memory.scoped(memory.scope_of(what))
        operation, count = memory.lift(what, dry_run=dry_run)
    verb = "Would lift" if dry_run else "Lifted"
    document = {
        "schema": "memorycore.lift.v1",
        "ok": True,
        "dry_run": dry_run,
        "lifted": count,
        "operation": None if dry_run else operation.id,
    }
    write_text(settings, f"{verb} {counted(count, 'fingerprint')}.", document)
    if dry_run:
        settings.talk("Nothing was changed.")
    else:
        settings.talk(f"{operation.id}   take this back: memoryctl undo {operation.id}")


@command.command("destroy-key")
@click.option("--confirm", metavar="NAME", help="The file name of the store.")
@file_options
@click.pass_context
def destroy_key(ctx: click.Context, /, confirm: str | None, **given: Any) -> None:
    """Destroy the key of all fingerprints, and them: everything may come in again, in every scope.

    \b
      memoryctl suppression destroy-key --confirm memory.db

    Nothing that is left then says anything of what was forgotten. This cannot be undone.
    """
    settings = settings_of_file(ctx, given)
    name = os.path.basename(str(settings.store.value))
    if confirm is None and is_interactive(settings):
        confirm = ask_for(name)
    if confirm != name:
        raise ConfirmationNeededError(
            "Destroying the key lets everything that was forgotten come in again, in every scope.",
            why="nothing was changed",
            hint=f"memoryctl suppression destroy-key --confirm {shlex.quote(name)}",
        )
    with settings.open(read_only=False) as memory:
        count = memory.destroy_suppression_key()
    document = {"schema": "memorycore.key_destroyed.v1", "ok": True, "fingerprints": count}
    text = f"The key and {counted(count, 'fingerprint')} are gone. This cannot be undone."
    write_text(settings, text, document)
