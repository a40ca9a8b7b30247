"""Reading evaluation sets from files."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from memorycore.errors import InvalidInputError
from memorycore.exchange.evaluation import (
    read_locomo_sample,
    read_uniform_episode,
    read_uniform_query,
)
from memorycore.exchange.reading import parse_json
from memorycore.model.draft import Draft, Rejection
from memorycore.model.measure import Question
from memorycore.port.lines import open_input, read_lines


@dataclass(frozen=True, slots=True)
class EvaluationSet:
    """Conversations and questions, with the SHA-256 of each file they came from."""

    drafts: list[Draft]
    questions: list[Question]
    hashes: dict[str, str]


def read_uniform_files(episodes: str, queries: str) -> EvaluationSet:
    """Read the uniform format: a JSON lines file of turns and one of questions (``.gz`` too).

    Raises:
        InvalidInputError: a file or a line cannot be read; an evaluation leaves nothing out.
    """
    drafts = [read_uniform_episode(record, place=place) for place, record in _records(episodes)]
    questions = [read_uniform_query(record) for _, record in _records(queries)]
    known = {(draft.scope, draft.external_id) for draft in drafts}
    for question in questions:
        if any((question.scope, name) not in known for name in question.evidence):
            raise InvalidInputError(f"The evidence of {question.id} is not among the episodes.")
    return EvaluationSet(
        drafts, questions, {"episodes": hash_file(episodes), "queries": hash_file(queries)}
    )


def read_locomo_file(path: str) -> EvaluationSet:
    """Read LoCoMo's own file: a JSON array of dialogues.

    Raises:
        InvalidInputError: it is something else.
    """
    with open_input(path) as stream:
        samples = parse_json(stream.read())
    if not isinstance(samples, list):
        raise InvalidInputError(f"{path} is no LoCoMo file: it must be a JSON array.")
    drafts: list[Draft] = []
    questions: list[Question] = []
    for sample in samples:
        some_drafts, some_questions = read_locomo_sample(sample)
        drafts += some_drafts
        questions += some_questions
    return EvaluationSet(drafts, questions, {"locomo": hash_file(path)})


def _records(path: str) -> Iterator[tuple[str, Any]]:
    with open_input(path) as stream:
        for line in read_lines(stream, path):
            if isinstance(line, Rejection):
                raise InvalidInputError(f"{line.place}: {line.reason}.")
            place, text = line
            try:
                yield place, parse_json(text)
            except InvalidInputError as error:
                raise InvalidInputError(f"{place}: {error.message}.") from error


def hash_file(path: str) -> str:
    """Give the SHA-256 of a file as it lies there."""
    with open(path, "rb") as file:
        return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
