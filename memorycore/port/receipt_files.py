"""Exported receipts: writing their chain to lines, and checking what such a file says."""

from collections.abc import Iterable, Iterator
from os import PathLike
from typing import Any

from memorycore.errors import InvalidInputError
from memorycore.exchange.reading import parse_json
from memorycore.exchange.receipt_line import read_receipt_line, write_end
from memorycore.model.draft import Rejection
from memorycore.model.given import require_path
from memorycore.model.receipt_chain import START, ChainEntry, ChainFault, ChainProof, fault_in
from memorycore.port.lines import open_input, read_lines


def chain_records(entries: Iterable[ChainEntry]) -> Iterator[dict[str, Any]]:
    """Give a chain as records, one a line, with the one that ends it."""
    count, head = 0, START
    for entry in entries:
        count, head = count + 1, entry.hash
        yield entry.to_dict()
    yield write_end(ChainProof(count, head))


def check_receipt_file(path: "str | PathLike[str]") -> ChainProof:
    """Go through an exported chain (``.gz`` too, ``-`` is standard input) up to the first fault.

    Raises:
        InvalidInputError: the file cannot be read, or no line of it is of such a chain.
    """
    name = require_path(path)
    with open_input(name) as stream:
        source = "standard input" if name == "-" else name
        lines = [_read(line) for line in read_lines(stream, source)]
    if all(isinstance(line, str) for line in lines):
        raise InvalidInputError(
            f"{source} holds no receipts.", hint="memoryctl receipts export -O receipts.jsonl"
        )
    return _walk(lines)


def _read(line: tuple[str, bytes] | Rejection) -> ChainEntry | ChainProof | str:
    """Read a line; give in words what is wrong with one that cannot be read."""
    if isinstance(line, Rejection):
        return line.reason
    try:
        return read_receipt_line(parse_json(line[1]))
    except InvalidInputError as error:
        return error.message


def _walk(lines: list[ChainEntry | ChainProof | str]) -> ChainProof:
    before, count = START, 0
    for line in lines[:-1]:
        reason = line if isinstance(line, str) else "the end stands before it"
        if isinstance(line, ChainEntry):
            reason = fault_in(before, line) or _misplaced(line, count + 1)
        if reason:
            receipt = line.receipt if isinstance(line, ChainEntry) else None
            return ChainProof(count, before, ChainFault(receipt, count + 1, reason))
        assert isinstance(line, ChainEntry)
        before, count = line.hash, count + 1
    if lines[-1] != ChainProof(count, before):
        reason = "the file does not end as it was written: something is cut off or added"
        return ChainProof(count, before, ChainFault(None, count + 1, reason))
    return ChainProof(count, before)


def _misplaced(entry: ChainEntry, place: int) -> str:
    return "" if entry.place == place else "its number is not its place"
