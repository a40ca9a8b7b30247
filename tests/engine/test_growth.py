"""What a timeline costs grows with what is new in it, and its links with the facts."""

import pytest

from memorycore.engine.settle import rule_of, settle
from memorycore.model.timeline import Mark, Piece
from memorycore.model.timeline_links import NEAREST, contradictions, successions
from memorycore.store.canonical import iter_lines
from memorycore.store.predicates import load_predicates
from memorycore.store.scopes import find_scope

NOTHING = Mark("unknown", "unknown")


def contested(*facts):
    return [Piece(fact, 0, 9, NOTHING, NOTHING, "nothing", "uncertain") for fact in facts]


@pytest.mark.parametrize("count", [2, NEAREST + 1, 3 * NEAREST])
@pytest.mark.parametrize("place", [0, 1, 30, -1])
def test_one_fact_more_or_less_changes_only_pairs_near_it(count, place):
    facts = list(range(count))
    changed = facts[min(place, count - 1)]
    rest = [fact for fact in facts if fact != changed]
    before, after = contradictions(contested(*rest)), contradictions(contested(*facts))
    new = contradictions(contested(*facts), {changed})
    assert new <= after
    assert before | new >= after
    near = {fact for pair in new for fact in pair}
    gone = before - after
    assert all(one in near and other in near for one, other in gone)
    back = contradictions(contested(*rest), {changed})
    assert back <= before
    assert before - after <= back


def test_the_pairs_of_the_contested_grow_with_the_facts():
    assert len(contradictions(contested(*range(1000)))) < 1000 * 2 * NEAREST
    assert len(contradictions(contested(*range(NEAREST + 1)))) == NEAREST * (NEAREST + 1)


def test_successions_of_some_facts_are_those_with_them():
    older = [Piece(fact, 0, 5, NOTHING, NOTHING, "successor", "uncertain") for fact in (1, 2)]
    newer = [Piece(fact, 5, 9, NOTHING, NOTHING, "nothing", "uncertain") for fact in (1, 3)]
    assert successions(older + newer) == {(1, 2), (3, 1), (3, 2)}
    assert successions(older + newer, {3}) == {(3, 1), (3, 2)}
    assert successions(older + newer, {2}) == {(1, 2), (3, 2)}


def learn(world, count, predicates, *, session="s{}", at=None, **item):
    """Learn statements about Ana, each said in a turn of its own."""
    memory = world.memory
    memory.add_many(
        {
            "text": f"I live in Town{number}, town and Porto",
            "speaker": "Ana",
            "session": session.format(number),
            "external_id": f"{session} {number}",
        }
        | ({} if at is None else {"at": at(number)})
        for number in range(count)
    )
    return memory.learn(
        {
            "predicate": predicates[number % len(predicates)],
            "object": "Porto",
            "external_id": f"{session} {number}",
        }
        | {name: value(number) for name, value in item.items()}
        for number in range(count)
    )


def lines(world):
    with world.memory._store.read() as db:
        return list(iter_lines(db, [find_scope(db, world.memory.scope)]))


def settle_all(world):
    """Compute every timeline anew from all of its evidence."""
    with world.memory._store.write() as db:
        rules = {one.number: one for one in load_predicates(db).values()}
        sql = "SELECT DISTINCT timeline_id, predicate_id, rank FROM facts"
        recorded = db.execute("SELECT max(operation_id) FROM operations").get
        for timeline_id, predicate, rank in db.execute(sql).fetchall():
            settle(db, timeline_id, rule_of(rules[predicate], rank), recorded=recorded)


def towns(world, count):
    return learn(world, count, ["lives_in"], object=lambda number: f"Town{number}")


def test_many_contested_values_are_linked_as_if_computed_at_once(world):
    towns(world, 30)
    assert len(list(world.memory.facts())) == 30
    grown = lines(world)
    settle_all(world)
    assert lines(world) == grown
    first = next(one for one in world.memory.facts() if one.object_text == "Town7")
    episode = first.evidence[0].episode
    item = {"predicate": "lives_in", "object": "Town7", "act": "retract", "episode": episode}
    world.memory.learn([item])
    settle_all(world)
    world.memory.undo()
    assert sorted(lines(world)) == sorted(grown)


DAYS = ["2025-01-01", "2025-02-01", "2025-02-03", "2025-03-01"]


@pytest.mark.parametrize(
    ("predicates", "item"),
    [
        (["lives_in"], {}),
        (["lives_in"], {"valid_to": lambda number: "2026-01-01"}),
        (["is_busy_with"], {}),
        (["likes", "dislikes"], {}),
        (
            ["FAVORITE_WORK"],
            {"rank": lambda number: 1, "confidence": lambda number: 0.6 + number % 7 / 20},
        ),
    ],
)
def test_much_evidence_is_as_if_computed_at_once(world, predicates, item):
    learn(world, 24, predicates, at=lambda number: DAYS[number % 7 % 4], **item)
    learn(world, 24, predicates, session="t", at=lambda number: DAYS[number % 5 % 4], **item)
    grown = lines(world)
    settle_all(world)
    assert lines(world) == grown
