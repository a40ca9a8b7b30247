"""What a model answers about an item of an import: one action, whom it meets, and why."""

import json
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from memorycore.errors import InvalidInputError
from memorycore.exchange.model_answer import bare_answer
from memorycore.exchange.reading import describe, parse_json, require_text
from memorycore.model.import_item import ACTIONS, Match, Verdict


class MergedOut(BaseModel):
    """The text of an item that joins or replaces a known fact, as a model writes it."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)

    title: str
    summary: str


class VerdictOut(BaseModel):
    """The answer about one item; known facts go under small numbers."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)

    action: str
    existing: list[Any] = []
    merged: MergedOut | None = None
    reason: str | None = None
    confidence: float | None = None


def verdict_schema(matches: Sequence[Match]) -> dict[str, Any]:
    """Give the JSON Schema of the answer."""
    merged = _object({"title": {"type": "string"}, "summary": {"type": "string"}})
    numbers = [f"f{number}" for number in range(len(matches))]
    named: dict[str, Any] = {"type": "string"}
    if numbers:
        named["enum"] = numbers
    return _object(
        {
            "action": {"type": "string", "enum": list(ACTIONS)},
            "existing": {"type": "array", "items": named},
            "merged": {"anyOf": [merged, {"type": "null"}]},
            "reason": {"type": "string"},
            "confidence": {"type": "number"},
        }
    )


def recovery_schema() -> dict[str, Any]:
    """Give the JSON Schema of a document that a model makes of one that cannot be read."""
    text: dict[str, Any] = {"type": "string"}
    one = {
        "type": "object",
        "properties": {
            "title": text,
            "summary": text,
            "memoryKind": {"type": "string"},
            "category": {"type": "string"},
            "tags": {"type": "array", "items": text},
            "confidence": {"type": "number"},
            "temporal": {"type": "object"},
        },
        "required": ["title", "summary"],
    }
    return _object({"candidates": {"type": "array", "items": one}})


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def write_question(content: str, matches: Sequence[Match]) -> str:
    """Write what a model is asked: the item, and the known facts under small numbers."""
    item = {
        name: value
        for name, value in json.loads(content).items()
        if name not in ("start", "quoted")
    }
    facts = [
        json.dumps({"fact": f"f{number}", "text": one.text}, ensure_ascii=False)
        for number, one in enumerate(matches)
    ]
    told = json.dumps(item, ensure_ascii=False)
    return "\n".join(["<item>", told, "</item>", "<known_facts>", *facts, "</known_facts>"])


def read_verdict(text: str, matches: Sequence[Match]) -> Verdict:
    """Read the answer about one item.

    Raises:
        InvalidInputError: it is of another shape.
    """
    found = parse_json(bare_answer(text))
    require_text(found)
    try:
        out = VerdictOut.model_validate(found)
    except ValidationError as error:
        raise InvalidInputError(describe(error, list(VerdictOut.model_fields))) from error
    ids = {f"f{number}": one.id for number, one in enumerate(matches)}
    targets = [ids[name] for name in out.existing if isinstance(name, str) and name in ids]
    merged = None
    if out.merged is not None and out.merged.title.strip() and out.merged.summary.strip():
        merged = out.merged.model_dump_json()
    return Verdict(out.action, targets, merged, out.reason, out.confidence)
