"""Keeping a store: backups, what is known of them, and what upkeep has done."""

from dataclasses import dataclass
from typing import Any

from memorycore.model.time import format_instant


@dataclass(frozen=True, slots=True)
class Contents:
    """What a store's file holds. Only what may be seen is counted.

    ``recorded`` is the number of its last operation, ``last_at`` that operation's instant.
    """

    uid: bytes
    schema: int
    episodes: int
    facts: int
    recorded: int
    last_at: int


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that was made, or with ``dry_run`` would be.

    ``keys`` are the key files that a restore on another machine needs beside it; ``removed`` are
    the older backups that ``keep`` let go. Times are microseconds, UTC where they are instants.
    """

    path: str
    made_at: int
    bytes: int
    took: int
    contents: Contents
    keys: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    dry_run: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Give the backup in the shape of ``memorycore.backup.v1``."""
        return {
            "schema": "memorycore.backup.v1",
            "ok": True,
            "dry_run": self.dry_run,
            "path": self.path,
            "made_at": format_instant(self.made_at),
            "bytes": self.bytes,
            "took_ms": self.took // 1000,
            "store_schema": self.contents.schema,
            "episodes": self.contents.episodes,
            "facts": self.contents.facts,
            "integrity": None if self.dry_run else "ok",
            "keys": list(self.keys),
            "removed": list(self.removed),
        }


@dataclass(frozen=True, slots=True)
class KnownBackup:
    """A copy that a store knows of. Times are microseconds UTC.

    ``is_there`` says whether its file was found; ``forgotten_after`` counts the forgettings since
    that stand: what a restore of it carries out again.
    """

    path: str
    made_at: int
    removed_at: int | None
    is_there: bool
    forgotten_after: int

    def to_dict(self) -> dict[str, Any]:
        """Give what is known of it as one record."""
        return {
            "path": self.path,
            "made_at": format_instant(self.made_at),
            "removed_at": None if self.removed_at is None else format_instant(self.removed_at),
            "there": self.is_there,
            "forgotten_after": self.forgotten_after,
        }


@dataclass(frozen=True, slots=True)
class Restored:
    """A store that was put back, or with ``dry_run`` would be.

    ``made_at`` is the instant of the last operation that the backup holds. ``kept`` is where the
    store that was replaced is now. ``repeated`` are the receipts of the forgettings that came after
    the backup and are carried out again, and ``contents`` is what is left then; ``knows_later``
    says whether a store was there to tell them. ``missing_keys`` are the key files without
    which it can only be read.
    """

    path: str
    backup: str
    made_at: int
    contents: Contents
    before: Contents | None
    kept: str | None
    repeated: tuple[str, ...]
    knows_later: bool
    is_replayed: bool
    is_settled: bool = True
    missing_keys: tuple[str, ...] = ()
    dry_run: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Give the outcome in the shape of ``memorycore.restore.v1``."""
        return {
            "schema": "memorycore.restore.v1",
            "ok": True,
            "dry_run": self.dry_run,
            "path": self.path,
            "backup": self.backup,
            "made_at": format_instant(self.made_at),
            "facts": self.contents.facts,
            "episodes": self.contents.episodes,
            "facts_before": None if self.before is None else self.before.facts,
            "episodes_before": None if self.before is None else self.before.episodes,
            "kept": self.kept,
            "repeated": list(self.repeated),
            "later_forgettings_known": self.knows_later,
            "replayed": self.is_replayed,
            "settled": self.is_settled,
            "missing_keys": list(self.missing_keys),
        }


@dataclass(frozen=True, slots=True)
class Compacted:
    """Sizes in bytes, file and log together, before and after; ``needed`` is the free disk.

    ``is_pending``: another process reads, and the file shrinks once that has ended.
    """

    before: int
    after: int
    needed: int
    free: int
    is_pending: bool = False
    dry_run: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Give the figures in the shape of ``memorycore.compact.v1``."""
        return {
            "schema": "memorycore.compact.v1",
            "ok": True,
            "dry_run": self.dry_run,
            "bytes_before": self.before,
            "bytes_after": self.after,
            "bytes_needed": self.needed,
            "bytes_free": self.free,
            "pending": self.is_pending,
        }


@dataclass(frozen=True, slots=True)
class IndexState:
    """How a word index stands against the texts: ``missing`` and ``stray`` count rows.

    Where ``is_true`` is false and neither is counted, words differ within rows. ``counters`` counts
    the scopes whose number of rows is kept wrong.
    """

    name: str
    rows: int
    missing: int
    stray: int
    is_true: bool
    counters: int

    @property
    def is_right(self) -> bool:
        return self.is_true and not (self.missing or self.stray or self.counters)

    def to_dict(self) -> dict[str, Any]:
        """Give the state as one record."""
        return {
            "index": self.name,
            "ok": self.is_right,
            "rows": self.rows,
            "missing": self.missing,
            "stray": self.stray,
            "words_differ": not self.is_true,
            "counters": self.counters,
        }


@dataclass(frozen=True, slots=True)
class MigrationPlan:
    """What bringing a store's schema up to date takes.

    ``steps`` are number, name and purpose of each migration; sizes are in bytes. ``backup`` is the
    copy that was made before, and stands beside the store.
    """

    found: int
    newest: int
    steps: tuple[tuple[int, str, str], ...]
    size: int
    needed: int
    free: int
    backup: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give the plan in the shape of ``memorycore.migrate.v1``."""
        return {
            "schema": "memorycore.migrate.v1",
            "ok": True,
            "found": self.found,
            "newest": self.newest,
            "steps": [
                {"number": number, "name": name, "purpose": purpose}
                for number, name, purpose in self.steps
            ],
            "bytes": self.size,
            "bytes_needed": self.needed,
            "bytes_free": self.free,
            "backup": self.backup,
        }
