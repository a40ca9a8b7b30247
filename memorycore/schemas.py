"""What a handle can do with predicate schemas: list, read, compare and set them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memorycore.errors import NotFoundError
from memorycore.learning import Learner, read_policy
from memorycore.model.name import require_text

if TYPE_CHECKING:
    from memorycore.model.operation import Operation
    from memorycore.model.predicate import Predicate


class Schemer(Learner):
    """The use cases of predicate schemas; each that writes is one operation."""

    def predicates(self) -> "list[Predicate]":
        """List the predicate schemas, by name."""
        from memorycore.store.predicates import list_predicates

        with self._store.read() as db:
            return list_predicates(db)

    def predicate(self, name: str) -> "Predicate":
        """Read one predicate schema, by name or alias.

        Raises:
            NotFoundError: there is none.
        """
        from memorycore.store.predicates import find_predicate

        require_text(name, "The name of a predicate")
        with self._store.read() as db:
            found = find_predicate(db, name)
        if found is None:
            raise NotFoundError(
                f"There is no predicate {name[:64]!r}.", hint="memoryctl predicate list"
            )
        return found

    def predicates_toml(self, names: Sequence[str] = ()) -> str:
        """Write predicate schemas as a TOML file: those named, else all."""
        from memorycore.exchange.predicate_file import write_predicates

        return write_predicates([self.predicate(name) for name in names] or self.predicates())

    def set_predicate(
        self, name: str, changes: Mapping[str, Any], *, dry_run: bool = False
    ) -> "Operation | None":
        """Change fields of a predicate schema; it is in force from then on.

        Gives ``None`` when it is like that already, and nothing was written.

        Raises:
            NotFoundError: there is no such predicate.
            InvalidInputError: a field is unknown, or the combination is impossible.
            RefusedError: facts of the predicate would have to be arranged anew.
        """
        from memorycore.exchange.predicate_file import change_predicate

        changed = change_predicate(self.predicate(name), changes)
        return self.add_predicates([changed], dry_run=dry_run)

    def compare_predicates(
        self, text: str, *, source: str = "predicates"
    ) -> "dict[str, list[str]]":
        """Say which predicates of a TOML file are ``added``, ``changed`` or ``unchanged``, by name.

        Nothing is written.

        Raises:
            InvalidInputError: the text cannot be read.
        """
        from memorycore.exchange.predicate_file import read_predicates

        standing = {one.name: one for one in self.predicates()}
        found: dict[str, list[str]] = {"added": [], "changed": [], "unchanged": []}
        for one in read_predicates(text, source=source):
            old = standing.get(one.name)
            state = "changed" if old is not None else "added"
            found["unchanged" if _is_same(one, old) else state].append(one.name)
        return found

    def add_predicates(
        self,
        predicates: "Sequence[Predicate] | str",
        *,
        source: str = "predicates",
        dry_run: bool = False,
    ) -> "Operation | None":
        """Add predicate schemas or set them anew, from records or from the text of a TOML file.

        Those that are there just so are left alone; ``None`` when that holds for all of them.

        Raises:
            InvalidInputError: the text cannot be read, or a combination is impossible.
            RefusedError: facts of a predicate would have to be arranged anew.
        """
        from memorycore.engine.schema import set_predicates
        from memorycore.exchange.predicate_file import read_predicates
        from memorycore.store.predicates import list_predicates

        if isinstance(predicates, str):
            predicates = read_predicates(predicates, source=source)
        learning = self._learning("predicate", read_policy(None, "queue"))
        with self._store.write(dry_run=dry_run) as db:
            standing = {one.name: one for one in list_predicates(db)}
            predicates = [one for one in predicates if not _is_same(one, standing.get(one.name))]
            if not predicates:
                return None
            bench = learning.bench(db, self._store.clock())
            set_predicates(bench, predicates)
            learning.finish(bench)
        assert learning.result.operation is not None, "a bench has an operation"
        return learning.result.operation


def _is_same(one: "Predicate", other: "Predicate | None") -> bool:
    """Tell whether two predicates differ in nothing but their rows in a store."""
    return other is not None and replace(one, number=other.number) == other
