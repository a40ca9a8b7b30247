"""Correct the order of the best by what bm25 cannot see. Pure: no question is asked here.

Turns of a session that answers well as a whole come forward; then factors are applied, each for a
reason that a turn either has or has not.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest

from memorycore.engine.question import ends_as_question
from memorycore.model.cue import Cue, read_cue, speaks_of_self
from memorycore.model.episode import Turn

SESSION_SHARE = 0.25
"""How much of a score comes from the session; the rest from the turn with its neighbours."""
SESSION_TURNS = 10
"""So many of a session's best turns speak for it."""
SPEAKER_FACTOR = 1.2
QUESTION_FACTOR = 0.8
SELF_FACTOR = 1.15

_DAY = 86_400_000_000
PERIOD_FACTORS = ((2 * _DAY, 3.0), (10 * _DAY, 2.5), (100 * _DAY, 2.0), (400 * _DAY, 1.1))
"""A turn of a period that the question names counts so much more; of a longer one, nothing."""
_MAY_NAME_A_TIME = re.compile(
    r"\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun"
    r"|yesterday|today|last|ago|week|month|year|spring|summer|autumn|winter|fall)"
    r"|[年月日周天号昨季]|星期|礼拜",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Wish:
    """What a question asks for besides words.

    ``periods`` are half-open, in microseconds UTC, each with its factor.
    """

    speaker_id: int | None = None
    periods: tuple[tuple[int, int, float], ...] = ()
    cue: Cue | None = None


@dataclass(slots=True, eq=False, repr=False)
class Ranked:
    """A turn with the score its place comes from, uncapped, and how it came about.

    ``share`` is what it says of all that is asked, ``session`` what its session adds to that:
    ``score`` = ((1 − ``SESSION_SHARE``) × share + ``SESSION_SHARE`` × session) × each factor.
    """

    number: int
    score: float
    share: float
    session: float
    factors: tuple[tuple[str, float], ...]


def read_wish(query: str, speaker_id: int | None, *, now: int, zone: str) -> Wish:
    """Read a question for what it asks besides words; relative times are those of its asking."""
    return Wish(speaker_id, _periods(query, now, zone), read_cue(query))


def _periods(query: str, now: int, zone: str) -> tuple[tuple[int, int, float], ...]:
    if not _MAY_NAME_A_TIME.search(query):
        return ()
    from memorycore.model.phrase import find_time_phrases
    from memorycore.model.time import Moment

    found = []
    for phrase in find_time_phrases(query, said_at=Moment(now, now + 1, "instant", zone)):
        moment = phrase.moment
        if moment is None or phrase.relation not in ("at", "since"):
            continue
        length = moment.to - moment.from_
        factor = next((by for longest, by in PERIOD_FACTORS if length <= longest), 1.0)
        if factor > 1:
            found.append((moment.from_, moment.to, factor))
    return tuple(found)


def rerank(pool: Sequence[tuple[Turn, float]], wish: Wish, *, ideal: float) -> list[Ranked]:
    """Put turns, each with its raw score, in the order that a question wishes; best first.

    ``ideal`` is the raw score of a turn that says all that is asked.
    """
    sessions: dict[int, list[float]] = defaultdict(list)
    for turn, raw in pool:
        if turn.session_id is not None:
            sessions[turn.session_id].append(raw)
    sums = {name: sum(nlargest(SESSION_TURNS, raws)) for name, raws in sessions.items()}
    best_turn = max((raw for _, raw in pool), default=0.0)
    best_sum = max(sums.values(), default=0.0) or 1.0
    ranked = []
    for turn, raw in pool:
        share = raw / ideal
        together = 0.0 if turn.session_id is None else sums[turn.session_id] / best_sum
        session = together * best_turn / ideal
        factors = _factors(turn, wish)
        score = (1 - SESSION_SHARE) * share + SESSION_SHARE * session
        for _, factor in factors:
            score *= factor
        ranked.append(Ranked(turn.number, score, share, session, factors))
    return sorted(ranked, key=lambda one: (-one.score, one.number))


def _factors(turn: Turn, wish: Wish) -> tuple[tuple[str, float], ...]:
    factors = []
    if wish.speaker_id is not None and wish.speaker_id == turn.speaker_id:
        factors.append(("speaker", SPEAKER_FACTOR))
    if ends_as_question(turn.text):
        factors.append(("asks", QUESTION_FACTOR))
    if period := max(
        (by for start, end, by in wish.periods if turn.touches(start, end)), default=0
    ):
        factors.append(("period", period))
    if wish.cue is not None and wish.cue.fits(turn.text):
        factors.append((wish.cue.name, wish.cue.factor))
    if speaks_of_self(turn.text):
        factors.append(("own voice", SELF_FACTOR))
    return tuple(factors)
