"""What an agent is shown of its memory: lines in sections, within a budget of tokens."""

from dataclasses import dataclass
from typing import Any

SECTIONS = ("pinned", "now", "past", "promised", "said")
"""In the order they are shown: what always counts, what holds, what held, what is owed, what was
said."""
MAX_BUDGET = 1_000_000
DEFAULT_BUDGET = 1200


@dataclass(frozen=True, slots=True)
class Line:
    """One memory as a line of a context, whole.

    ``weight`` is in 0…1 and says how much it matters to the question; ``summary`` is what the line
    is compared by with others; ``is_excerpt`` says that the text is only a part of the memory.
    """

    section: str
    heading: str
    id: str
    text: str
    weight: float
    summary: str = ""
    is_excerpt: bool = False


@dataclass(frozen=True, slots=True)
class Context:
    """A context: the text for a prompt, the lines that are in it, and how many had no room.

    ``tokens`` is never above ``budget``. ``repeats`` counts lines left out because another line
    says the same.
    """

    text: str
    lines: tuple[Line, ...]
    tokens: int
    budget: int
    left_out: int
    repeats: int = 0

    def __str__(self) -> str:
        return self.text

    @property
    def facts(self) -> tuple[str, ...]:
        """The ids of the facts that are in it, in their order."""
        return tuple(line.id for line in self.lines if line.id.startswith("fct_"))

    def to_dict(self) -> dict[str, Any]:
        """Give the context in the shape of ``memorycore.context.v1``."""
        return {
            "schema": "memorycore.context.v1",
            "ok": True,
            "text": self.text,
            "lines": [
                {
                    "section": line.section,
                    "heading": line.heading,
                    "id": line.id,
                    "text": line.text,
                    "weight": round(line.weight, 4),
                    "excerpt": line.is_excerpt,
                }
                for line in self.lines
            ],
            "tokens": self.tokens,
            "budget": self.budget,
            "left_out": self.left_out,
            "repeats": self.repeats,
        }
