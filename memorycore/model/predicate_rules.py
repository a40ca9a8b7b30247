"""What a predicate schema may say: values that exist, and combinations that mean something."""

import re
import unicodedata
from collections.abc import Mapping
from typing import NoReturn

from memorycore.errors import InvalidInputError
from memorycore.model.predicate import (
    CARDINALITIES,
    CONFLICT_POLICIES,
    FACT_TYPES,
    OBJECT_KINDS,
    TEMPORALS,
    VALUE_TYPES,
    Predicate,
)
from memorycore.model.unsafe import find_unsafe
from memorycore.model.word import fold

MAX_NAME_LENGTH = 64
MAX_NAMES = 50
MAX_EVIDENCE = 100
MAX_TAU_DAYS = 365_000
"""A thousand years: what is added to a time must still be a time."""
AGENT = "agent"
"""The kind of entity that needs ``allow_agent_subject``."""

POLICIES = {
    "single": ("supersede", "review"),
    "multi": ("coexist", "merge", "review"),
    "temporal_multi": ("coexist", "expire", "review"),
}
"""The conflict policies that mean something for each cardinality, unless rank orders the values."""
RANKED_POLICIES = ("supersede", "review")

_CHOICES = (
    ("fact_type", FACT_TYPES),
    ("cardinality", CARDINALITIES),
    ("conflict_policy", CONFLICT_POLICIES),
    ("temporal", TEMPORALS),
    ("object_kind", OBJECT_KINDS),
    ("value_type", VALUE_TYPES),
)
_WHY_NOT = {
    ("single", "coexist"): "values that coexist are more than one",
    ("single", "merge"): "a merge keeps several statements",
    ("single", "expire"): "a single value holds until the next",
    ("multi", "supersede"): "one of many values does not end the others",
    ("multi", "expire"): "only values that each have their own time end by themselves",
    ("temporal_multi", "supersede"): "values with their own time do not end each other",
    ("temporal_multi", "merge"): "values with their own time cannot become one",
}
_NAME = re.compile(r"[^\W\d_]\w*")


def is_name(text: str) -> bool:
    """Tell whether a text can be a name: letters, digits and ``_``, beginning with a letter."""
    return (
        len(text) <= MAX_NAME_LENGTH
        and _NAME.fullmatch(text) is not None
        and unicodedata.is_normalized("NFKC", text)
    )


def shown(name: str) -> str:
    """Give a name that may be anything in a form that can be printed."""
    if find_unsafe(name) is not None:
        return "of a name that is not shown"
    return "".join(c for c in name[:MAX_NAME_LENGTH] if c.isprintable()) or "without a name"


def label_of(predicate: Predicate, *, language: str = "en") -> str:
    """Give what people read for a predicate: its label, else the other one, else its name."""
    ours, other = predicate.label_en, predicate.label_zh
    if language.startswith("zh"):
        ours, other = other, ours
    return ours or other or predicate.name.replace("_", " ")


def check_predicate(
    predicate: Predicate, others: Mapping[str, Predicate], *, are_all: bool = True
) -> None:
    """Refuse a schema that makes no sense, by itself or beside others.

    ``others`` are those that will stand beside it, by name; it may be among them. If they are not
    all, an opposite that is not among them is left to be checked later.

    Raises:
        InvalidInputError: the message names the predicate and the field.
    """
    _check_names(predicate)
    _check_values(predicate)
    _check_cardinality(predicate)
    _check_object(predicate)
    _check_evidence(predicate)
    _check_names_beside(predicate, others)
    _check_opposite(predicate, others, are_all=are_all)


def _refuse(predicate: Predicate, what: str, *, why: str | None = None, hint: str) -> NoReturn:
    raise InvalidInputError(f"predicate {shown(predicate.name)}: {what}", why=why, hint=hint)


