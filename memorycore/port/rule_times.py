"""The time that a statement names: when it begins to hold, when it ends, or when it is due."""

import re
from datetime import date
from typing import NamedTuple

from memorycore.model.candidate import When
from memorycore.model.heard import Heard
from memorycore.model.phrase import TimePhrase, find_time_phrases
from memorycore.model.time import DAY, Moment, format_instant, parse_moment

_BY_THE = re.compile(
    r"\bby the (\d{1,2})(?:st|nd|rd|th)\b(?! of\b| (?:day|week|hour|chapter|page))"
)
_BARE = " \t,.;:!?。、"


class Period(NamedTuple):
    """The ends of a period, as far as they were said."""

    valid_from: When | None = None
    valid_to: When | None = None


def phrases_in(heard: Heard, text: str) -> list[TimePhrase]:
    """Find the phrases of time in a piece of a turn."""
    return list(find_time_phrases(text, said_at=heard.said_at, zone=heard.zone))


def without_times(heard: Heard, text: str, start: int, end: int) -> tuple[int, int] | None:
    """Cut the phrases of time off the two ends of a span."""
    phrases = phrases_in(heard, text[start:end])
    first, last = start, end
    for phrase in phrases:
        if text[start + phrase.end : start + phrase.end + 1] == "的":
            break  # It says which: 双十一的活动页 is no page that is made on that day.
        if not text[first : start + phrase.start].strip(_BARE):
            first = max(first, start + phrase.end)
    for phrase in reversed(phrases):
        if not text[start + phrase.end : last].strip(_BARE):
            last = min(last, start + phrase.start)
    return (first, last) if first < last else None


def period_of(heard: Heard, clause: str, dates: str, *, is_late: bool = False) -> Period:
    """Read the period of a statement from the phrases of its clause, as its pattern takes them.

    ``from`` takes a time as the beginning and ``since`` only what is said to be one; ``to`` takes
    it as the end, ``due`` as the day by which, and ``day`` as the day on which it happened. The
    first phrase counts, or the last where what was said before is taken back.
    """
    start = end = None
    phrases = phrases_in(heard, clause)
    for phrase in reversed(phrases) if is_late else phrases:
        if phrase.moment is None:
            continue
        when = When(phrase.moment, phrase.basis)
        if dates == "day":
            start = start or When(_day(phrase.moment), phrase.basis)
        elif dates in ("due", "to") or phrase.relation == "until":
            end = end or when
        elif dates != "since" or phrase.relation == "since":
            start = start or when
    if dates == "due" and end is None:
        end = _by_the(heard, clause)
    return Period(start, end)


def _by_the(heard: Heard, clause: str) -> When | None:
    """Place "by the 20th": the next day of that number."""
    found = _BY_THE.search(clause.lower())
    if found is None or heard.said_at is None:
        return None
    said = heard.said_at
    today = date.fromisoformat(format_instant(said.from_, said.zone)[:10])
    for month in range(today.month, today.month + 3):
        try:
            due = date(today.year + (month - 1) // 12, (month - 1) % 12 + 1, int(found[1]))
        except ValueError:
            continue
        if due >= today:
            return When(parse_moment(due.isoformat(), zone=said.zone), "relative")
    return None


def _day(moment: Moment) -> Moment:
    if moment.to - moment.from_ >= DAY // 2:
        return moment
    return parse_moment(format_instant(moment.from_, moment.zone)[:10], zone=moment.zone)
