"""memoryctl forget, receipts and suppression, as people run them."""

import json
import shlex
import shutil
import unicodedata
from pathlib import Path
from typing import Any

import pytest

TURNS = [
    {"text": "I like oolong.", "session": "s1", "at": "2025-01-01", "speaker": "Nell"},
    {"text": "我喜欢乌龙茶。", "session": "s1", "at": "2025-01-02", "speaker": "Nell"},
    {"text": "Nell has a cat named Pim.", "session": "s2", "at": "2025-01-03", "speaker": "Bo"},
]
SCOPE = ("--scope", "user:nell")


@pytest.fixture
def store(quick: Any, home: Path, begun: Path) -> Any:
    """A store in which something was said and learned; gives a way to run commands in its scope."""
    (home / "turns.jsonl").write_text("".join(json.dumps(one) + "\n" for one in TURNS), "utf-8")
    kept = begun / "turns"
    if kept.exists():
        shutil.copytree(kept, home / "data")
    else:
        quick("init-db")
        quick("ingest", str(home / "turns.jsonl"), *SCOPE)
        quick("learn", *SCOPE)
        shutil.copytree(home / "data", kept)

    def call(*arguments: str, **settings: Any) -> Any:
        return quick(*arguments, *SCOPE, **settings)

    return call


def ids(store: Any) -> list[str]:
    return store("list", "facts", "-o", "id").lines


def planned(store: Any, *arguments: str) -> dict[str, Any]:
    done = store("forget", *arguments, "--dry-run", "-o", "json")
    assert done.code == 0, done.err
    return json.loads(done.out)


def test_a_soft_forgetting_asks_nothing_and_names_its_undo(store):
    fact = ids(store)[0]
    done = store("forget", fact, "--level", "soft")

    assert (done.code, done.out[:15]) == (0, "Hidden: 1 fact.")
    assert fact not in ids(store)
    operation = done.err.split("memoryctl undo ")[1].split()[0]
    assert store("undo", operation).code == 0
    assert fact in ids(store)


def test_what_cannot_be_undone_is_not_done_without_a_word_for_it(store):
    fact = ids(store)[0]
    done = store("forget", fact, "--level", "hard")

    assert done.code == 6
    assert "--yes" in done.err
    assert fact in ids(store)


def test_a_hard_forgetting_tells_how_far_the_file_is(store):
    fact = ids(store)[0]
    done = store("forget", fact, "--level", "hard", "--yes", "-o", "json")
    receipt = json.loads(done.out)

    assert (done.code, receipt["schema"]) == (0, "memorycore.receipt.v1")
    assert all(receipt["phases"].values())
    assert receipt["verification"]["found"] == 0
    assert "oolong" not in store("search", "oolong").out


def test_a_purge_needs_a_plan_and_the_name(store):
    refused = store("forget", "--subject", "Nell", "--level", "purge", "--yes")
    assert (refused.code, "not a terminal" in refused.err) == (6, True)
    plan = planned(store, "--subject", "Nell", "--level", "purge", "--reason", "gdpr-17")
    assert (plan["confirm"], plan["delete"]["episodes"]) == ("Nell", 2)

    other = store("forget", "--apply", plan["id"], "--confirm", "Bo")
    assert (other.code, "another name" in other.err) == (6, True)
    done = store("forget", "--apply", plan["id"], "--confirm", "Nell")
    assert (done.code, done.out.startswith("Purged: 2 episodes")) == (0, True)
    assert "0 found" in done.out
    again = store("forget", "--apply", plan["id"], "--confirm", "Nell")
    assert again.code == 4


def test_what_others_say_of_the_target_is_shown_apart(store):
    plan = planned(store, "--subject", "Nell", "--level", "purge")
    shown = store("forget", "show", plan["id"], "--decide")

    assert [line.split("\t")[1] for line in shown.lines] == [TURNS[2]["text"]]
    assert [line.split("\t")[0] for line in store("forget", "plans").lines] == [plan["id"]]


