"""What a shell may complete: scopes and operations, read from the store, which is never made."""

import click
from click.shell_completion import CompletionItem

from memorycore.errors import MemoryCoreError
from memoryctl.options import Settings


def complete_scope(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the name of a scope."""
    try:
        with _settings(ctx).open(read_only=True) as memory:
            names = [scope.name for scope in memory.stats(all_scopes=True).scopes]
    except MemoryCoreError:
        return []
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def complete_operation(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the id of one of the newest operations."""
    try:
        with _settings(ctx).open(read_only=True) as memory:
            operations = memory.operations(limit=20, all_scopes=True)
    except MemoryCoreError:
        return []
    return [
        CompletionItem(operation.id, help=f"{operation.kind} {operation.to_dict()['at']}")
        for operation in operations
        if operation.id.startswith(incomplete)
    ]


def _settings(ctx: click.Context) -> Settings:
    given = {**ctx.find_root().params, **ctx.params}
    known = {name: given[name] for name in ("db", "busy_timeout", "no_config") if given.get(name)}
    return Settings().with_command(known)
