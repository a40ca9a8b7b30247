"""Files of proposals, told apart by how they begin.

Our own candidates as JSON lines, the claim stream of seed 000, answers to packets that a model gave
elsewhere, or the additive output of Mem0.
"""

import io
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from memorycore.errors import InvalidInputError
from memorycore.exchange.candidate_line import read_candidate_lines
from memorycore.exchange.claim_items import Item
from memorycore.exchange.claims import read_claims
from memorycore.model.candidate import Candidate, Proposed, Quarantined
from memorycore.model.draft import Rejection
from memorycore.port.lines import HEAD_BYTES, read_lines

MAX_CLAIM_BYTES = 256 * 1024 * 1024
"""A claim stream is checked as a whole, so all of it is read into memory."""
FORMATS = ("auto", "candidates", "claims", "answers", "additive")
_FIRST_KEY = re.compile(rb'[\s\xef\xbb\xbf]*(?:```\w*\s*)?\{\s*"(\w{1,40})"\s*:')
_ANSWER_KEYS = frozenset((b"packet", b"answer", b"candidates", b"choices"))


@dataclass(frozen=True, slots=True)
class ProposalReading:
    """How a file of proposals is read, and how what it refers to is looked up."""

    source: str
    time_zone: str
    is_strict: bool
    items: Callable[[Sequence[str]], Iterable[Item]]
    known: Callable[[Sequence[str]], Collection[str]]
    offered_tags: Sequence[str] = ()


def detect_proposal_format(stream: io.BufferedReader) -> str:
    """Tell the formats apart by the first bytes."""
    head = stream.peek(HEAD_BYTES)[:HEAD_BYTES]
    first = _FIRST_KEY.match(head)
    keys = {first[1]} if first else set()
    line = head.lstrip().partition(b"\n")[0]
    try:
        shape = json.loads(line)
    except (ValueError, RecursionError):
        shape = None
    if isinstance(shape, dict):
        keys |= {key.encode("utf-8", "replace") for key in shape}
    if b"predicate" in keys:
        return "candidates"
    if b"memory" in keys:
        return "additive"
    if keys & _ANSWER_KEYS and b"record_type" not in keys:
        return "answers"
    return "claims" if b'"record_type"' in head else "candidates"


def read_claim_file(stream: io.BufferedReader, reading: ProposalReading) -> Proposed:
    """Read and check a claim stream as a whole.

    Raises:
        InvalidInputError: it is larger than 256 MiB.
    """
    raw = stream.read(MAX_CLAIM_BYTES + 1)
    if len(raw) > MAX_CLAIM_BYTES:
        raise InvalidInputError(
            f"{reading.source} is larger than {MAX_CLAIM_BYTES // 1024**2} MiB.",
            hint="split it at any line; claims and their entities may come in several files",
        )
    return read_claims(
        raw,
        source=reading.source,
        items=reading.items,
        known=reading.known,
        offered_tags=reading.offered_tags,
        strict=reading.is_strict,
        zone=reading.time_zone,
    )


def read_candidate_file(
    stream: io.BufferedReader, reading: ProposalReading
) -> Iterator[Candidate | Quarantined]:
    """Read our own candidates, one line at a time."""
    lines = read_lines(stream, reading.source)
    return read_candidate_lines(_to_its_end(lines, reading.source), time_zone=reading.time_zone)


def _to_its_end(
    lines: Iterator[tuple[str, bytes] | Rejection], source: str
) -> Iterator[tuple[str, bytes] | Rejection]:
    """Go through lines; a file that breaks off is one more thing that was not read."""
    empty = True
    try:
        for line in lines:
            empty = False
            yield line
    except InvalidInputError as error:
        yield Rejection(source, "broken_file", error.message)
        return
    if empty:
        yield Rejection(source, "empty_file", "holds no line")
