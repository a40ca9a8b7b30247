"""Hide the names that only hidden sentences have used, and show them again with those sentences.

What is hidden of names follows from what is hidden of sentences, in whatever order that came about:
it is computed anew for whoever a change has touched.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from memorycore.model.candidate import Candidate, Naming
from memorycore.model.word import fold
from memorycore.store.connection import Connection
from memorycore.store.entities import name_key
from memorycore.store.fact_index import FactIndexing
from memorycore.store.facts import list_of_entity
from memorycore.store.hidden_names import (
    NameRow,
    hidden_texts,
    hides_anything,
    list_veiled,
    names_instead,
    names_standing,
    seen_speakers,
    set_name_hidden,
    silent_speakers,
)
from memorycore.store.reach import family_of
from memorycore.store.stray_names import Silenced, list_roots, other_texts


def refresh_names(
    db: Connection,
    indexing: FactIndexing,
    entities: Iterable[int],
    texts: Iterable[str] | None = None,
) -> None:
    """Bring what is hidden of the names of some entities to what is hidden of sentences now.

    A name that none of ``texts`` says is taken to be as it was, unless it is hidden.
    """
    if not hides_anything(db):
        return
    said = None if texts is None else _joined(texts)
    for root in list_roots(db, sorted(set(entities))):
        family = family_of(db, [root])
        changed = _changed(db, family, said)
        if changed:
            # Whatever speaks of who loses a name is found by that name until it is indexed again.
            for entity in family:
                indexing.touch(list_of_entity(db, entity))
        for name in changed:
            set_name_hidden(db, name, hidden=not name.is_hidden)


def stale_names(db: Connection) -> list[int]:
    """List the entities of whose names something else is hidden than what hidden sentences say."""
    return [root for root in list_veiled(db) if _changed(db, family_of(db, [root]), None)]


def _changed(db: Connection, family: Sequence[int], said: str | None) -> list[NameRow]:
    """List the names, of those that folded texts use, that are to be hidden or shown again."""
    names = names_standing(db, family)
    asked = _asked(names, said)
    hidden = _hidden_among(db, family, names, asked)
    return [name for name in asked if name.is_hidden != (name in hidden)]


def find_hidden(
    db: Connection, entities: Sequence[int], texts: Sequence[str], silenced: Silenced
) -> list[NameRow]:
    """List the names that would be hidden, and are not, once texts and what says them are."""
    found: list[NameRow] = []
    said = _joined(texts)
    for root in list_roots(db, entities):
        family = family_of(db, [root])
        names = names_standing(db, family)
        asked = _asked(names, said)
        shown = _shown_among(db, family, asked, silenced)
        hidden = decide_hidden(names, {one for one in asked if fold(one.name) not in shown})
        found += [one for one in names if one in hidden and not one.is_hidden]
    return found


def decide_hidden(names: Sequence[NameRow], unused: Collection[NameRow]) -> set[NameRow]:
    """Decide which names are hidden of those that are not used any more.

    Who would have none left keeps its own.
    """
    if any(one.record == "alias" and one not in unused for one in names):
        return set(unused)
    return {one for one in unused if not one.is_own}


def _asked(names: Sequence[NameRow], said: str | None) -> list[NameRow]:
    """List the names that texts, folded, use, and those that are hidden; without texts all."""
    return [
        one
        for one in names
        if one.is_hidden or (not one.is_given and (said is None or fold(one.name) in said))
    ]


def _hidden_among(
    db: Connection, family: Sequence[int], names: Sequence[NameRow], asked: Sequence[NameRow]
) -> set[NameRow]:
    """Decide which of the names that are asked for only hidden sentences use."""
    shown = _shown_among(db, family, asked, Silenced(only_seen=True))
    left = [one for one in asked if fold(one.name) not in shown]
    silent = silent_speakers(db, family) if left else set()
    used = {fold(one.name) for one in left if one.record == "entity" and one.row_id in silent}
    used |= _said_among({fold(one.name) for one in left}, hidden_texts(db, family) if left else ())
    return decide_hidden(names, {one for one in left if fold(one.name) in used})


def _shown_among(
    db: Connection, family: Sequence[int], asked: Sequence[NameRow], silenced: Silenced
) -> set[str]:
    """Find which of some names, folded, are used by what is shown; who speaks uses its own."""
    if not asked:
        return set()
    speaking = seen_speakers(db, family, silenced.episodes)
    shown = {fold(one.name) for one in asked if one.record == "entity" and one.row_id in speaking}
    left = {fold(one.name) for one in asked} - shown
    return shown | _said_among(left, other_texts(db, family, silenced) if left else ())


def _said_among(names: set[str], texts: Iterable[str]) -> set[str]:
    """Find which of some folded names stand in any of some texts."""
    found: set[str] = set()
    for text in texts:
        folded = fold(text)
        found |= {name for name in names - found if name in folded}
        if found == names:
            break
    return found


def _joined(texts: Iterable[str]) -> str:
    return "\n".join(map(fold, texts))


def name_as_shown(
    db: Connection, scope_id: int, candidate: Candidate, texts: Iterable[str]
) -> Candidate:
    """Give a candidate under the names that are shown; what its own texts say stays."""
    said = _joined(texts)
    instead = {
        name_key(name): other
        for name, other in names_instead(db, scope_id)
        if fold(name) not in said
    }

    def named(naming: Naming | None) -> Naming | None:
        if naming is None:
            return None
        aliases = tuple(one for one in naming.aliases if name_key(one) not in instead)
        return replace(
            naming, name=instead.get(name_key(naming.name), naming.name), aliases=aliases
        )

    if not instead:
        return candidate
    return replace(
        candidate,
        subject=named(candidate.subject),
        object=named(candidate.object),
        attributed_to=named(candidate.attributed_to),
        value=candidate.value and instead.get(name_key(candidate.value), candidate.value),
    )
