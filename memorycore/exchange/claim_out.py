"""The claim and entity stream of seed 000, written from facts: the same for the same facts (G5)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memorycore.exchange.claim_items import Item
from memorycore.exchange.claim_shapes import DOMAINS, KINDS
from memorycore.model.fact import EntityRef, Fact

TYPES = {kind: prefix.capitalize() for prefix, kind in KINDS.items()}
"""The entity type of each kind of entity that the format knows."""
READABLE = {"Work": "title", "Chapter": "title", "User": "user_id"}
MOST_SURE = 0.98


@dataclass(frozen=True, slots=True)
class Claimed:
    """A fact with the memory items that it rests on; ``holds`` tells whether it does now.

    ``superseded_by`` are the facts that took its place.
    """

    fact: Fact
    items: Sequence[Item]
    holds: bool = True
    superseded_by: Sequence[Fact] = ()


def write_stream(
    claimed: Iterable[Claimed], aliases: Mapping[bytes, Sequence[str]]
) -> Iterator[dict[str, Any]]:
    """Write entities by type and id, then claims by domain, predicate and id."""
    claims: list[dict[str, Any]] = []
    entities: dict[str, dict[str, Any]] = {}
    for one in claimed:
        claim = _claim(one)
        if claim is None:
            continue
        claims.append(claim)
        for ref in (one.fact.subject, one.fact.object):
            assert ref is not None, "the object of a claim is an entity"
            row = entities.setdefault(_id(ref), _entity(ref, aliases.get(ref.uid, ())))
            row["confidence"] = max(row["confidence"], claim["confidence"])
    yield from sorted(entities.values(), key=lambda row: (row["entity_type"], row["entity_id"]))
    yield from sorted(claims, key=lambda row: (row["domain"], row["predicate"], row["claim_id"]))


def _claim(one: Claimed) -> dict[str, Any] | None:
    """Write a fact as a claim; ``None`` for what the format has no words for."""
    fact, evidence = one.fact, _evidence(one.items)
    claim_id = _claim_id(fact)
    if claim_id is None or not evidence:
        return None
    assert fact.object is not None, "without one it has no claim id"
    claim: dict[str, Any] = {
        "record_type": "claim",
        "claim_id": claim_id,
        "predicate": fact.predicate,
        "subject": _reference(fact.subject),
        "object": _reference(fact.object),
        "domain": DOMAINS[fact.predicate],
        "confidence": round(min(fact.confidence, MOST_SURE), 4),
        "status": "active" if one.holds else "superseded",
        "rank": fact.rank,
        "updated_at": evidence[-1]["created_at"],
        "evidence": evidence,
    }
    if not one.holds:
        winners = sorted(filter(None, (_claim_id(fact) for fact in one.superseded_by)))
        claim["superseded_by"] = winners
    return claim


def _claim_id(fact: Fact) -> str | None:
    is_known = fact.predicate in DOMAINS and fact.object is not None
    if not is_known or fact.subject.kind not in ("person", "agent"):
        return None
    assert fact.object is not None, "it was just looked at"
    if fact.object.kind not in TYPES:
        return None
    parts = (fact.predicate, DOMAINS[fact.predicate], _id(fact.subject), _id(fact.object))
    return "claim:" + "|".join(parts)


def _evidence(items: Sequence[Item]) -> list[dict[str, str]]:
    found = [
        {
            "memory_item_id": item.memory_item_id,
            "point_id": item.point_id,
            "conv_id": item.conv_id,
            "scene_id": item.scene_id,
            "created_at": item.created_at or item.exported_at or "",
            "text": item.text,
        }
        for item in items
    ]
    found = [one for one in found if all(one.values())]
    return sorted(found, key=lambda one: (one["created_at"], one["memory_item_id"]))


def _id(ref: EntityRef) -> str:
    return f"{TYPES[ref.kind].lower()}:{ref.name}"


def _reference(ref: EntityRef) -> dict[str, str]:
    return {"entity_type": TYPES[ref.kind], "entity_id": _id(ref)}


def _entity(ref: EntityRef, aliases: Sequence[str]) -> dict[str, Any]:
    kind = TYPES[ref.kind]
    return {
        "record_type": "entity",
        "entity_type": kind,
        "entity_id": _id(ref),
        "props": {READABLE.get(kind, "name"): ref.name, "display": ref.name},
        "aliases": sorted(aliases),
        "tags": [],
        "confidence": 0.0,
    }
