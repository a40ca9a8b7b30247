"""memoryctl log: what was written, newest first."""

from typing import Any

import click

from memoryctl.options import common_options, settings_of
from memoryctl.output import Record, one_line, write_records

COLUMNS = ("id", "at", "kind", "actor", "scope", "undone")


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
    write_records(
        settings,
        records,
        document,
        columns=COLUMNS,
        cards=lambda: "\n".join(map(_card, records)),
    )


def _card(record: Record) -> str:
    parts = [record["id"], record["at"], record["kind"], record["actor"], record["scope"] or "-"]
    if record["undoes"]:
        parts.append(f"undoes {record['undoes']}")
    if record["undone"]:
        parts.append("undone")
    return "  ".join(map(one_line, parts))
