"""Read a question: which words it looks for, and which participant it names.

No text becomes syntax. A question may narrow what is searched; it can never widen it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memorycore.errors import InvalidQueryError
from memorycore.model.search import MAX_QUERY_LENGTH
from memorycore.model.stopword import ENGLISH, GREETINGS, HAN_CHARACTERS, HAN_PAIRS
from memorycore.model.word import Run, fold, split_runs, split_words
from memorycore.store.match import Clause, Phrase

MAX_CLAUSES = 64
MAX_EXACT_RUNS = 8
"""A longer question is a sentence; that it stands somewhere word for word is no longer likely."""
MAX_PARTICIPANTS = 12
QUOTES = ('"', "“", "「", "『")

_QUOTED = r'"([^"]{1,1000})"'
_WHOLLY_QUOTED = r'\s*(?:"([^"]+)"|[“「『]([^“”「」『』]+)[”」』])\s*\Z'


@dataclass(slots=True)
class Question:
    """What is looked for.

    ``clauses`` are its telling words; ``extra`` ones add to the score of what fits them as a whole.
    ``required`` phrases must stand in the episode itself: the whole question was in quotes.
    """

    clauses: tuple[Clause, ...]
    extra: tuple[Clause, ...]
    required: tuple[Phrase, ...]
    speaker_id: int | None

    @property
    def is_empty(self) -> bool:
        return not self.clauses and not self.required

    @property
    def words(self) -> tuple[str, ...]:
        quoted = tuple(" ".join(phrase.words) for phrase in self.required)
        return quoted + tuple(clause.label for clause in self.clauses)


def read_question(query: str, speakers: Sequence[tuple[int, str]]) -> Question:
    """Read a question that is asked in a scope with these speakers (number and name).

    Raises:
        InvalidQueryError: it is empty, or longer than 100,000 characters.
    """
    if not query.strip():
        raise InvalidQueryError("The query is empty.", hint='memoryctl search "部署方案"')
    if len(query) > MAX_QUERY_LENGTH:
        raise InvalidQueryError(f"The query has {len(query)} characters; {MAX_QUERY_LENGTH} do.")
    if query.lstrip()[:1] in QUOTES and (match := re.match(_WHOLLY_QUOTED, query)):
        phrase = _phrase(match[1] or match[2], in_body=True)
        return Question((), (), (phrase,) if phrase else (), None)
    runs, speaker_id = _without_names(split_runs(query), speakers)
    clauses = _clauses(runs)
    if len(clauses) == 1 or _is_greeting(runs):
        # A neighbour of the one word asked for is no answer; nor does a greeting call up memories.
        clauses = tuple(_own_words_only(clause) for clause in clauses)
    extra = filter(None, [_as_quoted(query), _as_typed(query, runs, clauses)])
    return Question(clauses, tuple(extra), (), speaker_id)


def _phrase(text: str, *, in_body: bool = False) -> Phrase | None:
    """Make the phrase that finds a text as a substring: whole words, pairs for Han."""
    runs = split_runs(text)
    if not runs:
        return None
    words = split_words(text)
    if not runs[-1].is_cjk:
        return Phrase(tuple(words), in_body=in_body)
    if len(runs[-1].text) == 1:
        return Phrase(tuple(words), is_prefix=True, in_body=in_body)
    return Phrase(tuple(words[:-1]), in_body=in_body)


def _without_names(
    runs: list[Run], speakers: Sequence[tuple[int, str]]
) -> tuple[list[Run], int | None]:
    """Take the participants' names out; name the one speaker if it is exactly one.

    Where only one speaks the name tells nothing apart; where very many do it is a topic; and where
    nothing else is asked it is the question. In these cases it stays.
    """
    if not 2 <= len(speakers) <= MAX_PARTICIPANTS:
        return runs, None
    named: set[int] = set()
    left = runs
    for part, numbers in _name_parts(speakers):
        shorter = list(_cut(left, part))
        if shorter != left:
            named |= numbers
            left = shorter
    return (left or runs), (named.pop() if len(named) == 1 else None)


def _name_parts(speakers: Sequence[tuple[int, str]]) -> list[tuple[Run, set[int]]]:
    """List the parts of the names, longest first, each with the speakers that have it."""
    parts: dict[Run, set[int]] = {}
    for number, name in speakers:
        runs = split_runs(name)
        telling = [run for run in runs if run.text not in ENGLISH]
        for run in telling or runs:
            parts.setdefault(run, set()).add(number)
    return sorted(parts.items(), key=lambda entry: -len(entry[0].text))


def _cut(runs: Iterable[Run], name: Run) -> Iterable[Run]:
    for run in runs:
        if not name.is_cjk or not run.is_cjk:
            if run != name:
                yield run
        elif len(name.text) > 1 and name.text in run.text:
            for piece in run.text.split(name.text):
                if piece:
                    yield Run(piece, is_cjk=True)
        elif run != name:
            yield run


def _clauses(runs: Sequence[Run]) -> tuple[Clause, ...]:
    """Make a clause of each telling word or pair; of all words when none tells anything."""
    telling = [clause for run in runs for clause in _telling(run)]
    clauses = telling or [clause for run in runs for clause in _every(run)]
    return tuple({clause.label: clause for clause in clauses}.values())


def _telling(run: Run) -> Iterable[Clause]:
    if not run.is_cjk:
        return [] if run.text in ENGLISH else _every(run)
    if len(run.text) == 1:
        return [] if run.text in HAN_CHARACTERS else _every(run)
    return [clause for clause in _every(run) if not _tells_nothing(clause.label)]


def _tells_nothing(pair: str) -> bool:
    return pair in HAN_PAIRS or all(character in HAN_CHARACTERS for character in pair)


def _every(run: Run) -> list[Clause]:
    if not run.is_cjk:
        return [Clause((Phrase((run.text,)),), run.text)]
    if len(run.text) == 1:
        return [Clause((Phrase((run.text,), is_prefix=True),), run.text)]
    pairs = [run.text[at : at + 2] for at in range(len(run.text) - 1)]
    return [Clause((Phrase((pair,)),), pair) for pair in pairs]


def _as_typed(text: str, runs: Sequence[Run], clauses: Sequence[Clause]) -> Clause | None:
    """Make the clause that all of a short query stands there as typed, piece by piece."""
    if not runs or len(runs) > MAX_EXACT_RUNS:
        return None
    phrases = _phrases(text.split())
    only_one_word = len(phrases) == 1 and len(phrases[0].words) == 1 and len(clauses) == 1
    return None if only_one_word else Clause(phrases, "as typed")


def _as_quoted(text: str) -> Clause | None:
    """Make the clause that the quoted parts of a question stand there word for word."""
    phrases = _phrases(re.findall(_QUOTED, text)) if '"' in text else ()
    return Clause(phrases, "as quoted") if phrases else None


def _phrases(texts: Iterable[str]) -> tuple[Phrase, ...]:
    found = (_phrase(text, in_body=True) for text in texts)
    return tuple(phrase for phrase in found if phrase is not None)


def _is_greeting(runs: Sequence[Run]) -> bool:
    return bool(runs) and all(run.text in GREETINGS or run.text in ENGLISH for run in runs)


def _own_words_only(clause: Clause) -> Clause:
    phrases = tuple(
        Phrase(phrase.words, is_prefix=phrase.is_prefix, in_body=True) for phrase in clause.phrases
    )
    return Clause(phrases, clause.label)


def ends_as_question(text: str) -> bool:
    """Tell whether a turn asks rather than tells."""
    return fold(text[-8:]).rstrip(" \t\n\"'”’)）」』~").endswith("?")
