"""Examine a store: look at everything that must hold in it, and say how it stands."""

import shlex
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass

from memorycore.engine.derive import Stale
from memorycore.engine.prove import check_log
from memorycore.errors import MemoryCoreError
from memorycore.model.check import Check
from memorycore.store import digests, rooms, soundness
from memorycore.store.connection import Connection
from memorycore.store.receipts import list_pending
from memorycore.store.review_queue import count_unsettled

Examine = Callable[[str, Connection, "Place", bool], Check]
Fresh = Callable[[], AbstractContextManager[Connection]]
"""Gives a connection of its own, in a snapshot: what another has cached may hide a fault."""
DAY_US = 86_400_000_000
LATE_DAYS = 14
"""So long may a candidate wait before it is mentioned."""
OLD_DAYS = 7
"""So old may the newest backup be."""
DAMAGE = (TypeError, ValueError, LookupError, ArithmeticError, AttributeError, AssertionError)
"""What comes of reading a value of another type or range than any that is written."""
NEWEST = 50_000
"""So many rows of a table are compared with their digests each time; all of them with deep."""
RESTORE = "memoryctl backup list, then memoryctl restore FILE"


@dataclass(frozen=True, slots=True)
class Place:
    """What is known of the store from outside of it.

    ``log_bytes`` is the size of the log; ``keys`` says what is wrong with the key files, if
    anything; ``is_private`` whether only the owner may read the file; ``has_other_sqlite`` whether
    this process has another SQLite loaded.
    """

    path: str
    now: int
    schema: int
    file_bytes: int
    log_bytes: int
    keys: str | None
    is_private: bool
    has_other_sqlite: bool
    sqlite: str


def examine(fresh: Fresh, place: Place, *, deep: bool) -> Iterator[Check]:
    """Go through the checks, one at a time, each on a connection of its own."""
    for name, check in (*_CHECKS.items(), *(_DEEP.items() if deep else ())):

        def look(name: str = name, check: Examine = check) -> list[Check]:
            with fresh() as db:
                return [check(name, db, place, deep)]

        yield from attempt(name, look)


def attempt(name: str, look: Callable[[], list[Check]]) -> list[Check]:
    """Look at something; what breaks off is a check that fails."""
    try:
        return look()
    except MemoryCoreError as error:
        return [Check(name, "fail", error.message, RESTORE)]
    except DAMAGE:
        return [Check(name, "fail", "there is a value that nobody can have written", RESTORE)]


def _store(name: str, db: Connection, place: Place, deep: bool) -> Check:
    found = soundness.find_page_faults(db, quick=not deep)
    size = f"{place.file_bytes / 1e6:,.1f} MB · log {place.log_bytes / 1e6:,.1f} MB"
    if found:
        return Check(name, "fail", f"{found} faults in its pages · {size}", RESTORE)
    return Check(name, "ok", f"schema {place.schema} · integrity ok · {size}")


def _library(name: str, db: Connection, place: Place, deep: bool) -> Check:
    detail = f"SQLite {place.sqlite}"
    if not soundness.has_settings(db):
        return Check(name, "fail", f"{detail}, without the settings that a store needs", None)
    if place.has_other_sqlite:
        detail += ", and another in this process, which may open no store"
        return Check(name, "warn", detail, "keep sqlite3 for other files")
    return Check(name, "ok", f"{detail}, one copy in this process")


def _files(name: str, db: Connection, place: Place, deep: bool) -> Check:
    if place.keys is not None:
        return Check(name, "fail", place.keys, "put the store's own key files back beside it")
    if not place.is_private:
        return Check(
            name, "warn", "others may read the file", f"chmod 600 {shlex.quote(place.path)}"
        )
    return Check(name, "ok", "keys there and right · only the owner reads the file")


def _rows(name: str, db: Connection, place: Place, deep: bool) -> Check:
    tables = [*digests.MAIN, *(digests.FURTHER if deep else ())]
    most = -1 if deep else NEWEST
    changed = {table: digests.count_changed(db, table, most=most) for table in tables}
    told = [f"{count:,} of {table}" for table, count in changed.items() if count]
    if told:
        detail = f"rows that are not as they were written: {', '.join(told)}"
        return Check(name, "fail", detail, RESTORE)
    detail = f"each as it was written, in {len(tables)} tables"
    large = [] if deep else [one for one in tables if digests.count_rows(db, one) > NEWEST]
    if large:
        detail = f"the newest {NEWEST:,} of each table are as they were written; all with --deep"
    return Check(name, "ok", detail)


def _counted(what: str, detail: str, fault: str, fix: str) -> Examine:
    """Make a check of what is counted where it does not hold."""

    def check(name: str, db: Connection, place: Place, deep: bool) -> Check:
        found = soundness.count_faults(db, what)
        if found:
            return Check(name, "fail", f"{found:,} {fault}", fix)
        return Check(name, "ok", detail)

    return check


def _log(name: str, db: Connection, place: Place, deep: bool) -> Check:
    proof = check_log(db)
    if proof.holds:
        entries = f"{proof.receipts.entries:,} entries of receipts"
        return Check(name, "ok", f"{proof.operations:,} operations and {entries}, chains unbroken")
    return Check(name, "fail", "an operation or a receipt was changed", "memoryctl log verify")


