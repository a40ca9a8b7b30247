"""Forgetting: how much, of what, what a plan covers, and the receipt that remains."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from memorycore.errors import InvalidInputError
from memorycore.model.identity import format_id
from memorycore.model.receipt_chain import write_hash
from memorycore.model.time import format_instant

LEVELS = ("soft", "hard", "redact", "purge")
"""Hide; clear what facts say; take texts away; take everything away."""
FITS = {
    "fact": ("soft", "hard", "purge"),
    "episode": ("soft", "redact", "purge"),
    "entity": ("soft", "hard", "purge"),
    "subject": LEVELS,
    "session": ("soft", "redact", "purge"),
    "operation": LEVELS,
    "query": LEVELS,
    "period": ("soft", "redact", "purge"),
}
"""What can be forgotten, and how far each reaches."""
OPERATIONS = {"soft": "hide", "hard": "forget", "redact": "redact", "purge": "purge"}
"""The kind of the operation that carries out a level."""
MASK = "█"
"""Stands for each character that is struck."""
MISFITS = {
    ("fact", "redact"): "a fact has no text of its own: hard clears it, redact takes its episode",
    ("episode", "hard"): "hard clears facts: redact or purge takes an episode's text away",
    ("entity", "redact"): "an entity has no text of its own: hard or purge",
    ("session", "hard"): "hard clears facts: redact or purge takes the texts of a session away",
    ("period", "hard"): "hard clears facts: redact or purge takes the texts of a period away",
}
_CODE = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_TICKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/#-]{0,63}")

DEFAULT_REASON = "user-requested"


def require_fit(kind: str, level: str) -> None:
    """Check that a level fits what is to be forgotten.

    Raises:
        InvalidInputError: there is no such level, or it does not fit.
    """
    if level not in LEVELS:
        raise InvalidInputError(f"{level!r} is no level.", hint=", ".join(LEVELS))
    if level not in FITS[kind]:
        raise InvalidInputError(
            f"--level {level} does not fit: {MISFITS[kind, level]}.",
            hint="--level " + "|".join(FITS[kind]),
        )


def require_codes(reason: str, ticket: str | None, *, option: str = "--reason") -> None:
    """Check that reason and ticket are codes: a receipt holds no free text.

    ``option`` is where the reason was given.

    Raises:
        InvalidInputError: one of them is a sentence.
    """
    if not _CODE.fullmatch(reason):
        raise InvalidInputError(
            "A reason is a code: small letters, digits, dots and dashes, at most 64.",
            hint=f"{option} gdpr-17",
        )
    if ticket is not None and not _TICKET.fullmatch(ticket):
        raise InvalidInputError(
            "A ticket is a number or code without spaces, at most 64 characters.",
            hint="--ticket DSR-118",
        )


def mask(text: str, spans: "list[tuple[int, int]]") -> str:
    """Strike half-open spans of code points out of a text; white space stays, so lines do."""
    shown = list(text)
    for start, end in spans:
        for at in range(start, min(end, len(shown))):
            if not shown[at].isspace():
                shown[at] = MASK
    return "".join(shown)


@dataclass(frozen=True, slots=True)
class Options:
    """How a forgetting is carried out.

    ``derived`` says what a redaction does with the facts that rest only on the texts: ``keep`` or
    ``forget``. Without ``suppress`` the same may come in again.
    """

    reason: str = DEFAULT_REASON
    ticket: str | None = None
    derived: str = "keep"
    suppress: bool = True

    def __post_init__(self) -> None:
        require_codes(self.reason, self.ticket)
        if self.derived not in ("keep", "forget"):
            raise InvalidInputError(f"{self.derived!r} is no choice.", hint="keep or forget")


@dataclass(frozen=True, slots=True)
class Reach:
    """What a forgetting covers, by number, each list sorted.

    ``facts`` are forgotten, ``thinned`` lose some of their evidence and stay, ``parts`` were joined
    in a fact that goes and stand on their own again. ``mentions`` are facts and ``quoted`` episodes
    of others that name who is forgotten; they stay, and a person looks at them.
    """

    episodes: tuple[int, ...] = ()
    facts: tuple[int, ...] = ()
    candidates: tuple[int, ...] = ()
    entities: tuple[int, ...] = ()
    sessions: tuple[int, ...] = ()
    thinned: tuple[int, ...] = ()
    parts: tuple[int, ...] = ()
    mentions: tuple[int, ...] = ()
    quoted: tuple[int, ...] = ()
    lines: tuple[int, ...] = ()
    """Lines that were no candidates and quote what goes."""
    jobs: tuple[int, ...] = ()
    items: tuple[int, ...] = ()
    """Import jobs whose document goes, and items of jobs that became or quote what goes."""
    aliases: tuple[int, ...] = ()
    """Other names of entities that stay, which nothing uses any more."""
    renamed: tuple[int, ...] = ()
    """Entities that stay under another name, since nothing uses their own any more."""
    reviews: tuple[int, ...] = ()
    packets: tuple[int, ...] = ()
    """Review records that go, and the packets in the queue that quote what goes."""
    siblings: tuple[int, ...] = ()
    """Those of the facts that go only with the imported document of another: they may come back."""
    joined: tuple[int, ...] = ()
    """Those of the facts that were joined with a named one, and go since each has its words."""

    def records(self) -> "tuple[tuple[str, tuple[int, ...]], ...]":
        """Give the records that are covered themselves, by kind."""
        return (("episode", self.episodes), ("fact", self.facts), ("entity", self.entities))

    @property
    def is_empty(self) -> bool:
        covered = (self.episodes, self.facts, self.candidates, self.entities, self.lines)
        return not any((*covered, self.reviews, self.packets, self.jobs, self.items))


@dataclass(frozen=True, slots=True)
class Unreached:
    """A copy that may hold what was forgotten; ``until`` is when it went, if that is known."""

    kind: str
    made: int
    until: int | None = None

    def to_dict(self) -> dict[str, Any]:
        until = None if self.until is None else format_instant(self.until)
        return {"kind": self.kind, "made": format_instant(self.made), "until": until}


@dataclass(frozen=True, slots=True)
class ForgetPlan:
    """What would be forgotten, and what it takes to carry it out.

    ``counts`` are by kind of record; ``confirm`` is what a purge asks to be typed. ``rewritten``
    are facts that keep other evidence.
    """

    id: str
    level: str
    kind: str
    scope: str
    confirm: str
    counts: Mapping[str, int]
    rewritten: int
    mentions: tuple[str, ...]
    options: Options
    made_at: int
    names: tuple[str, ...] = ()
    """All that may be typed to confirm it."""
    holds: bool = True
    """Whether it still covers what it did when it was made; else it cannot be carried out."""
    not_reached: tuple[Unreached, ...] = ()
    """The known copies that would still hold it."""
    baseless: int = 0
    """How many facts would stand on nothing: nobody is shown them, and the file keeps their words
    and the names of whom and what they speak of."""
    siblings: int = 0
    """How many of the facts were not meant, and go since they stand in the same document."""
    joined: int = 0
    """How many of the facts go since they were joined with one that was meant."""

    @property
    def is_empty(self) -> bool:
        return not any(self.counts.values())

    def to_dict(self) -> dict[str, Any]:
        """Give the plan in the shape of ``memorycore.forget_plan.v1``."""
        return {
            "schema": "memorycore.forget_plan.v1",
            "ok": True,
            "dry_run": True,
            "holds": self.holds,
            "id": self.id,
            "level": self.level,
            "target": self.kind,
            "scope": self.scope,
            "confirm": self.confirm,
            "delete": dict(self.counts),
            "rewrite": self.rewritten,
            "along": {"facts": self.siblings, "joined": self.joined},
            "keep": {"baseless_facts": self.baseless},
            "decide": list(self.mentions),
            "not_reached": [one.to_dict() for one in self.not_reached],
            "derived": self.options.derived,
            "suppress": self.options.suppress,
            "reason": self.options.reason,
            "ticket": self.options.ticket,
            "made_at": format_instant(self.made_at),
        }


@dataclass(frozen=True, slots=True)
class Verification:
    """What was looked for after a forgetting, and what of it was found.

    ``kind`` is ``bytes`` (texts and rare words searched in the file and its log), ``rebuilt`` (the
    words are no longer known, and the whole file was written anew) or ``memory`` (there is no
    file). ``terms`` are words looked up in the indexes.
    """

    kind: str
    texts: int = 0
    words: int = 0
    terms: int = 0
    found: int = 0
    bytes_searched: int = 0

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "texts": self.texts,
            "words": self.words,
            "terms": self.terms,
            "found": self.found,
            "bytes": self.bytes_searched,
        }


@dataclass(frozen=True, slots=True)
class Receipt:
    """The content-free proof of a forgetting.

    ``phases`` gives the instant at which each phase has ended, or ``None``: ``logical`` (nobody can
    read it any more), ``index`` (its words are out of the indexes), ``file`` (its bytes are gone),
    ``verified`` (they were looked for).
    """

    uid: bytes
    level: str
    kind: str
    scope: str
    reason: str
    ticket: str | None
    actor: str
    plan: str | None
    operation: str
    at: int
    counts: Mapping[str, int]
    phases: Mapping[str, int | None]
    verification: Verification | None = None
    previous: bytes = b""
    hash: bytes = b""
    undoable: bool = field(default=False)
    repeats: str | None = None
    """The receipt of what was carried out again here, after a backup was put back."""
    not_reached: tuple[Unreached, ...] = ()
    """The known copies that were made before it."""

    @property
    def id(self) -> str:
        """The receipt's public id."""
        return format_id("rcpt", self.uid)

    @property
    def is_settled(self) -> bool:
        """Whether all phases that this level needs have ended, and nothing was found."""
        return self.level == "soft" or (
            self.verification is not None and not self.verification.found
        )

    def to_dict(self) -> dict[str, Any]:
        """Give the receipt in the shape of ``memorycore.receipt.v1``."""
        return {
            "schema": "memorycore.receipt.v1",
            "ok": True,
            "id": self.id,
            "level": self.level,
            "target": self.kind,
            "scope": self.scope,
            "reason": self.reason,
            "ticket": self.ticket,
            "actor": self.actor,
            "plan": self.plan,
            "operation": self.operation,
            "at": format_instant(self.at),
            "counts": dict(self.counts),
            "phases": {
                name: None if at is None else format_instant(at) for name, at in self.phases.items()
            },
            "verification": None if self.verification is None else self.verification.to_dict(),
            "repeats": self.repeats,
            "not_reached": [one.to_dict() for one in self.not_reached],
            "previous": write_hash(self.previous),
            "hash": write_hash(self.hash),
        }
