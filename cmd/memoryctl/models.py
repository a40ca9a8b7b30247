"""The model of a call: its name and address, and the key, which no flag and no project can give."""

import os
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import click

from memorycore.errors import InvalidConfigError
from memoryctl.config_files import user_config_path
from memoryctl.options import Settings

F = TypeVar("F", bound=Callable[..., Any])

CONFIGURED = ""
"""What ``--model`` without a name stands for."""
EXAMPLE = "http://localhost:11434/v1"


def model_options(help_: str) -> tuple[Callable[[F], F], ...]:
    """Give the options that name a model."""
    return (
        click.option("--model", is_flag=False, flag_value=CONFIGURED, metavar="[NAME]", help=help_),
        click.option("--model-url", metavar="URL", help="Its OpenAI-compatible base."),
    )


class Model(NamedTuple):
    """A model that is to be asked."""

    name: str
    url: str
    key: str | None
    timeout_s: float
    max_tokens: int


def is_model_asked(settings: Settings) -> bool:
    """Tell whether the call itself asks for a model: a configured one alone sends nothing out."""
    return settings.values["model"].origin == "flag"


def model_name(settings: Settings) -> str | None:
    """Give the name of the model: that of the call, else the configured one."""
    name = settings["model"]
    if name == CONFIGURED and is_model_asked(settings):
        name = settings.configured("model")
    return None if name is None else str(name)


def chosen_model(settings: Settings) -> Model:
    """Give the model that is to be asked.

    Raises:
        InvalidConfigError: it has no name or no address, or its key cannot be read.
    """
    path = user_config_path()
    name, url = model_name(settings), settings["model_url"]
    if name is None:
        raise InvalidConfigError(
            "No model is configured.",
            hint=f'--model NAME, MEMORYCORE_MODEL, or model = "NAME" in {path}',
        )
    if url is None:
        raise InvalidConfigError(
            f"The model {name} has no address.",
            why="memorycore sends nothing anywhere unless it is told where to",
            hint=f'--model-url {EXAMPLE}, MEMORYCORE_MODEL_URL, or model_url = "…" in {path}',
        )
    return Model(
        name, str(url), _key(settings), settings["model_timeout"], settings["model_max_tokens"]
    )


def asked_model(settings: Settings) -> dict[str, Any]:
    """Give what says which model reads, for a harvest; nothing where the call names none.

    Raises:
        InvalidConfigError: see ``chosen_model``.
    """
    if not is_model_asked(settings):
        return {}
    model = chosen_model(settings)
    return {
        "extractor": "model",
        "model": model.name,
        "base_url": model.url,
        "key": model.key,
        "timeout_s": model.timeout_s,
        "max_tokens": model.max_tokens,
    }


def _key(settings: Settings) -> str | None:
    """Read the key: what the environment says comes first, and a file before the key itself."""
    key, file = settings.values["model_key"], settings.values["model_key_file"]
    is_file_nearer = file.origin.startswith("MEMORYCORE_") or not key.origin.startswith(
        "MEMORYCORE_"
    )
    if file.value is None or (key.value is not None and not is_file_nearer):
        return None if key.value is None else str(key.value)
    try:
        with open(os.path.expanduser(str(file.value)), encoding="utf-8") as text:
            return text.read().strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise InvalidConfigError(
            f"The key file of the model cannot be read ({reason}).",
            why=f"model_key_file from {file.origin}",
            hint="memoryctl config show --origin",
        ) from error
