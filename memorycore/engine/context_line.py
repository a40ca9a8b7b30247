"""Write memories as lines of a context: escaped, dated, with their ids. Pure."""

from memorycore.model.context import Line
from memorycore.model.episode import Episode
from memorycore.model.fact import Fact
from memorycore.model.recalled import CLOSING, MARK, OPENING
from memorycore.model.word import fold, split_words

LONGEST = 360
"""Code points of a turn that are shown; of a longer one an excerpt is."""
_LEAD = 80
"""So much of an excerpt stands before the first word that was asked for."""


def opening(scopes: tuple[str, ...], as_of: str) -> str:
    """Write the line that opens a context."""
    return f'{OPENING}scope="{_attribute(", ".join(scopes))}" as-of="{_attribute(as_of)}" {MARK}>'


def closing() -> str:
    """Write the line that closes a context."""
    return CLOSING


def escape(text: str) -> str:
    """Make a text one line of data: it cannot close the frame, nor open a heading."""
    line = " ".join(text.split())
    return line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _attribute(text: str) -> str:
    return escape(text).replace('"', "&quot;")


def fact_line(
    fact: Fact,
    *,
    section: str,
    weight: float,
    before: tuple[Fact, ...] = (),
    against: tuple[Fact, ...] = (),
) -> Line:
    """Write a fact; ``before`` are what held before it, ``against`` what contradicts it."""
    says = f"{fact.predicate.replace('_', ' ').lower()} {fact.object_text}"
    if section in _HEADINGS:
        says = f"{fact.subject.name} {says}"
    notes = [_when(fact)]
    if before:
        notes.append("before: " + ", ".join(one.object_text for one in before))
    if against:
        others = ", ".join(f"{one.object_text} [{one.id}]" for one in against)
        notes.append(f"disputed, also said: {others}")
    if fact.attributed_to:
        notes.append(f"said by {fact.attributed_to}")
    told = "; ".join(filter(None, notes))
    text = f"- {escape(says)}{f' ({escape(told)})' if told else ''} [{fact.id}]"
    heading = _HEADINGS.get(section) or escape(fact.subject.name)
    return Line(section, heading, fact.id, text, weight, says)


_HEADINGS = {"pinned": "Always", "past": "Before", "promised": "Promised", "said": "Said"}


def _when(fact: Fact) -> str:
    """Say when a fact is true, in few words; empty where nothing is known."""
    period = fact.period
    if period is None:
        return ""
    if fact.temporal in ("event", "commitment"):
        return " ".join(filter(None, [fact.when, fact.event_status or ""]))
    start, end = period.starts(fact.zone), period.ends(fact.zone)
    if end is not None:
        return period.shown(fact.zone)
    if start is None:
        return f"said {_said_on(fact)}" if _said_on(fact) else ""
    return f"known since {start[:10]}" if period.from_basis == "asserted" else f"since {start}"


def _said_on(fact: Fact) -> str:
    return next((one.at[:10] for one in fact.evidence if one.at), "")


def turn_line(episode: Episode, *, weight: float, words: tuple[str, ...]) -> Line:
    """Write what was said; of a long turn the part around the first word that was asked for."""
    text, is_excerpt = _excerpt(" ".join(episode.text.split()), words)
    who = episode.speaker or episode.role
    at = (episode.at or "")[:10]
    head = ", ".join(filter(None, [who, at]))
    mark = ", excerpt" if is_excerpt else ""
    line = f"- {escape(head)}: “{escape(text)}” [{episode.id}{mark}]"
    return Line("said", _HEADINGS["said"], episode.id, line, weight, text, is_excerpt)


def _excerpt(text: str, words: tuple[str, ...]) -> tuple[str, bool]:
    if len(text) <= LONGEST:
        return text, False
    folded = fold(text)
    # Folding may change lengths; then the place is only near, which does for an excerpt.
    asked = {piece for word in words for piece in split_words(word) if len(piece) > 1}
    places = [at for piece in asked if (at := folded.find(piece)) >= 0]
    start = max(0, min(places, default=0) - _LEAD)
    start = min(start, len(text) - LONGEST)
    cut = text[start : start + LONGEST]
    return f"{'…' if start else ''}{cut}{'…' if start + LONGEST < len(text) else ''}", True
