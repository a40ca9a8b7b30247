"""From the span that a pattern matched to the object it names, and to the clause it stands in."""

import re
from collections.abc import Iterator

from memorycore.model.sentence import sentence_around
from memorycore.model.word import CJK, fold
from memorycore.port.rule_patterns import Trim

_EDGES = " \t\r\n,.;:!?。、…~-–—\"“”'‘’「」『』()|*_"
_STOP = re.compile(r"[,;:!?。…\n]+|\.(?=\s|$)|\s[-–—]+\s")
_CJK = re.compile(f"[{CJK}]")
_LISTED = re.compile(r",? (?:and|or) (?:also )?|, (?:and )?|、|和|跟|与|以及|还有")
_WHOLE_PAIRS = re.compile(
    r"\b(?:rock and roll|fish and chips|mac(?:aroni)? and cheese|black and white|gin and tonic"
    r"|(?:peanut )?butter and jelly|bed and breakfast|arts and crafts|\w+ and (?:white|blues)"
    r"|salt and \w+|sweet and sour|rhythm and blues|drum and bass|back and forth|cats? and mouse"
    r"|between|both|like|of|it|such as)\b|《|之间"
)
_WORD = re.compile(r"[^\s,]+")
_SMALL = frozenset("of de la le du da del der van von den of the upon in &".split())
_DOING = re.compile(r"^[a-z]{2,}ing\b|[a-z]{2,}ing$")
_VERBAL = re.compile(
    r"^(?:to|how|what|when|that|who|which|where|i|we|you|he|she|it|they|is|are|was|have|has|do|am"
    r"|can|could|then|so|not|now|it's|i'm)\b"
)


def fold_in_place(text: str) -> str:
    """Fold a text for matching, character by character, so that every place stays its own."""
    if text.isascii():
        return text.lower()
    low = fold(text)
    if len(low) != len(text):
        low = "".join(one if len(one := fold(char)) == 1 else char for char in text)
    return low.replace("’", "'").replace("‘", "'")


def clause_around(low: str, start: int, end: int) -> tuple[int, int]:
    """Give the clause, or the clauses, that hold a span of a folded text."""
    first, last = sentence_around(low, start, end)
    begin = first
    for found in _STOP.finditer(low, first, start):
        begin = found.end()
    stop = _STOP.search(low, end, last)
    end = max(end, stop.start() if stop else last)
    while begin < start and low[begin] in _EDGES:
        begin += 1
    while end > start and low[end - 1] in " \t\r\n.!?。,;…~":
        end -= 1
    return begin, end


WIDEST = 200
"""What stands twice with so much before it is said again in the same words."""


def widened(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen a span to the left until its words stand nowhere before it."""
    for begin in range(start, max(-1, start - WIDEST), -1):
        if text.find(text[begin:end]) == begin:
            return begin, end
    return start, end


def trimmed(low: str, start: int, end: int, trim: Trim) -> tuple[int, int] | None:
    """Cut a span to the object it names; ``None`` if nothing worth naming is left."""
    start, end = _bare(low, start, end)
    if trim.cut and (found := trim.cut.search(low, start, end)):
        start, end = _bare(low, start, found.start())
    for _ in range(6):
        before = start, end
        if trim.head and (found := trim.head.match(low, start, end)):
            start = found.end()
        if trim.tail and (found := trim.tail.search(low, start, end)):
            end = found.start()
        start, end = _bare(low, start, end)
        if before == (start, end):
            break
    words = low[start:end]
    if not words or (trim.refuse and trim.refuse.fullmatch(words)):
        return None
    return (start, end) if length_of(words) <= trim.longest else None


def length_of(words: str) -> int:
    """Count the words of English and the characters of Chinese, a word as three of them."""
    return 3 * len(_CJK.sub(" ", words).split()) + len(_CJK.findall(words))


def _bare(low: str, start: int, end: int) -> tuple[int, int]:
    while start < end and (low[start] in _EDGES or _is_emoji(low[start])):
        start += 1
    while end > start and (low[end - 1] in _EDGES or _is_emoji(low[end - 1])):
        if low[end - 1] == ")" and "(" in low[start:end]:
            break
        end -= 1
    return start, end


def _is_emoji(char: str) -> bool:
    return char >= "\U0001f000" or "\u2600" <= char <= "\u27bf" or char in "\ufe0f\u200d"


def split_list(low: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Give the parts of a list of like things, or the whole where it is none."""
    words = low[start:end]
    cuts = [(start, start), *((m.start(), m.end()) for m in _LISTED.finditer(low, start, end))]
    parts = [
        (one[1], two[0]) for one, two in zip(cuts, [*cuts[1:], (end, end)], strict=True)
    ]  # fmt: skip
    texts = [low[one:two].strip() for one, two in parts]
    if len(parts) > 1 and not _WHOLE_PAIRS.search(words) and _are_alike(texts):
        yield from parts
    else:
        yield start, end


def _are_alike(texts: list[str]) -> bool:
    if any(not text or length_of(text) > 12 or _VERBAL.match(text) for text in texts):
        return False
    if any(_CJK.search(text) for text in texts):
        return all(len(text) > 1 and "的" not in text for text in texts)
    lengths = {len(text.split()) for text in texts}
    return all(_DOING.search(text) for text in texts) or (len(lengths) == 1 and max(lengths) < 3)


def name_in(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Cut a span to the words at its start that are written like a name."""
    stop = start
    for number, word in enumerate(_WORD.finditer(text, start, end)):
        if number == 0 and word[0] in ("the", "The"):
            continue
        if word[0][0].islower() and not (word[0] in _SMALL and number):
            break
        if word[0] in ("I", "I'm", "I've"):
            break
        if not word[0][0].islower():
            stop = word.end()
    return (start, stop) if stop > start else None
