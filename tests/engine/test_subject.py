"""Everything about one person: found, told on a page; what may not be seen is not even counted."""

import unicodedata
from typing import Any

import pytest

from memorycore import Memory
from memorycore.engine import dossier, subject
from memorycore.errors import AmbiguousIdError, InvalidInputError, NotFoundError

LIKES = {
    "en": ("Ana", "I like oolong tea.", "oolong tea"),
    "zh": ("林岚", "我喜欢乌龙茶。", "乌龙茶"),
}


def names(matches: Any) -> list[str]:
    return [one.entity.name for one in matches]


def texts(page: Any, which: str) -> list[str]:
    return [one.fact.text for one in page.facts if getattr(one, which)]


def quoted(page: Any) -> list[str]:
    return [one.episode.text for one in page.mentions if one.episode is not None]


@pytest.mark.parametrize(("said", "asked"), [
    ("Ana", "ＡＮＡ"), ("林嵐", "林岚"), ("José", unicodedata.normalize("NFD", "JOSÉ")),
    ("小🐼", "小🐼"), ("Q版 Ana", "q版  ana"),
])  # fmt: skip
def test_a_name_is_found_in_any_of_its_forms(memory: Memory, said: str, asked: str) -> None:
    memory.add("Good morning.", speaker=said)

    assert names(memory.find_subject(asked).exact) == [said]


def test_an_alias_finds_whom_it_is_another_name_of(memory: Memory) -> None:
    memory.add("Good morning.", speaker="Ana")
    memory.add_alias("Ana", "安娜")

    [found] = memory.find_subject("安娜").exact

    assert (found.entity.name, found.entity.aliases) == ("Ana", ("安娜",))
    assert memory.subject("安娜").entity == memory.subject("Ana").entity


@pytest.mark.parametrize(("asked", "near"), [
    ("Katharina", "Katarina"), ("Ana", "Ana Reis"), ("林岚", "林岚老师"), ("Ana Reis", "Ana"),
])  # fmt: skip
def test_those_of_almost_the_name_stand_apart(memory: Memory, asked: str, near: str) -> None:
    for name in (asked, near, "Bob", "顾棠"):
        memory.add("Good morning.", speaker=name)

    found = memory.find_subject(asked)

    assert (names(found.exact), names(found.near)) == ([asked], [near])
    assert [one.entity.name for one in memory.subject(asked).mentions if one.entity] == [near]


def test_an_alias_of_another_can_be_near_too(memory: Memory) -> None:
    memory.add("Good morning.", speaker="Bob")
    memory.add_alias("Bob", "Katarina")

    assert names(memory.find_subject("Katharina").near) == ["Bob"]


def test_too_many_near_matches_are_counted(memory: Memory, monkeypatch: Any) -> None:
    monkeypatch.setattr(subject, "MAX_NEAR", 2)
    for number in range(5):
        memory.add("Good morning.", speaker=f"Ana {number}")

    found = memory.find_subject("Ana")

    assert (len(found.near), found.left_out) == (2, 3)


def test_a_match_says_how_much_there_is(story: Any) -> None:
    story.tell("I like tea.", "likes", "tea", speaker="Ana")
    story.say("Ana is late, ana is always late.", speaker="Bob")
    story.say("Bananas are fruit.", speaker="Bob")
    story.say("Here is Ana!", speaker="Ana")

    [found] = story.memory.find_subject("Ana").exact

    assert (found.entity.facts, found.said, found.mentions) == (1, 2, 1)


def test_what_is_believed_and_what_was_believed_stand_apart(story: Any) -> None:
    story.tell("I live in Leeds.", "lives_in", "Leeds", at="2025-01-01", speaker="Ana")
    story.tell("I live in Porto.", "lives_in", "Porto", at="2025-03-01", speaker="Ana")

    page = story.memory.subject("Ana")

    assert texts(page, "now") == ["Ana lives_in Leeds", "Ana lives_in Porto"]
    assert texts(page, "before") == ["Ana lives_in Leeds"]
    [leeds] = [one for one in page.facts if one.before]
    assert [leeds.when(one) for one in leeds.before] == ["true by 2025-01-01 →"]
    assert [leeds.when(one) for one in leeds.now] == [
        "true by 2025-01-01 → some time before 2025-03-01"
    ]
    assert leeds.before[0].known_to == leeds.now[0].known_from


