"""Whatever is said, named, forgotten and undone: no door shows a name of forgotten sentences."""

import io
import os
import random
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from memorycore import Memory, errors
from memorycore.model.identity import format_id

LONG = os.environ.get("MEMORYCORE_LONG_TESTS") == "1"
NAMES = ("Quixel", "Umbrelta", "Vostrik", "翡榿栖", "鼋鼍阁", "Zamblor")
BY_HAND = ("Handyo", "手取名")
"""Names that are given without a sentence."""
SAYS = (
    ("likes", "I like {} very much"),
    ("works_at", "I work at {} these days"),
    ("is_considering", "I consider {} a little"),
)
LEVELS = ("soft", "soft", "hard", "redact", "purge")
STATES = ("past", "upcoming", "invalid", "archived", "consolidated")
REFUSED = (errors.MemoryCoreError,)


@dataclass
class Walk:
    """A store that somebody does things in at random, and what was said in it."""

    world: Any
    chance: random.Random
    said: dict[str, str] = field(default_factory=dict)
    """The text of each episode by its id."""
    kept: set[str] = field(default_factory=set)
    """The names that were the only ones of somebody when what used them was erased."""
    level: str = "soft"

    def __post_init__(self) -> None:
        self.memory: Memory = self.world.memory

    def say(self) -> None:
        predicate, words = self.chance.choice(SAYS)
        name = self.chance.choice(NAMES)
        there = [one.name for one in self.memory.entities() if one.kind == "organization"]
        called = self.chance.choice([name, name, *there])
        firm = {"name": called, "kind": "organization", "aliases": [name] if name != called else []}
        text = words.format(name) + self.chance.choice(("", ". That is all of it"))
        speaker = self.chance.choice(("Ana", "Ana", "Ana", *NAMES[:2]))
        episode = self.memory.add(text, speaker=speaker)
        self.memory.learn([{"predicate": predicate, "object": firm, "episode": episode.id,
                            "quote": words.format(name)}])  # fmt: skip

    def remember(self) -> None:
        name = self.chance.choice(NAMES)
        self.memory.remember(f"I like {name} a lot", predicate="likes", object=name)

    def merge(self) -> None:
        firms = [one.id for one in self.memory.entities() if one.name != "Ana"]
        if len(firms) > 1:
            self.memory.merge_entities(*self.chance.sample(firms, 2))

    def give(self) -> None:
        firms = [one.id for one in self.memory.entities()]
        if firms:
            self.memory.add_alias(self.chance.choice(firms), self.chance.choice(BY_HAND))

    def take(self) -> None:
        named = [(one.id, alias) for one in self.memory.entities() for alias in one.aliases]
        if named:
            self.memory.remove_alias(*self.chance.choice(named))

    def forget(self) -> None:
        level = self.level = self.chance.choice(LEVELS)
        facts = [one.id for one in self.memory.facts(include=STATES)]
        episodes = [one.id for one in self.memory.episodes()]
        targets = {"hard": facts, "redact": episodes}.get(level, facts + episodes)
        if not targets:
            return
        plan = self.memory.plan_forget(self.chance.choice(targets), level=level, derived="forget",
                                       suppress=self.chance.random() < 0.2)  # fmt: skip
        dry = self.memory.forget(plan, dry_run=True)
        assert self.memory.forget(plan, finish=False).counts == dry.counts == plan.counts

    def undo(self) -> None:
        done = [one.id for one in self.memory.operations(limit=12) if one.scope]
        if done:
            self.memory.undo(self.chance.choice(done))

    def hear(self) -> None:
        """Note what is new, before any of it is forgotten."""
        for one in self.memory.episodes():
            self.said.setdefault(one.id, f"{one.text} {one.speaker}")

    def forgotten(self) -> list[str]:
        """List the names that a forgotten sentence has used, and that nothing shown uses."""
        shown = {one.id: f"{one.text} {one.speaker}" for one in self.memory.episodes()}
        uids = self.world.rows("SELECT uid FROM episodes WHERE withdrawn IS NULL "
                               "OR visibility <> 'visible'")  # fmt: skip
        there = [format_id("ep", uid) for (uid,) in uids]
        lost = [self.said.get(one, "") for one in there if self.said.get(one) != shown.get(one)]
        # What was taken back is no forgotten sentence: its candidate can be looked at.
        used = "\n".join([*shown.values(), *self.withdrawn()])
        names = [name for name in NAMES if name not in used and any(name in one for one in lost)]
        self.kept |= self.only() & set(names if self.level != "soft" else ())
        return [name for name in names if name not in self.only() | self.kept]

    def only(self) -> set[str]:
        """List the names that are the only ones of those who bear them: they have to stay."""
        rows = self.world.rows(
            "SELECT name FROM entities WHERE merged_into IS NULL "
            "AND entity_id NOT IN (SELECT entity_id FROM shown_aliases)"
        )
        return {str(name) for (name,) in rows}

    def withdrawn(self) -> list[str]:
        """List the texts that were taken back."""
        rows = self.world.rows("SELECT uid FROM episodes WHERE withdrawn IS NOT NULL "
                               "AND visibility = 'visible'")  # fmt: skip
        return [self.said[format_id("ep", uid)] for (uid,) in rows if format_id("ep", uid) in
                self.said]  # fmt: skip

    def erased(self) -> list[str]:
        """List the names of sentences of which no text is left, but for those that had to stay."""
        texts = str(self.world.rows("SELECT text FROM episode_texts"))
        heard = str(self.world.rows("SELECT name FROM entities WHERE entity_id IN "
                                    "(SELECT speaker_id FROM episodes)"))  # fmt: skip
        said = "\n".join(self.said.values())
        gone = {name for name in NAMES if name in said and name not in texts + heard}
        self.kept |= gone & self.only()
        return sorted(gone - self.kept)


