"""A bit that flips in a store's file is found, wherever it stands; a healthy store has none."""

import random
import shutil
from pathlib import Path

import pytest

from memorycore import Memory, errors
from memorycore.store.rooms import count_lone_bits

TURNS = 60
SEEDS = (20_260, 7)
WORDS = "tea coffee river music 茶 咖啡 音乐 山水 running 跑步".split()


def fill(memory):
    """Say things in two languages, hide, redact and take back some of them."""
    for number in range(TURNS):
        text = f"I like tea number {number} 第{number}种茶, whatever they say."
        episode = memory.add(text, speaker=f"Ana {number % 7}", session=f"s{number // 9}")
        thing = {"name": f"tea {number} 茶", "kind": "thing"}
        memory.learn(
            [{"predicate": "likes", "object": thing, "episode": episode.id, "quote": text}]
        )
    facts = list(memory.facts(limit=3))
    memory.forget(facts[0].id, level="soft")
    memory.forget(facts[1].evidence[0].episode, level="redact")
    memory.add("never mind 算了")
    memory.undo()


@pytest.fixture(scope="module", params=["compacted", "lived in"])
def settled(request, tmp_path_factory):
    """A store in one file, written anew as a whole or as its use has left it."""
    path = str(tmp_path_factory.mktemp("settled") / "memory.db")
    with Memory.open(path, scope="user:ana") as memory:
        fill(memory)
        if request.param == "compacted":
            memory.compact()
    return Path(path)


def is_found(path):
    """Tell whether the doctor, or the opening of the store, says that something is wrong."""
    try:
        with Memory.open(str(path), scope="user:ana", create=False) as memory:
            return any(
                one.state == "fail" or (one.name, one.state) == ("room", "warn")
                for one in memory.examine(deep=True)
            )
    except errors.MemoryCoreError:
        return True


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_of_300_bits_flipped_anywhere_the_doctor_finds_285(settled, tmp_path, long, seed):
    flips = 300 if long else 60
    chance = random.Random(seed)
    whole = settled.read_bytes()
    path = tmp_path / "memory.db"
    missed = []
    for _ in range(flips):
        at, bit = chance.randrange(len(whole)), chance.randrange(8)
        damaged = bytearray(whole)
        damaged[at] ^= 1 << bit
        for end in ("-wal", "-shm"):
            Path(f"{path}{end}").unlink(missing_ok=True)
        path.write_bytes(damaged)
        shutil.copyfile(f"{settled}.key", f"{path}.key")
        if not is_found(path):
            missed.append((at, bit))
    print(f"{flips - len(missed)} of {flips} flipped bits found")
    assert len(missed) <= flips // 20, missed


def test_a_file_without_a_flipped_bit_is_sound(settled):
    assert not is_found(settled)


def add(memory, chance, number):
    for _ in range(chance.randrange(1, 20)):
        text = f"{number} " + " ".join(chance.choices(WORDS, k=chance.randrange(1, 60)))
        memory.add(text, session=f"s{number // 5}")


def add_long(memory, chance, number):
    memory.add(f"{number} " + " ".join(chance.choices(WORDS, k=chance.randrange(500, 4000))))


def learn(memory, chance, number):
    for turn in range(chance.randrange(1, 9)):
        text = f"I like {chance.choice(WORDS)} {number} {turn}."
        said = {"object": {"name": f"{turn} {number}", "kind": "thing"}, "quote": text}
        episode = memory.add(text, speaker="Ana")
        memory.learn([{"predicate": "likes", "episode": episode.id, **said}])


def clear_facts(memory, chance, number):
    for fact in list(memory.facts(limit=chance.randrange(1, 9))):
        memory.forget(fact.id, level="hard", finish=False)


def redact(memory, chance, number):
    for episode in list(memory.episodes(limit=chance.randrange(1, 9))):
        memory.forget(episode.id, level="redact", finish=False)


def finish(memory, chance, number):
    memory.finish_forgetting()


def compact(memory, chance, number):
    memory.compact()


ACTS = [add, add, add_long, learn, learn, clear_facts, redact, finish, compact]


def test_in_no_healthy_store_is_a_bit_taken_for_a_flipped_one(tmp_path, long):
    told = {}
    for seed in range(200 if long else 6):
        chance = random.Random(seed)
        with Memory.open(tmp_path / f"{seed}.db", scope="user:ana") as memory:
            for number in range(chance.randrange(5, 25)):
                chance.choice(ACTS)(memory, chance, number)
                with memory._store.read() as db:
                    told[seed, number] = count_lone_bits(db)
    assert not any(told.values()), told
