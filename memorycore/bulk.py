"""Taking many records in: a few thousand to a transaction, all under one operation."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from memorycore.engine.ingest import Intake
from memorycore.errors import MemoryCoreError
from memorycore.model.draft import Draft, Rejection
from memorycore.model.episode import Episode
from memorycore.model.ingest import IngestPolicy, IngestResult
from memorycore.model.time import parse_moment
from memorycore.open_store import OpenStore
from memorycore.store.episodes import get_episode
from memorycore.store.search_index import merge_segments

BATCH = 4000
"""Records to a transaction in bulk writes."""

Progress = Callable[[int], None]
"""Is told, after each committed batch, how many records have been read."""


def take_in(
    store: OpenStore,
    records: Iterable[Draft | Rejection],
    policy: IngestPolicy,
    *,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> IngestResult:
    """Take records in.

    A dry run does all of it in one transaction that is rolled back. When a run is interrupted,
    what was committed stands, and the same input again adds what is missing.
    """
    result = IngestResult(dry_run=dry_run)
    intake = Intake(
        store.key(), policy, result, suppression=store.suppression(), new_id=store.new_id
    )
    if dry_run:
        with store.write(dry_run=True) as db:
            for batch in _batches(records, progress):
                intake.take(db, batch, now=store.clock())
        return result
    for batch in _batches(records, progress):
        with store.write() as db:
            intake.take(db, batch, now=store.clock())
    if result.stored > BATCH:
        _tidy(store)
    return result


@contextmanager
def open_records(
    path: str,
    format: str,  # noqa: A002
    *,
    source: str | None,
    zone: str,
    session: str | None,
    role: str | None,
    at: str | None,
) -> Iterator[Iterator[Draft | Rejection]]:
    """Open a file of conversations and read it in a format; see ``Memory.ingest_file``."""
    from memorycore.port.lines import open_input
    from memorycore.port.readers import Reading, read_records

    reading = Reading(
        source=source or ("stdin" if path == "-" else os.path.basename(path)),
        time_zone=zone,
        session=session,
        role=role,
        at=None if at is None else parse_moment(at, zone=zone),
    )
    with open_input(path) as stream:
        yield read_records(stream, format, reading)


def take_one(store: OpenStore, record: Draft, policy: IngestPolicy) -> Episode:
    """Take one record in, in one transaction; give its episode, new or old."""
    suppression = store.suppression()
    intake = Intake(
        store.key(), policy, IngestResult(), suppression=suppression, new_id=store.new_id
    )
    with store.write() as db:
        [(uid, scope)] = intake.take(db, [record], now=store.clock())
        return get_episode(db, uid, uid, scopes=[scope], asked="just added")


def _tidy(store: OpenStore) -> None:
    """Join the index segments that a bulk write leaves, a bounded piece a transaction."""
    more = True
    while more:
        with store.write() as db:
            more = merge_segments(db)


def _batches(
    records: Iterable[Draft | Rejection], progress: Progress | None
) -> Iterator[list[Draft | Rejection]]:
    batch: list[Draft | Rejection] = []
    read = 0
    source = iter(records)
    broken: MemoryCoreError | None = None
    while broken is None:
        try:
            batch.append(next(source))
        except StopIteration:
            break
        except MemoryCoreError as error:
            # What was read before the source broke off is kept.
            broken = error
        if len(batch) == BATCH:
            yield batch
            read += len(batch)
            batch = []
            if progress is not None:
                progress(read)
    if batch:
        yield batch
        if progress is not None:
            progress(read + len(batch))
    if broken is not None:
        raise broken
