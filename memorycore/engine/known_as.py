"""Under which names a statement may come again: those of whom it speaks, and of what.

Whoever a scope is named after, who speaks in it without a name, and the one person who speaks in
it at all are taken for one: the owner. When a second person speaks, only the name tells who is.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from memorycore.engine.resolve import Resolved
from memorycore.model.candidate import Candidate, Naming
from memorycore.model.essence import name_essence
from memorycore.model.name import SPEAKER_WORDS
from memorycore.model.scope import owner_of
from memorycore.store.connection import Connection
from memorycore.store.entities import get_entity_row, name_key
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
class FactNames:
    """Finds the names under which facts of a scope are known, or were once; each is read once."""

    db: Connection
    scope_id: int
    scope: str
    _known: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def of(self, fact: FactContent) -> Told:
        """List the names of whom and of what a fact speaks."""
        objects = fact.objects if fact.object_id is None else self._named(fact.object_id)
        return Told(self._named(fact.subject_id), fact.predicate, objects)

    def _named(self, entity_id: int) -> tuple[str, ...]:
        if entity_id not in self._known:
            self._known[entity_id] = self._read(entity_id)
        return self._known[entity_id]

    def _read(self, entity_id: int) -> tuple[str, ...]:
        names = list_names(self.db, entity_id, ever=True)
        row = get_entity_row(self.db, entity_id)
        if row.kind not in SPEAKERS or not names:
            return tuple(names)
        is_owner = _name_scope(self.scope, names) or _stand_for_speaker(names)
        if is_owner:
            names[1:1] = [owner_of(self.scope), self.scope]
        spoken = list_who_spoke(self.db, self.scope_id, kind=row.kind)
        if len(spoken) < 2 and (is_owner or spoken == [entity_id]):
            names.insert(0, OWNER + row.kind)
        return tuple(names)


@dataclass(frozen=True, slots=True)
class CandidateNames:
    """Finds the names that a candidate gives, and those of the entities that they stand for."""

    db: Connection
    scope_id: int
    scope: str
    speaker: Resolved
    """Who said the sentence that the candidate rests on."""

    def of(
        self, candidate: Candidate, predicate: str, subject: Resolved, object_: Resolved | None
    ) -> Told:
        """List the names of whom and of what a candidate speaks."""
        said = candidate.object
        if said is None and candidate.value is not None:
            said = Naming(candidate.value)
        return Told(
            self._of_naming(candidate.subject, subject), predicate, self._of_naming(said, object_)
        )

    def _of_naming(self, naming: Naming | None, found: Resolved | None) -> tuple[str, ...]:
        names = [] if naming is None else [naming.name, *naming.aliases]
        whom = found
        if _stand_for_speaker(names) and self.speaker.kind == "person":
            whom = self.speaker
            names += self._of_resolved(whom)
        names[1:1] = self._of_resolved(found)
        kind = "person" if whom is None else whom.kind
        if kind in SPEAKERS and self._is_owner(kind, whom, names):
            names.insert(0, OWNER + kind)
        return tuple(names)

    def _of_resolved(self, found: Resolved | None) -> list[str]:
        if found is None:
            return []
        known = found.entity_id
        return [found.name, *(() if known is None else list_names(self.db, known, ever=False))]

    def _is_owner(self, kind: str, whom: Resolved | None, names: Sequence[str]) -> bool:
        if _name_scope(self.scope, names):
            return True
        if whom is not self.speaker and _stand_for_speaker(names):
            return True
        if whom is None or whom.entity_id is None:
            return False
        return list_who_spoke(self.db, self.scope_id, kind=kind) == [whom.entity_id]


def _name_scope(scope: str, names: Iterable[str]) -> bool:
    """Tell whether a scope is named after who has some names."""
    own = {name_essence(owner_of(scope)), name_essence(scope)}
    return any(name_essence(name) in own for name in names)


def _stand_for_speaker(names: Iterable[str]) -> bool:
    """Tell whether one of some names is a word for whoever speaks."""
    return any(name_key(name) in SPEAKER_WORDS for name in names)
