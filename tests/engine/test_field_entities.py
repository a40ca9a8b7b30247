"""Names: who is one, who is two, in every script; and what is only ever suggested."""

import unicodedata
from typing import Any

import pytest

from memorycore.errors import AmbiguousIdError, InvalidInputError, NotFoundError

MARCH, APRIL, MAY = (f"2025-0{month}-10T09:00:00+00:00" for month in (3, 4, 5))


def entities(story: Any, kind: str) -> list[str]:
    return [one.name for one in story.memory.entities() if one.kind == kind]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Café Jardín", unicodedata.normalize("NFD", "Café Jardín")),
        (unicodedata.normalize("NFD", "Đà Nẵng"), "Đà Nẵng"),
        ("ＡＢＣ書店", "ABC书店"),
        ("臺北書院", "台北书院"),
        ("龍門客棧", "龙门客栈"),
        ("Straße", "STRASSE"),
        ("서울", unicodedata.normalize("NFD", "서울")),
        ("ﾊﾞｰ月光", "バー月光"),
        ("🦊 Den", "🦊  den"),
        ("🏠", "🏠"),
        ("İzmir", unicodedata.normalize("NFD", "İzmir")),
    ],
)
def test_one_name_in_two_spellings_is_one_entity(story: Any, first: str, second: str) -> None:
    story.tell(f"I live in {first}.", "lives_in", first, MARCH)

    again = story.tell(f"I live in {second}!", "lives_in", second, APRIL)

    assert again == "reinforce same_statement"
    assert entities(story, "place") == [first]
    assert story.memory.entity(second).name == first


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("旧地图", "舊地圖"),
        ("ｐｌｕｍ　ｔｅａ", "Plum tea"),
        ("《低地来信》", "低地来信"),
        ("crème brûlée", unicodedata.normalize("NFD", "crème brûlée")),
        ("🍵🌙", "🍵🌙"),
    ],
)
def test_one_text_in_two_spellings_is_one_statement(story: Any, first: str, second: str) -> None:
    story.tell(f"I like {first}.", "likes", first, MARCH)

    assert story.tell(f"I like {second}!", "likes", second, APRIL) == "reinforce same_statement"
    assert story.now() == [f"Nell likes {first}"]


@pytest.mark.parametrize(
    ("first", "second"),
    [("서울", "서울대"), ("🦊", "🐺"), ("王力", "王丽"), ("我是猫", "我是狗"), ("Ottawa", "Otava"),
     ("スコープ", "スコップ"), ("E-3", "E-4"), ("C", "C++"), ("木木", "林")],
)  # fmt: skip
def test_different_names_are_different_entities(story: Any, first: str, second: str) -> None:
    story.tell(f"I live in {first}.", "lives_in", first, MARCH)

    assert story.tell(f"I live in {second}.", "lives_in", second, APRIL) == "supersede superseded"
    assert entities(story, "place") == [first, second]


@pytest.mark.parametrize(
    ("known", "asked", "is_suggested"),
    [
        ("스코프랩스", "스코프 랩스", True),
        ("夏目漱石", "夏目 漱石", True),
        ("Marguerite Oyelaran", "Margerite Oyelaran", True),
        ("서울", "서울대", False),
        ("我是猫", "我是狗", False),
        ("🦊", "🐺", False),
    ],
)
def test_similar_names_are_suggested_and_never_merged(
    story: Any, known: str, asked: str, is_suggested: bool
) -> None:
    said = f"{known} likes chess."
    story.tell(said, "likes", "chess", MARCH, subject={"name": known, "kind": "person"})

    found = [one for one in story.memory.find_entities(asked) if one.name == known]

    assert bool(found) == is_suggested
    assert all(one.likeness < 1.0 for one in found)
    said = f"{asked} likes chess."
    person = {"name": asked, "kind": "person"}
    assert story.tell(said, "likes", "chess", APRIL, subject=person) == "add new"


@pytest.mark.parametrize(
    "scope",
    ["00000000-0000-0000-0000-000000000001", "main", "team:读书会", "a b", "用户 小明", "🦊"],
)
def test_a_scope_is_taken_everywhere_or_nowhere(story: Any, scope: str) -> None:
    try:
        memory = story.memory.scoped(scope)
    except InvalidInputError:
        with pytest.raises(InvalidInputError):
            story.memory.scoped("user:x", [scope])
        return
    other = type(story)(memory, 100)

    assert other.tell("I live in Alfa.", "lives_in", "Alfa") == "add new"

    assert other.now() == ["Nell lives_in Alfa"]
    assert [hit.text for hit in memory.search("Alfa").facts] == other.now()
    memory.undo()
    assert other.now() == []


def test_a_firm_and_a_fruit_of_one_name_are_two(story: Any) -> None:
    story.tell("I work at Apple.", "works_at", "Apple", MARCH)
    fruit = {"name": "apple", "kind": "thing"}

    assert story.tell("I like apple, the fruit.", "likes", fruit, APRIL) == "add new"

    assert entities(story, "organization") == ["Apple"]
    assert entities(story, "thing") == ["apple"]


def three_persons(story: Any) -> None:
    for name, home in (("Jo", "Alfa"), ("Joe", "Bravo"), ("Joey", "Delta")):
        story.tell(f"{name} lives in {home}.", "lives_in", home, MARCH, subject=name)


def test_names_that_are_alike_in_a_chain_are_not_merged(story: Any) -> None:
    three_persons(story)

    story.memory.find_entities("Joe")

    assert entities(story, "person") == ["Nell", "Jo", "Joe", "Joey"]


