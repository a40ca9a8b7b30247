"""External-memory JSON, versions 1 and 2: what another assistant wrote down about its user.

The parser is strict about the document and lenient about its records: what is no such document is
refused as a whole and never mended; a record loses the fields that it has wrong, and is dropped
only where it has no title or summary.
"""

import json
import json.scanner
import math
import re
import unicodedata
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict
from pydantic.alias_generators import to_camel

from memorycore.errors import InvalidInputError
from memorycore.exchange.reading import refuse_constant, require_text

SCHEMAS = ("stratagate.external-memory.v1", "stratagate.external-memory.v2")
SOURCE_TYPE = "external_ai_memory_export"
MAX_CANDIDATES = 200
KINDS = ("instruction", "preference", "fact", "event")
CATEGORIES = ("instruction", "identity", "career", "project", "preference")
SCOPES = ("user", "project", "session")
CRITICALITIES = ("routine", "preference", "identity", "safety")
PRECISIONS = ("instant", "day", "month", "year", "range", "unknown")
BASES = ("explicit", "relative", "inferred", "unknown")
STATUSES = ("occurred", "planned", "cancelled", "ongoing", "unknown")
EVENT_TYPES = ("decision", "release", "task_completed", "plan", "change", "cancellation",
               "incident", "meeting", "collaboration", "migration", "other")  # fmt: skip
_ALIASES = {
    "发布": "release", "版本发布": "release", "released": "release",
    "决定": "decision", "决策": "decision",
    "完成": "task_completed", "任务完成": "task_completed", "completed": "task_completed",
    "计划": "plan", "planned": "plan",
    "变更": "change", "修改": "change",
    "取消": "cancellation", "cancelled": "cancellation", "canceled": "cancellation",
    "故障": "incident", "会议": "meeting", "协作": "collaboration", "迁移": "migration",
}  # fmt: skip
_ALIASES |= {name.replace("_", ""): name for name in EVENT_TYPES}
_FENCED = re.compile(r"```(?:json)?[ \t]*\r?\n?(.*)```", re.DOTALL | re.IGNORECASE)
_GAPS = re.compile(r"[\s_-]+")


class Placed(str):
    """A text of a document that knows where it stands there, between its quotation marks."""

    start = 0
    end = 0


def _placed_string(text: str, begin: int, strict: bool = True) -> tuple[str, int]:
    value, end = json.decoder.scanstring(text, begin, strict)  # type: ignore[attr-defined]
    placed = Placed(value)
    placed.start, placed.end = begin, end - 1
    return placed, end


def parse_placed(text: str) -> Any:
    """Parse strict JSON whose texts know where they stand.

    Raises:
        InvalidInputError: it is no JSON; the message says where, not what.
    """
    decoder: Any = json.JSONDecoder(parse_constant=refuse_constant)
    decoder.parse_string = _placed_string
    decoder.scan_once = json.scanner.py_make_scanner(decoder)  # type: ignore[attr-defined]
    try:
        return decoder.decode(text)
    except json.JSONDecodeError as error:
        what = error.msg.removesuffix(" at")
        raise InvalidInputError(
            f"not JSON: {what} at line {error.lineno} column {error.colno}"
        ) from error
    except RecursionError as error:
        raise InvalidInputError("not readable: nested too deeply") from error
    except ValueError as error:
        raise InvalidInputError("not JSON that can be read: a number is too long") from error


def _text(length: int) -> BeforeValidator:
    """Trim and cut a text; what is none, or empty, is left out."""

    def read(value: Any) -> str | None:
        if not isinstance(value, str):
            return None
        return value.strip()[:length].strip() or None

    return BeforeValidator(read)


def _texts(count: int, length: int) -> BeforeValidator:
    """Trim, cut and de-duplicate a list of texts."""

    def read(value: Any) -> tuple[str, ...]:
        if not isinstance(value, list):
            return ()
        parts = [one.strip()[:length].strip() for one in value if isinstance(one, str)]
        return tuple(dict.fromkeys(filter(None, parts)))[:count]

    return BeforeValidator(read)


def _one_of(choices: tuple[str, ...]) -> BeforeValidator:
    """Leave out what is none of some choices."""

    def read(value: Any) -> str | None:
        return value if isinstance(value, str) and value in choices else None

    return BeforeValidator(read)


def read_event_type(value: Any) -> str | None:
    """Give the standard type of an event: an alias must match as a whole."""
    if not isinstance(value, str) or not value.strip():
        return None
    plain = _GAPS.sub("", unicodedata.normalize("NFKC", value.strip()[:80]).lower())
    return _ALIASES.get(plain, "other")


def _read_share(value: Any) -> float | None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value):
        return None
    return min(1.0, max(0.0, float(value)))


def _read_object(value: Any) -> Any:
    return value if isinstance(value, dict) else None


