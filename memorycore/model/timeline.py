"""When each fact of a timeline is true: a pure function of what was observed.

Facts of one timeline exclude each other: the values of a single-valued predicate, or a liking and a
disliking of the same thing. Each observation says that its fact holds over a period. At any instant
the observation that began last decides; so order of arrival does not matter, an older statement
becomes history, one inside a known period splits it, and a value that comes back opens a second
period.
"""

import heapq
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

OPEN = 9223372036854775807
"""The end of a period that holds until further notice."""
LOWEST = -9223372036854775808
"""The start of a period about which nothing is known."""
CONFIDENCE_MARGIN = 0.15
"""By so much a statement must be surer than its rival, if nothing else decides between them."""

TRUST = {
    "person": 3,
    "user": 3,
    "document": 2,
    "event": 2,
    "assistant": 1,
    "tool": 1,
    "system": 1,
}
"""How far a source may be believed against another."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What is known about one end of a period: how precisely, and on what basis."""

    precision: str
    basis: str


UNKNOWN = Mark("unknown", "unknown")
ASSERTED = Mark("unknown", "asserted")
"""The end lies where something was said; when it really came about is not known."""
UNTOLD = Mark("range", "unknown")
"""The start of what is only known to have ended: it held just before its end."""


@dataclass(frozen=True, slots=True)
class Observation:
    """A sentence that says that a fact holds over [starts, ends), microseconds UTC.

    ``occasion`` is the session (or the lone turn) it was said in; ``sequence`` orders what was said
    in one occasion. ``ended_by`` is ``nothing``, ``statement`` or ``expiry``.
    """

    fact_id: int
    starts: int
    ends: int
    from_mark: Mark
    to_mark: Mark
    ended_by: str
    asserted_at: int | None
    source_class: str
    reliability: float
    occasion: int
    sequence: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Piece:
    """A period of a fact in its timeline. Several facts over the same one are contested."""

    fact_id: int
    valid_from: int
    valid_to: int
    from_mark: Mark
    to_mark: Mark
    ended_by: str
    certainty: str = "asserted"


LATEST = "latest"
SUREST = "surest"
OPPOSED = "opposed"
"""What decides at an instant: the observation that began last; the surest; or the one that began
last, but for those without any time, which stay contested."""


def timeline(observations: Iterable[Observation], rule: str = LATEST) -> list[Piece]:
    """Give the periods of all facts that were observed, by start."""
    given = list(observations)
    overtaken = _overtaken(given, rule)
    return _join(list(_spans(_close_earlier_ones(given), overtaken, rule)))


def _overtaken(observations: Sequence[Observation], rule: str) -> list[int]:
    """Say of each observation when another takes its place for good.

    What holds until further notice holds until the next such thing begins: when that one ends, the
    one before does not come back. A period that is told with both its ends only interrupts. Where
    the surest decides, none is overtaken.
    """
    starts = sorted({one.starts for one in observations if overtakes(one)})
    ends = []
    for one in observations:
        is_open = one.ended_by == "nothing" and rule != SUREST
        if rule == OPPOSED and one.starts == LOWEST:
            is_open = False
        place = bisect_right(starts, one.starts) if is_open else len(starts)
        ends.append(starts[place] if place < len(starts) else OPEN)
    return ends


def overtakes(one: Observation) -> bool:
    """Tell whether an observation takes the place of those before for good.

    A period whose start and end were both told does not; one that held when it was said does, even
    if its end is known.
    """
    if one.ended_by == "statement":
        return one.from_mark.basis in ("asserted", "unknown")
    return one.ended_by == "nothing"


def _close_earlier_ones(observations: list[Observation]) -> list[Observation]:
    """End the open observations of a fact where a later sentence says that it ended."""
    endings: dict[int, list[Observation]] = {}
    for one in observations:
        if one.ended_by == "statement":
            endings.setdefault(one.fact_id, []).append(one)
    if not endings:
        return observations
    return [_closed(one, endings.get(one.fact_id, ())) for one in observations]


def _closed(one: Observation, endings: Iterable[Observation]) -> Observation:
    if one.ended_by == "statement":
        return one
    later = [
        ending
        for ending in endings
        if one.starts < ending.ends < one.ends and _said_before(one, ending)
    ]
    if not later:
        return one
    ends = min(ending.ends for ending in later)
    mark = _best([ending.to_mark for ending in later if ending.ends == ends])
    return replace(one, ends=ends, to_mark=mark, ended_by="statement")


