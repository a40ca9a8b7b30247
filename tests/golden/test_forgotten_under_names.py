"""What was forgotten does not come back under another name of who or what it was said of."""

from typing import Any

import pytest

from memorycore.engine.suppress import MAX_NAMES

TEA = "I like oolong."
AGAIN = "Of all that I drink I like oolong best."


def person(name: str, *aliases: str) -> dict[str, Any]:
    return {"name": name, "kind": "person", "aliases": list(aliases)}


def thing(name: str, *aliases: str) -> dict[str, Any]:
    return {"name": name, "kind": "thing", "aliases": list(aliases)}


def place(name: str, *aliases: str) -> dict[str, Any]:
    return {"name": name, "kind": "place", "aliases": list(aliases)}


def forget(story: Any, text: str, level: str = "hard") -> Any:
    memory = story.memory
    return memory.forget(memory.plan_forget(story.fact(text).id, level=level))


def retell(story: Any, whom: Any = None, what: Any = "oolong", **fields: Any) -> str:
    """Say in new words that somebody likes something, and give the decision."""
    names = [whom["name"], *whom["aliases"]] if whom else ["I"]
    said = [what] if isinstance(what, str) else [what["name"], *what.get("aliases", ())]
    text = f"By the way: {', also called '.join(names)} likes {', also called '.join(said)}."
    subject = {"subject": whom} if whom else {}
    return str(story.tell(f"{text} {story.told}", "likes", what, **subject, **fields))


