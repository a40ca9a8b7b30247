"""Forms of output: cards for people, and stable ones for programs. Data goes to standard output."""

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

import click

from memorycore.errors import InvalidInputError
from memoryctl.options import Settings

Record = dict[str, Any]

_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def form_of(settings: Settings) -> str:
    """Resolve the form: ``auto`` is cards on a terminal and tab-separated lines elsewhere."""
    form = str(settings["output"])
    if form == "auto":
        return "cards" if sys.stdout.isatty() else "tsv"
    return form


def write_records(
    settings: Settings,
    records: Sequence[Record],
    document: Record,
    *,
    columns: Sequence[str],
    cards: Callable[[], str],
) -> None:
    """Write records in the form that was asked for.

    ``document`` is the whole answer as JSON; ``columns`` are those of lines and tables unless
    ``--fields`` names others.

    Raises:
        InvalidInputError: ``--fields`` names a column that is not there.
    """
    form = form_of(settings)
    chosen = _columns(settings, records, columns)
    if form == "json":
        write_json(settings, document)
        return
    if form == "jsonl":
        for record in records:
            write_json(
                settings,
                {name: record.get(name) for name in chosen} if settings["fields"] else record,
            )
    elif form == "id":
        _write(settings, "".join(f"{record['id']}\n" for record in records if "id" in record))
    elif form == "csv":
        _write(settings, _csv(records, chosen))
    elif form == "md":
        _write(settings, _markdown(records, chosen))
    elif form == "tsv" or settings["fields"]:
        lines = ("\t".join(_cell(record.get(name)) for name in chosen) for record in records)
        _write(settings, "".join(f"{line}\n" for line in lines))
    else:
        text = cards()
        _write(settings, f"{text}\n" if text else "", painted=True)


def readable(shape: Record) -> str:
    """Write a record for people: a line for each field, and one for each of its parts."""
    lines = []
    for name, value in shape.items():
        told = value if isinstance(value, list) else [value]
        shown = [text for text in map(_readable, told) if text]
        if isinstance(value, list) and not any(isinstance(one, dict) for one in value):
            shown = [", ".join(shown)] if shown else []
        lines += [f"{name if at == 0 else '':<13}{text}" for at, text in enumerate(shown)]
    return "\n".join(lines)


def _readable(value: Any) -> str:
    if isinstance(value, dict):
        parts = ((name, _readable(part)) for name, part in value.items())
        return " · ".join(f"{name} {part}" for name, part in parts if part)
    if isinstance(value, list):
        return ", ".join(filter(None, map(_readable, value)))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else one_line(str(value))


def write_json(settings: Settings, document: Any) -> None:
    """Write one JSON value on one line."""
    import json

    text = json.dumps(document, ensure_ascii=bool(settings["ascii_only"]), default=str)
    sys.stdout.write(text + "\n")


def write_text(settings: Settings, text: str, document: Record) -> None:
    """Write an answer that is no list: JSON when that was asked for, else the text."""
    if form_of(settings) in ("json", "jsonl"):
        write_json(settings, document)
    else:
        _write(settings, text + "\n")


def write_answer(
    settings: Settings,
    text: str,
    records: Sequence[Record],
    document: Record,
    *,
    columns: Sequence[str],
) -> None:
    """Write a text for people, terminal or not; a form that was asked for gets the records."""
    if settings["output"] == "auto" and not settings["fields"]:
        _write(settings, safe(text) + "\n" if text else "", painted=True)
    else:
        write_records(settings, records, document, columns=columns, cards=lambda: safe(text))


def _columns(
    settings: Settings, records: Sequence[Record], columns: Sequence[str]
) -> Sequence[str]:
    if not settings["fields"]:
        return columns
    known = dict.fromkeys([*columns, *(name for record in records for name in record)])
    return require_fields(settings, list(known))


def require_fields(settings: Settings, known: Sequence[str]) -> Sequence[str]:
    """Give the columns that ``--fields`` names; a command that writes asks before it does.

    Raises:
        InvalidInputError: one of them is not there.
    """
    chosen = [name.strip() for name in str(settings["fields"] or "").split(",") if name.strip()]
    for name in chosen:
        if name not in known:
            raise InvalidInputError(f"There is no field {name!r}.", hint=", ".join(known))
    return chosen


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, (dict, list)):
        value = _json(value)
    return str(value).translate(_ESCAPES)


def _csv(records: Sequence[Record], columns: Sequence[str]) -> str:
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for record in records:
        row = (record.get(name) for name in columns)
        writer.writerow([_plain(value) for value in row])
    return text.getvalue()


def _plain(value: Any) -> Any:
    return _json(value) if isinstance(value, (dict, list)) else value


def _json(value: Any) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)


def _markdown(records: Sequence[Record], columns: Sequence[str]) -> str:
    def cell(value: Any) -> str:
        return _cell(value).replace("|", "\\|").replace("\\n", "<br>")

    lines = [f"| {' | '.join(columns)} |", f"|{' --- |' * len(columns)}"]
    lines += [f"| {' | '.join(cell(record.get(n)) for n in columns)} |" for record in records]
    return "\n".join(lines) + "\n"


def _write(settings: Settings, text: str, *, painted: bool = False) -> None:
    if settings["ascii_only"]:
        text = text.encode("ascii", "backslashreplace").decode()
    if sys.stdout.isatty() and not painted:
        text = safe(text)
    sys.stdout.write(text)


def safe(text: str) -> str:
    """Take the characters out of a text that a terminal would act on."""
    return "".join(
        c if c in "\n\t" or c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text
    )


def one_line(text: str) -> str:
    """Do the same and keep it on one line: a name must not look like a line of its own."""
    return safe(text.replace("\n", " ").replace("\t", " "))


def paint(settings: Settings, text: str, colour: str) -> str:
    """Colour a text if colours are wanted; they never carry a meaning alone."""
    when = settings["color"]
    if when == "auto":
        plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        wanted = bool(os.environ.get("FORCE_COLOR")) or (sys.stdout.isatty() and not plain)
    else:
        wanted = when == "always"
    return click.style(text, fg=colour) if wanted else text


def episodes(count: int) -> str:
    """Say how many episodes."""
    return counted(count, "episode")


def counted(count: int, noun: str) -> str:
    """Say how many of something there are."""
    if count == 1:
        return f"1 {noun}"
    ends_in_y = noun.endswith("y") and noun[-2] not in "aeiou"
    plural = f"{noun[:-1]}ies" if ends_in_y else f"{noun}s"
    return f"{count:,} {plural}"


def cut(text: str, length: int = 120) -> str:
    """Keep a text on one line, and short enough to be looked over."""
    line = one_line(text)
    return line if len(line) <= length else f"{line[: length - 1]}…"
