"""Predicate schemas: data that decides how many values may hold and what happens when they meet."""

from dataclasses import dataclass

FACT_TYPES = ("core_identity", "stable_preference", "transient_context", "relational_state",
              "commitment", "significant_event", "note")  # fmt: skip
CARDINALITIES = ("single", "multi", "temporal_multi")
CONFLICT_POLICIES = ("supersede", "coexist", "merge", "expire", "review")
TEMPORALS = ("state", "event", "preference", "habit", "commitment")
OBJECT_KINDS = ("entity", "literal", "either")
VALUE_TYPES = ("text", "number", "date")


@dataclass(frozen=True, slots=True)
class Predicate:
    """One predicate schema.

    ``subject_kinds`` and ``object_kinds`` list the kinds of entity that are allowed, the first
    being taken where none is told; empty allows any. ``tau_days`` is how long a value of the
    ``expire`` policy holds when no end was said, and how fast the others fade. ``is_denial`` says
    that a sentence with "not" in it can mean just this, as for dislikes and boundaries. ``number``
    is its row in the store, 0 before it has one.
    """

    name: str
    domain: str = "custom"
    label_en: str = ""
    label_zh: str = ""
    aliases: tuple[str, ...] = ()
    fact_type: str = "stable_preference"
    cardinality: str = "multi"
    conflict_policy: str = "coexist"
    temporal: str = "state"
    object_kind: str = "either"
    value_type: str = "text"
    subject_kinds: tuple[str, ...] = ()
    object_kinds: tuple[str, ...] = ()
    opposite: str | None = None
    is_ranked: bool = False
    tau_days: float = 365.0
    importance: float = 0.5
    is_sensitive: bool = False
    allow_inference: bool = True
    allow_assistant_source: bool = False
    allow_agent_subject: bool = False
    is_denial: bool = False
    min_evidence: int = 1
    number: int = 0
