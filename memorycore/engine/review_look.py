"""Look at what reviews keep: records with what speaks for them."""

from collections.abc import Sequence

from memorycore.model.identity import format_id
from memorycore.model.review_queue import QueueItem
from memorycore.model.review_result import ReviewRecord
from memorycore.model.review_said import Said
from memorycore.store.connection import Connection
from memorycore.store.entities import scope_names
from memorycore.store.fact_names import load_names
from memorycore.store.review_queue import list_items
from memorycore.store.review_records import (
    StoredRecord,
    find_by_uid,
    list_observations,
    list_records,
)

PAGE = 500


def read_records(
    db: Connection, scope_ids: Sequence[int], *, state: str | None
) -> list[ReviewRecord]:
    """Read the records of some scopes, oldest first; without a state all but the superseded."""
    found: list[StoredRecord] = []
    after = 0
    while True:
        page = list_records(db, scope_ids, state=state, after=after, limit=PAGE)
        found += [one for one in page if state is not None or one.state != "superseded"]
        if len(page) < PAGE:
            break
        after = page[-1].number
    return _read_all(db, found)


def find_record(
    db: Connection, uids: tuple[bytes, bytes], scope_ids: Sequence[int]
) -> list[ReviewRecord]:
    """Find the records (at most four) whose id lies in a range."""
    return _read_all(db, find_by_uid(db, *uids, scope_ids))


def find_item(
    db: Connection, uids: tuple[bytes, bytes], scope_ids: Sequence[int]
) -> list[QueueItem]:
    """Find what is in the queue (at most four) by a range of ids, without the packets."""
    return list_items(db, scope_ids, limit=4, uids=uids)


def _read_all(db: Connection, found: Sequence[StoredRecord]) -> list[ReviewRecord]:
    seen = list_observations(db, [one.number for one in found])
    facts = [one.fact_id for one in found if one.fact_id is not None]
    names, scopes = load_names(db, facts), scope_names(db)
    return [_read(one, len(seen[one.number]), names, scopes) for one in found]


def _read(
    one: StoredRecord,
    successes: int,
    names: dict[int, tuple[bytes, str]],
    scopes: dict[int, str],
) -> ReviewRecord:
    said = Said.of_shape(one.shape)
    fact = names.get(one.fact_id or 0)
    if one.state == "superseded":
        # It may have been hidden: its words are told to nobody.
        said = Said(said.scope, "", "", said.kept_class)
    return ReviewRecord(
        one.uid,
        scopes[one.scope_id],
        one.authority,
        one.state,
        said.text,
        said.category,
        said.kept_class,
        said.memory_type,
        said.candidate_key,
        successes,
        None if fact is None else format_id("fct", fact[0]),
    )
