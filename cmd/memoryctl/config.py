"""memoryctl config: the settings and where each comes from."""

from typing import Any

import click

from memoryctl.config_files import SECRET, user_config_path
from memoryctl.options import common_options, settings_of
from memoryctl.output import one_line, write_records, write_text


@click.group("config", epilog="Keys and precedence: memoryctl help config")
def command() -> None:
    """Show the settings and where each comes from."""


@command.command("show")
@click.option("--origin", is_flag=True, help="Say where each value comes from.")
@common_options
@click.pass_context
def show(ctx: click.Context, /, origin: bool, **given: Any) -> None:
    """Print each setting, one a line.

    \b
      memoryctl config show --origin
    """
    settings = settings_of(ctx, given)
    values = settings.values | {"db": settings.store}
    records = [
        {
            "name": name,
            "value": one_line(_text(name, value.value)),
            "origin": one_line(value.origin),
        }
        for name, value in values.items()
    ]
    columns = ("name", "value", "origin") if origin else ("name", "value")
    document = {"schema": "memorycore.config.v1", "ok": True, "settings": records}
    width = max(len(record["name"]) for record in records)

    def cards() -> str:
        return "\n".join(
            f"{record['name']:<{width}}  {record['value']}"
            + (f"   ({record['origin']})" if origin else "")
            for record in records
        )

    write_records(settings, records, document, columns=columns, cards=cards)


@command.command("path")
@common_options
@click.pass_context
def path(ctx: click.Context, /, **given: Any) -> None:
    """Print the path of your own configuration file."""
    settings = settings_of(ctx, given)
    document = {"schema": "memorycore.config.v1", "ok": True, "path": user_config_path()}
    write_text(settings, user_config_path(), document)


def _text(name: str, value: Any) -> str:
    if value is None:
        return ""
    if name in SECRET:
        return "(set; never shown)"
    return ",".join(value) if isinstance(value, tuple) else str(value)
