"""Benchmarks of large stores of facts: as-of reads, and admitting one statement more."""

import shutil
import statistics
import time
from collections.abc import Callable, Iterator, Sequence

import apsw
from fact_store import CHAIN, CROWD, DAY, FACTS_OF_SUBJECT, FIRST, VERSIONS, fact_store
from figures import Figure, compare, cpu_time
from statements import HOUR, SCOPE, SOURCE, START
from stores import Workshop, remove

from memorycore import Memory
from memorycore.model.candidate import Candidate, Naming, Quote
from memorycore.model.draft import Draft
from memorycore.model.time import Moment
from memorycore.store.connection import Connection, open_connection
from memorycore.store.fact_reads import AsOf, list_values

SIZES = (10_000, 100_000, 1_000_000)
VERSIONS_TARGET = 3.0
READS = 2_000
REPEAT = 7
STATEMENTS = 50

BY_NUMBER = """
SELECT fact_id, valid_from, valid_to, certainty FROM fact_periods WHERE period_id = ?
"""
PERIODS = """
SELECT period_id FROM fact_periods WHERE fact_id = ? AND recorded_to = 9223372036854775807
"""
PLACE = """
SELECT subject_id, predicate_id, min(recorded_from) FROM fact_periods WHERE subject_id = ?
"""


def versions(shop: Workshop, *, quick: bool) -> Iterator[Figure]:
    """Compare as-of reads of what has fifty versions with looking up so many rows by number."""
    path = fact_store(shop, SIZES[1] if quick else SIZES[2])
    db = open_connection(path, read_only=True, busy_timeout=1)
    subject_id, predicate_id, first = db.execute(PLACE, (FIRST + 2,)).fetchone() or (0, 0, 0)
    numbers = [db.execute(PERIODS, (number + 1,)).get for number in range(VERSIONS)]
    middle, known = START + VERSIONS // 2 * DAY, first + VERSIONS // 2
    db.execute("BEGIN")
    for axis, when in (
        ("valid axis", AsOf(middle)),
        ("recorded axis", AsOf(None, known)),
        ("both axes", AsOf(middle, known)),
    ):
        found = list_values(db, subject_id, predicate_id, when)
        for rows, target in ((VERSIONS, VERSIONS_TARGET), (len(found), None)):
            ratio, ours, raw = compare(
                lambda: _read_time(db, subject_id, predicate_id, when),  # noqa: B023
                lambda: _lookup_time(db.raw, numbers[:rows]),  # noqa: B023
                repeat=REPEAT,
            )
            per = 1_000_000 / READS
            beside = f"ours {ours * per:.1f} µs, by number {raw * per:.1f} µs"
            what = f"{axis}, {len(found)} found / {rows} by number"
            yield Figure("versions", what, ratio, target, beside=beside)
    db.close()


def _read_time(db: Connection, subject_id: int, predicate_id: int, when: AsOf) -> float:
    return cpu_time(lambda: [list_values(db, subject_id, predicate_id, when) for _ in range(READS)])


def _lookup_time(raw: apsw.Connection, numbers: Sequence[int]) -> float:
    return cpu_time(
        lambda: [
            [raw.execute(BY_NUMBER, (number,)).fetchall() for number in numbers]
            for _ in range(READS)
        ]
    )


Say = Callable[[int, int], tuple[str, str, str]]
"""Gives subject, predicate and object of a statement, for its place and the size of the store."""


def _other(nth: int) -> str:
    return f"Other Person {nth * 7}"


def _thing_of(nth: int, count: int) -> str:
    """Name the first thing that another person likes."""
    before = count // 10 + VERSIONS + count // 2
    return f"thing {before + nth * 7 * FACTS_OF_SUBJECT + 1}"


KINDS: dict[str, Say] = {
    "add, few of the subject": lambda nth, _: (_other(nth), "likes", f"novelty {nth}"),
    "add, many of the subject": lambda nth, _: (CROWD, "likes", f"novelty {nth}"),
    "reinforce": lambda nth, count: (_other(nth), "likes", _thing_of(nth, count)),
    "supersede in a long chain": lambda nth, _: (CHAIN, "lives_in", f"Newplace {nth}"),
}
EXPECTED = ("add", "add", "reinforce", "supersede")


def facts_growth(shop: Workshop, *, quick: bool) -> Iterator[Figure]:
    """Show what admitting one statement takes in ever larger stores."""
    sizes = SIZES[:2] if quick else SIZES
    spent = {count: _admit_times(shop, count) for count in sizes}
    for count in sizes[1:]:
        for kind in KINDS:
            few, many = spent[sizes[0]][kind], spent[count][kind]
            beside = f"one: {1_000_000 * few:.0f} µs and {1_000_000 * many:.0f} µs"
            what = f"{kind}, {count} / {sizes[0]}"
            yield Figure("facts-growth", what, many / few, None, beside=beside)


def _admit_times(shop: Workshop, count: int) -> dict[str, float]:
    """Give the median time of each kind, admitted one at a time."""
    path = shop.fresh()
    for end in ("", ".key"):
        shutil.copyfile(fact_store(shop, count) + end, path + end)
    times: dict[str, float] = {}
    with Memory.open(path, scope=SCOPE) as memory:
        for (kind, say), expected in zip(KINDS.items(), EXPECTED, strict=True):
            spoken = [say(nth, count) for nth in range(STATEMENTS)]
            memory.add_many(_turn(kind, nth, one, count) for nth, one in enumerate(spoken))
            claims = [_claim(kind, nth, one) for nth, one in enumerate(spoken)]
            times[kind] = statistics.median(_admit_time(memory, one, expected) for one in claims)
    remove(path)
    return times


def _admit_time(memory: Memory, claim: Candidate, expected: str) -> float:
    started = time.process_time()
    result = memory.learn([claim])
    spent = time.process_time() - started
    assert result.counts == {expected: 1}, f"not what was meant: {result.counts}"
    return spent


def _turn(kind: str, nth: int, said: tuple[str, str, str], count: int) -> Draft:
    subject, predicate, object_ = said
    text = f"{subject} {predicate.replace('_', ' ')} {object_}."
    at = START + count * DAY + nth * HOUR
    moment = Moment(at, at + 1, "instant", "UTC")
    return Draft(text, "user", SCOPE, kind, "Vela", moment, SOURCE, f"{kind} {nth}")


def _claim(kind: str, nth: int, said: tuple[str, str, str]) -> Candidate:
    subject, predicate, object_ = said
    quotes = (Quote(external_id=f"{kind} {nth}"),)
    return Candidate(predicate, quotes, Naming(subject, "person"), value=object_)
