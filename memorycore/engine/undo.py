"""Take an operation back. What was ingested is withdrawn: out of search and out of every listing,
and free to come in again. Taking that back lets it stand once more."""

from dataclasses import dataclass
from typing import Any

from memorycore.errors import NotUndoableError
from memorycore.model.identity import IdSource
from memorycore.model.operation import Operation
from memorycore.store.connection import Connection
from memorycore.store.episodes import (
    clear_withdrawn,
    list_of_operation,
    list_withdrawn,
    set_withdrawn,
)
from memorycore.store.operations import get_by_number, insert_operation, is_undone, scope_of
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
    if is_undone(db, target.number):
        raise NotUndoableError(
            f"{target.id} was taken back already.", hint="memoryctl log  shows by which operation"
        )
    operation = insert_operation(
        db,
        now=now,
        new_id=new_id,
        actor=actor,
        kind="undo",
        scope_id=scope_of(db, target.number),
        undoes=target.number,
    )
    ingest, times = _root(db, target)
    if times % 2:
        restored = _restore(db, target)
        return UndoResult(target, operation, restored=restored, dry_run=dry_run)
    withdrawn = _withdraw(db, ingest, operation)
    return UndoResult(target, operation, withdrawn=withdrawn, dry_run=dry_run)


def _root(db: Connection, target: Operation) -> tuple[Operation, int]:
    """Follow undos of undos down to what was ingested; give it and how many they are."""
    times = 0
    while target.undoes is not None:
        target = get_by_number(db, target.undoes)
        times += 1
    return target, times


def _withdraw(db: Connection, ingest: Operation, operation: Operation) -> int:
    numbers = list_of_operation(db, ingest)
    change_visible(db, numbers, lambda: set_withdrawn(db, numbers, by=operation.number), gain=-1)
    return len(numbers)


def _restore(db: Connection, target: Operation) -> int:
    """Let what an undo withdrew stand again, but for what has come in anew since."""
    numbers = list_withdrawn(db, target.number)
    change_visible(db, numbers, lambda: clear_withdrawn(db, numbers), gain=1)
    return len(numbers)
