"""memoryctl subject: everything about one person, to see and to hand out."""

import os
import shlex
import sys
from typing import Any

import click

from memorycore import SubjectExport, SubjectMatches
from memoryctl.completing import complete_entity
from memoryctl.deciding import scope_flag
from memoryctl.options import Settings, common_options, settings_of, without_ids
from memoryctl.output import (
    Record,
    counted,
    form_of,
    one_line,
    paint,
    require_fields,
    safe,
    write_answer,
    write_records,
)
from memoryctl.progress import counted as counted_progress
from memoryctl.progress import progress_option
from memoryctl.subject_page import as_markdown, as_text, sections_of

FOUND = ("id", "match", "name", "kind", "facts", "said", "mentions", "aliases", "distinction",
         "likeness", "scope")  # fmt: skip
EXPORTED = ("file", "subject", "bytes")
FACTS = ("id", "role", "text", "now", "before", "confidence", "scope")


@click.group("subject")
def command() -> None:
    """Tell everything that is held about one person, and hand it out.

    \b
      memoryctl subject find Ana --scope user:ana
      memoryctl subject show Ana --scope user:ana
      memoryctl subject export Ana -O ana.zip --scope user:ana
      memoryctl subject export user:ana -O all.zip --scope user:ana
    """


@command.command("find")
@click.argument("name")
@common_options
@click.pass_context
def find(ctx: click.Context, /, name: str, **given: Any) -> None:
    """Find whom a name means; apart from them, those of almost that name.

    \b
      memoryctl subject find 林岚 --scope user:lin
      memoryctl subject find Ana -o json --scope user:ana
    """
    settings = settings_of(ctx, given)
    with settings.open(read_only=True) as memory:
        found = memory.find_subject(name)
    records = [one.to_dict() | {"match": "exact"} for one in found.exact]
    if form_of(settings) != "id":
        # Whoever goes on with ids must not go on with somebody else's.
        records += [one.to_dict() | {"match": "near"} for one in found.near]
    write_records(
        settings,
        records,
        found.to_dict(),
        columns=FOUND,
        cards=lambda: "\n".join(_card(settings, one) for one in records),
    )
    _talk_of_matches(settings, found)


def _card(settings: Settings, record: Record) -> str:
    name = one_line(record["name"])
    if record["distinction"]:
        name += f" ({one_line(record['distinction'])})"
    parts = [one_line(record["kind"]), counted(record["facts"], "fact")]
    parts += [
        f"said {counted(record['said'], 'thing')}",
        f"named {record['mentions']:,} × by others",
    ]
    if record["aliases"]:
        parts.append(f"also {one_line(', '.join(record['aliases']))}")
    if record["match"] == "near":
        parts.append(f"only similar, {record['likeness']:.2f}")
    return f"{paint(settings, record['id'], 'cyan')}  {name}\n    {' · '.join(parts)}"


def _talk_of_matches(settings: Settings, found: SubjectMatches) -> None:
    if not found.exact and not found.near:
        settings.talk(f"Nobody of that name in {', '.join(settings.scopes)}.")
    elif not found.exact:
        settings.talk("None has just that name; these are similar.")
    elif found.near:
        count = len(found.near) + found.left_out
        near = "1 near match" if count == 1 else f"{count:,} near matches"
        settings.talk(f"{near}, apart: this may be somebody else.")
    if found.left_out:
        settings.talk(f"{found.left_out:,} more are similar; a longer name narrows it.")
    if len(found.exact) == 1:
        flag = scope_flag(settings)
        settings.talk(f"Next: memoryctl subject show {found.exact[0].entity.id}{flag}")


@command.command("show")
@click.argument("subject", metavar="E", shell_complete=complete_entity)
@common_options
@click.pass_context
def show(ctx: click.Context, /, subject: str, **given: Any) -> None:
    """Show one person on one page; E is a name, an id, or the scope's own name.

    \b
      memoryctl subject show Ana --scope user:ana
      memoryctl subject show 林岚 -o md --scope user:lin
      memoryctl subject show user:ana -o json --scope user:ana
    """
    settings = settings_of(ctx, given)
    with settings.open(read_only=True) as memory:
        page = memory.subject(subject)
    sections = sections_of(page)
    if form_of(settings) == "md" and not settings["fields"]:
        _write_text(settings, as_markdown(page, sections))
    else:
        document = page.to_dict()
        text = as_text(page, sections)
        write_answer(settings, text, document["facts"], document, columns=FACTS)
    scope = shlex.quote(page.scope)
    whom = scope if page.entity is None else page.entity.id
    settings.talk(f"All of it: memoryctl subject export {whom} -O FILE.zip --scope {scope}")


def _write_text(settings: Settings, text: str) -> None:
    if settings["ascii_only"]:
        text = text.encode("ascii", "backslashreplace").decode()
    sys.stdout.write(text)


@command.command("export", epilog="Look at mentions.html before you hand anything out.")
@click.argument("subject", metavar="E", shell_complete=complete_entity)
@click.option(
    "-O", "to", metavar="FILE.zip|-", required=True, help="Where to; - is standard output."
)
@click.option("--force", is_flag=True, help="Put it in the place of a file that is there.")
@progress_option
@common_options
@click.pass_context
def export(
    ctx: click.Context, /, subject: str, to: str, force: bool, progress: str, **given: Any
) -> int:
    """Write all that is held about one person as a zip; E as in show.

    \b
      memoryctl subject export Ana -O ana.zip --scope user:ana
      memoryctl subject export user:ana -O - --scope user:ana > all.zip

    A store, a backup, or a key is never written over, not even with --force.
    """
    settings = without_ids(ctx, settings_of(ctx, given))
    require_fields(settings, (*EXPORTED, "schema", "ok", "counts"))
    if to == "-" and sys.stdout.isatty():
        raise click.UsageError("A zip is nothing for a terminal: -O FILE.zip, or a pipe.", ctx)
    kind = "none" if settings["quiet"] else progress
    with (
        settings.open(read_only=True) as memory,
        counted_progress("Writing", kind=kind) as advance,
    ):
        place = sys.stdout.buffer if to == "-" else os.path.abspath(to)
        done = memory.export_subject(subject, place, force=force, progress=advance)
    _tell_export(settings, done, to)
    return 0


def _tell_export(settings: Settings, done: SubjectExport, to: str) -> None:
    counts = done.counts
    if to != "-":
        record = done.to_dict()
        said = counts.said + counts.evidence
        text = f"{counted(counts.facts, 'fact')}, {counted(said, 'episode')}"
        line = f"Wrote {safe(to)}: {text}, {done.size_bytes:,} bytes."
        write_records(settings, [record], record, columns=EXPORTED, cards=lambda: line)
    if counts.mentions:
        settings.talk(
            f"{counts.mentions:,} may be about somebody else: see mentions.html before you hand"
            " anything out."
        )
