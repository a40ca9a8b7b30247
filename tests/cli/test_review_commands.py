"""What waits for a person: the list, single decisions, one by one on a terminal, contradictions."""

import json
from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., Any]

ANA = ("--scope", "user:ana")
TANG = ("--scope", "user:tang")
LEEDS = {
    "predicate": "lives_in",
    "object": "Leeds",
    "quote": "We live in Leeds.",
    "external_id": "a1",
    "confidence": 0.3,
}
PORTO = LEEDS | {"object": "Porto", "quote": "Moved to Porto at last!", "external_id": "a2"}
HERE = {"predicate": "lives_in", "object": "青石渡", "quote": "我住在青石渡", "external_id": "t1"}
THERE = HERE | {"object": "白鹭洲", "quote": "我住在白鹭洲", "external_id": "t2"}


def lines(*candidates: dict[str, Any]) -> str:
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in candidates)


@pytest.fixture
def waiting(talks: Run) -> Run:
    """Two candidates of Ana's and one contradiction of 顾棠's wait."""
    assert talks("learn", "--from", "-", *ANA, stdin=lines(LEEDS, PORTO)).code == 0
    assert talks("learn", "--from", "-", *TANG, stdin=lines(HERE, THERE)).code == 0
    return talks


def ids(run: Run, *scope: str) -> list[str]:
    found: list[str] = run("review", "list", *scope, "-o", "id").lines
    return found


def facts(run: Run, *scope: str) -> list[str]:
    found: list[str] = run("list", "facts", *scope, "--fields", "text").lines
    return found


def test_bare_review_lists_where_nobody_is_there(waiting: Run) -> None:
    shown = waiting("review", *ANA)
    assert [line.split("\t")[2] for line in shown.lines] == [
        "Ana lives_in Leeds",
        "Ana lives_in Porto",
    ]
    assert "2 candidates waiting in user:ana" in shown.err
    answer = json.loads(waiting("review", "list", *ANA, "-o", "json").out)
    assert answer["schema"] == "memorycore.review.v1"
    assert answer["candidates"][0]["because"] == "not sure enough"
    assert "Nothing waits" in waiting("review", "--scope", "user:lin").err


def test_next_is_the_first_and_show_shows_one(waiting: Run) -> None:
    first = ids(waiting, *ANA)[0]
    assert waiting("review", "next", *ANA, "-o", "id").out.strip() == first
    assert "Ana lives_in Leeds" in waiting("review", "show", first, *ANA).out
    assert waiting("review", "show", first, "--scope", "user:lin").code == 4
    assert waiting("review", "show", "ent_0000", *ANA).code == 4


def test_older_than_counts_back_from_now(waiting: Run) -> None:
    assert waiting("review", "list", "--older-than", "7d", *ANA).out == ""
    assert waiting("review", "list", "--older-than", "soon", *ANA).code == 2


def test_admitting_makes_a_fact_and_can_be_undone(waiting: Run) -> None:
    first, second = ids(waiting, *ANA)
    done = waiting("review", "admit", first, second, *ANA)
    assert done.code == 0
    assert done.lines[0].startswith("Admitted: Ana lives_in Leeds   fct_")
    assert done.err.count("undo: memoryctl undo op_") == 2
    assert facts(waiting, *ANA) == ["Ana lives_in Porto"]
    assert waiting("review", "admit", first, *ANA).code == 2
    waiting("undo", *ANA)
    assert facts(waiting, *ANA) == ["Ana lives_in Leeds"]
    assert ids(waiting, *ANA) == [second]


def test_rejecting_needs_a_reason(waiting: Run) -> None:
    first = ids(waiting, *ANA)[0]
    assert waiting("review", "reject", first, *ANA).code == 2
    assert waiting("review", "reject", first, "--reason", " ", *ANA).code == 2
    done = waiting("review", "reject", first, "--reason", "misheard", *ANA)
    assert done.lines == ["Rejected: Ana lives_in Leeds"]
    assert len(ids(waiting, *ANA)) == 1
    decided = json.loads(waiting("show", first, *ANA, "-o", "json").out)["candidate"]
    assert (decided["state"], decided["decision"]) == ("decided", "reject")


