"""Reading labelled turns from files."""

import hashlib
import io
from collections.abc import Collection
from dataclasses import dataclass

from memorycore.errors import InvalidInputError
from memorycore.exchange.labelled_line import read_labelled
from memorycore.exchange.reading import parse_json
from memorycore.model.draft import Rejection
from memorycore.model.scoring import Labelled
from memorycore.port.evaluation_files import hash_file
from memorycore.port.lines import open_input, read_lines


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """Labelled turns, with the SHA-256 of the file they came from."""

    turns: list[Labelled]
    hash: str


def read_labelled_file(path: str, *, predicates: Collection[str]) -> LabelledSet:
    """Read a JSON lines file of labelled turns (``.gz`` too, ``-`` is standard input).

    Raises:
        InvalidInputError: a line is none, or its id stood before; an evaluation leaves nothing out.
    """
    with open_input(path) as stream:
        if path != "-":
            return LabelledSet(_read(stream, path, predicates), hash_file(path))
        raw = stream.read()
    turns = _read(io.BufferedReader(io.BytesIO(raw)), "standard input", predicates)
    return LabelledSet(turns, "sha256:" + hashlib.sha256(raw).hexdigest())


def _read(stream: io.BufferedReader, source: str, predicates: Collection[str]) -> list[Labelled]:
    turns: list[Labelled] = []
    seen: dict[str, str] = {}
    for line in read_lines(stream, source):
        if isinstance(line, Rejection):
            raise InvalidInputError(f"{line.place}: {line.reason}.")
        place, text = line
        try:
            labelled = read_labelled(parse_json(text), place=place, predicates=predicates)
        except InvalidInputError as error:
            raise InvalidInputError(
                f"{place}: {error.message}.", hint="memoryctl help labels"
            ) from error
        if (first := seen.setdefault(labelled.label.id, place)) != place:
            raise InvalidInputError(f"{place}: the field id must be its own; {first} has it too.")
        turns.append(labelled)
    if not turns:
        raise InvalidInputError(f"{source} holds no labelled sentence.", hint="one JSON a line")
    return turns
