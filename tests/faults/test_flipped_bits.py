"""A bit that flips in a store's file is found, wherever it stands in what the file holds."""

import random
import shutil
from pathlib import Path

import apsw
import pytest

from memorycore import Memory, errors

TURNS = 60
SELECT_PAGES = "SELECT pageno FROM dbstat"
TREE_PAGES = {2: 12, 5: 12, 10: 8, 13: 8}
"""The kinds of pages of a tree, each with the length of its header."""


@pytest.fixture(scope="module")
def sealed(tmp_path_factory):
    """A store with facts in two languages, something hidden, redacted and undone, in one file."""
    path = str(tmp_path_factory.mktemp("sealed") / "memory.db")
    with Memory.open(path, scope="user:ana") as memory:
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
        memory.compact()
    return Path(path)


def bytes_in_use(path):
    """List the places in a closed file that hold something, not the room left in its pages."""
    data = path.read_bytes()
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    size = db.execute("PRAGMA page_size").get
    pages = {number for (number,) in db.execute(SELECT_PAGES)}
    db.close()
    places = []
    for number in sorted(pages):
        begin = (number - 1) * size
        head = begin + (100 if number == 1 else 0)
        used = range(begin, begin + size)
        if data[head] in TREE_PAGES:
            cells = int.from_bytes(data[head + 3 : head + 5])
            low = head + TREE_PAGES[data[head]] + 2 * cells
            high = begin + (int.from_bytes(data[head + 5 : head + 7]) or 65_536)
            used = [*range(begin, low), *range(high, begin + size)]
        places += used
    return places


def is_found(path, *, deep):
    """Tell whether the doctor, or the opening of the store, says that something is wrong."""
    try:
        with Memory.open(str(path), scope="user:ana", create=False) as memory:
            return any(one.state == "fail" for one in memory.examine(deep=deep))
    except errors.MemoryCoreError:
        return True


@pytest.mark.slow
def test_of_300_flipped_bits_the_doctor_finds_285(sealed, tmp_path, long):
    flips = 300 if long else 60
    chance = random.Random(20_260)
    places = bytes_in_use(sealed)
    whole = sealed.read_bytes()
    path = tmp_path / "memory.db"
    missed = []
    for _ in range(flips):
        at, bit = chance.choice(places), chance.randrange(8)
        damaged = bytearray(whole)
        damaged[at] ^= 1 << bit
        for end in ("-wal", "-shm"):
            Path(f"{path}{end}").unlink(missing_ok=True)
        path.write_bytes(damaged)
        shutil.copyfile(f"{sealed}.key", f"{path}.key")
        if not is_found(path, deep=True):
            missed.append(at)
    print(f"{flips - len(missed)} of {flips} flipped bits found")
    assert len(missed) <= flips // 20, missed


def test_a_file_without_a_flipped_bit_is_sound(sealed):
    assert not is_found(sealed, deep=True)
