"""Both axes of time, against an oracle that knows nothing of periods.

What is believed now follows from the sentences that stand; what was believed after any operation is
still answered so, however much has been learned, corrected or taken back since.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from hypothesis import example, given, settings
from hypothesis import strategies as st

from memorycore import errors
from memorycore.model.time import format_instant
from memorycore.model.timeline import LOWEST, OPEN, Observation, contest
from memorycore.store.evidence import list_observations

GRID = [
    "2001-01-01",
    "2024-06-09",
    *(f"2024-06-{10 + number}T12:00:00+00:00" for number in range(7)),
]
PLACES = ("Porto", "Braga", "Faro")
THINGS = ("tea", "jazz")
WORDS = {"lives_in": "I live in {}", "likes": "I like {}", "dislikes": "I dislike {}"}
Answer = set[tuple[str, str, str]]


def day(number: int) -> str:
    return f"2024-06-{10 + number}"


def said_before(one: Observation, other: Observation) -> bool:
    """Tell whether an end that was stated is told of what was said before it, or elsewhere then."""
    times = (one.asserted_at, other.asserted_at)
    if None in times or (one.occasion == other.occasion and times[0] == times[1]):
        return one.occasion == other.occasion and one.sequence <= other.sequence
    return times[0] <= times[1]


def closed(one: Observation, among: Sequence[Observation]) -> Observation:
    """End an open observation at the first end that was stated of its fact, and not before it."""
    ends = [
        other.ends
        for other in among
        if (other.fact_id, other.ended_by) == (one.fact_id, "statement")
        and one.ended_by != "statement"
        and one.starts < other.ends < one.ends
        and said_before(one, other)
    ]
    return replace(one, ends=min(ends, default=one.ends))


def lasts(one: Observation) -> bool:
    """Tell whether what is said holds now, so that what held before is over for good."""
    untold = one.from_mark.basis in ("asserted", "unknown")
    return one.ended_by == "nothing" or (one.ended_by == "statement" and untold)


def believed(observations: Sequence[Observation], at: int, *, opposed: bool) -> set[int]:
    """Answer for one instant: the last to begin decides; of opposites one without a time stays."""
    latest = max((one.starts for one in observations if lasts(one) and one.starts <= at), default=0)
    over = [
        one
        for one in observations
        if one.ended_by == "nothing"
        and one.starts < latest
        and not (opposed and one.starts == LOWEST)
    ]
    there = [closed(one, observations) for one in observations if one not in over]
    covering = [one for one in there if one.starts <= at < one.ends]
    latest = max((one.starts for one in covering), default=0)
    return contest(
        [
            one
            for one in covering
            if one.starts == latest or (opposed and one.starts == LOWEST and one.ends > at)
        ]
    )


@dataclass
class Chronicle:
    """A store, its operations, and what was believed after each of them."""

    world: object
    made: list[str] = field(default_factory=list)
    known: list[tuple[int, dict[str, Answer]]] = field(default_factory=list)

    def say(self, predicate: str, said: str, at: int | None, session: int, **item: object) -> None:
        """Keep a sentence and learn from it."""
        memory = self.world.memory
        key = f"turn {len(self.made)}"
        record = {"text": WORDS[predicate].format(said), "session": f"s{session}"}
        record |= {"external_id": key} | ({} if at is None else {"at": day(at)})
        self.made.append(memory.add_many([record]).operation.id)
        learned = memory.learn(
            [{"subject": "Ana", "predicate": predicate, "object": said, "external_id": key} | item]
        )
        self.made.append(learned.operation.id)

    def take_back(self, which: int) -> None:
        """Undo one of the operations so far, an undo among them."""
        if self.made:
            try:
                undone = self.world.memory.undo(self.made[which % len(self.made)])
            except errors.NotUndoableError:
                return
            self.made.append(undone.operation.id)

    def ask(self, as_of: str, known_at: str | None = None) -> Answer:
        found = self.world.memory.facts(as_of=as_of, known_at=known_at)
        return {(fact.predicate, fact.object_text, fact.period.certainty) for fact in found}

    def note(self) -> None:
        """Keep what is believed now, for every instant of the grid."""
        at = self.world.memory.operations(limit=1)[0].at
        self.known.append((at, {as_of: self.ask(as_of) for as_of in GRID}))

    def withdrawn(self) -> set[tuple[str, str]]:
        """Tell which facts any sentence of has been withdrawn."""
        return set(
            self.world.rows(
                "SELECT p.name, coalesce(f.object_value, o.name) FROM evidence v"
                " JOIN episodes e ON e.episode_id = v.episode_id"
                " JOIN facts f ON f.fact_id = v.fact_id"
                " JOIN predicates p ON p.predicate_id = f.predicate_id"
                " LEFT JOIN entities o ON o.entity_id = f.object_id"
                " WHERE e.withdrawn IS NOT NULL"
            )
        )

    def expected(self, at: int) -> Answer:
        """Answer from the sentences that stand, timeline by timeline."""
        rows = self.world.rows(
            "SELECT f.fact_id, f.timeline_id, p.name, coalesce(f.object_value, o.name) FROM facts f"
            " JOIN predicates p ON p.predicate_id = f.predicate_id"
            " LEFT JOIN entities o ON o.entity_id = f.object_id"
        )
        texts = {fact: (predicate, said) for fact, _, predicate, said in rows}
        answer = set()
        for timeline_id in {row[1] for row in rows}:
            with self.world.store.read() as db:
                observations = list_observations(db, timeline_id)
            opposed = texts[timeline_id][0] != "lives_in"
            facts = believed(observations, at, opposed=opposed)
            certainty = "asserted" if len(facts) == 1 else "uncertain"
            answer |= {(*texts[fact], certainty) for fact in facts}
        return answer


def check_table(world) -> None:
    """Periods are half-open and never empty; what is asserted now overlaps nothing."""
    rows = world.rows(
        "SELECT timeline_id, valid_from, valid_to, certainty, recorded_from, recorded_to"
        " FROM fact_periods"
    )
    assert all(row[1] < row[2] and row[4] < row[5] for row in rows)
    current = sorted(row for row in rows if row[5] == OPEN)
    for one, other in pairwise(current):
        if one[0] == other[0] and "asserted" in (one[3], other[3]):
            assert one[2] <= other[1]


DAYS = st.integers(0, 5)


@st.composite
def step(draw: st.DrawFn) -> dict[str, object]:
    if draw(st.integers(0, 4)) == 0:
        return {"undo": draw(st.integers(0, 20))}
    predicate = draw(st.sampled_from(["lives_in", "lives_in", "likes", "dislikes"]))
    said = draw(st.sampled_from(PLACES if predicate == "lives_in" else THINGS))
    found = {"predicate": predicate, "said": said, "session": draw(st.integers(1, 2))}
    found["at"] = draw(st.none() | DAYS | DAYS)
    found["act"] = draw(st.sampled_from(["assert"] * 4 + ["correct", "retract"]))
    shape = draw(st.sampled_from(["open", "open", "from", "to", "both"]))
    starts = draw(DAYS) if shape in ("from", "both") else None
    if starts is not None:
        found["valid_from"] = day(starts)
    if shape in ("to", "both"):
        found["valid_to"] = day(draw(st.integers((starts or 0) + 1, 7)))
    return found


def replay(world, steps: Sequence[dict[str, object]]) -> None:
    chronicle = Chronicle(world)
    for one in steps:
        if "undo" in one:
            chronicle.take_back(int(str(one["undo"])))
        else:
            chronicle.say(**one)
        chronicle.note()
        check_table(world)
        for as_of, answer in chronicle.known[-1][1].items():
            at = world.memory._moment(as_of).to - 1
            assert answer == chronicle.expected(at), as_of
    withdrawn = chronicle.withdrawn()
    for at, answers in chronicle.known:
        for as_of, answer in answers.items():
            found = chronicle.ask(as_of, format_instant(at))
            # What rested only on withdrawn sentences is in no answer, however early.
            assert found <= answer, (as_of, at)
            assert {one[:2] for one in answer - found} <= withdrawn, (as_of, at)


LIVES = {"predicate": "lives_in", "session": 1}


@settings(max_examples=40, deadline=None)
@given(steps=st.lists(step(), min_size=1, max_size=7))
@example(
    steps=[
        LIVES | {"said": "Porto", "at": 1},
        LIVES | {"said": "Porto", "at": 5, "valid_to": day(3)},
        LIVES | {"said": "Braga", "at": 0, "session": 2},
    ]
)
@example(
    steps=[
        LIVES | {"said": "Porto", "at": 1},
        LIVES | {"said": "Braga", "at": 3, "act": "correct"},
        {"undo": 3},
        {"undo": 4},
    ]
)
def test_what_is_believed_follows_from_what_stands_and_what_was_believed_stays_answerable(
    make_world, steps
) -> None:
    with make_world() as world:
        replay(world, steps)
