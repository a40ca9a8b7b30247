"""A word index finds its pages by the beginnings of words; those of forgotten words go too."""

import random
from typing import Any

import pytest

from memorycore import Memory
from memorycore.engine.upkeep import require_indexes
from memorycore.model.needles import Needles
from memorycore.store.residue import move_edges, rewrite_indexes, sift_words

LETTERS = {"en": "abcdefghijklmnopqrstuvwxyz", "zh": "".join(map(chr, range(0x4E00, 0x9000)))}
EDGES = "SELECT CAST(term AS BLOB) FROM episode_index_idx"
COUNT = 2500


def words(language: str) -> list[str]:
    chance = random.Random(language)
    size = 12 if language == "en" else 2
    return ["".join(chance.choices(LETTERS[language], k=size)) for _ in range(COUNT)]


def edges(world: Any) -> list[str]:
    """List what the index finds its pages by, without what stands before each word."""
    found = (bytes(row[0]).decode(errors="ignore") for row in world.rows(EDGES))
    return [one[2:] for one in found if len(one) > 2]


@pytest.fixture(params=["en", "zh"])
def told(request: pytest.FixtureRequest, world: Any) -> Any:
    """A store with many words, and one of them that a page of the index begins with."""
    said = words(request.param)
    world.memory.add_many({"text": word, "session": word} for word in said)
    edge, word = next(
        (edge, word)
        for edge in edges(world)
        for word in said
        if edge in word and sum(edge in one for one in said) == 1
    )
    return world, edge, word


@pytest.mark.parametrize("level", ["redact", "purge"])
def test_no_page_is_found_by_the_beginning_of_a_forgotten_word(told: Any, level: str) -> None:
    world, edge, word = told
    memory: Memory = world.memory

    receipt = memory.forget(memory.plan_forget(session=word, level=level))

    assert edge not in edges(world)
    assert receipt.verification is not None
    assert receipt.verification.found == 0
    assert len(memory.search(words("en")[0])) + len(memory.search(words("zh")[0])) > 0
    assert memory.search(word).hits == ()


def test_what_the_index_has_kept_is_found(told: Any) -> None:
    world, _, word = told
    memory: Memory = world.memory

    memory.forget(memory.plan_forget(session=word, level="purge"), finish=False)

    with world.store.maintain() as db:
        (sifted,) = sift_words(db, [(1, Needles([word]).words())])
    assert len(sifted.traces) == 1


def test_beginnings_of_words_that_stay_are_no_trace(told: Any) -> None:
    world, edge, _ = told
    with world.store.maintain() as db:
        (sifted,) = sift_words(db, [(1, [edge + "ω", "zyx", "龘龘"])])
    assert sifted.traces == []


def test_an_index_that_is_written_anew_counts_as_before(told: Any) -> None:
    world, _, _ = told
    averages = "SELECT block FROM episode_index_data WHERE id = 1"
    before = world.rows(averages)
    with world.store.write() as db:
        rewrite_indexes(db)
        require_indexes(db)
    assert world.rows(averages) == before


def test_pages_are_found_by_their_first_words_and_the_index_is_whole(told: Any) -> None:
    world, edge, word = told
    memory: Memory = world.memory
    memory.forget(memory.plan_forget(session=word, level="purge"), finish=False)
    sought = [(1, Needles([word]).words())]

    with world.store.write() as db:
        move_edges(db, sought)
        require_indexes(db)
        (sifted,) = sift_words(db, sought)

    assert sifted.traces == []
    assert edge not in edges(world)


def test_the_segments_of_an_index_stay_as_they_are_when_a_word_is_forgotten(told: Any) -> None:
    world, _, word = told
    memory: Memory = world.memory
    segments = "SELECT DISTINCT segid FROM episode_index_idx"
    memory.forget(memory.plan_forget(session=word, level="purge"), finish=False)
    before = world.rows(segments)

    memory.finish_forgetting()

    assert set(world.rows(segments)) == set(before)
    assert memory.receipts(limit=1)[0].verification.found == 0


def test_when_many_pages_lose_their_first_words_all_others_are_found(world: Any) -> None:
    memory: Memory = world.memory
    said = words("en")
    memory.add_many({"text": word, "session": word} for word in said)
    known = set(edges(world))
    gone = [word for word in said if any(word.startswith(one) for one in known)][:40]
    for word in gone:
        memory.forget(memory.plan_forget(session=word, level="purge"), finish=False)

    assert memory.finish_forgetting()

    with world.store.write() as db:
        require_indexes(db)
    assert all(memory.search(word).hits for word in said if word not in gone)
    assert not any(memory.search(word).hits for word in gone)


def test_receipts_that_end_together_are_each_proved_by_what_they_covered(world: Any) -> None:
    memory: Memory = world.memory
    texts = ["qzvjxkorimel lorem", "brimfaldoxith ipsum dolor", "wexonquarvil"]
    for text in texts:
        memory.forget(memory.add(text).id, level="redact", finish=False)

    assert len(memory.finish_forgetting()) == 3

    proofs = [one.verification for one in memory.receipts(limit=3)]
    assert [(one.texts, one.terms, one.found) for one in proofs] == [
        (1, 1, 0),
        (1, 3, 0),
        (1, 2, 0),
    ]
