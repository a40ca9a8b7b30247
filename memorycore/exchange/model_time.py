"""Dates that a model gives, held against our own reading of the words that they rest on.

A model may have counted from the wrong day, or from today. So the words that it names are read
again, beside the day on which they were said, and where that places them it holds.
"""

from typing import NamedTuple

from memorycore.errors import InvalidTimeError
from memorycore.model.candidate import When
from memorycore.model.heard import Heard
from memorycore.model.phrase import TimePhrase, find_time_phrases
from memorycore.model.time import DAY, Moment, parse_moment
from memorycore.model.word import fold

ROUGHLY = 5
ROUGH_DAYS = 3
"""What was said roughly may lie off by a fifth of how long ago it is, and by three days."""
ENDS = ("valid_from", "valid_to")
_OTHER_END = {"valid_from": ("until", "before"), "valid_to": ("since", "after")}
"""What is said until May begins at no time that is told, and what is so since May does not end."""


class Dated(NamedTuple):
    """An end of a period: when, a note (code and words) on what was wrong, and whether to look."""

    when: When | None = None
    note: tuple[str, str] | None = None
    needs_person: bool = False


def check_date(end: str, given: str | None, said: str | None, turn: Heard, quote: str) -> Dated:
    """Decide what an end of a period is, of which a model gives the date and the words.

    Without words that stand in the turn there is no date. Where our reading places the words, its
    date is taken: silently if the model's meets it, and else a person looks at the candidate. Where
    it finds the words and cannot place them, the date is left out. Words that it does not know are
    taken at the model's word where they hold the year, and else a person looks.
    """
    if given is None:
        return Dated()
    words = fold(said or "").strip()
    if not words or words not in fold(turn.text):
        return _left_out("time_not_said", f"{end} without its words")
    zone = (turn.said_at and turn.said_at.zone) or turn.zone
    try:
        moment = parse_moment(given, zone=zone)
    except InvalidTimeError:
        return _left_out("invalid_time", f"{end} is no ISO date")
    phrases = _phrases(words, turn, quote)
    if not phrases:
        return _unknown_words(end, moment, given, words, turn)
    fitting = [one for one in phrases if one.relation not in _OTHER_END[end]]
    if not fitting:
        why = f"its words tell the other end than {end}"
        return Dated(None, ("time_disagrees", why), needs_person=True)
    phrase = fitting[0] if end == "valid_from" else fitting[-1]
    return _compare(end, moment, phrase, turn)


def _left_out(code: str, why: str) -> Dated:
    return Dated(None, (code, why))


def _unknown_words(end: str, moment: Moment, given: str, words: str, turn: Heard) -> Dated:
    """Judge a date whose words are none that we read."""
    if given[:4] in words:
        return Dated(When(moment, "explicit"))
    if turn.said_at is None:
        return _left_out("no_observation_date", f"{end} has no day to count from")
    why = f"{end} rests on words that cannot be checked"
    return Dated(When(moment, "relative"), ("time_not_checked", why), needs_person=True)


def _compare(end: str, given: Moment, phrase: TimePhrase, turn: Heard) -> Dated:
    ours = phrase.moment
    if ours is None:
        if turn.said_at is None and phrase.basis == "relative":
            return _left_out("no_observation_date", f"{end} has no day to count from")
        return _left_out("time_not_placed", f"{end} rests on words that name no certain time")
    meets = given.from_ < ours.to and ours.from_ < given.to
    # The first day on which something is over may be the one after the last of its words.
    meets = meets or (end == "valid_to" and given.from_ == ours.to)
    if ours.precision == "range":
        if meets:
            return Dated(When(given, phrase.basis))
        why = f"{end} lies outside of what its words say"
        return Dated(None, ("time_disagrees", why), needs_person=True)
    if phrase.loose and given.from_ <= ours.from_ and ours.to <= given.to:
        return Dated(When(given, phrase.basis))  # "two years ago" is hardly one day
    if meets or (phrase.loose and _is_near(given, ours, turn)):
        return Dated(When(ours, phrase.basis))
    why = f"{end} is not when its words say; what they say was taken"
    return Dated(When(ours, phrase.basis), ("time_disagrees", why), needs_person=True)


def _is_near(given: Moment, ours: Moment, turn: Heard) -> bool:
    """Tell whether a date lies as near as what was said roughly can be meant."""
    if turn.said_at is None:
        return False
    slack = abs(ours.from_ - turn.said_at.from_) // ROUGHLY + ROUGH_DAYS * DAY
    return abs(given.from_ - ours.from_) <= slack


def _phrases(words: str, turn: Heard, quote: str) -> list[TimePhrase]:
    """Find the phrases of time that the words lie in, in the quote before elsewhere in the turn."""
    places = _places(words, turn.text)
    start = turn.text.find(quote)
    inside = [one for one in places if start <= one[0] and one[1] <= start + len(quote)]
    if start >= 0 and inside:
        places = inside
    try:
        found = find_time_phrases(turn.text, said_at=turn.said_at, zone=turn.zone)
    except InvalidTimeError:
        return []
    for first, last in places:
        met = [one for one in found if one.start < last and first < one.end]
        if met:
            return met
    return []


def _places(words: str, text: str) -> list[tuple[int, int]]:
    """Find where folded words stand in a text; folding may change its length."""
    folded = [fold(char) for char in text]
    joined = "".join(folded)
    owner = [at for at, part in enumerate(folded) for _ in part]
    places = []
    start = joined.find(words)
    while start >= 0:
        places.append((owner[start], owner[start + len(words) - 1] + 1))
        start = joined.find(words, start + 1)
    return places
