"""Read a document that is kept as a whole: what it holds, and in which form it may be kept."""

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memorycore.engine.gate import find_unsafe_in
from memorycore.errors import InvalidInputError, SecretRefusedError
from memorycore.model.draft import MAX_TEXT_LENGTH
from memorycore.model.import_item import Dropped, Item
from memorycore.model.secret import find_secrets, mask_secrets
from memorycore.port.import_format import ImportFormat


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
    items = [_gated(item) for item in items]
    if on_secret != "keep" and (secrets := find_secrets(text)):
        masked = mask_secrets(text, secrets)
        try:
            again, _ = _read(masked, reader, source=source, zone=zone)
        except InvalidInputError:
            again = []
        if len(again) != len(items):
            _refuse_secret(text, on_secret)
        text = masked
        items = [one if one.refused else new for one, new in zip(items, again, strict=True)]
    return Document(text, items, dropped)


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


def _gated(item: Item) -> Item:
    texts: Sequence[str] = [item.label, item.content]
    reason = find_unsafe_in(texts)
    return item if reason is None else replace(item, refused=reason)


def _refuse_secret(text: str, on_secret: str) -> None:
    if on_secret != "keep" and (found := find_secrets(text)):
        raise SecretRefusedError(
            f"The document holds what looks like {found[0].label}; nothing of it was kept.",
            hint="take it out of the document",
        )