def test_a_plan_whose_target_has_changed_is_refused(store, home):
    plan = planned(store, "--session", "s1", "--level", "purge")
    (home / "more.jsonl").write_text(json.dumps({"text": "新的一句话", "session": "s1"}), "utf-8")
    store("ingest", str(home / "more.jsonl"))
    done = store("forget", "--apply", plan["id"], "--confirm", "s1")

    assert (done.code, "has changed" in done.err) == (6, True)
    assert len(store("list", "episodes", "-o", "id").lines) == 4


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("fct_00000000", "--level", "soft"), 4, "no fact"),
        (("--subject", "Nobody", "--level", "soft"), 4, "no entity"),
        (("--session", "s9", "--level", "soft"), 4, "no such session"),
        (("--query", "oolong",), 2, "How far"),
        (("--query", " ", "--level", "soft"), 2, "needs a word"),
        (("--session", "s1", "--level", "hard"), 2, "does not fit"),
        (("--session", "s1", "--query", "x", "--level", "soft"), 2, "in one way"),
        (("--session", "s1", "--level", "soft", "--reason", "She asked"), 2, "is a code"),
        (("--session", "s1", "--level", "soft", "--ticket", "我的票"), 2, "number or code"),
        (("--before", "someday", "--level", "soft"), 2, "someday"),
        (("finish", "now"), 2, "extra argument"),
        (("--apply", "plan_00000000", "--confirm", "x"), 4, "no plan"),
    ],
)  # fmt: skip
def test_a_request_that_cannot_be_read_is_told_and_changes_nothing(store, arguments, code, says):
    before = store("list", "episodes").out
    done = store("forget", *arguments)

    assert (done.code, says in done.err) == (code, True), done.err
    assert store("list", "episodes").out == before


def test_what_was_forgotten_is_refused_until_that_is_lifted(store, home):
    episode = store("list", "episodes", "-o", "id").lines[1]
    store("forget", episode, "--level", "redact", "--yes")
    again = store("ingest", str(home / "turns.jsonl"))
    assert (again.code, "told to forget" in again.out + again.err) == (7, True)

    receipt = json.loads(store("receipts", "list", "-o", "json").out)["receipts"][0]["id"]
    lifted = store("suppression", "lift", receipt)
    assert lifted.out == "Lifted 1 fingerprint.\n"
    assert store("ingest", str(home / "turns.jsonl")).code == 0
    assert store("suppression", "list").out == ""


def test_without_its_key_nothing_comes_in_and_everything_is_read(store, quick, home):
    episode = store("list", "episodes", "-o", "id").lines[1]
    store("forget", episode, "--level", "redact", "--yes")
    [key] = home.rglob("*.forget.key")
    key.unlink()
    done = store("ingest", str(home / "turns.jsonl"))

    assert (done.code, "destroy-key" in done.err) == (3, True)
    assert store("search", "cat").code == 0
    assert quick("suppression", "destroy-key").code == 6
    name = key.name.removesuffix(".forget.key")
    assert quick("suppression", "destroy-key", "--confirm", name).code == 0
    assert store("ingest", str(home / "turns.jsonl")).code == 0


def test_receipts_can_be_handed_out_and_checked_without_the_store(store, quick, home):
    store("forget", ids(store)[0], "--level", "hard", "--yes", "--ticket", "DSR-118")
    chain, page = home / "receipts.jsonl", home / "receipts.html"
    assert quick("receipts", "export", "-O", str(chain), "--html", str(page)).code == 0
    assert quick("receipts", "verify", str(chain)).code == 0
    assert "DSR-118" in page.read_text("utf-8")
    assert quick("receipts", "export", "-O", str(chain)).code == 6

    text = chain.read_text("utf-8").replace("DSR-118", "DSR-119")
    chain.write_text(text, "utf-8")
    done = quick("receipts", "verify", str(chain))
    assert (done.code, done.out, "Entry 1" in done.err) == (9, "", True)


def test_nothing_to_forget_is_no_error(store):
    done = store("forget", "--query", "no such words", "--level", "soft")

    assert (done.code, done.out) == (0, "")
    assert "nothing of that" in done.err
    assert store("receipts", "list").out == ""


@pytest.mark.parametrize(
    "more", [("--level", "soft"), ("ep_00000000",), ("--session", "s2"), ("--reason", "gdpr-17"),
             ("--no-suppress",), ("--dry-run",)]
)  # fmt: skip
def test_beside_a_plan_nothing_says_otherwise_what_is_forgotten(store, more):
    plan = planned(store, "--session", "s1", "--level", "purge")
    done = store("forget", *more, "--apply", plan["id"], "--confirm", "s1")

    assert (done.code, "says already" in done.err) == (2, True)
    assert len(store("list", "episodes", "-o", "id").lines) == 3


@pytest.mark.parametrize("level", ["hard", "purge"])
def test_what_is_refused_for_want_of_a_word_writes_nothing(store, level):
    before = store("log", "-o", "id").out
    done = store("forget", ids(store)[0], "--level", level)

    assert done.code == 6
    assert store("forget", "plans", "-o", "id").out == ""
    assert store("log", "-o", "id").out == before


def test_the_step_that_is_named_works_as_it_is_printed(store, quick, home):
    (home / "more.jsonl").write_text(json.dumps({"text": "说过的话", "session": "s 3'é"}), "utf-8")
    store("ingest", str(home / "more.jsonl"))
    done = store("forget", "--session", "s 3'é", "--level", "purge", "--dry-run")
    line = next(one for one in done.err.splitlines() if "--apply" in one)
    step = shlex.split(line.removeprefix("» memoryctl "))

    assert quick(*step).code == 0
    assert len(store("list", "episodes", "-o", "id").lines) == 3


