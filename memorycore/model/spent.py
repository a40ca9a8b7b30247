"""What the answers of a model have cost."""

from dataclasses import dataclass
from typing import Any


@dataclass(slots=True)
class Spent:
    """What answers have cost: tokens where they were told, milliseconds, and calls.

    ``form`` is how the last one was asked for: by schema, as JSON, or plainly.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    ms: int = 0
    calls: int = 0
    form: str = ""

    @property
    def tokens(self) -> int:
        """How many tokens went in and came out."""
        return self.prompt_tokens + self.completion_tokens

    def add(self, other: "Spent") -> None:
        """Add what other answers have cost."""
        self.prompt_tokens += other.prompt_tokens
        self.completion_tokens += other.completion_tokens
        self.ms += other.ms
        self.calls += other.calls
        self.form = other.form or self.form

    def to_dict(self) -> dict[str, Any]:
        """Give the cost in the shape of the JSON outputs."""
        return {
            "calls": self.calls,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "ms": self.ms,
            "form": self.form or None,
        }
