"""A model decides: what it is asked, what is kept of its answers, what happens when it fails."""

import json
from typing import Any

import httpx2
import pytest

from memorycore import errors, import_prompt
from memorycore.port.import_model import ModelDecider
from memorycore.port.model_client import Endpoint, Patience

TEA = "The user drinks oolong tea every morning."
COFFEE = "The user drinks black coffee every morning now."
HASTY = Patience(attempts=1, initial=0, longest=0, jitter=0)
Asked = list[dict[str, Any]]


def model(*answers: Any) -> tuple[ModelDecider, Asked]:
    """Give a decider whose model answers one after the other; a number is a status."""
    asked: Asked = []
    waiting = list(answers)

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(json.loads(request.content))
        said = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        if isinstance(said, int):
            return httpx2.Response(said, json={"error": {"message": "no"}})
        text = said if isinstance(said, str) else json.dumps(said)
        return httpx2.Response(200, json={"choices": [{"message": {"content": text}}]})

    endpoint = Endpoint("http://model.test/v1", "m")
    return (
        ModelDecider(endpoint, patience=HASTY, transport=httpx2.MockTransport(answer)),
        asked,
    )


def says(action: str, **said: Any) -> dict[str, Any]:
    return {
        "action": action,
        "existing": [],
        "merged": None,
        "reason": "so",
        "confidence": 0.9,
    } | said


def test_a_model_is_asked_about_the_item_and_the_facts_under_small_numbers(desk: Any) -> None:
    desk.bring(TEA)
    decider, asked = model(says("SUPERSEDE", existing=["f0"]))
    desk.bring(COFFEE, by=decider)
    assert desk.facts() == [COFFEE]
    [request] = asked
    question = request["messages"][1]["content"]
    assert COFFEE in question
    assert f'{{"fact": "f0", "text": "ana note {TEA}"}}' in question
    assert "fct_" not in question
    assert '"start"' not in question


@pytest.mark.parametrize(
    ("summary", "word"), [(TEA, "Your task"), ("用户每天早上喝茶。", "你的任务")]
)
def test_the_prompt_is_in_the_language_of_the_item(desk: Any, summary: str, word: str) -> None:
    decider, asked = model(says("ADD"))
    desk.decide({"title": "茶" if word != "Your task" else "t", "summary": summary}, by=decider)
    assert word in asked[0]["messages"][0]["content"]


def test_a_joined_text_of_a_model_becomes_the_fact(desk: Any) -> None:
    desk.bring(TEA)
    merged = {"title": "Drinks", "summary": "The user drinks oolong tea and black coffee."}
    decider, _ = model(says("MERGE", existing=["f0"], merged=merged))
    desk.bring(COFFEE, by=decider)
    assert desk.facts() == [merged["summary"]]


@pytest.mark.parametrize(
    "bad",
    [
        says("MERGE", existing=["f9"]),
        says("SUPERSEDE", existing=["fct_0000", 3, None]),
        says("DELETE"),
        says("ADD", confidence=0.84),
    ],
)
def test_what_breaks_the_contract_waits_for_a_person(desk: Any, bad: dict[str, Any]) -> None:
    desk.bring(TEA)
    decider, _ = model(bad)
    before = desk.memory.digest()
    job = desk.decide(COFFEE, by=decider)
    [item] = desk.memory.import_items(job.id)
    assert item.action in ("ADD", "IGNORE")
    assert item.choice.targets == ()
    assert item.waits == (bad["action"] != "DELETE")
    assert desk.memory.digest() == before


