"""Learning from conversation: read once, read on, and taken back as a whole."""

from collections.abc import Iterator, Sequence

import pytest

from memorycore import Memory, errors
from memorycore.model.candidate import Candidate, Quote
from memorycore.model.heard import Heard
from memorycore.port.extractor import Extracted, Surroundings

TURNS = [
    {"text": "I live in Porto.", "speaker": "Ana", "session": "s1", "at": "2024-01-01"},
    {"text": "今天天气不错", "speaker": "Ana", "session": "s1", "at": "2024-01-02"},
    {"text": "I live in Braga now.", "speaker": "Ana", "session": "s2", "at": "2024-06-01"},
]


class Places:
    """An extractor of a test: it finds "I live in …", a turn at a time, and may break off."""

    name = "rules"
    version = "1"
    page = 1
    needs_surroundings = True

    def __init__(self, breaks_at: str | None = None) -> None:
        self.breaks_at = breaks_at
        self.around: list[Surroundings] = []

    def extract(self, turns: Sequence[Heard], around: Surroundings) -> Iterator[Extracted]:
        self.around.append(around)
        for turn in turns:
            if self.breaks_at is not None and self.breaks_at in turn.text:
                raise errors.ModelUnreachableError("It is gone.")
            found = []
            if turn.text.startswith("I live in "):
                place = turn.text.removeprefix("I live in ").split()[0].rstrip(".")
                quote = Quote(episode=turn.episode)
                found = [Candidate("lives_in", (quote,), value=place)]
            yield Extracted(found, turns=1, silent=int(not found))


@pytest.fixture
def memory(world):
    world.memory.add_many(TURNS)
    return world.memory


def now(memory):
    return [fact.object_text for fact in memory.facts()]


def test_what_was_said_becomes_facts(memory):
    result = memory.harvest(Places())
    assert (result.turns, result.silent, result.admitted) == (3, 1, 2)
    assert now(memory) == ["Braga"]


def test_reading_goes_on_where_it_stopped(memory):
    memory.harvest(Places())
    before = memory.digest()
    again = memory.harvest(Places())
    assert (again.turns, again.operation, memory.digest()) == (0, None, before)
    memory.add("I live in Faro.", speaker="Ana", session="s3", at="2024-09-01")
    assert memory.harvest(Places()).turns == 1
    assert now(memory) == ["Faro"]


def test_reading_everything_again_changes_no_fact(memory):
    memory.harvest(Places())
    before = memory.digest()
    again = memory.harvest(Places(), since="all")
    assert (again.turns, again.already_there) == (3, 2)
    assert memory.digest() == before


def test_undo_takes_a_whole_reading_back_and_lets_it_be_read_again(memory):
    before = memory.digest()
    memory.harvest(Places())
    memory.undo()
    assert memory.digest() == before
    assert memory.harvest(Places()).admitted == 2


def test_what_was_read_before_a_failure_is_kept_and_reading_goes_on_there(memory):
    with pytest.raises(errors.ModelUnreachableError):
        memory.harvest(Places(breaks_at="Braga"))
    assert now(memory) == ["Porto"]
    assert memory.harvest(Places()).turns == 1
    assert now(memory) == ["Braga"]


def test_a_dry_run_reads_and_keeps_nothing(memory):
    before = memory.digest()
    result = memory.harvest(Places(), dry_run=True)
    assert (result.admitted, memory.digest()) == (2, before)
    assert memory.harvest(Places()).turns == 3


def test_reading_one_session_moves_no_mark(memory):
    assert memory.harvest(Places(), session="s2").turns == 1
    assert memory.harvest(Places()).turns == 3


def test_since_a_time_and_a_limit_choose_the_turns(memory):
    assert memory.harvest(Places(), since="2024-03-01").turns == 1
    assert memory.harvest(Places(), limit=2, session="s1").turns == 2


def test_what_is_around_is_told_and_is_no_evidence(memory):
    memory.harvest(Places())
    memory.add("I live in Faro.", speaker="Ana", session="s2", at="2024-09-01")
    places = Places()
    memory.harvest(places)
    [around] = places.around
    assert [turn.text for turn in around.before] == ["I live in Braga now."]
    assert [text for _, text in around.facts] == ["Ana lives_in Braga"]
    assert {predicate.name for predicate in around.predicates} >= {"lives_in", "likes"}


def test_without_admitting_candidates_only_wait(memory):
    result = memory.harvest(Places(), admit=False)
    assert (result.proposed, now(memory)) == (2, [])
    assert memory.admit().admitted == 2


def test_another_scope_is_never_read(world, memory):
    other = memory.scoped("user:bob")
    assert other.harvest(Places()).turns == 0


def test_the_sentence_patterns_read_with_no_model(memory):
    result = memory.harvest()
    assert result.turns == 3
    assert now(memory) == ["Braga"]


def test_what_a_loose_pattern_finds_waits_for_a_person(world):
    world.memory.add_many(
        [{"text": text, "speaker": "Ana"} for text in ("I live in Porto.", "最近在忙搬家")]
    )
    world.memory.harvest()
    sure = [fact.confidence for fact in world.memory.facts()]
    assert all(one >= 0.9 for one in sure)


@pytest.mark.parametrize("extractor", ["magic", "model"])
def test_an_extractor_that_is_none_is_refused(memory, extractor):
    with pytest.raises(errors.InvalidInputError):
        memory.harvest(extractor)


@pytest.mark.parametrize("dry_run", [False, True])
def test_others_write_while_an_extractor_works(file_world, dry_run):
    file_world.memory.add_many(TURNS)

    class Slow(Places):
        def extract(self, turns: Sequence[Heard], around: Surroundings) -> Iterator[Extracted]:
            with Memory.open(file_world.path, scope="user:bo", busy_timeout=0.1) as other:
                other.add(f"meanwhile 同时 {len(self.around)}")
            yield from super().extract(turns, around)

    result = file_world.memory.harvest(Slow(), dry_run=dry_run)

    assert result.turns == len(TURNS)
    with Memory.open(file_world.path, scope="user:bo") as other:
        assert other.stats().episodes == len(TURNS)
