"""Whatever names there are, and whoever was merged: what was forgotten comes back under none."""

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memorycore import errors

PEOPLE = (("Rosa", "Quill", "Vex"), ("Tilde", "Umbra", "Wren"), ("Yoko", "Zed", "Odo"))
DRINKS = (("oolong", "wulong", "青茶"), ("sencha", "kabuse", "煎茶"))
GROUPS = PEOPLE + DRINKS
KINDS = ("person",) * len(PEOPLE) + ("thing",) * len(DRINKS)
OTHER = "user:bo"


@dataclass
class Names:
    """Which names each entity has had, as the test keeps count of it."""

    memory: Any
    had: list[set[str]] = field(default_factory=lambda: [{one[0]} for one in GROUPS])
    has: list[set[str]] = field(default_factory=lambda: [{one[0]} for one in GROUPS])
    into: dict[int, int] = field(default_factory=dict)

    def of(self, who: int) -> int:
        return self.into.get(who, who)

    def alias(self, who: int, which: int) -> None:
        self.memory.add_alias(GROUPS[self.of(who)][0], GROUPS[who][1 + which % 2])
        self.had[self.of(who)].add(GROUPS[who][1 + which % 2])
        self.has[self.of(who)].add(GROUPS[who][1 + which % 2])

    def unalias(self, who: int, which: int) -> None:
        self.memory.remove_alias(GROUPS[self.of(who)][0], GROUPS[who][1 + which % 2])
        self.has[self.of(who)].discard(GROUPS[who][1 + which % 2])

    def merge(self, who: int, which: int) -> None:
        kept, gone = self.of(who), self.of(which)
        if kept == gone or KINDS[kept] != KINDS[gone]:
            return
        self.memory.merge_entities(GROUPS[kept][0], GROUPS[gone][0])
        self.had[kept] |= self.had[gone]
        self.has[kept] |= self.has[gone]
        self.into |= {one: kept for one in range(len(GROUPS)) if self.of(one) == gone}


STEP = st.tuples(
    st.sampled_from((Names.alias, Names.alias, Names.unalias, Names.merge)),
    st.integers(0, len(GROUPS) - 1),
    st.integers(0, len(GROUPS) - 1),
)


def take(names: Names, steps: list[Any]) -> None:
    for step, who, which in steps:
        with suppress(errors.NotFoundError, errors.InvalidInputError):
            step(names, who, which)


def learn(story: Any, key: str, item: dict[str, Any]) -> str:
    outcome = story.memory.learn([item | {"external_id": key}]).outcomes[0]
    return f"{outcome.decision.kind} {outcome.decision.reason}"


def propose(story: Any, key: str, item: dict[str, Any]) -> str:
    """Propose first, and admit what waits then."""
    story.memory.propose([item | {"external_id": key}])
    outcomes = story.memory.admit().outcomes
    return f"{outcomes[0].decision.kind} {outcomes[0].decision.reason}"


def remember(story: Any, key: str, item: dict[str, Any]) -> str:
    """Let a person say it: nothing else is asked then."""
    text = f"{item['quote']} {key} once more."
    about, object_ = item["subject"]["name"], item["object"]["name"]
    done = story.memory.remember(text, about=about, predicate="likes", object=object_)
    return f"{done.outcomes[0].decision.kind} {done.outcomes[0].decision.reason}"


DOORS = (learn, propose, remember)


def say(story: Any, who: str, what: str, door: Any = learn) -> str:
    text = f"It is told, {story.told}, that {who} likes {what}."
    key = story.say(text)
    subject, said = {"name": who, "kind": "person"}, {"name": what, "kind": "thing"}
    item = {"predicate": "likes", "subject": subject, "object": said, "quote": text}
    return str(door(story, key, item))


def settle_in(story: Any, stays: list[bool]) -> None:
    """Say something else of those that stay when the statement goes."""
    for who, (group, stay) in enumerate(zip(GROUPS, stays, strict=True)):
        if not stay:
            continue
        if KINDS[who] == "person":
            text = f"Listen: {group[0]} lives in Porto."
            subject = {"name": group[0], "kind": "person"}
            story.tell(text, "lives_in", {"name": "Porto", "kind": "place"}, subject=subject)
        else:
            story.tell(f"I like {group[0]}.", "likes", {"name": group[0], "kind": "thing"})


@settings(
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    stays=st.lists(st.booleans(), min_size=len(GROUPS), max_size=len(GROUPS)),
    said=st.lists(st.tuples(st.integers(0, 2), st.integers(3, 4)), min_size=1, max_size=4),
    before=st.lists(STEP, max_size=8),
    after=st.lists(STEP, max_size=4),
    level=st.sampled_from(("hard", "purge")),
    door=st.sampled_from(DOORS),
)
def test_what_was_forgotten_comes_back_under_none_of_its_names(
    make_story: Any, stays: Any, said: Any, before: Any, after: Any, level: str, door: Any
) -> None:
    story = make_story()
    memory = story.memory
    settle_in(story, stays)
    for who, what in said:
        say(story, GROUPS[who][0], GROUPS[what][0])
    names = Names(memory)
    take(names, before)
    who, what = (names.of(one) for one in said[0])
    fact = story.fact(f"{GROUPS[who][0]} likes {GROUPS[what][0]}")
    whose, whats = set(names.had[who]), set(names.had[what])
    memory.forget(memory.plan_forget(fact.id, level=level))
    take(names, after)

    for subject in sorted(whose):
        for object_ in sorted(whats):
            again = say(story, subject, object_, door)
            assert again == "reject suppressed", (subject, object_)
    for subject in sorted(names.has[names.of(who)] - whose):
        if memory.find_entities(subject)[:1] and is_known(memory, subject, whose):
            assert say(story, subject, GROUPS[what][0], door) == "reject suppressed", subject
    assert say(story, "Ingrid", GROUPS[what][0]).startswith("add")
    story.memory = memory.scoped(OTHER)
    assert say(story, GROUPS[who][0], GROUPS[what][0]) == "add new"


def is_known(memory: Any, name: str, whose: set[str]) -> bool:
    """Tell whether a name stands for one that still has a name of before."""
    found = [one for one in memory.find_entities(name) if one.likeness == 1.0]
    return bool(found) and not whose.isdisjoint((found[0].name, *found[0].aliases))
