"""Reading proposals for a store: what they refer to is looked up in one of its scopes."""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from os.path import basename
from typing import Any

from memorycore.errors import InvalidInputError
from memorycore.exchange.claim_items import Item, read_items
from memorycore.exchange.claim_shapes import KINDS
from memorycore.exchange.packet_line import Returned
from memorycore.model.candidate import Candidate, Problem, Proposed, Quarantined
from memorycore.model.draft import Rejection
from memorycore.model.heard import Heard
from memorycore.model.identity import parse_id_of
from memorycore.model.packet import Offered, Packet, day_of
from memorycore.model.time import format_moment
from memorycore.model.unsafe import is_shown
from memorycore.open_store import OpenStore
from memorycore.port.answer_files import read_additive_file, read_answer_file
from memorycore.port.lines import open_input, read_lines
from memorycore.port.proposal_files import (
    ProposalReading,
    detect_proposal_format,
    read_candidate_file,
    read_claim_file,
)
from memorycore.store.entities import list_named, list_tags
from memorycore.store.harvests import find_heard, list_heard
from memorycore.store.predicates import list_predicates
from memorycore.store.scopes import find_scope
from memorycore.store.sightings import SourceItem, list_items

MAX_CHOSEN = 1000
"""Turns among which an additive output may look for what it rests on."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The turns that a person says an additive output rests on; by neither there are none."""

    session: str | None = None
    since: str | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """What a file holds, the rules that it breaks, and who proposes what stands in it."""

    records: Iterator[Candidate | Quarantined]
    problems: list[Problem]
    proposer: str | None = None

    @property
    def settings(self) -> dict[str, Any]:
        """Give what is settled by the format, unless the caller says otherwise."""
        return {} if self.proposer is None else {"proposer": self.proposer}

    def checked(
        self, before: Sequence[Problem], *, strict: bool
    ) -> tuple[Iterator[Candidate | Quarantined], list[Problem]]:
        """Give what the file holds, and every rule that is broken.

        Where it is strict, records are gone through before any is taken.
        """
        records, problems = self.records, self.problems
        if strict and not problems:
            records, problems = check_records(records)
        return records, [*before, *problems]


class Lookup:
    """Looks up in a scope what proposals refer to: items, entities, and the turns of packets."""

    def __init__(
        self, store: OpenStore, scope: str, zone: str = "UTC", given: Sequence[Item] = ()
    ) -> None:
        self._store = store
        self.scope = scope
        self._zone = zone
        self._given = given

    def packet(self, returned: Returned) -> Packet:
        """Find what the ids of a packet stand for; a turn that is gone has no words any more."""
        from memorycore.engine.surround import MAX_TAGS, nearest_tags

        with self._store.read() as db:
            scope_id = find_scope(db, self.scope) or 0
            turns = []
            for episode in returned.turns:
                uid = _uid("ep", episode)
                heard = uid and find_heard(db, scope_id, uid, zone=self._zone)
                turns.append(heard or Heard(episode, ""))
            predicates = tuple(list_predicates(db))
            known = list_tags(db, scope_id, limit=MAX_TAGS)
        text = "\n".join(turn.text for turn in turns)
        tags = tuple((f"tag:{name}", name) for name in nearest_tags(text, known))
        facts = tuple(Offered(f"f{n}", "", fact) for n, fact in enumerate(returned.facts))
        day = day_of(turns[0])
        return Packet(
            tuple(turns), facts=facts, tags=tags, predicates=predicates, observation_date=day
        )

    def chosen(self, which: Chosen) -> Packet:
        """Find the turns that were chosen.

        Raises:
            InvalidInputError: they are more than anybody can look through.
        """
        from memorycore.engine.look import last_instant

        if which.session is None and which.since is None:
            return Packet(())
        since = None
        if which.since not in (None, "all"):
            since = last_instant(str(which.since), now=self._store.clock(), zone=self._zone)
        with self._store.read() as db:
            listed = list_heard(
                db,
                find_scope(db, self.scope) or 0,
                after=0,
                limit=MAX_CHOSEN + 1,
                zone=self._zone,
                session=which.session,
                since=since,
            )
        if len(listed) > MAX_CHOSEN:
            raise InvalidInputError(
                f"These are more than {MAX_CHOSEN:,} turns.", hint="--session ID, or --since T"
            )
        return Packet(tuple(heard for _, heard in listed))

    def items(self, ids: Sequence[str]) -> list[Item]:
        """Find the memory items that were ingested, or those of the export that was given."""
        if self._given:
            return [one for one in self._given if {one.point_id, one.memory_item_id} & set(ids)]
        with self._store.read() as db:
            scope_id = find_scope(db, self.scope)
            found = [] if scope_id is None else list_items(db, scope_id, list(ids))
        return [item_of(one) for one in found]

    def known(self, ids: Sequence[str]) -> Collection[str]:
        """Tell which entities are known, by ids such as ``work:我是猫``."""
        known = set()
        with self._store.read() as db:
            scope_id = find_scope(db, self.scope)
            for entity_id in ids if scope_id is not None else ():
                prefix, _, body = entity_id.partition(":")
                named = list_named(db, scope_id or 0, body)
                if any(row.kind == KINDS.get(prefix) for row in named):
                    known.add(entity_id)
        return known


def item_of(one: SourceItem) -> Item:
    """Give an ingested memory item as the claim format knows it."""
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
    chosen: Chosen,
    zone: str,
    strict: bool,
) -> Iterator[Opened]:
    """Open a file of proposals."""
    source = _shown(path)
    reading = ProposalReading(source, zone, strict, lookup.items, lookup.known)
    with open_input(path) as stream:
        if format == "auto":
            format = detect_proposal_format(stream)  # noqa: A001
        if format == "candidates":
            yield Opened(read_candidate_file(stream, reading), [])
            return
        if format == "answers":
            found = read_answer_file(
                stream, source, lookup.packet, scope=lookup.scope, strict=strict
            )
        elif format == "additive":
            found = read_additive_file(stream, source, lookup.chosen(chosen), strict=strict)
        else:
            found = read_claim_file(stream, reading)
        proposer = None if format == "claims" else "model"
        yield Opened(_all_of(found), found.problems, proposer)


def _uid(prefix: str, text: str) -> bytes | None:
    try:
        return parse_id_of(prefix, text)[0]
    except InvalidInputError:
        return None


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