def test_editing_changes_fields_and_admits_what_it_became(waiting: Run) -> None:
    second = ids(waiting, *ANA)[1]
    done = waiting("review", "edit", second, "valid_from=2025-03", "confidence=0.9", *ANA)
    assert done.code == 0
    assert "Admitted: Ana lives_in Porto" in done.out
    shown = json.loads(waiting("list", "facts", *ANA, "-o", "json").out)["facts"][0]
    assert shown["valid"]["from"] == "2025-03"
    first = ids(waiting, *ANA)[0]
    assert waiting("review", "edit", first, "colour=red", *ANA).code == 2
    assert waiting("review", "edit", first, "confidence=very", *ANA).code == 2
    assert waiting("review", "edit", first, "confidence", *ANA).code == 2


def test_merging_names_a_fact_of_the_same_text(talks: Run) -> None:
    note = {"predicate": "note", "object": "The flat has a balcony.", "external_id": "a2"}
    more = note | {"object": "Moved to Porto at last! The flat has a balcony.", "confidence": 0.2}
    done = talks("learn", "--from", "-", *ANA, stdin=lines(note, more))
    assert done.lines[0].startswith("Admitted 1 · queued 1"), done.out
    [waits], [fact] = ids(talks, *ANA), talks("list", "facts", *ANA, "-o", "id").lines
    assert talks("review", "admit", waits, "--as", "merge", *ANA).code == 2
    merged = talks("review", "admit", waits, "--as", "merge", "--into", fact, *ANA)
    assert merged.code == 0, merged.err
    assert len(facts(talks, *ANA)) == 1
    assert ids(talks, *ANA) == []


def test_what_is_no_text_is_not_merged(waiting: Run) -> None:
    first, second = ids(waiting, *ANA)
    fact = waiting("review", "admit", first, *ANA).out.split()[-1]
    done = waiting("review", "admit", second, "--as", "merge", "--into", fact, *ANA)
    assert (done.code, "entity merge" in done.err) == (2, True)


def test_conflicts_show_both_sides(waiting: Run) -> None:
    shown = json.loads(waiting("conflicts", *TANG, "-o", "json").out)
    [one] = shown["conflicts"]
    assert [side["text"] for side in one["sides"]] == [
        "顾棠 lives_in 白鹭洲",
        "顾棠 lives_in 青石渡",
    ]
    assert {side["state"]["validity"] for side in one["sides"]} == {"uncertain"}
    assert "1 contradiction open" in waiting("conflicts", *TANG).err
    assert "No contradiction is open" in waiting("conflicts", *ANA).err


@pytest.mark.parametrize(("verb", "left"), [("admit", "白鹭洲"), ("reject", "青石渡")])
def test_a_contradiction_is_decided_either_way(waiting: Run, verb: str, left: str) -> None:
    [one] = ids(waiting, *TANG)
    reason = ("--reason", "听错了") if verb == "reject" else ()
    assert waiting("review", verb, one, *reason, *TANG).code == 0
    assert facts(waiting, *TANG) == [f"顾棠 lives_in {left}"]
    assert waiting("conflicts", *TANG, "-o", "id").out == ""