def _said_before(one: Observation, other: Observation) -> bool:
    """Tell whether a sentence came before another, or at the same time on another occasion."""
    if one.occasion == other.occasion and (
        one.asserted_at == other.asserted_at or None in (one.asserted_at, other.asserted_at)
    ):
        return one.sequence <= other.sequence
    if one.asserted_at is None or other.asserted_at is None:
        return False
    return one.asserted_at <= other.asserted_at


@dataclass(frozen=True, slots=True)
class Span:
    """From, to, what decides in between, and the facts that hold: several contradict each other."""

    begin: int
    end: int
    deciding: tuple[Observation, ...]
    facts: tuple[int, ...]


def _spans(
    observations: Sequence[Observation], overtaken: Sequence[int], rule: str
) -> Iterator[Span]:
    pairs = sorted(zip(observations, overtaken, strict=True), key=lambda pair: pair[0].starts)
    starting = [one for one, _ in pairs]
    until = [min(one.ends, end) for one, end in pairs]
    bounds = sorted({one.starts for one in starting} | {one.ends for one in starting})
    waiting: list[tuple[float, int, int]] = []
    at = 0
    for begin, end in pairwise(bounds):
        while at < len(starting) and starting[at].starts == begin:
            first = -starting[at].reliability if rule == SUREST else 0.0
            heapq.heappush(waiting, (first, -begin, at))
            at += 1
        group = _leading(waiting, starting, until, begin)
        if rule == OPPOSED:
            undated = (one for one in starting[:at] if one.starts == LOWEST and one.ends > begin)
            group = list(dict.fromkeys([*group, *undated]))
        if group:
            yield Span(begin, end, tuple(group), tuple(sorted(contest(group))))


def _leading(
    waiting: list[tuple[float, int, int]],
    starting: Sequence[Observation],
    until: Sequence[int],
    begin: int,
) -> list[Observation]:
    """Give the observations that decide now: those that share the best place in the queue."""
    group: list[tuple[float, int, int]] = []
    while waiting:
        if until[waiting[0][2]] <= begin:
            heapq.heappop(waiting)
        elif not group or waiting[0][:2] == group[0][:2]:
            group.append(heapq.heappop(waiting))
        else:
            break
    for entry in group:
        heapq.heappush(waiting, entry)
    return [starting[entry[2]] for entry in group]


def contest(group: Sequence[Observation]) -> set[int]:
    """Decide between observations that begin together: one fact, or all that stay contested.

    Within an occasion the last word counts; between occasions the more trusted source, then the
    surer statement.
    """
    if len(group) == 1:
        return {group[0].fact_id}
    last: dict[int, tuple[int, int]] = {}
    for one in group:
        last[one.occasion] = max(last.get(one.occasion, one.sequence), one.sequence)
    left = [one for one in group if one.sequence == last[one.occasion]]
    if len({one.fact_id for one in left}) > 1:
        best = max(TRUST[one.source_class] for one in left)
        left = [one for one in left if TRUST[one.source_class] == best]
    if len({one.fact_id for one in left}) > 1:
        surest = max(one.reliability for one in left)
        left = [one for one in left if one.reliability > surest - CONFIDENCE_MARGIN]
    return {one.fact_id for one in left}


def _join(spans: Sequence[Span]) -> list[Piece]:
    """Join spans of the same facts that touch, and say of each end how it is known."""
    pieces: list[Piece] = []
    to_mark = UNKNOWN
    first = 0
    for place, span in enumerate(spans):
        after = spans[place + 1] if place + 1 < len(spans) else None
        if after is not None and after.begin == span.end and after.facts == span.facts:
            continue
        begins = spans[first]
        # It shows again because something that covered it has ended.
        again = to_mark if first and spans[first - 1].end == begins.begin else UNKNOWN
        from_mark = _start_mark(begins, again)
        to_mark, ended_by = _end_mark(span, after)
        certainty = "asserted" if len(span.facts) == 1 else "uncertain"
        pieces += [
            Piece(fact_id, begins.begin, span.end, from_mark, to_mark, ended_by, certainty)
            for fact_id in span.facts
        ]
        first = place + 1
    return pieces


def _start_mark(span: Span, again: Mark) -> Mark:
    own = [
        one.from_mark
        for one in span.deciding
        if one.starts == span.begin and one.fact_id in span.facts
    ]
    return _best(own or [again])


