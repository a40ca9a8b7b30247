"""What documents of memory review share: bounded texts, and faults out of pydantic's errors."""

import unicodedata
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from memorycore.model.name import MAX_VALUE_LENGTH
from memorycore.model.review_packet import MAX_LIST, MAX_TEXT_BYTES, Lists

STRICT = ConfigDict(
    strict=True, extra="forbid", frozen=True, alias_generator=to_camel, validate_by_name=False
)


_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and a sign that show nothing."""


def _is_seen(char: str) -> bool:
    """Tell whether a character says something by itself: no space, control, format or mark."""
    return unicodedata.category(char)[0] not in "CMZ" and char not in _BLANK


def _bounded(text: str) -> str:
    if len(text.encode("utf-8", "surrogatepass")) > MAX_TEXT_BYTES:
        raise ValueError(f"a text has at most {MAX_TEXT_BYTES} bytes")
    if not any(map(_is_seen, text)):
        raise ValueError("a text must not be empty")
    if any(ord(one) < 32 and one not in "\t\n\r" for one in text):
        raise ValueError("a text holds no control characters")
    return text


Text = Annotated[str, AfterValidator(_bounded)]
"""A text that says something, at most 2,048 bytes of UTF-8."""
MemoryText = Annotated[str, Field(max_length=MAX_VALUE_LENGTH), AfterValidator(_bounded)]
"""A text that can be what a fact says."""
Short = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_bounded)]
Key = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")]
CandidateKey = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$")]
Texts = Annotated[list[Short], Field(max_length=MAX_LIST)]


class ListsIn(BaseModel):
    """The five lists that say where a memory applies."""

    model_config = STRICT

    tags: Texts = []
    path_patterns: Texts = []
    task_types: Texts = []
    operations: Texts = []
    phases: Texts = []

    def lists(self) -> Lists:
        """Give them as a record."""
        return Lists(
            tuple(self.tags),
            tuple(self.path_patterns),
            tuple(self.task_types),
            tuple(self.operations),
            tuple(self.phases),
        )


def write_lists(lists: Lists) -> dict[str, list[str]]:
    """Write those of the five lists that hold something."""
    named = {
        "tags": lists.tags,
        "pathPatterns": lists.path_patterns,
        "taskTypes": lists.task_types,
        "operations": lists.operations,
        "phases": lists.phases,
    }
    return {name: list(texts) for name, texts in named.items() if texts}


def place_of(loc: tuple[int | str, ...], known: frozenset[str]) -> str:
    """Write where a fault lies; a key that is no field of ours is not quoted."""
    place = ""
    for part in loc:
        if isinstance(part, int):
            place += f"[{part}]"
        else:
            place += ("." if place else "") + (part if part in known else "?")
    return place or "document"


def reason_of(error: Any) -> str:
    """Say what is wrong with a field, never with its value."""
    match error["type"]:
        case "missing":
            return "it is missing"
        case "extra_forbidden":
            return "there is no such field here"
        case "value_error":
            return str(error["msg"]).removeprefix("Value error, ")
        case "literal_error" | "enum":
            return str(error["msg"]).replace("Input should be", "it must be")
        case _:
            message = str(error["msg"])
            return message.replace("Input should", "it should").replace(
                "String should", "it should"
            )
