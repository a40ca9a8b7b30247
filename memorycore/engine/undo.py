"""Take an operation back.

What it added is closed, what it changed is set back, and what follows from the evidence that is
left is computed anew; so a fact that has since been supported from elsewhere stays. An undo is an
operation itself, and taking it back does the same again.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from memorycore.engine.settle import refresh, rule_of, settle, settle_decisions
from memorycore.engine.veil import refresh_names
from memorycore.errors import NotUndoableError
from memorycore.model.identity import IdSource
from memorycore.model.operation import Operation
from memorycore.model.receipt_chain import write_hash
from memorycore.model.timeline import LATEST, OPEN
from memorycore.store.connection import Connection
from memorycore.store.decided_links import facts_of_decided
from memorycore.store.episodes import (
    clear_withdrawn,
    list_of_operation,
    list_withdrawn,
    set_withdrawn,
)
from memorycore.store.erase import facts_in, read_texts, seen_among
from memorycore.store.evidence import (
    list_copies,
    list_ended_of_episodes,
    list_observations,
    list_of_episodes,
    places_of,
)
from memorycore.store.fact_index import FactIndexing
from memorycore.store.facts import (
    list_of_aliases,
    list_of_entity,
    list_of_predicate,
    list_timelines,
)
from memorycore.store.hidden_names import has_hidden_names, hides_anything
from memorycore.store.journal import (
    Change,
    change_field,
    close_rows,
    find_old,
    get_field,
    list_changes,
    list_ended,
    list_rows,
    list_standing,
)
from memorycore.store.links import end_strays, keep_asked
from memorycore.store.operations import (
    find_undo,
    get_by_number,
    insert_operation,
    is_undoable,
    is_undone,
    scope_of,
)
from memorycore.store.orphans import involved
from memorycore.store.predicates import load_predicates, predicates_of_versions
from memorycore.store.reach import own_names
from memorycore.store.search_index import change_visible
from memorycore.store.stray_names import bearers_of
from memorycore.store.struck import episodes_struck, refresh_shown, spans_of


@dataclass(frozen=True, slots=True)
class UndoResult:
    """What taking an operation back has changed.

    ``withdrawn`` and ``restored`` count episodes; ``facts_gone`` and ``facts_back`` facts that no
    longer stand, or stand again. ``touched`` names the records and fields that were set back.
    """

    undone: Operation
    operation: Operation
    withdrawn: int = 0
    restored: int = 0
    facts_gone: int = 0
    facts_back: int = 0
    dry_run: bool = False
    touched: frozenset[str] = frozenset()

    def to_dict(self) -> dict[str, Any]:
        """Give the result in the shape of ``memorycore.undo.v1``."""
        return {
            "schema": "memorycore.undo.v1",
            "ok": True,
            "dry_run": self.dry_run,
            "undone": self.undone.id,
            "operation": None if self.dry_run else self.operation.id,
            "proof": None if self.dry_run else write_hash(self.operation.hash),
            "withdrawn": self.withdrawn,
            "restored": self.restored,
            "facts_gone": self.facts_gone,
            "facts_back": self.facts_back,
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
    if not is_undoable(db, target.kind):
        raise NotUndoableError(f"{target.id} ({target.kind}) cannot be taken back.")
    if is_undone(db, target.number):
        raise NotUndoableError(
            f"{target.id} was taken back already.", hint="memoryctl log  shows by which operation"
        )
    standing = _standing(db, target)
    operation = insert_operation(
        db,
        now=now,
        new_id=new_id,
        actor=actor,
        kind="undo",
        scope_id=scope_of(db, target.number),
        undoes=target.number,
    )
    undoing = _Undoing(db, operation)
    withdrawn = restored = 0
    root, times = _root(db, target)
    if times % 2:
        restored = sum(undoing.restore_episodes(one) for one in standing)
    else:
        withdrawn = undoing.withdraw_episodes(root)
        undoing.end_rows(root)
    for one in standing:
        undoing.set_back(one)
    if times % 2:
        undoing.end_again(root)
    gone, back = undoing.settle()
    changes = [one for done in standing for one in list_changes(db, done.number)]
    touched = frozenset(name for one in changes for name in (one.record, one.field))
    return UndoResult(target, operation, withdrawn, restored, gone, back, dry_run, touched)


def set_back(db: Connection, target: Operation, operation: Operation) -> None:
    """Set back what an operation has hidden and ended, as a part of another.

    It does not count as undone: undoing the other hides it again.
    """
    undoing = _Undoing(db, operation)
    undoing.end_rows(target)
    undoing.set_back(target)
    undoing.settle()


def _root(db: Connection, target: Operation) -> tuple[Operation, int]:
    """Follow undos of undos down to what was done first; give it and how many they are."""
    times = 0
    while target.undoes is not None:
        target = get_by_number(db, target.undoes)
        times += 1
    return target, times


def _standing(db: Connection, target: Operation) -> list[Operation]:
    """List the operations through which one stands, newest first: itself, and what redid it."""
    found = [target]
    while (undo_of := find_undo(db, found[0].number)) is not None:
        again = find_undo(db, undo_of.number)
        assert again is not None, "what stands was redone"
        found.insert(0, again)
    return found


@dataclass(slots=True)
class _Undoing:
    """One undo: what it touches is named before it changes, and settled at the end."""

    db: Connection
    operation: Operation
    indexing: FactIndexing = field(init=False)
    before: dict[int, int] = field(default_factory=dict)
    timelines: dict[tuple[int, int, int | None], None] = field(default_factory=dict)
    struck: dict[int, None] = field(default_factory=dict)
    episodes: set[int] = field(default_factory=set)
    named: set[int] = field(default_factory=set)
    """The entities whose names have changed, or who they are one with."""

    def __post_init__(self) -> None:
        self.indexing = FactIndexing(self.db)

    def withdraw_episodes(self, ingest: Operation) -> int:
        """Withdraw what was ingested; what rests on it loses that evidence."""
        numbers = list_of_operation(self.db, ingest)
        self.episodes.update(numbers)
        if numbers:
            self._close("evidence", list_of_episodes(self.db, numbers))
            self._close("evidence", list_ended_of_episodes(self.db, numbers))
            number = self.operation.number
            change_visible(self.db, numbers, lambda: set_withdrawn(self.db, numbers, by=number))
        return len(numbers)

    def restore_episodes(self, target: Operation) -> int:
        """Let what an undo withdrew stand again, but for what has come in anew since."""
        numbers = list_withdrawn(self.db, target.number)
        self.episodes.update(numbers)
        if numbers:
            change_visible(self.db, numbers, lambda: clear_withdrawn(self.db, numbers))
        # What is hidden stands again too, and stays hidden.
        return len(seen_among(self.db, numbers))

    def end_rows(self, root: Operation) -> None:
        """End what an operation added; of what has ended since, this undo is now the reason.

        Else it would stand again once that other reason is gone.
        """
        for record, first, last in list_rows(self.db, root.number):
            for rows in (
                list_standing(self.db, record, first, last),
                list_ended(self.db, record, first, last),
            ):
                if record == "link":
                    rows = keep_asked(self.db, rows)
                    self._close("evidence", list_copies(self.db, rows))
                self._close(record, rows)

    def set_back(self, target: Operation) -> None:
        """Set back what an operation changed.

        This comes after what it added: what it replaced can stand again only when its replacement
        does not.
        """
        changes = list_changes(self.db, target.number)
        self._show_again([one for one in changes if one.record == "episode"])
        for change in changes:
            if change.record == "episode":
                continue
            # What a later operation has changed again stays as that one left it.
            if get_field(self.db, change.record, change.row_id, change.field) == change.new:
                self._change(change, self._old(change))

    def _show_again(self, changes: list[Change]) -> None:
        """Set back whether episodes may be seen, with their rows in the index."""
        moved = [
            one
            for one in changes
            if get_field(self.db, "episode", one.row_id, one.field) == one.new
        ]
        numbers = [one.row_id for one in moved]
        if not numbers:
            return
        self.episodes.update(numbers)
        self._touch("fact", facts_in(self.db, numbers))
        number = self.operation.number

        def change() -> None:
            for one in moved:
                change_field(self.db, number, "episode", one.row_id, one.field, one.old)

        change_visible(self.db, numbers, change)

    def end_again(self, root: Operation) -> None:
        """End again what an operation had ended, where its undo left that to another."""
        for change in list_changes(self.db, root.number):
            if change.field == "recorded_to" and change.old == OPEN:
                by = get_field(self.db, change.record, change.row_id, change.field)
                if by != root.number:
                    self._change(change, self.operation.number)

    def _old(self, change: Change) -> Any:
        """Tell what a field was before a change; an end whose reason is gone is none."""
        old = change.old
        while change.field == "recorded_to" and old not in (None, OPEN) and is_undone(self.db, old):
            old = find_old(self.db, old, change)
        return OPEN if old is None and change.field == "recorded_to" else old

    def _change(self, change: Change, new: Any) -> None:
        self._touch(change.record, [change.row_id])
        number = self.operation.number
        change_field(self.db, number, change.record, change.row_id, change.field, new)
        self._touch(change.record, [change.row_id])

    def _close(self, record: str, rows: list[int]) -> None:
        self._touch(record, rows)
        close_rows(self.db, self.operation.number, record, rows)

    def _touch(self, record: str, rows: list[int]) -> None:
        """Name the facts that a change of records touches."""
        if record == "struck":
            self.struck.update(dict.fromkeys(episodes_struck(self.db, rows)))
            return
        if record == "fact":
            facts = rows
        elif record == "evidence":
            facts = [fact_id for _, fact_id, _ in places_of(self.db, rows)]
        elif record == "alias":
            facts = list_of_aliases(self.db, rows)
            self._rename(bearers_of(self.db, rows, []))
        elif record == "decided_link":
            facts = facts_of_decided(self.db, rows)
        elif record == "predicate_version":
            predicates = predicates_of_versions(self.db, rows)
            facts = [fact for one in predicates for fact in list_of_predicate(self.db, one)]
        else:
            self._rename(rows if record == "entity" else [])
            return
        self.timelines.update(dict.fromkeys(list_timelines(self.db, facts)))
        fresh = [fact for fact in dict.fromkeys(facts) if fact not in self.before]
        self.indexing.touch(fresh)
        for fact in fresh:
            self.before[fact] = int(get_field(self.db, "fact", fact, "support"))

    def _rename(self, entities: list[int]) -> None:
        """Name entities whose names change; one may be shown in the place of a hidden one."""
        self.named.update(entities)
        if entities and has_hidden_names(self.db):
            for entity in entities:
                self.indexing.touch(list_of_entity(self.db, entity))

    def settle(self) -> tuple[int, int]:
        """Compute what follows from the evidence that is left; count facts gone and back."""
        self._show_struck()
        predicates = {one.number: one for one in load_predicates(self.db).values()}
        facts = sorted(self.before)
        for timeline_id, predicate_id, rank in self.timelines:
            predicate = predicates.get(predicate_id)
            if predicate is None and list_observations(self.db, timeline_id):
                raise NotUndoableError(
                    "Facts would be left whose predicate is no longer there.",
                    hint="undo what admitted those facts first",
                )
            rule = LATEST if predicate is None else rule_of(predicate, rank)
            settle(self.db, timeline_id, rule, recorded=self.operation.number)
        end_strays(self.db, facts, recorded=self.operation.number)
        for fact in facts:
            refresh(self.db, fact)
        settle_decisions(self.db, facts, recorded=self.operation.number)
        self._refresh_names()
        self.indexing.finish()
        return self._count(facts)

    def _refresh_names(self) -> None:
        """Hide the names that nothing shown uses now, and show those that something does."""
        if not hides_anything(self.db):
            return
        touched = self.indexing.touched()
        episodes = {*self.episodes, *(episode for episode, _, _ in spans_of(self.db, touched))}
        speakers = involved(self.db, sorted(episodes), [])
        texts = [text for _, text, _ in read_texts(self.db, sorted(episodes))]
        heard = {*speakers, *involved(self.db, [], touched)} - self.named
        refresh_names(self.db, self.indexing, heard, texts + own_names(self.db, speakers))
        refresh_names(self.db, self.indexing, self.named)

    def _show_struck(self) -> None:
        """Bring what is shown of texts to what is struck in them now."""
        episodes = list(self.struck)
        if episodes:
            self.indexing.touch(facts_in(self.db, episodes))
            seen = seen_among(self.db, episodes)
            change_visible(self.db, seen, lambda: refresh_shown(self.db, episodes))

    def _count(self, facts: Iterable[int]) -> tuple[int, int]:
        gone = back = 0
        for fact in facts:
            support = int(get_field(self.db, "fact", fact, "support"))
            gone += bool(self.before[fact] and not support)
            back += bool(support and not self.before[fact])
        return gone, back
