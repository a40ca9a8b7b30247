"""memoryctl doctor: what is looked at, how it stands, and what would mend it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import click

from memorycore import Check, check_model
from memorycore.errors import (
    MemoryCoreError,
    SchemaTooNewError,
    SchemaTooOldError,
    StoreMissingError,
)
from memoryctl.models import chosen_model, is_model_asked, model_name, model_options
from memoryctl.options import Settings, file_options, settings_of_file
from memoryctl.output import Record, counted, one_line, paint, require_fields, write_records

F = TypeVar("F", bound=Callable[..., Any])

COLUMNS = ("name", "state", "detail", "fix")
COLOURS = {"ok": "green", "warn": "yellow", "fail": "red"}
CHECK_FAILED = 9
ENDPOINT_FAILED = 11


def _options(function: F) -> F:
    for option in reversed(model_options("Ask the model too: this one, or the configured one.")):
        function = option(function)
    return function


@click.command("doctor")
@click.option("--deep", is_flag=True, help="Compare everything with what it is derived from.")
@click.option("--fix", is_flag=True, help="Derive anew what differs; nothing else is touched.")
@click.option("--strict", is_flag=True, help="Count warnings as failures.")
@click.option("-n", "--dry-run", is_flag=True, help="With --fix: change nothing.")
@_options
@file_options
@click.pass_context
def command(
    ctx: click.Context, /, deep: bool, fix: bool, strict: bool, dry_run: bool, **given: Any
) -> int:
    """Check everything that must hold in the store, and with --model that the model can be asked.

    \b
      memoryctl doctor
      memoryctl doctor --deep -o json
      memoryctl doctor --fix
      memoryctl doctor --model qwen3-8b --model-url http://localhost:11434/v1

    Each line is ok, warn, FAIL or off (nothing to check), with what would mend it. --deep also
    compares periods, confidence and word indexes with what they are derived from, and looks for
    flipped bits in unused room; that takes long in a large store. --fix derives anew what differs:
    tried on a copy first, then in one step, and never where something is damaged that a backup must
    bring back. Without --model no network is used; with it the model gets three short questions
    that tell nothing of anybody. Exit code 9 says that a check failed, 11 that the endpoint did.
    """
    settings = settings_of_file(ctx, given)
    require_fields(settings, COLUMNS)
    if dry_run and not fix:
        raise click.UsageError("--dry-run goes with --fix; without it nothing is changed.", ctx)
    if fix:
        _mend(settings, dry_run=dry_run)
    is_asked = is_model_asked(settings)
    checks = _examine(settings, deep=deep or fix, may_be_missing=is_asked)
    asked = _ask_model(settings) if is_asked else [_tell_model(settings)]
    _write(settings, [*checks, *asked])
    if any(one.state == "fail" for one in asked):
        return ENDPOINT_FAILED
    bad = ("fail", "warn") if strict else ("fail",)
    return CHECK_FAILED if any(one.state in bad for one in checks) else 0


def _mend(settings: Settings, *, dry_run: bool) -> None:
    with settings.open(read_only=False) as memory:
        stale = memory.repair(dry_run=dry_run)
    if stale.is_right:
        settings.talk("Nothing that is derived differs.")
        return
    wrong = sum(not one.is_right for one in stale.indexes)
    found = (
        (len(stale.timelines), "timeline"),
        (len(stale.facts), "fact"),
        (len(stale.episodes), "shown text"),
        (wrong, "word index"),
        (int(stale.has_broken_index), "set of indexes"),
    )
    told = ", ".join(counted(number, noun) for number, noun in found if number)
    settings.talk(f"Derived anew: {told.replace('indexs', 'indexes')}.")
    if dry_run:
        settings.talk("Nothing was changed.")


def _examine(settings: Settings, *, deep: bool, may_be_missing: bool) -> list[Check]:
    """Go through the checks of the store; what does not open is the one that fails."""
    try:
        with settings.open(read_only=not deep) as memory:
            return [*memory.examine(deep=deep), Check("cipher", "off", "the file is not encrypted")]
    except StoreMissingError as error:
        if not may_be_missing:
            raise
        return [Check("store", "off", error.message.rstrip("."), error.hint)]
    except MemoryCoreError as error:
        if isinstance(error, (SchemaTooOldError, SchemaTooNewError)) and not may_be_missing:
            raise
        return [Check("store", "fail", f"{error.message} {error.why or ''}".strip(), error.hint)]


def _tell_model(settings: Settings) -> Check:
    """Say which model is configured, without asking it."""
    name, url = model_name(settings), settings["model_url"]
    if name is None and url is None:
        detail = "none set: reading is by sentence patterns, and from files"
        return Check("model", "off", detail)
    if name is None or url is None:
        missing = "no name" if name is None else "no address"
        return Check("model", "warn", f"it has {missing}", "memoryctl help config")
    return Check("model", "off", f"{name} at {url}, not asked", "memoryctl doctor --model")


def _ask_model(settings: Settings) -> list[Check]:
    model = chosen_model(settings)
    first, *others = check_model(model.name, model.url, key=model.key, timeout_s=model.timeout_s)
    return [replace(first, name="model"), *others]


def _write(settings: Settings, checks: list[Check]) -> None:
    failures = sum(one.state == "fail" for one in checks)
    warnings = sum(one.state == "warn" for one in checks)
    records: list[Record] = [dict(one.to_dict()) for one in checks]
    for record in records:
        record["fix"] = settings.for_this_store(record["fix"]) if record["fix"] else None
    document = {
        "schema": "memorycore.doctor.v1",
        "ok": not failures,
        "failures": failures,
        "warnings": warnings,
        "checks": records,
    }

    def cards() -> str:
        width = max(len(one["name"]) for one in records)
        lines = [
            f"{_state(settings, one['state'])}  {one['name']:<{width}}  {one_line(one['detail'])}"
            + (f"   {one_line(one['fix'])}" if one["fix"] else "")
            for one in records
        ]
        if failures or warnings:
            parts = [(failures, "failure"), (warnings, "warning")]
            lines.append(", ".join(counted(number, noun) for number, noun in parts if number))
        return "\n".join(lines)

    write_records(settings, records, document, columns=COLUMNS, cards=cards)


def _state(settings: Settings, state: str) -> str:
    shown = f"{state.upper() if state == 'fail' else state:<4}"
    return paint(settings, shown, COLOURS[state]) if state in COLOURS else shown
