"""Files of answers that a model gave elsewhere: to packets of ours, or Mem0's additive output.

What stands in them is read by the same reader as the answer of a model that was asked here.
"""

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from memorycore.errors import InvalidInputError
from memorycore.exchange.model_answer import MAX_KEPT, bare_answer, is_prose, is_storm, read_answer
from memorycore.exchange.packet_line import Returned, read_answer_line
from memorycore.exchange.reading import parse_json
from memorycore.model.candidate import Problem, Proposed, Quarantined
from memorycore.model.draft import Rejection
from memorycore.model.packet import Packet
from memorycore.port.lines import MAX_LINE_BYTES, read_lines

FindPacket = Callable[[Returned], Packet]
"""Looks up in a store what the ids of a packet stand for."""


def read_answer_file(
    stream: io.BufferedReader, source: str, find: FindPacket, *, scope: str, strict: bool
) -> Proposed:
    """Read a file of answers, each a line or a document that jq has spread over several.

    What one line gets wrong costs that line, and what one candidate gets wrong that candidate.
    """
    found = Proposed()
    for place, raw in _documents(stream, source):
        if isinstance(raw, Rejection):
            _set_aside(found, raw, None)
            continue
        try:
            returned = read_answer_line(parse_json(raw))
        except InvalidInputError as error:
            code = error.hint or error.code
            _set_aside(found, Rejection(place, code, error.message), _text(raw))
            continue
        packet = find(returned)
        if returned.is_truncated:
            reason = "the answer breaks off at its length; ask with a larger one, or fewer turns"
            _set_aside(found, Rejection(place, "output_truncated", reason), returned.text)
            continue
        before = len(found.candidates)
        _take(found, returned.text, packet, place, strict=strict)
        if returned.scope != scope:
            found.candidates[before:] = [
                replace(one, scope=returned.scope) for one in found.candidates[before:]
            ]
    return found


def read_additive_file(
    stream: io.BufferedReader, source: str, packet: Packet, *, strict: bool
) -> Proposed:
    """Read Mem0's additive output, one document or one a line; ``packet`` holds its turns.

    Raises:
        InvalidInputError: it is larger than a single answer can be.
    """
    raw = stream.read(MAX_LINE_BYTES + 1)
    if len(raw) > MAX_LINE_BYTES:
        raise InvalidInputError(f"{source} is larger than {MAX_LINE_BYTES // 1024**2} MiB.")
    found = Proposed()
    bare = bare_answer(_text(raw))
    if _is_json(bare):
        _take(found, bare, packet, source, strict=strict)
        return found
    for place, line in _documents(io.BufferedReader(io.BytesIO(raw)), source):
        if isinstance(line, Rejection):
            _set_aside(found, line, None)
        else:
            _take(found, _text(line), packet, place, strict=strict)
    return found


def _take(found: Proposed, text: str, packet: Packet, place: str, *, strict: bool) -> None:
    """Take the candidates of an answer in; one that cannot be read is kept aside as a whole."""
    reading = read_answer(text, packet, strict=strict)
    if not reading.is_readable:
        problem = next(one for one in reading.problems if one.severity == "reject")
        code = "schema_ignored" if is_prose(text) or not is_storm(text) else "output_truncated"
        _set_aside(found, Rejection(place, code, f"no answer: {problem.reason}"), text)
        return
    found.candidates += reading.candidates
    found.problems += reading.problems
    for one in reading.quarantined:
        _set_aside(found, one.rejection, one.text)


def _set_aside(found: Proposed, rejection: Rejection, text: str | None) -> None:
    kept = None if text is None else text[:MAX_KEPT].encode("utf-8", "backslashreplace").decode()
    found.quarantined.append(Quarantined(rejection, kept))
    found.problems.append(Problem(rejection.place, rejection.code, "reject", rejection.reason))


def _documents(stream: io.BufferedReader, source: str) -> Iterator[tuple[str, bytes | Rejection]]:
    """Go through the documents: each on a line, or from a line ``{`` to a line ``}``."""
    waiting: list[bytes] = []
    opened = ""
    size = 0
    empty = True
    for line in read_lines(stream, source):
        empty = False
        if isinstance(line, Rejection):
            yield line.place, line
            continue
        place, raw = line
        if not waiting and raw != b"{":
            yield place, raw
            continue
        opened = opened if waiting else place
        waiting.append(raw)
        size += len(raw)
        if raw == b"}" or size > MAX_LINE_BYTES:
            yield opened, b"\n".join(waiting)
            waiting, size = [], 0
    if waiting:
        yield opened, b"\n".join(waiting)
    if empty:
        yield source, Rejection(source, "empty_file", "holds no line")


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "backslashreplace")


def _is_json(text: str) -> bool:
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return found is not None
