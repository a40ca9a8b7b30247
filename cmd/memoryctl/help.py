"""memoryctl help: commands and topics."""

import json
from pathlib import Path
from typing import Any

import click

from memorycore.errors import NotFoundError

TOPICS = ("output", "times", "scopes", "formats", "candidates", "imports", "packets", "reviews",
          "labels", "secrets", "forgetting", "config", "exit-codes")  # fmt: skip


@click.command("help")
@click.argument("name", required=False, metavar="[COMMAND|TOPIC]")
@click.option("--json", "as_json", is_flag=True, help="Print the whole command tree as JSON.")
@click.pass_context
def command(ctx: click.Context, /, name: str | None, as_json: bool) -> None:
    """Explain a command or a topic.

    Topics: output, times, scopes, formats, candidates, imports, packets, labels,
    secrets, forgetting, config, exit-codes.
    """
    root = ctx.find_root()
    if as_json:
        click.echo(json.dumps(command_tree(root.command), ensure_ascii=False))
        return
    if name is None:
        click.echo(root.command.get_help(root))
        return
    if name in TOPICS:
        click.echo(read_topic(name).rstrip("\n"))
        return
    assert isinstance(root.command, click.Group)
    found = root.command.get_command(root, name)
    if found is None:
        raise NotFoundError(
            f"There is no command or topic {name!r}.", hint=f"memoryctl help {'|'.join(TOPICS)}"
        )
    click.echo(found.get_help(click.Context(found, info_name=name, parent=root)))


def read_topic(name: str) -> str:
    """Read the text of a topic."""
    return (Path(__file__).parent / "topics" / f"{name}.txt").read_text("utf-8")


def command_tree(command: click.Command) -> dict[str, Any]:
    """Describe a command, its options and its subcommands, for programs."""
    context = click.Context(command, info_name=command.name)
    shape: dict[str, Any] = {
        "name": command.name,
        "help": command.get_short_help_str(200),
        "params": [
            {
                "name": param.name,
                "flags": list(param.opts),
                "help": getattr(param, "help", None),
                "required": param.required,
                "multiple": getattr(param, "multiple", False) or param.nargs == -1,
                "choices": list(getattr(param.type, "choices", ())),
            }
            for param in command.params
            if not getattr(param, "hidden", False)
        ],
    }
    if isinstance(command, click.Group):
        names = command.list_commands(context)
        found = [command.get_command(context, name) for name in names]
        shape["commands"] = [command_tree(one) for one in found if one is not None]
    return shape
