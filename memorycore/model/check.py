"""Checks: one thing that was looked at, and how it stands."""

from dataclasses import dataclass

STATES = ("ok", "warn", "fail", "off")


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was tried: its name, how it stands, in words, and what would mend it.

    ``state`` is ``ok``, ``warn``, ``fail``, or ``off`` where there is nothing to try.
    """

    name: str
    state: str
    detail: str
    fix: str | None = None

    def to_dict(self) -> dict[str, str | None]:
        """Give the check in the shape of ``memorycore.doctor.v1``."""
        return {"name": self.name, "state": self.state, "detail": self.detail, "fix": self.fix}
