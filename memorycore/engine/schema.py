"""Set predicate schemas: checked together, as one operation; facts that are there must not move."""

from collections.abc import Sequence

from memorycore.engine.workbench import Workbench
from memorycore.errors import RefusedError
from memorycore.model.predicate import Predicate
from memorycore.model.predicate_rules import check_predicate
from memorycore.store.facts import list_of_predicate
from memorycore.store.journal import change_field
from memorycore.store.predicates import (
    count_facts_of,
    insert_predicate,
    list_predicates,
    standing_version,
)

ARRANGING = ("cardinality", "opposite", "is_ranked", "object_kind", "value_type")
"""What decides in which timeline a fact lies and by what it is known."""


def set_predicates(bench: Workbench, predicates: Sequence[Predicate]) -> None:
    """Set schemas anew, all or none.

    Raises:
        InvalidInputError: a combination is impossible.
        RefusedError: facts of a predicate would have to be arranged anew.
    """
    standing = {predicate.name: predicate for predicate in list_predicates(bench.db)}
    together = standing | {predicate.name: predicate for predicate in predicates}
    for predicate in together.values():
        check_predicate(predicate, together)
    for predicate in predicates:
        old = standing.get(predicate.name)
        if old is not None:
            _refuse_rearranging(bench, old, predicate)
            bench.indexing.touch(list_of_predicate(bench.db, old.number))
            version = standing_version(bench.db, old.number)
            change_field(
                bench.db,
                bench.recorded,
                "predicate_version",
                version,
                "recorded_to",
                bench.recorded,
            )
        insert_predicate(bench.db, predicate, recorded=bench.recorded)


def _refuse_rearranging(bench: Workbench, old: Predicate, new: Predicate) -> None:
    changed = [name for name in ARRANGING if getattr(old, name) != getattr(new, name)]
    if changed and (count := count_facts_of(bench.db, old.number)):
        raise RefusedError(
            f"predicate {new.name}: {', '.join(changed)} cannot change while "
            f"{count} facts rest on it.",
            why="they would have to be arranged anew, and what was believed before would be lost",
            hint="add a predicate of another name, or undo what admitted those facts first",
        )