def doors(memory: Memory, names: list[str]) -> Iterator[tuple[str, object]]:
    """Ask every door that shows names; give what it says."""
    for name in names:
        found = memory.search(name, include=STATES, limit=50)
        yield "search", (found.hits, found.facts)
        yield "find", memory.find_entities(name)
        yield "find subject", memory.find_subject(name)
    facts = list(memory.facts(include=STATES))
    yield "facts", [one.to_dict() for one in facts]
    yield "explain", [memory.explain(one.id) for one in facts]
    for one in memory.entities():
        yield "entity", one
        yield "history", memory.history(one.id)
        yield "subject", memory.subject(one.id)
    for table in ("entities", "facts", "episodes", "evidence", "candidates"):
        yield f"sql {table}", list(memory.sql(f"SELECT * FROM {table}"))
    yield "candidates", [*memory.reviews(), *memory.conflicts(), *memory.candidates()]
    yield "export", exported(memory)


def exported(memory: Memory) -> str:
    file = io.BytesIO()
    memory.export_subject(memory.scope, file)
    with zipfile.ZipFile(file) as folder:
        return "\n".join(folder.read(one).decode() for one in folder.namelist())


DEEDS: tuple[Callable[[Walk], None], ...] = (
    *[Walk.say] * 6, Walk.remember, Walk.merge, Walk.merge, Walk.give, Walk.take,
    *[Walk.forget] * 5, *[Walk.undo] * 4,
)  # fmt: skip


def walk(world: Any, seed: int, steps: int) -> None:
    one = Walk(world, random.Random(seed))
    for _ in range(steps):
        deed, one.level = one.chance.choice(DEEDS), "soft"
        try:
            deed(one)
        except REFUSED:
            continue
        one.hear()
        names, erased = one.forgotten(), one.erased()
        for door, shown in doors(one.memory, names) if names else ():
            assert [name for name in names if name in str(shown)] == [], door
        kept = str(world.rows("SELECT name FROM entities UNION SELECT name FROM aliases"))
        assert [name for name in erased if name in kept] == []
    assert [check for check in world.memory.examine(deep=True) if check.state == "fail"] == []


@pytest.mark.parametrize("seed", range(30 if LONG else 6))
def test_no_door_shows_a_name_of_forgotten_sentences(world: Any, seed: int) -> None:
    walk(world, seed, 24)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1060 if LONG else 1002))
def test_no_door_shows_a_name_of_forgotten_sentences_in_long_walks(world: Any, seed: int) -> None:
    walk(world, seed, 60)