def _end_mark(span: Span, after: Span | None) -> tuple[Mark, str]:
    if span.end == OPEN:
        return UNKNOWN, "nothing"
    # An end of its own counts before what comes next: "until March, then …".
    own = [one for one in span.deciding if one.ends == span.end and one.fact_id in span.facts]
    if own:
        stated = [one for one in own if one.ended_by == "statement"]
        mark = _best([one.to_mark for one in stated or own])
        return mark, "statement" if stated else "expiry"
    next_ = () if after is None or after.begin != span.end else after.deciding
    return _best([one.from_mark for one in next_ if one.starts == span.end] or [UNKNOWN]), (
        "successor"
    )


_PRECISIONS = ("instant", "day", "week", "month", "quarter", "year", "range", "unknown")
_BASES = ("explicit", "relative", "inferred", "policy", "asserted", "unknown")


def _best(marks: Sequence[Mark]) -> Mark:
    """Give the mark that tells most: the one said outright, then the finest."""
    if len(marks) == 1:
        return marks[0]
    return min(
        marks, key=lambda mark: (_BASES.index(mark.basis), _PRECISIONS.index(mark.precision))
    )


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a timeline that new observations can change: [low, high)."""

    low: int = LOWEST
    high: int = OPEN


EVERYTHING = Window()


def rewrite(
    existing: Sequence[Piece],
    observations: Sequence[Observation],
    pieces: Sequence[Piece],
    of: Window,
) -> tuple[list[int], list[Piece]]:
    """Decide how to bring the periods of a timeline to what was computed for a window of it.

    ``existing`` are the current periods that touch the window; ``pieces`` is the timeline of the
    ``observations`` that matter in it, those that begin where it ends among them. Gives the places
    in ``existing`` of those that are to be closed, and the new ones: what reaches out of the window
    on either side is kept, and joined to a new piece of the same fact that it meets.
    """
    wanted = [
        one if one.valid_to <= of.high else replace(one, valid_to=of.high)
        for one in pieces
        if one.valid_from < of.high
    ]
    right = _right_of(existing, observations, pieces, of.high)
    left = [_left_of(old, of.low, observations) for old in existing if old.valid_from < of.low]
    wanted = _joined(_joined([*wanted, *left, *right], of.low), of.high)
    keep, there = set(wanted), set(existing)
    closing = [place for place, one in enumerate(existing) if one not in keep]
    return closing, [one for one in wanted if one not in there]


def _right_of(
    existing: Sequence[Piece], observations: Sequence[Observation], pieces: Sequence[Piece], at: int
) -> list[Piece]:
    """Give what stays of periods behind a window, and how it is known where each begins."""
    behind = [old for old in existing if old.valid_to > at]
    facts = {old.fact_id for old in behind if old.valid_from <= at}
    own = [one.from_mark for one in observations if one.starts == at and one.fact_id in facts]
    ended = [one.to_mark for one in pieces if one.valid_to == at]
    return [
        replace(old, valid_from=at, from_mark=_best(own or ended or [old.from_mark]))
        if old.valid_from <= at
        else old
        for old in behind
    ]


def _left_of(old: Piece, low: int, observations: Sequence[Observation]) -> Piece:
    """Give what stays of a period before a window, and how its end came about."""
    if old.valid_to < low or (old.valid_to == low and old.ended_by != "successor"):
        return old
    mark = _best([one.from_mark for one in observations if one.starts == low] or [UNKNOWN])
    return replace(old, valid_to=low, to_mark=mark, ended_by="successor")


def _joined(pieces: Sequence[Piece], at: int) -> list[Piece]:
    """Join what meets at an instant, where the same facts hold on both sides of it."""
    before = {one.fact_id: one for one in pieces if one.valid_to == at}
    after = {one.fact_id: one for one in pieces if one.valid_from == at}
    if not before or before.keys() != after.keys():
        return list(pieces)
    return [one for one in pieces if at not in (one.valid_from, one.valid_to)] + [
        replace(
            one,
            valid_to=after[fact_id].valid_to,
            to_mark=after[fact_id].to_mark,
            ended_by=after[fact_id].ended_by,
        )
        for fact_id, one in before.items()
    ]


def validity_of(pieces: Sequence[Piece]) -> str:
    """Give the validity of a fact from its periods: none, contested, or how the last one ends."""
    if not pieces:
        return "invalidated"
    if any(piece.certainty == "uncertain" for piece in pieces):
        return "uncertain"
    last = max(pieces, key=lambda piece: piece.valid_to)
    return "invalidated" if last.ended_by == "successor" else "valid"