def _check_names(predicate: Predicate) -> None:
    texts = (predicate.name, predicate.domain, predicate.label_en, predicate.label_zh)
    lists_ = (predicate.aliases, predicate.subject_kinds, predicate.object_kinds)
    named = [*texts, *(name for names in lists_ for name in names), predicate.opposite or ""]
    if find_unsafe("\n".join(named)) is not None:
        what = "a name or label holds what may not be kept, such as a secret"
        _refuse(predicate, what, hint="another name")
    form = "letters, digits and _, beginning with a letter or a Han character, at most 64 of them"
    lists = ("aliases", "subject_kinds", "object_kinds")
    parts = [(field, name) for field in lists for name in getattr(predicate, field)]
    for field, name in (("name", predicate.name), ("domain", predicate.domain), *parts):
        if not is_name(name):
            holds = "holds what is" if field in lists else "is"
            _refuse(predicate, f"{field} {holds} no valid name", hint=f"a name has {form}")
        if field.endswith("_kinds") and name != name.lower():
            _refuse(predicate, f"{field} holds {name}: kinds are in lower case", hint=name.lower())
    for field in lists:
        if len(getattr(predicate, field)) > MAX_NAMES:
            _refuse(predicate, f"{field} holds more than {MAX_NAMES}", hint="keep those in use")
    for field in ("label_en", "label_zh"):
        label = getattr(predicate, field)
        if len(label) > MAX_NAME_LENGTH or not label.isprintable():
            what = f"{field} is no short line of printable characters"
            _refuse(predicate, what, hint=f"at most {MAX_NAME_LENGTH} characters, on one line")


def _check_values(predicate: Predicate) -> None:
    for field, choices in _CHOICES:
        if getattr(predicate, field) not in choices:
            _refuse(
                predicate,
                f"{field} has a value that does not exist",
                hint=f"one of {', '.join(choices)}",
            )
    if not 0 < predicate.tau_days <= MAX_TAU_DAYS:  # which no NaN is
        what = f"tau_days must be above 0 and at most {MAX_TAU_DAYS} days"
        _refuse(predicate, what, hint="tau_days = 365")
    if not 0 <= predicate.importance <= 1:
        _refuse(predicate, "importance must lie between 0 and 1", hint="importance = 0.5")
    if not 1 <= predicate.min_evidence <= MAX_EVIDENCE:
        what = f"min_evidence must lie between 1 and {MAX_EVIDENCE}"
        _refuse(predicate, what, hint="min_evidence = 1")


def _check_cardinality(predicate: Predicate) -> None:
    cardinality, policy = predicate.cardinality, predicate.conflict_policy
    if predicate.is_ranked:
        if cardinality != "multi":
            _refuse(
                predicate,
                f"is_ranked does not go with cardinality {cardinality}",
                why="ranks order several values that hold at once",
                hint="cardinality multi",
            )
        if policy not in RANKED_POLICIES:
            _refuse(
                predicate,
                f"is_ranked does not go with conflict_policy {policy}",
                why="at each rank one value holds at a time",
                hint=f"conflict_policy {' or '.join(RANKED_POLICIES)}",
            )
    elif policy not in POLICIES[cardinality]:
        _refuse(
            predicate,
            f"conflict_policy {policy} does not go with cardinality {cardinality}",
            why=_WHY_NOT[cardinality, policy],
            hint=_policies_for(cardinality, policy),
        )
    if cardinality == "single" and predicate.temporal == "event":
        _refuse(
            predicate,
            "temporal event does not go with cardinality single",
            why="one event does not take the place of another",
            hint="cardinality multi, or temporal state",
        )


def _policies_for(cardinality: str, policy: str) -> str:
    fitting = [other for other, policies in POLICIES.items() if policy in policies]
    ranked = " with is_ranked" if (cardinality, policy) == ("multi", "supersede") else ""
    also = ["multi" + ranked] if ranked else []
    return (
        f"conflict_policy {' or '.join(POLICIES[cardinality])}, "
        f"or cardinality {' or '.join(fitting + also)}"
    )