def test_a_fact_that_was_taken_back_was_believed_before(story: Any) -> None:
    story.tell("I like tea.", "likes", "tea", speaker="Ana")
    story.memory.undo()

    page = story.memory.subject("Ana")

    assert (texts(page, "now"), texts(page, "before")) == ([], ["Ana likes tea"])


def test_facts_of_others_say_how_they_speak_of_somebody(story: Any) -> None:
    person = {"name": "Ana", "kind": "person"}
    story.tell("I like Ana.", "likes", person, speaker="Bob")

    page = story.memory.subject("Ana")

    assert [(one.fact.text, one.role) for one in page.facts] == [("Bob likes Ana", "object")]
    assert (page.counts.said, page.counts.evidence) == (0, 1)
    assert quoted(page) == []


@pytest.mark.parametrize(("name", "text"), [
    ("Ana", "Tomorrow ANA comes."), ("林岚", "明天林嵐来。"), ("José", "Tomorrow José comes."),
])  # fmt: skip
def test_a_sentence_of_another_that_holds_the_name_is_a_mention(
    memory: Memory, name: str, text: str
) -> None:
    memory.add("Good morning.", speaker=name)
    memory.add(text, speaker="Bob")

    page = memory.subject(name)

    assert (quoted(page), page.counts.naming_episodes) == ([text], 1)
    assert page.counts.evidence == 0


def test_a_fact_of_another_whose_words_hold_the_name_is_a_mention(story: Any) -> None:
    story.say("Good morning.", speaker="Ana")
    story.tell("I like dinner with Ana.", "likes", "dinner with Ana", speaker="Bob")

    page = story.memory.subject("Ana")

    assert page.facts == ()
    assert [one.fact.fact.text for one in page.mentions if one.fact] == [
        "Bob likes dinner with Ana"
    ]


def test_a_name_of_one_character_is_not_looked_for_in_texts(memory: Memory) -> None:
    memory.add("Good morning.", speaker="A")
    memory.add("This is a day.", speaker="Bob")

    assert memory.subject("A").counts.naming_episodes == 0


def test_others_are_looked_for_in_the_scopes_of_the_handle_alone(memory: Memory) -> None:
    memory.add("Good morning.", speaker="Ana")
    for scope in ("project:web", "user:bob"):
        memory.scoped(scope).add(f"Ana was seen in {scope}.", speaker="Bob")

    wide = memory.scoped("user:ana", ["project:web"])

    assert quoted(memory.subject("Ana")) == []
    assert quoted(wide.subject("Ana")) == ["Ana was seen in project:web."]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_candidate_that_waits_is_told(story: Any, language: str) -> None:
    speaker, text, drink = LIKES[language]
    key = story.say(text, speaker=speaker)
    story.memory.propose([{"predicate": "likes", "object": drink, "external_id": key,
                           "quote": text}])  # fmt: skip
    story.say("Good morning.", speaker="Bob")

    assert [one.text for one in story.memory.subject(speaker).candidates] == [
        f"{speaker} likes {drink}"
    ]
    assert story.memory.subject("Bob").candidates == ()


def test_what_was_said_has_a_first_and_a_last(memory: Memory) -> None:
    for at in ("2025-03", None, "2024-11-02", "2025-01-05T08:00:00+08:00"):
        memory.add(f"Said at {at}.", speaker="Ana", at=at)

    page = memory.subject("Ana")

    assert (page.counts.said, page.first_said, page.last_said) == (4, "2024-11-02", "2025-03")


