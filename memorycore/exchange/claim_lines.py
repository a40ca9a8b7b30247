"""From the bytes of a claim stream to its records, line by line (seed 000, S1-S4)."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from memorycore.errors import InvalidInputError
from memorycore.exchange.reading import parse_json
from memorycore.model.candidate import Problem, Quarantined
from memorycore.model.draft import Rejection

MAX_DEPTH = 32

_BOM = b"\xef\xbb\xbf"
_FENCE = b"```"
_OPENING = re.compile(rb"\s*```[A-Za-z0-9]*\s*\Z")


@dataclass(slots=True)
class Row:
    """A line of the stream: its record, if it has one, and the rules that it breaks."""

    place: str
    text: str
    record: dict[str, Any] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    is_dropped: bool = False

    @property
    def is_out(self) -> bool:
        """Tell whether the line cannot be taken."""
        return self.is_dropped or any(problem.severity == "reject" for problem in self.problems)

    def flag(self, code: str, reason: str, severity: str = "reject") -> None:
        """Note that the line breaks a rule."""
        self.problems.append(Problem(self.place, code, severity, reason))

    def quarantined(self) -> Quarantined:
        """Give the line as one that was not taken, by the first rule that forbids it."""
        worst = [problem for problem in self.problems if problem.severity == "reject"]
        first = (worst or self.problems)[0]
        return Quarantined(Rejection(first.place, first.code, first.reason), self.text)


def read_rows(raw: bytes, *, source: str, strict: bool) -> tuple[list[Row], list[Problem]]:
    """Cut a stream into rows, those in order with a record; problems of the whole come apart."""
    problems: list[Problem] = []
    if raw.startswith(_BOM):
        raw = raw[len(_BOM) :]
        problems.append(
            Problem(f"{source} line 1", "S2", "warn", "it begins with a byte order mark")
        )
    lines = raw.removesuffix(b"\n").split(b"\n") if raw else []
    first_return = next((at for at, line in enumerate(lines, 1) if line.endswith(b"\r")), None)
    if first_return is not None:
        place = f"{source} line {first_return}"
        problems.append(Problem(place, "S2", "warn", "lines end in CR LF"))
    numbered = list(enumerate((line.removesuffix(b"\r") for line in lines), 1))
    filled = [number for number, line in numbered if line.strip()]
    if not strict and _is_fenced(numbered, filled):
        fences = {filled[0], filled[-1]}
        numbered = [(number, line) for number, line in numbered if number not in fences]
        filled = filled[1:-1]
        place = f"{source} line {min(fences)}"
        problems.append(Problem(place, "S2", "warn", "a Markdown fence around everything"))
    if not filled:
        problems.append(Problem(source, "S2", "reject", "it holds no record"))
    if filled and _is_array(numbered, filled):
        whole = Row(f"{source} line {filled[0]}", _show(b"\n".join(line for _, line in numbered)))
        whole.flag("S3", "it is one array; each record must be a line of its own")
        return [whole], problems
    rows = []
    for number, line in numbered:
        row = _read_row(f"{source} line {number}", line, strict=strict)
        if row.problems and not row.is_out:
            problems += row.problems
        else:
            rows.append(row)
    return rows, problems


def _is_fenced(numbered: list[tuple[int, bytes]], filled: list[int]) -> bool:
    if len(filled) < 2:
        return False
    first, last = numbered[filled[0] - 1][1], numbered[filled[-1] - 1][1]
    return _OPENING.match(first) is not None and last.strip() == _FENCE


def _is_array(numbered: list[tuple[int, bytes]], filled: list[int]) -> bool:
    """Tell whether the lines are one array; an array in a single line is a matter of its line."""
    lines = dict(numbered)
    if len(filled) == 1 or not lines[filled[0]].lstrip().startswith(b"["):
        return False
    try:
        return isinstance(parse_json(b"\n".join(line for _, line in numbered)), list)
    except InvalidInputError:
        return False


def _read_row(place: str, line: bytes, *, strict: bool) -> Row:
    row = Row(place, _show(line))
    if not line.strip():
        row.flag("S1", "the line is blank", "reject" if strict else "warn")
        return row
    if line.lstrip().startswith(_FENCE):
        row.flag("S2", "a Markdown fence is no JSON")
        return row
    try:
        record = _parse(line)
    except InvalidInputError as error:
        row.flag("S2", error.message)
        return row
    if isinstance(record, list):
        row.flag("S3", "the line is an array; each record must be a line of its own")
    elif not isinstance(record, dict):
        row.flag("S4", "the line is no object")
    elif record.get("record_type") not in ("entity", "claim"):
        row.flag("S4", "record_type must be entity or claim")
    else:
        row.record = record
    return row


def _parse(line: bytes) -> Any:
    """Parse a line as JSON in which no key stands twice and every text can be written as UTF-8."""
    record = parse_json(line)
    if not _is_flat(record, MAX_DEPTH):
        raise InvalidInputError("not readable: nested too deeply")
    json.loads(line, object_pairs_hook=_refuse_repeats)
    if b"\\u" in line:
        try:
            json.dumps(record, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            raise InvalidInputError("not JSON that can be written: half a character") from error
    return record


def _is_flat(value: Any, left: int) -> bool:
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        return True
    return left > 0 and all(_is_flat(part, left - 1) for part in value)


def _refuse_repeats(pairs: list[tuple[str, Any]]) -> None:
    if len({key for key, _ in pairs}) < len(pairs):
        raise InvalidInputError("a key stands twice in one object")


def _show(line: bytes) -> str:
    return line.decode("utf-8", "backslashreplace")
