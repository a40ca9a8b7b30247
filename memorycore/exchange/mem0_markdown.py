"""The Markdown of Mem0's plugin: blocks of front matter and text, one memory each (MX-4).

Front matter is a small part of YAML: ``key: value``, lists in brackets or with dashes, all of them
texts. Nothing in it is ever carried out.
"""

import re
from collections.abc import Iterator
from typing import Any

from memorycore.exchange.episode_line import write_meta
from memorycore.exchange.mem0 import hash_of
from memorycore.exchange.mem0_memory import Slip, recollect
from memorycore.model.draft import MAX_TEXT_LENGTH, Draft, Rejection
from memorycore.model.recollection import Recollection

MAX_FRONT_LINES = 60
_KEY = re.compile(r"([A-Za-z_][\w-]{0,63}):(?:\s+(.*?))?\s*\Z")
_ENTRY = re.compile(r"\s*-\s+(.*?)\s*\Z")
_FENCE = re.compile(r"---\s*\Z")

Line = tuple[int, str]


def is_fence(line: str) -> bool:
    """Tell whether a line may begin or end front matter."""
    return _FENCE.match(line) is not None


def read_front(lines: list[str]) -> dict[str, Any] | None:
    """Read front matter; ``None`` if the lines are none, or name no memory by ``id``."""
    front: dict[str, Any] = {}
    key = None
    for line in lines:
        if not line.strip():
            continue
        if (entry := _ENTRY.match(line)) and key is not None:
            listed = front[key] if isinstance(front[key], list) else []
            front[key] = [*listed, _plain(entry[1])]
        elif found := _KEY.match(line):
            key = found[1]
            front[key] = _value(found[2] or "")
        else:
            return None
    return front if front.get("id") else None


def _value(text: str) -> Any:
    if text.startswith("[") and text.endswith("]"):
        return [_plain(part) for part in text[1:-1].split(",") if part.strip()]
    return _plain(text)


def _plain(text: str) -> str:
    text = text.strip()
    is_quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    return text[1:-1] if is_quoted else text


def split_blocks(lines: Iterator[Line]) -> Iterator[tuple[int, dict[str, Any], str]]:
    """Give the blocks: the number of their first line, their front matter, and their text.

    A rule of three dashes inside a text is no new block unless front matter with an id follows it.
    """
    waiting: list[Line] = []
    started = 0
    front: dict[str, Any] | None = None
    body: list[str] = []
    size = 0
    while True:
        line = waiting.pop(0) if waiting else next(lines, None)
        if line is None:
            break
        if is_fence(line[1]):
            ahead = _ahead(lines, waiting)
            found = None if ahead is None else read_front([text for _, text in waiting[:ahead]])
            if found is not None and ahead is not None:
                if front is not None:
                    yield started, front, _text(body)
                started, front, body, size = line[0], found, [], 0
                del waiting[: ahead + 1]
                continue
        size += len(line[1]) + 1
        if size <= 2 * MAX_TEXT_LENGTH:  # What is longer is refused as a whole.
            body.append(line[1])
    if front is not None:
        yield started, front, _text(body)


def _ahead(lines: Iterator[Line], waiting: list[Line]) -> int | None:
    """Read on to the next fence; give its place among the lines that wait."""
    for place in range(MAX_FRONT_LINES):
        if place == len(waiting):
            line = next(lines, None)
            if line is None:
                return None
            waiting.append(line)
        if is_fence(waiting[place][1]):
            return place
    return None


def _text(lines: list[str]) -> str:
    return "\n".join(lines).strip("\r\n\t ")


def read_block(
    front: dict[str, Any], text: str, *, zone: str, place: str, source: str
) -> Recollection | Rejection:
    """Read a block as a memory."""
    if not text:
        return Rejection(place, "empty_text", "the memory is empty")
    slip = Slip(place, "MX-4", zone, front, str(front["id"]))
    slip.read_times(front.get("created_at"), front.get("updated_at"))
    draft = Draft(
        text,
        "document",
        source=source,
        external_id=f"mem:{front.get('hash') or hash_of(text)}",
        meta=write_meta({"mem0": front}),
        place=place,
    )
    return recollect(slip, draft, _share(slip, front.get("confidence")))


def _share(slip: Slip, given: Any) -> float | None:
    if given is None or given == "":
        return None
    try:
        share = float(given)
    except (TypeError, ValueError):
        share = -1.0
    if not 0 <= share <= 1:
        slip.warn("bad_confidence", "the confidence is no number between 0 and 1")
        return None
    return share
