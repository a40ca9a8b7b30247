"""Tags beside each other: which are the same (seed 000, E9), and which only nearly (W5)."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from memorycore.model.time import format_instant
from memorycore.model.word import fold

LONGEST_COMPARED = 40
"""Tags of more characters are no near-duplicates of short concepts, and slow to compare."""
LONGER = 2
"""So many characters more and the one that holds the other still is much like it."""
ALIKE = 0.8


@dataclass(frozen=True, slots=True)
class TagUse:
    """A tag of the registry: how many facts use it, and when it was first and last heard of.

    The times are microseconds UTC; ``None`` where no sentence that uses it has one.
    """

    name: str
    count: int
    first_seen: int | None = None
    last_seen: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give the tag in the shape of a registry file (seed 000)."""
        return {
            "tag_id": f"tag:{self.name}",
            "name": self.name,
            "count": self.count,
            "first_seen_at": None if self.first_seen is None else format_instant(self.first_seen),
            "last_seen_at": None if self.last_seen is None else format_instant(self.last_seen),
        }


def tag_key(tag: str) -> str:
    """Give what two tags that are the same have in common: NFKC, no blanks, folded case."""
    return "".join(unicodedata.normalize("NFKC", tag).split()).casefold()


def same_tag(tag: str, offered: Iterable[str]) -> str | None:
    """Find the offered tag that a tag is, however it is written."""
    key = tag_key(tag)
    return next((known for known in offered if tag_key(known) == key), None)


def is_near(one: str, other: str) -> bool:
    """Tell whether a tag is much like another one."""
    one, other = fold(one), fold(other)
    short, long = sorted((one, other), key=len)
    if not short or len(long) > LONGEST_COMPARED:
        return False
    if short in long and len(long) - len(short) <= LONGER:
        return True
    return SequenceMatcher(None, short, long, autojunk=False).ratio() >= ALIKE
