"""Errors as people and programs see them: one line each for what, why and what to try."""

import os
import sys
from types import TracebackType

import click

from memorycore.errors import MemoryCoreError
from memoryctl.options import Settings
from memoryctl.output import safe


def run_guarded(command: click.Command) -> int:
    """Run the command tree; give the exit code."""
    context: click.Context | None = None
    try:
        with command.make_context("memoryctl", sys.argv[1:]) as context:
            outcome = command.invoke(context)
            return outcome if isinstance(outcome, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted. What was committed stands; the same command goes on.", err=True)
        return 130
    except BrokenPipeError:
        return 0
    except OSError as error:
        reason = error.strerror or type(error).__name__
        why = "a full or closed output, perhaps; what was committed before stands"
        return _report(
            "system",
            f"The system refused to read or write ({reason}).",
            why,
            "memoryctl log",
            exit_code=1,
            asked=context,
        )
    except click.UsageError as error:
        return _report(
            "usage", error.format_message(), None, _usage_hint(error), exit_code=2, asked=context
        )
    except click.ClickException as error:
        return _report("usage", error.format_message(), None, None, exit_code=2, asked=context)
    except MemoryCoreError as error:
        _print_trace()
        return _report(
            error.code, error.message, error.why, error.hint, error.exit_code, asked=context
        )
    except Exception as error:  # noqa: BLE001 (the last door: a bug must not spill a memory)
        _print_trace()
        path = _write_log(error)
        message = f"Unexpected {type(error).__name__}. The last transaction was rolled back."
        return _report("bug", message, f"a bug; {path}", "--debug", exit_code=1, asked=context)


def tell_failed_check(message: str, hint: str) -> None:
    """Say on standard error what does not hold: it is talk, and -q does not keep it back."""
    for label, text in (("Error", message), ("Try", hint)):
        click.echo(f"{label}: {safe(text)}", err=True)


def _print_trace() -> None:
    if "--debug" in sys.argv:
        import traceback

        traceback.print_exc()


def _usage_hint(error: click.UsageError) -> str:
    path = error.ctx.command_path if error.ctx else "memoryctl"
    return f"{path} --help"


def _report(
    code: str,
    message: str,
    why: str | None,
    hint: str | None,
    exit_code: int,
    *,
    asked: click.Context | None,
) -> int:
    settings = asked.obj if asked is not None else None
    if isinstance(settings, Settings) and settings.values:
        why, hint = (text and settings.for_this_store(text) for text in (why, hint))
    if _wants_json(asked):
        import json

        shape = {"code": code, "message": message, "why": why, "try": hint, "exit": exit_code}
        document = {"schema": "memorycore.error.v1", "ok": False, "error": shape}
        click.echo(json.dumps(document, ensure_ascii=False), err=True)
        return exit_code
    for label, text in (("Error", message), ("Why", why), ("Try", hint)):
        if text:
            click.echo(f"{label}: {safe(text)}", err=True)
    return exit_code


def _wants_json(asked: click.Context | None) -> bool:
    settings = asked.obj if asked is not None else None
    if isinstance(settings, Settings) and settings.values:
        return settings["output"] in ("json", "jsonl")
    words = sys.argv[1:]
    return any(
        word in ("-ojson", "--output=json") or (word in ("-o", "--output") and following == "json")
        for word, following in zip(words, [*words[1:], ""], strict=True)
    )


def _write_log(error: BaseException) -> str:
    """Write where it happened to a log. The error's own text is left out: it may quote a memory."""
    from memoryctl.places import state_folder

    folder = state_folder()
    path = os.path.join(folder, "memoryctl.log")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(handle, "a", encoding="utf-8") as file:
            file.write(f"{type(error).__name__}\n{_frames(error.__traceback__)}\n")
    except OSError:
        return "it could not be logged"
    return f"logged in {path}"


def _frames(trace: TracebackType | None) -> str:
    import traceback

    frames = traceback.extract_tb(trace)
    return "\n".join(f"  {frame.filename}:{frame.lineno} {frame.name}" for frame in frames)
