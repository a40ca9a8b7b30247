"""Readers of conversations: each turns a file into drafts, one record at a time.

A record that cannot be read becomes a rejection with its place, and reading goes on.
"""

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from memorycore.errors import InvalidInputError
from memorycore.exchange.chat import is_message, read_conversation, read_message
from memorycore.exchange.episode_line import read_episode, read_role
from memorycore.exchange.mem0 import read_point
from memorycore.exchange.reading import parse_json
from memorycore.model.draft import Draft, Rejection
from memorycore.model.time import Moment
from memorycore.port.json_array import ItemError, iter_items
from memorycore.port.lines import HEAD_BYTES, read_lines

MAX_DOCUMENT_BYTES = 32 * 1024 * 1024
"""A single pretty-printed document longer than this is not read into memory."""

Records = Iterator[Draft | Rejection]


@dataclass(frozen=True, slots=True)
class Reading:
    """How a file is read; ``session``, ``role`` and ``at`` stand in for what is left out."""

    source: str
    time_zone: str = "UTC"
    session: str | None = None
    role: str | None = None
    at: Moment | None = None


def read_records(stream: io.BufferedReader, format: str, reading: Reading) -> Records:  # noqa: A002
    """Read a file in a format: ``auto``, ``jsonl``, ``chat``, ``text`` or ``mem0``.

    Raises:
        InvalidInputError: the format is unknown, or ``auto`` cannot tell it.
    """
    if format == "auto":
        format = detect_format(stream, reading.source)  # noqa: A001
    reader = READERS.get(format)
    if reader is None:
        raise InvalidInputError(
            f"{format!r} is no format.", hint=f"--format {'|'.join(['auto', *READERS])}"
        )
    if reading.role is not None:
        read_role(reading.role)
    return _to_its_end(reader(stream, reading), reading.source)


def _to_its_end(records: Records, source: str) -> Records:
    """Go through records; a file that breaks off is one more thing that was not read."""
    try:
        yield from records
    except InvalidInputError as error:
        yield Rejection(source, "broken_file", error.message)


def detect_format(stream: io.BufferedReader, source: str) -> str:
    """Tell a file's format from its first bytes, without reading on.

    Raises:
        InvalidInputError: it is JSON, but of no shape that is known.
    """
    head = stream.peek(HEAD_BYTES)[:HEAD_BYTES].lstrip()
    if head.startswith(b"[") and head[1:].lstrip()[:1] in (b"{", b"[", b"]", b""):
        return "chat"
    if not head.startswith(b"{"):
        return "text"
    line, _, _ = head.partition(b"\n")
    try:
        record = parse_json(line)
    except InvalidInputError:
        # The first line is no whole object: one pretty-printed document, or a broken or long line.
        in_document = b'"messages"' in head or b'"conversations"' in head
        return "chat" if in_document and len(line) < HEAD_BYTES - 1 else "jsonl"
    for format_, keys in _MARKS:
        if any(key in record for key in keys):
            return format_
    raise InvalidInputError(
        f"{source} holds JSON of a shape that is not known.",
        hint=f"--format {'|'.join(READERS)}; memoryctl help formats",
    )


_MARKS = (
    ("mem0", ("payload",)),
    ("chat", ("messages", "conversations")),
    ("jsonl", ("text",)),
    ("chat", ("content", "tool_calls")),
)


def read_jsonl(stream: io.BufferedReader, reading: Reading) -> Records:
    """Read our own JSON lines."""

    def one(record: Any, place: str) -> Draft:
        draft = read_episode(
            record, time_zone=reading.time_zone, place=place, source=reading.source
        )
        has_role = isinstance(record, dict) and "role" in record
        return _completed(draft, reading, role_given=has_role)

    return _each_line(stream, reading, one)


def read_mem0(stream: io.BufferedReader, reading: Reading) -> Records:
    """Read Mem0's point dump (MX-1)."""

    def one(record: Any, place: str) -> Draft:
        draft = read_point(record, time_zone=reading.time_zone, place=place, source=reading.source)
        return _completed(draft, reading, role_given=False)

    return _each_line(stream, reading, one)


def _completed(draft: Draft, reading: Reading, *, role_given: bool) -> Draft:
    """Fill what the record left out with what the caller gave."""
    role = draft.role if role_given or reading.role is None else read_role(reading.role)
    return replace(
        draft,
        role=role,
        session=draft.session or reading.session,
        occurred=draft.occurred or reading.at,
    )


def _each_line(
    stream: io.BufferedReader, reading: Reading, one: Callable[[Any, str], Draft]
) -> Records:
    for line in read_lines(stream, reading.source):
        if isinstance(line, Rejection):
            yield line
            continue
        place, text = line
        try:
            yield one(parse_json(text), place)
        except InvalidInputError as error:
            yield Rejection(place, error.code, error.message)