@pytest.mark.parametrize("bad", ["I would merge.", "{}", '{"action": 3}', "[]", '{"action": "ADD"'])
def test_an_answer_that_cannot_be_read_is_asked_for_once_more(desk: Any, bad: str) -> None:
    # An answer in prose leads down the forms of output first.
    decider, asked = model(*[bad] * (3 if bad[0].isalpha() else 1), says("ADD"))
    job = desk.decide(COFFEE, by=decider)
    assert desk.actions(job) == ["ADD"]
    assert "<fault>" in asked[-1]["messages"][-1]["content"]


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (401, errors.ModelRefusedError),
        (503, errors.ModelFaultError),
        ("nonsense", errors.SchemaIgnoredError),
        ('{"action": []}', errors.SchemaIgnoredError),
    ],
)
def test_a_model_that_fails_keeps_what_was_decided_and_can_be_asked_again(
    desk: Any, answer: Any, error: type[errors.MemoryCoreError]
) -> None:
    memory, before = desk.memory, desk.memory.digest()
    decider, _ = model(says("ADD"), answer)
    with pytest.raises(error):
        desk.decide(TEA, COFFEE, by=decider)
    [job] = memory.import_jobs()
    assert (job.state, job.at.processed, memory.digest()) == ("failed", 1, before)
    assert job.at.last_error
    better, asked = model(says("ADD"))
    done = memory.import_retry(job.id, decider=better)
    assert (done.state, len(asked), done.at.last_error) == ("ready", 1, None)


DOCUMENT = {"candidates": [{"title": "Tea", "summary": TEA, "memoryKind": "preference"}]}


def test_a_document_that_is_no_json_is_recovered_and_all_of_it_waits(desk: Any) -> None:
    text = f"Sure! Here is what I know:\n- Tea: {TEA}"
    decider, _ = model(DOCUMENT, says("ADD", confidence=1.0))
    job = desk.memory.import_(text=text, decider=decider)
    assert (job.state, job.at.is_recovered, job.waiting_left) == ("awaiting_confirmation", True, 1)
    desk.memory.import_apply(job.id, {1: "ADD"})
    [fact] = desk.memory.facts()
    assert (fact.object_text, fact.predicate) == (TEA, "prefers")
    assert [one.quote for one in fact.evidence] == [TEA]
    assert fact.evidence[0].text == text


def test_what_a_model_recovers_and_the_document_does_not_hold_is_refused(desk: Any) -> None:
    decider, _ = model(
        {"candidates": [{"title": "x", "summary": "The user has a dog."}]}, says("ADD")
    )
    job = desk.memory.import_(text=f"Sure! {TEA}", decider=decider)
    done = desk.memory.import_apply(job.id, rest="accept")
    assert (done.refused, desk.facts()) == (((1, "quote_not_found"),), [])


def test_what_a_recovered_document_may_not_keep_is_masked_in_it(desk: Any) -> None:
    number = "The user's card number is 4111 1111 1111 1111."
    found = [*DOCUMENT["candidates"], {"title": "Card", "summary": number}]
    decider, _ = model({"candidates": found}, says("ADD"))
    job = desk.memory.import_(text=f"Sure!\n- {TEA}\n- {number}", decider=decider)
    done = desk.memory.import_apply(job.id, rest="accept")
    assert done.refused == ((2, "personal_number"),)
    [fact] = desk.memory.facts()
    assert "4111" not in fact.evidence[0].text


def test_a_recovery_that_finds_nothing_fails_and_may_be_tried_again(desk: Any) -> None:
    decider, _ = model({"candidates": []})
    job = desk.memory.import_(text="Sure! I know nothing.", decider=decider)
    assert job.state == "failed"
    better, _ = model(DOCUMENT, says("ADD"))
    assert desk.memory.import_retry(job.id, decider=better).at.is_recovered


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_text_for_another_assistant_asks_for_what_the_parser_reads(language: str) -> None:
    text = import_prompt(language)
    for word in ("stratagate.external-memory.v2", "mentionedAt", "happenedStart", "originalText",
                 "memoryKind", "category", "precision", "basis", "unknown", "null",
                 "instruction", "identity", "career", "project", "preference"):  # fmt: skip
        assert word in text
    order = [text.index(f'"{name}"') for name in ("title", "summary", "memoryKind", "category")]
    assert order == sorted(order)


def test_there_is_no_text_in_another_language() -> None:
    with pytest.raises(errors.InvalidInputError, match="language"):
        import_prompt("fr")
