"""Whose a memory of Mem0 is, who said it, and when: what is told beside its text."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from memorycore.errors import InvalidTimeError
from memorycore.model.candidate import Naming, Problem
from memorycore.model.name import name_fault
from memorycore.model.time import MICROSECONDS, Moment, parse_moment
from memorycore.model.unsafe import find_unsafe

REWRITTEN_AFTER = MICROSECONDS
"""Mem0 sets both its times when it adds a memory, one a little after the other."""

_PREFIX = re.compile(r"\s*\[(user|agent|assistant)\]", re.IGNORECASE)
_KINDS = {"user": "person", "agent": "agent", "assistant": "agent"}


@dataclass(frozen=True, slots=True)
class Owner:
    """Of whom a memory speaks (``None``: of whose memory it is), and whether an assistant said it.

    ``speaker`` is who said it, by name, where an assistant did.
    """

    subject: Naming | None
    by_assistant: bool = False
    speaker: str | None = None


def owner_of(told: Mapping[str, Any], text: str) -> Owner:
    """Tell of whom a memory speaks.

    The first of these that is told decides: ``owner_type`` with ``owner_id``, a ``[User]`` or
    ``[Agent]`` before the text, the character of a scene (which is the agent), ``actor_id``,
    ``user_id``, ``agent_id``. What is attributed to an assistant is what that has said.
    """
    said_by = told.get("attributed_to") or told.get("role")
    if said_by == "assistant":
        speaker = _name(told, "agent_id") or _name(told, "actor_id")
        return Owner(Naming(speaker, "agent") if speaker else None, True, speaker)
    owner_type = told.get("owner_type")
    kind = _KINDS.get(owner_type.lower()) if isinstance(owner_type, str) else None
    if kind is not None and (name := _name(told, "owner_id")):
        return Owner(Naming(name, kind))
    if prefix := _PREFIX.match(text):
        kind = _KINDS[prefix[1].lower()]
        name = _name(told, "user_id" if kind == "person" else "agent_id")
        return Owner(Naming(name, kind) if name else None)
    keys = ["actor_id", "user_id", "agent_id"]
    if told.get("character_id"):
        keys = ["agent_id", "actor_id", "user_id"]
    for key in keys:
        if name := _name(told, key):
            return Owner(Naming(name, "agent" if key == "agent_id" else "person"))
    return Owner(None)


def _name(told: Mapping[str, Any], key: str) -> str | None:
    value = told.get(key)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or name_fault(value) is not None:
        return None
    return _kept_name(value.strip(), key.partition("_")[0])


@lru_cache(maxsize=1024)
def _kept_name(name: str, kind: str) -> str:
    """Give a name as it may be kept: what is a person's address or number is told apart by a mark.

    Many programs use addresses as ids.
    """
    if find_unsafe(name) is None:
        return name
    mark = hashlib.md5(name.encode(), usedforsecurity=False).hexdigest()[:8]
    return f"{kind} {mark}"


def read_moment(value: Any, zone: str, place: str, problems: list[Problem]) -> Moment | None:
    """Read a time; one that cannot be read is unknown, and told."""
    if value is None or value == "":
        return None
    if isinstance(value, str):
        try:
            return parse_moment(value, zone=zone)
        except InvalidTimeError:
            pass
    problems.append(Problem(place, "unread_time", "warn", "a time is not in ISO 8601: unknown"))
    return None


def is_rewritten(created: Moment | None, updated: Moment | None) -> bool:
    """Tell whether a memory was written anew after it was made."""
    if created is None or updated is None:
        return False
    return updated.from_ > created.from_ + REWRITTEN_AFTER
