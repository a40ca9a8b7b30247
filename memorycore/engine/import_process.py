"""Process an import: keep what was read, compare it with what is known, take the decisions.

What is compared is read from one state of the store; deciders work between two transactions, so
that no lock is held while a model thinks. Whether a decision still fits is looked at again when it
is written.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from memorycore.engine.import_notes import add_notes
from memorycore.engine.retrieve_facts import FactRequest, search_facts
from memorycore.errors import InvalidInputError
from memorycore.model import import_job as states
from memorycore.model.identity import format_id, parse_id_of
from memorycore.model.import_item import (
    Choice,
    Dropped,
    Item,
    Match,
    Noted,
    duplicate,
    normal,
    read_choice,
    targets_chosen,
)
from memorycore.model.import_job import ImportJob
from memorycore.model.timeline import TRUST
from memorycore.port.import_format import ImportFormat
from memorycore.store import import_items, import_jobs
from memorycore.store.connection import Connection
from memorycore.store.entities import scope_names
from memorycore.store.evidence import list_classes
from memorycore.store.fact_names import list_by_uid
from memorycore.store.fact_reads import AsOf
from memorycore.store.import_items import ItemRow, StoredItem
from memorycore.store.import_jobs import StoredJob
from memorycore.store.key_file import Key
from memorycore.store.operations import get_by_number, is_undone
from memorycore.store.predicates import load_predicates

PAGE = 500
"""Items to a transaction."""
COMPARED = 25
"""Items that are compared and decided between two transactions, where nobody else is asked."""
QUERY_LENGTH = 2_000
LISTED = 1000


@dataclass(frozen=True, slots=True)
class Compare:
    """How items are compared: in which scope, with how many, as of when."""

    scope: str
    scope_id: int
    top_k: int
    now: int
    zone: str


@dataclass(slots=True)
class Prepared:
    """An item that is decided next, with what it was compared with.

    ``choice`` is there where nobody has to be asked; ``is_kept`` says that it was decided before,
    among the same facts.
    """

    item: StoredItem
    matches: tuple[Match, ...]
    choice: Choice | None = None
    is_kept: bool = False


def print_of(key: Key, scope: str, parts: Sequence[str]) -> bytes:
    """Give the keyed mark by which an item is recognised when it comes again."""
    return key.fingerprint(b"import", (scope, *map(normal, parts)))


def rows_of(
    items: Iterable[Item], job_id: int, first: int, *, key: Key, scope: str
) -> list[ItemRow]:
    """Give the rows of items that were read; of what is refused nothing is kept."""
    rows = []
    for number, item in enumerate(items, first):
        if item.refused is not None:
            rows.append(ItemRow(job_id, number, None, None, None, f"refused {item.refused}"))
            continue
        mark = None if item.key is None else print_of(key, scope, item.key)
        rows.append(ItemRow(job_id, number, item.label, item.content, mark, None))
    return rows


def prepare(
    db: Connection, job: StoredJob, compare: Compare, format_: ImportFormat, *, limit: int
) -> list[Prepared]:
    """Compare the items that are decided next, up to ``limit``, with what is known."""
    index = states.next_index(job.at)
    if index is None:
        return []
    items = import_items.list_items(db, job.job_id, first=index, limit=limit)
    prints = [one.fingerprint for one in items if one.fingerprint is not None]
    known = import_items.known_facts(db, prints)
    seen = import_items.earlier_in_job(db, job.job_id, index, prints)
    prepared = []
    for item in items:
        prepared.append(_prepared(db, item, compare, format_, known, seen))
        if item.fingerprint is not None:
            seen.add(item.fingerprint)
    return prepared


def _prepared(
    db: Connection,
    item: StoredItem,
    compare: Compare,
    format_: ImportFormat,
    known: dict[bytes, bytes],
    seen: set[bytes],
) -> Prepared:
    if item.content is None or not item.is_seen:
        refused = (item.outcome or "").removeprefix("refused ")
        return Prepared(item, (), Choice("IGNORE", reason=refused or None, confidence=1.0))
    if item.fingerprint is not None and item.fingerprint in known:
        return Prepared(item, (), duplicate(of=format_id("fct", known[item.fingerprint])))
    if item.fingerprint is not None and item.fingerprint in seen:
        return Prepared(item, (), duplicate())
    words = format_.search_of(item.content)
    if not words:
        return Prepared(item, (), Choice("ADD", confidence=1.0))
    matches = tuple(find_matches(db, words, compare))
    if item.choice is not None and (item.offered or ()) == tuple(one.id for one in matches):
        return Prepared(item, matches, item.choice, is_kept=True)
    return Prepared(item, matches)


def find_matches(db: Connection, words: str, compare: Compare) -> list[Match]:
    """Find the known facts nearest to some words: those that hold, and those that did."""
    request = FactRequest(
        words[:QUERY_LENGTH],
        (compare.scope_id,),
        AsOf(None),
        consolidated=True,
        zone=compare.zone,
        floor=0.0,
    )
    hits, _, _ = search_facts(db, request, limit=compare.top_k)
    predicates = load_predicates(db)
    matches = []
    for hit in hits:
        fact = hit.fact
        predicate = predicates.get(fact.predicate)
        matches.append(
            Match(
                fact.id,
                fact.text,
                fact.object_text,
                fact.predicate,
                hit.score,
                is_single=predicate is not None and predicate.cardinality == "single",
                trust=_trust(db, fact.id, compare.scope),
            )
        )
    return matches


def _trust(db: Connection, fact: str, scope: str) -> int:
    found = list_by_uid(db, *parse_id_of("fct", fact), [scope])
    classes = list_classes(db, found[0][0]) if found else []
    return max((TRUST[name] for name in classes), default=0)


def complete(
    db: Connection,
    job_id: int,
    index: int,
    decided: Sequence[tuple[Prepared, Choice]],
    *,
    now: int,
) -> StoredJob:
    """Keep decisions on the items from ``index`` on, in the transaction that is open.

    What another process has decided meanwhile stays as it is.
    """
    job = import_jobs.get_job(db, job_id)
    waiting = sum(choice.waits for _, choice in decided)
    at = states.complete(job.at, index, waiting=waiting, count=len(decided))
    if at is job.at:
        return job
    import_items.set_choices(
        db,
        [
            (one.item.item_id, [match.id for match in one.matches], choice)
            for one, choice in decided
            if not one.is_kept
        ],
    )
    import_jobs.set_at(db, job_id, at, now=now)
    return replace_at(job, at)


def choose(db: Connection, job: StoredJob, choices: Mapping[int, str | None]) -> None:
    """Keep what a person chose for items by number: what waits becomes that.

    Raises:
        InvalidInputError: there is no such item or action, a fact was not offered, or the job
            takes no choices.
    """
    states.require_committable(job.at)
    for number, given in choices.items():
        if not 1 <= number <= job.at.total:
            raise InvalidInputError(
                f"There is no item {number}.",
                hint=f"1 to {job.at.total:,}; memoryctl import show JOB  lists them",
            )
        [item] = import_items.list_items(db, job.job_id, first=number - 1, limit=1)
        choice = item.choice
        if given is None or choice is None or not choice.waits:
            if given is not None:
                read_choice(given)
            targets = () if choice is None else choice.targets
            import_items.set_chosen(db, item.item_id, None, targets)
            continue
        action, named = read_choice(given)
        met = targets_chosen(choice, item.offered or (), action, named, number=number)
        import_items.set_chosen(db, item.item_id, action, met)


def begin_job(
    db: Connection,
    scope_id: int,
    at: states.JobState,
    items: Sequence[Item],
    dropped: Sequence[Dropped],
    *,
    format_: str,
    source: str,
    settings: dict[str, Any],
    text: str | None,
    key: Key,
    scope: str,
    uid: bytes,
    now: int,
) -> int:
    """Add a job with the items that were read; give its number."""
    job_id = import_jobs.insert_job(
        db,
        uid,
        scope_id,
        format=format_,
        source=source,
        settings=settings | {"dropped": [asdict(one) for one in dropped[:LISTED]]},
        at=at,
        text=text,
        dropped=len(dropped),
        position=import_jobs.position_of(db, scope_id),
        now=now,
    )
    import_items.insert_items(db, rows_of(items, job_id, 0, key=key, scope=scope))
    return job_id


def add_page(
    db: Connection,
    job_id: int,
    page: Sequence[Item | Dropped | Noted],
    *,
    key: Key,
    scope: str,
    now: int,
) -> StoredJob:
    """Add a page of what was read to a job."""
    job = import_jobs.get_job(db, job_id)
    items = [one for one in page if isinstance(one, Item)]
    dropped = [one for one in page if isinstance(one, Dropped)]
    import_items.insert_items(db, rows_of(items, job_id, job.at.total, key=key, scope=scope))
    import_jobs.set_at(db, job_id, replace(job.at, total=job.at.total + len(items)), now=now)
    if dropped:
        listed = job.settings.get("dropped", [])
        listed += [asdict(one) for one in dropped[: LISTED - len(listed)]]
        settings = json.dumps(job.settings | {"dropped": listed})
        import_jobs.set_column(db, job_id, "settings", settings)
        import_jobs.set_column(db, job_id, "dropped", job.dropped + len(dropped))
    add_notes(db, job_id, [one for one in page if isinstance(one, Noted)])
    return import_jobs.get_job(db, job_id)


def finish_reading(db: Connection, job_id: int, *, now: int) -> None:
    """Say of a job that its stream was read to the end."""
    job = import_jobs.get_job(db, job_id)
    state = "processing" if job.at.total else "ready"
    import_jobs.set_at(db, job_id, replace(job.at, state=state), now=now)


def complete_recovery(
    db: Connection,
    job_id: int,
    found: Sequence[Item | Dropped | Noted],
    *,
    text: str,
    key: Key,
    scope: str,
    now: int,
) -> None:
    """Take what a model has made of a document that could not be read; ``text`` is kept of that."""
    job = import_jobs.get_job(db, job_id)
    total = sum(isinstance(one, Item) for one in found)
    at = states.complete_fallback(job.at, total)
    if at is job.at:
        return
    if total:
        add_page(db, job_id, found, key=key, scope=scope, now=now)
        import_jobs.set_column(db, job_id, "text", text)
    import_jobs.set_at(db, job_id, at, now=now)


def again(db: Connection, job: StoredJob, *, now: int) -> None:
    """Let a job go on that failed or was interrupted, or be decided anew where it is stale.

    Raises:
        InvalidInputError: it is neither, or its stream was not read to the end.
    """
    if job.applied and job.at.state != "committed":
        raise InvalidInputError(
            f"It is carried out in part: {job.applied:,} of {job.at.total:,}.",
            hint="memoryctl import apply JOB  goes on, memoryctl import undo JOB  takes it back",
        )
    at, position = job.at, import_jobs.position_of(db, job.scope_id)
    is_unread = at.state == "extracting" or (at.state == "failed" and not at.total)
    if is_unread and not job.has_text:
        raise InvalidInputError(
            "It was not read to its end, and what it came from was not kept.",
            hint="import the file again",
        )
    if at.state == "failed":
        at = states.retry(at)
    elif at.state in ("ready", "awaiting_confirmation"):
        if position == job.position:
            raise InvalidInputError(f"The job is {at.state}, and its decisions still hold.")
        at = states.renew(at)
    elif at.state not in ("processing", "extracting"):
        at = states.retry(at)
    if at.state == "processing" and position != job.position:
        at = replace(at, processed=0, waiting=0)
    import_jobs.set_column(db, job.job_id, "position", position)
    import_jobs.set_at(db, job.job_id, at, now=now)


def replace_at(job: StoredJob, at: states.JobState) -> StoredJob:
    """Give a job as it is in another state."""
    return replace(job, at=at)


def view_job(db: Connection, job: StoredJob) -> ImportJob:
    """Read a job as it is shown; one whose operation was taken back is undone."""
    at, operation = job.at, None
    if job.operation_id is not None:
        operation = get_by_number(db, job.operation_id).id
        if is_undone(db, job.operation_id):
            at = replace(at, state="undone")
    is_waiting = at.state in ("processing", "awaiting_confirmation", "failed")
    is_open = at.state in ("ready", "awaiting_confirmation") and job.operation_id is None
    return ImportJob(
        job.uid,
        scope_names(db)[job.scope_id],
        job.format,
        job.source,
        at,
        job.settings,
        job.dropped,
        job.made_at,
        job.changed_at,
        job.applied,
        operation,
        is_open and import_jobs.position_of(db, job.scope_id) != job.position,
        import_items.count_unconfirmed(db, job.job_id) if is_waiting else 0,
        dict(import_items.count_actions(db, job.job_id)),
        tuple(import_items.list_refused(db, job.job_id, limit=LISTED)),
    )
