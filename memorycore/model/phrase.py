"""Time phrases of a sentence, in Chinese and English, placed by the day on which it was said.

"Last Friday" is a day only beside the day it was said on, and that is never today's: without a
reference, or with one that is too coarse, the phrase is found and stays unresolved. So does what
is vague ("recently", "小时候"), what comes again and again ("every Monday"), and what two readers
would place on different days. Durations, ages, prices and versions are no time phrases at all.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from memorycore.errors import InvalidTimeError
from memorycore.model.period import Frame, resolve
from memorycore.model.phrase_context import context_tense
from memorycore.model.phrase_hit import find_hits
from memorycore.model.phrase_rule import Hit
from memorycore.model.time import (
    FIRST,
    LAST,
    Moment,
    from_microseconds,
    load_zone,
    parse_moment,
    to_microseconds,
)
from memorycore.model.time_spec import Count, Span, Vague, is_explicit
from memorycore.model.word import fold

__all__ = ["TimePhrase", "find_time_phrases"]

_DAY = timedelta(days=1)
_MINUTES = {"hour": 60, "minute": 1}
_ROUGH = ("week", "fortnight", "month", "quarter", "year", "decade")


@dataclass(frozen=True, slots=True)
class TimePhrase:
    """A phrase that names a time: where it stands, and when that is.

    ``text`` is the text from ``start`` to ``end`` (code points), with the word that joins it to
    the sentence ("since May"). ``moment`` is ``None`` where the phrase cannot be placed.
    ``relation`` says how what is told lies to the moment: at, since, until, before or after it.
    ``loose`` marks what was said roughly: "two years ago", "around Easter".
    """

    text: str
    start: int
    end: int
    moment: Moment | None
    basis: str
    relation: str = "at"
    loose: bool = False


class _Folding(dict[int, str]):
    """Fold character by character, so that places in the folded text are those of the text."""

    def __missing__(self, code: int) -> str:
        folded = fold(chr(code))
        result = folded if len(folded) == 1 else chr(code)
        if len(self) < 20_000:
            self[code] = result
        return result


_FOLDING = _Folding()


def find_time_phrases(
    text: str, *, said_at: Moment | None, zone: str = "UTC"
) -> tuple[TimePhrase, ...]:
    """Find the time phrases of a sentence, in order and without overlap, and place them.

    Relative phrases are placed by the local day of ``said_at``, in its own zone where it has one
    and in ``zone`` otherwise.

    Raises:
        InvalidTimeError: there is no such zone.
    """
    folded = text.lower() if text.isascii() else text.translate(_FOLDING)
    hits = find_hits(folded, text)
    if not hits:
        return ()
    where = (said_at.zone if said_at else "") or zone
    load_zone(where)  # or say at once that there is none
    days = _local_days(said_at, where) if said_at else None
    return tuple(_place(hit, text, folded, said_at, days, where) for hit in hits)


def _local_days(said_at: Moment, zone: str) -> tuple[date, date] | None:
    """Give the first and the last local day of a reference; ``None`` beyond the calendar's ends."""
    where = load_zone(zone)
    try:
        first = from_microseconds(said_at.from_).astimezone(where).date()
        if said_at.to - said_at.from_ == 1:
            return first, first
        return first, from_microseconds(said_at.to - 1).astimezone(where).date()
    except OverflowError:
        return None


def _place(
    hit: Hit,
    text: str,
    folded: str,
    said_at: Moment | None,
    days: tuple[date, date] | None,
    zone: str,
) -> TimePhrase:
    explicit = is_explicit(hit.spec) or bool(hit.iso)
    try:
        moment = _moment(hit, folded, said_at, days, zone)
    except (ValueError, OverflowError, InvalidTimeError):
        moment = None
    if moment and not FIRST <= moment.from_ < moment.to <= LAST:
        moment = None
    loose = hit.loose or (isinstance(hit.spec, Count) and hit.spec.unit in _ROUGH)
    return TimePhrase(
        text[hit.start : hit.end],
        hit.start,
        hit.end,
        moment,
        "explicit" if explicit else "relative",
        hit.relation,
        loose,
    )


def _moment(
    hit: Hit, folded: str, said_at: Moment | None, days: tuple[date, date] | None, zone: str
) -> Moment | None:
    if hit.iso:
        return parse_moment(hit.iso, zone=zone)
    spec = hit.spec
    if isinstance(spec, Vague):
        return None
    if days is None:
        if not is_explicit(spec):
            return None
        days = (date(2000, 1, 1), date(2000, 1, 1))
    tense = context_tense(hit, folded)
    if tense is None:
        return None
    if isinstance(spec, Count) and spec.unit in _MINUTES:
        return _minutes_away(spec, said_at, zone)
    span = resolve(spec, Frame(days[0], tense))
    if days[0] != days[1] and span is not None and resolve(spec, Frame(days[1], tense)) != span:
        return None
    return _build(span, hit, zone) if span else None


def _minutes_away(spec: Count, said_at: Moment | None, zone: str) -> Moment | None:
    if said_at is None or said_at.precision != "instant" or spec.anchor:
        return None
    minutes = spec.number * _MINUTES[spec.unit] * spec.sign
    instant = said_at.from_ + round(minutes * 60) * 1_000_000
    return Moment(instant, instant + 1, "instant", zone)


def _build(span: Span, hit: Hit, zone: str) -> Moment | None:
    where = load_zone(zone)
    first, last, precision = span
    if hit.clock and precision == "day":
        hour, minute = hit.clock
        if hour == 24:
            first, hour = first + _DAY, 0
        at = datetime(first.year, first.month, first.day, hour, minute, tzinfo=where)
        instant = to_microseconds(at)
        return Moment(instant, instant + 1, "instant", zone)
    begin = to_microseconds(datetime(first.year, first.month, first.day, tzinfo=where))
    if last == date.max:
        return Moment(begin, LAST, precision, zone)
    after = last + _DAY
    end = to_microseconds(datetime(after.year, after.month, after.day, tzinfo=where))
    return Moment(begin, end, precision, zone)
