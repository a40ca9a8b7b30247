"""Find whom a name means: exactly, and apart from that those of whom it may be a spelling."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memorycore.engine.identify import SIMILAR, likeness, read_entity
from memorycore.errors import InvalidInputError
from memorycore.model.entity import Entity
from memorycore.model.name import bare, stands_in
from memorycore.model.subject import SubjectMatch, SubjectMatches
from memorycore.store.connection import Connection
from memorycore.store.entities import (
    EntityRow,
    get_entity_row,
    list_aliases,
    list_named,
    name_key,
)
from memorycore.store.reach import family_of
from memorycore.store.subjects import count_said_by, iter_names, iter_texts

MAX_NEAR = 50
"""So many near matches are listed; the others are only counted."""
SHORTEST_NAME = 2
"""A name of one character stands in any text by chance and is not looked for."""


@dataclass(frozen=True, slots=True)
class Whom:
    """Somebody by number. ``family`` are all entities merged into one; a whole scope has none."""

    scope_id: int
    entity: Entity | None
    family: tuple[int, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def is_whole(self) -> bool:
        return self.entity is None


def whom(db: Connection, row: EntityRow) -> Whom:
    """Follow an entity to all that it is one with, and to all its names."""
    if row.merged_into is not None:
        row = get_entity_row(db, row.merged_into)
    family = tuple(family_of(db, [row.entity_id]))
    return Whom(row.scope_id, read_entity(db, row), family, names_of(db, row))


def names_of(db: Connection, row: EntityRow) -> tuple[str, ...]:
    """List the names of an entity, its own first."""
    return (row.name, *(name for _, name in list_aliases(db, row.entity_id)))


def spelled(names: Iterable[str]) -> tuple[str, ...]:
    """Give names as they are looked for in bare texts; those that are too short are left out."""
    found = dict.fromkeys(map(bare, names))
    return tuple(name for name in found if len(name) >= SHORTEST_NAME)


def is_named(spellings: Sequence[str], text: str) -> bool:
    """Tell whether a text holds any of some names."""
    plain = bare(text)
    return any(stands_in(name, plain) for name in spellings)


def find_near(
    db: Connection, scope_ids: Sequence[int], names: Sequence[str], but: Iterable[int]
) -> tuple[tuple[Entity, ...], int]:
    """Find the entities whose name is almost one of some names, or holds one, the likest first.

    ``but`` are not looked at. Gives at most ``MAX_NEAR``, and how many more there are.
    """
    known, spellings = set(but), spelled(names)
    scores: dict[int, float] = {}
    for number, other in iter_names(db, scope_ids):
        if number in known:
            continue
        score = max(likeness(name, other) for name in names)
        if score >= SIMILAR or _holds(spellings, spelled([other])):
            scores[number] = max(score, scores.get(number, 0.0))
    ranked = sorted(scores, key=lambda number: (-scores[number], number))
    near = tuple(
        read_entity(db, get_entity_row(db, number), round(scores[number], 2))
        for number in ranked[:MAX_NEAR]
    )
    return near, max(0, len(ranked) - MAX_NEAR)


def _holds(names: Sequence[str], others: Sequence[str]) -> bool:
    """Tell whether one name is a part of another: Ana of Ana Reis, 林岚 of 林岚老师."""
    return any(
        stands_in(name, other) or stands_in(other, name) for name in names for other in others
    )


def find_subjects(db: Connection, scope_ids: Sequence[int], name: str) -> SubjectMatches:
    """Find whom a name or alias means exactly, and apart from them whom it is almost."""
    if not name_key(name):
        raise InvalidInputError("A name is needed.", hint="memoryctl subject find Ana")
    rows = [row for scope_id in scope_ids for row in list_named(db, scope_id, name, shown=True)]
    exact = tuple(read_entity(db, row) for row in rows)
    near, left_out = find_near(db, scope_ids, [name], (row.entity_id for row in rows))
    matches = _counted(db, scope_ids, [*exact, *near])
    return SubjectMatches(tuple(matches[: len(exact)]), tuple(matches[len(exact) :]), left_out)


def _counted(
    db: Connection, scope_ids: Sequence[int], entities: Sequence[Entity]
) -> list[SubjectMatch]:
    """Count what each has said, and where others name them, in one walk over the texts."""
    from memorycore.store.entities import list_by_uid

    rows = [list_by_uid(db, one.uid, one.uid, scope_ids)[0] for one in entities]
    families = [set(family_of(db, [row.entity_id])) for row in rows]
    spellings = [spelled(names_of(db, row)) for row in rows]
    mentions = [0] * len(entities)
    for _, speaker, text in iter_texts(db, scope_ids) if entities else ():
        plain = bare(text)
        for at, names in enumerate(spellings):
            if speaker not in families[at] and any(stands_in(name, plain) for name in names):
                mentions[at] += 1
    return [
        SubjectMatch(one, count_said_by(db, sorted(families[at])), mentions[at])
        for at, one in enumerate(entities)
    ]