class Temporal(BaseModel):
    """When something was said, and when it happened or is to happen."""

    model_config = ConfigDict(extra="ignore", frozen=True, alias_generator=to_camel)

    mentioned_at: Annotated[str | None, _text(200)] = None
    happened_start: Annotated[str | None, _text(200)] = None
    happened_end: Annotated[str | None, _text(200)] = None
    original_text: Annotated[str | None, _text(200)] = None
    precision: Annotated[str | None, _one_of(PRECISIONS)] = None
    basis: Annotated[str | None, _one_of(BASES)] = None
    status: Annotated[str | None, _one_of(STATUSES)] = None
    event_type: Annotated[str | None, BeforeValidator(read_event_type)] = None
    participants: Annotated[tuple[str, ...], _texts(24, 200)] = ()


class Record(BaseModel):
    """A candidate memory, as far as it could be read. Fields that were wrong are left out."""

    model_config = ConfigDict(extra="ignore", frozen=True, alias_generator=to_camel)

    title: Annotated[str | None, _text(160)] = None
    summary: Annotated[str | None, _text(2000)] = None
    memory_kind: Annotated[str | None, _one_of(KINDS)] = None
    category: Annotated[str | None, _one_of(CATEGORIES)] = None
    tags: Annotated[tuple[str, ...], _texts(12, 200)] = ()
    quotes: Annotated[tuple[str, ...], _texts(12, 500)] = ()
    narrative: Annotated[str | None, _text(8000)] = None
    scope: Annotated[str | None, _one_of(SCOPES)] = None
    criticality: Annotated[str | None, _one_of(CRITICALITIES)] = None
    confidence: Annotated[float | None, BeforeValidator(_read_share)] = None
    temporal: Annotated[Temporal | None, BeforeValidator(_read_object)] = None


@dataclass(frozen=True, slots=True)
class External:
    """A record that can be imported, and where its summary stands in the document."""

    record: Record
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a document holds: records, and which were dropped (counted from 1) and why."""

    records: tuple[External, ...]
    dropped: tuple[tuple[int, str], ...]


def parse_external_memory(text: str) -> Parsed:
    """Read a document; one fenced block around the whole of it is looked through.

    Raises:
        InvalidInputError: it is no such document. It is not mended.
    """
    body, offset = _body(text)
    try:
        root = parse_placed(body)
    except InvalidInputError as error:
        raise InvalidInputError(
            f"It is no external-memory JSON: {error.message}.",
            why="words before or after it are not looked past, and nothing is mended",
            hint="give the JSON alone, or --decider model to have it recovered",
        ) from error
    _check_root(root)
    require_text(root)
    given = root.get("candidates", root.get("events", []))
    if not isinstance(given, list):
        raise InvalidInputError("It is no external-memory JSON: candidates is no list.")
    records: list[External] = []
    dropped: list[tuple[int, str]] = []
    for number, one in enumerate(given, 1):
        if number > MAX_CANDIDATES:
            dropped.append((number, f"only the first {MAX_CANDIDATES} are taken"))
        elif (read := _read(one, offset)) is None:
            dropped.append((number, "it has no title or no summary"))
        else:
            records.append(read)
    return Parsed(tuple(records), tuple(dropped))


def _body(text: str) -> tuple[str, int]:
    """Give the JSON of a text, and where it begins there."""
    stripped = text.strip()
    begins = text.find(stripped) if stripped else 0
    fenced = _FENCED.fullmatch(stripped)
    return (stripped, begins) if fenced is None else (fenced[1], begins + fenced.start(1))


def _check_root(root: Any) -> None:
    if not isinstance(root, dict):
        raise InvalidInputError("It is no external-memory JSON: the whole is no JSON object.")
    schema = root.get("schemaVersion")
    if schema is not None and schema not in SCHEMAS:
        raise InvalidInputError(
            "Its schemaVersion is none that is known.", hint=" or ".join(SCHEMAS)
        )
    if root.get("sourceType") not in (None, SOURCE_TYPE):
        raise InvalidInputError("Its sourceType is another one.", hint=SOURCE_TYPE)


def _read(one: Any, offset: int) -> External | None:
    if not isinstance(one, dict):
        return None
    record = Record.model_validate(one)
    if record.title is None or record.summary is None:
        return None
    if record.category is not None:
        tags = tuple(dict.fromkeys([record.category, *record.tags]))[:12]
        record = record.model_copy(update={"tags": tags})
    when = record.temporal
    if when is not None and "unknown" in (when.precision, when.basis):
        dateless = when.model_copy(update={"happened_start": None, "happened_end": None})
        record = record.model_copy(update={"temporal": dateless})
    summary = one["summary"]
    start, end = summary.start + offset, summary.end + offset
    return External(record, start, end)


def summary_span(text: str, start: int, end: int, summary: str) -> tuple[int, int]:
    """Give where a summary stands in a document, without white space around it or what was cut."""
    raw = text[start:end]
    lead = len(raw) - len(raw.lstrip())
    start += lead
    raw = raw.strip()
    if raw.startswith(summary):
        return start, start + len(summary)
    return start, start + len(raw)
