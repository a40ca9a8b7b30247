"""memoryctl show: one record, whole."""

from typing import Any

import click

from memorycore import Episode
from memoryctl.options import common_options, settings_of
from memoryctl.output import safe, write_records


@click.command("show")
@click.argument("id_", metavar="ID")
@common_options
@click.pass_context
def command(ctx: click.Context, /, id_: str, **given: Any) -> None:
    """Show an episode or an operation by its id, or by a unique start of it.

    \b
      memoryctl show ep_01M8MD1A --scope user:ana
    """
    settings = settings_of(ctx, given)
    with settings.open(read_only=True) as memory:
        found = memory.get(id_, all_scopes=not settings.scope_given)
    shape = found.to_dict()
    kind = "episode" if isinstance(found, Episode) else "operation"
    document = {"schema": f"memorycore.{kind}.v1", "ok": True, kind: shape}

    def cards() -> str:
        rows = ((name, value) for name, value in shape.items() if value is not None)
        return "\n".join(f"{name:<13}{safe(str(value))}" for name, value in rows)

    write_records(settings, [shape], document, columns=tuple(shape), cards=cards)
