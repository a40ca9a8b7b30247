"""memoryctl completion: the completion script of a shell."""

from typing import Any

import click

from memorycore.errors import InvalidInputError
from memoryctl.options import common_options, settings_of

SHELLS = ("bash", "zsh", "fish")


@click.command("completion", epilog='bash: eval "$(memoryctl completion bash)"')
@click.argument("shell", type=click.Choice(SHELLS))
@common_options
@click.pass_context
def command(ctx: click.Context, /, shell: str, **given: Any) -> None:
    """Print the completion script of a shell.

    \b
      memoryctl completion bash > ~/.local/share/bash-completion/completions/memoryctl
      memoryctl completion fish > ~/.config/fish/completions/memoryctl.fish
    """
    from click.shell_completion import get_completion_class

    from memoryctl.tree import cli

    settings_of(ctx, given)
    maker = get_completion_class(shell)
    if maker is None:
        raise InvalidInputError(f"{shell!r} is no shell known here.", hint=", ".join(SHELLS))
    click.echo(maker(cli, {}, "memoryctl", "_MEMORYCTL_COMPLETE").source())
