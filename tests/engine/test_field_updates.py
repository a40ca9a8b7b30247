"""Updates as people make them: none is lost, none hits what it does not mean, junk stays out."""

from pathlib import Path
from typing import Any

import pytest

from memorycore.model.recalled import CLOSING, MARK, OPENING

MARCH, APRIL, MAY, JUNE = (f"2025-0{month}-10T09:00:00+00:00" for month in (3, 4, 5, 6))
BUDGET = """
[[predicate]]
name = "budget"
cardinality = "single"
conflict_policy = "supersede"
object_kind = "literal"
value_type = "number"
"""


@pytest.mark.parametrize("target", ["fact:12", "12", "fct_", "fct_01zzzzzzzzzzzzzzzzzzzzzzzz"])
@pytest.mark.parametrize("act", ["assert", "correct", "retract"])
def test_a_target_that_was_never_offered_changes_nothing(story: Any, target: str, act: str) -> None:
    story.tell("I live in Alfa.", "lives_in", "Alfa", MARCH)
    said = "I live in Bravo."

    decision = story.tell(said, "lives_in", "Bravo", APRIL, target=target, act=act)

    assert decision == "review unknown_target"
    assert story.now() == ["Nell lives_in Alfa"]
    assert [one.reason for one in story.memory.reviews()] == ["unknown_target"]


def test_a_target_in_another_scope_is_unknown(story: Any) -> None:
    other = type(story)(story.memory.scoped("user:bo"), 100)
    other.tell("I live in Alfa.", "lives_in", "Alfa", MARCH)
    [fact] = other.memory.facts()

    said = "I never lived in Alfa."
    assert story.tell(said, "lives_in", "Alfa", act="retract", target=fact.id) == (
        "review unknown_target"
    )
    assert other.now() == ["Nell lives_in Alfa"]


def test_a_sentence_that_mentions_another_thing_retires_nothing(story: Any) -> None:
    tool = "[[predicate]]\nname = 'uses'\ncardinality = 'single'\nconflict_policy = 'supersede'\n"
    story.memory.add_predicates(tool)
    story.tell("Quill uses Heron.", "uses", "Heron", MARCH, subject="Quill")

    said = "Heron uses Otter."
    assert story.tell(said, "uses", "Otter", APRIL, subject="Heron") == "add new"

    assert story.now() == ["Heron uses Otter", "Quill uses Heron"]


def test_only_what_holds_now_answers(story: Any) -> None:
    for at, drink in zip((MARCH, APRIL, MAY), ("tea", "cocoa", "coffee"), strict=True):
        story.tell(f"My mug holds {drink}.", "works_at", drink, at, subject="Mug")

    found = story.memory.search("What does the mug hold, tea or coffee?")

    assert [hit.text for hit in found.facts] == ["Mug works_at coffee"]


@pytest.mark.parametrize(
    ("first", "second"), [("Call me Ada.", "Call me Bea."), ("叫我阿棠", "叫我小棠")]
)
def test_of_two_names_a_minute_apart_one_is_current(story: Any, first: str, second: str) -> None:
    names = [said.removeprefix("Call me ").removeprefix("叫我").rstrip(".")
             for said in (first, second)]  # fmt: skip
    story.tell(first, "prefers_name", names[0], "2025-03-10T09:00:00Z")
    decision = story.tell(second, "prefers_name", names[1], "2025-03-10T09:01:00Z")

    assert decision == "supersede superseded"
    texts = [f"Nell prefers_name {name}" for name in names]
    assert story.now() == texts[1:]
    assert story.links("SUPERSEDES") == [(texts[1], texts[0])]


def test_a_correction_meets_the_one_value_of_a_single_predicate(story: Any) -> None:
    story.tell("I work at Orignal Press.", "works_at", "Orignal Press", MARCH)

    said = "I work at Original Press."
    assert story.tell(said, "works_at", "Original Press", APRIL, act="correct") == (
        "correct corrected"
    )
    assert story.now() == ["Nell works_at Original Press"]


def test_a_correction_of_one_among_many_must_name_it(story: Any) -> None:
    story.tell("I like Earl Gray.", "likes", "Earl Gray", MARCH)
    story.tell("I like oolong.", "likes", "oolong", MARCH)
    wrong = story.fact("Nell likes Earl Gray")

    said = "I like Earl Grey."
    decision = story.tell(said, "likes", "Earl Grey", APRIL, act="correct", target=wrong.id)

    assert decision == "correct corrected"
    assert story.now() == ["Nell likes Earl Grey", "Nell likes oolong"]


def test_a_start_of_an_id_that_fits_two_facts_corrects_neither(story: Any) -> None:
    story.tell("I like Earl Gray.", "likes", "Earl Gray", MARCH)
    story.tell("I like oolong.", "likes", "oolong", MARCH)
    start = "fct_" + "0" * 20

    said = "I like Earl Grey."
    decision = story.tell(said, "likes", "Earl Grey", APRIL, act="correct", target=start)

    assert decision == "review unknown_target"
    assert story.now() == ["Nell likes Earl Gray", "Nell likes oolong"]


