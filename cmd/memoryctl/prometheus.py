"""Counts in the text form that Prometheus reads."""

from collections.abc import Iterable

from memorycore import Stats

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n"})


def exposition(stats: Stats) -> str:
    """Write the counts of a store as metrics, each with its help and its type."""
    by_scope = [
        ("memorycore_episodes", "Episodes that may be seen.", "episodes"),
        ("memorycore_facts", "Facts that may be seen.", "facts"),
        ("memorycore_sessions", "Sessions.", "sessions"),
    ]
    whole = [
        ("memorycore_entities", "gauge", "Entities that may be seen.", stats.entities),
        ("memorycore_predicates", "gauge", "Predicates in force.", stats.predicates),
        ("memorycore_candidates_pending", "gauge", "Candidates to admit.", stats.pending),
        ("memorycore_candidates_in_review", "gauge", "Candidates that wait for a person.",
         stats.reviews),
        ("memorycore_operations_total", "counter", "Operations recorded.", stats.operations),
        ("memorycore_store_bytes", "gauge", "Size of the file, without its log.",
         stats.file_bytes),
        ("memorycore_store_schema", "gauge", "Number of the schema.", stats.schema),
    ]  # fmt: skip
    lines: list[str] = []
    for name, told, field in by_scope:
        values = ((one.name, getattr(one, field)) for one in stats.scopes)
        lines += [*_head(name, "gauge", told), *_samples(name, values)]
    for name, kind, told, value in whole:
        lines += [*_head(name, kind, told), f"{name} {value}"]
    return "".join(f"{line}\n" for line in lines)


def _head(name: str, kind: str, told: str) -> list[str]:
    return [f"# HELP {name} {told}", f"# TYPE {name} {kind}"]


def _samples(name: str, values: Iterable[tuple[str, int]]) -> list[str]:
    return [f'{name}{{scope="{scope.translate(_ESCAPES)}"}} {value}' for scope, value in values]
