"""memoryctl compact: give free space back, and join the word indexes."""

from typing import Any

import click

from memoryctl.options import file_options, settings_of_file
from memoryctl.output import require_fields, write_records
from memoryctl.sizes import megabytes

COLUMNS = ("bytes_before", "bytes_after", "bytes_needed", "bytes_free", "pending")
FIELDS = (*COLUMNS, "schema", "ok", "dry_run")
PENDING = 7


@click.command("compact")
@click.option("-n", "--dry-run", is_flag=True, help="Say what it takes; write nothing.")
@file_options
@click.pass_context
def command(ctx: click.Context, /, dry_run: bool, **given: Any) -> int:
    """Write the file anew without what is free in it, join the indexes, and empty the log.

    \b
      memoryctl compact --dry-run
      memoryctl compact

    It takes free disk, and memory, of about the size of the file, and nobody else can write
    meanwhile. Exit code 7 says that another process reads: the file shrinks once that has closed.
    """
    settings = settings_of_file(ctx, given)
    require_fields(settings, FIELDS)
    with settings.open(read_only=False) as memory:
        done = memory.compact(dry_run=dry_run)
    record = done.to_dict()
    takes = f"takes {megabytes(done.needed)} of free disk, {megabytes(done.free)} are free"
    text = (
        f"{megabytes(done.before)} now; {takes}"
        if dry_run
        else f"{megabytes(done.before)} before, {megabytes(done.after)} after"
    )
    write_records(settings, [record], record, columns=COLUMNS, cards=lambda: text)
    if dry_run:
        settings.talk("Nothing was changed. To carry it out: memoryctl compact")
    if done.is_pending:
        settings.talk("Another process reads, so the file is as large as before, and its log too.")
        settings.talk("When it has closed: memoryctl compact")
        return PENDING
    return 0
