"""Benchmarks of searching: beside many other scopes, and against bare full-text queries."""

import itertools
import statistics
import time
from collections.abc import Callable, Iterator, Sequence

import apsw
from asking import COMMON, Asked, bare_match, mixed_questions
from figures import Figure, cpu_time, percentile
from stores import Workshop, reading
from turns import LANGUAGES, vocabulary

from memorycore import Memory

SCOPE_ROWS = 1_000
SCOPE_QUESTIONS = 50
SCOPE_TARGET = 2.0
QUESTIONS = 200
QUESTION_ROWS = 100_000
QUESTIONS_TARGET = 1.5
P95 = 0.95

BARE = """
SELECT rowid FROM episode_index WHERE episode_index MATCH ?
ORDER BY bm25(episode_index, 1.0, 0.25) LIMIT 10
"""


def scope(shop: Workshop, *, quick: bool) -> Iterator[Figure]:
    """Compare the same questions in the same scope, beside few other scopes and beside many."""
    many = 100 if quick else 1_000
    for language in ("chinese",) if quick else LANGUAGES:
        questions = [one.query for one in mixed_questions(language, SCOPE_QUESTIONS)]
        spent = {}
        for scopes in (10, many):
            path = shop.store(language, scopes * SCOPE_ROWS, scopes=scopes)
            with Memory.open(path, scope="user:0", read_only=True) as memory:
                spent[scopes] = _rounds(memory.search, questions)
        ratio = spent[many] / spent[10]
        beside = ", ".join(
            f"{scopes} scopes: {1000 * seconds / len(questions):.2f} ms a question"
            for scopes, seconds in spent.items()
        )
        what = f"{language}, {many} scopes / 10 scopes"
        yield Figure("scope", what, ratio, SCOPE_TARGET, beside=beside)


def _rounds(ask: Callable[[str], object], questions: Sequence[str], repeat: int = 7) -> float:
    def once() -> None:
        for question in questions:
            ask(question)

    once()
    return statistics.median(cpu_time(once) for _ in range(repeat))


def questions(shop: Workshop, *, quick: bool) -> Iterator[Figure]:
    """Compare mixed questions with the bare full-text queries for their words."""
    repeat = 3 if quick else 5
    for language in LANGUAGES:
        path = shop.store(language, QUESTION_ROWS)
        asked = mixed_questions(language, QUESTIONS)
        with Memory.open(path, read_only=True) as memory, reading(path) as raw:
            matches = [bare_match(one, 1) for one in asked]
            queries = [one.query for one in asked]
            ours = _each(memory.search, queries, repeat)
            bare = _each(_bare(raw), matches, repeat)
        yield from _figures(language, asked, ours, bare)


def _bare(raw: apsw.Connection) -> Callable[[str], object]:
    return lambda match: raw.execute(BARE, (match,)).fetchall()


def _each(ask: Callable[[str], object], questions: Sequence[str], repeat: int) -> list[float]:
    """Measure every question some times, and take the median of each."""
    spent: list[list[float]] = [[] for _ in questions]
    for _ in range(repeat + 1):
        for question, times in zip(questions, spent, strict=True):
            started = time.process_time()
            ask(question)
            times.append(time.process_time() - started)
    return [statistics.median(times[1:]) for times in spent]


def _figures(
    language: str, asked: Sequence[Asked], ours: Sequence[float], bare: Sequence[float]
) -> Iterator[Figure]:
    a, b = percentile(ours, P95), percentile(bare, P95)
    beside = (
        f"p95 ours {1000 * a:.1f} ms, bare {1000 * b:.1f} ms; "
        f"median {1000 * statistics.median(ours):.1f} and {1000 * statistics.median(bare):.1f}"
    )
    yield Figure("questions", f"{language}, p95 of all", a / b, QUESTIONS_TARGET, beside=beside)
    for kind in dict.fromkeys(one.kind for one in asked):
        mine = [time for one, time in zip(asked, ours, strict=True) if one.kind == kind]
        other = [time for one, time in zip(asked, bare, strict=True) if one.kind == kind]
        a, b = percentile(mine, P95), percentile(other, P95)
        beside = f"p95 ours {1000 * a:.1f} ms, bare {1000 * b:.1f} ms"
        yield Figure("questions", f"{language}, p95 of {kind}", a / b, None, beside=beside)


def findable_question(language: str) -> str:
    """Give a question of two middling words that a large store answers."""
    middling = vocabulary(language).words[3 * COMMON :]
    return " ".join(itertools.islice((word for word in middling if len(word) > 1), 2))
