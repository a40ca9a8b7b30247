"""The rules that one entity row or one claim must keep by itself (seed 000, E1-E9 and C1-C18)."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memorycore.errors import InvalidTimeError
from memorycore.exchange.claim_items import Item
from memorycore.exchange.claim_lines import Row
from memorycore.exchange.claim_shapes import (
    CLAIM_CODES,
    DOMAINS,
    ENTITY_CODES,
    NAMED_TYPES,
    OBJECT_TYPES,
    ClaimIn,
    EntityIn,
    EvidenceIn,
    body_of,
    name_parts,
    note_unknown,
    read_shape,
)
from memorycore.model.name import bare, name_fault, stands_in
from memorycore.model.tag import is_near, same_tag
from memorycore.model.time import parse_moment
from memorycore.model.wording import CERTAIN, confidence_band, said_ranks, starts_with_context

LIKINGS = ("PREFERS_AUTHOR", "FAVORITE_WORK", "PREFERS_NARRATIVE_STYLE", "PREFERS_TOPIC")
LOWEST_ACTIVE = 0.60

_AUTHORSHIP = re.compile("WROTE|WRITTEN|AUTHORED|AUTHORSHIP|AUTHOR_OF", re.IGNORECASE)
_FORBIDDEN = re.compile('[《》“”"]')
_LOOSE_SPACE = re.compile(r"\A\s|\s\Z|\s\s")


class ItemIndex:
    """The memory items that evidence may link to, by both of their ids."""

    def __init__(self, items: Iterable[Item]) -> None:
        self.by_point: dict[str, list[Item]] = defaultdict(list)
        self.by_memory: dict[str, list[Item]] = defaultdict(list)
        for item in items:
            self.by_point[item.point_id].append(item)
            self.by_memory[item.memory_item_id].append(item)


def period(text: str, zone: str) -> tuple[int, int] | None:
    """Read a time as what can be compared; ``None`` when it is none."""
    try:
        moment = parse_moment(text, zone=zone)
    except InvalidTimeError:
        return None
    return moment.from_, moment.to


def read_entity(row: Row, offered: Sequence[str]) -> EntityIn | None:
    """Check an entity row by E1-E9; ``None`` when it cannot be taken."""
    entity = read_shape(row, EntityIn, ENTITY_CODES, "E2")
    if entity is None:
        return None
    note_unknown(row, entity)
    if not readable_names(entity.props):
        row.flag("E7", "props has no name, title or display")
    body = body_of(entity.entity_type, entity.entity_id)
    if body is None:
        row.flag("E4", f"the id of this type begins with {entity.entity_type.lower()}:")
        return None
    if not body:
        row.flag("E5", "the id has nothing after its colon")
    elif _FORBIDDEN.search(body):
        row.flag("E5", "the id holds quotation marks")
    elif _LOOSE_SPACE.search(body):
        row.flag("E5", "the id holds spaces at an end, or two in a row")
    elif fault := name_fault(body):
        row.flag("E5", f"the name in the id {fault}")
    sides = [side.strip() for side in body.split("#")]
    if entity.entity_type == "Chapter" and (len(sides) != 2 or not all(sides)):
        row.flag("E6", "the id of a chapter is chapter:<work>#<chapter>")
    if entity.entity_type == "Tag":
        _check_tag(row, entity, body, offered)
    return None if row.is_out else entity


def readable_names(props: Mapping[str, Any]) -> list[str]:
    """Give the names in the properties of an entity, in the order name, title, display."""
    values = [props.get(key) for key in ("name", "title", "display")]
    return [value for value in values if isinstance(value, str) and value.strip()]


def _check_tag(row: Row, tag: EntityIn, body: str, offered: Sequence[str]) -> None:
    name = tag.props.get("name")
    if starts_with_context(body) or (isinstance(name, str) and starts_with_context(name)):
        row.flag("E8", "the tag begins with a word of context")
    bodies = [known.removeprefix("tag:") for known in offered]
    if body in bodies:
        return
    if same_tag(body, bodies) is not None:
        row.flag("E9", "an offered tag with the same key has another id")
    elif any(is_near(body, known) for known in bodies):
        row.flag("W5", "the tag is new, but much like an offered one", "warn")


def read_claim(row: Row, *, strict: bool) -> ClaimIn | None:
    """Read a claim by what can be told without looking elsewhere: C1-C10.

    ``None`` when it has not even the shape of one; a claim of another fault is still read, so that
    all its faults are found.
    """
    predicate = row.record.get("predicate")
    if isinstance(predicate, str) and _AUTHORSHIP.search(predicate):
        # Dropped and counted, or refused: either way nothing else about it matters.
        row.is_dropped = True
        row.flag("C3", "who wrote a work is not claimed", "reject" if strict else "warn")
        return None
    claim = read_shape(row, ClaimIn, CLAIM_CODES, "C1")
    if claim is None:
        return None
    note_unknown(row, claim, claim.subject, claim.object, *claim.evidence)
    subject, object_ = claim.subject, claim.object
    if not body_of(subject.entity_type, subject.entity_id):
        row.flag("C5", "subject.entity_id does not fit its type")
    if not body_of(object_.entity_type, object_.entity_id):
        row.flag("C6", "object.entity_id does not fit its type")
    for code, name, end in (("C5", "subject", subject), ("C6", "object", object_)):
        body = body_of(end.entity_type, end.entity_id)
        if body and (fault := name_fault(body)):
            row.flag(code, f"the name in {name}.entity_id {fault}")
    if claim.predicate not in DOMAINS:
        row.flag("C2", f"unknown predicate; known ones are {', '.join(DOMAINS)}")
    else:
        if claim.domain != DOMAINS[claim.predicate]:
            row.flag("C4", f"the domain of this predicate is {DOMAINS[claim.predicate]}")
        allowed = OBJECT_TYPES[claim.predicate]
        if object_.entity_type not in allowed:
            row.flag("C6", f"the object of this predicate is {' or '.join(allowed)}")
    parts = (claim.predicate, claim.domain, subject.entity_id, object_.entity_id)
    if claim.claim_id != "claim:" + "|".join(parts):
        row.flag("C7", "claim_id is not claim:<predicate>|<domain>|<subject>|<object>")
    if claim.confidence < LOWEST_ACTIVE and claim.status != "candidate":
        row.flag("C10", f"a confidence under {LOWEST_ACTIVE:.2f} needs the status candidate")
    return claim


@dataclass(frozen=True, slots=True)
class Support:
    """A claim beside its evidence: what its own rules need to know of the rest."""

    index: ItemIndex
    aliases: Sequence[str]
    zone: str


def check_support(row: Row, claim: ClaimIn, support: Support) -> None:
    """Check a claim against its evidence: C11-C18, and the warnings W1 and W2."""
    for number, evidence in enumerate(claim.evidence, 1):
        _check_link(row, f"evidence {number}", evidence, support)
    _check_updated(row, claim, support.zone)
    kind = claim.object.entity_type
    body = body_of(kind, claim.object.entity_id) or ""
    texts = [evidence.text for evidence in claim.evidence]
    if not is_named(name_parts(kind, body), support.aliases, texts):
        severity = "reject" if kind in NAMED_TYPES else "warn"
        row.flag("C17", "no evidence names the object", severity)
    owners = (body, *support.aliases) if kind in NAMED_TYPES else ()
    ranks: frozenset[int] = frozenset()
    ranks = ranks.union(*(said_ranks(text, owners=owners) for text in texts))
    if claim.rank is not None and claim.rank not in ranks:
        row.flag("C11", "no evidence has the ordering words of this rank")
    if claim.predicate == "FAVORITE_WORK" and claim.rank is None and ranks:
        row.flag("W2", "the evidence has ordering words, but rank is null", "warn")
    _check_confidence(row, claim, texts)
    if len(unique_evidence(claim, support.zone)) < len(claim.evidence):
        row.flag("C18", "evidence that is repeated counts once", "merge")


def _check_link(row: Row, where: str, evidence: EvidenceIn, support: Support) -> None:
    by_point = support.index.by_point.get(evidence.point_id, [])
    linked = by_point or support.index.by_memory.get(evidence.memory_item_id, [])
    if not linked:
        row.flag("C14", f"{where} links to no memory item")
        return
    same = [item for item in by_point if item.memory_item_id == evidence.memory_item_id]
    if not any(item.text == evidence.text for item in same or linked):
        row.flag("C15", f"{where}: text is not the memory, character for character")
    if not same:
        row.flag("C16", f"{where}: point_id and memory_item_id name no one item")
        return
    wrong = min((_differing(item, evidence, support.zone) for item in same), key=len)
    if wrong:
        row.flag("C16", f"{where}: {', '.join(wrong)} is not the memory item's")


def _differing(item: Item, evidence: EvidenceIn, zone: str) -> list[str]:
    pairs = (("conv_id", item.conv_id, evidence.conv_id),
             ("scene_id", item.scene_id, evidence.scene_id))  # fmt: skip
    wrong = [name for name, ours, theirs in pairs if ours != theirs]
    ours, theirs = item.created_at or item.exported_at, evidence.created_at
    if ours != theirs and (ours is None or not _is_same_time(ours, theirs, zone)):
        wrong.append("created_at")
    return wrong


def _is_same_time(one: str, other: str, zone: str) -> bool:
    return (told := period(one, zone)) is not None and told == period(other, zone)


def _check_updated(row: Row, claim: ClaimIn, zone: str) -> None:
    updated = period(claim.updated_at, zone)
    times = [time for evidence in claim.evidence if (time := period(evidence.created_at, zone))]
    if updated is None:
        row.flag("C12", "updated_at is no ISO 8601 time")
    elif updated != max(times, default=None):
        row.flag("C12", "updated_at is not the latest created_at of the evidence")


def is_named(names: Sequence[str], aliases: Sequence[str], texts: Iterable[str]) -> bool:
    """Tell whether all names, or any alias, occur in the texts, quotation marks or not."""
    said = [bare(text) for text in texts]

    def occurs(name: str) -> bool:
        wanted = bare(name)
        return any(stands_in(wanted, text) for text in said)

    return (bool(names) and all(map(occurs, names))) or any(map(occurs, aliases))


def _check_confidence(row: Row, claim: ClaimIn, texts: Collection[str]) -> None:
    """Hold the confidence against its wording (W1).

    The floor is for active claims alone. A claim without a rank need not be as sure as the ordering
    in its evidence, which may be another thing's; an abstract object may be less sure again.
    """
    bands = [confidence_band(text) for text in texts] if claim.predicate in LIKINGS else []
    told = [band for band in bands if band]
    is_told = bool(bands) and len(told) == len(bands)
    highest = max(high for _, high in told) if is_told else CERTAIN
    lowest = min(low for low, _ in told) if is_told else 0.0
    if claim.rank is None:
        lowest = min(lowest, 0.75)
    if claim.object.entity_type not in NAMED_TYPES:
        lowest = min(lowest, LOWEST_ACTIVE)
    is_low = claim.status == "active" and LOWEST_ACTIVE <= claim.confidence < lowest
    if is_low or claim.confidence > highest:
        row.flag("W1", "the confidence is not the usual one of such a wording", "warn")


def unique_evidence(claim: ClaimIn, zone: str) -> list[EvidenceIn]:
    """Give the evidence of a claim by its time, each memory once (C18)."""
    points: set[str] = set()
    memories: set[str] = set()
    kept = []
    for evidence in claim.evidence:
        if evidence.point_id not in points and evidence.memory_item_id not in memories:
            kept.append(evidence)
        points.add(evidence.point_id)
        memories.add(evidence.memory_item_id)
    return sorted(kept, key=lambda evidence: period(evidence.created_at, zone) or (0, 0))
