"""Made-up conversations: Zipfian vocabularies of invented words, the same for the same seed.

Chinese turns have about 20 characters (60 bytes), English ones about 130 bytes.
"""

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from memorycore.model.draft import Draft
from memorycore.model.time import Moment

TURNS_IN_SESSION = 40
VOCABULARY = 30_000
SOURCE = "made-up.jsonl"
LANGUAGES = ("chinese", "english")

_START = datetime(2023, 1, 1, tzinfo=UTC)
_START_AT = int(_START.timestamp()) * 1_000_000
_STEP = 137
_ONSETS = (*"bcdfghjklmnprstvwz", "br", "ch", "dr", "fl", "gr", "pl", "qu", "sh", "st", "tr")
_VOWELS = (*"aeiou", "ai", "ea", "oo")
_ENDS = ["", "", "", "l", "m", "n", "nd", "r", "rt", "s", "t", "x"]
_SUFFIXES = ["", "", "", "s", "ed", "ing", "ly", "er", "tion", "ment", "ness", "able", "ies"]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words from the commonest to the rarest, with the sums of their weights."""

    words: tuple[str, ...]
    sums: tuple[float, ...]

    def draw(self, rng: random.Random, count: int) -> list[str]:
        return rng.choices(self.words, cum_weights=self.sums, k=count)


@cache
def vocabulary(language: str) -> Vocabulary:
    """Make the vocabulary of a language: Zipf's law, and the commoner the shorter."""
    rng = random.Random(f"vocabulary {language}")
    make = _han_words(rng) if language == "chinese" else _latin_words(rng)
    words: dict[str, None] = {}
    while len(words) < VOCABULARY:
        words[make(len(words))] = None
    sums = itertools.accumulate(1 / (rank + 2.7) for rank in range(len(words)))
    return Vocabulary(tuple(words), tuple(sums))


def _han_words(rng: random.Random) -> Callable[[int], str]:
    # The first level of GB 2312: the 3,755 characters in common use.
    characters = [
        bytes([row, cell]).decode("gb2312")
        for row in range(0xB0, 0xD8)
        for cell in range(0xA1, 0xFF)
        if not (row == 0xD7 and cell > 0xF9)
    ]
    rng.shuffle(characters)
    weights = list(itertools.accumulate(1 / (rank + 30) for rank in range(len(characters))))

    def make(rank: int) -> str:
        sizes = (1, 1, 2, 2, 2) if rank < 400 else (2, 2, 2, 2, 3, 4)
        return "".join(rng.choices(characters, cum_weights=weights, k=rng.choice(sizes)))

    return make


def _latin_words(rng: random.Random) -> Callable[[int], str]:
    def make(rank: int) -> str:
        syllables = 1 if rank < 300 else rng.choice((1, 2, 2, 2, 3))
        word = "".join(
            rng.choice(_ONSETS) + rng.choice(_VOWELS) + rng.choice(_ENDS) for _ in range(syllables)
        )
        return word if rank < 150 else word + rng.choice(_SUFFIXES)

    return make


def texts(language: str, count: int, seed: str) -> list[str]:
    """Make the turns of one conversation."""
    rng = random.Random(f"{language} {seed}")
    words = vocabulary(language)
    write: Callable[[Vocabulary, random.Random], str]
    write = _chinese_turn if language == "chinese" else _english_turn
    return [write(words, rng) for _ in range(count)]


def _chinese_turn(words: Vocabulary, rng: random.Random) -> str:
    drawn = words.draw(rng, rng.randint(4, 15))
    middle = len(drawn) // 2
    text = "".join(drawn[:middle]) + "，" + "".join(drawn[middle:])
    return text + rng.choice(("。", "。", "。", "？", "！"))


def _english_turn(words: Vocabulary, rng: random.Random) -> str:
    drawn = words.draw(rng, rng.randint(8, 26))
    middle = len(drawn) // 2
    text = " ".join(drawn[:middle]) + ", " + " ".join(drawn[middle:])
    return text.capitalize() + rng.choice((".", ".", ".", "?", "!"))


def drafts(language: str, count: int, *, scopes: int = 1) -> Iterator[Draft]:
    """Give turns as a reader would: sessions of 40, their scopes taking turns.

    What a scope holds does not depend on how many others there are. Of one scope only, the name is
    left open.
    """
    made = 0
    for number in itertools.count():
        scope, nth = number % scopes, number // scopes
        name = None if scopes == 1 else f"user:{scope}"
        size = min(TURNS_IN_SESSION, count - made)
        for at, text in enumerate(texts(language, size, f"{scope} {nth}")):
            instant = _START_AT + (nth * TURNS_IN_SESSION + at) * _STEP * 1_000_000
            yield Draft(
                text,
                ("user", "assistant")[at % 2],
                name,
                f"session {nth}",
                ("Vela", "Orin")[at % 2],
                Moment(instant, instant + 1, "instant", "UTC"),
                SOURCE,
                None,
                None,
                f"{SOURCE} line {made + at + 1}",
            )
        made += size
        if made == count:
            return


def as_mapping(draft: Draft) -> dict[str, Any]:
    """Give a draft as a program would: a mapping with the fields of the JSON lines format."""
    assert draft.occurred is not None
    at = _START + timedelta(microseconds=draft.occurred.from_ - _START_AT)
    return {
        "text": draft.text,
        "role": draft.role,
        "speaker": draft.speaker,
        "at": at.isoformat(),
        "session": draft.session,
        "source": draft.source,
    }


def long_text(rng: random.Random, sentences: list[str]) -> str:
    """Make a text of 1 to 2 KB from sentences."""
    return " ".join(rng.choices(sentences, k=rng.randint(8, 15)))