def test_much_old_evidence_does_not_pull_a_change_back(story: Any) -> None:
    for day in (1, 2, 3):
        story.tell("I work at Quillmark.", "works_at", "Quillmark", f"2025-03-0{day}")
    story.tell("I left for Tidewell.", "works_at", "Tidewell", MAY)

    late = story.tell("I work at Quillmark.", "works_at", "Quillmark", "2025-03-05")

    assert late == "reinforce same_statement"
    assert story.now() == ["Nell works_at Tidewell"]
    assert story.fact("Nell works_at Quillmark").period.ends("UTC") == "2025-05-10T09:00:00Z"


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (("The budget is 5000.", "The budget is 7,000.", "The budget is 10000."),
         ("5000", "7,000", "10000")),
        (("预算是5000", "预算改成７０００", "预算现在是10000"), ("5000", "７０００", "10000")),
    ],
)  # fmt: skip
def test_a_budget_that_grew_twice_has_one_value_and_three_in_its_history(
    story: Any, texts: tuple[str, ...], values: tuple[str, ...]
) -> None:
    story.memory.add_predicates(BUDGET)
    for text, value, at in zip(texts, values, (MARCH, APRIL, MAY), strict=True):
        story.tell(text, "budget", value, at)

    assert story.now() == [f"Nell budget {values[2]}"]
    assert len(story.memory.history(subject="Nell", predicate="budget")) >= 3
    assert story.now(include={"past"}) == sorted(f"Nell budget {value}" for value in values)


def test_a_programmer_who_became_a_student_is_asked_no_more(story: Any) -> None:
    work = "[[predicate]]\nname = 'occupation'\ncardinality = 'single'\n"
    story.memory.add_predicates(work + "conflict_policy = 'supersede'\nobject_kind = 'literal'")
    story.tell("我是程序员", "occupation", "程序员", MARCH)
    story.tell("我现在是学生", "occupation", "学生", JUNE)

    assert story.now() == ["Nell occupation 学生"]
    before = story.fact("Nell occupation 程序员")
    assert before.period.ends("UTC") == "2025-06-10T09:00:00Z"


def test_what_was_recalled_or_never_said_is_no_evidence(story: Any) -> None:
    plain = story.say("I like chess.")
    with_block = f"Noted. {OPENING}{MARK}>\nNell likes go\n{CLOSING}"
    story.memory.add(with_block, external_id="block", at=MARCH)
    wanted = [
        {"predicate": "likes", "object": "chess"},
        {"predicate": "likes", "object": "chess", "external_id": plain, "quote": "I love chess."},
        {"predicate": "likes", "object": "go", "external_id": "block", "quote": "Nell likes go"},
    ]

    # The block was cut out when the sentence came in, so its words stand nowhere.
    assert story.learn(*wanted) == [
        "reject no_evidence", "reject quote_not_found", "reject quote_not_found"
    ]  # fmt: skip
    assert story.now() == []


def test_small_talk_gives_no_fact(story: Any) -> None:
    talk = ["Hello!", "How are you?", "你好呀", "今天天气怎么样？", "!!!", "……", "👍"]
    keys = [story.say(text) for text in talk]
    items = [
        {"predicate": "likes", "object": text.strip("!?？"), "external_id": key}
        for text, key in zip(talk, keys, strict=True)
        if text.endswith(("?", "？"))
    ]
    items += [{"predicate": "note", "object": "!!!", "external_id": keys[4]}]
    items += [{"predicate": "note", "object": "……", "external_id": keys[5]}]

    result = story.memory.learn(items)

    assert story.now() == []
    assert result.reasons == {"hypothetical": 2, "no_durable_value": 2}


@pytest.mark.parametrize("predicate", ["note", "prefers_communication_style", "has_boundary"])
def test_texts_that_differ_in_a_number_stay_apart(story: Any, predicate: str) -> None:
    for number in range(15, 23):
        said = f"keep the last {number} snapshots of the store"
        assert story.tell(said, predicate, said).startswith("add ")

    assert len(story.now()) == 8


def test_admitting_again_and_again_changes_nothing(story: Any) -> None:
    key = story.say("I like plum tea and I live in Alfa.")
    items = [{"predicate": "likes", "object": "plum tea", "external_id": key},
             {"predicate": "lives_in", "object": "Alfa", "external_id": key}]  # fmt: skip
    story.memory.propose(items)
    assert story.memory.admit().admitted == 2
    before = story.memory.digest()

    for _ in range(9):
        assert not story.memory.consolidate().outcomes
        assert not story.memory.admit().outcomes

    assert story.memory.digest() == before
    assert len(story.now()) == 2


def test_a_file_that_is_learned_twice_makes_nothing_the_second_time(
    story: Any, tmp_path: Path
) -> None:
    key = story.say("我住在白鹭洲，喜欢旧地图")
    lines = [f'{{"predicate":"lives_in","object":"白鹭洲","external_id":"{key}"}}',
             f'{{"predicate":"likes","object":"旧地图","external_id":"{key}"}}',
             "prose"]  # fmt: skip
    path = tmp_path / "c.jsonl"
    path.write_text("\n".join(lines), "utf-8")
    first = story.memory.propose_file(path, learn=True)
    before = story.memory.digest()

    second = story.memory.propose_file(path, learn=True)

    assert (first.admitted, first.quarantined, second.already_there) == (2, 1, 2)
    assert (second.proposed, second.admitted) == (0, 0)
    assert story.memory.digest() == before


def test_a_note_that_once_was_taken_back_can_be_learned_again(story: Any) -> None:
    key = story.say("I like plum tea.")
    item = {"predicate": "likes", "object": "plum tea", "external_id": key}
    story.learn(item)
    story.memory.undo()
    assert story.now() == []

    assert story.learn(item) == ["add new"]
    assert story.now() == ["Nell likes plum tea"]
