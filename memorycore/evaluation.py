"""Evaluate retrieval: take an evaluation set in, ask its questions, and score the answers.

It uses the same search that everybody uses, with its default settings, on a store in memory.
"""

import time
from collections.abc import Sequence
from typing import Any

from memorycore.errors import StorageError
from memorycore.memory import Memory
from memorycore.model.measure import (
    Question,
    Sample,
    group_by_category,
    measure,
    percentile,
    summarise,
)
from memorycore.model.word import folding_version
from memorycore.port.evaluation_files import (
    EvaluationSet,
    read_locomo_file,
    read_uniform_files,
)

DEPTH = 100
"""How many answers are looked at; the reciprocal rank of what comes later is 0."""


def evaluate_retrieval(
    data: EvaluationSet, *, limit: int | None = None, version: str = ""
) -> dict[str, Any]:
    """Score retrieval on an evaluation set.

    ``limit`` takes only the first questions. The report has ``overall`` and ``by_category``, each
    with
    ``recall@k`` (the share of the evidence among the first k), ``any@k``, ``all@k``, ``mrr``,
    ``ndcg@10``, ``n`` and the half-widths of 95 % intervals; latencies are CPU milliseconds a
    question.

    Raises:
        StorageError: not every turn could be taken in.
    """
    samples, costs = _ask(data, data.questions[:limit])
    groups = group_by_category(samples)
    return {
        "schema": "memorycore.eval.v1",
        "ok": True,
        "stage": "retrieval",
        "model": None,
        "data": data.hashes,
        "episodes": len(data.drafts),
        "config": {
            "memorycore": version,
            "folding": folding_version(),
            "depth": DEPTH,
            "limit": limit,
        },
        "latency_cpu_ms": {
            "p50": round(percentile(costs, 0.5), 3),
            "p95": round(percentile(costs, 0.95), 3),
        },
        "overall": summarise(samples),
        "by_category": {category: summarise(group) for category, group in groups.items()},
    }


def _ask(data: EvaluationSet, questions: Sequence[Question]) -> tuple[list[Sample], list[float]]:
    samples, costs = [], []
    texts = {(draft.scope, draft.external_id): draft.text for draft in data.drafts}
    with Memory.open(":memory:", on_secret="keep") as memory:
        result = memory.ingest(data.drafts)
        if result.rejected:
            raise StorageError(f"{result.rejections[0].place}: {result.rejections[0].reason}.")
        for question in questions:
            scoped = memory.scoped(question.scope)
            started = time.process_time()
            found = scoped.search(question.text, limit=DEPTH)
            costs.append(1000 * (time.process_time() - started))
            evidence = [texts[question.scope, name] for name in question.evidence]
            ranked = [hit.episode.text for hit in found.hits]
            samples.append(measure(question.category, ranked, evidence))
    return samples, costs


def evaluate_files(
    episodes: str, queries: str, *, limit: int | None = None, version: str = ""
) -> dict[str, Any]:
    """Score retrieval on two files of the uniform format; see ``evaluate_retrieval``."""
    return evaluate_retrieval(read_uniform_files(episodes, queries), limit=limit, version=version)


def evaluate_locomo(path: str, *, limit: int | None = None, version: str = "") -> dict[str, Any]:
    """Score retrieval on LoCoMo's own file; see ``evaluate_retrieval``."""
    return evaluate_retrieval(read_locomo_file(path), limit=limit, version=version)