def _forget(name: str, db: Connection, place: Place, deep: bool) -> Check:
    left = {what: soundness.count_faults(db, what) for what in ("texts", "contents", "struck")}
    if any(left.values()):
        detail = f"{sum(left.values()):,} records still hold what was forgotten"
        return Check(name, "fail", detail, "memoryctl doctor --fix, or forget them again")
    pending = len(list_pending(db))
    if pending:
        return Check(name, "warn", f"{pending} not finished", "memoryctl forget finish")
    return Check(name, "ok", "nothing pending, nothing left of what was forgotten")


def _queue(name: str, db: Connection, place: Place, deep: bool) -> Check:
    waiting = soundness.find_waiting(db)
    packets, failed = count_unsettled(db)
    if failed:
        detail = f"of {packets:,} packets to review {failed:,} have failed"
        return Check(name, "warn", detail, "memoryctl review-packet queue list")
    if not waiting.count:
        what = f"packets to review: {packets:,}" if packets else "nothing waits"
        return Check(name, "ok", what)
    days = (place.now - (waiting.oldest or place.now)) // DAY_US
    detail = f"{waiting.count:,} candidates wait, the oldest {days} days"
    state = "warn" if days > LATE_DAYS else "ok"
    scope = shlex.quote(waiting.where or "default")
    return Check(name, state, detail, f"memoryctl review --scope {scope}")


def _backup(name: str, db: Connection, place: Place, deep: bool) -> Check:
    newest = soundness.newest_backup(db)
    if newest is None:
        state = "warn" if soundness.has_episodes(db) else "off"
        return Check(name, state, "none is known", "memoryctl backup FOLDER")
    days = (place.now - newest) // DAY_US
    is_old = days > OLD_DAYS
    detail = f"the newest is {days} days old"
    return (
        Check(name, "warn", detail, "memoryctl backup FOLDER")
        if is_old
        else Check(name, "ok", detail)
    )


def _schema(name: str, db: Connection, place: Place, deep: bool) -> Check:
    if soundness.is_of_the_migrations(db):
        return Check(name, "ok", f"schema {place.schema}, as the migrations make it")
    return Check(name, "fail", "tables, indexes or views are not as the migrations make", RESTORE)


def _links(name: str, db: Connection, place: Place, deep: bool) -> Check:
    found = soundness.count_loose_links(db)
    if found:
        return Check(name, "fail", f"{found:,} rows refer to what is not there", RESTORE)
    return Check(name, "ok", "each leads to what is there")


def _room(name: str, db: Connection, place: Place, deep: bool) -> Check:
    found = rooms.count_lone_bits(db)
    if not found:
        return Check(name, "ok", "no lone bit in what pages leave unused")
    detail = f"{found:,} lone bits in unused room of pages: nothing is lost, but the disk may fail"
    return Check(name, "warn", detail, "memoryctl backup FOLDER, memoryctl compact; check the disk")


def describe_stale(stale: Stale) -> list[Check]:
    """Say how what is derived stands: periods and confidence, what is shown, and the indexes."""
    off = len(stale.timelines) + len(stale.facts)
    fix = "memoryctl doctor --fix"
    if stale.has_broken_index:
        return [Check("derived", "fail", "an index does not fit its table, which is whole", fix)]
    shown = len(stale.episodes)
    wrong = [one.name for one in stale.indexes if not one.is_right]
    return [
        Check("derived", "fail", f"{off:,} facts or timelines differ from their evidence", fix)
        if off
        else Check("derived", "ok", "periods and confidence follow from the evidence"),
        Check("struck", "fail", f"{shown:,} texts show what was struck", fix)
        if shown
        else Check("struck", "ok", "what is shown of texts is what was not struck"),
        Check("names", "fail", f"{len(stale.named):,} names are shown or hidden wrongly", fix)
        if stale.named
        else Check("names", "ok", "names are hidden with the sentences that use them"),
        Check("words", "fail", f"the word index of {' and '.join(wrong)} differs", fix)
        if wrong
        else Check("words", "ok", "both indexes hold the words of all texts"),
    ]


_CHECKS: dict[str, Examine] = {
    "store": _store,
    "library": _library,
    "files": _files,
    "rows": _rows,
    "log": _log,
    "evidence": _counted(
        "evidence", "each fact has a sentence that can be read", "facts have none", RESTORE
    ),
    "admission": _counted(
        "admission", "each fact was admitted", "facts were never admitted", RESTORE
    ),
    "agents": _counted(
        "agents",
        "no fact about what an agent is itself",
        "facts are about what an agent is itself",
        "memoryctl forget ID --level soft",
    ),
    "time": _counted(
        "time", "unknown times are unknown", "periods have a date that nobody told", RESTORE
    ),
    "forget": _forget,
    "index": _counted(
        "counts",
        "as many rows as there are texts and facts",
        "word index has another number of rows",
        "memoryctl reindex --fix",
    ),
    "queue": _queue,
    "backup": _backup,
}
_DEEP: dict[str, Examine] = {
    "schema": _schema,
    "links": _links,
    "scopes": _counted(
        "scopes", "each record lies within one", "records reach into another", RESTORE
    ),
    "spans": _counted("spans", "each within its text", "reach beyond their text", RESTORE),
    "room": _room,
}
