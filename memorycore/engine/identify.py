"""Entities: found by name, only suggested by likeness; merged and split by a person, undoable."""

from collections.abc import Iterable, Sequence

from memorycore.engine.settle import refresh, rule_of, settle
from memorycore.engine.workbench import Workbench
from memorycore.errors import InvalidInputError
from memorycore.model.entity import Entity
from memorycore.model.identity import parse_id_of
from memorycore.model.predicate import Predicate
from memorycore.store.connection import Connection
from memorycore.store.entities import (
    EntityRow,
    count_facts,
    find_split,
    get_entity_row,
    insert_split,
    list_aliases,
    list_by_uid,
    list_entities,
    list_merged,
    list_named,
    name_key,
    scope_names,
    standing_aliases,
)
from memorycore.store.evidence import list_numbers
from memorycore.store.facts import (
    FactPlace,
    find_identity,
    find_timeline,
    list_of_entity,
    list_of_timeline,
    list_places,
    list_same,
    list_timelines,
)
from memorycore.store.journal import change_field, get_field
from memorycore.store.links import end_strays

SIMILAR = 0.82
"""From this likeness on a name is suggested; nothing is ever merged for it."""
MAX_COMPARED = 20_000
MAX_SUGGESTED = 20


def read_entity(db: Connection, row: EntityRow, likeness: float = 1.0) -> Entity:
    """Read an entity whole."""
    into = None
    if row.merged_into is not None:
        into = get_entity_row(db, row.merged_into).uid
    return Entity(
        row.uid,
        scope_names(db)[row.scope_id],
        row.kind,
        row.name,
        row.distinction,
        tuple(name for _, name in list_aliases(db, row.entity_id) if name != row.name),
        count_facts(db, row.entity_id),
        into,
        likeness,
    )


def find_entities(db: Connection, scope_ids: Sequence[int], name: str) -> list[Entity]:
    """Find entities by exact folded name or alias, then those whose name is only similar."""
    if not name.strip():
        raise InvalidInputError("A name is needed.", hint="memoryctl entity find Ana")
    exact = [row for scope_id in scope_ids for row in list_named(db, scope_id, name, shown=True)]
    found = [read_entity(db, row) for row in exact]
    known = {row.entity_id for row in exact}
    others = [
        row
        for row in list_entities(db, scope_ids, limit=MAX_COMPARED)
        if row.entity_id not in known
    ]
    ranked = sorted(((likeness(name, row.name), row) for row in others), key=lambda pair: -pair[0])
    found += [read_entity(db, row, round(score, 2)) for score, row in ranked if score >= SIMILAR][
        :MAX_SUGGESTED
    ]
    return found


def likeness(one: str, other: str) -> float:
    """Say how alike two names are, in 0…1.

    Spaces do not count, since scripts differ in using them.
    """
    from rapidfuzz.fuzz import ratio

    first = name_key(one).replace(" ", "")
    second = name_key(other).replace(" ", "")
    if first == second:
        return 0.99
    return float(ratio(first, second)) / 100


def get_entity(db: Connection, scope_ids: Sequence[int], named: str) -> EntityRow:
    """Find the one entity of an id, or of an exact name.

    Raises:
        NotFoundError, AmbiguousIdError: there is none, or there are several.
    """
    from memorycore.engine.look import one_of

    scopes = [scope_names(db)[number] for number in scope_ids]
    if named.startswith("ent_"):
        rows = list_by_uid(db, *parse_id_of("ent", named), scope_ids)
    else:
        rows = [
            row for scope_id in scope_ids for row in list_named(db, scope_id, named, shown=True)
        ]
    return one_of(rows, "entity", named, scopes, prefix="ent")


def merge_entities(bench: Workbench, kept: EntityRow, merged: EntityRow) -> int:
    """Make two entities one: what is said of the second is said of the first.

    Facts that say the same become one, with the evidence of both. Gives how many facts moved.
    """
    if kept.entity_id == merged.entity_id:
        raise InvalidInputError("An entity cannot be merged into itself.")
    if kept.scope_id != merged.scope_id or kept.scope_id != bench.scene.scope_id:
        raise InvalidInputError("Entities of two scopes are never merged.")
    if kept.kind != merged.kind and "thing" not in (kept.kind, merged.kind):
        raise InvalidInputError(
            f"One of them is of kind {kept.kind}, the other of kind {merged.kind}.",
            hint="only entities of one kind are merged; memoryctl entity find NAME  shows the ids",
        )
    facts = list_of_entity(bench.db, merged.entity_id)
    moved = move_facts(bench, facts, merged.entity_id, kept.entity_id)
    for number in [merged.entity_id, *list_merged(bench.db, merged.entity_id)]:
        change_field(bench.db, bench.recorded, "entity", number, "merged_into", kept.entity_id)
    known = {name_key(name) for name in standing_aliases(bench.db, kept.entity_id)}
    for name in [merged.own_name, *standing_aliases(bench.db, merged.entity_id)]:
        # A hidden one that both have is not given anew by this.
        if name_key(name) not in known:
            bench.add_alias(kept.entity_id, name)
    bench.named.add(kept.entity_id)
    return moved


