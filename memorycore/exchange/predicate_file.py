"""Files of predicate schemas: TOML with one ``[[predicate]]`` table for each."""

import json
import os
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from functools import cache
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memorycore.errors import InvalidInputError
from memorycore.exchange.reading import describe, is_plain_key
from memorycore.model import predicate as record
from memorycore.model.predicate import Predicate
from memorycore.model.predicate_rules import check_predicate, shown

_DEFAULT = Predicate(name="")


class PredicateIn(BaseModel):
    """One predicate schema, as a file gives it."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    name: Annotated[str, Field(description="How statements call it.")]
    domain: Annotated[str, Field(description="A word to group predicates by.")] = _DEFAULT.domain
    label_en: Annotated[str, Field(description="What people read, in English.")] = ""
    label_zh: Annotated[str, Field(description="What people read, in Chinese.")] = ""
    aliases: Annotated[list[str], Field(description="Other names of it.")] = []
    fact_type: Annotated[str, Field(description="What sort of fact it makes.")] = _DEFAULT.fact_type
    cardinality: Annotated[str, Field(description="How many values hold at a time.")] = (
        _DEFAULT.cardinality
    )
    conflict_policy: Annotated[str, Field(description="What happens when two values meet.")] = (
        _DEFAULT.conflict_policy
    )
    temporal: Annotated[str, Field(description="What its time means.")] = _DEFAULT.temporal
    object_kind: Annotated[str, Field(description="What it speaks of.")] = _DEFAULT.object_kind
    value_type: Annotated[str, Field(description="What a literal must be.")] = _DEFAULT.value_type
    subject_kinds: Annotated[list[str], Field(description="Kinds of its subject.")] = []
    object_kinds: Annotated[list[str], Field(description="Kinds of its object.")] = []
    opposite: Annotated[str | None, Field(description="What it excludes; empty is none.")] = None
    is_ranked: Annotated[bool, Field(description="One fact of a subject at each rank.")] = (
        _DEFAULT.is_ranked
    )
    tau_days: Annotated[float, Field(description="How long a value holds, or how it fades.")] = (
        _DEFAULT.tau_days
    )
    importance: Annotated[float, Field(description="How much a fact weighs.")] = _DEFAULT.importance
    is_sensitive: Annotated[bool, Field(description="Its facts are sensitive.")] = (
        _DEFAULT.is_sensitive
    )
    allow_inference: Annotated[bool, Field(description="It may be inferred.")] = (
        _DEFAULT.allow_inference
    )
    allow_assistant_source: Annotated[
        bool, Field(description="An assistant's words are evidence enough.")
    ] = _DEFAULT.allow_assistant_source
    allow_agent_subject: Annotated[bool, Field(description="It may be of the agent itself.")] = (
        _DEFAULT.allow_agent_subject
    )
    is_denial: Annotated[bool, Field(description="A sentence with 'not' can mean just this.")] = (
        _DEFAULT.is_denial
    )
    min_evidence: Annotated[int, Field(description="Observations that an inference needs.")] = (
        _DEFAULT.min_evidence
    )


_FIELDS = list(PredicateIn.model_fields)
_LISTS = ("aliases", "subject_kinds", "object_kinds")
_TABLE = "predicate"
_START_FROM = "memoryctl predicate show likes  prints one to start from"


def read_predicates(text: str, *, source: str) -> list[Predicate]:
    """Read a file of predicate schemas, in order; each is checked by itself and beside the others.

    An opposite that the file does not define is left to be checked against the store.

    Raises:
        InvalidInputError: the message names the file (``source``), the predicate and the field.
    """
    try:
        predicates = [
            _read_table(table, number) for number, table in enumerate(_read_tables(text), 1)
        ]
        by_name: dict[str, Predicate] = {}
        for predicate in predicates:
            if predicate.name in by_name:
                raise InvalidInputError(
                    f"predicate {shown(predicate.name)}: name stands twice", hint="keep one of them"
                )
            by_name[predicate.name] = predicate
        for predicate in predicates:
            check_predicate(predicate, by_name, are_all=False)
    except InvalidInputError as error:
        message = f"{source}: {error.message}"
        raise InvalidInputError(message, why=error.why, hint=error.hint) from error
    return predicates


def read_whole(given: Sequence[Predicate] | str) -> list[Predicate]:
    """Read the predicates of a new store, from records or the text of a file.

    Raises:
        InvalidInputError: the text cannot be read, or the predicates do not go together.
    """
    found = read_predicates(given, source="predicates") if isinstance(given, str) else list(given)
    together = {predicate.name: predicate for predicate in found}
    for predicate in found:
        check_predicate(predicate, together)
    return found


def change_predicate(predicate: Predicate, changes: Mapping[str, Any]) -> Predicate:
    """Give a predicate with some of its fields changed, read as a file's are.

    Raises:
        InvalidInputError: a field is unknown, or a value is of another kind.
    """
    if "name" in changes:
        raise InvalidInputError(
            "The name of a predicate stays.", hint="memoryctl predicate add FILE  adds another"
        )
    shape = asdict(predicate)
    del shape["number"]
    for key in _LISTS:
        shape[key] = list(shape[key])
    return _read_table(shape | dict(changes), 1)


def _read_tables(text: str) -> list[Any]:
    try:
        document = tomllib.loads(text)
    except RecursionError as error:
        raise InvalidInputError("not readable: nested too deeply", hint=_START_FROM) from error
    except tomllib.TOMLDecodeError as error:
        where = str(error).rpartition("(")[2].removesuffix(")")
        raise InvalidInputError(f"not TOML {where}", hint=_START_FROM) from error
    except ValueError as error:  # an integer of more digits than Python reads
        raise InvalidInputError("not TOML that can be read", hint=_START_FROM) from error
    unknown = [key for key in document if key != _TABLE]
    if unknown:
        named = f" {unknown[0]}" if is_plain_key(unknown[0]) else ""
        raise InvalidInputError(
            f"unknown key{named} outside of a predicate",
            hint=f"each predicate is a [[{_TABLE}]] table",
        )
    tables = document.get(_TABLE)
    if not isinstance(tables, list) or not tables:
        raise InvalidInputError(
            "holds no list of predicates", hint=f"begin each with [[{_TABLE}]], in double brackets"
        )
    return tables


def _read_table(table: Any, number: int) -> Predicate:
    if not isinstance(table, dict):
        raise InvalidInputError(f"predicate number {number}: no table", hint=_START_FROM)
    try:
        line = PredicateIn.model_validate(table)
    except ValidationError as error:
        name = table.get("name")
        which = shown(name) if isinstance(name, str) else f"number {number}"
        message = f"predicate {which}: {describe(error, _FIELDS)}"
        raise InvalidInputError(message, hint=_START_FROM) from error
    values: dict[str, Any] = line.model_dump()
    for key in _LISTS:
        values[key] = tuple(values[key])
    values["opposite"] = line.opposite or None
    return Predicate(**values)


@cache
def load_seeded() -> tuple[Predicate, ...]:
    """Read the predicates that a new store knows, in the order of their file; once a process."""
    path = os.path.join(os.path.dirname(record.__file__), "predicates.toml")
    with open(path, encoding="utf-8") as file:
        return tuple(read_predicates(file.read(), source="predicates.toml"))


def write_predicates(predicates: Iterable[Predicate]) -> str:
    """Write predicate schemas as a file that reads back equal, but for their rows in a store."""
    return "\n".join(_write_table(predicate) for predicate in predicates)


def _write_table(predicate: Predicate) -> str:
    lines = [f"[[{_TABLE}]]"]
    for field in fields(predicate):
        value = getattr(predicate, field.name)
        if field.name != "number" and value is not None:
            lines.append(f"{field.name} = {_write_value(value)}")
    return "\n".join(lines) + "\n"


def _write_value(value: str | float | tuple[str, ...]) -> str:
    # JSON's strings, numbers and lists of strings are TOML's too. Its escapes of characters outside
    # of the basic plane are not, so those stand as they are.
    return json.dumps(value, ensure_ascii=False)
