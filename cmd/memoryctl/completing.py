"""What a shell may complete, read from the store, which is never made."""

from collections.abc import Callable, Iterable
from itertools import islice

import click
from click.shell_completion import CompletionItem

from memorycore import Memory
from memorycore.errors import MemoryCoreError
from memoryctl.options import Settings

SHOWN = 20
Found = Iterable[tuple[str, str]]
"""What may be completed, each with a word on it."""


def complete_scope(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the name of a scope."""
    return _complete(ctx, incomplete, _scopes)


def complete_operation(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the id of one of the newest operations."""
    return _complete(ctx, incomplete, _operations)


def complete_predicate(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the name of a predicate."""
    return _complete(ctx, incomplete, _predicates)


def complete_fact(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the id of one of the newest facts."""
    return _complete(ctx, incomplete, _newest("facts", "subject || ' ' || predicate"))


def complete_entity(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the id of one of the newest entities."""
    return _complete(ctx, incomplete, _newest("entities", "name"))


def complete_candidate(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the id of a candidate that waits."""
    waiting = "candidates WHERE state IN ('pending', 'review')"
    return _complete(ctx, incomplete, _newest(waiting, "predicate"))


def complete_id(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete an id of any kind that its first letters tell."""
    kinds = {"fct_": complete_fact, "ent_": complete_entity, "cand_": complete_candidate}
    for prefix, complete in kinds.items():
        if incomplete.startswith(prefix):
            return complete(ctx, param, incomplete)
    return complete_operation(ctx, param, incomplete)


def _complete(
    ctx: click.Context, incomplete: str, look: Callable[[Memory], Found]
) -> list[CompletionItem]:
    try:
        with _settings(ctx).open(read_only=True) as memory:
            fitting = (pair for pair in look(memory) if pair[0].startswith(incomplete))
            return [
                CompletionItem(name, help="".join(c if c.isprintable() else " " for c in note))
                for name, note in fitting
            ]
    except MemoryCoreError:
        return []


def _scopes(memory: Memory) -> Found:
    return [(scope.name, "") for scope in memory.stats(all_scopes=True).scopes]


def _operations(memory: Memory) -> Found:
    return [
        (operation.id, f"{operation.kind} {operation.to_dict()['at']}")
        for operation in memory.operations(limit=SHOWN, all_scopes=True)
    ]


def _predicates(memory: Memory) -> Found:
    return [(predicate.name, predicate.label_en) for predicate in memory.predicates()]


def _newest(source: str, note: str) -> Callable[[Memory], Found]:
    query = f"SELECT id, {note} AS note FROM {source} ORDER BY id DESC LIMIT 500"

    def look(memory: Memory) -> Found:
        return [(row["id"], row["note"] or "") for row in islice(memory.sql(query), 500)]

    return look


def _settings(ctx: click.Context) -> Settings:
    given = {**ctx.find_root().params, **ctx.params}
    names = ("db", "busy_timeout", "no_config", "scope")
    known = {name: given[name] for name in names if given.get(name)}
    return Settings().with_command(known)
