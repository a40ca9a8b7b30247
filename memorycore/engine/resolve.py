"""Resolve names to entities: by exact folded name or alias in the scope, never by likeness.

Nothing is written here: an entity that is not there yet is made when its statement is admitted.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memorycore.model.candidate import Naming
from memorycore.model.name import name_fault
from memorycore.model.predicate import Predicate
from memorycore.model.scope import owner_of
from memorycore.store.connection import Connection
from memorycore.store.entities import EntityRow, find_entity, get_entity_row, list_named, name_key
from memorycore.store.sightings import Turn


@dataclass(frozen=True, slots=True)
class Resolved:
    """An entity that a name stands for; without a number it is still to be made."""

    entity_id: int | None
    kind: str
    name: str
    aliases: tuple[str, ...] = ()

    @property
    def is_agent(self) -> bool:
        return self.kind == "agent"


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a name could not be resolved: a reason code."""

    reason: str


class Resolver:
    """Resolves the names of one scope; remembers within one transaction what it has looked up."""

    def __init__(self, db: Connection, scope_id: int, scope: str) -> None:
        self._db = db
        self._scope_id = scope_id
        self._scope = scope
        self._named: dict[str, list[EntityRow]] = {}

    def forget(self, name: str) -> None:
        """Look a name up again next time: what it stands for has changed."""
        self._named.pop(name_key(name), None)

    def subject(self, naming: Naming | None, turn: Turn, predicate: Predicate) -> Resolved | Fault:
        """Resolve a subject; without a name it is whoever said the sentence."""
        found: Resolved | Fault
        if naming is None:
            found = self.speaker(turn)
        else:
            found = self.named_entity(naming, predicate.subject_kinds, "person")
        if isinstance(found, Fault):
            return found
        if predicate.subject_kinds and found.kind not in predicate.subject_kinds:
            return Fault("agent_affect" if _is_affect(found, predicate) else "subject_kind")
        if found.is_agent and not predicate.allow_agent_subject:
            return Fault("agent_affect" if _is_affect(found, predicate) else "subject_kind")
        return found

    def speaker(self, turn: Turn) -> Resolved:
        """Resolve whoever said a sentence; without a name it is who the scope is named after."""
        if turn.speaker_id is not None:
            row = get_entity_row(self._db, turn.speaker_id)
            if row.merged_into is not None:
                row = get_entity_row(self._db, row.merged_into)
            return _known(row)
        prefix, _, _ = self._scope.partition(":")
        kind = "agent" if prefix == "agent" or turn.role == "assistant" else "person"
        own = owner_of(self._scope)
        rows = [row for row in self.named(own) if row.kind == kind]
        # Of several that were told apart, it is the first, which no word sets off.
        rows.sort(key=lambda row: (row.distinction, row.entity_id))
        return _known(rows[0]) if rows else Resolved(None, kind, own)

    def named_entity(
        self, naming: Naming, allowed: Sequence[str], otherwise: str
    ) -> Resolved | Fault:
        """Resolve a name among the kinds that are allowed; a new one gets the first of them."""
        rows = self.named(naming.name)
        kinds = (naming.kind,) if naming.kind is not None else allowed
        fitting = [row for row in rows if not kinds or row.kind in kinds]
        if len(fitting) > 1:
            own = [row for row in fitting if name_key(row.own_name) == name_key(naming.name)]
            fitting = own if len(own) == 1 else fitting
        if len(fitting) > 1:
            return Fault("entity_ambiguous")
        if fitting:
            return _known(fitting[0], self._free(naming, fitting[0].entity_id))
        kind = naming.kind or (allowed[0] if allowed else otherwise)
        # It may have been merged into one of another kind.
        if (merged := find_entity(self._db, self._scope_id, naming.name, kind=kind)) is not None:
            return _known(get_entity_row(self._db, merged), self._free(naming, merged))
        return Resolved(None, kind, naming.name, self._free(naming, None))

    def _free(self, naming: Naming, entity_id: int | None) -> tuple[str, ...]:
        """List the aliases that are no other entity's own name."""
        return tuple(
            alias
            for alias in naming.aliases
            if not any(
                row.entity_id != entity_id and name_key(row.own_name) == name_key(alias)
                for row in self.named(alias)
            )
        )

    def named(self, name: str) -> list[EntityRow]:
        """List the entities that have a name."""
        key = name_key(name)
        if key not in self._named:
            self._named[key] = list_named(self._db, self._scope_id, name)
        return self._named[key]

    def object(
        self, naming: Naming | None, value: str | None, predicate: Predicate
    ) -> Resolved | Fault | None:
        """Resolve an object; ``None`` when it is a text.

        A text that is the name of a known entity becomes that entity where the predicate takes one;
        where it takes nothing else, the text becomes a new one.
        """
        kinds = predicate.object_kinds
        if naming is not None:
            if predicate.object_kind == "literal":
                return None
            found = self.named_entity(naming, kinds, "thing")
            if isinstance(found, Resolved) and kinds and found.kind not in kinds:
                return Fault("object_kind")
            return found
        if predicate.object_kind == "literal" or value is None:
            return None
        known = self.named_entity(Naming(value), kinds, "thing")
        if isinstance(known, Fault) or known.entity_id is not None:
            return known
        if predicate.object_kind != "entity":
            return None
        return Fault("bad_value") if name_fault(value) else known


_DESCRIPTION = re.compile(
    # "a cat", "The cat", but not "The Magic Mountain".
    r"\s*(?:(?i:an?|the|my|our|his|her|their|some|one|two|three|four|several)\s+[a-z]"
    r"|[一二两兩三四五几幾0-9]+\s*[只隻个個条條位名家本部座头頭匹])"
)


def describes(text: str) -> bool:
    """Tell whether a text describes a thing ("a cat", 一只猫) rather than names it."""
    return _DESCRIPTION.match(text) is not None


def _known(row: EntityRow, aliases: tuple[str, ...] = ()) -> Resolved:
    return Resolved(row.entity_id, row.kind, row.name, aliases)


def _is_affect(found: Resolved, predicate: Predicate) -> bool:
    return found.is_agent and predicate.fact_type in ("relational_state", "transient_context")
