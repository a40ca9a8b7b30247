"""memoryctl predicate: the schemas that decide what happens when values meet."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from memorycore import Predicate
from memorycore.errors import InvalidInputError
from memoryctl.completing import complete_predicate
from memoryctl.deciding import changes_of
from memoryctl.entity import tell_nothing, tell_operation
from memoryctl.options import common_options, settings_of
from memoryctl.output import Record, form_of, one_line, write_records, write_text

COLUMNS = ("name", "label_en", "label_zh", "cardinality", "conflict_policy", "temporal", "domain")
MAX_BYTES = 1_000_000
STANDARD_INPUT = "standard input"


@click.group("predicate")
def command() -> None:
    """List, show, set and add predicates: what can be said, and how values of it meet.

    \b
      memoryctl predicate list
      memoryctl predicate show lives_in
      memoryctl predicate set lives_in importance=0.9
      memoryctl predicate add mine.toml
    """


@command.command("list")
@common_options
@click.pass_context
def list_(ctx: click.Context, /, **given: Any) -> None:
    """List all predicates, by name."""
    settings = settings_of(ctx, given)
    with settings.open(read_only=True) as memory:
        records = [_shape(one) for one in memory.predicates()]
    document = {"schema": "memorycore.predicates.v1", "ok": True, "predicates": records}

    def cards() -> str:
        return "\n".join(
            f"{one_line(one['name']):<24} {one['cardinality']}, {one['conflict_policy']}   "
            f"{one_line(one['label_en'])}   {one_line(one['label_zh'])}".rstrip()
            for one in records
        )

    write_records(settings, records, document, columns=COLUMNS, cards=cards)


def _shape(predicate: Predicate) -> Record:
    shape = asdict(predicate)
    del shape["number"]
    lists = {name: list(value) for name, value in shape.items() if isinstance(value, tuple)}
    return {"id": predicate.name} | shape | lists


@command.command("show")
@click.argument("name", shell_complete=complete_predicate)
@common_options
@click.pass_context
def show(ctx: click.Context, /, name: str, **given: Any) -> None:
    """Show a predicate as TOML, to read or to start another from."""
    settings = settings_of(ctx, given)
    with settings.open(read_only=True) as memory:
        text = memory.predicates_toml([name]).rstrip("\n")
        shape = _shape(memory.predicate(name))
    document = {"schema": "memorycore.predicate.v1", "ok": True, "predicate": shape}
    if form_of(settings) in ("csv", "id", "md"):
        write_records(settings, [shape], document, columns=tuple(shape), cards=lambda: text)
    else:
        write_text(settings, text, document)


@command.command("set")
@click.argument("name", shell_complete=complete_predicate)
@click.argument("changes", nargs=-1, required=True, metavar="KEY=VALUE…")
@click.option("-n", "--dry-run", is_flag=True, help="Do it and take it back.")
@common_options
@click.pass_context
def set_(
    ctx: click.Context, /, name: str, changes: tuple[str, ...], dry_run: bool, **given: Any
) -> None:
    """Set fields of a predicate; lists are set off by commas.

    \b
      memoryctl predicate set likes importance=0.6 aliases=enjoys,喜欢

    While facts rest on it, its cardinality, opposite, rank and kind of object stay (exit code 6).
    """
    settings = settings_of(ctx, given)
    with settings.open(read_only=False) as memory:
        predicate = memory.predicate(name)
        typed = _typed(predicate, changes_of(changes, example="importance=0.7"))
        done = memory.set_predicate(predicate.name, typed, dry_run=dry_run)
    told = f"{one_line(predicate.name)}: {one_line(' '.join(changes))}"
    if done is None:
        tell_nothing(settings, f"It is like that already. {told}", dry_run)
    else:
        tell_operation(settings, f"Set {told}", done, dry_run)


def _typed(predicate: Predicate, changes: dict[str, Any]) -> dict[str, Any]:
    """Read each value as what its field holds now; unknown fields are left to be refused."""
    typed = {}
    for key, value in changes.items():
        now = getattr(predicate, key, None)
        if not isinstance(value, str):
            typed[key] = value
        elif isinstance(now, bool):
            if value not in ("true", "false"):
                raise InvalidInputError(f"{key} is true or false.", hint=f"{key}=true")
            typed[key] = value == "true"
        elif isinstance(now, (int, float)):
            typed[key] = _number(key, value, type(now))
        elif isinstance(now, tuple):
            typed[key] = [part.strip() for part in value.split(",") if part.strip()]
        else:
            typed[key] = value
    return typed


def _number(key: str, value: str, kind: type[int] | type[float]) -> float:
    try:
        return kind(value)
    except ValueError as error:
        raise InvalidInputError(f"{key} is a number.", hint=f"{key}=1") from error


@command.command("add")
@click.argument("path", metavar="FILE|-")
@click.option("-n", "--dry-run", is_flag=True, help="Do it and take it back.")
@common_options
@click.pass_context
def add(ctx: click.Context, /, path: str, dry_run: bool, **given: Any) -> None:
    """Add the predicates of a TOML file, or set them anew: all of them or none.

    \b
      memoryctl predicate show likes > mine.toml      a file to start from
      memoryctl predicate add mine.toml

    Those that are there just so are left alone.
    """
    settings = settings_of(ctx, given)
    text = read_toml(path)
    source = STANDARD_INPUT if path == "-" else Path(path).name
    with settings.open(read_only=False) as memory:
        found = memory.compare_predicates(text, source=source)
        done = memory.add_predicates(text, source=source, dry_run=dry_run)
    parts = [f"{len(names)} {state}" for state, names in found.items() if names]
    told = f"{one_line(source)}: {', '.join(parts)}"
    more = {"predicates": found}
    if done is None:
        tell_nothing(settings, f"{told}. Nothing to do.", dry_run, more)
    else:
        verb = "Would take in" if dry_run else "Took in"
        tell_operation(settings, f"{verb} {told}", done, dry_run, more)


def read_toml(path: str) -> str:
    """Read a file of predicates, or standard input with ``-``.

    Raises:
        InvalidInputError: it cannot be read, is too large, or is no UTF-8.
    """
    name = STANDARD_INPUT if path == "-" else path
    try:
        if path == "-":
            raw = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with Path(path).open("rb") as file:
                raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InvalidInputError(f"{name} cannot be read ({error.strerror}).") from error
    if len(raw) > MAX_BYTES:
        raise InvalidInputError(f"{name} is larger than {MAX_BYTES:,} bytes.")
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise InvalidInputError(f"{name} is not UTF-8.") from error
