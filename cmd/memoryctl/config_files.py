"""Configuration files: the project's memorycore.toml and the user's config.toml.

A project file comes with a repository that somebody else may have written: it may set how memories
are shown and which scope is meant, but not move the store out of the project, nor say which model
reads what was said.
"""

import os
import sys
from dataclasses import dataclass
from typing import Any

from memorycore.errors import InvalidConfigError

PROJECT_FILE = "memorycore.toml"
PROJECT_MAY_SET = frozenset({"db", "scope", "output", "time_zone", "busy_timeout", "color"})
_TYPES: dict[str, tuple[type, ...]] = {
    "db": (str,),
    "scope": (str, list),
    "output": (str,),
    "time_zone": (str,),
    "busy_timeout": (int, float),
    "ballast_mb": (int,),
    "on_secret": (str,),
    "color": (str,),
    "model": (str,),
    "model_url": (str,),
    "model_key": (str,),
    "model_key_file": (str,),
    "model_timeout": (int, float),
    "model_max_tokens": (int,),
}
SECRET = frozenset({"model_key"})
"""Settings whose value is never shown."""
CHOICES = {
    "output": ("auto", "json", "jsonl", "csv", "id", "md"),
    "on_secret": ("reject", "mask", "keep"),
    "color": ("auto", "always", "never"),
}


@dataclass(slots=True, eq=False, repr=False)
class Value:
    """A setting and where it came from."""

    value: Any
    origin: str


def read_config(folder: str) -> dict[str, Value]:
    """Read both files, the project's over the user's.

    Raises:
        InvalidConfigError: a file is no TOML, or sets something it does not know or may not.
    """
    values: dict[str, Value] = {}
    user = user_config_path()
    if os.path.isfile(user):
        values |= _read(user, is_project=False)
    project = find_upward(folder, PROJECT_FILE)
    if project is not None:
        values |= _read(project, is_project=True)
    return values


def user_config_path() -> str:
    """Name the user's file, whether it is there or not."""
    base = os.environ.get("XDG_CONFIG_HOME")
    if not base and sys.platform == "linux":
        base = os.path.join(os.path.expanduser("~"), ".config")
    if base:
        return os.path.join(base, "memorycore", "config.toml")
    import platformdirs

    return os.path.join(platformdirs.user_config_dir("memorycore"), "config.toml")


def find_upward(folder: str, name: str) -> str | None:
    """Find the nearest file or folder of a name in a folder or above it."""
    folder = os.path.abspath(folder)
    while True:
        path = os.path.join(folder, name)
        if os.path.exists(path):
            return path
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def _read(path: str, *, is_project: bool) -> dict[str, Value]:
    import tomllib

    try:
        with open(path, "rb") as file:
            table = tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidConfigError(
            f"{path} cannot be read: {error}.", hint="mend it, or --no-config"
        ) from error
    return {
        name: Value(_checked(path, name, value, is_project=is_project), path)
        for name, value in table.items()
    }


def _checked(path: str, name: str, value: Any, *, is_project: bool) -> Any:
    if name not in _TYPES:
        raise InvalidConfigError(f"{path} sets {name}.", hint=f"known: {', '.join(_TYPES)}")
    if is_project and name not in PROJECT_MAY_SET:
        why = None
        if name.startswith("model"):
            why = "a repository that somebody else wrote must not send your conversations anywhere"
        hint = f"set it in {user_config_path()}"
        raise InvalidConfigError(
            f"{path} sets {name}, which a project may not.", why=why, hint=hint
        )
    if not isinstance(value, _TYPES[name]) or isinstance(value, bool):
        raise InvalidConfigError(f"{path}: {name} is of the wrong type.")
    if name in CHOICES and value not in CHOICES[name]:
        raise InvalidConfigError(f"{path}: {name} is one of {', '.join(CHOICES[name])}.")
    if name == "scope" and not value:
        raise InvalidConfigError(f"{path}: scope names none.")
    if name == "scope":
        return tuple(value) if isinstance(value, list) else (value,)
    if name == "db":
        return _inside(path, str(value), is_project=is_project)
    return value


def refuse_outside(store: str, folder: str, why: str) -> None:
    """Refuse a store that a project's folder holds only as a link to somewhere else.

    Raises:
        InvalidConfigError: its real place lies outside the folder.
    """
    if not os.path.realpath(store).startswith(os.path.realpath(folder) + os.sep):
        raise InvalidConfigError(
            f"{why} puts the store outside the project.",
            why="a cloned repository must not move anybody's memories",
            hint="--db FILE, or db in your own config.toml",
        )


def _inside(path: str, store: str, *, is_project: bool) -> str:
    folder = os.path.dirname(path)
    full = os.path.join(folder, os.path.expanduser(store))
    if is_project:
        refuse_outside(full, folder, path)
    return full
