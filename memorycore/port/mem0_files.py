"""Mem0's exports, read as a stream: which of the shapes MX-1 to MX-7 a file has tells itself.

A record that cannot be read becomes a rejection with its place, and reading goes on.
"""

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from memorycore.errors import InvalidInputError
from memorycore.exchange.mem0 import shape_of_record
from memorycore.exchange.mem0_history import WINDOW_ROWS, Change, History, read_change
from memorycore.exchange.mem0_markdown import read_block, split_blocks
from memorycore.exchange.mem0_memory import read_memory
from memorycore.exchange.mem0_relations import Relations
from memorycore.exchange.reading import parse_json
from memorycore.model.candidate import Quarantined
from memorycore.model.draft import Rejection
from memorycore.model.recollection import Recollection
from memorycore.port.json_array import ItemError, Piece, iter_documents, iter_items
from memorycore.port.lines import HEAD_BYTES, read_lines, read_some

LISTS = ("results", "memories", "data", "items", "points", "result")
"""The members of a document under which memories stand."""

TURNS = frozenset(("messages", "conversation", "conversations"))
"""The members of a memory that hold what was said, and no memories."""
NEXT = "next"
"""Marks, in place of a shape, what a page says of the one after it."""
MAX_EDGES = 10_000
"""Edges of one document; they are read after its memories."""

Found = Recollection | Quarantined | Rejection
Record = tuple[str, Any, str | None]
"""Where a record stands, what it is, and the shape that the whole tells."""


