"""Made-up questions about made-up turns, and the bare full-text queries for the same words."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from turns import texts, vocabulary

from memorycore.model.word import scope_mark, split_runs, split_words

COMMON, MIDDLING = 60, 2_000
"""Words of a lower rank are common, or middling; the others are rare."""
MOST_WORDS = 14


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and of which kind it is."""

    kind: str
    query: str


def mixed_questions(language: str, count: int) -> list[Asked]:
    """Make questions of 1 to 14 words: rare, middling, common, phrases, single characters."""
    rng = random.Random(f"questions {language}")
    turns = texts(language, count, "0 7")
    makers = (
        ("rare", lambda size: _words(rng, language, size, (MIDDLING, 30_000))),
        ("middling", lambda size: _words(rng, language, size, (COMMON, MIDDLING))),
        ("common", lambda size: _words(rng, language, size, (0, COMMON))),
        ("mixed", lambda size: _mixed(rng, language, size)),
        ("phrase", lambda size: _phrase(rng, language, rng.choice(turns), size)),
        ("quoted", lambda size: f'"{_phrase(rng, language, rng.choice(turns), min(size, 4))}"'),
        ("single", lambda _: _single(rng, language)),
        ("mixed", lambda size: _mixed(rng, language, size)),
    )
    return [_ask(makers, number) for number in range(count)]


def _ask(makers: tuple[tuple[str, Callable[[int], str]], ...], number: int) -> Asked:
    kind, make = makers[number % len(makers)]
    return Asked(kind, make(1 + number // len(makers) % MOST_WORDS))


def _words(rng: random.Random, language: str, size: int, ranks: tuple[int, int]) -> str:
    words = vocabulary(language).words
    return _joined(rng, language, [words[rng.randrange(*ranks)] for _ in range(size)])


def _mixed(rng: random.Random, language: str, size: int) -> str:
    return _joined(rng, language, vocabulary(language).draw(rng, size))


def _joined(rng: random.Random, language: str, words: list[str]) -> str:
    gap = " " if language == "english" or rng.random() < 0.5 else ""
    return gap.join(words)


def _phrase(rng: random.Random, language: str, turn: str, size: int) -> str:
    if language == "english":
        words = turn.rstrip(".?!").split(" ")
        start = rng.randrange(max(1, len(words) - size))
        return " ".join(words[start : start + size])
    start = rng.randrange(max(1, len(turn) - 2 * size - 1))
    return turn[start : start + 2 * size].strip("，。？！")


def _single(rng: random.Random, language: str) -> str:
    word = vocabulary(language).words[rng.randrange(MIDDLING)]
    return word if language == "english" else word[0]


def bare_match(asked: Asked, scope_id: int) -> str:
    """Write the full-text query for a question as it would be without us: any of its words.

    A question in quotes stays the phrase that it is. The words carry the mark of their scope, since
    the index holds them so.
    """
    mark = scope_mark(scope_id)
    if asked.kind == "quoted":
        words = split_words(asked.query)
        last_is_half = split_runs(asked.query)[-1].is_cjk and len(words) > 1
        whole = words[:-1] if last_is_half else words
        return '"' + " ".join(mark + word for word in whole) + '"'
    terms: dict[str, None] = {}
    for run in split_runs(asked.query):
        if not run.is_cjk:
            terms[f'"{mark}{run.text}"'] = None
        elif len(run.text) == 1:
            terms[f'"{mark}{run.text}" *'] = None
        else:
            pairs = map("".join, zip(run.text, run.text[1:], strict=False))
            terms.update((f'"{mark}{pair}"', None) for pair in pairs)
    return " OR ".join(terms)
