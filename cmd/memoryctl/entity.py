"""memoryctl entity: whom and what facts speak of."""

from typing import Any

import click

from memorycore import Entity, Operation
from memoryctl.completing import complete_entity
from memoryctl.options import Settings, common_options, settings_of
from memoryctl.output import Record, counted, one_line, paint, write_records, write_text

COLUMNS = ("id", "name", "kind", "facts", "aliases", "distinction", "likeness", "scope")


@click.group("entity")
def command() -> None:
    """Find, name, merge and split what facts speak of.

    \b
      memoryctl entity find Ana --scope user:ana
      memoryctl entity alias add Ana 安娜 --scope user:ana
      memoryctl entity merge Ana "Ana Reis" --scope user:ana
      memoryctl entity split 小林 --as 邻居 --facts fct_01M8MD3K,fct_01M8MD3M --scope user:lin
    """


@command.command("find")
@click.argument("name")
@common_options
@click.pass_context
def find(ctx: click.Context, /, name: str, **given: Any) -> None:
    """Find entities by exact name or alias, then those whose name is only similar."""
    settings = settings_of(ctx, given)
    with settings.open(read_only=True) as memory:
        found = memory.find_entities(name)
    write_entities(settings, found)
    if not found:
        settings.talk(f"Nothing of that name in {', '.join(settings.scopes)}.")
    elif all(one.likeness < 1 for one in found):
        settings.talk("None has just that name; these are similar.")


@command.command("show")
@click.argument("entity", metavar="ENTITY", shell_complete=complete_entity)
@common_options
@click.pass_context
def show(ctx: click.Context, /, entity: str, **given: Any) -> None:
    """Show one entity, by name or id."""
    settings = settings_of(ctx, given)
    with settings.open(read_only=True) as memory:
        found = memory.entity(entity)
    write_entities(settings, [found])
    settings.talk(f"Its facts: memoryctl list facts --entity {found.id}")


def write_entities(settings: Settings, found: list[Entity], next_: str | None = None) -> None:
    """Write entities in the form that was asked for."""
    records = [one.to_dict() for one in found]
    document = {"schema": "memorycore.entities.v1", "ok": True, "entities": records, "next": next_}
    write_records(
        settings,
        records,
        document,
        columns=COLUMNS,
        cards=lambda: "\n".join(_card(settings, one) for one in found),
    )


def _card(settings: Settings, entity: Entity) -> str:
    name = one_line(entity.name)
    if entity.distinction:
        name += f" ({one_line(entity.distinction)})"
    parts = [entity.kind, counted(entity.facts, "fact")]
    if entity.aliases:
        parts.append(f"also {one_line(', '.join(entity.aliases))}")
    if entity.likeness < 1:
        parts.append(f"only similar, {entity.likeness:.2f}")
    return f"{paint(settings, entity.id, 'cyan')}  {name}\n    {' · '.join(map(one_line, parts))}"


@command.group("alias")
def alias() -> None:
    """Give an entity another name, or take one away."""


@alias.command("add")
@click.argument("entity", metavar="ENTITY", shell_complete=complete_entity)
@click.argument("name")
@click.option("-n", "--dry-run", is_flag=True, help="Do it and take it back.")
@common_options
@click.pass_context
def alias_add(ctx: click.Context, /, entity: str, name: str, dry_run: bool, **given: Any) -> None:
    """Give an entity another name."""
    settings = settings_of(ctx, given)
    with settings.open(read_only=False) as memory:
        done = memory.add_alias(entity, name, dry_run=dry_run)
    tell_operation(settings, f"{one_line(entity)} is also {one_line(name)}.", done, dry_run)


@alias.command("rm")
@click.argument("entity", metavar="ENTITY", shell_complete=complete_entity)
@click.argument("name")
@click.option("-n", "--dry-run", is_flag=True, help="Do it and take it back.")
@common_options
@click.pass_context
def alias_rm(ctx: click.Context, /, entity: str, name: str, dry_run: bool, **given: Any) -> None:
    """Take another name away from an entity."""
    settings = settings_of(ctx, given)
    with settings.open(read_only=False) as memory:
        done = memory.remove_alias(entity, name, dry_run=dry_run)
    tell_operation(settings, f"{one_line(entity)} is no longer {one_line(name)}.", done, dry_run)


@command.command("merge")
@click.argument("keep", shell_complete=complete_entity)
@click.argument("other", shell_complete=complete_entity)
@click.option("-n", "--dry-run", is_flag=True, help="Do it and take it back.")
@common_options
@click.pass_context
def merge(ctx: click.Context, /, keep: str, other: str, dry_run: bool, **given: Any) -> None:
    """Make two entities one: what is said of OTHER is said of KEEP."""
    settings = settings_of(ctx, given)
    with settings.open(read_only=False) as memory:
        done = memory.merge_entities(keep, other, dry_run=dry_run)
    tell_operation(settings, f"{one_line(other)} is now {one_line(keep)}.", done, dry_run)


@command.command("split")
@click.argument("entity", metavar="ENTITY", shell_complete=complete_entity)
@click.option("--as", "word", required=True, metavar="WORD", help="What tells the second apart.")
@click.option("--facts", required=True, metavar="FACT,…", help="The facts of the second one.")
@click.option("-n", "--dry-run", is_flag=True, help="Do it and take it back.")
@common_options
@click.pass_context
def split(
    ctx: click.Context, /, entity: str, word: str, facts: str, dry_run: bool, **given: Any
) -> None:
    """Tell two entities of one name apart; the facts named are the second one's."""
    settings = settings_of(ctx, given)
    names = [name.strip() for name in facts.split(",") if name.strip()]
    if not names:
        raise click.UsageError("--facts names the facts of the second one.", ctx)
    with settings.open(read_only=False) as memory:
        done = memory.split_entity(entity, word, names, dry_run=dry_run)
    text = f"{one_line(entity)} and {one_line(entity)} ({one_line(word)}) are two now"
    tell_operation(settings, f"{text}; {counted(len(names), 'fact')} moved.", done, dry_run)


def tell_operation(
    settings: Settings, text: str, done: Operation, dry_run: bool, more: Record | None = None
) -> None:
    """Say what was done, and how to undo it."""
    document = _document(None if dry_run else done, dry_run, more)
    said = f"Would be done: {text}" if dry_run and not text.startswith("Would") else text
    write_text(settings, said, document)
    if dry_run:
        settings.talk("Nothing was changed.")
    else:
        settings.talk(f"{done.id}   undo: memoryctl undo {done.id}")


def tell_nothing(settings: Settings, text: str, dry_run: bool, more: Record | None = None) -> None:
    """Say that nothing had to be done, and no operation was written."""
    write_text(settings, text, _document(None, dry_run, more))


def _document(done: Operation | None, dry_run: bool, more: Record | None) -> Record:
    return {
        "schema": "memorycore.operation.v1",
        "ok": True,
        "dry_run": dry_run,
        "operation": None if done is None else done.to_dict(),
    } | (more or {})