def _none(_: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Mem0Reading:
    """How an export is read.

    ``is_predicate`` tells whether a predicate of a name is known, ``is_session`` whether a session
    is.
    """

    source: str
    time_zone: str = "UTC"
    is_predicate: Callable[[str], bool] = _none
    is_session: Callable[[str], bool] = _none


def read_mem0_export(stream: io.BufferedReader, reading: Mem0Reading) -> Iterator[Found]:
    """Read an export, whatever its shape."""
    try:
        head = stream.peek(HEAD_BYTES)[:HEAD_BYTES].lstrip()
        if head.startswith(b"---"):
            yield from _markdown(stream, reading)
        else:
            yield from _Export(reading).read(_records(stream, reading, head))
    except InvalidInputError as error:
        yield Rejection(reading.source, "broken_file", error.message)


def _markdown(stream: io.BufferedReader, reading: Mem0Reading) -> Iterator[Found]:
    faults: list[Rejection] = []

    def lines() -> Iterator[tuple[int, str]]:
        raws = iter(lambda: read_some(stream, reading.source), b"")
        for number, raw in enumerate(raws, 1):
            try:
                yield number, raw.decode("utf-8").rstrip("\r\n")
            except UnicodeDecodeError:
                place = f"{reading.source} line {number}"
                faults.append(Rejection(place, "broken_text", "not valid UTF-8"))

    for number, front, text in split_blocks(lines()):
        place = f"{reading.source} line {number}"
        zone = reading.time_zone
        try:
            yield read_block(front, text, zone=zone, place=place, source=reading.source)
        except InvalidInputError as error:
            yield Rejection(place, error.code, error.message)
    yield from faults


class _Export:
    """Reads records of one file; rows of the history wait until a window of them is full."""

    def __init__(self, reading: Mem0Reading) -> None:
        self._reading = reading
        self._history = History(reading.source, reading.is_session)
        self._waiting: list[Change] = []
        self._relations = Relations(reading.is_predicate)
        self._next: tuple[str, Any] = ("", None)

    def read(self, records: Iterator[Record]) -> Iterator[Found]:
        for place, record, told in records:
            if isinstance(record, Rejection):
                yield record
                continue
            try:
                yield from self._one(place, record, told)
            except InvalidInputError as error:
                yield Rejection(place, error.code, error.message)
            if len(self._waiting) >= WINDOW_ROWS:
                yield from self._flush()
        yield from self._flush()
        place, url = self._next
        if url:
            yield Rejection(place, "more_pages", "the page names a next one, which is not there")

    def _one(self, place: str, record: Any, told: str | None) -> Iterator[Found]:
        reading = self._reading
        if told == NEXT:
            self._next = (place, record)
            return
        if told == "relations":
            yield from self._relations.read(record, place)
            return
        if shape_of_record(record) == "MX-6":
            change = read_change(record, zone=reading.time_zone, place=place)
            if isinstance(change, Rejection):
                yield change
            else:
                self._waiting.append(change)
            return
        found = read_memory(
            record, shape=told, zone=reading.time_zone, place=place, source=reading.source
        )
        if isinstance(found, Recollection) and told is not None:
            for draft in found.drafts:
                self._relations.hear(draft)
        yield found

    def _flush(self) -> Iterator[Recollection]:
        waiting, self._waiting = self._waiting, []
        return self._history.read(waiting)


def _records(stream: io.BufferedReader, reading: Mem0Reading, head: bytes) -> Iterator[Record]:
    if head.startswith(b"["):
        return _of_array(stream, reading)
    line = head.partition(b"\n")[0]
    try:
        is_whole = len(line) < HEAD_BYTES - 1 and isinstance(parse_json(line), dict)
    except InvalidInputError:
        is_whole = False
    if is_whole or not head.startswith(b"{"):
        return _of_lines(stream, reading)
    return _of_documents(stream, reading)


def _of_lines(stream: io.BufferedReader, reading: Mem0Reading) -> Iterator[Record]:
    for line in read_lines(stream, reading.source):
        if isinstance(line, Rejection):
            yield line.place, line, None
            continue
        place, text = line
        try:
            record = parse_json(text)
        except InvalidInputError as error:
            yield place, Rejection(place, error.code, error.message), None
            continue
        if isinstance(record, dict) and shape_of_record(record) is None:
            yield from _members_of(place, record)
        else:
            yield place, record, None


def _members_of(place: str, document: dict[str, Any]) -> Iterator[Record]:
    """Go through a document that stands in one line."""
    pieces: list[Piece] = []
    for key, value in document.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            pieces += [Piece(key, number, item) for number, item in enumerate(value, 1)]
        else:
            pieces.append(Piece(key, None, value))
    yield from _of_pieces(iter([*pieces, None]), place)


def _of_array(stream: io.BufferedReader, reading: Mem0Reading) -> Iterator[Record]:
    number = 0
    try:
        for item in iter_items(stream):
            number += 1
            yield f"{reading.source} item {number}", item, None
    except ItemError as error:
        yield _broken(f"{reading.source} item {number + 1}", error)


def _of_documents(stream: io.BufferedReader, reading: Mem0Reading) -> Iterator[Record]:
    try:
        yield from _of_pieces(iter_documents(stream), reading.source)
    except ItemError as error:
        yield _broken(f"{reading.source}", error)


def _broken(place: str, error: ItemError) -> Record:
    reason = f"{error}; what stands before it was read"
    return place, Rejection(place, "invalid_input", reason), None


def _of_pieces(pieces: Iterator[Piece | None], name: str) -> Iterator[Record]:
    """Give the records of documents: the items of their lists, their objects, or themselves."""
    rest: dict[str, Any] = {}
    edges: list[Record] = []
    is_list = False
    for piece in pieces:
        if piece is None:
            if shape_of_record(rest) or not (is_list or (edges and not rest)):
                yield from _of_members(rest, name)
            yield from edges
            if is_list:
                yield name, rest.get("next"), NEXT
            rest, edges, is_list = {}, [], False
        elif piece.key == "relations":
            if piece.value and len(edges) < MAX_EDGES:
                place = f"{name} relations {piece.number or 1}"
                edges.append((place, piece.value, "relations"))
        elif piece.number is not None and _is_memory(piece):
            is_list = True
            shape = _told_shape(piece, rest)
            yield f"{name} {piece.key} {piece.number}", piece.value, shape
        elif piece.number is None:
            is_list = is_list or (piece.key in LISTS and piece.value == [])
            rest[piece.key] = piece.value


def _is_memory(piece: Piece) -> bool:
    if piece.key in LISTS:
        return True
    return piece.key not in TURNS and shape_of_record(piece.value) is not None


def _told_shape(piece: Piece, before: dict[str, Any]) -> str | None:
    """Tell what the members of a document say of the shape of its items."""
    if shape_of_record(piece.value) != "MX-5":
        return shape_of_record(piece.value)
    if piece.key != "results":
        return "MX-5"
    return "MX-3" if "count" in before else "MX-2"


def _of_members(rest: dict[str, Any], name: str) -> Iterator[Record]:
    """Give a document that has no list: a memory itself, or memories under their names."""
    if shape_of_record(rest) is not None:
        yield name, rest, None
        return
    inner = [(key, value) for key, value in rest.items() if isinstance(value, dict)]
    found = False
    for number, (key, value) in enumerate(inner, 1):
        if shape_of_record(value) is not None:
            found = True
            yield f"{name} item {number}", {"id": key} | value, None
    if not found:
        yield name, Rejection(name, "unknown_shape", "not one of Mem0's shapes"), None
