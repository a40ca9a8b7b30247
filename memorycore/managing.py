"""What a person can do with a handle: remember, review, name entities."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memorycore.errors import InvalidInputError, NotFoundError, SuppressedError
from memorycore.importing import Importer
from memorycore.learning import read_policy
from memorycore.looking import find_entity
from memorycore.model.given import require_limit
from memorycore.model.name import require_name, require_text, require_value
from memorycore.schemas import Schemer
from memorycore.store.scopes import find_scope

if TYPE_CHECKING:
    from memorycore.engine.learn import Learning
    from memorycore.engine.workbench import Workbench
    from memorycore.model.decision import AdmitResult
    from memorycore.model.entity import Entity
    from memorycore.model.operation import Operation
    from memorycore.model.review import CandidateView
    from memorycore.model.tag import TagUse
    from memorycore.store.candidates import StoredCandidate
    from memorycore.store.connection import Connection
    from memorycore.store.entities import EntityRow
    from memorycore.store.quarantine import StoredLine

PAGE = 500


class Curator(Schemer, Importer):
    """The use cases of a person: each writes one operation that can be undone.

    With ``dry_run`` a use case does it all and takes it back; the operation it gives is none that
    was kept.
    """

    def remember(
        self,
        text: str,
        *,
        about: str | None = None,
        predicate: str | None = None,
        object: str | None = None,  # noqa: A002 (the public name)
        valid_from: str | None = None,
        valid_to: str | None = None,
        at: str | None = None,
        session: str | None = None,
        pin: bool = False,
        dry_run: bool = False,
    ) -> "AdmitResult":
        """Keep one sentence now, as an episode and as the fact that it states.

        Without ``predicate`` the sentence is kept as a ``note``, in its own words. ``about`` names
        whom it speaks of, else it is whoever the scope belongs to. A person's word outranks what
        policies ask of others, but not the gate: secrets are refused here too, and of what the
        store was told to forget nothing is kept (``operation`` is ``None``).

        Raises:
            NotFoundError: there is no such predicate; nothing is kept.
        """
        from memorycore.engine.remember import Sentence, remember

        _check_said(text, about, predicate, object)
        if predicate is not None:
            self.predicate(predicate)
        sentence = Sentence(
            text,
            about,
            predicate or "note",
            text.strip() if object is None else object,
            self._moment(valid_from),
            self._moment(valid_to),
            self._moment(at),
            session,
            pin,
        )
        learning = self._learning("remember", read_policy(None, "queue"))
        learning.result.dry_run = dry_run
        try:
            with self._store.write(dry_run=dry_run) as db:
                remember(learning, db, sentence, now=self._store.clock(), on_secret=self._on_secret)
        except SuppressedError:
            if not learning.result.outcomes:
                raise
            learning.result.operation = None
        return learning.result

    def _moment(self, text: str | None) -> Any:
        from memorycore.model.time import parse_bound

        if text is None:
            return None
        return parse_bound(text, now=self._store.clock(), zone=self.time_zone)

    def candidates(self, *, state: str | None = None) -> "Iterator[CandidateView]":
        """List candidates of this handle's scopes, oldest first.

        ``state`` is ``pending``, ``review``, ``decided``, or ``None`` for all.
        """
        from memorycore.engine.review import view_candidate
        from memorycore.store.candidates import list_candidates

        if state not in (None, "pending", "review", "decided"):
            raise InvalidInputError(f"{state!r} is no state.", hint="pending, review or decided")
        after = 0
        while True:
            with self._store.read() as db:
                numbers = self._scope_ids(db)
                found = list_candidates(db, numbers, state=state, after=after, limit=PAGE)
                views = [view_candidate(db, one) for one in found]
            yield from views
            if len(found) < PAGE:
                return
            after = found[-1].candidate_id

    def reviews(self, *, before: str | None = None) -> "list[CandidateView]":
        """List what waits for a person, oldest first; with ``before`` what came in before a time.

        ``before`` is an ISO date of any precision, ``now``, or ``-3d``.
        """
        until = self._moment(before)
        found = self.candidates(state="review")
        return [view for view in found if until is None or view.at < until.from_]

    def conflicts(self) -> "list[CandidateView]":
        """List the contradictions that wait for a person: both statements stand, uncertain."""
        return [view for view in self.candidates(state="review") if view.decision == "conflict"]

    def quarantined(self, *, after: int = 0, limit: int = 1000) -> "list[StoredLine]":
        """List the lines that were no candidates, with their texts, oldest first.

        ``after`` is the number of the line after which the list goes on.
        """
        from memorycore.store.quarantine import list_quarantined

        with self._store.read() as db:
            numbers = self._scope_ids(db)
            if not numbers:
                return []
            return list_quarantined(
                db, numbers, after=require_limit(after, "after"), limit=require_limit(limit)
            )

    def approve(
        self, candidate: str, *, into: str | None = None, dry_run: bool = False
    ) -> "AdmitResult":
        """Admit a candidate that waits; ``into`` names a fact that it is to be merged into.

        A conflict is decided for the candidate.
        """
        from memorycore.engine.recount import find_fact
        from memorycore.engine.review import approve

        def step(learning: "Learning", db: "Connection", one: "StoredCandidate") -> None:
            fact = None if into is None else find_fact(db, [self.scope], into)
            approve(learning, db, one, now=self._store.clock(), into=fact)

        return self._on_waiting(candidate, step, dry_run=dry_run)

    def reject(self, candidate: str, reason: str, *, dry_run: bool = False) -> "AdmitResult":
        """Reject a candidate that waits, with a reason in a few words."""
        from memorycore.engine.gate import require_safe
        from memorycore.engine.review import reject

        require_safe("The reason", require_text(reason, "The reason"))

        def step(learning: "Learning", db: "Connection", one: "StoredCandidate") -> None:
            reject(learning, db, one, reason, now=self._store.clock())

        return self._on_waiting(candidate, step, dry_run=dry_run)

    def edit(
        self, candidate: str, changes: Mapping[str, Any], *, dry_run: bool = False
    ) -> "AdmitResult":
        """Change a candidate that waits, and admit what it has become.

        ``changes`` holds fields of the candidate format. The first candidate stays on record; what
        replaces it rests on the same sentences.
        """
        from memorycore.engine.edit import edit
        from memorycore.exchange.candidate_line import read_candidate_item

        def step(learning: "Learning", db: "Connection", one: "StoredCandidate") -> None:
            edit(
                learning,
                db,
                one,
                lambda shape: read_candidate_item(
                    shape | dict(changes), time_zone=self.time_zone, place="review"
                ),
                now=self._store.clock(),
            )

        return self._on_waiting(candidate, step, dry_run=dry_run)

    def _on_waiting(
        self,
        candidate: str,
        step: "Callable[[Learning, Connection, StoredCandidate], None]",
        *,
        dry_run: bool,
    ) -> "AdmitResult":
        learning = self._learning("review", read_policy(None, "queue"))
        learning.result.dry_run = dry_run
        with self._store.write(dry_run=dry_run) as db:
            scope_id = find_scope(db, self.scope)
            if scope_id is None:
                raise NotFoundError(f"There is no candidate in {self.scope}.")
            step(learning, db, self._candidate(db, scope_id, candidate))
        return self._without_unreal(learning.result) if dry_run else learning.result

    def find_entities(self, name: str) -> "list[Entity]":
        """Find entities by exact name or alias; then those whose name is only similar."""
        from memorycore.engine.identify import find_entities

        require_text(name, "A name")
        with self._store.read() as db:
            return find_entities(db, self._scope_ids(db), name)

    def entities(self) -> "Iterator[Entity]":
        """List the entities of this handle's scopes, oldest first."""
        from memorycore.engine.identify import read_entity
        from memorycore.store.entities import list_entities

        after = 0
        while True:
            with self._store.read() as db:
                numbers = self._scope_ids(db)
                rows = list_entities(db, numbers, after=after, limit=PAGE) if numbers else []
                found = [read_entity(db, row) for row in rows]
            yield from found
            if len(rows) < PAGE:
                return
            after = rows[-1].entity_id

    def tags(self) -> "list[TagUse]":
        """List the tags of this handle's scopes by name, each with how it is used (seed 000, T7).

        The registry is derived from the facts, so an item that is handled twice counts once.
        """
        from memorycore.store.tags import list_uses

        with self._store.read() as db:
            numbers = self._scope_ids(db)
            return list_uses(db, numbers) if numbers else []

    def claims(self, *, superseded: bool = False) -> "Iterator[dict[str, Any]]":
        """Give what rests on imported memory items as a stream of entities and claims (seed 000).

        The order is by type and id, then by domain, predicate and claim id, so the same facts give
        the same stream, however they came in (G5). With ``superseded`` past claims stand there too,
        with the ids of those that took their place; readers of the format do not take these.
        """
        from memorycore.claiming import iter_claims
        from memorycore.memory import Memory

        assert isinstance(self, Memory), "a handle is part of a memory"
        return iter_claims(self, superseded=superseded)

    def entity(self, name: str) -> "Entity":
        """Read one entity, by id or exact name."""
        from memorycore.engine.identify import read_entity

        with self._store.read() as db:
            return read_entity(db, find_entity(db, self._scope_ids(db), name))

    def add_alias(self, entity: str, alias: str, *, dry_run: bool = False) -> "Operation":
        """Give an entity another name."""
        from memorycore.engine.gate import require_safe

        require_safe("The name", require_name(alias, "The name"))

        def step(bench: "Workbench", row: "EntityRow") -> None:
            if not alias.strip() or not bench.add_alias(row.entity_id, alias.strip()):
                raise InvalidInputError("That name is empty, or one it has already.")

        return self._on_entity(entity, step, dry_run=dry_run)

    def remove_alias(self, entity: str, alias: str, *, dry_run: bool = False) -> "Operation":
        """Take another name away from an entity."""
        require_text(alias, "The name")

        def step(bench: "Workbench", row: "EntityRow") -> None:
            if not bench.remove_alias(row.entity_id, alias):
                raise NotFoundError("It has no such alias.", hint="memoryctl entity show ENTITY")

        return self._on_entity(entity, step, dry_run=dry_run)

    def merge_entities(self, kept: str, merged: str, *, dry_run: bool = False) -> "Operation":
        """Make two entities one: what is said of the second is said of the first."""
        from memorycore.engine.identify import merge_entities

        def step(bench: "Workbench", row: "EntityRow") -> None:
            other = find_entity(bench.db, [bench.scene.scope_id], merged)
            merge_entities(bench, row, other)

        return self._on_entity(kept, step, dry_run=dry_run)

    def split_entity(
        self, entity: str, distinction: str, facts: Sequence[str], *, dry_run: bool = False
    ) -> "Operation":
        """Tell two entities of one name apart; the facts named are the second one's."""
        from memorycore.engine.gate import require_safe
        from memorycore.engine.identify import split_entity
        from memorycore.engine.recount import find_fact

        if distinction:
            require_name(distinction, "The word that tells them apart")
        require_safe("The word that tells them apart", distinction)

        def step(bench: "Workbench", row: "EntityRow") -> None:
            numbers = [find_fact(bench.db, [self.scope], fact) for fact in facts]
            split_entity(bench, row, distinction, numbers)

        return self._on_entity(entity, step, dry_run=dry_run)

    def _on_entity(
        self, entity: str, step: "Callable[[Workbench, EntityRow], None]", *, dry_run: bool
    ) -> "Operation":
        learning = self._learning("entity", read_policy(None, "queue"))
        with self._store.write(dry_run=dry_run) as db:
            scope_id = find_scope(db, self.scope)
            row = find_entity(db, [] if scope_id is None else [scope_id], entity)
            bench = learning.bench(db, self._store.clock())
            step(bench, row)
            learning.finish(bench)
        assert learning.result.operation is not None, "a bench has an operation"
        return learning.result.operation

    def _scope_ids(self, db: "Connection") -> list[int]:
        found = (find_scope(db, name) for name in self.scopes)
        return [number for number in found if number is not None]


def _check_said(text: str, about: str | None, predicate: str | None, named: str | None) -> None:
    """Check what a sentence that is to be remembered is said to state."""
    from memorycore.engine.gate import require_safe

    if (predicate is None) != (named is None):
        raise InvalidInputError(
            "predicate and object go together.", hint="--predicate lives_in --object Porto"
        )
    if about is not None:
        require_name(about, "about")
    if named is not None:
        require_value(named, "object")
    elif text.strip():  # what is empty is refused as a message
        require_value(text.strip(), "text")
    require_safe("The statement", about, named)
