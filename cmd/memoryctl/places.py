"""Where things are: the store, the state folder, and the machine's time zone."""

import os
import sys

from memoryctl.config_files import Value, find_upward, refuse_outside


def find_store(configured: Value) -> Value:
    """Find the store: what was configured, else the nearest .memorycore, else the user's own."""
    if configured.value is not None:
        return Value(os.path.expanduser(str(configured.value)), configured.origin)
    nearest = find_upward(os.getcwd(), os.path.join(".memorycore", "memory.db"))
    if nearest is not None:
        folder = os.path.dirname(os.path.dirname(nearest))
        refuse_outside(nearest, folder, nearest)
        refuse_outside(f"{nearest}.key", folder, f"{nearest}.key")
        return Value(nearest, "nearest .memorycore folder")
    return Value(os.path.join(_user_folder("data"), "memory.db"), "user data folder")


def state_folder() -> str:
    """Name the folder of logs."""
    return _user_folder("state")


def _user_folder(kind: str) -> str:
    if sys.platform == "linux":
        # What platformdirs says too, without the 20 ms that importing it takes.
        home = {"data": ".local/share", "state": ".local/state"}[kind]
        base = os.environ.get(f"XDG_{kind.upper()}_HOME") or os.path.join(
            os.path.expanduser("~"), home
        )
        return os.path.join(base, "memorycore")
    import platformdirs

    folder = {"data": platformdirs.user_data_dir, "state": platformdirs.user_state_dir}[kind]
    return str(folder("memorycore", appauthor=False))


def local_time_zone() -> str:
    """Name the machine's time zone, UTC when it cannot be told."""
    name = os.environ.get("TZ", "").removeprefix(":")
    if not name:
        target = os.path.realpath("/etc/localtime")
        name = target.partition("zoneinfo/")[2]
    return name if name and not os.path.isabs(name) else "UTC"
