"""What was forgotten does not come back in the words of what is refused, nor by a slow reader."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from memorycore import Memory
from memorycore.model.candidate import Candidate, Quarantined, Quote
from memorycore.model.draft import Rejection
from memorycore.port.extractor import Extracted

TEXTS = {"en": "I like zqorila in the morning.", "zh": "我早上喜欢喝翡榿栖茶。"}
WORDS = {"en": "zqorila", "zh": "翡榿栖茶"}


class Reader:
    """Proposes what it reads, and lets something happen before it answers."""

    name, version, page, needs_surroundings = "slow", "1", 2, False

    def __init__(self, meanwhile: Callable[[], object]) -> None:
        self.meanwhile = meanwhile
        self.read: list[str] = []

    def extract(self, turns: Any, around: Any) -> Iterator[Extracted]:
        self.read += [turn.text for turn in turns]
        self.meanwhile()
        candidates = [
            Candidate(predicate="note", value=turn.text, place=turn.episode,
                      quotes=(Quote(episode=turn.episode, text=turn.text),))
            for turn in turns
        ]  # fmt: skip
        odd = Quarantined(Rejection("line 1", "bad", "no candidate"), f"so: {turns[0].text}")
        yield Extracted(candidates, [odd], turns=len(turns))


@pytest.fixture(params=["en", "zh"])
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def stored(world: Any, dump: Any) -> Callable[[], str]:
    """Give the function that tells all that stands in the store."""

    def read() -> str:
        with world.store.read() as db:
            return "\n".join(row for _, rows in dump(db) for row in rows)

    return read


def purge(memory: Memory) -> None:
    memory.forget(memory.plan_forget(session="gone", level="purge"))


def test_a_refused_candidate_keeps_no_word_of_what_was_purged(
    memory: Memory, stored: Callable[[], str], language: str
) -> None:
    memory.add(TEXTS[language], session="gone", external_id="x")
    purge(memory)
    item = {"predicate": "likes", "object": WORDS[language], "quote": TEXTS[language]}

    [outcome] = memory.learn([item | {"external_id": "x"}]).outcomes
    memory.propose([item | {"external_id": "y"}])

    assert (outcome.decision.kind, outcome.decision.reason) == ("reject", "episode_not_visible")
    assert WORDS[language] not in stored()


def test_a_line_that_is_no_candidate_keeps_no_word_of_what_was_purged(
    memory: Memory, stored: Callable[[], str], language: str
) -> None:
    memory.add(TEXTS[language], session="gone")
    purge(memory)

    line = Quarantined(Rejection("line 1", "bad", "no candidate"), f"so: {TEXTS[language]}")
    assert memory.propose([line]).quarantined == 1

    assert WORDS[language] not in stored()
    assert [line.place for line in memory.quarantined()] == ["line 1"]


def test_where_nothing_was_forgotten_the_words_of_what_is_refused_are_kept(
    memory: Memory, stored: Callable[[], str], language: str
) -> None:
    memory.learn([{"predicate": "likes", "object": WORDS[language], "external_id": "none",
                   "quote": TEXTS[language]}])  # fmt: skip
    assert WORDS[language] in stored()


def test_what_is_lifted_may_be_told_again(memory: Memory, stored: Callable[[], str]) -> None:
    memory.add(TEXTS["en"], session="gone")
    purge(memory)
    memory.lift(memory.receipts()[0].id)
    memory.learn([{"predicate": "likes", "object": "tea", "external_id": "none", "quote": "tea"}])
    assert "tea" in stored()


@pytest.mark.parametrize("level", ["soft", "redact", "purge"])
def test_what_was_read_before_something_was_forgotten_is_not_kept(
    memory: Memory, stored: Callable[[], str], language: str, level: str
) -> None:
    memory.add(TEXTS[language], session="gone")
    memory.add("I drink water.", session="stays")
    reader = Reader(lambda: memory.forget(memory.plan_forget(session="gone", level=level)))

    result = memory.harvest(reader)

    assert (result.proposed, result.quarantined) == (0, 0)
    assert [one["code"] for one in result.problems] == ["forgotten_meanwhile"]
    assert list(memory.candidates()) == memory.quarantined() == []
    assert (WORDS[language] in stored()) == (level == "soft")


def test_what_was_not_kept_is_read_again_from_there(memory: Memory) -> None:
    for n in range(3):
        memory.add(f"I drink water {n}.", session=f"s{n}")
    memory.add(TEXTS["en"], session="gone")
    first = Reader(lambda: len(first.read) > 2 and purge(memory))
    memory.harvest(first)
    second = Reader(lambda: None)

    result = memory.harvest(second)

    assert len(first.read) == 4
    assert second.read == ["I drink water 2."]
    assert result.problems == []
    assert sorted(one.text for one in memory.candidates()) != []
