"""memoryctl restore: put a backup in the store's place."""

import os
import shlex
from collections.abc import Sequence
from typing import Any

import click

from memorycore import Memory, Restored
from memorycore.errors import ConfirmationNeededError
from memoryctl.asking import ask_for, is_interactive
from memoryctl.moments import local
from memoryctl.options import Settings, file_options, settings_of_file
from memoryctl.output import counted, episodes, one_line, require_fields, safe, write_records
from memoryctl.places import local_time_zone
from memoryctl.progress import counted as progress_of
from memoryctl.progress import progress_option

COLUMNS = ("path", "backup", "made_at", "facts", "episodes", "kept", "repeated", "facts_before",
           "episodes_before")  # fmt: skip
FIELDS = (*COLUMNS, "schema", "ok", "dry_run", "later_forgettings_known", "replayed", "settled",
          "missing_keys")  # fmt: skip
RESIDUE = 9
SHOWN = 5


@click.command("restore", epilog="More: memoryctl help forgetting")
@click.argument("file")
@click.option("--to", metavar="NEW", help="Put it into a new file, and leave the store alone.")
@click.option(
    "--no-replay-forgets",
    "no_replay",
    metavar="REASON",
    help="Do not forget again what was forgotten since; the code says why, and is kept.",
)
@click.option("-n", "--dry-run", is_flag=True, help="Try it on a copy, and say what would be done.")
@click.option("--confirm", metavar="NAME", help="The name of the file that is replaced: memory.db.")
@progress_option
@file_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    file: str,
    to: str | None,
    no_replay: str | None,
    dry_run: bool,
    confirm: str | None,
    progress: str,
    **given: Any,
) -> int:
    """Put a backup in the store's place; what was forgotten since is forgotten again first.

    \b
      memoryctl restore ~/backups/memory-20261101T020000Z.db --dry-run
      memoryctl restore ~/backups/memory-20261101T020000Z.db --confirm memory.db
      memoryctl restore ~/backups/memory-20261101T020000Z.db --to ./then.db

    The backup is only read. The store that was there is kept beside it as FILE.before-restore. No
    other program may have the store open meanwhile. --dry-run checks the backup, forgets in a copy
    that is thrown away, and says what would be left. Which backups there are: memoryctl backup list
    """
    settings = settings_of_file(ctx, given)
    require_fields(settings, FIELDS)
    _refuse_senseless(ctx, file, to, confirm)
    path = str(settings.store.value)
    asked: dict[str, Any] = {
        "to": to,
        "no_replay": no_replay,
        "busy_timeout": settings["busy_timeout"],
        "actor": "memoryctl",
    }
    replaces = to is None and os.path.isfile(path)
    kind = "none" if settings["quiet"] else progress
    if dry_run or (replaces and confirm is None and is_interactive(settings)):
        with progress_of("Trying on a copy, in bytes", kind=kind) as advance:
            planned = Memory.restore(file, path, dry_run=True, progress=advance, **asked)
        if dry_run:
            _tell(settings, planned)
            settings.talk("Nothing was changed. To carry it out: " + _command(planned, no_replay))
            return 0
        click.echo(_planned(planned), err=True)
        confirm = ask_for(one_line(os.path.basename(path)))
    if replaces:
        _require_name(path, confirm, [file, *_unreplayed(no_replay)])
    with progress_of("Copying, in bytes", kind=kind) as advance:
        done = Memory.restore(file, path, progress=advance, **asked)
    _tell(settings, done)
    _tell_next(settings, done)
    return 0 if done.is_settled else RESIDUE


def _refuse_senseless(ctx: click.Context, file: str, to: str | None, confirm: str | None) -> None:
    """Refuse what means nothing together.

    Raises:
        click.UsageError: it does.
    """
    if "-" in (file, to):
        raise click.UsageError("A backup is a file, and so is what it becomes: not -.", ctx)
    if to is not None and confirm is not None:
        raise click.UsageError("--to replaces no store, so there is nothing to --confirm.", ctx)


def _unreplayed(no_replay: str | None) -> list[str]:
    return [] if no_replay is None else ["--no-replay-forgets", no_replay]


def _require_name(path: str, typed: str | None, asked: Sequence[str]) -> None:
    """Require the name of the file that is replaced.

    Raises:
        ConfirmationNeededError: it was not given, or another.
    """
    name = os.path.basename(path)
    if typed != name:
        given = "is needed" if typed is None else "is not what was typed"
        restore = f"memoryctl restore {shlex.join(asked)}"
        raise ConfirmationNeededError(
            f"It replaces {path}, whose name {given}; nothing was changed.",
            why=f"what it would do: {restore} --dry-run",
            hint=f"{restore} --confirm {shlex.quote(name)}",
        )


def _some(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - SHOWN:,} more" if len(ids) > SHOWN else ""
    return ", ".join(ids[:SHOWN]) + more


def _command(planned: Restored, no_replay: str | None) -> str:
    words = ["memoryctl", "restore", planned.backup]
    words += _unreplayed(no_replay)
    name = os.path.basename(planned.path)
    words += ["--to", planned.path] if planned.kept is None else ["--confirm", name]
    return " ".join(shlex.quote(word) for word in words)


def _planned(planned: Restored) -> str:
    lines = []
    if planned.repeated:
        lines.append(
            f"This backup is older than {counted(len(planned.repeated), 'forgetting')} "
            f"({_some(planned.repeated)}), carried out again before the store opens."
        )
    if planned.before is not None:
        lines.append(
            f"It replaces {one_line(planned.path)} ({_change(planned)}); "
            f"today's file is kept as {os.path.basename(planned.kept or '')}."
        )
    return "\n".join(lines)


def _change(done: Restored) -> str:
    """Say what is held now and after; where nothing is replaced, what is held."""
    before, after = done.before, done.contents
    if before is None:
        return f"{counted(after.facts, 'fact')}, {episodes(after.episodes)}"
    facts = f"{before.facts:,} → {counted(after.facts, 'fact')}"
    return f"{facts}, {before.episodes:,} → {episodes(after.episodes)}"


def _tell(settings: Settings, done: Restored) -> None:
    record = done.to_dict()
    would = "would be " if done.dry_run else ""
    zone = settings["time_zone"] or local_time_zone()
    lines = [
        f"{one_line(done.path)}   {would}restored: {_change(done)}, integrity ok",
        f"  from       {one_line(done.backup)}, "
        f"which ends {local(record['made_at'], zone, seconds=True)}",
    ]
    if done.kept is not None:
        lines.append(f"  before     {would}kept as {one_line(done.kept)}")
    if done.repeated:
        took = counted(len(done.repeated), "forgetting")
        lines.append(
            f"  forgotten  {would}again what {took} took since the backup: {_some(done.repeated)}"
        )
    elif done.knows_later and done.is_replayed:
        lines.append("  forgotten  nothing since the backup")
    write_records(settings, [record], record, columns=COLUMNS, cards=lambda: safe("\n".join(lines)))
    if not done.is_replayed:
        settings.talk("What was forgotten since the backup is in it again, as you asked.")
    elif not done.knows_later:
        settings.talk("No store is there that could say what was forgotten after this backup.")
    for key in done.missing_keys:
        settings.talk(f"{one_line(key)} is missing: without it the store can only be read.")


def _tell_next(settings: Settings, done: Restored) -> None:
    if not done.is_settled:
        settings.talk("Some of what was forgotten is still in the file: memoryctl receipts list")
    elif done.kept is not None:
        settings.talk("When all is well, the file from before may go. Next: memoryctl doctor")
    else:
        settings.talk(f"Next: memoryctl stats --db {shlex.quote(done.path)}")
