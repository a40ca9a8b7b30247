"""Evaluate retrieval and extraction on what is known of them, on a store in memory.

Retrieval asks questions whose evidence is known, by the search that everybody uses, with its
default settings. Extraction reads labelled sentences, by the learning that everybody uses.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from memorycore.errors import InvalidInputError, StorageError
from memorycore.exchange.predicate_file import load_seeded
from memorycore.harvesting import make_extractor
from memorycore.memory import Memory
from memorycore.model.candidate import Candidate
from memorycore.model.candidate_text import shape_of
from memorycore.model.decision import MIN_CONFIDENCE, Decision
from memorycore.model.heard import Heard
from memorycore.model.measure import (
    Question,
    Sample,
    group_by_category,
    measure,
    percentile,
    summarise,
)
from memorycore.model.scoring import Counts, Labelled, Score, Wanted, judge
from memorycore.model.word import folding_version
from memorycore.port.evaluation_files import (
    EvaluationSet,
    read_locomo_file,
    read_uniform_files,
)
from memorycore.port.extractor import Extracted, Extractor, Surroundings
from memorycore.port.labelled_files import read_labelled_file
from memorycore.port.rule_extractor import RuleExtractor

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


WAITING = ("review", "conflict", "reject")
"""What becomes of a candidate that does not come in unasked."""


class _Watched:
    """Reads by an extractor, and keeps what it proposes and the time that it takes."""

    def __init__(self, reader: Extractor) -> None:
        self.reader = reader
        self.name, self.version, self.page = reader.name, reader.version, reader.page
        self.needs_surroundings = reader.needs_surroundings
        self.candidates: list[Candidate] = []
        self.cpu_s = 0.0
        self.wall_s = 0.0

    def extract(self, turns: Sequence[Heard], around: Surroundings) -> Iterator[Extracted]:
        """Read turns; each candidate is told by the number it has as its place."""
        parts = self.reader.extract(turns, around)
        while True:
            cpu, wall = time.process_time(), time.perf_counter()
            part = next(parts, None)
            self.cpu_s += time.process_time() - cpu
            self.wall_s += time.perf_counter() - wall
            if part is None:
                return
            first = len(self.candidates)
            part.candidates = [
                replace(one, place=str(number)) for number, one in enumerate(part.candidates, first)
            ]
            self.candidates += part.candidates
            yield part


@dataclass(frozen=True, slots=True)
class _Read:
    """A labelled turn, what was proposed of it, and what was decided on each proposal."""

    turn: Labelled
    candidates: list[Candidate]
    decisions: dict[str, Decision]

    def is_unasked(self, candidate: Candidate) -> bool:
        decision = self.decisions.get(candidate.place)
        return decision is not None and decision.kind not in WAITING


@dataclass(slots=True)
class _Reading:
    """All turns as they were read, and what that took."""

    watched: _Watched
    turns: list[_Read] = field(default_factory=list)
    unread: int = 0
    quarantined: int = 0
    tokens: int = 0


def evaluate_extraction(
    path: str,
    extractor: Extractor | str = "rules",
    *,
    model: str | None = None,
    base_url: str | None = None,
    key: str | None = None,
    timeout_s: float | None = None,
    max_tokens: int | None = None,
    language: str | None = None,
    limit: int | None = None,
    min_confidence: float | None = None,
    with_wrong: bool = False,
    version: str = "",
    progress: Callable[[int], None] | None = None,
) -> dict[str, Any]:
    """Score an extractor, given as to ``Memory.harvest``, on a file of labelled sentences.

    Each is read as a turn of its own, in a scope of its own: ``all`` counts every candidate,
    ``admitted`` those that were believed with no question asked. Raises InvalidInputError for a
    line that cannot be read, and ModelError.
    """
    if extractor == "rules":
        # All compiled before, so that the time is that of reading.
        extractor = RuleExtractor(checked=True)
    limits = {"timeout_s": timeout_s, "max_tokens": max_tokens}
    reader = make_extractor(extractor, limits, model=model, base_url=base_url, key=key)
    data = read_labelled_file(path, predicates={one.name for one in load_seeded()})
    chosen = _choose(data.turns, language, limit)
    reading = _learn(chosen, _Watched(reader), min_confidence, progress)
    report = {
        "schema": "memorycore.eval_extraction.v1",
        "ok": True,
        "stage": "extraction",
        "extractor": reader.name,
        "extractor_version": reader.version,
        "model": model if extractor == "model" else None,
        "data": {"sentences": data.hash},
        "sentences": len(chosen),
        "config": {
            "memorycore": version,
            "folding": folding_version(),
            "language": language,
            "limit": limit,
            "min_confidence": MIN_CONFIDENCE if min_confidence is None else min_confidence,
        },
        **_costs(reading),
        **_scores(reading.turns),
    }
    return report | ({"wrong": _wrong(reading.turns)} if with_wrong else {})


def _choose(
    turns: Sequence[Labelled], language: str | None, limit: int | None
) -> Sequence[Labelled]:
    """Choose the turns of a language, the first so many."""
    chosen = [one for one in turns if language in (None, one.label.language)][:limit]
    if not chosen:
        raise InvalidInputError("No sentence is in that language.", hint="--language en or zh")
    return chosen


def _costs(reading: _Reading) -> dict[str, Any]:
    cpu_s = reading.watched.cpu_s
    return {
        "cost": {
            "cpu_s": round(cpu_s, 3),
            "wall_s": round(reading.watched.wall_s, 3),
            "sentences_per_cpu_s": round(len(reading.turns) / cpu_s) if cpu_s else None,
            "tokens": reading.tokens,
        },
        "unread": reading.unread,
        "quarantined": reading.quarantined,
    }


def _learn(
    turns: Sequence[Labelled],
    watched: _Watched,
    min_confidence: float | None,
    progress: Callable[[int], None] | None,
) -> _Reading:
    """Learn from each turn, in a scope of its own."""
    reading = _Reading(watched)
    drafts = [replace(one.turn, scope=f"sentence:{number}") for number, one in enumerate(turns)]
    with Memory.open(":memory:", on_secret="keep") as memory:
        taken = memory.ingest(drafts)
        if taken.rejected:
            raise StorageError(f"{taken.rejections[0].place}: {taken.rejections[0].reason}.")
        for number, turn in enumerate(turns):
            first = len(watched.candidates)
            scoped = memory.scoped(f"sentence:{number}")
            result = scoped.harvest(watched, min_confidence=min_confidence)
            decisions = {one.place: one.decision for one in result.outcomes}
            reading.turns.append(_Read(turn, watched.candidates[first:], decisions))
            reading.unread += any(one["severity"] == "reject" for one in result.problems)
            reading.quarantined += result.quarantined
            reading.tokens += result.tokens
            if progress is not None:
                progress(number + 1)
    return reading


def _scores(turns: Sequence[_Read]) -> dict[str, Any]:
    """Count every proposal, and those that were admitted unasked."""
    every, admitted = Score(), Score()
    for one in turns:
        label = one.turn.label
        every.add(label, judge(label, one.candidates))
        admitted.add(label, judge(label, filter(one.is_unasked, one.candidates)))
    languages = {
        language: {
            name: pair
            for (of, name), pair in _pairs(
                every.by_language_and_predicate, admitted.by_language_and_predicate
            ).items()
            if of == language
        }
        for language in sorted(every.by_language)
    }
    return {
        "overall": _pair(every.all, admitted.all),
        "by_language": _pairs(every.by_language, admitted.by_language),
        "by_predicate": _pairs(every.by_predicate, admitted.by_predicate),
        "by_language_and_predicate": languages,
        "traps": _traps(every, admitted),
    }


def _pairs(every: Mapping[Any, Counts], admitted: Mapping[Any, Counts]) -> dict[Any, Any]:
    return {name: _pair(every[name], admitted.get(name, Counts())) for name in sorted(every)}


def _pair(every: Counts, admitted: Counts) -> dict[str, Any]:
    return {"all": _counted(every), "admitted": _counted(admitted)}


def _counted(counts: Counts) -> dict[str, Any]:
    """Give counts with their shares; a share of nothing is none."""
    judged, wanted = counts.right + counts.wrong, counts.right + counts.missed
    return {
        "right": counts.right,
        "wrong": counts.wrong,
        "missed": counts.missed,
        "precision": round(counts.precision, 3) if judged else None,
        "recall": round(counts.recall, 3) if wanted else None,
    }


def _traps(every: Score, admitted: Score) -> dict[str, Any]:
    kinds = {
        name: {"sentences": count, "proposed": fell, "admitted": admitted.traps[name][0]}
        for name, (fell, count) in sorted(every.traps.items())
    }
    return {
        "sentences": sum(one["sentences"] for one in kinds.values()),
        "proposed": sum(one["proposed"] for one in kinds.values()),
        "admitted": sum(one["admitted"] for one in kinds.values()),
        "false_proposals": round(every.false_admissions, 3) if kinds else None,
        "false_admissions": round(admitted.false_admissions, 3) if kinds else None,
        "by_kind": kinds,
    }


def _wrong(turns: Sequence[_Read]) -> list[dict[str, Any]]:
    """List the sentences with a wrong or a missed fact: what was wanted, and all that came."""
    listed = []
    for one in turns:
        label = one.turn.label
        judged = judge(label, one.candidates)
        if judged.wrong or judged.missed:
            listed.append(
                {
                    "id": label.id,
                    "language": label.language,
                    "trap": label.trap,
                    "text": one.turn.turn.text,
                    "missed": [_shown(options) for options in judged.missed],
                    "wrong": [_proposal(one, candidate) for candidate in judged.wrong],
                    "got": [_proposal(one, candidate) for candidate in one.candidates],
                }
            )
    return listed


def _shown(options: Sequence[Wanted]) -> dict[str, Any]:
    first = options[0]
    shape: dict[str, Any] = {"predicate": first.predicates[0], "object": first.shown}
    if first.act != "assert":
        shape["act"] = first.act
    if first.rank is not None:
        shape["rank"] = first.rank
    for name, dates in (("valid_from", first.valid_from), ("valid_to", first.valid_to)):
        if dates:
            shape[name] = " or ".join(sorted(dates))
    return shape


def _proposal(read: _Read, candidate: Candidate) -> dict[str, Any]:
    decision = read.decisions.get(candidate.place, Decision("ignore", "same_evidence"))
    return shape_of(candidate) | {
        "quote": candidate.quotes[0].text,
        "decision": decision.kind,
        "reason": decision.reason,
    }
