"""The claim and entity stream of seed 000: read, checked by its numbered rules, made candidates.

Reading is pure. What the stream refers to, memory items and entities that are known already, is
looked up by functions that are given, each asked once.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field

from memorycore.errors import InvalidInputError
from memorycore.exchange.claim_items import Item
from memorycore.exchange.claim_lines import Row, read_rows
from memorycore.exchange.claim_rules import (
    ItemIndex,
    Support,
    check_support,
    is_named,
    period,
    read_claim,
    read_entity,
    readable_names,
    unique_evidence,
)
from memorycore.exchange.claim_shapes import (
    KINDS,
    NAMED_TYPES,
    ClaimIn,
    EntityIn,
    body_of,
    name_parts,
)
from memorycore.model.candidate import (
    Candidate,
    Naming,
    Problem,
    Proposed,
    Quote,
    check_candidate,
)
from memorycore.model.name import name_fault
from memorycore.model.time import load_zone

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]")


@dataclass(slots=True)
class _Entity:
    row: Row
    first: EntityIn
    rows: list[EntityIn] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    @property
    def aliases(self) -> tuple[str, ...]:
        united = dict.fromkeys(alias for entity in self.rows for alias in entity.aliases)
        return tuple(alias for alias in united if name_fault(alias) is None)

    def naming(self) -> Naming:
        """Name the entity; of properties that differ, the first stands (E11)."""
        kind = self.first.entity_type
        body = body_of(kind, self.first.entity_id) or ""
        others = list(self.aliases)
        if kind != "Chapter":  # the short title of a chapter, 第三章, is every other work's too
            merged = {k: v for entity in reversed(self.rows) for k, v in entity.props.items()}
            others += [name for name in readable_names(merged) if name_fault(name) is None]
        return Naming(
            body, KINDS[kind.lower()], tuple(dict.fromkeys(o for o in others if o != body))
        )


@dataclass(slots=True)
class _Claim:
    row: Row
    claim: ClaimIn


def read_claims(
    raw: bytes,
    *,
    source: str,
    items: Callable[[Sequence[str]], Iterable[Item]],
    known: Callable[[Sequence[str]], Collection[str]],
    batch: Sequence[Item] = (),
    offered_tags: Sequence[str] = (),
    strict: bool,
    zone: str = "UTC",
) -> Proposed:
    """Read a whole stream.

    ``items`` gives the memory items that have one of the ids (a point's, or ``mem:`` and a hash),
    ``known`` those of the entity ids that need no row. ``batch`` holds the items the stream was
    drawn from: evidence may link to them, and those that no claim rests on are listed (W6).
    In strict mode one rule broken leaves no candidate; else the lines that break one are
    quarantined and the others taken.
    """
    load_zone(zone)
    rows, problems = read_rows(raw, source=source, strict=strict)
    entities = _read_entities(rows, offered_tags)
    claims = [
        _Claim(row, read)
        for row in rows
        if row.record.get("record_type") == "claim" and (read := read_claim(row, strict=strict))
    ]
    index = ItemIndex([*batch, *_ask_items(claims, items)])
    known_ids = entities.keys() | _ask_known(claims, known)
    for claim in claims:
        _check_known(claim, known_ids)
        entity = entities.get(claim.claim.object.entity_id)
        support = Support(index, entity.aliases if entity else (), zone)
        check_support(claim.row, claim.claim, support)
    _check_together(claims, entities, zone)
    taken = [claim for claim in claims if not claim.row.is_out]
    _check_source_language(taken, entities)
    problems += [problem for row in rows for problem in row.problems]
    proposed = Proposed(
        quarantined=[row.quarantined() for row in rows if row.is_out], problems=problems
    )
    if strict and any(problem.severity == "reject" for problem in problems):
        return proposed
    problems += _skipped(batch, taken)
    taken.sort(key=lambda one: (one.claim.domain, one.claim.predicate, one.claim.claim_id))
    proposed.candidates = [_candidate(claim, entities, zone) for claim in taken]
    in_order = sorted(entities.values(), key=lambda one: one.first.entity_id)
    proposed.entities = [entity.naming() for entity in in_order]
    return proposed


def _read_entities(rows: Iterable[Row], offered: Sequence[str]) -> dict[str, _Entity]:
    """Read the entity rows, uniting those of one id (E11, W3)."""
    entities: dict[str, _Entity] = {}
    for row in rows:
        if row.record.get("record_type") != "entity":
            continue
        read = read_entity(row, offered)
        if read is None:
            continue
        entity = entities.setdefault(read.entity_id, _Entity(row, read))
        if _canonical(row) in entity.seen:
            row.flag("W3", "the entity row stands in the stream already", "warn")
        elif entity.rows:
            row.flag("E11", "rows of one entity are united", "merge")
        entity.rows.append(read)
        entity.seen.add(_canonical(row))
    return entities


def _ask_items(
    claims: Iterable[_Claim], items: Callable[[Sequence[str]], Iterable[Item]]
) -> Iterable[Item]:
    evidence = [part for claim in claims for part in claim.claim.evidence]
    ids = {part.point_id for part in evidence} | {part.memory_item_id for part in evidence}
    return items(sorted(ids)) if ids else ()


def _ask_known(
    claims: Iterable[_Claim], known: Callable[[Sequence[str]], Collection[str]]
) -> set[str]:
    ids = {end.entity_id for claim in claims for end in (claim.claim.subject, claim.claim.object)}
    return set(known(sorted(ids))) if ids else set()


def _check_together(claims: Sequence[_Claim], entities: dict[str, _Entity], zone: str) -> None:
    _check_repeats(claims)
    for claim in claims:
        _check_candidate(claim, entities, zone)
    _check_conflicts(claims, zone)


def _check_known(claim: _Claim, ids: Collection[str]) -> None:
    for name, end in (("subject", claim.claim.subject), ("object", claim.claim.object)):
        if end.entity_id not in ids:
            claim.row.flag("S6", f"the {name} has no entity row and is not known")


def _check_repeats(claims: Iterable[_Claim]) -> None:
    """Let a claim_id stand once (S5).

    Where it stands more often, the order of rows must not decide which stays: it is one without
    other faults, then the surer.
    """
    by_id: dict[str, list[_Claim]] = defaultdict(list)
    for claim in claims:
        by_id[claim.claim.claim_id].append(claim)
    for same in by_id.values():
        same.sort(key=lambda one: (one.row.is_out, -one.claim.confidence, _canonical(one.row)))
        for claim in same[1:]:
            claim.row.flag("S5", "claim_id stands more than once; its evidence belongs together")


def _canonical(row: Row) -> str:
    return json.dumps(row.record, sort_keys=True)


def _check_conflicts(claims: Iterable[_Claim], zone: str) -> None:
    """Let at most one claim of a rank be active (B1), and that the surest (B2)."""
    groups: dict[tuple[str, str, int], list[_Claim]] = defaultdict(list)
    for claim in claims:
        if claim.claim.rank is not None and not claim.row.is_out:
            key = (claim.claim.predicate, claim.claim.subject.entity_id, claim.claim.rank)
            groups[key].append(claim)
    for group in groups.values():
        group.sort(key=lambda one: one.claim.claim_id)
        group.sort(key=lambda one: period(one.claim.updated_at, zone) or (0, 0), reverse=True)
        group.sort(key=lambda one: one.claim.confidence, reverse=True)
        active = [claim for claim in group if claim.claim.status == "active"]
        for claim in active[1:]:
            claim.row.flag("B1", "another claim of this rank is active, and surer")
        if active and active[0] is not group[0]:
            active[0].row.flag("B2", "a surer claim of this rank is only a candidate")


def _check_source_language(claims: Iterable[_Claim], entities: dict[str, _Entity]) -> None:
    """Warn of a name without Han for what Han texts speak of by another (E10)."""
    texts: dict[str, list[str]] = defaultdict(list)
    for claim in claims:
        texts[claim.claim.object.entity_id] += [part.text for part in claim.claim.evidence]
    for id_, said in texts.items():
        entity = entities.get(id_)
        if entity is None or entity.first.entity_type not in NAMED_TYPES:
            continue
        names = name_parts(entity.first.entity_type, body_of(entity.first.entity_type, id_) or "")
        # A work may have no Han name of its own: 最喜欢《1984》 names it as it is.
        foreign = not _HAN.search("".join(names)) and not is_named(names, (), said)
        if foreign and any(map(_HAN.search, said)):
            entity.row.flag("E10", "the name is not in the language of its evidence", "warn")


def _skipped(batch: Iterable[Item], claims: Iterable[_Claim]) -> list[Problem]:
    used = {part.memory_item_id for claim in claims for part in claim.claim.evidence}
    return [
        Problem(item.place or f"point {item.point_id}", "W6", "info", "the item gives no claim")
        for item in batch
        if item.memory_item_id not in used
    ]


def _check_candidate(claim: _Claim, entities: dict[str, _Entity], zone: str) -> None:
    """Hold what no rule above has seen against what every candidate must keep."""
    if claim.row.is_out:
        return
    try:
        check_candidate(_candidate(claim, entities, zone))
    except InvalidInputError as error:
        claim.row.flag("C7", error.message)


def _candidate(claim: _Claim, entities: dict[str, _Entity], zone: str) -> Candidate:
    read = claim.claim

    def naming(kind: str, id_: str) -> Naming:
        entity = entities.get(id_)
        return entity.naming() if entity else Naming(body_of(kind, id_) or "", KINDS[kind.lower()])

    return Candidate(
        read.predicate,
        tuple(Quote(external_id=e.memory_item_id) for e in unique_evidence(read, zone)),
        naming(read.subject.entity_type, read.subject.entity_id),
        naming(read.object.entity_type, read.object.entity_id),
        rank=read.rank,
        confidence=read.confidence,
        is_tentative=read.status == "candidate",
        claim_key=read.claim_id,
        place=claim.row.place,
    )
