"""The command itself: finds the subcommand, runs it, and turns errors into messages and exit codes.

Each command's module is imported when it is called, so that a search does not pay for the rest.
"""

import os
import sys


def main() -> None:
    """Run memoryctl and end the process."""
    if sys.argv[1:] == ["--version"]:
        # Before anything is imported: this is what scripts ask to see whether it is there.
        from memorycore import __version__

        sys.stdout.write(f"memoryctl {__version__}\n")
        return
    _open_missing_streams()
    from memoryctl.failure import run_guarded
    from memoryctl.tree import cli

    if "_MEMORYCTL_COMPLETE" in os.environ:
        cli.main(prog_name="memoryctl")
    code = run_guarded(cli)
    _flush()
    # Nothing is left to clean up, and taking the interpreter apart takes longer than a search.
    os._exit(code)


def _open_missing_streams() -> None:
    """Stand in for streams that the caller has closed: what is written there goes nowhere."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