def _check_object(predicate: Predicate) -> None:
    kind = predicate.object_kind
    if kind == "entity" and predicate.conflict_policy == "merge":
        _refuse(
            predicate,
            "conflict_policy merge does not go with object_kind entity",
            why="texts can be merged, entities cannot",
            hint="object_kind literal",
        )
    if kind == "entity" and predicate.value_type != "text":
        _refuse(
            predicate,
            f"value_type {predicate.value_type} does not go with object_kind entity",
            why="an entity is no number or date",
            hint="object_kind literal",
        )
    if kind == "literal" and predicate.object_kinds:
        _refuse(
            predicate,
            "object_kinds does not go with object_kind literal",
            why="a literal is no entity and has no kind",
            hint="leave object_kinds out, or object_kind either",
        )
    if kind == "literal" and predicate.is_ranked:
        _refuse(
            predicate,
            "is_ranked does not go with object_kind literal",
            why="only things with a name are ranked",
            hint="object_kind entity",
        )


def _check_evidence(predicate: Predicate) -> None:
    if predicate.min_evidence > 1 and not predicate.allow_inference:
        _refuse(
            predicate,
            "min_evidence above 1 does not go with allow_inference false",
            why="it counts the observations of inferred statements, which are not allowed",
            hint="min_evidence = 1, or allow_inference = true",
        )
    if predicate.is_sensitive and predicate.allow_assistant_source:
        _refuse(
            predicate,
            "allow_assistant_source does not go with is_sensitive",
            why="what is sensitive is believed only of those who said it",
            hint="allow_assistant_source = false",
        )
    names_agent = AGENT in predicate.subject_kinds
    if names_agent and not predicate.allow_agent_subject:
        _refuse(
            predicate,
            "subject_kinds holds agent, but allow_agent_subject is false",
            hint="allow_agent_subject = true, or take agent out",
        )
    if predicate.allow_agent_subject and predicate.subject_kinds and not names_agent:
        _refuse(
            predicate,
            "allow_agent_subject is true, but subject_kinds does not hold agent",
            hint="add agent to subject_kinds, or leave subject_kinds out",
        )


def _check_names_beside(predicate: Predicate, others: Mapping[str, Predicate]) -> None:
    ours = {fold(name): name for name in (predicate.name, *predicate.aliases)}
    for other in others.values():
        if other.name == predicate.name:
            continue
        for name in (other.name, *other.aliases):
            if (mine := ours.get(fold(name))) is not None:
                field = "name" if mine == predicate.name else "aliases"
                _refuse(
                    predicate,
                    f"{field} has {mine}, which is already a name or alias of {other.name}",
                    why="a name leads to one predicate",
                    hint=f"another name, or give {other.name} anew without it",
                )


def _check_opposite(
    predicate: Predicate, others: Mapping[str, Predicate], *, are_all: bool
) -> None:
    for other in others.values():
        named = other.opposite == predicate.name and other.name != predicate.name
        if named and predicate.opposite != other.name:
            what = f"opposite must be {other.name}, which names it as its opposite"
            _refuse(predicate, what, hint=f"{_line(other.name)}, or give both anew")
    name = predicate.opposite
    if name is None:
        return
    if not is_name(name):
        _refuse(predicate, "opposite is no valid name", hint="name another predicate, or none")
    if name == predicate.name:
        _refuse(predicate, "opposite is the predicate itself", hint="name another, or none")
    if predicate.cardinality == "single":
        _refuse(
            predicate,
            "opposite does not go with cardinality single",
            why="a single value already excludes every other",
            hint="cardinality multi, or no opposite",
        )
    opposite = others.get(name)
    if opposite is None:
        if are_all:
            what = f"opposite is {shown(name)}, which is no predicate"
            _refuse(predicate, what, hint="define both in one file")
        return
    if opposite.opposite != predicate.name:
        what = f"opposite is {name}, which does not name it back"
        _refuse(predicate, what, hint=f"{_line(predicate.name)} for {name}, in the same file")
    if opposite.cardinality != predicate.cardinality:
        what = f"opposite is {name}, whose cardinality is {opposite.cardinality}"
        _refuse(predicate, what, hint=f"cardinality {predicate.cardinality} for both")


def _line(name: str) -> str:
    return f'opposite = "{name}"'