def read_chat(stream: io.BufferedReader, reading: Reading) -> Records:
    """Read OpenAI message rows or ShareGPT conversations, as a JSON array, document or lines."""
    number = 0
    for record, place in _json_records(stream, reading):
        if isinstance(record, Rejection):
            yield record
            continue
        if is_message(record):
            # A file of bare messages is one conversation.
            session = reading.session or reading.source
            drafts = [read_message(record, session=session, source=reading.source, place=place)]
        else:
            number += 1
            try:
                drafts = list(
                    read_conversation(
                        record,
                        session=reading.session,
                        number=number,
                        source=reading.source,
                        place=place,
                    )
                )
            except InvalidInputError as error:
                drafts = [Rejection(place, error.code, error.message)]
        for draft in drafts:
            if isinstance(draft, Draft):
                yield replace(draft, occurred=draft.occurred or reading.at)
            elif draft is not None:
                yield draft


def _json_records(stream: io.BufferedReader, reading: Reading) -> Iterator[tuple[Any, str]]:
    """Give the records of a JSON array, of JSON lines, or of one pretty-printed document."""
    head = stream.peek(HEAD_BYTES)[:HEAD_BYTES].lstrip()
    if head.startswith(b"["):
        yield from _array_records(stream, reading)
    elif head.partition(b"\n")[0].rstrip().endswith((b"{", b"[", b",")):
        yield from _document_record(stream, reading)
    else:
        for line in read_lines(stream, reading.source):
            if isinstance(line, Rejection):
                yield line, line.place
                continue
            place, text = line
            yield _parsed(text, place), place


def _parsed(text: bytes, place: str) -> Any:
    try:
        return parse_json(text)
    except InvalidInputError as error:
        return Rejection(place, error.code, error.message)


def _array_records(stream: io.BufferedReader, reading: Reading) -> Iterator[tuple[Any, str]]:
    number = 0
    try:
        for item in iter_items(stream):
            number += 1
            yield item, f"{reading.source} item {number}"
    except ItemError as error:
        place = f"{reading.source} item {number + 1}"
        yield Rejection(place, "invalid_input", f"{error}; what stands before it was read"), place


def _document_record(stream: io.BufferedReader, reading: Reading) -> Iterator[tuple[Any, str]]:
    place = f"{reading.source} line 1"
    text = stream.read(MAX_DOCUMENT_BYTES + 1)
    if len(text) > MAX_DOCUMENT_BYTES:
        limit = MAX_DOCUMENT_BYTES // 1024**2
        reason = f"one document of more than {limit} MiB; give its conversations as JSON lines"
        yield Rejection(place, "too_long", reason), place
        return
    yield _parsed(text, place), place


def read_text(stream: io.BufferedReader, reading: Reading) -> Records:
    """Read plain text: each paragraph, set off by blank lines, is an episode of one session."""
    role = read_role(reading.role or "user")
    session = reading.session or reading.source
    for place, paragraph in _paragraphs(stream, reading.source):
        if isinstance(paragraph, Rejection):
            yield paragraph
            continue
        try:
            text = paragraph.decode("utf-8")
        except UnicodeDecodeError as error:
            yield Rejection(place, "broken_text", f"not valid UTF-8 at byte {error.start}")
            continue
        yield Draft(text, role, None, session, None, reading.at, reading.source, None, None, place)


def _paragraphs(stream: io.BufferedReader, source: str) -> Iterator[tuple[str, bytes | Rejection]]:
    from memorycore.port.lines import MAX_LINE_BYTES, read_some

    lines: list[bytes] = []
    started, number, size = 1, 0, 0
    while line := read_some(stream, source):
        number += 1
        if line.strip():
            started = started if lines else number
            size += len(line)
            if size <= MAX_LINE_BYTES:
                lines.append(line)
            continue
        if lines:
            yield _paragraph(source, started, lines, size)
        lines, size = [], 0
    if lines:
        yield _paragraph(source, started, lines, size)


def _paragraph(
    source: str, started: int, lines: list[bytes], size: int
) -> tuple[str, bytes | Rejection]:
    place = f"{source} line {started}"
    text = b"".join(lines).rstrip(b"\r\n")
    if len(text) < size - 2:
        return place, Rejection(place, "too_long", f"a paragraph of {size} bytes")
    return place, text


READERS: dict[str, Callable[[io.BufferedReader, Reading], Records]] = {
    "jsonl": read_jsonl,
    "chat": read_chat,
    "text": read_text,
    "mem0": read_mem0,
}
