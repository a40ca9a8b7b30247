"""Reading proposals for a store: what they refer to is looked up in one of its scopes."""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from os.path import basename

from memorycore.exchange.claim_items import Item, read_items
from memorycore.exchange.claim_shapes import KINDS
from memorycore.model.candidate import Candidate, Problem, Proposed, Quarantined
from memorycore.model.draft import Rejection
from memorycore.model.time import format_moment
from memorycore.model.unsafe import is_shown
from memorycore.open_store import OpenStore
from memorycore.port.lines import open_input, read_lines
from memorycore.port.proposal_files import (
    ProposalReading,
    detect_proposal_format,
    read_candidate_file,
    read_claim_file,
)
from memorycore.store.entities import list_named
from memorycore.store.scopes import find_scope
from memorycore.store.sightings import SourceItem, list_items

MAX_NAMES_ASKED = 100_000


class Lookup:
    """Looks up in a scope what a claim stream refers to: memory items, and known entities."""

    def __init__(self, store: OpenStore, scope: str, given: Sequence[Item] = ()) -> None:
        self._store = store
        self._scope = scope
        self._given = given

    def items(self, ids: Sequence[str]) -> list[Item]:
        """Find the memory items that were ingested, or those of the export that was given."""
        if self._given:
            return [one for one in self._given if {one.point_id, one.memory_item_id} & set(ids)]
        with self._store.read() as db:
            scope_id = find_scope(db, self._scope)
            found = [] if scope_id is None else list_items(db, scope_id, list(ids))
        return [_item(one) for one in found]

    def known(self, ids: Sequence[str]) -> Collection[str]:
        """Tell which entities are known, by ids such as ``work:我是猫``."""
        known = set()
        with self._store.read() as db:
            scope_id = find_scope(db, self._scope)
            for entity_id in ids if scope_id is not None else ():
                prefix, _, body = entity_id.partition(":")
                named = list_named(db, scope_id or 0, body)
                if any(row.kind == KINDS.get(prefix) for row in named):
                    known.add(entity_id)
        return known


def _item(one: SourceItem) -> Item:
    meta = json.loads(one.meta) if one.meta else {}
    point = meta.get("point", {})
    exported = point.get("exported_at")
    return Item(
        point_id=str(point.get("id", "")),
        memory_item_id=one.external_id,
        scene_id=str(meta.get("payload", {}).get("scene_id", "")),
        conv_id=one.session or "",
        created_at=format_moment(one.occurred_from, one.precision, one.zone),
        exported_at=exported if isinstance(exported, str) else None,
        text=one.text,
    )


def read_export(path: str) -> tuple[list[Item], list[Problem]]:
    """Read and check a memory export, the input that claims were made from (rules I1–I5)."""
    with open_input(path) as stream:
        lines = [
            line for line in read_lines(stream, _shown(path)) if not isinstance(line, Rejection)
        ]
    return read_items(lines)


@contextmanager
def open_proposals(
    path: str,
    format: str,  # noqa: A002
    *,
    lookup: Lookup,
    zone: str,
    strict: bool,
) -> Iterator[tuple[Iterator[Candidate | Quarantined], list[Problem]]]:
    """Open a file of proposals; give what it holds, and the rules that it breaks."""
    source = _shown(path)
    reading = ProposalReading(source, zone, strict, lookup.items, lookup.known)
    with open_input(path) as stream:
        if format == "auto":
            format = detect_proposal_format(stream)  # noqa: A001
        if format == "claims":
            proposed = read_claim_file(stream, reading)
            yield _all_of(proposed), proposed.problems
        else:
            yield read_candidate_file(stream, reading), []


def _shown(path: str) -> str:
    """Name a file in the places of its lines, unless its name is one that may not be kept."""
    name = "stdin" if path == "-" else basename(path)
    return name if is_shown(name) else "file"


def check_records(
    records: Iterable[Candidate | Quarantined],
) -> tuple[Iterator[Candidate | Quarantined], list[Problem]]:
    """Go through records before any is taken; give them again, and those that were not read."""
    listed = list(records)
    broken = [one.rejection for one in listed if isinstance(one, Quarantined)]
    found = [Problem(one.place, one.code, "reject", one.reason) for one in broken]
    return iter(listed), found


def _all_of(proposed: Proposed) -> Iterator[Candidate | Quarantined]:
    yield from proposed.quarantined
    yield from proposed.candidates
