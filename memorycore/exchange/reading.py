"""What every reader of documents shares: strict JSON, and errors that show no content."""

import json
import re
from collections.abc import Callable
from typing import Any, NoReturn

from pydantic import ValidationError

from memorycore.errors import InvalidInputError
from memorycore.model.unsafe import find_unsafe

MAX_FIELD_SHOWN = 40
_PLAIN_KEY = re.compile(rf"[^\W\d]\w{{0,{MAX_FIELD_SHOWN - 1}}}\Z")


class Doubled(dict[str, Any]):
    """An object of which a key was told twice: nobody can tell which of the two was meant."""


def note_doubled(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of its pairs, for ``parse_json``; it is ``Doubled`` if a key comes twice."""
    found = dict(pairs)
    return found if len(found) == len(pairs) else Doubled(found)


def parse_json(
    text: bytes | str, *, pairs: Callable[[list[tuple[str, Any]]], Any] | None = None
) -> Any:
    """Parse strict JSON: UTF-8, no NaN, no infinity. ``pairs`` makes the objects, if given.

    Raises:
        InvalidInputError: it is something else; the message says where, not what.
    """
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        return json.loads(text, parse_constant=refuse_constant, object_pairs_hook=pairs)
    except UnicodeDecodeError as error:
        raise InvalidInputError(f"not valid UTF-8 at byte {error.start}") from error
    except json.JSONDecodeError as error:
        what = error.msg.removesuffix(" at")
        raise InvalidInputError(f"not JSON: {what} at column {error.colno}") from error
    except RecursionError as error:
        raise InvalidInputError("not readable: nested too deeply") from error
    except ValueError as error:  # an integer of more digits than Python reads
        raise InvalidInputError("not JSON that can be read: a number is too long") from error


def refuse_constant(name: str) -> NoReturn:
    """Refuse NaN and the infinities, which JSON does not have."""
    raise InvalidInputError(f"not JSON: {name} is no number")


def is_plain_key(key: str) -> bool:
    """Tell whether an unknown key may be named: a short word that gives nothing away."""
    return _PLAIN_KEY.match(key) is not None and find_unsafe(key) is None


def describe(error: ValidationError, known: list[str]) -> str:
    """Say in words what is wrong with a document, naming fields but never their values."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    named = ".".join(str(part) for part in first["loc"])[:MAX_FIELD_SHOWN]
    field = "".join(c for c in named if c.isprintable()) or "the record"
    match first["type"]:
        case "missing":
            return f"the field {field} is missing"
        case "extra_forbidden":
            is_named = is_plain_key(str(first["loc"][-1]))
            unknown = f"unknown field {field}" if is_named else "unknown field"
            return f"{unknown}; known ones are {', '.join(known)}"
        case "model_type" | "dict_type" | "dataclass_type":
            return f"{field} must be a JSON object"
        case "value_error":
            return f"{field}: {first['msg'].removeprefix('Value error, ')}"
        case _:
            return f"{field}: {first['msg'][0].lower()}{first['msg'][1:]}"


def require_text(item: Any) -> None:
    """Refuse half characters, which JSON can spell but no text can hold.

    Raises:
        InvalidInputError: there is one.
    """
    try:
        json.dumps(item, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise InvalidInputError("holds half a character (a lone surrogate)") from error
