"""The offline proposer: sentence patterns for Chinese and English, with the words they rest on.

High precision before recall. Only what speakers say of themselves is proposed: nothing that an
assistant, a tool or somebody else says, nothing supposed, asked, quoted, reported or told as
fiction, and nothing that is wanted just once. What is covered is what the pattern files name.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from memorycore.model.candidate import Candidate, Naming, Quote
from memorycore.model.heard import Heard
from memorycore.model.secret import find_secrets
from memorycore.model.sentence import blank, sentence_around, without_long
from memorycore.model.speech import mode_of
from memorycore.model.unsafe import find_unsafe
from memorycore.model.value import canonical_value
from memorycore.model.word import CJK
from memorycore.model.wording import canonical_tag
from memorycore.port.rule_objects import (
    clause_around,
    fold_in_place,
    name_in,
    split_list,
    trimmed,
    widened,
)
from memorycore.port.rule_patterns import Language, Pattern, load_patterns
from memorycore.port.rule_times import Period, period_of, without_times

__all__ = ["Rules"]

_HAN = re.compile(f"[{CJK}]")
_LATIN = re.compile("[a-z]{2}")
_BLOCK = re.compile(r"```.*?(?:```|\Z)|^[ \t]*>.*?$|https?://\S+", re.DOTALL | re.MULTILINE)
_BEFORE = " \t\r\n,.;:!?。、…~-–—()*"
_OPENING = ('"', "“", "「", "『")
_QUOTES = '"“”「『'
_EVENTS = frozenset(
    ("happened", "DISCUSSED_WORK", "DISCUSSED_CHAPTER", "TRIED_STYLE", "promised_to")
)  # fmt: skip
_ORDERS = frozenset(
    ("instructs", "has_boundary", "prefers_communication_style", "is_considering", "prefers_name")
)  # fmt: skip
_LONGEST = 20_000
"""What is longer is a document, not a turn: it is read up to here."""


class _Turn(NamedTuple):
    heard: Heard
    text: str
    low: str
    language: Language
    starts: tuple[int, ...]


class _Found(NamedTuple):
    start: int
    end: int
    candidate: Candidate


class Rules:
    """Proposes candidates by the patterns of the package; it needs no model and no network."""

    name = "rules"

    def __init__(self, *, checked: bool = False) -> None:
        """Read the patterns, once for a process; ``checked`` compiles them all at once."""
        self.languages, self.version = load_patterns(checked=checked)
        known = {pattern.predicate for one in self.languages for pattern in one.patterns}
        self.covers = tuple(sorted(known))

    def propose(self, heard: Heard) -> list[Candidate]:
        """Propose what a turn says of its speaker; most turns say nothing that is worth it."""
        if heard.role != "user":
            return []
        text = heard.text[:_LONGEST]
        low = fold_in_place(text)
        if "```" in low or ">" in low or "http" in low:
            low = _BLOCK.sub(lambda block: blank(len(block[0])), low)
        low = without_long(low)
        found: list[_Found] = []
        for language in self.languages:
            if not (_HAN if language.name == "zh" else _LATIN).search(low):
                continue
            if language.played.search(low):
                return []
            starts = tuple(dict.fromkeys(m.start() for m in language.starts.finditer(low)))
            turn = _Turn(heard, text, low, language, starts)
            for pattern in language.candidates(low):
                _read(turn, pattern, found)
        if found and find_secrets(text):
            # What is said around a password is often said of it.
            return []
        found.sort(key=lambda one: one.start)
        return [one.candidate for one in found]


def _read(turn: _Turn, pattern: Pattern, found: list[_Found]) -> None:
    if pattern.needs and not pattern.needs.search(turn.low):
        return
    if pattern.context and not pattern.context.search(turn.low):
        return
    if pattern.is_alone and any(one.candidate.predicate == pattern.predicate for one in found):
        return
    for match in pattern.matches(turn.low, turn.starts):
        if not _is_meant(turn, pattern, match):
            continue
        for start, end in _objects(turn, pattern, match):
            clash = next((one for one in found if one.start < end and start < one.end), None)
            if clash and not _is_surer(pattern, clash, start, end):
                continue
            if not _is_plain(turn, pattern, match, end):
                continue
            candidate = _candidate(turn, pattern, match, start, end)
            if candidate is None:
                continue
            same = next((one for one in found if _key(one.candidate) == _key(candidate)), None)
            if same is None and clash is None:
                found.append(_Found(start, end, candidate))
            elif same is not None and same is clash:
                sure = replace(same.candidate, confidence=candidate.confidence)
                found[found.index(same)] = same._replace(candidate=sure)


def _is_surer(pattern: Pattern, one: _Found, start: int, end: int) -> bool:
    """Say whether a pattern reads the same words as another did, and is surer of them."""
    return (
        (one.start, one.end) == (start, end)
        and one.candidate.predicate == pattern.predicate
        and pattern.confidence > (one.candidate.confidence or 1)
    )


def _key(candidate: Candidate) -> tuple[str, str, str]:
    return candidate.predicate, _object_of(candidate), candidate.act


def _object_of(candidate: Candidate) -> str:
    named = candidate.object.name if candidate.object else candidate.value
    return canonical_value(named or "")


def _is_meant(turn: _Turn, pattern: Pattern, match: re.Match[str]) -> bool:
    """Say whether a match is the speaker's own, earnest statement."""
    begin = _begin(turn.low, pattern, match)
    if turn.low[begin - 1 : begin] in _OPENING and begin and "quoted" not in pattern.passes:
        return False
    first, last = sentence_around(turn.low, begin, match.end())
    sentence = turn.low[first:last]
    if pattern.needs and not pattern.needs.search(sentence):
        return False
    if pattern.unless and pattern.unless.search(sentence):
        return False
    near = clause_around(turn.low, begin, match.end())
    if pattern.near and pattern.near.search(turn.low[slice(*near)]):
        return False
    if not pattern.in_fiction and turn.language.fiction.search(turn.low, first, match.end()):
        return False
    if not _is_now(turn, pattern, match, first):
        return False
    if turn.language.theirs.search(turn.low, first, begin):
        return False
    if not turn.language.speaker.search(match[0]) and "bare" not in pattern.passes:
        subjects = list(turn.language.others.finditer(turn.low, first, match.start()))
        if subjects and not turn.language.speaker.match(subjects[-1][0]):
            return False
    return True