def split_entity(
    bench: Workbench, entity: EntityRow, distinction: str, facts: Sequence[int]
) -> int:
    """Tell two entities of one name apart: the facts named move to the second; give its number."""
    if not distinction.strip():
        raise InvalidInputError(
            "A word is needed that tells the two apart.", hint='--as "the colleague"'
        )
    stray = set(facts) - set(list_of_entity(bench.db, entity.entity_id))
    if stray:
        raise InvalidInputError("A fact that was named does not speak of this entity.")
    number = _second_of(bench, entity, distinction.strip())
    # It begins as merged into the first, which is what an undo makes of it again.
    change_field(bench.db, bench.recorded, "entity", number, "merged_into", None)
    bench.resolver.forget(entity.own_name)
    move_facts(bench, facts, entity.entity_id, number)
    bench.named.update((entity.entity_id, number))
    return number


def _second_of(bench: Workbench, entity: EntityRow, distinction: str) -> int:
    """Give the entity that a distinction tells apart from another, not yet standing by itself."""
    there = find_split(bench.db, entity, distinction)
    if there is None:
        uid = bench.scene.new_id(bench.scene.operation.at)
        return insert_split(bench.db, entity, distinction, uid=uid, recorded=bench.recorded)
    if there.merged_into is None:
        raise InvalidInputError(
            "There is a second entity of that name with just this word.", hint="another word"
        )
    return there.entity_id


def move_facts(bench: Workbench, facts: Sequence[int], old: int, new: int) -> int:
    """Let facts speak of another entity, as subject and as object, and settle their timelines."""
    db = bench.db
    bench.indexing.touch(facts)
    before = list_timelines(db, facts)
    touched = set(facts)
    for fact_id in facts:
        touched |= _found_anew(bench, fact_id, set(facts))
    for place in list_places(db, facts):
        subject_id = new if place.subject_id == old else place.subject_id
        object_id = new if place.object_id == old else place.object_id
        key = f"#{object_id}" if object_id is not None else place.object_key
        twin = find_identity(db, subject_id, place.predicate_id, key, place.rank)
        if twin is not None and twin != place.fact_id:
            bench.indexing.touch([twin])
            touched.add(twin)
            _pour(bench, place.fact_id, twin)
            continue
        _readdress(bench, place, subject_id, object_id, key)
    _settle(bench, [*before, *list_timelines(db, sorted(touched))], sorted(touched))
    return len(facts)


def _found_anew(bench: Workbench, founder: int, leaving: set[int]) -> set[int]:
    """Name a timeline after one of those that stay, when the fact it is named after leaves."""
    staying = sorted(set(list_of_timeline(bench.db, founder)) - leaving)
    for fact_id in staying:
        change_field(bench.db, bench.recorded, "fact", fact_id, "timeline_id", staying[0])
    return set(staying)


def _pour(bench: Workbench, fact_id: int, twin: int) -> None:
    """Give the evidence of a fact to another that says the same."""
    for number in list_numbers(bench.db, fact_id):
        change_field(bench.db, bench.recorded, "evidence", number, "fact_id", twin)
        if get_field(bench.db, "evidence", number, "fact_id") != twin:
            # The other rests on this very sentence already.
            change_field(
                bench.db, bench.recorded, "evidence", number, "recorded_to", bench.recorded
            )


def _readdress(
    bench: Workbench, place: FactPlace, subject_id: int, object_id: int | None, key: str
) -> None:
    predicate = bench.predicate_of(place.predicate_id)
    timeline_id = _timeline(bench, place, predicate, subject_id, key)
    changes = {"subject_id": subject_id, "object_id": object_id, "object_key": key}
    for name, value in changes.items():
        change_field(bench.db, bench.recorded, "fact", place.fact_id, name, value)
    if timeline_id is not None:
        bench.close_periods(place.fact_id)
        change_field(bench.db, bench.recorded, "fact", place.fact_id, "timeline_id", timeline_id)


def _timeline(
    bench: Workbench, place: FactPlace, predicate: Predicate, subject_id: int, key: str
) -> int | None:
    """Find the timeline a fact joins where it moves to; ``None`` keeps it in its own."""
    if predicate.cardinality == "single":
        there = find_timeline(bench.db, subject_id, predicate.number, None)
    elif predicate.is_ranked and place.rank is not None:
        there = find_timeline(bench.db, subject_id, predicate.number, place.rank)
    elif predicate.opposite is not None and (opposite := bench.predicate(predicate.opposite)):
        known = list_same(bench.db, subject_id, opposite.number, key)
        there = known[0].timeline_id if known else place.fact_id
    else:
        return None
    wanted = place.fact_id if there is None else there
    return None if wanted == place.timeline_id else wanted


def _settle(
    bench: Workbench, timelines: Iterable[tuple[int, int, int | None]], facts: Sequence[int]
) -> None:
    for timeline_id, predicate_id, rank in dict.fromkeys(timelines):
        rule = rule_of(bench.predicate_of(predicate_id), rank)
        settle(bench.db, timeline_id, rule, recorded=bench.believed_from)
    end_strays(bench.db, facts, recorded=bench.believed_from)
    for fact_id in facts:
        refresh(bench.db, fact_id)
