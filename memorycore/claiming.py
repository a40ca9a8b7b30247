"""The claims of a scope as a stream: what rests on imported memory items, in the claim format."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from memorycore.proposals import item_of
from memorycore.store.sightings import list_items_of_facts

if TYPE_CHECKING:
    from memorycore.exchange.claim_out import Claimed
    from memorycore.memory import Memory
    from memorycore.model.fact import Fact


def iter_claims(memory: "Memory", *, superseded: bool) -> Iterator[dict[str, Any]]:
    """Give the records of the stream: entities, then claims."""
    from memorycore.exchange.claim_out import write_stream
    from memorycore.model.identity import parse_id_of

    found = list(_claimed(memory, superseded=superseded))
    aliases = {
        parse_id_of("ent", one.id)[0]: one.aliases for one in memory.entities() if one.aliases
    }
    yield from write_stream(found, aliases)


def _claimed(memory: "Memory", *, superseded: bool) -> "Iterator[Claimed]":
    from memorycore.exchange.claim_out import Claimed
    from memorycore.exchange.claim_shapes import DOMAINS

    include = ("past", "invalid") if superseded else ()
    for predicate in sorted(DOMAINS):
        holding = {one.id for one in memory.facts(predicate=predicate)}
        facts = {one.id: one for one in memory.facts(predicate=predicate, include=include)}
        items = _items(memory, list(facts.values()))
        for id_, fact in facts.items():
            holds = id_ in holding
            winners = () if holds else _winners(memory, fact, facts)
            yield Claimed(fact, items.get(fact.number, ()), holds, winners)


def _items(memory: "Memory", facts: "Sequence[Fact]") -> dict[int, list[Any]]:
    with memory._store.read() as db:
        rows = list_items_of_facts(db, [one.number for one in facts])
    found: dict[int, list[Any]] = {}
    for fact_id, source in rows:
        found.setdefault(fact_id, []).append(item_of(source))
    return found


def _winners(memory: "Memory", fact: "Fact", facts: "dict[str, Fact]") -> "list[Fact]":
    links = memory.explain(fact.id).links
    ids = [one.id for one in links if one.kind == "SUPERSEDES" and one.direction == "from"]
    return [facts[id_] for id_ in ids if id_ in facts]
