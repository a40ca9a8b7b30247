"""Asking somebody at a terminal, where there is one and it is allowed."""

import sys

import click

from memoryctl.options import Settings


def is_interactive(settings: Settings) -> bool:
    """Tell whether somebody is there to answer."""
    asked = settings["output"] == "auto" and not settings["no_input"]
    # A file that was read from standard input has used it up.
    return asked and not sys.stdin.closed and sys.stdin.isatty() and sys.stdout.isatty()


def ask_yes(question: str) -> None:
    """Ask for a yes; anything else ends the command.

    Raises:
        click.Abort: it was not given.
    """
    click.confirm(question, abort=True, err=True)


def ask_for(name: str) -> str:
    """Ask for a name to be typed, and give what was typed."""
    return str(click.prompt(f"Type {name} to go on", err=True, default="", show_default=False))
