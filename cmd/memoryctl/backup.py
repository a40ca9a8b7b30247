"""memoryctl backup: copy the store into a file of its own."""

from typing import Any

import click

from memorycore import Backup
from memoryctl.leading import TargetFirst
from memoryctl.options import Settings, common_options, settings_of
from memoryctl.output import counted, episodes, one_line, write_answer
from memoryctl.progress import counted as progress_of
from memoryctl.sizes import megabytes

COLUMNS = ("path", "bytes", "took_ms", "facts", "episodes", "integrity")


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
@click.option("--progress", type=click.Choice(["auto", "plain", "none"]), default="auto")
@common_options
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
    settings = settings_of(ctx, given)
    kind = "none" if settings["quiet"] else progress
    with (
        settings.open(read_only=False) as memory,
        progress_of("Copying, in bytes", kind=kind) as advance,
    ):
        made = memory.backup(place, keep=keep, dry_run=dry_run, progress=advance)
    _tell(settings, made)


def _tell(settings: Settings, made: Backup) -> None:
    record = made.to_dict()
    held = f"{counted(made.contents.facts, 'fact')}, {episodes(made.contents.episodes)}"
    state = (
        "would be written"
        if made.dry_run
        else f"{made.took / 1e6:,.1f} s, checked: {held}, integrity ok"
    )
    lines = [f"{one_line(made.path)}   {megabytes(made.bytes)}, {state}"]
    word = "would go" if made.dry_run else "removed"
    lines += [f"{one_line(path)}   {word}" for path in made.removed]
    write_answer(settings, "\n".join(lines), [record], record, columns=COLUMNS)
    if made.dry_run:
        settings.talk("Nothing was changed.")
        return
    if made.keys:
        named = " and ".join(one_line(path) for path in made.keys)
        settings.talk(f"It holds no key. A restore on another machine also needs {named}")
    settings.talk(f"Next: memoryctl restore {one_line(made.path)} --dry-run")
