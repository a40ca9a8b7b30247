"""The options that every command takes, before or after its name, and what they come to.

Precedence: flag, MEMORYCORE_* variable, project memorycore.toml, user config.toml, built-in value.
"""

import os
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import click

from memorycore import Memory
from memorycore.errors import InvalidConfigError
from memoryctl.config_files import CHOICES, Value, read_config

F = TypeVar("F", bound=Callable[..., Any])

OUTPUTS = ("auto", "json", "jsonl", "csv", "id", "md")
BUILT_IN: dict[str, Any] = {
    "db": None,
    "scope": ("default",),
    "output": "auto",
    "time_zone": None,
    "busy_timeout": 10.0,
    "ballast_mb": 8,
    "on_secret": "reject",
    "color": "auto",
    "model": None,
    "model_url": None,
    "model_key": None,
    "model_key_file": None,
    "model_timeout": 120.0,
    "model_max_tokens": 4096,
}
NUMBERS = {
    "busy_timeout": float,
    "ballast_mb": int,
    "model_timeout": float,
    "model_max_tokens": int,
}


def _complete_scope(ctx: click.Context, param: click.Parameter, incomplete: str) -> Any:
    from memoryctl.completing import complete_scope

    return complete_scope(ctx, param, incomplete)


_OPTIONS = (
    click.option("--db", metavar="FILE", help="The store's file."),
    click.option(
        "--scope",
        metavar="S",
        multiple=True,
        shell_complete=_complete_scope,
        help="Whose memory; may be repeated.",
    ),
    click.option("-o", "--output", type=click.Choice(OUTPUTS), help="Form of the output."),
    click.option("--fields", metavar="F,…", help="Columns to print, in this order."),
    click.option("--ascii", "ascii_only", is_flag=True, help="Escape what is not ASCII."),
    click.option("--color", type=click.Choice(["auto", "always", "never"]), help="Use colours."),
    click.option("--tz", "time_zone", metavar="ZONE", help="Zone of times without an offset."),
    click.option("--busy-timeout", type=float, metavar="S", help="Seconds to wait for a lock."),
    click.option("-q", "--quiet", is_flag=True, help="No talk on standard error."),
    click.option("-v", "--verbose", is_flag=True, help="More talk."),
    click.option("--debug", is_flag=True, help="Show tracebacks."),
    click.option("--no-input", is_flag=True, help="Never ask."),
    click.option("--no-config", is_flag=True, help="Ignore configuration files."),
)


