"""What was forgotten does not come back in another dress: other marks, spaces or unseen signs."""

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorycore import errors
from memorycore.engine import suppress
from memorycore.model.essence import MAX_PASSAGES, essence, passages
from memorycore.model.word import plain

KEY = "I'm keeping the spare café key in the garden shed."
ZH = "我把备用钥匙藏在花园的小屋里。"
DRESSES = {
    "mark": lambda text: text + "!",
    "no full stop": lambda text: text[:-1],
    "quotes": lambda text: f"“{text}”",
    "emoji": lambda text: text + " 🙂",
    "letterlike emoji": lambda text: text + " \u2139\ufe0f",
    "apostrophe": lambda text: text.replace("'", "’"),
    "zero width": lambda text: "\u200b".join(text),
    "soft hyphen": lambda text: text[:4] + "\u00ad" + text[4:],
    "bidi": lambda text: f"\u202e{text}\u202c",
    "variation": lambda text: text[:4] + "\ufe0f" + text[4:],
    "tag": lambda text: text[:4] + "\U000e0041" + text[4:],
    "filler": lambda text: text[:4] + "\u3164" + text[4:],
    "struck through": lambda text: "\u0336".join(text),
    "spaced": lambda text: " ".join(text),
    "no spaces": lambda text: text.replace(" ", ""),
    "decomposed": lambda text: unicodedata.normalize("NFD", text).upper(),
    "inside": lambda text: f"Hello there! {text} How is it going?",
}


@pytest.mark.parametrize("dress", DRESSES)
@pytest.mark.parametrize("text", [KEY, ZH])
def test_a_forgotten_text_is_refused_in_any_dress(story: Any, text: str, dress: str) -> None:
    story.say(text)
    story.memory.forget(story.memory.plan_forget(story.memory.episodes()[0].id, level="purge"))

    with pytest.raises(errors.SuppressedError):
        story.say(DRESSES[dress](text))


def test_two_forgotten_sentences_are_refused_inside_more(story: Any) -> None:
    story.say(f"{KEY} Tell nobody.")
    story.memory.forget(story.memory.plan_forget(story.memory.episodes()[0].id, level="redact"))

    with pytest.raises(errors.SuppressedError):
        story.say(f"Well. {KEY}  Tell nobody!! Bye.")
    story.say("I'm keeping the spare bike in the garden shed. Tell nobody.")


def test_a_short_forgotten_text_may_stand_in_another(story: Any) -> None:
    story.say("Thank you, dear.", session="s1")
    story.memory.forget(story.memory.plan_forget(story.memory.episodes()[0].id, level="purge"))

    story.say("Thank you, dear. The green house is lovely.")


@pytest.mark.parametrize(
    ("said", "again"),
    [
        ("oolong", "oo\u200blong"),
        ("oolong", "the oolong"),
        ("an oolong", "Oolong!"),
        ("乌龙茶", "乌龙 茶"),
        ("乌龙茶", "「烏龍茶」"),
    ],
)
def test_a_forgotten_statement_is_refused_in_any_dress(story: Any, said: str, again: str) -> None:
    story.tell(f"I like {said}.", "likes", said)
    story.memory.forget(story.memory.plan_forget(next(story.memory.facts()).id, level="hard"))

    assert story.tell(f"I do like {again}, you know.", "likes", again) == "reject suppressed"


@pytest.mark.parametrize(
    ("said", "other"), [("C#", "C"), ("C++", "C"), ("3.5", "35"), ("GPT-3.5", "GPT-35")]
)
def test_what_marks_tell_apart_is_not_refused_with_it(story: Any, said: str, other: str) -> None:
    story.tell(f"I like {said}.", "likes", said)
    story.memory.forget(story.memory.plan_forget(next(story.memory.facts()).id, level="hard"))

    assert story.tell(f"I like {other} today.", "likes", other) == "add new"


def test_fingerprints_that_older_versions_made_go_on_to_match(
    story: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    story.tell("I like green tea, a lot!", "likes", "green tea")
    with monkeypatch.context() as older:
        older.setattr(suppress, "essence", plain)
        older.setattr(suppress, "name_essence", plain)
        story.memory.forget(story.memory.plan_forget(next(story.memory.facts()).id, level="purge"))

    with pytest.raises(errors.SuppressedError):
        story.say("I like GREEN tea,  a lot!")
    assert story.tell("Green tea is what I like.", "likes", "Green tea") == "reject suppressed"


def test_a_remembered_sentence_is_not_kept_without_its_forgotten_fact(story: Any) -> None:
    memory = story.memory
    memory.remember("It is quixelbe that I like.", predicate="likes", object="quixelbe")
    story.memory.forget(story.memory.plan_forget(next(story.memory.facts()).id, level="purge"))
    before = [one.id for one in story.memory.operations()]

    result = story.memory.remember("I like quixelbe", predicate="likes", object="quixelbe")

    assert (result.outcomes[0].decision.reason, result.operation) == ("suppressed", None)
    assert list(story.memory.episodes()) == []
    assert [one.id for one in story.memory.operations()] == before


@pytest.mark.parametrize("text", ["!!!", "🙂🙂", "。"])
def test_a_text_without_letters_keeps_its_marks(text: str) -> None:
    assert essence(f" {text}") == plain(text)


@pytest.mark.parametrize("text", [f"{KEY} Tell no. 5 nobody! 3.5 m…", f"{ZH}我有3.5公斤！好。"])
def test_sentences_together_have_the_essence_of_their_text(text: str) -> None:
    assert essence(text) in set(passages(f"Well. {text}"))


def test_the_passages_of_a_text_are_limited() -> None:
    assert len(list(passages("One two three four. " * 5000))) == MAX_PASSAGES
    assert list(passages("a. " * 5000)) == []


@given(st.text(max_size=30))
def test_the_essence_of_an_essence_is_itself(text: str) -> None:
    assert essence(essence(text)) == essence(text)