def _is_now(turn: _Turn, pattern: Pattern, match: re.Match[str], first: int) -> bool:
    """Say whether what would hold today is not told of former times, of wishes or in irony."""
    if pattern.predicate in _EVENTS or pattern.act != "assert" or pattern.dates == "to":
        return True
    if pattern.predicate not in _ORDERS and turn.language.unreal.search(turn.low):
        return False
    for found in turn.language.past.finditer(turn.low, first, match.end()):
        if not turn.language.now.search(turn.low, found.end(), match.end()):
            return False
    return True


def _begin(low: str, pattern: Pattern, match: re.Match[str]) -> int:
    """Give where a match begins, without blanks and marks that belong to the clause before."""
    start, end = match.span()
    marks = _BEFORE if "quoted" in pattern.passes else _BEFORE + _QUOTES
    while start < end and low[start] in marks:
        start += 1
    return start


def _is_plain(turn: _Turn, pattern: Pattern, match: re.Match[str], end: int) -> bool:
    """Say whether a statement up to its object is plain, or said in a way that passes."""
    begin = _begin(turn.low, pattern, match)
    mode = mode_of(turn.text, begin, max(end, begin + 1))
    return mode is None or mode in pattern.passes


def _objects(
    turn: _Turn, pattern: Pattern, match: re.Match[str]
) -> Iterator[tuple[int, int]]:  # fmt: skip
    for name in match.re.groupindex:
        if name == "rank" or match.start(name) < 0:
            continue
        span = trimmed(turn.low, *match.span(name), pattern.trim)
        if span and pattern.trim.times:
            span = without_times(turn.heard, turn.text, *span)
            span = span and trimmed(turn.low, *span, pattern.trim)
        if span is None:
            continue
        parts = split_list(turn.low, *span) if pattern.is_split else iter((span,))
        for part in parts:
            bare = trimmed(turn.low, *part, pattern.trim)
            if bare and pattern.is_proper:
                named = name_in(turn.text, *bare)
                if pattern.is_whole and named != bare:
                    continue
                bare = named and trimmed(turn.low, *named, pattern.trim)
            if bare:
                yield bare


def _candidate(
    turn: _Turn, pattern: Pattern, match: re.Match[str], start: int, end: int
) -> Candidate | None:
    first, last = clause_around(turn.low, _begin(turn.low, pattern, match), max(match.end(), end))
    first, last = widened(turn.text, first, last)
    quote = turn.text[first:last]
    if find_unsafe(turn.text[slice(*sentence_around(turn.low, first, last))]):
        return None
    text = turn.text[start:end]
    if pattern.is_tag:
        text = canonical_tag(text)
    when = _when(turn, pattern, start if pattern.dates == "due" else first, last)
    if pattern.dates == "to" and when.valid_to is None:
        return None  # It ended, but nobody said when: as it stands it would seem to hold.
    return Candidate(
        predicate=pattern.predicate,
        quotes=(Quote(episode=turn.heard.episode, text=quote),),
        object=Naming(text, pattern.kind) if pattern.kind else None,
        value=None if pattern.kind else text,
        act=_act(turn, pattern, match, end),
        rank=_rank(turn.language, pattern, match),
        confidence=pattern.confidence,
        valid_from=when.valid_from,
        valid_to=when.valid_to,
        is_inferred=pattern.is_inferred,
        event_status=pattern.event_status,
        place=turn.heard.episode,
    )


def _when(turn: _Turn, pattern: Pattern, first: int, last: int) -> Period:
    if pattern.dates == "none" or turn.heard.said_at is None:
        return Period()
    is_late = pattern.act == "correct"
    return period_of(turn.heard, turn.text[first:last], pattern.dates, is_late=is_late)


def _rank(language: Language, pattern: Pattern, match: re.Match[str]) -> int | None:
    said = match.groupdict().get("rank")
    return language.ranks.get(said) if said else pattern.rank


def _act(turn: _Turn, pattern: Pattern, match: re.Match[str], end: int) -> str:
    """Take an assertion that sets something right as a correction."""
    if pattern.act != "assert" or not pattern.contrasts:
        return pattern.act
    if turn.language.contrast.match(turn.low, end):
        return "correct"
    first, _ = sentence_around(turn.low, _begin(turn.low, pattern, match), match.end())
    lead = turn.low[max(0, first - 60) : _begin(turn.low, pattern, match)]
    return "correct" if turn.language.correction.search(lead) else "assert"
