"""Taking back whatever was done to facts: the state is that of before, and of after when redone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memorycore import errors
from memorycore.engine.settle import rule_of
from memorycore.engine.upkeep import require_indexes
from memorycore.model.timeline import timeline
from memorycore.store.evidence import list_observations
from memorycore.store.periods import list_current
from memorycore.store.predicates import load_predicates

NAMES = ("Ana", "Bea", "Anna")
SAID: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("lives_in", "{} lives in {}", ("Porto", "Braga", "Oporto")),
    ("likes", "{} likes {}", ("tea", "jazz", "Bea")),
    ("dislikes", "{} dislikes {}", ("tea", "jazz", "Bea")),
    ("is_busy_with", "{} is busy with {}", ("a garden", "exams", "tea")),
    ("prefers", "{} prefers {}", ("short replies", "short replies in English", "tables")),
    ("FAVORITE_WORK", "the favorite book of {} is {}", ("Emma", "Dune", "Maus")),
    ("no_such_predicate", "{} owns {}", ("a bike", "a boat", "a car")),
)
KINDS: tuple[dict[str, object], ...] = (
    {},
    {"valid_from": "2024-02"},
    {"act": "correct"},
    {"act": "retract"},
    {},
    {"confidence": 0.5},
    {"confidence": 0.7, "inferred": True},
    {"valid_to": "2024-05-05"},
    {"tentative": True},
)
Choice = tuple[int, int, int]


def pick(among: Sequence[object], number: int) -> object:
    return among[number % len(among)]


@dataclass
class Life:
    """A store that a person and a model work on, one operation at a time."""

    world: object
    told: list[tuple[str, str, str, str]] = field(default_factory=list)

    @property
    def memory(self):
        return self.world.memory

    def ingest(self, choice: Choice, count: int = 1) -> object:
        """Keep sentences; only some with their time."""
        records = []
        for number in range(count):
            first, second, third = (part + number * 5 for part in choice)
            predicate, words, objects = pick(SAID, first + number)
            name, said = str(pick(NAMES, second)), str(pick(objects, third))
            key = f"turn {len(self.told)}"
            self.told.append((key, predicate, name, said))
            record = {"text": words.format(name, said), "session": f"s{second % 3}"}
            record |= {"external_id": key, "role": "user" if third % 7 else "assistant"}
            if third % 5:
                record["at"] = f"2024-0{first % 6 + 1}-1{second % 2}"
            records.append(record)
        return self.memory.add_many(records).operation

    def item(self, number: int, kind: int) -> dict[str, object]:
        """Make a candidate of a sentence that there is."""
        key, predicate, name, said = pick(self.told, number)
        item = {"predicate": predicate, "subject": name, "object": said, "external_id": key}
        item |= pick(KINDS, kind)
        if predicate == "FAVORITE_WORK":
            item["rank"] = number % 2 + 1
        return item

    def learn(self, choice: Choice) -> object:
        first, second, kind = choice
        items = [self.item(first * 6 + second, kind), self.item(second * 6 + kind, first)]
        return self.memory.learn(items).operation

    def propose(self, choice: Choice) -> object:
        first, second, kind = choice
        items = [self.item(first * 5 + second, kind + 3), self.item(second * 5 + kind, first + 3)]
        return self.memory.propose(items, proposer="model").operation

    def admit(self, choice: Choice) -> object:
        return self.memory.admit().operation

    def remember(self, choice: Choice) -> object:
        predicate, words, objects = pick(SAID[:6], choice[0])
        said = {"predicate": predicate, "object": pick(objects, choice[2])}
        name = str(pick(NAMES, choice[1]))
        text = words.format(name, said["object"])
        at = f"2024-0{choice[0] + 1}-20" if choice[1] % 2 else None
        said = said if choice[2] % 4 else {}
        return self.memory.remember(text, about=name, at=at, pin=choice[1] == 3, **said).operation

    def waiting(self, number: int) -> str:
        reviews = self.memory.reviews()
        if not reviews:
            raise errors.NotFoundError("nothing waits")
        return pick(reviews, number).id

    def approve(self, choice: Choice) -> object:
        return self.memory.approve(self.waiting(choice[0])).operation

    def reject(self, choice: Choice) -> object:
        return self.memory.reject(self.waiting(choice[0]), "wrong").operation

    def edit(self, choice: Choice) -> object:
        predicate, _, objects = pick(SAID[:6], choice[1])
        changes = {"predicate": predicate, "object": pick(objects, choice[2])}
        return self.memory.edit(self.waiting(choice[0]), changes).operation

    def entity(self, number: int) -> str:
        found = list(self.memory.entities())
        if not found:
            raise errors.NotFoundError("there is no entity")
        return pick(found, number).id

    def add_alias(self, choice: Choice) -> object:
        alias = str(pick(("Nan", "Anita", "the city", "tea"), choice[1]))
        return self.memory.add_alias(self.entity(choice[0]), alias)

    def remove_alias(self, choice: Choice) -> object:
        aliased = [one for one in self.memory.entities() if one.aliases]
        if not aliased:
            raise errors.NotFoundError("there is no alias")
        one = pick(aliased, choice[0])
        return self.memory.remove_alias(one.id, pick(one.aliases, choice[1]))

    def merge(self, choice: Choice) -> object:
        kept = self.memory.entity(self.entity(choice[0]))
        alike = [one for one in self.memory.entities() if one.kind == kept.kind]
        others = [one for one in alike if one.id != kept.id] or alike
        return self.memory.merge_entities(kept.id, pick(others, choice[1]).id)

    def split(self, choice: Choice) -> object:
        entity = self.memory.entity(self.entity(choice[0]))
        facts = [one.id for one in self.memory.facts(entity=entity.id)]
        return self.memory.split_entity(entity.id, f"no. {choice[1]}", facts[: choice[2]])

    def predicate(self, choice: Choice) -> object:
        name = pick(("likes", "lives_in", "owns"), choice[0])
        changed = [one for one in self.memory.predicates() if one.name == name]
        if not changed:
            return self.memory.add_predicates('[[predicate]]\nname = "no_such_predicate"')
        changes = {"label_en": f"label {choice[1]}", "importance": choice[2] / 10}
        return self.memory.set_predicate(name, changes)

    def undo(self, choice: Choice) -> object:
        return self.memory.undo().operation


DEEDS: dict[str, Callable[[Life, Choice], object]] = {
    "ingest": Life.ingest,
    "learn": Life.learn,
    "propose": Life.propose,
    "admit": Life.admit,
    "remember": Life.remember,
    "approve": Life.approve,
    "reject": Life.reject,
    "edit": Life.edit,
    "add alias": Life.add_alias,
    "remove alias": Life.remove_alias,
    "merge": Life.merge,
    "split": Life.split,
    "predicate": Life.predicate,
    "undo": Life.undo,
}
NUMBERS = st.integers(0, 5)
DEED = st.tuples(
    st.sampled_from([*DEEDS, "ingest", "learn", "learn", "remember"]),
    st.tuples(NUMBERS, NUMBERS, NUMBERS),
)


def begin(world) -> Life:
    """Give a store with a few sentences, so that there is something to learn from."""
    life = Life(world)
    life.ingest((0, 0, 1), 21)
    return life


def do(life: Life, deed: str, choice: Choice) -> object | None:
    """Do something; what is refused changes nothing."""
    before = life.memory.digest()
    try:
        return DEEDS[deed](life, choice)
    except errors.MemoryCoreError:
        assert life.memory.digest() == before, f"{deed} was refused and yet did something"
        return None


def check(world) -> None:
    """Everything that follows from evidence follows from just the evidence that stands."""
    with world.store.read() as db:
        require_indexes(db)
        predicates = {one.number: one for one in load_predicates(db).values()}
        timelines: dict[int, str] = {}
        current = []
        for fact_id, timeline_id, predicate_id, rank, support in db.execute(
            "SELECT fact_id, timeline_id, predicate_id, rank, support FROM facts"
        ).fetchall():
            current += list_current(db, fact_id)
            if predicate_id in predicates:
                timelines[timeline_id] = rule_of(predicates[predicate_id], rank)
            else:
                assert support == 0, "a predicate that facts stand on was taken back"
        expected = [
            piece
            for timeline_id, rule in timelines.items()
            for piece in timeline(list_observations(db, timeline_id), rule)
        ]
        stray = db.execute(
            "SELECT f.fact_id FROM facts f WHERE f.support <> (SELECT count(*) FROM evidence v"
            " WHERE v.fact_id = f.fact_id AND v.recorded_to = 9223372036854775807)"
        ).fetchall()
    assert stray == []
    assert sorted(map(repr, current)) == sorted(map(repr, expected))


@settings(max_examples=35, deadline=None)
@given(deeds=st.lists(DEED, min_size=1, max_size=8))
def test_undoing_the_last_operation_and_undoing_that_give_the_states_of_before_and_after(
    make_world, deeds
) -> None:
    with make_world() as world:
        life = begin(world)
        for deed, choice in deeds:
            before = life.memory.digest()
            operation = do(life, deed, choice)
            if operation is None:
                continue
            after = life.memory.digest()
            check(world)
            undone = life.memory.undo(operation.id).operation
            assert life.memory.digest() == before, f"undo of {deed}"
            check(world)
            life.memory.undo(undone.id)
            assert life.memory.digest() == after, f"undo of the undo of {deed}"
            check(world)


@settings(max_examples=35, deadline=None)
@given(
    deeds=st.lists(DEED, min_size=2, max_size=8), undone=st.lists(st.integers(0, 30), max_size=4)
)
@example(
    deeds=[("predicate", (2, 0, 0)), ("learn", (0, 0, 1)), ("ingest", (0, 0, 0))], undone=[1, 27]
)
def test_any_earlier_operation_can_be_taken_back_or_is_refused_and_nothing_is_left_hanging(
    make_world, deeds, undone
) -> None:
    with make_world() as world:
        life = begin(world)
        for deed, choice in deeds:
            do(life, deed, choice)
        made = [one.id for one in life.memory.operations(limit=100) if one.kind != "init"]
        for number in undone:
            try:
                made.append(life.memory.undo(pick(made, number)).operation.id)
            except errors.NotUndoableError:
                continue
            check(world)
        assert [one.name for one in life.memory.examine(deep=True) if one.state == "fail"] == []


@pytest.mark.parametrize("deed", DEEDS)
def test_each_kind_of_operation_can_be_done_at_all(make_world, deed) -> None:
    with make_world() as world:
        life = begin(world)
        for number in range(4):
            do(life, "learn", (number, number, number + 1))
            do(life, "propose", (number, number + 1, number))
            if deed != "admit":
                do(life, "admit", (0, 0, 0))
            do(life, "remember", (number, number, number))
        do(life, "add alias", (0, 0, 0))

        assert any(do(life, deed, (number, 5 - number, number)) for number in range(6))


def learn(memory, predicate: str, words: str, said: str, at: str) -> object:
    key = f"{predicate} {at}"
    memory.add_many([{"text": words.format(said), "at": at, "external_id": key, "session": key}])
    item = {"subject": "Ana", "predicate": predicate, "object": said, "external_id": key}
    return memory.learn([item]).operation


def test_what_never_showed_leaves_no_link_when_it_is_taken_back(memory) -> None:
    learn(memory, "dislikes", "Ana dislikes {}", "tea", "2024-05-01")
    for at in ("2024-05-01", "2024-06-01"):
        learn(memory, "dislikes", "Ana dislikes {}", "jazz", at)
    memory.add_many([{"text": "Ana likes jazz", "at": "2024-05-01", "external_id": "x"}])
    before = memory.digest()
    item = {"subject": "Ana", "predicate": "likes", "object": "jazz", "external_id": "x"}
    memory.learn([item | {"confidence": 0.65}])
    memory.undo()

    assert memory.digest() == before
    assert list(memory.sql("SELECT * FROM links WHERE kind = 'SUPERSEDES'")) == []


def test_an_undo_that_stands_again_can_be_taken_back_again(memory) -> None:
    before = memory.digest()
    first = memory.set_predicate("lives_in", {"importance": 0.1})
    after = memory.digest()
    undone = memory.undo(first.id).operation
    redone = memory.undo(undone.id).operation
    memory.undo(redone.id)
    assert memory.digest() == before

    memory.undo(undone.id)
    assert memory.digest() == after
    memory.undo(first.id)
    assert memory.digest() == before


def test_a_predicate_stays_while_facts_rest_on_it(memory) -> None:
    made = memory.add_predicates('[[predicate]]\nname = "owns"')
    learned = learn(memory, "owns", "Ana owns {}", "bikes", "2024-05-01")
    before = memory.digest()

    with pytest.raises(errors.NotUndoableError, match="predicate"):
        memory.undo(made.id)
    assert memory.digest() == before
    memory.undo(learned.id)
    memory.undo(made.id)
    with pytest.raises(errors.NotFoundError):
        memory.predicate("owns")


def test_an_empty_scope_is_what_it_was_before_it_was_there(memory) -> None:
    before = memory.digest()
    memory.add("tea")
    memory.undo()

    assert memory.digest() == before