def test_one_by_one_on_a_terminal(waiting: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memoryctl.review.is_interactive", lambda settings: True)
    done = waiting("review", *ANA, stdin="w\n?\na\nr\nmisheard\n")
    assert done.code == 0
    assert done.lines[0].startswith("2 waiting in user:ana   [a]dmit")
    assert "1/2  cand_" in done.out
    assert "because   not sure enough" in done.out
    assert "Admitted: Ana lives_in Leeds" in done.out
    assert "Rejected: Ana lives_in Porto" in done.out
    assert ids(waiting, *ANA) == []


def test_one_by_one_goes_on_after_a_mistake(waiting: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memoryctl.review.is_interactive", lambda settings: True)
    done = waiting("review", *ANA, stdin="e\ncolour=red\ns\ne\nvalid_from=2025-03\n")
    assert "Error: " in done.err
    assert "Admitted: Ana lives_in Porto" in done.out
    assert len(ids(waiting, *ANA)) == 1
    assert waiting("review", *ANA, stdin="q\n").code == 0
    assert len(ids(waiting, *ANA)) == 1


def test_a_terminal_is_not_led_by_what_was_said(talks: Run) -> None:
    evil = LEEDS | {"object": "Leeds\u001b[31m\nfct_00 forged"}
    talks("learn", "--from", "-", *ANA, stdin=lines(evil))
    for form in ("auto", "csv"):
        assert "\u001b" not in talks("consolidate", *ANA, "-o", form).out
    listed = talks("review", "list", *ANA).out
    assert len(listed.splitlines()) <= 1


def test_a_dry_run_decides_nothing(waiting: Run) -> None:
    first = ids(waiting, *ANA)[0]
    dry = (
        waiting("review", "admit", first, "-n", *ANA),
        waiting("review", "reject", first, "--reason", "x", "-n", *ANA),
        waiting("review", "edit", first, "valid_from=2025", "-n", *ANA),
    )
    for done in dry:
        assert done.code == 0
        assert "Nothing was changed." in done.err
        assert "fct_" not in done.out
    assert len(ids(waiting, *ANA)) == 2


def test_what_still_waits_says_why_and_what_to_do(talks: Run) -> None:
    unknown = LEEDS | {"predicate": "resides_under", "confidence": 0.9}
    talks("learn", "--from", "-", *ANA, stdin=lines(unknown))
    [one] = ids(talks, *ANA)
    done = talks("review", "admit", one, *ANA)
    assert (done.code, done.out) == (
        8,
        "Still waits: Ana resides_under Leeds: no such predicate\n",
    )
    advised = f"memoryctl predicate add FILE, or memoryctl review edit {one} predicate=NAME"
    assert f"Try: {advised}" in done.err
    still = talks("review", "edit", one, "predicate=dwells_at", *ANA)
    assert still.code == 8
    [new] = ids(talks, *ANA)
    assert still.lines[1] == f"  it is {new} now"
    assert f"memoryctl review edit {new} " in still.err
    fixed = talks("review", "edit", new, "predicate=lives_in", *ANA)
    assert (fixed.code, fixed.lines[0].split("   ")[0]) == (0, "Admitted: Ana lives_in Leeds")
    became = fixed.lines[1].split()[2]
    shown = json.loads(talks("show", became, *ANA, "-o", "json").out)["candidate"]
    assert shown["state"] == "decided"
    undone = talks("undo", *ANA).out
    assert "(review): 1 fact gone." in undone


def test_undoing_a_rejection_says_what_it_did(waiting: Run) -> None:
    first = ids(waiting, *ANA)[0]
    waiting("review", "reject", first, "--reason", "x", *ANA)
    assert "(review): its candidate waits again." in waiting("undo", *ANA).out
    assert first in ids(waiting, *ANA)


def test_an_edit_that_waits_is_asked_about_again(
    talks: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    talks("learn", "--from", "-", *ANA, stdin=lines(LEEDS | {"predicate": "resides_under"}))
    monkeypatch.setattr("memoryctl.review.is_interactive", lambda settings: True)
    typed = "e\npredicate=dwells_at\ne\npredicate=lives_in\n"
    done = talks("review", *ANA, stdin=typed)
    assert "Still waits: Ana dwells_at Leeds: no such predicate" in done.out
    assert "Admitted: Ana lives_in Leeds   fct_" in done.out
    assert ids(talks, *ANA) == []


def test_show_is_readable_on_a_terminal(waiting: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ids(waiting, *ANA)[0]
    monkeypatch.setattr("memoryctl.output.form_of", lambda settings: "cards")
    for command in (["show", first], ["review", "show", first]):
        shown = waiting(*command, *ANA)
        assert "statement    predicate lives_in · object Leeds" in shown.out
        assert "{" not in shown.out
