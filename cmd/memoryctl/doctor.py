"""memoryctl doctor: what is looked at, how it stands, and what would mend it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import click

from memorycore import Check, check_model
from memorycore.errors import MemoryCoreError, StoreMissingError
from memoryctl.models import chosen_model, is_model_asked, model_name, model_options
from memoryctl.options import Settings, common_options, settings_of
from memoryctl.output import counted, one_line, paint, write_answer

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
@_options
@common_options
@click.pass_context
def command(ctx: click.Context, /, **given: Any) -> int:
    """Check that the store opens, and with --model that the model can be asked.

    \b
      memoryctl doctor
      memoryctl doctor --model qwen3-8b --model-url http://localhost:11434/v1
      memoryctl doctor --model -o json

    Each line is ok, warn, FAIL or off (nothing to check), with what would mend it. Without --model
    no network is used; with it the model gets three short questions that tell nothing of anybody.
    Exit code 9 says that a check failed, 11 that the endpoint did.
    """
    settings = settings_of(ctx, given)
    is_asked = is_model_asked(settings)
    checks = [_check_store(settings, may_be_missing=is_asked)]
    asked = _ask_model(settings) if is_asked else [_tell_model(settings)]
    _write(settings, [*checks, *asked])
    if any(one.state == "fail" for one in asked):
        return ENDPOINT_FAILED
    return CHECK_FAILED if any(one.state == "fail" for one in checks) else 0


def _check_store(settings: Settings, *, may_be_missing: bool) -> Check:
    """Check that the store opens at the schema that this memorycore knows."""
    try:
        with settings.open(read_only=True) as memory:
            stats = memory.stats(all_scopes=True)
    except StoreMissingError as error:
        if not may_be_missing:
            raise
        return Check("store", "off", error.message.rstrip("."), error.hint)
    except MemoryCoreError as error:
        return Check("store", "fail", f"{error.message} {error.why or ''}".strip(), error.hint)
    size = stats.file_bytes / 1024**2
    detail = f"schema {stats.schema} · {counted(stats.facts, 'fact')} · {size:,.1f} MB"
    return Check("store", "ok", detail)


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
    width = max(len(one.name) for one in checks)
    lines = [
        f"{_state(settings, one.state)}  {one.name:<{width}}  {one_line(one.detail)}"
        + (f"   {one_line(one.fix)}" if one.fix else "")
        for one in checks
    ]
    if failures or warnings:
        parts = [(failures, "failure"), (warnings, "warning")]
        lines.append(", ".join(counted(number, noun) for number, noun in parts if number))
    document = {
        "schema": "memorycore.doctor.v1",
        "ok": not failures,
        "failures": failures,
        "warnings": warnings,
        "checks": [one.to_dict() for one in checks],
    }
    records = [dict(one.to_dict()) for one in checks]
    write_answer(settings, "\n".join(lines), records, document, columns=COLUMNS)


def _state(settings: Settings, state: str) -> str:
    shown = f"{state.upper() if state == 'fail' else state:<4}"
    return paint(settings, shown, COLOURS[state]) if state in COLOURS else shown
