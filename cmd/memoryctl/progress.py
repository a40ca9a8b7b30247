"""Progress on long work: on standard error, and only when somebody is there to see it."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

SHOW_AFTER_S = 1.0
PLAIN_EVERY_S = 5.0


progress_option = click.option(
    "--progress",
    type=click.Choice(["auto", "plain", "none"]),
    default="auto",
    help="A counter on a terminal (auto), a line every 5 seconds, or none.",
)
"""The option of commands that may take long."""


@contextmanager
def counted(label: str, *, kind: str) -> Iterator[Callable[[int], None]]:
    """Give a function to call with the number done so far.

    ``kind`` is ``auto`` (a counter on a terminal), ``plain`` (a line every 5 s) or ``none``.
    """
    started = time.monotonic()
    last = started
    on_terminal = kind == "auto" and sys.stderr.isatty()
    shown = False

    def advance(done: int) -> None:
        nonlocal last, shown
        now = time.monotonic()
        if on_terminal and now - started > SHOW_AFTER_S:
            click.echo(f"\r» {label}  {done:,}", err=True, nl=False)
            shown = True
        elif kind == "plain" and now - last > PLAIN_EVERY_S:
            click.echo(f"» {label}  {done:,}", err=True)
            last = now

    try:
        yield advance
    finally:
        if shown:
            click.echo("", err=True)
