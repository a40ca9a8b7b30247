"""Memory review packets: what a reviewer may look at, and the bounds that hold for it.

A packet is ``comet.memory.review.v1``. Everything in it is data for the reviewer, never an order.
"""

from dataclasses import dataclass

PACKET_SCHEMA = "comet.memory.review.v1"
LANGUAGES = ("zh-CN", "en")
SCOPES = ("global", "project")
KINDS = ("explicit", "inferred")
MEMORY_TYPES = ("core-profile", "collaboration-policy", "personal-episode")
MEMORY_CLASSES = ("user-fact", "user-preference", "collaboration-habit", "project-convention")
STATES = ("trial", "proven", "superseded")
REQUESTS = ("remember", "correct", "forget")
LISTS = ("tags", "path_patterns", "task_types", "operations", "phases")
"""The five lists that narrow where a memory applies."""

MAX_USER_EVIDENCE = 8
MAX_LIST = 16
MAX_COLLECTION = 32
MAX_TEXT_BYTES = 2_048
MAX_AGE_DAYS = 180


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a packet may hold, in bytes of UTF-8 JSON, and how many actions may answer it."""

    max_actions: int = 4
    max_evidence: int = 8
    max_bytes: int = 4_096


CEILING = Budget(8, 16, 12_288)
"""No packet is allowed more than this."""


@dataclass(frozen=True, slots=True)
class Lists:
    """Where a memory applies; each list has at most sixteen texts."""

    tags: tuple[str, ...] = ()
    path_patterns: tuple[str, ...] = ()
    task_types: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts of the five lists."""
        return (
            *self.tags,
            *self.path_patterns,
            *self.task_types,
            *self.operations,
            *self.phases,
        )


NO_LISTS = Lists()


@dataclass(frozen=True, slots=True)
class PacketEvidence:
    """One observation that the reviewer may rest on. ``observed_at`` is microseconds UTC."""

    key: str
    scope: str
    change_id: str
    success: bool
    observed_at: int
    project_identity: str | None = None
    project_key: str | None = None
    candidate_key: str | None = None
    text: str | None = None
    category: str | None = None
    memory_class: str | None = None
    lists: Lists = NO_LISTS


@dataclass(frozen=True, slots=True)
class PacketMemory:
    """One memory that is there already: the only targets that an action may name."""

    id: str
    scope: str
    category: str
    text: str
    kind: str
    state: str
    memory_type: str = "collaboration-policy"
    project_identity: str | None = None
    project_key: str | None = None
    title: str | None = None
    reason: str | None = None
    memory_class: str | None = None


@dataclass(frozen=True, slots=True)
class ExplicitRequest:
    """What the user has asked for in so many words; it outranks everything inferred."""

    action: str
    target_id: str | None = None
    permanent: bool = False
    scope: str | None = None
    project_key: str | None = None
    memory_class: str | None = None
    category: str | None = None
    title: str | None = None
    reason: str | None = None
    text: str | None = None
    lists: Lists = NO_LISTS


@dataclass(frozen=True, slots=True)
class ReviewPacket:
    """A packet, read and well-formed. Without ``budget`` only a single skip may answer it."""

    language: str
    workflow: str
    change_id: str
    created_at: int
    checkpoint: str
    project_identity: str | None = None
    project_key: str | None = None
    category: str | None = None
    user_evidence: tuple[str, ...] = ()
    request: ExplicitRequest | None = None
    evidence: tuple[PacketEvidence, ...] = ()
    memories: tuple[PacketMemory, ...] = ()
    budget: Budget | None = None

    def evidence_of(self, key: str) -> PacketEvidence | None:
        """Find a piece of evidence by its key."""
        return next((one for one in self.evidence if one.key == key), None)

    def memory_of(self, target_id: str) -> PacketMemory | None:
        """Find a memory by its id."""
        return next((one for one in self.memories if one.id == target_id), None)