def test_of_somebody_who_is_only_named_there_is_an_empty_page(story: Any) -> None:
    story.say("Good morning.", speaker="Ana")

    shape = story.memory.subject("Ana").to_dict()

    assert (shape["facts"], shape["candidates"], shape["mentions"]) == ([], [], [])
    assert shape["counts"] == {
        "facts": 0, "said": 1, "evidence": 0, "candidates": 0, "near": 0,
        "naming_episodes": 0, "naming_facts": 0,
    }  # fmt: skip


def test_merged_entities_are_one_person(story: Any) -> None:
    story.tell("I like tea.", "likes", "tea", speaker="Ana")
    story.tell("I like rum.", "likes", "rum", speaker="Ana Reis")
    merged = story.memory.entity("Ana Reis").id
    story.memory.merge_entities("Ana", "Ana Reis")

    page = story.memory.subject("Ana Reis")

    assert texts(page, "now") == ["Ana likes tea", "Ana likes rum"]
    assert (page.name, page.counts.said, page.counts.near) == ("Ana", 2, 0)
    assert story.memory.subject(merged).name == "Ana"


def test_a_scope_by_its_own_name_is_all_of_it(story: Any) -> None:
    story.tell("I like tea.", "likes", "tea", speaker="Ana")
    story.say("Good morning.", speaker="Bob")
    story.memory.scoped("user:bob").add("Elsewhere.", speaker="Bob")

    page = story.memory.subject("user:ana")

    assert (page.entity, page.name) == (None, "user:ana")
    assert (page.counts.facts, page.counts.said, page.counts.near) == (1, 2, 0)
    assert [one.role for one in page.facts] == ["scope"]


def test_a_page_holds_so_many_facts_and_says_that_there_are_more(
    story: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(dossier, "SHOWN_FACTS", 1)
    for drink in ("tea", "rum"):
        story.tell(f"I like {drink}.", "likes", drink, speaker="Ana")

    page = story.memory.subject("Ana")

    assert (len(page.facts), page.counts.facts, page.to_dict()["truncated"]) == (1, 2, True)


def test_a_name_of_several_is_refused_and_an_id_is_not(story: Any) -> None:
    story.tell("I like tea.", "likes", "tea", speaker="小林")
    [fact] = story.memory.facts()
    story.memory.split_entity("小林", "邻居", [fact.id])

    with pytest.raises(AmbiguousIdError, match="ent_") as caught:
        story.memory.subject("小林")

    [told] = [one.entity for one in story.memory.find_subject("小林").exact if one.entity.facts]
    page = story.memory.subject(told.id)
    assert "ent_" in str(caught.value.hint)
    assert texts(page, "now") == ["小林 likes tea"]
    assert [one.entity.distinction for one in page.mentions if one.entity] == [""]


def test_an_unknown_name_suggests_others_by_id_alone(memory: Memory) -> None:
    memory.add("Good morning.", speaker="Katarina")

    with pytest.raises(NotFoundError) as caught:
        memory.subject("Katharina")

    error = caught.value
    assert memory.entity("Katarina").id in str(error.why)
    assert "Katarina" not in f"{error} {error.why} {error.hint}"
    assert error.hint == "memoryctl subject find Katharina --scope user:ana"


@pytest.mark.parametrize("name", ["", " ", "　", "\ud800"])
def test_what_is_no_name_is_refused(memory: Memory, name: str) -> None:
    memory.add("Good morning.", speaker="Ana")

    with pytest.raises(InvalidInputError):
        memory.find_subject(name)


def test_nobody_is_found_where_nothing_is(memory: Memory) -> None:
    assert memory.find_subject("Ana").to_dict()["exact"] == []
    with pytest.raises(NotFoundError, match="nothing in user:ana"):
        memory.subject("Ana")


def test_nothing_of_this_writes(story: Any, dump: Any) -> None:
    story.tell("I like tea.", "likes", "tea", speaker="Ana")
    with story.memory._store.read() as db:
        before = dump(db)

    story.memory.find_subject("Ana")
    story.memory.subject("Ana")

    with story.memory._store.read() as db:
        assert dump(db) == before
