"""Measures of retrieval: how much of the known evidence comes among the first answers."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

CUTOFFS = (5, 10, 20)


@dataclass(frozen=True, slots=True)
class Question:
    """A question asked in a scope, and the ids of the turns that answer it."""

    id: str
    scope: str
    text: str
    category: str
    evidence: tuple[str, ...]


@dataclass(slots=True)
class Sample:
    """The measures of one question, each in 0…1, by name."""

    category: str
    values: dict[str, float] = field(default_factory=dict)


def measure(category: str, ranked: Sequence[str], evidence: Sequence[str]) -> Sample:
    """Measure one answer: texts as they were ranked, against the texts that answer.

    Texts are compared, not ids: equal texts of a scope count as one, at their best rank.
    """
    wanted = set(evidence)
    texts = list(dict.fromkeys(ranked))
    values: dict[str, float] = {}
    for cutoff in CUTOFFS:
        found = len(wanted.intersection(texts[:cutoff]))
        values[f"recall@{cutoff}"] = found / len(wanted)
        values[f"any@{cutoff}"] = float(found > 0)
        values[f"all@{cutoff}"] = float(found == len(wanted))
    ranks = [rank for rank, text in enumerate(texts, 1) if text in wanted]
    values["mrr"] = 1 / ranks[0] if ranks else 0.0
    gain = sum(1 / math.log2(rank + 1) for rank in ranks if rank <= 10)
    best = sum(1 / math.log2(rank + 1) for rank in range(1, min(10, len(wanted)) + 1))
    values["ndcg@10"] = gain / best
    return Sample(category, values)


def summarise(samples: Sequence[Sample]) -> dict[str, float | int | dict[str, float]]:
    """Average the measures of many questions, with half-widths of their 95 % intervals."""
    count = len(samples)
    summary: dict[str, float | int | dict[str, float]] = {"n": count}
    half_widths: dict[str, float] = {}
    for name in samples[0].values if samples else ():
        values = [sample.values[name] for sample in samples]
        mean = sum(values) / count
        variance = sum((value - mean) ** 2 for value in values) / max(1, count - 1)
        summary[name] = round(mean, 4)
        half_widths[name] = round(1.96 * math.sqrt(variance / count), 4)
    summary["half_width_95"] = half_widths
    return summary


def percentile(values: Sequence[float], share: float) -> float:
    """Give the value below which a share (0…1) of the values lies, by nearest rank."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else 0.0


def group_by_category(samples: Sequence[Sample]) -> Mapping[str, list[Sample]]:
    """Group the measures of questions by their category, sorted."""
    groups: dict[str, list[Sample]] = {}
    for sample in sorted(samples, key=lambda sample: sample.category):
        groups.setdefault(sample.category, []).append(sample)
    return groups
