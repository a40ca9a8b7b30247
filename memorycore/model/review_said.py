"""What a memory says, and what it is about: the same identity is the same memory (CM-38)."""

from dataclasses import asdict, dataclass, replace
from typing import Any

from memorycore.model.review_packet import NO_LISTS, Lists
from memorycore.model.review_rules import same_text

PREDICATES = {
    "user-fact": "note",
    "user-preference": "prefers",
    "collaboration-habit": "prefers",
    "project-convention": "prefers",
}
"""Under which predicate a memory of each class is believed."""
ASKED_PREDICATE = "instructs"
"""What a user asks for outright of how work is to be done."""
WORKING = ("collaboration-habit", "project-convention")
DEFAULT_CLASS = {"global": "user-preference", "project": "project-convention"}


@dataclass(frozen=True, slots=True)
class Said:
    """The words of a memory, and where it applies. ``scope`` is ``global`` or ``project``."""

    scope: str
    text: str
    category: str
    memory_class: str | None = None
    candidate_key: str | None = None
    title: str | None = None
    reason: str | None = None
    lists: Lists = NO_LISTS

    @property
    def kept_class(self) -> str:
        """The class, told or not."""
        return self.memory_class or DEFAULT_CLASS[self.scope]

    @property
    def memory_type(self) -> str:
        """The type that goes with the class."""
        return "core-profile" if self.kept_class == "user-fact" else "collaboration-policy"

    def predicate(self, authority: str) -> str:
        """Name the predicate under which it is believed."""
        if authority == "explicit" and self.kept_class in WORKING:
            return ASKED_PREDICATE
        return PREDICATES[self.kept_class]

    def identity_fields(self) -> tuple[str, ...]:
        """Give what two memories must share to be about the same."""
        lists = asdict(self.lists)
        about = self.candidate_key or same_text(self.category)
        parts = ["\n".join(sorted(map(same_text, lists[name]))) for name in sorted(lists)]
        return (self.scope, self.memory_type, self.kept_class, about, *parts)

    def text_fields(self) -> tuple[str, ...]:
        """Give what two texts must share to be the same."""
        return (same_text(self.text),)

    def to_shape(self) -> dict[str, Any]:
        """Give it as it is stored."""
        shape = asdict(self)
        shape["lists"] = {name: list(texts) for name, texts in asdict(self.lists).items() if texts}
        return {name: value for name, value in shape.items() if value not in (None, {})}

    @classmethod
    def of_shape(cls, shape: dict[str, Any]) -> "Said":
        """Read what is stored."""
        lists = {name: tuple(texts) for name, texts in shape.get("lists", {}).items()}
        return cls(**{**shape, "lists": Lists(**lists)})

    def changed(
        self,
        *,
        text: str | None = None,
        category: str | None = None,
        title: str | None = None,
        reason: str | None = None,
        memory_class: str | None = None,
        lists: Lists = NO_LISTS,
    ) -> "Said":
        """Give it with some fields changed; ``None`` and empty lists leave them."""
        told = {name: texts for name, texts in asdict(lists).items() if texts}
        return replace(
            self,
            text=text or self.text,
            category=category or self.category,
            title=title or self.title,
            reason=reason or self.reason,
            memory_class=memory_class or self.memory_class,
            lists=replace(self.lists, **told),
        )
