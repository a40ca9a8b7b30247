"""Under which names a statement may come again: those of whom it speaks, and of what.

Whoever a scope is named after, who speaks in it without a name, and the one person who speaks in
it at all are taken for one: the owner. When a second person speaks, only the name tells who is.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from memorycore.engine.resolve import Resolved
from memorycore.model.candidate import Candidate, Naming
from memorycore.model.essence import name_essence
from memorycore.model.scope import owner_of
from memorycore.store.connection import Connection
from memorycore.store.entities import get_entity_row
from memorycore.store.forgotten import FactContent
from memorycore.store.known_names import list_names, list_who_spoke

OWNER = "\0owner"
"""Stands for the owner among names: no name holds such a character."""
SPEAKERS = ("person", "agent")


@dataclass(frozen=True, slots=True)
class Told:
    """A statement under all names of whom and of what it speaks, the likeliest first."""

    subjects: tuple[str, ...]
    predicate: str
    objects: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Names:
    """Finds the names of what one scope speaks of."""

    db: Connection
    scope_id: int
    scope: str

    def of_fact(self, fact: FactContent) -> Told:
        """List the names under which a fact is known, or was once."""
        objects = fact.objects if fact.object_id is None else self._of_entity(fact.object_id)
        return Told(self._of_entity(fact.subject_id), fact.predicate, objects)

    def of_candidate(
        self, candidate: Candidate, predicate: str, subject: Resolved, object_: Resolved | None
    ) -> Told:
        """List the names that a candidate gives, and those of the entities they stand for."""
        objects = self._of_naming(candidate.object, object_)
        if candidate.object is None and candidate.value is not None:
            objects = (candidate.value, *objects)
        return Told(self._of_naming(candidate.subject, subject), predicate, objects)

    def _of_entity(self, entity_id: int) -> tuple[str, ...]:
        names = list_names(self.db, entity_id, ever=True)
        row = get_entity_row(self.db, entity_id)
        if row.kind not in SPEAKERS or not names:
            return tuple(names)
        is_named = self._is_named(names)
        if is_named:
            names[1:1] = [owner_of(self.scope), self.scope]
        spoken = list_who_spoke(self.db, self.scope_id, kind=row.kind)
        if len(spoken) < 2 and (is_named or spoken == [entity_id]):
            names.insert(0, OWNER + row.kind)
        return tuple(names)

    def _of_naming(self, naming: Naming | None, found: Resolved | None) -> tuple[str, ...]:
        names = [] if naming is None else [naming.name]
        if found is not None:
            names.append(found.name)
            if found.entity_id is not None:
                names += list_names(self.db, found.entity_id, ever=False)
        if naming is not None:
            names += naming.aliases
        if found is not None and self._is_owner(found, names):
            names.insert(0, OWNER + found.kind)
        return tuple(names)

    def _is_owner(self, found: Resolved, names: list[str]) -> bool:
        if found.kind not in SPEAKERS:
            return False
        if self._is_named(names):
            return True
        spoken = list_who_spoke(self.db, self.scope_id, kind=found.kind)
        return found.entity_id is not None and spoken == [found.entity_id]

    def _is_named(self, names: Iterable[str]) -> bool:
        """Tell whether the scope is named after who has these names."""
        own = {name_essence(owner_of(self.scope)), name_essence(self.scope)}
        return any(name_essence(name) in own for name in names)
