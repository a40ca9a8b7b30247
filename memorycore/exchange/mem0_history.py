"""From Mem0's history to what was true when (MX-6): the only shape that carries old values.

A row is evidence of what it wrote and of what it took away. What it wrote holds from then on; what
it took away had held, and ends there, whatever is known of its beginning. So rows may come in any
order and in any number of files. Only where the first row of a memory is a change, and nothing
tells when the text before it began, the creation of the memory must do.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from memorycore.errors import InvalidInputError
from memorycore.exchange.episode_line import write_meta
from memorycore.exchange.mem0 import HistoryRow, hash_of, read_shape
from memorycore.exchange.mem0_memory import Slip, spoken, statement_of
from memorycore.exchange.mem0_owner import owner_of
from memorycore.model.candidate import Candidate, When
from memorycore.model.draft import Draft, Rejection
from memorycore.model.recollection import Recollection
from memorycore.model.time import Moment

MAX_KNOWN = 300_000
"""Memories whose last change is remembered, to tell which row of one is the first."""
WINDOW_ROWS = 10_000
"""Rows that are brought into the order of time together."""

_ORDER = {"ADD": 0, "UPDATE": 1, "DELETE": 2, "NONE": 3}


class Change(NamedTuple):
    """A row of the history, read."""

    slip: Slip
    row: HistoryRow

    @property
    def event(self) -> str:
        return self.row.event.upper()

    @property
    def at(self) -> Moment | None:
        """When it was made; the creation of the memory is no time of a later change."""
        if self.event == "ADD":
            return self.slip.created or self.slip.updated
        return self.slip.updated


def read_change(record: Any, *, zone: str, place: str) -> Change | Rejection:
    """Read one row.

    Raises:
        InvalidInputError: it is of another shape, or names an event that Mem0 does not know.
    """
    row = read_shape(HistoryRow, record)
    event = row.event.upper()
    if event not in _ORDER:
        raise InvalidInputError("event must be ADD, UPDATE, DELETE or NONE")
    if event == "NONE":
        return Rejection(place, "no_change", "nothing was changed (event NONE)")
    wanted = row.old_memory if event == "DELETE" else row.new_memory
    if not (wanted or "").strip():
        return Rejection(place, "empty_text", f"the memory of the {event} is empty")
    told = (row.model_extra or {}) | {"actor_id": row.actor_id, "role": row.role}
    slip = Slip(place, "MX-6", zone, told, str(row.memory_id))
    slip.read_times(row.created_at, row.updated_at)
    return Change(slip, row)


class History:
    """Goes through rows, and remembers of each memory when it was last changed.

    ``is_known`` tells whether a session is known already: rows of that memory came before.
    """

    def __init__(self, source: str, is_known: Callable[[str], bool] | None = None) -> None:
        self._source = source
        self._is_known = is_known
        self._last: dict[int, int | None] = {}

    def read(self, changes: Iterable[Change]) -> Iterator[Recollection]:
        """Read rows, those of each memory in the order of time."""
        by_memory: dict[str, list[Change]] = {}
        for change in changes:
            by_memory.setdefault(str(change.row.memory_id), []).append(change)
        for rows in by_memory.values():
            ordered = _in_order(rows)
            until: Moment | None = None
            for change, after in zip(ordered, [*ordered[1:], None], strict=True):
                is_told = until is not None
                until = _end_of(change, after)
                yield self._one(change, until, is_told=is_told)

    def _one(self, change: Change, until: Moment | None, *, is_told: bool) -> Recollection:
        """Read a row.

        ``until`` is when what it writes ended, if a later row here tells; ``is_told`` says that the
        row before has told so of what this one takes away.
        """
        key = hash(str(change.row.memory_id))
        is_first = key not in self._last and len(self._last) < MAX_KNOWN
        last = self._last.get(key)
        drafts, candidates = [], []
        slip, at, event = change.slip, change.at, change.event
        if at is None:
            slip.warn("unknown_time", f"nobody tells when the {event} was made")
        if event != "ADD" and not is_told and not _is_same(change.row):
            old, ended = self._ended(change, last, is_first=is_first)
            drafts += [old] if old is not None else []
            candidates += [ended] if ended is not None else []
        if event != "DELETE":
            new = self._draft(change, change.row.new_memory or "", "new")
            drafts.append(new)
            statement = statement_of(slip, owner_of(slip.told, new.text), new)
            if statement is not None and until is not None and at is not None:
                # With both its ends told it says nothing of another memory of the same words.
                since, end = When(at, "inferred"), When(until)
                statement = replace(statement, valid_from=since, valid_to=end)
            # What is new comes first: it is what becomes of the row.
            candidates[:0] = [statement] if statement is not None else []
        if len(self._last) < MAX_KNOWN or key in self._last:
            self._last[key] = at.from_ if at is not None else last
        return Recollection(
            slip.place, slip.shape, tuple(drafts), tuple(candidates), tuple(slip.problems)
        )

    def _ended(
        self, change: Change, last: int | None, *, is_first: bool
    ) -> tuple[Draft | None, Candidate | None]:
        """Say of what a row took away that it ended there."""
        old = change.row.old_memory or ""
        if not old.strip():
            change.slip.warn("no_old_value", "the row does not tell what stood there before")
            return None, None
        draft = self._draft(change, old, "old")
        statement = statement_of(change.slip, owner_of(change.slip.told, old), draft)
        if statement is None:
            return draft, None
        statement = replace(statement, ref=None)
        at, created = change.at, change.slip.created
        if at is not None:
            since = None
            if created is not None and created.from_ < at.from_ and self._begins(change, is_first):
                since = When(created, "inferred")
            return draft, replace(statement, valid_from=since, valid_to=When(at))
        if is_first and last is None and created is not None:
            last = created.from_
        if last is None:
            # Neither end can be named: it is taken back, and known_at still shows it.
            return draft, replace(statement, act="retract")
        # By then it still held. When it ended nobody tells, but ended it has.
        zone = created.zone if created is not None else change.slip.zone
        end = Moment(last + 1, last + 2, "unknown", zone)
        return draft, replace(statement, valid_to=When(end, "unknown"))

    def _begins(self, change: Change, is_first: bool) -> bool:
        """Tell whether a text can have stood there since its memory was made."""
        if not is_first or change.event != "UPDATE":
            return False
        return self._is_known is None or not self._is_known(session_of(change.row))

    def _draft(self, change: Change, text: str, side: str) -> Draft:
        slip, row = change.slip, change.row
        kept = row.model_dump(exclude_none=True, exclude={"old_memory", "new_memory"})
        name = row.id if row.id is not None else hash_of(f"{row.old_memory}\n{row.new_memory}")
        draft = Draft(
            text,
            "document",
            None,
            session_of(row),
            occurred=change.at,
            source=self._source,
            external_id=f"history:{name}:{side}",
            meta=write_meta({"mem0": kept}),
            place=slip.place,
        )
        return spoken(slip, owner_of(slip.told, text), draft)


def _end_of(change: Change, after: Change | None) -> Moment | None:
    """Say when what a row writes ended, if the next row of its memory took just that away."""
    if after is None or change.at is None or after.event == "ADD" or _is_same(after.row):
        return None
    is_that = (change.row.new_memory or "").strip() == (after.row.old_memory or "").strip()
    return after.at if is_that else None


def session_of(row: HistoryRow) -> str:
    """Name the session in which the rows of a memory are: one occasion, however many there are."""
    return f"mem0:{row.memory_id}"


def _is_same(row: HistoryRow) -> bool:
    return (row.old_memory or "").strip() == (row.new_memory or "").strip()


def _in_order(rows: list[Change]) -> list[Change]:
    """Bring the rows of one memory into order; as they stand where a time is not known."""
    if any(change.at is None for change in rows):
        return rows
    return sorted(rows, key=lambda one: (one.at.from_ if one.at else 0, _ORDER[one.event]))
