"""Make a bounded review packet out of a store: the memories that touch what is reviewed.

Reading only. What does not fit the budget is left out, the memory that touches it least first.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memorycore.engine.review_believe import explicit_among
from memorycore.errors import InvalidInputError
from memorycore.model.identity import format_id, parse_id_of
from memorycore.model.review_packet import (
    MAX_COLLECTION,
    ExplicitRequest,
    PacketMemory,
    ReviewPacket,
)
from memorycore.model.review_said import Said
from memorycore.model.review_unsafe import find_unsafe_here
from memorycore.model.word import split_words
from memorycore.store.connection import Connection
from memorycore.store.entities import scope_names
from memorycore.store.fact_names import list_by_uid, load_names
from memorycore.store.fact_reads import AsOf, Wanted, list_fact_ids, load_facts
from memorycore.store.facts import get_known
from memorycore.store.predicates import load_predicates
from memorycore.store.review_records import find_by_uid, list_records

PREDICATES = ("prefers", "instructs", "note", "has_boundary", "prefers_communication_style")
"""Facts under these are memories of how to work with somebody."""
MAX_READ = 1_000
MAX_PACKET_TEXT = 600
"""Characters of a memory in a packet: what is longer is no memory to put beside others."""


@dataclass(frozen=True, slots=True)
class Place:
    """Whose memories a packet holds: a scope of the store, as a scope of packets."""

    scope_id: int
    kind: str
    project_key: str | None = None
    project_identity: str | None = None


def memories_for(
    db: Connection,
    places: Sequence[Place],
    text: str,
    *,
    now: int,
    request: ExplicitRequest | None = None,
) -> list[PacketMemory]:
    """List the memories of some scopes, those first that share the most words with a text.

    What a request names comes before all; any fact can be forgotten, whatever it speaks of.
    """
    found = [one for place in places for one in _memories_of(db, place, now)]
    named = None if request is None else request.target_id
    if request is not None and request.action == "forget" and all(one.id != named for one in found):
        found += [one for place in places for one in _named(db, place, str(named), now)]
    words = set(split_words(text))

    def rank(one: PacketMemory) -> tuple[bool, int]:
        return one.id != named, -len(words & set(split_words(f"{one.text} {one.category}")))

    return sorted(found, key=rank)[:MAX_COLLECTION]


def _memories_of(db: Connection, place: Place, now: int) -> list[PacketMemory]:
    records = list_records(db, [place.scope_id], state=None, after=0, limit=MAX_READ)
    standing = [one for one in records if one.state in ("trial", "proven")]
    standing.sort(key=lambda one: one.authority)  # A fact that both speak of is the user's word.
    facts = _facts_of(db, place, now)
    spoken = explicit_among(db, list(facts))
    found: list[PacketMemory] = []
    for one in standing:
        if one.state == "proven" and one.fact_id not in facts:
            continue
        said = Said.of_shape(one.shape)
        fact = None if one.fact_id is None else facts.pop(one.fact_id, None)
        name = format_id("mem", one.uid) if fact is None else fact.id
        authority = "explicit" if one.fact_id in spoken else one.authority
        found.append(_memory(place, name, said, authority, one.state))
    for number, fact in facts.items():
        kept = "user-fact" if fact.predicate == "note" else None
        said = Said(place.kind, fact.object_text, fact.predicate, kept)
        found.append(_memory(place, fact.id, said, _authority(number, spoken), "proven"))
    return [one for one in found if _may_stand(one)]


def _named(db: Connection, place: Place, fact: str, now: int) -> list[PacketMemory]:
    """Find a fact of a scope by its whole id."""
    if not fact.startswith("fct_"):
        return []
    scope = scope_names(db)[place.scope_id]
    numbers = [number for number, _ in list_by_uid(db, *parse_id_of("fct", fact), [scope])]
    facts = load_facts(db, numbers, AsOf(now), zone="UTC", evidence=False)
    spoken = explicit_among(db, list(facts))
    told = {n: one for n, one in facts.items() if one.support and one.id == fact}
    shapes = [(n, one.id, Said(place.kind, one.text, one.predicate)) for n, one in told.items()]
    return [_memory(place, name, said, _authority(n, spoken), "proven") for n, name, said in shapes]


def _authority(number: int, spoken: set[int]) -> str:
    return "explicit" if number in spoken else "inferred"


def _facts_of(db: Connection, place: Place, now: int) -> dict[int, Any]:
    predicates = load_predicates(db)
    when = AsOf(now)
    numbers: list[int] = []
    for name in PREDICATES:
        if name in predicates:
            wanted = Wanted((place.scope_id,), when, predicate_id=predicates[name].number)
            numbers += list_fact_ids(db, wanted, limit=MAX_READ)
    return load_facts(db, numbers, when, zone="UTC", evidence=False)


def _memory(place: Place, name: str, said: Said, authority: str, state: str) -> PacketMemory:
    return PacketMemory(
        name, place.kind, said.category, said.text, authority, state, said.memory_type,
        place.project_identity, place.project_key, said.title, said.reason, said.memory_class,
    )  # fmt: skip


def _may_stand(one: PacketMemory) -> bool:
    """Tell whether a memory may be shown to a reviewer: it is short, and holds nothing unsafe."""
    texts = [one.text, one.category, one.title or "", one.reason or ""]
    return len(one.text) <= MAX_PACKET_TEXT and find_unsafe_here("\n".join(texts)) is None


def standing(
    db: Connection,
    memories: Sequence[PacketMemory],
    scope_ids: Sequence[int],
    scopes: Sequence[str],
) -> list[PacketMemory]:
    """List those of a packet's memories that are there now, and may be seen."""
    return [one for one in memories if _stands(db, one.id, scope_ids, scopes)]


def _stands(db: Connection, name: str, scope_ids: Sequence[int], scopes: Sequence[str]) -> bool:
    prefix = name.partition("_")[0]
    try:
        if prefix == "mem":
            records = find_by_uid(db, *parse_id_of("mem", name), scope_ids)
            return len(records) == 1 and records[0].state in ("trial", "proven")
        if prefix == "fct":
            facts = list_by_uid(db, *parse_id_of("fct", name), scopes)
            return len(facts) == 1 and bool(get_known(db, facts[0][0]).support)
    except InvalidInputError:
        return False
    return False


def fact_of(db: Connection, memory: str, scope_ids: Sequence[int]) -> str | None:
    """Name the fact that a memory has become, if it is one that stands.

    Raises:
        InvalidInputError: it is no id of a memory.
    """
    found = find_by_uid(db, *parse_id_of("mem", memory), scope_ids)
    numbers = [one.fact_id for one in found if one.state == "proven" and one.fact_id is not None]
    if len(found) != 1 or not numbers:
        return None
    return format_id("fct", load_names(db, numbers)[numbers[0]][0])


def fit(packet: ReviewPacket, size: Callable[[ReviewPacket], int]) -> ReviewPacket:
    """Leave memories out of a packet until it fits its budget, the last first.

    Raises:
        InvalidInputError: even without them it is too large.
    """
    assert packet.budget is not None, "packets of our own have a budget"
    named = None if packet.request is None else packet.request.target_id
    while size(packet) > packet.budget.max_bytes:
        left = [one for one in packet.memories if one.id != named]
        if not left:
            raise InvalidInputError(
                f"The packet would have more than {packet.budget.max_bytes:,} bytes.",
                hint="a shorter checkpoint, less evidence, or a larger --max-bytes (12288 at most)",
            )
        gone = left[-1].id
        kept = tuple(one for one in packet.memories if one.id != gone)
        packet = replace(packet, memories=kept)
    return packet
