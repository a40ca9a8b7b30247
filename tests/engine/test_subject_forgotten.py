"""What was forgotten, hidden or taken back is in nothing that is told or handed out of a person."""

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from memorycore import Memory
from memorycore.errors import AmbiguousIdError, NotFoundError

PLANTED = {
    "en": ("Ana", "My passport is Zyxplant.", "Zyxplant"),
    "zh": ("林岚", "我的宠物叫做鳗鳕鲮。", "鳗鳕鲮"),
}
LEVELS = ("soft", "hard", "purge")


def handed(memory: Memory, subject: str) -> str:
    """Read every byte that is told of a person, and every error, as one text."""
    stream = io.BytesIO()
    memory.export_subject(subject, stream)
    with zipfile.ZipFile(stream) as archive:
        files = [archive.read(name).decode() for name in archive.namelist()]
    page = json.dumps(memory.subject(subject).to_dict(), ensure_ascii=False)
    found = json.dumps(memory.find_subject(subject).to_dict(), ensure_ascii=False)
    return "\n".join([*files, page, found])


def forget(memory: Memory, what: str, level: str) -> None:
    memory.forget(memory.plan_forget(what, level=level))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_forgotten_fact_is_handed_to_nobody(story: Any, language: str, level: str) -> None:
    speaker, text, word = PLANTED[language]
    story.say("Good morning.", speaker=speaker)
    story.tell(text, "likes", word, speaker=speaker)
    assert word in handed(story.memory, speaker)
    [fact] = story.memory.facts()

    forget(story.memory, fact.id, level)

    assert word not in handed(story.memory, speaker)
    page = story.memory.subject(speaker)
    assert page.counts.facts == 0
    assert page.counts.said == (1 if level == "purge" else 2)
    assert page.receipts == tuple(one.id for one in story.memory.receipts())


@pytest.mark.parametrize("level", ["soft", "redact", "purge"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_forgotten_episode_is_handed_to_nobody(story: Any, language: str, level: str) -> None:
    speaker, text, word = PLANTED[language]
    story.say("Good morning.", speaker=speaker)
    story.say(text, speaker=speaker)
    story.say(f"{speaker}: {text}", speaker="Bob")
    for episode in list(story.memory.episodes()):
        if word in episode.text:
            forget(story.memory, episode.id, level)

    assert word not in handed(story.memory, speaker)
    counts = story.memory.subject(speaker).counts
    assert (counts.said, counts.naming_episodes) == (1, 0)


def test_what_an_undo_took_back_is_handed_to_nobody(story: Any) -> None:
    speaker, text, word = PLANTED["en"]
    story.say("Good morning.", speaker=speaker)
    story.tell(text, "likes", word, speaker=speaker)
    learned, said, *_ = story.memory.operations()
    story.memory.undo(learned.id)
    story.memory.undo(said.id)

    assert word not in handed(story.memory, speaker)
    counts = story.memory.subject(speaker).counts
    assert (counts.facts, counts.said) == (0, 1)


def test_a_candidate_on_a_hidden_sentence_is_handed_to_nobody(story: Any) -> None:
    speaker, text, word = PLANTED["zh"]
    story.say("早上好。", speaker=speaker)
    key = story.say(text, speaker=speaker)
    story.memory.propose([{"predicate": "likes", "object": word, "external_id": key,
                           "quote": text}])  # fmt: skip
    [episode] = [one for one in story.memory.episodes() if word in one.text]
    assert story.memory.subject(speaker).counts.candidates == 1

    forget(story.memory, episode.id, "soft")

    assert word not in handed(story.memory, speaker)
    assert story.memory.subject(speaker).counts.candidates == 0


def test_an_undone_hiding_brings_all_of_it_back(story: Any) -> None:
    speaker, text, word = PLANTED["en"]
    story.tell(text, "likes", word, speaker=speaker)
    before = story.memory.subject(speaker).counts
    [fact] = story.memory.facts()
    story.memory.forget(fact.id, level="soft")
    assert story.memory.subject("user:ana").counts.facts == 0

    story.memory.undo()

    assert story.memory.subject(speaker).counts == before


def hide_all_of(memory: Memory, name: str) -> None:
    memory.forget(memory.plan_forget(subject=name, level="soft"))


@pytest.mark.parametrize("ask", [
    lambda memory, name: memory.subject(name),
    lambda memory, name: memory.export_subject(name, io.BytesIO()),
], ids=["subject", "export_subject"])  # fmt: skip
def test_who_is_hidden_is_nobody(story: Any, ask: Callable[[Memory, str], Any]) -> None:
    story.say("Good morning.", speaker="Katarina")
    story.say("Good morning.", speaker="Bob")
    hide_all_of(story.memory, "Katarina")

    for name in ("Katarina", "Katharina"):
        with pytest.raises(NotFoundError) as caught:
            ask(story.memory, name)
        assert "ent_" not in str(caught.value.hint)
    assert story.memory.find_subject("Katharina").near == ()


def test_an_ambiguous_name_does_not_tell_of_the_hidden_one(story: Any) -> None:
    for drink, word in (("tea", "neighbour"), ("rum", "colleague"), ("gin", "planted")):
        story.tell(f"I like {drink}.", "likes", drink, speaker="Kim")
        fact = story.fact(f"Kim likes {drink}")
        story.memory.split_entity(_kim(story), word, [fact.id])
    forget(story.memory, story.fact("Kim likes gin").id, "soft")

    with pytest.raises(AmbiguousIdError) as caught:
        story.memory.subject("Kim")

    assert "planted" not in str(caught.value)


def _kim(story: Any) -> str:
    """Give the id of the Kim that no word tells apart."""
    [plain] = [one for one in story.memory.entities() if one.name == "Kim" and not one.distinction]
    return str(plain.id)
