"""A name that is said nowhere any more is told of nobody: not as a near match, not in an export."""

import io
import json
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memorycore import Memory, errors
from memorycore.model.forgetting import FITS

PEOPLE = (
    ("Rosabel", "Rosabela", "Quillon"),
    ("Tildana", "Umbrosa", "阿堤"),
    ("林岚", "林岚岚", "Wrenna"),
)
DRINKS = (("oolong", "wulongo", "青茶叶"), ("sencha", "kabuse", "煎茶叶"))
NAMES = tuple(name for group in PEOPLE + DRINKS for name in group)
NUMBER = st.integers(0, 2)
SAID = st.tuples(NUMBER, st.integers(0, 1), NUMBER, NUMBER, NUMBER)


def say(story: Any, who: int, what: int, *which: int) -> None:
    """Say that somebody likes something, both under a name and perhaps another one."""
    person, drink = PEOPLE[who], DRINKS[what]
    name, other, drunk = person[which[0]], person[which[1]], drink[which[2]]
    named = name if other == name else f"{name}, or {other},"
    text = f"Told {story.told}: {named} likes {drunk}."
    subject = {"name": name, "kind": "person", "aliases": [other] if other != name else []}
    story.tell(text, "likes", {"name": drunk, "kind": "thing"}, subject=subject)


def merge(memory: Memory, one: int, two: int) -> None:
    people = [one.id for one in memory.entities() if one.kind == "person" and one.name != "Nell"]
    with suppress(errors.InvalidInputError):
        memory.merge_entities(people[one % len(people)], people[two % len(people)])


def forget(memory: Memory, kind: str, level: str, number: int) -> None:
    records: list[Any] = list(getattr(memory, "entities" if kind == "entity" else f"{kind}s")())
    if records and level in FITS[kind]:
        target = records[number % len(records)].id
        plan = memory.plan_forget(target, level=level, derived="forget" if number % 2 else "keep")
        if not plan.is_empty:
            memory.forget(plan)


def handed(memory: Memory, subject: str) -> Iterator[str]:
    stream = io.BytesIO()
    memory.export_subject(subject, stream)
    with zipfile.ZipFile(stream) as archive:
        yield from (archive.read(name).decode() for name in archive.namelist())
    yield json.dumps(memory.subject(subject).to_dict(), ensure_ascii=False)


def told(memory: Memory) -> Iterator[str]:
    """Give all that is told of anybody, and of what was done."""
    for name in NAMES:
        matches = memory.find_subject(name)
        for match in (*matches.exact, *matches.near):
            yield json.dumps(match.to_dict(), ensure_ascii=False)
    for entity in memory.entities():
        yield from handed(memory, entity.id)
    yield from handed(memory, memory.scope)
    for operation in memory.operations(limit=1000):
        yield json.dumps(memory.get(operation.id).to_dict(), ensure_ascii=False)
        yield repr(operation)
    for receipt in (*memory.receipts(), *memory.suppressions(), *memory.forget_plans()):
        yield json.dumps(receipt.to_dict(), ensure_ascii=False)


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    said=st.lists(SAID, min_size=1, max_size=5),
    merges=st.lists(st.tuples(NUMBER, NUMBER), max_size=2),
    deeds=st.lists(
        st.tuples(
            st.sampled_from(("fact", "episode", "entity")),
            st.sampled_from(("hard", "redact", "purge")),
            st.integers(0, 7),
        ),
        min_size=1,
        max_size=3,
    ),
)
def test_every_name_that_is_told_is_said_in_a_text_that_is_shown(
    make_story: Any, said: Any, merges: Any, deeds: Any
) -> None:
    story = make_story()
    memory: Memory = story.memory
    story.say("Good morning.")
    for one in said:
        say(story, *one)
    for pair in merges:
        merge(memory, *pair)
    for deed in deeds:
        forget(memory, *deed)

    left = "\n".join(one.text for one in memory.episodes())
    lines = "\n".join(told(memory))
    assert [name for name in NAMES if name in lines and name not in left] == []
