"""memoryctl backup: copy the store into a file of its own."""

import shlex
from typing import Any

import click

from memorycore import Backup, KnownBackup
from memoryctl.leading import TargetFirst
from memoryctl.moments import local
from memoryctl.options import Settings, file_options, settings_of_file
from memoryctl.output import counted, episodes, one_line, require_fields, safe, write_records
from memoryctl.progress import counted as progress_of
from memoryctl.progress import progress_option
from memoryctl.sizes import megabytes

LISTED = ("path", "made_at", "removed_at", "there", "forgotten_after")
COLUMNS = ("path", "bytes", "took_ms", "facts", "episodes", "integrity")
FIELDS = (*COLUMNS, "schema", "ok", "dry_run", "made_at", "store_schema", "keys", "removed")


@click.group("backup", cls=TargetFirst, takes_target="into")
def command() -> None:
    """Copy the store into a file of its own, checked and sealed.

    \b
      memoryctl backup ~/backups --keep 14
      memoryctl backup ./before-the-move.db
      memoryctl backup list

    The options of a backup: memoryctl backup into --help
    """


@command.command("into")
@click.argument("place", metavar="FOLDER|FILE")
@click.option("--keep", type=int, metavar="N", help="Let all but the N newest in FOLDER go.")
@click.option("-n", "--dry-run", is_flag=True, help="Say what would be done; write nothing.")
@progress_option
@file_options
@click.pass_context
def into(
    ctx: click.Context,
    /,
    place: str,
    keep: int | None,
    dry_run: bool,
    progress: str,
    **given: Any,
) -> None:
    """Make a backup (the word "into" can be left out); others may write meanwhile.

    \b
      memoryctl backup ~/backups             a file named by the time, in that folder
      memoryctl backup ./before-the-move.db  just that file
      memoryctl backup ~/backups --keep 14   and the oldest of this store beyond 14 go

    A name without an ending is a folder, made if it is missing. A file that exists is never
    written over. The key files are in no backup: keep them elsewhere.
    """
    settings = settings_of_file(ctx, given)
    require_fields(settings, FIELDS)
    if place in command.commands:
        raise click.UsageError(
            f"Options of memoryctl backup {place} come last; a folder of that name is ./{place}",
            ctx,
        )
    if place == "-":
        raise click.UsageError("A backup is a file, and never goes to standard output.", ctx)
    kind = "none" if settings["quiet"] else progress
    with (
        settings.open(read_only=False) as memory,
        progress_of("Copying, in bytes", kind=kind) as advance,
    ):
        made = memory.backup(place, keep=keep, dry_run=dry_run, progress=advance)
    _tell(settings, made)


@command.command("list")
@file_options
@click.pass_context
def listed(ctx: click.Context, /, **given: Any) -> None:
    """List the copies that this store knows of, oldest first.

    \b
      memoryctl backup list
      memoryctl backup list -o csv

    A copy that was moved or deleted by hand stays in the list, and shows as not there. The
    last column counts the forgettings since, which a restore of that copy carries out again.
    """
    settings = settings_of_file(ctx, given)
    with settings.open(read_only=True) as memory:
        known = memory.backups()
        zone = memory.time_zone
    records = [one.to_dict() for one in known]
    document = {"schema": "memorycore.backups.v1", "ok": True, "backups": records}

    def cards() -> str:
        return "\n".join(
            _card(one, record, zone) for one, record in zip(known, records, strict=True)
        )

    write_records(settings, records, document, columns=LISTED, cards=cards)
    if not known:
        settings.talk("No copy is known. Next: memoryctl backup FOLDER")


def _card(one: KnownBackup, record: dict[str, Any], zone: str) -> str:
    state = "removed" if one.removed_at is not None else "there" if one.is_there else "not there"
    line = f"{local(record['made_at'], zone)}  {state:<9}  {one_line(one.path)}"
    if one.removed_at is None and one.forgotten_after:
        line += f"   older than {counted(one.forgotten_after, 'forgetting')}"
    return line


def _tell(settings: Settings, made: Backup) -> None:
    record = made.to_dict()
    held = f"{counted(made.contents.facts, 'fact')}, {episodes(made.contents.episodes)}"
    state = (
        "would be written"
        if made.dry_run
        else f"{made.took / 1e6:,.1f} s, checked: {held}, pages and links ok"
    )
    lines = [f"{one_line(made.path)}   {megabytes(made.bytes)}, {state}"]
    word = "would go" if made.dry_run else "removed"
    lines += [f"{one_line(path)}   {word}" for path in made.removed]
    write_records(settings, [record], record, columns=COLUMNS, cards=lambda: safe("\n".join(lines)))
    if made.dry_run:
        settings.talk("Nothing was changed.")
        return
    if made.keys:
        named = " and ".join(one_line(path) for path in made.keys)
        settings.talk(f"It holds no key. A restore on another machine also needs {named}")
    settings.talk(f"Next: memoryctl restore {shlex.quote(one_line(made.path))} --dry-run")