def test_a_merge_takes_two_and_leaves_the_third(story: Any) -> None:
    three_persons(story)
    before = story.memory.digest()

    merged = story.memory.merge_entities("Jo", "Joe")

    assert entities(story, "person") == ["Nell", "Jo", "Joey"]
    assert story.memory.entity("Joe").name == "Jo"
    assert story.memory.entity("Joey").name == "Joey"
    story.memory.undo(merged.id)
    assert story.memory.digest() == before
    assert story.memory.entity("Joe").name == "Joe"


def test_a_chain_of_merges_is_taken_apart_link_by_link(story: Any) -> None:
    three_persons(story)
    digests = [story.memory.digest()]
    steps = [story.memory.merge_entities("Joe", "Joey")]
    digests.append(story.memory.digest())
    steps.append(story.memory.merge_entities("Jo", "Joe"))
    assert story.memory.entity("Joey").name == "Jo"

    story.memory.undo(steps[1].id)
    assert story.memory.digest() == digests[1]
    assert story.memory.entity("Joey").name == "Joe"
    story.memory.undo(steps[0].id)
    assert story.memory.digest() == digests[0]


def test_merging_people_who_said_the_same_joins_the_evidence(story: Any) -> None:
    story.tell("Jo likes chess.", "likes", "chess", MARCH, subject="Jo")
    story.tell("Joe likes chess.", "likes", "chess", APRIL, subject="Joe")
    before = story.memory.digest()

    merged = story.memory.merge_entities("Jo", "Joe")

    assert story.now() == ["Jo likes chess"]
    assert len(story.fact("Jo likes chess").evidence) == 2
    story.memory.undo(merged.id)
    assert story.now() == ["Jo likes chess", "Joe likes chess"]
    assert story.memory.digest() == before


def test_what_is_never_merged(story: Any) -> None:
    three_persons(story)
    other = type(story)(story.memory.scoped("user:bo"), 100)
    other.tell("Jo lives in Alfa.", "lives_in", "Alfa", MARCH, subject="Jo")

    with pytest.raises(InvalidInputError):
        story.memory.merge_entities("Jo", "Jo")
    with pytest.raises(NotFoundError):
        story.memory.merge_entities("Joe", other.memory.entity("Jo").id)


@pytest.mark.parametrize("name", ["Admon", "阿德蒙"])
def test_somebody_named_in_twenty_sessions_is_one(story: Any, name: str) -> None:
    for number in range(20):
        at = f"2025-03-{number + 1:02}T09:00:00Z"
        story.tell(f"{name} likes chess.", "likes", "chess", at, subject=name)

    assert entities(story, "person") == ["Nell", name]
    assert story.fact(f"{name} likes chess").support == 20


def test_one_name_in_two_scopes_is_two_people(story: Any) -> None:
    other = type(story)(story.memory.scoped("user:bo"), 100)
    for one in (story, other):
        one.tell("Admon likes chess.", "likes", "chess", MARCH, subject="Admon")

    assert story.memory.entity("Admon").id != other.memory.entity("Admon").id


def test_two_people_of_one_name_are_told_apart_by_a_split(story: Any) -> None:
    story.tell("Admon lives in Alfa.", "lives_in", "Alfa", MARCH, subject="Admon")
    story.tell("Admon lives in Bravo.", "lives_in", "Bravo", APRIL, subject="Admon")
    wrong = story.fact("Admon lives_in Bravo")
    before = story.memory.digest()

    split = story.memory.split_entity("Admon", "the colleague", [wrong.id])

    assert story.now() == ["Admon lives_in Alfa", "Admon lives_in Bravo"]
    assert story.links("SUPERSEDES") == []
    assert story.fact("Admon lives_in Alfa").validity == "valid"
    with pytest.raises(AmbiguousIdError):
        story.memory.entity("Admon")
    said = "Admon likes chess."
    assert story.tell(said, "likes", "chess", MAY, subject="Admon") == "review entity_ambiguous"
    story.memory.undo(story.memory.operations()[0].id)
    story.memory.undo(story.memory.operations()[2].id)
    story.memory.undo(split.id)
    assert story.now() == ["Admon lives_in Bravo"]
    assert story.memory.digest() == before


def test_an_alias_can_be_given_and_taken_away(story: Any) -> None:
    story.tell("I live in Port Quill.", "lives_in", "Port Quill", MARCH)
    before = story.memory.digest()

    story.memory.add_alias("Port Quill", "PQ")
    assert story.memory.entity("pq").name == "Port Quill"
    assert [hit.text for hit in story.memory.search("PQ").facts] == story.now()
    story.memory.remove_alias("Port Quill", "PQ")

    assert story.memory.digest() == before
    assert story.memory.search("PQ").facts == ()
    assert story.tell("I live in PQ.", "lives_in", "PQ", MAY) == "supersede superseded"


def test_by_an_alias_the_same_is_said_again(story: Any) -> None:
    story.tell("I live in Port Quill.", "lives_in", "Port Quill", MARCH)
    story.memory.add_alias("Port Quill", "皮克港")

    assert story.tell("我住在皮克港", "lives_in", "皮克港", APRIL) == "reinforce same_statement"


def test_what_was_merged_into_another_kind_is_learned_again_as_that(story: Any) -> None:
    story.tell("I live in Alfa.", "lives_in", {"name": "Alfa", "kind": "place"})
    story.tell("I like oolong.", "likes", {"name": "oolong", "kind": "thing"})
    named = {one.name: one.id for one in story.memory.entities()}
    story.memory.merge_entities(named["Alfa"], named["oolong"])

    again = story.tell("I do like oolong.", "likes", {"name": "oolong", "kind": "thing"})
    assert again == "reinforce same_statement"
