"""What a forgetting does to reviews: records leave, packets that quote it go, removals are kept.

A hidden memory keeps its words, and its removal turns away what was observed before it; undoing
brings both back. What goes further takes the words and the observations, and turns away for good.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from memorycore.model.forgetting import Options
from memorycore.model.needles import quoting
from memorycore.model.review_said import Said
from memorycore.store import review_erase as rows
from memorycore.store.connection import Connection
from memorycore.store.journal import change_field
from memorycore.store.review_marks import insert_removal
from memorycore.store.review_records import StoredRecord, list_by_number


@dataclass(frozen=True, slots=True)
class Removal:
    """Which removal is to be kept: by which operation, when, and how far it goes."""

    scope_id: int
    recorded: int
    at: int
    options: Options
    is_permanent: bool


def quoting_reviews(
    db: Connection, scope_id: int, texts: Sequence[str], names: Sequence[str]
) -> tuple[list[int], list[int]]:
    """List the records and the queued packets of a scope that quote texts, or name somebody."""
    stored, packets = rows.read_records(db, scope_id), rows.read_packets(db, scope_id)
    return quoting(stored, texts, names), quoting(packets, texts, names)


def said_by_facts(
    db: Connection,
    records: Sequence[int],
    facts: Sequence[int],
    texts: Sequence[str],
    names: Sequence[str],
) -> set[int]:
    """List those of some records that hold no more of what goes than a fact that stays says too."""
    found = [one for one in list_by_number(db, records) if one.fact_id in facts]
    beside = [
        (one.number, json.dumps(one.shape | {"text": ""}, ensure_ascii=False)) for one in found
    ]
    return {one.number for one in found} - set(quoting(beside, texts, names))


def all_reviews(db: Connection, scope_id: int) -> tuple[list[int], list[int]]:
    """List all records and queued packets of a scope."""
    stored, packets = rows.read_records(db, scope_id), rows.read_packets(db, scope_id)
    return [number for number, _ in stored], [number for number, _ in packets]


def hide_reviews(db: Connection, removal: Removal, records: Sequence[int]) -> None:
    """Let records stand back with the facts that are hidden."""
    for record in list_by_number(db, records):
        if record.state != "superseded":
            change_field(db, removal.recorded, "memory", record.number, "state", "superseded")
            _keep_removal(db, removal, record.identity)


def clear_reviews(
    db: Connection, removal: Removal, records: Sequence[int], packets: Sequence[int]
) -> list[str]:
    """Take the words of records and packets away; give those of the records, to look for."""
    if not records and not packets:
        return []
    texts = texts_of_records(db, records)
    if removal.options.suppress and removal.is_permanent:
        for identity in rows.identities_of(db, records):
            _keep_removal(db, removal, identity)
    rows.blank_records(db, records)
    rows.blank_packets(db, packets)
    return texts


def _keep_removal(db: Connection, removal: Removal, identity: bytes) -> None:
    insert_removal(
        db,
        removal.scope_id,
        identity,
        is_permanent=removal.is_permanent,
        reason=removal.options.reason,
        removed_at=removal.at,
        recorded=removal.recorded,
    )


def texts_of_records(db: Connection, records: Sequence[int]) -> list[str]:
    """Give the words of records."""
    return [text for record in list_by_number(db, records) for text in _texts(record)]


def _texts(record: StoredRecord) -> list[str]:
    said = Said.of_shape(record.shape)
    return [text for text in (said.text, said.title, said.reason) if text]
