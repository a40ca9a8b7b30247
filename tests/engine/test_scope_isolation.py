"""Scopes share a store and nothing else: no read of one shows an id, a word or a count of another.

What others write may not change any answer: a scope among others answers as it would alone.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorycore import errors
from memorycore.model.candidate import Quarantined
from memorycore.model.draft import Rejection

SCOPES = ("user:ana", "user:bo", "project:x")
MARKS = ("apricot", "banana", "cherry")
"""Each scope has one word that no other one says; all else is the same."""
SAID = (
    ("lives_in", "Ana lives in {}", "Porto", "Braga"),
    ("likes", "Ana likes {}", "tea", "jazz"),
    ("dislikes", "Ana dislikes {}", "tea", "jazz"),
    ("has_pet", "Ana has a cat called {}", "Mia", "Leo"),
    ("no_such_predicate", "Ana owns {}", "boats", "bikes"),
)
AN_ID = re.compile(r"\b(?:ep|fct|ent|cand|op)_[0-9A-Z]{26}\b")
OF_RECORDING = re.compile(r"2025-01-01T[0-9:.]+(?:Z|\+00:00)")
VIEWS = ("episodes", "sessions", "entities", "operations", "facts", "evidence", "links",
         "candidates")  # fmt: skip
STATES = ("past", "upcoming", "invalid", "archived", "consolidated", "hidden")
QUESTIONS = ("where does Ana live Porto Braga", "tea jazz", "cat Mia Leo", *MARKS)
Choice = tuple[int, int, int]


def tell(memory, mark: str, choice: Choice, *, only_propose: bool = False) -> None:
    predicate, words, *objects = SAID[choice[0] % len(SAID)]
    said = objects[choice[1] % 2]
    record = {"text": f"{words.format(said)} {mark}", "session": f"s{choice[1] % 2}"}
    record |= {"at": f"2024-0{choice[2] + 1}-03"} if choice[2] else {}
    memory.add_many([record | {"external_id": f"{predicate} {choice}"}])
    item = {"subject": "Ana", "predicate": predicate, "object": said, "ref": f"{choice}"}
    item |= {"external_id": f"{predicate} {choice}", "quote": words.format(said)}
    item |= {"links": [{"kind": "RELATED_TO", "to": f"{choice}"}]} if choice[1] == 2 else {}
    item |= {"confidence": 0.4} if choice[1] == 3 else {}
    (memory.propose if only_propose else memory.learn)([item])


def propose(memory, mark: str, choice: Choice) -> None:
    tell(memory, mark, choice, only_propose=True)


def admit(memory, mark: str, choice: Choice) -> None:
    memory.admit()


def remember(memory, mark: str, choice: Choice) -> None:
    memory.remember(f"Ana keeps {mark} in mind", about="Ana", at=f"2024-0{choice[0] + 1}-07")


def quarantine(memory, mark: str, choice: Choice) -> None:
    rejection = Rejection(f"line {choice[0]}", "invalid_input", "is no candidate")
    memory.propose([Quarantined(rejection, f"{mark} {choice}")])


def decide(memory, mark: str, choice: Choice) -> None:
    for view in memory.reviews()[:1]:
        if choice[0] % 2:
            memory.approve(view.id)
        else:
            memory.reject(view.id, "wrong")


def rename(memory, mark: str, choice: Choice) -> None:
    for entity in [one for one in memory.entities() if one.name in ("Porto", "Ana")][:1]:
        memory.add_alias(entity.id, ("the city", mark)[choice[0] % 2])


def merge(memory, mark: str, choice: Choice) -> None:
    found = [one.id for one in memory.entities() if one.name in ("Porto", "Braga")]
    if len(found) == 2:
        memory.merge_entities(*found)


def undo(memory, mark: str, choice: Choice) -> None:
    memory.undo()


DEEDS = (tell, tell, tell, propose, admit, remember, quarantine, decide, rename, merge, undo)
NUMBERS = st.integers(0, 3)
Deed = tuple[int, Callable[[Any, str, Choice], None], Choice]


def deeds_of(scopes: int) -> st.SearchStrategy[list[Deed]]:
    choice = st.tuples(NUMBERS, NUMBERS, NUMBERS)
    deed = st.tuples(st.integers(0, scopes - 1), st.sampled_from(DEEDS), choice)
    return st.lists(deed, min_size=scopes, max_size=10)


def play(world, deeds: Sequence[Deed]) -> None:
    for which, deed, choice in deeds:
        try:
            deed(world.memory.scoped(SCOPES[which]), MARKS[which], choice)
        except (errors.InvalidInputError, errors.NotUndoableError):
            continue


def shapes(found: Any) -> list[str]:
    return [json.dumps(one.to_dict(), ensure_ascii=False) for one in found]


def listed(memory) -> Iterator[list[str]]:
    """Go through the answers to everything that can be asked without an id."""
    yield shapes(memory.facts())
    yield shapes(memory.facts(include=STATES))
    yield shapes(memory.facts(as_of="2024-03-05"))
    yield shapes(memory.facts(known_at="2025-01-01T00:00:20Z", include=("past",)))
    yield shapes(memory.candidates())
    yield shapes(memory.reviews())
    yield shapes(memory.conflicts())
    yield shapes(memory.entities())
    yield shapes(memory.episodes())
    yield [f"{line.place} {line.code} {line.text}" for line in memory.quarantined()]
    for name in ("Ana", "Porto", "portoo"):
        yield shapes(memory.find_entities(name))
    yield shapes(memory.history(predicate="lives_in"))
    difference = memory.as_of_diff("2024-02-05", "2024-04-05")
    yield [*shapes(difference.began), *shapes(difference.ended)]
    counts = memory.stats().to_dict()
    yield [json.dumps({name: counts[name] for name in counts if name != "file_bytes"})]
    # The chain is one over the whole store; its hashes say nothing of what they are made of.
    yield shapes(replace(one, hash=b"") for one in memory.operations(limit=100))
    yield [memory.digest()]


def asked(memory) -> Iterator[list[str]]:
    """Go through the answers of SQL, and about each fact by its id."""
    for view in VIEWS:
        yield [json.dumps(row) for row in memory.sql(f"SELECT * FROM {view}")]
    for fact in memory.facts(include=STATES):
        yield shapes([memory.get(fact.id), memory.explain(fact.id), *memory.history(fact.id)])


def searched(memory) -> Iterator[list[str]]:
    """Go through the answers to questions.

    How telling a word is depends on the whole store, and so do scores and the last places.
    """
    for question in QUESTIONS:
        for wanted in ({}, {"include": STATES}, {"as_of": "2024-03-05"}, {"predicate": "likes"}):
            result = memory.search(question, limit=100, explain=True, **wanted)
            yield [*shapes(result), str(result.past), str(result.next)]


def blurred(answers: list[str]) -> list[str]:
    """Blur what differs with the store: ids, and instants of recording."""
    return sorted(OF_RECORDING.sub("NOW", AN_ID.sub("ID", one)) for one in answers)


def ids_in(answers: Sequence[list[str]]) -> set[str]:
    return {found for answer in answers for one in answer for found in AN_ID.findall(one)}


def ids_of(world, scope: str) -> set[str]:
    memory = world.memory.scoped(scope)
    made = {one.id for one in memory.operations(limit=100) if one.kind == "init"}
    return ids_in([*listed(memory), *asked(memory), *searched(memory)]) - made


@pytest.mark.parametrize("scopes", [2, 3])
@settings(max_examples=6, deadline=None)
@given(data=st.data())
def test_among_others_a_scope_answers_as_it_would_alone(make_world, scopes, data) -> None:
    deeds = data.draw(deeds_of(scopes))
    with make_world() as world, make_world() as lonely:
        play(world, deeds)
        play(lonely, [deed for deed in deeds if deed[0] == 0])
        memory, alone = world.memory.scoped(SCOPES[0]), lonely.memory.scoped(SCOPES[0])
        answers = [*listed(memory), *asked(memory)]
        expected = [*listed(alone), *asked(alone)]
        others = set().union(*(ids_of(world, scope) for scope in SCOPES[1:scopes]))

        assert [blurred(one) for one in answers] == [blurred(one) for one in expected]
        answers += searched(memory)
        assert not ids_in(answers) & others
        for mark in MARKS[1:scopes]:
            assert mark not in json.dumps(answers)
        for id_ in others:
            with pytest.raises(errors.NotFoundError):
                memory.get(id_)


@pytest.fixture
def two(world):
    """Give handles on two scopes that hold the same, and an id of each kind in the second."""
    both = [world.memory.scoped(scope) for scope in SCOPES[:2]]
    for memory, mark in zip(both, MARKS, strict=False):
        for choice in [(0, 0, 1), (0, 1, 2), (1, 0, 1), (0, 3, 3)]:
            tell(memory, mark, choice)
        tell(memory, mark, (3, 0, 1), only_propose=True)
    other = both[1]
    ids = {
        "ep": other.episodes()[0].id,
        "fct": next(other.facts()).id,
        "ent": other.entity("Porto").id,
        "cand": other.reviews()[0].id,
        "op": other.operations(limit=1)[0].id,
    }
    return *both, ids


REFUSED: dict[str, Callable[[Any, dict[str, str]], object]] = {
    "explain a fact": lambda memory, ids: memory.explain(ids["fct"]),
    "tell the history of a fact": lambda memory, ids: memory.history(ids["fct"]),
    "tell the history of an entity": lambda memory, ids: memory.history(ids["ent"]),
    "list facts after a fact": lambda memory, ids: list(memory.facts(after=ids["fct"])),
    "list facts of an entity": lambda memory, ids: list(memory.facts(entity=ids["ent"])),
    "list facts of a subject": lambda memory, ids: list(memory.facts(subject=ids["ent"])),
    "search about an entity": lambda memory, ids: memory.search("tea", entity=ids["ent"]),
    "read an entity": lambda memory, ids: memory.entity(ids["ent"]),
    "list episodes after one": lambda memory, ids: memory.episodes(after=ids["ep"]),
    "approve": lambda memory, ids: memory.approve(ids["cand"]),
    "approve into a fact": lambda memory, ids: memory.approve(
        memory.reviews()[0].id, into=ids["fct"]
    ),
    "reject": lambda memory, ids: memory.reject(ids["cand"], "wrong"),
    "edit": lambda memory, ids: memory.edit(ids["cand"], {"object": "Porto"}),
    "admit": lambda memory, ids: memory.admit([ids["cand"]]),
    "consolidate": lambda memory, ids: memory.consolidate([ids["cand"]]),
    "add an alias": lambda memory, ids: memory.add_alias(ids["ent"], "x"),
    "remove an alias": lambda memory, ids: memory.remove_alias(ids["ent"], "x"),
    "merge into one's own": lambda memory, ids: memory.merge_entities("Porto", ids["ent"]),
    "merge one's own into": lambda memory, ids: memory.merge_entities(ids["ent"], "Porto"),
    "split": lambda memory, ids: memory.split_entity(ids["ent"], "second", []),
    "split off a fact": lambda memory, ids: memory.split_entity("Ana", "b", [ids["fct"]]),
    "undo": lambda memory, ids: memory.undo(ids["op"]),
}


@pytest.mark.parametrize("deed", REFUSED)
def test_a_record_of_another_scope_is_not_found_whatever_is_done_with_it(two, deed) -> None:
    memory, other, ids = two
    before = (memory.digest(), other.digest())

    with pytest.raises(errors.NotFoundError) as caught:
        REFUSED[deed](memory, ids)
    assert SCOPES[1] not in str(caught.value)
    assert (memory.digest(), other.digest()) == before


def decision(memory, **item: object) -> tuple[str, str]:
    items = [{"subject": "Ana", "predicate": "lives_in", "object": "Porto"} | item]
    [outcome] = memory.learn(items).outcomes
    return outcome.decision.kind, outcome.decision.reason


def test_a_candidate_that_names_another_scope_is_refused(two) -> None:
    memory, _, _ = two
    own = memory.episodes()[0].id

    assert decision(memory, scope=SCOPES[1], episode=own) == ("reject", "other_scope")


def test_evidence_in_another_scope_is_not_seen(two) -> None:
    memory, other, ids = two
    other.add_many([{"text": "Ana lives in Porto", "external_id": "only there"}])

    assert decision(memory, episode=ids["ep"]) == ("reject", "episode_not_visible")
    assert decision(memory, external_id="only there") == ("reject", "episode_not_visible")


def test_a_fact_of_another_scope_is_no_target_and_no_end_of_a_link(two) -> None:
    memory, other, ids = two
    own = memory.episodes()[0].id
    before = other.digest()
    links = [{"kind": "RELATED_TO", "to": ids["fct"]}]

    assert decision(memory, episode=own, act="retract", target=ids["fct"]) == (
        "review",
        "unknown_target",
    )
    result = memory.learn(
        [{"subject": "Bo", "predicate": "lives_in", "object": "Porto", "episode": own,
          "links": links}]
    )  # fmt: skip
    assert [problem["code"] for problem in result.problems] == ["link_target"]
    assert other.digest() == before
    assert ids["fct"] not in json.dumps([*memory.sql("SELECT * FROM links")])
