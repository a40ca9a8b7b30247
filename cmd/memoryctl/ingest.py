"""memoryctl ingest: take conversations in."""

import shlex
import sys
from typing import Any

import click

from memorycore import IngestResult
from memoryctl.options import Settings, common_options, settings_of
from memoryctl.output import episodes, form_of, safe, write_json
from memoryctl.progress import counted, progress_option

FORMATS = ("auto", "jsonl", "chat", "text", "mem0")
LISTED = 5


def not_empty(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Refuse an option that was given without a value."""
    if value is not None and not value.strip():
        raise click.BadParameter("it is empty; leave it out instead", ctx, param)
    return value


@click.command("ingest", epilog="Formats: memoryctl help formats. Secrets: memoryctl help secrets.")
@click.argument("files", nargs=-1, metavar="FILE|-…")
@click.option("--format", "format_", type=click.Choice(FORMATS), default="auto", help="Format.")
@click.option(
    "--session", metavar="ID", callback=not_empty, help="Session of records that name none."
)
@click.option("--role", metavar="R", help="Role of records that name none.")
@click.option("--at", metavar="T", help="Time of records that have none (ISO 8601).")
@click.option("--time-zone", "zone", metavar="Z", help="Zone of times without an offset.")
@click.option(
    "--source", metavar="NAME", callback=not_empty, help="Name of the source; else the file's name."
)
@click.option(
    "--on-secret", type=click.Choice(["reject", "mask", "keep"]), help="What to do with secrets."
)
@click.option("--keep-going/--fail-fast", default=True, help="Go on after a record that is bad.")
@progress_option
@click.option("-n", "--dry-run", is_flag=True, help="Do it all and take it back.")
@common_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    files: tuple[str, ...],
    format_: str,
    session: str | None,
    role: str | None,
    at: str | None,
    zone: str | None,
    source: str | None,
    keep_going: bool,
    progress: str,
    dry_run: bool,
    **given: Any,
) -> int:
    """Take conversations in from files, or from standard input with -.

    \b
      memoryctl ingest chat.jsonl --scope user:ana --session s42
      memoryctl ingest export.json --format chat
      cat notes.txt | memoryctl ingest - --role document
    """
    settings = settings_of(ctx, given)
    if not files:
        click.echo(ctx.get_help(), err=True)
        return 2
    code = 0
    kind = "none" if settings["quiet"] else progress
    with settings.open(read_only=False) as memory:
        for path in files:
            with counted(f"Reading {path}", kind=kind) as advance:
                result = memory.ingest_file(
                    path,
                    format=format_,
                    session=session,
                    role=role,
                    at=at,
                    source=source,
                    time_zone=zone or settings["time_zone"],
                    only_scope=settings.scope_given,
                    fail_fast=not keep_going,
                    dry_run=dry_run,
                    progress=advance,
                )
            _report(settings, path, result, session)
            code = 7 if result.rejected else code
    return code


def _report(settings: Settings, path: str, result: IngestResult, session: str | None) -> None:
    form = form_of(settings)
    if form in ("json", "jsonl"):
        write_json(settings, {"file": path} | result.to_dict())
        return
    if form == "id":
        sys.stdout.write(f"{result.operation.id}\n" if result.operation else "")
        return
    scopes = ", ".join(sorted(result.scopes))
    into = f" into {scopes}" if scopes else ""
    verb = "Would ingest" if result.dry_run else "Ingested"
    where = f" (session {session})" if session else ""
    lines = [f"{verb} {episodes(result.stored)}{into}{where}"]
    if result.already_there:
        lines.append(f"  already there   {result.already_there}   said before, word for word")
    if result.rejected:
        listed = [f"{one.place}: {one.reason}" for one in result.rejections[:LISTED]]
        more = result.rejected - len(listed)
        tail = f" · and {more} more: -o json lists them" if more > 0 else ""
        lines.append(f"  rejected        {result.rejected}   {' · '.join(listed)}{tail}")
    if result.masked:
        lines.append(f"  masked          {result.masked}   secrets, in text and index alike")
    if result.cut_blocks:
        lines.append(f"  cut out         {result.cut_blocks}   blocks of recalled memories")
    if times := _times(result):
        lines.append(f"  time            {times}")
    sys.stdout.write(safe("\n".join(lines)) + "\n")
    if result.dry_run:
        settings.talk("Nothing was changed.")
    elif result.operation is not None:
        settings.talk(f"{result.operation.id}   undo: memoryctl undo {result.operation.id}")
        scope = min(result.scopes, default=settings.scopes[0])
        settings.talk(f'Next: memoryctl search "…" --scope {shlex.quote(scope)}')


def _times(result: IngestResult) -> str:
    shape = result.to_dict()
    parts = []
    if shape["first_at"]:
        parts.append(f"{shape['first_at'][:10]} → {shape['last_at'][:10]}")
    if result.without_time:
        parts.append(f"{result.without_time} without a time, kept as unknown")
    return " · ".join(parts)
