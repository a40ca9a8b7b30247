"""memoryctl where: which store is used, and why."""

import os
from typing import Any

import click

from memoryctl.options import common_options, settings_of
from memoryctl.output import write_text


@click.command("where")
@common_options
@click.pass_context
def command(ctx: click.Context, /, **given: Any) -> None:
    """Print the store's file and why it is that one."""
    settings = settings_of(ctx, given)
    store = settings.store
    path = os.path.abspath(str(store.value))
    there = os.path.exists(path)
    aside = f"{os.path.realpath(path)}.ballast"
    ballast = os.path.getsize(aside) if os.path.exists(aside) else 0
    document = {
        "schema": "memorycore.where.v1",
        "ok": True,
        "file": path,
        "origin": store.origin,
        "exists": there,
        "ballast_bytes": ballast,
    }
    write_text(settings, f"{path}\t{store.origin}", document)
    if not there:
        settings.talk("It is not there yet: memoryctl init-db")
    if ballast:
        settings.talk(f"Beside it {ballast / 1024**2:.0f} MB are set aside: {aside}")
