"""Evaluation sets: conversations with questions whose evidence is known.

Two shapes are read: uniform JSON lines (one file of episodes, one of queries) and LoCoMo's own
file.
"""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memorycore.errors import InvalidInputError
from memorycore.exchange.episode_line import read_time
from memorycore.exchange.reading import describe
from memorycore.model.draft import Draft
from memorycore.model.measure import Question


class _Lenient(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


class UniformEpisode(_Lenient):
    """A turn of the uniform format."""

    id: str
    scope: str
    text: str
    session: str | None = None
    time: str | None = None
    speaker: str | None = None


class UniformQuery(_Lenient):
    """A question of the uniform format; ``evidence`` names the turns that answer it."""

    id: str
    scope: str
    text: str
    category: str
    evidence: Annotated[list[str], Field(min_length=1)]


def read_uniform_episode(record: Any, *, place: str) -> Draft:
    """Read one turn. Its id becomes the external id.

    Raises:
        InvalidInputError: it is of another shape.
    """
    try:
        line = UniformEpisode.model_validate(record)
    except ValidationError as error:
        raise InvalidInputError(describe(error, list(UniformEpisode.model_fields))) from error
    return Draft(
        line.text,
        scope=line.scope,
        session=line.session,
        speaker=line.speaker or None,
        occurred=read_time(line.time, time_zone="UTC"),
        external_id=line.id,
        place=place,
    )


def read_uniform_query(record: Any) -> Question:
    """Read one question.

    Raises:
        InvalidInputError: it is of another shape.
    """
    try:
        line = UniformQuery.model_validate(record)
    except ValidationError as error:
        raise InvalidInputError(describe(error, list(UniformQuery.model_fields))) from error
    return Question(line.id, line.scope, line.text, line.category, tuple(line.evidence))


LOCOMO_CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
"""LoCoMo's own numbers. Its fifth, adversarial, has no evidence to find and is not scored."""


class LocomoTurn(_Lenient):
    """A turn of a LoCoMo session."""

    speaker: str
    dia_id: str
    text: str


class LocomoQuestion(_Lenient):
    """A question of LoCoMo."""

    question: str
    category: int
    evidence: list[str] = []


class LocomoSample(_Lenient):
    """One LoCoMo dialogue; its sessions lie under ``session_1``, ``session_2`` and so on."""

    sample_id: str
    conversation: dict[str, Any]
    qa: list[LocomoQuestion]


def read_locomo_sample(record: Any) -> tuple[list[Draft], list[Question]]:
    """Read one dialogue of LoCoMo's own file.

    Raises:
        InvalidInputError: it is of another shape.
    """
    try:
        sample = LocomoSample.model_validate(record)
        drafts = [draft for number in _sessions(sample) for draft in _session(sample, number)]
    except ValidationError as error:
        raise InvalidInputError(describe(error, list(LocomoSample.model_fields))) from error
    known = {draft.external_id for draft in drafts}
    questions = []
    for number, one in enumerate(sample.qa):
        named = [f"{sample.sample_id}/{part}" for part in _evidence(one)]
        evidence = tuple(dict.fromkeys(name for name in named if name in known))
        if one.category in LOCOMO_CATEGORIES and evidence:
            questions.append(
                Question(
                    f"{sample.sample_id}/q{number}",
                    sample.sample_id,
                    one.question,
                    LOCOMO_CATEGORIES[one.category],
                    evidence,
                )
            )
    return drafts, questions


def _evidence(question: LocomoQuestion) -> list[str]:
    """Split the places where the file puts several turn ids into one text."""
    return [part for text in question.evidence for part in text.replace(";", " ").split()]


def _sessions(sample: LocomoSample) -> list[int]:
    numbers = [
        int(key.removeprefix("session_"))
        for key in sample.conversation
        if key.startswith("session_") and key.removeprefix("session_").isdigit()
    ]
    return sorted(numbers)


def _session(sample: LocomoSample, number: int) -> list[Draft]:
    turns = sample.conversation[f"session_{number}"]
    if not isinstance(turns, list):
        raise InvalidInputError(f"session_{number} is no list of turns")
    said = [LocomoTurn.model_validate(turn) for turn in turns]
    return [
        Draft(
            turn.text,
            scope=sample.sample_id,
            session=f"{sample.sample_id}/S{number}",
            speaker=turn.speaker,
            external_id=f"{sample.sample_id}/{turn.dia_id}",
        )
        for turn in said
        if turn.text.strip()
    ]
