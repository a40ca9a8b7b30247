"""Needles: the words to look for after a forgetting. They live in memory only, never in the store.

A text is looked for by pieces of it, since the file may hold a part of it; a word by its last
bytes, since an index keeps only what sets a word off from the one before.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from memorycore.model.name import bare, stands_in
from memorycore.model.word import fold, split_words

PIECE_BYTES = 24
MAX_PIECES = 64
"""So many pieces of a text are looked for; of a longer one they lie evenly over it."""
SHORTEST = 8
"""Bytes: what is shorter stands in any file by chance."""
TAIL_BYTES = 18
ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be")
SHARED = 12
"""Characters that a line must share with a text to count as quoting it; half of it for Han."""


@dataclass(slots=True)
class Needles:
    """The texts that a forgetting has taken away, in memory."""

    texts: list[str] = field(default_factory=list)

    def add_texts(self, texts: Iterable[str]) -> None:
        """Add texts that are to be found nowhere any more."""
        self.texts += [text for text in texts if text.strip()]

    def words(self) -> list[str]:
        """List the words of the texts, folded, each once."""
        found: dict[str, None] = {}
        for text in self.texts:
            found.update(dict.fromkeys(split_words(fold(text))))
        return list(found)

    def pieces(self) -> list[bytes]:
        """List the byte sequences by which the texts are looked for, each once."""
        found: dict[bytes, None] = {}
        for text in dict.fromkeys(self.texts):
            for encoding in ENCODINGS:
                found.update(dict.fromkeys(_pieces(text.encode(encoding, "replace"))))
        return list(found)


def quoting(
    lines: Sequence[tuple[int, str]], texts: Iterable[str], names: Iterable[str]
) -> list[int]:
    """List those of some numbered lines that share a run of characters with a text, or name one."""
    shared = {part for text in texts for part in _runs(text)}
    named = [name for name in map(bare, names) if name]
    return [
        number
        for number, line in lines
        if not shared.isdisjoint(_runs(line)) or any(stands_in(name, bare(line)) for name in named)
    ]


def _pieces(data: bytes) -> Iterator[bytes]:
    if len(data) < SHORTEST:
        return
    if len(data) <= PIECE_BYTES:
        yield data
        return
    last = len(data) - PIECE_BYTES
    step = max(PIECE_BYTES, last // MAX_PIECES)
    for start in (*range(0, last, step), last):
        yield data[start : start + PIECE_BYTES]


def tails(words: Iterable[str]) -> list[bytes]:
    """Give the byte sequences by which words are looked for; short ones are left to the index."""
    found: dict[bytes, None] = {}
    for word in words:
        for encoding in ENCODINGS[:1] if word.isascii() else ENCODINGS:
            data = word.encode(encoding, "replace")[-TAIL_BYTES:]
            if len(data) >= SHORTEST:
                found[data] = None
    return list(found)


def _runs(text: str) -> set[str]:
    """List the runs of a text by which it is recognised: long ones, and short ones with Han."""
    plain = "".join(fold(text).split())
    if plain.isascii():
        return _pieces_of(plain, SHARED)
    short = {one for one in _pieces_of(plain, SHARED // 2) if not one.isascii()}
    return short | _pieces_of(plain, SHARED)


def _pieces_of(plain: str, length: int) -> set[str]:
    if len(plain) <= length:
        return {plain}
    return {plain[at : at + length] for at in range(len(plain) - length + 1)}
