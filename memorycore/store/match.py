"""FTS5 expressions: made only of words that we cut, each in quotes, so no text becomes syntax."""

from dataclasses import dataclass

from memorycore.model.word import scope_mark


@dataclass(slots=True)
class Phrase:
    """Index words that must follow each other; the last may be the start of a word.

    ``in_body`` asks for the turn's own words, not its neighbours'.
    """

    words: tuple[str, ...]
    is_prefix: bool = False
    in_body: bool = False


@dataclass(slots=True)
class Clause:
    """Phrases that must all be there. One clause adds one part to the score of a row."""

    phrases: tuple[Phrase, ...]
    label: str


def render_phrase(phrase: Phrase, scope_id: int) -> str:
    """Write a phrase as an FTS5 string of a scope's words."""
    mark = scope_mark(scope_id)
    words = f" {mark}".join(word.replace('"', '""') for word in phrase.words)
    column = "{body} : " if phrase.in_body else ""
    return f'{column}"{mark}{words}"{" *" if phrase.is_prefix else ""}'


def render_clause(clause: Clause, scope_id: int) -> str:
    """Write a clause as an FTS5 expression."""
    return " AND ".join(f"({render_phrase(phrase, scope_id)})" for phrase in clause.phrases)
