"""memoryctl log: what was written, newest first."""

from typing import Any

import click

from memoryctl.options import common_options, settings_of
from memoryctl.output import write_records


@click.command("log")
@click.option("--limit", type=click.IntRange(1, 10_000), default=20, help="How many (20).")
@common_options
@click.pass_context
def command(ctx: click.Context, /, limit: int, **given: Any) -> None:
    """List operations, newest first: all of the store, or those of --scope."""
    settings = settings_of(ctx, given)
    with settings.open(read_only=True) as memory:
        records = [
            operation.to_dict()
            for operation in memory.operations(limit=limit, all_scopes=not settings.scope_given)
        ]
    document = {"schema": "memorycore.log.v1", "ok": True, "operations": records}
    columns = ("id", "at", "kind", "actor")

    def cards() -> str:
        return "\n".join("  ".join(str(record[name]) for name in columns) for record in records)

    write_records(settings, records, document, columns=columns, cards=cards)
