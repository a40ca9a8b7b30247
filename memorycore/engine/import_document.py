"""Read a document that is kept as a whole: what it holds, and in which form it may be kept."""

import io
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from memorycore.engine.draft_gate import mask_meta
from memorycore.engine.gate import find_unsafe_in
from memorycore.errors import InvalidInputError, SecretRefusedError
from memorycore.model.draft import MAX_TEXT_LENGTH
from memorycore.model.forgetting import mask
from memorycore.model.import_item import Dropped, Item, place_in
from memorycore.model.json_object import objects_in
from memorycore.model.secret import find_secrets, mask_secrets
from memorycore.port.import_format import ImportFormat

LONGEST_SECRET = 200
"""Characters of a text that is looked at together with its name."""


@dataclass(slots=True)
class Document:
    """A document as it may be kept, and what was read of it. ``parse_error`` says why nothing."""

    text: str
    items: list[Item]
    dropped: list[Dropped]
    parse_error: str | None = None


def prepare_document(
    data: bytes,
    reader: ImportFormat,
    *,
    source: str,
    zone: str,
    on_secret: str,
    longest: int,
) -> Document:
    """Read a document; an item that may not be kept is refused, and its secret is masked.

    Raises:
        InvalidInputError: it is no text, or too long.
        SecretRefusedError: it holds a secret outside its items, or one that cannot be masked.
    """
    text = reader.plain(_text_of(data, longest))
    try:
        items, dropped = _read(text, reader, source=source, zone=zone)
    except InvalidInputError as error:
        _refuse_secret(text, on_secret)
        return Document(text, [], [], f"{error.message} {error.why or ''}".strip())
    items = [gate_item(item, "keep" if on_secret == "keep" else "reject") for item in items]
    placed = items
    if on_secret != "keep" and (secrets := find_secrets(text)):
        masked = mask_secrets(text, secrets)
        try:
            again, _ = _read(masked, reader, source=source, zone=zone)
        except InvalidInputError:
            again = []
        if len(again) != len(items):
            _refuse_secret(text, on_secret)
        text, placed = masked, again
        items = [one if one.refused else new for one, new in zip(items, again, strict=True)]
    refused = [new for one, new in zip(items, placed, strict=True) if one.refused is not None]
    return Document(mask_records(text, refused, reader, zone=zone), items, dropped)


def mask_records(text: str, items: Sequence[Item], reader: ImportFormat, *, zone: str) -> str:
    """Mask records in a document, character for character, so that all else stays in its place."""
    if not items:
        return text
    objects = objects_in(text)
    made = [one for item in items for one in reader.propose(item.content, ["ep_"], zone=zone)]
    return mask(text, [span for one in made if (span := place_in(text, objects, one)) is not None])


def _text_of(data: bytes, longest: int) -> str:
    if len(data) > longest:
        raise InvalidInputError(
            f"The document is larger than {longest:,} bytes.", hint="import it in parts"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInputError(f"The document is not valid UTF-8 (byte {error.start}).") from error
    if len(text) > MAX_TEXT_LENGTH:
        raise InvalidInputError(
            f"The document is longer than {MAX_TEXT_LENGTH:,} characters.",
            why="it is kept as one episode, which every fact of it cites",
            hint="import it in parts",
        )
    return text


def _read(
    text: str, reader: ImportFormat, *, source: str, zone: str
) -> tuple[list[Item], list[Dropped]]:
    found = list(reader.read(io.BytesIO(text.encode()), source=source, zone=zone))
    items = [one for one in found if isinstance(one, Item)]
    return items, [one for one in found if isinstance(one, Dropped)]


def gate_item(item: Item, on_secret: str) -> Item:
    """Refuse an item for what it holds; of such a one nothing is kept.

    Where secrets are to be masked, they are; where they are to be kept, they stay.
    """
    reason = _reason_against(item)
    if reason is None or (reason == "secret" and on_secret == "keep"):
        return item
    if reason == "secret" and on_secret == "mask":
        content = _masked_content(item.content)
        masked = replace(item, content=content or "", label=_masked(item.label))
        if item.words is not None:
            masked = replace(masked, words=tuple(map(_masked, item.words)))
        if content is not None and _reason_against(masked) is None:
            return masked
    return replace(item, refused=reason)


def _reason_against(item: Item) -> str | None:
    """Give the reason for which an item may not be kept, if there is one."""
    texts = _texts_in(item)
    if item.words is None:
        return find_unsafe_in(texts)
    if (reason := find_unsafe_in(item.words)) is not None:
        return reason
    return "secret" if any(map(find_secrets, texts)) else None


def _masked(text: str) -> str:
    return mask_secrets(text, find_secrets(text))


def _masked_content(content: str) -> str | None:
    """Mask the secrets of a record text by text, so that it stays JSON; ``None`` if it is none."""
    try:
        value = _masked_value(json.loads(content))
    except ValueError:
        return None
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _masked_value(value: Any) -> Any:
    """Mask the secrets in a JSON value; a text may itself be the JSON of metadata."""
    if isinstance(value, list):
        return [_masked_value(part) for part in value]
    if isinstance(value, dict):
        return {key: _masked_value(part) for key, part in value.items()}
    if not isinstance(value, str):
        return value
    if value.startswith("{") and value.endswith("}"):
        with suppress(ValueError):
            json.loads(value)
            return mask_meta(value)[0]
    return _masked(value)


def _texts_in(item: Item) -> list[str]:
    """List the texts of an item, each by itself: together they could look like something else."""
    texts = [item.label]
    try:
        _collect(json.loads(item.content), texts)
    except ValueError:
        texts.append(item.content)
    return texts


def _collect(value: object, texts: list[str]) -> None:
    if isinstance(value, str):
        texts.append(value)
    elif isinstance(value, dict):
        for key, part in value.items():
            _collect(part, texts)
            if isinstance(part, str) and len(part) < LONGEST_SECRET:
                # A password is told by what it is called.
                texts.append(f"{key}={part}")
    elif isinstance(value, list):
        for part in value:
            _collect(part, texts)


def _refuse_secret(text: str, on_secret: str) -> None:
    if on_secret != "keep" and (found := find_secrets(text)):
        raise SecretRefusedError(
            f"The document holds what looks like {found[0].label}; nothing of it was kept.",
            hint="take it out of the document",
        )