@pytest.fixture(params=["hard", "purge"])
def level(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_the_only_speaker_and_an_unsigned_turn_are_one(story: Any, level: str) -> None:
    story.tell(TEA, "likes", "oolong")
    forget(story, "Nell likes oolong", level)

    assert retell(story, speaker=None) == "reject suppressed"


def test_an_unsigned_turn_and_the_only_speaker_are_one(story: Any, level: str) -> None:
    story.tell(TEA, "likes", "oolong", speaker=None)
    forget(story, "ana likes oolong", level)

    assert retell(story) == "reject suppressed"


@pytest.mark.parametrize("name", ["ana", "Ana", "user:ana"])
def test_who_the_scope_is_named_after_is_the_only_speaker(
    story: Any, level: str, name: str
) -> None:
    story.tell(TEA, "likes", "oolong")
    forget(story, "Nell likes oolong", level)

    assert retell(story, person(name), speaker="Bo") == "reject suppressed"


def test_of_two_who_speak_neither_is_taken_for_the_other(story: Any, level: str) -> None:
    story.tell(TEA, "likes", "oolong", speaker="Ana")
    story.say("I like green tea.", speaker="Bo")
    forget(story, "Ana likes oolong", level)

    assert retell(story, speaker="Bo") == "add new"
    for whom in ({"speaker": "Ana"}, {"speaker": None}, {"whom": person("user:ana")}):
        assert retell(story, **whom) == "reject suppressed"


def test_who_only_speaks_of_somebody_is_not_taken_for_them(story: Any, level: str) -> None:
    story.tell("Rosa likes oolong.", "likes", "oolong", subject=person("Rosa"))
    forget(story, "Rosa likes oolong", level)

    assert retell(story) == "add new"
    assert retell(story, person("Tilde")) == "add new"


@pytest.mark.parametrize("word", ["I", "me", "User", "the user", "我", "用户"])
def test_a_word_for_whoever_speaks_is_no_other_name(story: Any, level: str, word: str) -> None:
    story.tell(TEA, "likes", "oolong", speaker="Ana")
    story.say("I like green tea.", speaker="Bo")
    forget(story, "Ana likes oolong", level)

    assert retell(story, person(word), speaker="Bo") == "add new"
    assert retell(story, person(word), speaker="Ana") == "reject suppressed"


@pytest.mark.parametrize("word", ["I", "user", "我"])
def test_what_was_said_of_a_word_for_the_speaker_is_refused_of_the_speaker(
    story: Any, level: str, word: str
) -> None:
    story.tell(f"{word} likes oolong.", "likes", "oolong", subject=person(word))
    forget(story, f"{word} likes oolong", level)

    for whom in ({}, {"speaker": None}, {"whom": person("user:ana")}):
        assert retell(story, **whom) == "reject suppressed"


def test_every_alias_of_the_subject_is_refused(story: Any, level: str) -> None:
    story.tell("My aunt Rosa, or Rosie, likes oolong.", "likes", "oolong",
               subject=person("Rosa", "Rosie"))  # fmt: skip
    story.memory.add_alias("Rosa", "Ro")
    story.memory.remove_alias("Rosa", "Ro")
    forget(story, "Rosa likes oolong", level)

    for name in ("Rosie", "rosa", "Ro"):
        assert retell(story, person(name)) == "reject suppressed"


def test_an_alias_of_who_was_merged_is_refused_though_it_was_taken_away(
    story: Any, level: str
) -> None:
    story.tell("My aunt Rosa likes oolong.", "likes", "oolong", subject=person("Rosa"))
    story.tell("Tilde lives in Porto.", "lives_in", "Porto", subject=person("Tilde"))
    story.memory.add_alias("Tilde", "Tilly")
    story.memory.remove_alias("Tilde", "Tilly")
    story.memory.merge_entities("Rosa", "Tilde")
    forget(story, "Rosa likes oolong", level)

    for name in ("Tilde", "Tilly"):
        assert retell(story, person(name)) == "reject suppressed"


def test_of_many_names_the_own_one_and_the_first_are_refused(story: Any, level: str) -> None:
    names = [f"Rosa {chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(2 * MAX_NAMES)]
    story.tell("Rosa likes oolong.", "likes", "oolong", subject=person("Rosa"))
    for name in names:
        story.memory.add_alias("Rosa", name)
    forget(story, "Rosa likes oolong", level)

    with story.memory._store.read() as db:
        kept = db.execute("SELECT count(*) FROM suppressions WHERE kind = 'statement'").get
    assert kept == MAX_NAMES
    for name in ("Rosa", *names[: MAX_NAMES - 1 : 10]):
        assert retell(story, person(name)) == "reject suppressed"


def test_a_name_that_is_given_afterwards_is_refused(story: Any, level: str) -> None:
    story.tell("Rosa likes oolong.", "likes", "oolong", subject=person("Rosa"))
    story.tell("Rosa lives in Porto.", "lives_in", "Porto", subject=person("Rosa"))
    forget(story, "Rosa likes oolong", level)
    story.memory.add_alias("Rosa", "Rosie")

    assert retell(story, person("Rosie")) == "reject suppressed"


def test_who_takes_the_forgotten_one_in_afterwards_is_refused(story: Any, level: str) -> None:
    story.tell("Rosa likes oolong.", "likes", "oolong", subject=person("Rosa"))
    story.tell("Rosa lives in Porto.", "lives_in", "Porto", subject=person("Rosa"))
    story.tell("Tilde likes jazz.", "likes", "jazz", subject=person("Tilde"))
    story.memory.add_alias("Tilde", "Tilly")
    forget(story, "Rosa likes oolong", level)
    story.memory.merge_entities("Tilde", "Rosa")

    for name in ("Tilde", "Tilly", "Rosa"):
        assert retell(story, person(name)) == "reject suppressed"


def test_another_name_beside_a_forgotten_one_is_refused(story: Any, level: str) -> None:
    story.tell("Rosa likes oolong.", "likes", "oolong", subject=person("Rosa"))
    forget(story, "Rosa likes oolong", level)

    assert retell(story, person("Rositta", "Rosa")) == "reject suppressed"


def test_every_name_of_the_object_is_refused(story: Any, level: str) -> None:
    story.tell("I like Porto.", "likes", place("Porto"))
    story.memory.add_alias("Porto", "Oporto")
    story.tell("I live in Invicta.", "lives_in", place("Invicta"))
    story.memory.add_alias("Invicta", "Old Town")
    story.memory.remove_alias("Invicta", "Old Town")
    story.memory.merge_entities("Porto", "Invicta")
    forget(story, "Nell likes Porto", level)

    for what in (place("Oporto"), "Oporto", "Invicta", place("Old Town"),
                 place("Tripe City", "Porto")):  # fmt: skip
        assert retell(story, None, what) == "reject suppressed"


def test_a_name_of_the_object_that_is_given_afterwards_is_refused(story: Any, level: str) -> None:
    story.tell("I live in Porto.", "lives_in", place("Porto"))
    story.tell("I like Porto.", "likes", place("Porto"))
    forget(story, "Nell likes Porto", level)
    story.memory.add_alias("Porto", "Oporto")

    assert retell(story, None, place("Oporto")) == "reject suppressed"


def test_what_is_said_of_the_owner_is_refused_by_another_name(story: Any, level: str) -> None:
    story.say("Hello there.")
    story.tell("My friend Rosa likes Nell.", "likes", person("Nell"), subject=person("Rosa"))
    forget(story, "Rosa likes Nell", level)

    for what in (person("ana"), "me", person("user")):
        assert retell(story, person("Rosa"), what) == "reject suppressed"


def test_both_names_that_a_purge_has_to_do_with_are_refused(story: Any) -> None:
    firm = {"name": "Quixel", "kind": "organization"}, {"name": "Acme", "kind": "organization"}
    story.tell("I work at Quixel these days.", "works_at", firm[0])
    story.tell("I like Acme very much.", "likes", firm[1])
    story.memory.merge_entities("Quixel", "Acme")
    forget(story, "Nell works_at Quixel", "purge")
    assert story.now() == ["Nell likes Acme"]
    forget(story, "Nell likes Acme", "purge")

    for one in firm:
        again = f"Now I work at {one['name']} again."
        assert story.tell(again, "works_at", one) == "reject suppressed"
    assert retell(story, None, firm[1]) == "reject suppressed"


def test_a_statement_is_listed_once_and_lifted_under_all_its_names(story: Any, level: str) -> None:
    story.tell("My aunt Rosa likes oolong.", "likes", thing("oolong"), subject=person("Rosa"))
    for whose, name in (("Rosa", "Rosie"), ("Rosa", "Ro"), ("oolong", "wulong")):
        story.memory.add_alias(whose, name)
    receipt = forget(story, "Rosa likes oolong", level)
    listed = story.memory.suppressions()
    [statement] = [one for one in listed if one.kind == "statement"]

    operation, count = story.memory.lift(statement.id)
    assert count == 1
    for name in ("Rosa", "Rosie", "Ro"):
        assert retell(story, person(name), "wulong") == "add new"
    story.memory.undo(operation.id)
    assert retell(story, person("Ro"), "wulong") == "reject suppressed"
    assert [one.id for one in story.memory.suppressions()] == [one.id for one in listed]
    assert story.memory.lift(receipt.id)[1] == len(listed)
    assert story.memory.suppressions() == []


def test_lifting_one_of_two_that_share_a_name_leaves_the_other(story: Any, level: str) -> None:
    story.tell("Rosa likes oolong.", "likes", "oolong", subject=person("Rosa"))
    story.tell("Robert likes oolong.", "likes", "oolong", subject=person("Robert"))
    story.memory.add_alias("Robert", "Ro")
    story.memory.add_alias("Rosa", "Ro")
    receipt = forget(story, "Robert likes oolong", level)
    forget(story, "Rosa likes oolong", level)
    story.memory.lift(receipt.id)

    assert retell(story, person("Robert")) == "add new"
    for name in ("Rosa", "Ro"):
        assert retell(story, person(name)) == "reject suppressed"


def test_a_namesake_in_another_scope_is_not_touched(make_story: Any, level: str) -> None:
    story = make_story()
    story.tell(TEA, "likes", "oolong")
    forget(story, "Nell likes oolong", level)
    story.memory = story.memory.scoped("user:bo")

    assert story.tell(TEA, "likes", "oolong") == "add new"
    assert retell(story, speaker=None) == "add new"


def test_what_may_not_come_back_is_kept_as_fingerprints_alone(world: Any, level: str) -> None:
    memory = world.memory
    said = "My aunt Quixela, or Quixie, likes oolong."
    memory.add(said, external_id="1")
    memory.learn([{"predicate": "likes", "object": "oolong", "external_id": "1", "quote": said,
                   "subject": person("Quixela", "Quixie")}])  # fmt: skip
    fact = next(iter(memory.facts()))
    memory.forget(memory.plan_forget(fact.id, level=level))

    rows = world.rows("SELECT fingerprint FROM suppressions WHERE kind = 'statement'")
    assert {len(row[0]) for row in rows} == {16}
    memory.destroy_suppression_key()
    assert world.rows("SELECT count(*) FROM suppressions") == [(0,)]