def zero_to_one(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    """Refuse a number that is no share of one."""
    if value is not None and not 0 <= value <= 1:
        raise click.BadParameter("it is between 0 and 1", ctx, param)
    return value


def not_reserved(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Refuse to write a file over a store, a backup, or what belongs to a store."""
    if value is not None:
        Memory.refuse_reserved(value)
    return value


def common_options(function: F) -> F:
    """Add the common options to a command; they stay out of its own short help."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def file_options(function: F) -> F:
    """Add the common options to a command that concerns the whole file: its help has no --scope."""
    function = common_options(function)
    for option in function.__click_params__:  # type: ignore[attr-defined]
        if option.name == "scope":
            option.hidden = True
    return function


@dataclass(slots=True, eq=False, repr=False)
class Settings:
    """The settings of one call: each value with where it came from."""

    flags: dict[str, Any] = field(default_factory=dict)
    values: dict[str, Value] = field(default_factory=dict)
    config: dict[str, Value] = field(default_factory=dict)

    @classmethod
    def of_group(cls, given: dict[str, Any]) -> "Settings":
        """Take what stood before the command's name."""
        return cls(flags=_given(given))

    def with_command(self, given: dict[str, Any]) -> "Settings":
        """Add what stood after the command's name, and look the rest up."""
        flags = self.flags | _given(given)
        config = {} if flags.get("no_config") else read_config(os.getcwd())
        values = {
            name: _lookup(name, flags, config, built_in) for name, built_in in BUILT_IN.items()
        }
        return Settings(flags, values, config)

    def configured(self, name: str) -> Any:
        """Give a setting as it is without the flag of this call."""
        return _lookup(name, {}, self.config, BUILT_IN[name]).value

    def __getitem__(self, name: str) -> Any:
        return self.values[name].value if name in self.values else self.flags.get(name)

    @property
    def scopes(self) -> tuple[str, ...]:
        return tuple(self["scope"])

    @property
    def scope_given(self) -> bool:
        return self.values["scope"].origin == "flag"

    @property
    def store(self) -> Value:
        """The store's path and why it is that one."""
        from memoryctl.places import find_store

        return find_store(self.values["db"])

    def open(self, *, read_only: bool) -> Memory:
        """Open the store for the scopes of this call; it must be there."""
        first, *others = self.scopes
        memory = Memory.open(
            str(self.store.value),
            scope=first,
            reads=others,
            create=False,
            read_only=read_only,
            busy_timeout=self["busy_timeout"],
            actor="memoryctl",
            on_secret=self["on_secret"],
            ballast_mb=self["ballast_mb"],
        )
        zone = self["time_zone"]
        return memory if zone is None else memory.scoped(first, others, time_zone=zone)

    def talk(self, text: str) -> None:
        """Say something on standard error, unless it is to be quiet."""
        if not self["quiet"]:
            click.echo(f"» {self.for_this_store(text)}", err=True)

    def for_this_store(self, text: str) -> str:
        """Let the commands that a text tells act on the store that --db has named."""
        if self.values["db"].origin != "flag" or "--db" in text.replace("--db FILE", ""):
            return text
        named = f"memoryctl --db {shlex.quote(str(self.values['db'].value))} "
        return _COMMAND.sub(lambda _: named, text)


_COMMAND = re.compile(r"\bmemoryctl (?=[a-z])(?!help\b|completion\b|config\b)")


def _given(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value not in (None, False, ())}


def _lookup(name: str, flags: dict[str, Any], config: dict[str, Value], built_in: Any) -> Value:
    if name in flags:
        return Value(flags[name], "flag")
    variable = f"MEMORYCORE_{name.upper()}"
    text = os.environ.get(variable)
    if text:
        return Value(_from_text(name, text, variable), f"{variable}")
    return config.get(name) or Value(built_in, "built-in")


def _from_text(name: str, text: str, variable: str) -> Any:
    if name == "scope":
        scopes = tuple(part.strip() for part in text.split(",") if part.strip())
        if not scopes:
            raise InvalidConfigError(
                f"{variable} names no scope.", hint=f"export {variable}=user:ana"
            )
        return scopes
    if name in NUMBERS:
        try:
            return NUMBERS[name](text)
        except ValueError as error:
            raise InvalidConfigError(
                f"{variable} is no number.", hint=f"export {variable}={BUILT_IN[name]}"
            ) from error
    choices = CHOICES.get(name)
    if choices and text not in choices:
        raise InvalidConfigError(f"{variable} is none of {', '.join(choices)}.")
    return text


def settings_of_file(ctx: click.Context, given: dict[str, Any], *, ids: bool = False) -> Settings:
    """Give the settings of a command that concerns the whole file.

    Raises:
        click.UsageError: a scope was asked for, or without ``ids`` the form of nothing but ids.
    """
    settings = settings_of(ctx, given)
    if settings.scope_given:
        raise click.UsageError(
            f"{ctx.command_path} concerns the whole file, and so all scopes: leave --scope out.",
            ctx,
        )
    return settings if ids else without_ids(ctx, settings)


def without_ids(ctx: click.Context, settings: Settings) -> Settings:
    """Refuse the form of nothing but ids where there are none; one that is configured is let go.

    Raises:
        click.UsageError: it was asked for.
    """
    output = settings.values["output"]
    if output.value == "id" and output.origin == "flag":
        others = ", ".join(form for form in OUTPUTS if form != "id")
        raise click.UsageError(
            f"{ctx.command_path} has no ids to print: -o is one of {others}.", ctx
        )
    if output.value == "id":
        settings.values["output"] = Value(BUILT_IN["output"], "built-in")
    return settings


def settings_of(ctx: click.Context, given: dict[str, Any]) -> Settings:
    """Give the settings of a command's call, from before and after its name."""
    before = ctx.obj if isinstance(ctx.obj, Settings) else Settings()
    settings = before.with_command(given)
    ctx.find_root().obj = settings
    return settings
