"""Take an operation back. What was ingested is withdrawn: out of search and out of every listing,
and free to come in again. Taking that back lets it stand once more."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from memorycore.engine.ingest import fingerprint_draft, repeat_fingerprint
from memorycore.errors import NotUndoableError
from memorycore.model.draft import Draft
from memorycore.model.episode import Episode
from memorycore.model.identity import IdSource
from memorycore.model.operation import Operation
from memorycore.model.time import Moment
from memorycore.store.connection import Connection
from memorycore.store.episodes import (
    clear_withdrawn,
    find_by_fingerprint,
    list_of_operation,
    list_withdrawn,
    set_withdrawn,
)
from memorycore.store.key_file import Key
from memorycore.store.operations import find_undo_of, insert_operation
from memorycore.store.search_index import change_visible


@dataclass(frozen=True, slots=True)
class UndoResult:
    """What taking an operation back has changed."""

    undone: Operation
    operation: Operation
    withdrawn: int = 0
    restored: int = 0
    dry_run: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Give the result in the shape of ``memorycore.undo.v1``."""
        return {
            "schema": "memorycore.undo.v1",
            "ok": True,
            "dry_run": self.dry_run,
            "undone": self.undone.id,
            "operation": None if self.dry_run else self.operation.id,
            "withdrawn": self.withdrawn,
            "restored": self.restored,
        }


def undo(
    db: Connection,
    target: Operation,
    *,
    key: Key,
    now: int,
    new_id: IdSource,
    actor: str,
    dry_run: bool = False,
) -> UndoResult:
    """Take an operation back, inside the transaction that is open.

    Raises:
        NotUndoableError: it was taken back already, or its kind cannot be.
    """
    if target.kind not in ("ingest", "undo"):
        raise NotUndoableError(f"{target.id} ({target.kind}) cannot be taken back.")
    if find_undo_of(db, target.number) is not None:
        raise NotUndoableError(
            f"{target.id} was taken back already.", hint="memoryctl log  shows by which operation"
        )
    operation = insert_operation(
        db, now=now, new_id=new_id, actor=actor, kind="undo", undoes=target.number
    )
    if target.kind == "ingest":
        return UndoResult(
            target, operation, withdrawn=_withdraw(db, target, operation), dry_run=dry_run
        )
    return UndoResult(target, operation, restored=_restore(db, target, key), dry_run=dry_run)


def _withdraw(db: Connection, target: Operation, operation: Operation) -> int:
    numbers = list_of_operation(db, target.number)
    change_visible(db, numbers, lambda: set_withdrawn(db, numbers, by=operation.number), gain=-1)
    return len(numbers)


def _restore(db: Connection, target: Operation, key: Key) -> int:
    """Let what an undo withdrew stand again, but for what has come in anew since."""
    said: Counter[bytes] = Counter()
    free: dict[bytes, int] = {}
    for episode in list_withdrawn(db, target.number):
        base = fingerprint_draft(key, _draft(episode), episode.scope)
        fingerprint = repeat_fingerprint(key, base, said[base])
        said[base] += 1
        free[fingerprint] = episode.number
    for fingerprint in find_by_fingerprint(db, list(free)):
        del free[fingerprint]
    numbers = list(free.values())
    change_visible(db, numbers, lambda: clear_withdrawn(db, free.items()), gain=1)
    return len(numbers)


def _draft(episode: Episode) -> Draft:
    occurred = None
    if episode.occurred_from is not None and episode.occurred_to is not None:
        occurred = Moment(
            episode.occurred_from, episode.occurred_to, episode.precision, episode.zone or "UTC"
        )
    return Draft(
        text=episode.text,
        role=episode.role,
        session=episode.session,
        speaker=episode.speaker,
        occurred=occurred,
        external_id=episode.external_id,
    )
