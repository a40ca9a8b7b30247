"""The sentence patterns of the rules, read from TOML: see the head of ``patterns/en.toml``."""

import hashlib
import os
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from memorycore.errors import InvalidInputError
from memorycore.port.rule_starts import divide

FOLDER = os.path.join(os.path.dirname(__file__), "patterns")
DATES = ("none", "from", "since", "to", "due", "day")
ACTS = ("assert", "correct", "retract")
_MACRO = re.compile(r"\{([A-Z][A-Z0-9_]*)\}")
_LIMIT = 120
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_INNER = re.compile("['-]")

Compile = Callable[[str], re.Pattern[str]]


class _Lazy:
    """A regular expression that is compiled when it is first used: a text needs few of them."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._text)
        for method in ("match", "search", "fullmatch", "finditer", "sub", "split", "pattern"):
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


@dataclass(frozen=True, slots=True)
class Trim:
    """How the object of a pattern is cut: see ``[trim]`` in a pattern file."""

    cut: re.Pattern[str] | None
    head: re.Pattern[str] | None
    tail: re.Pattern[str] | None
    refuse: re.Pattern[str] | None
    longest: int
    times: bool
    """Whether phrases of time at its two ends are cut off."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """One sentence pattern; the keys of a ``[[pattern]]`` table say what each field means."""

    place: str
    predicate: str
    led: re.Pattern[str] | None
    free: re.Pattern[str] | None
    words: tuple[str, ...]
    trim: Trim
    kind: str | None
    act: str
    rank: int | None
    dates: str
    confidence: float
    passes: frozenset[str]
    context: re.Pattern[str] | None
    needs: re.Pattern[str] | None
    unless: re.Pattern[str] | None
    near: re.Pattern[str] | None
    is_split: bool
    is_proper: bool
    is_whole: bool
    is_tag: bool
    in_fiction: bool
    is_alone: bool
    contrasts: bool
    is_inferred: bool
    event_status: str | None
    examples: tuple[dict[str, Any], ...]
    misses: tuple[str, ...]

    def matches(self, low: str, starts: Sequence[int]) -> Iterator[re.Match[str]]:
        """Give the matches in a folded text, with the places where its macros can begin."""
        if self.led:
            end = 0
            for start in starts:
                if start >= end and (found := self.led.match(low, start)):
                    yield found
                    end = found.end()
        if self.free:
            yield from self.free.finditer(low)


@dataclass(frozen=True, slots=True)
class Language:
    """The patterns of a language, and which of them a text can match at all."""

    name: str
    patterns: tuple[Pattern, ...]
    by_word: dict[str, tuple[int, ...]]
    lengths: dict[str, tuple[int, ...]]
    """For the first character of a word, how long the words are that begin with it."""
    correction: re.Pattern[str]
    contrast: re.Pattern[str]
    fiction: re.Pattern[str]
    played: re.Pattern[str]
    past: re.Pattern[str]
    now: re.Pattern[str]
    unreal: re.Pattern[str]
    theirs: re.Pattern[str]
    speaker: re.Pattern[str]
    others: re.Pattern[str]
    starts: re.Pattern[str]
    ranks: dict[str, int]

    def candidates(self, low: str) -> list[Pattern]:
        """Give the patterns one of whose words stands in a folded text, last resorts last."""
        numbers: set[int] = set()
        for word in _words(low) if self.name == "en" else _pieces(low, self.lengths):
            numbers.update(self.by_word.get(word, ()))
        return [self.patterns[number] for number in sorted(numbers)]


def _words(low: str) -> set[str]:
    """Give the words of a text, those with a hyphen or an apostrophe also in their parts."""
    words = set(_WORD.findall(low))
    for word in [one for one in words if not one.isalnum()]:
        words.update(_INNER.split(word))
    return words


def _pieces(low: str, lengths: dict[str, tuple[int, ...]]) -> Iterator[str]:
    """Give what stands in a text without blanks and may be a word, by its first character."""
    for place, char in enumerate(low):
        for length in lengths.get(char, ()):
            yield low[place : place + length]


@cache
def load_patterns(*, checked: bool = False) -> tuple[tuple[Language, ...], str]:
    """Read every pattern file of the package: the languages, and the version of the files.

    See ``read_language`` for ``checked``.
    """
    digest = hashlib.sha256()
    documents: dict[str, list[tuple[str, dict[str, Any]]]] = {}
    for name in sorted(os.listdir(FOLDER)):
        if not name.endswith(".toml"):
            continue
        with open(os.path.join(FOLDER, name), "rb") as file:
            raw = file.read()
        digest.update(raw)
        documents.setdefault(name[:2], []).append((name, tomllib.loads(raw.decode())))
    languages = tuple(
        read_language(name, parts, checked=checked) for name, parts in sorted(documents.items())
    )
    return languages, digest.hexdigest()[:12]


def read_language(
    name: str, parts: list[tuple[str, dict[str, Any]]], *, checked: bool = True
) -> Language:
    """Build a language from its documents, those with a lower ``order`` first.

    Unless it is ``checked``, an expression is compiled when it is first needed.

    Raises:
        InvalidInputError: a pattern is not well-formed.
    """
    base = next(part for _, part in parts if "macros" in part)
    macros = {key: _join(text) for key, text in base["macros"].items()}
    leads = tuple(base.get("leads", "").split())

    def compile_(text: str) -> re.Pattern[str]:
        expanded = _expand(text, macros)
        return re.compile(expanded) if checked else cast("re.Pattern[str]", _Lazy(expanded))

    trims = {key: _trim(table, compile_) for key, table in base["trim"].items()}
    patterns = [
        _pattern(table, f"{file}#{number}", trims, compile_, leads)
        for file, part in sorted(parts, key=lambda pair: pair[1].get("order", 0))
        for number, table in enumerate(part.get("pattern", ()), 1)
    ]
    patterns.sort(key=lambda one: one.is_alone)
    by_word, lengths = _by_word(patterns)
    texts = {key: compile_(text) for key, text in base["cues"].items()}
    return Language(
        name,
        tuple(patterns),
        by_word,
        lengths,
        texts["correction"],
        texts["contrast"],
        texts["fiction"],
        texts["played"],
        texts["past"],
        texts["now"],
        texts["unreal"],
        texts["theirs"],
        texts["speaker"],
        texts["others"],
        texts["starts"],
        base["ranks"],
    )


def _by_word(
    patterns: Sequence[Pattern],
) -> tuple[dict[str, tuple[int, ...]], dict[str, tuple[int, ...]]]:
    """Number patterns by their words, and tell how long words are by their first character."""
    by_word: dict[str, list[int]] = {}
    for number, pattern in enumerate(patterns):
        for word in pattern.words:
            by_word.setdefault(word, []).append(number)
    lengths: dict[str, set[int]] = {}
    for word in by_word:
        lengths.setdefault(word[0], set()).add(len(word))
    return (
        {word: tuple(numbers) for word, numbers in by_word.items()},
        {first: tuple(sorted(of)) for first, of in lengths.items()},
    )


def _join(text: str) -> str:
    return text.replace("\n", "")


def _expand(text: str, macros: dict[str, str]) -> str:
    text = _join(text)
    for _ in range(6):
        expanded = _MACRO.sub(lambda found: macros[found[1]], text)
        if expanded == text:
            break
        text = expanded
    return text


def _trim(table: dict[str, Any], compile_: Compile) -> Trim:
    parts = {
        key: compile_(table[key]) if key in table else None
        for key in ("cut", "head", "tail", "refuse")
    }
    return Trim(**parts, longest=table.get("longest", _LIMIT), times=table.get("times", False))


def _pattern(
    table: dict[str, Any],
    place: str,
    trims: dict[str, Trim],
    compile_: Compile,
    leads: tuple[str, ...],
) -> Pattern:
    given = dict(table)
    try:
        context, needs, unless, near = (
            compile_(given.pop(key)) if key in given else None
            for key in ("context", "needs", "unless", "near")
        )
        led, free = divide(_join(given.pop("match")), leads)
        pattern = Pattern(
            place=place,
            predicate=given.pop("predicate"),
            led=compile_(led) if led else None,
            free=compile_(free) if free else None,
            words=tuple(given.pop("words").split()),
            trim=trims[given.pop("trim", "phrase")],
            kind=given.pop("kind", None),
            act=given.pop("act", "assert"),
            rank=given.pop("rank", None),
            dates=given.pop("dates", "none"),
            confidence=given.pop("confidence", 0.9),
            passes=frozenset(given.pop("passes", ())),
            context=context,
            needs=needs,
            unless=unless,
            near=near,
            is_split=given.pop("split", False),
            is_proper=given.pop("proper", False),
            is_whole=given.pop("whole", False),
            is_tag=given.pop("tag", False),
            is_alone=given.pop("alone", False),
            in_fiction=given.pop("fiction", False),
            contrasts=given.pop("contrast", False),
            is_inferred=given.pop("inferred", False),
            event_status=given.pop("event_status", None),
            examples=tuple(given.pop("examples", ())),
            misses=tuple(given.pop("not", ())),
        )
    except (KeyError, re.error) as error:
        raise InvalidInputError(f"{place} is no pattern: {error}") from error
    if given or pattern.act not in ACTS or pattern.dates not in DATES:
        raise InvalidInputError(f"{place} has a key or a value that is not known.")
    return pattern