def test_a_name_is_the_same_however_its_accents_are_written(store, home):
    (home / "more.jsonl").write_text(json.dumps({"text": "x", "session": "café"}), "utf-8")
    store("ingest", str(home / "more.jsonl"))
    plan = planned(store, "--session", "café", "--level", "purge")
    decomposed = unicodedata.normalize("NFD", "café")

    assert store("forget", "--apply", plan["id"], "--confirm", decomposed).code == 0


def test_a_plan_is_found_without_its_scope_and_says_when_it_no_longer_holds(store, quick, home):
    plan = planned(store, "--session", "s1", "--level", "purge")
    assert quick("forget", "show", plan["id"]).code == 0
    (home / "more.jsonl").write_text(json.dumps({"text": "more", "session": "s1"}), "utf-8")
    store("ingest", str(home / "more.jsonl"))

    shown = quick("forget", "show", plan["id"])
    assert "make the plan again" in shown.err
    assert "--apply" not in shown.err


def test_a_whole_scope_is_named_as_its_subject(quick, store):
    done = quick("forget", "--subject", "user:nell", "--level", "purge", "--dry-run", "-o", "json")
    plan = json.loads(done.out)

    assert (plan["scope"], plan["delete"]["episodes"]) == ("user:nell", 3)


def test_each_form_of_output_is_kept_to(store, quick, home):
    nothing = json.loads(store("forget", "--query", "nobody", "--level", "soft", "-o", "json").out)
    assert nothing["delete"] == {"episodes": 0, "facts": 0}
    plan = store("forget", "--session", "s1", "--level", "soft", "--dry-run", "-o", "id").lines
    assert len(plan) == 1
    assert plan[0].startswith("plan_")
    receipt = store("forget", "--session", "s1", "--level", "soft", "-o", "id").lines
    assert receipt[0].startswith("rcpt_")
    assert quick("receipts", "list", "-o", "id").lines == receipt
    assert json.loads(quick("receipts", "export", "-O", "-").lines[-1])["entries"] == 1


def test_a_person_who_is_cleared_waits_in_no_review(store, home):
    (home / "more.jsonl").write_text(json.dumps({"text": "I dislike jazz.", "speaker": "Nell",
                                                 "external_id": "j"}), "utf-8")  # fmt: skip
    store("ingest", str(home / "more.jsonl"))
    candidate = {"predicate": "dislikes", "object": "jazz", "external_id": "j",
                 "quote": "I dislike jazz.", "confidence": 0.3}  # fmt: skip
    store("learn", "--from", "-", stdin=json.dumps(candidate))
    assert "jazz" in store("review", "list").out

    assert store("forget", "--subject", "Nell", "--level", "hard", "--yes").code == 0
    assert "jazz" not in store("review", "list").out


@pytest.mark.parametrize("arguments", [("--output", "json"), ("--no-input",)])
def test_nobody_is_asked_who_did_not_want_to_be(store, arguments):
    done = store("forget", "--session", "s1", "--level", "redact", *arguments)

    assert (done.code, done.out) == (6, "")


def test_somebody_at_a_terminal_is_asked_for_the_name_of_what_is_purged(store, monkeypatch):
    monkeypatch.setattr("memoryctl.forget.is_interactive", lambda settings: True)
    refused = store("forget", "--session", "s1", "--level", "purge", stdin="s2\n")
    assert (refused.code, "purge of one session" in refused.out) == (130, True)
    assert len(store("list", "episodes", "-o", "id").lines) == 3

    done = store("forget", "--session", "s1", "--level", "purge", stdin="s1\n")
    assert (done.code, "Purged: 2 episodes" in done.out) == (0, True)


def test_somebody_at_a_terminal_is_asked_before_what_cannot_be_undone(store, monkeypatch):
    monkeypatch.setattr("memoryctl.forget.is_interactive", lambda settings: True)
    fact = ids(store)[0]
    assert store("forget", fact, "--level", "hard", stdin="n\n").code == 130
    assert fact in ids(store)
    assert store("forget", fact, "--level", "hard", stdin="y\n").code == 0
    assert fact not in ids(store)


@pytest.mark.parametrize(("derived", "count"), [("keep", 1), ("forget", 0)])
def test_a_redaction_says_how_many_facts_it_keeps_with_nothing_to_rest_on(
    store, monkeypatch, derived, count
):
    monkeypatch.setattr("memoryctl.forget.is_interactive", lambda settings: True)
    how = ("--session", "s1", "--level", "redact", "--derived", derived)
    plan = json.loads(store("forget", *how, "--dry-run", "-o", "json").out)
    told = store("forget", *how, stdin="n\n").out

    assert (plan["keep"], plan["rewrite"]) == ({"baseless_facts": count}, 0)
    assert ("nothing left to rest on" in told) == bool(count), told
