"""memoryctl import: from a file to facts, with a look in between, and back."""

import json
from pathlib import Path
from typing import Any

import pytest

TEA = "The user drinks oolong tea every morning."
MOVE = "用户在2025年3月搬到了杭州。"
SECRET = "The key is sk-abcdEFGH1234567890abcdEFGH1234567890abcdEFGH1234."
FLAGS = ("--scope", "user:lin")


def document(*records: Any) -> str:
    shapes = [
        {"title": one[:20], "summary": one, "memoryKind": "fact"} if isinstance(one, str) else one
        for one in records
    ]
    return json.dumps({"candidates": shapes}, ensure_ascii=False)


@pytest.fixture
def call(store: Any) -> Any:
    """Run memoryctl import in one scope."""

    def run(*arguments: str, stdin: str = "") -> Any:
        return store("import", *arguments, *FLAGS, stdin=stdin)

    return run


def made(call: Any, text: str, *options: str) -> str:
    """Make a job; give its id."""
    done = call("stratagate", "-", "--preview", *options, "-o", "id", stdin=text)
    assert done.code == 0, done
    [job] = done.lines
    return str(job)


def test_a_file_is_imported_after_a_yes(store: Any, home: Path) -> None:
    (home / "m.json").write_text(document(TEA, MOVE))
    done = store("import", "stratagate", "m.json", "--yes", *FLAGS)
    assert done.code == 0
    assert "stratagate m.json   imported 2 of 2" in done.out
    assert "undo: memoryctl import undo job_" in done.err
    assert TEA in store("search", "oolong", *FLAGS).out


def test_without_a_terminal_and_a_yes_it_is_kept_for_later(call: Any) -> None:
    done = call("stratagate", "-", stdin=document(TEA))
    assert done.code == 6
    assert "Error: Importing needs a yes" in done.err
    assert "Try: memoryctl import apply job_" in done.err
    assert "--yes" in done.err
    assert "\tready\t" in call("status").out


@pytest.mark.parametrize("flag", ["--preview", "-n"])
def test_a_preview_shows_what_would_become_of_each_record(call: Any, store: Any, flag: str) -> None:
    before = store("stats", "-o", "json").out
    done = call("stratagate", "-", flag, stdin=document(TEA, TEA, MOVE))
    assert (done.code, done.out.count("ADD  "), done.out.count("IGNORE  ")) == (0, 2, 1)
    assert "decided   ADD 2 · IGNORE 1" in done.out
    assert "Nothing was imported. Next: memoryctl import apply job_" in done.err
    assert (
        json.loads(store("stats", "-o", "json").out)["episodes"] == json.loads(before)["episodes"]
    )


def test_what_waits_is_listed_and_the_exit_code_says_so(call: Any) -> None:
    done = call("stratagate", "-", "--decider", "review", "--yes", stdin=document(TEA, MOVE))
    assert done.code == 8
    assert "2 of 2 wait for you" in done.out
    assert "sure 0.50: a person decides" in done.out
    assert "--action N=ACTION" in done.err


def test_what_waits_is_decided_item_by_item(call: Any, store: Any) -> None:
    job = made(call, document(TEA, MOVE, "The user has a cat."), "--decider", "review")
    assert call("apply", job, "--action", "1=ADD", "--yes").code == 8
    done = call("apply", job, "--action", "2=add", "--action", "3=IGNORE", "--yes")
    assert (done.code, "imported 2 of 3" in done.out) == (0, True)
    assert len(store("list", "facts", "-o", "id", *FLAGS).lines) == 2


@pytest.mark.parametrize(("rest", "imported"), [("accept", 2), ("ignore", 0)])
def test_the_rest_is_taken_or_left(call: Any, rest: str, imported: int) -> None:
    job = made(call, document(TEA, MOVE), "--decider", "review")
    done = call("apply", job, "--rest", rest, "--yes")
    assert (done.code, f"imported {imported} of 2" in done.out) == (0, True)


def test_a_dry_run_of_carrying_out_changes_nothing(call: Any, store: Any) -> None:
    job = made(call, document(TEA))
    done = call("apply", job, "-n")
    assert "imported 1 of 1" in done.out
    assert "Nothing was changed." in done.err
    assert store("list", "facts", "-o", "id", *FLAGS).lines == []
    assert call("apply", job, "--yes").code == 0


@pytest.mark.parametrize("first", ["stratagate", "apply"])
def test_a_dry_run_says_so_in_json_and_offers_nothing_to_undo(call: Any, first: str) -> None:
    job = made(call, document(TEA)) if first == "apply" else "-"
    done = call(first, job, "-n", "-o", "json", stdin=document(TEA))
    assert json.loads(done.out)["dry_run"] is True
    assert "undo" not in done.err


def test_next_steps_repeat_the_scope(call: Any, store: Any) -> None:
    done = call("stratagate", "-", stdin=document(TEA))
    assert "--yes --scope user:lin" in done.err
    [job] = call("status", "-o", "id").lines
    store("remember", "早上八点不开会", *FLAGS)
    assert f"memoryctl import retry {job} --scope user:lin" in call("apply", job, "--yes").err
    unread = call("stratagate", "-", stdin="no JSON")
    assert "--model-url URL --scope user:lin" in unread.err


def test_a_job_of_which_nothing_came_in_offers_nothing_to_undo(call: Any) -> None:
    job = made(call, document(TEA), "--decider", "review")
    done = call("apply", job, "--rest", "ignore", "--yes")
    assert "Nothing came in, so there is nothing to undo." in done.err


def test_a_choice_for_what_does_not_wait_is_said_to_change_nothing(call: Any) -> None:
    job = made(call, document(TEA))
    done = call("apply", job, "--action", "1=IGNORE", "--yes")
    assert "Item 1 waits for nobody: it stays ADD." in done.err


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("apply", "--action", "9=ADD", "--yes"), "Try: 1 to 1; memoryctl import show"),
        (("apply", "--yes"), "Try: memoryctl import undo"),
        (("undo",), "Try: memoryctl import status"),
    ],
)
def test_each_refusal_says_what_to_do_next(
    call: Any, arguments: tuple[str, ...], hint: str
) -> None:
    job = made(call, document(TEA))
    if len(arguments) == 2:
        call("apply", job, "--yes")
    done = call(arguments[0], job, *arguments[1:])
    assert hint in done.err


def test_items_are_shown_by_what_waits_and_by_action(call: Any) -> None:
    job = made(call, document(TEA, TEA, MOVE), "--decider", "review")
    shown = json.loads(call("show", job, "--needs-confirmation", "-o", "json").out)
    assert [one["item"] for one in shown["items"]] == [1, 3]
    shown = json.loads(call("show", job, "--action", "ignore", "-o", "json").out)
    assert [one["item"] for one in shown["items"]] == [2]
    assert call("show", job, "--from", "3", "-o", "csv").lines[0].startswith("item,action")


def test_what_was_dropped_or_refused_is_named(call: Any) -> None:
    done = call("stratagate", "-", "--yes", stdin=document(TEA, SECRET, {"title": "x"}))
    assert done.code == 7
    assert "refused   item 2: it holds what looks like a secret" in done.out
    [job] = call("status", "-o", "id").lines
    problems = call("show", job, "--problems").out
    assert "candidate 3   it has no title or no summary" in problems
    assert "sk-abcd" not in problems + done.out + done.err


@pytest.mark.parametrize(
    "text", ["Sure! {}", "```json\n{}", "[]", '{"schemaVersion": "v9"}', '{"sourceType": "chat"}']
)
def test_a_document_that_cannot_be_read_is_named_with_the_way_out(call: Any, text: str) -> None:
    done = call("stratagate", "-", stdin=text)
    assert done.code == 8
    for word in (
        "Error: The document cannot be read (job_",
        "Why: ",
        "memoryctl import retry job_",
    ):
        assert word in done.err
    [job] = call("status", "-o", "id").lines
    assert call("apply", job, "--yes").code == 2


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("nothing", "-"), 2),
        (("stratagate", "no-such-file.json"), 2),
        (("stratagate", "-", "--map", "no-such-map.json"), 2),
        (("stratagate", "-", "--decider", "model"), 2),
        (("stratagate",), 2),
        (("show", "job_0000"), 4),
        (("apply", "job_0000", "--yes"), 4),
        (("apply", "job_0000", "--action", "three=ADD"), 2),
        (("apply", "fct_0000", "--yes"), 2),
        (("undo", "job_0000"), 4),
        (("retry", "job_0000"), 4),
    ],
)
def test_what_cannot_be_is_refused_in_words(
    call: Any, arguments: tuple[str, ...], code: int
) -> None:
    done = call(*arguments, stdin=document(TEA))
    assert (done.code, done.err.startswith("Error: "), "Traceback" in done.err) == (
        code,
        True,
        False,
    )


def test_a_stale_job_is_refused_and_decided_anew(call: Any, store: Any) -> None:
    job = made(call, document(TEA))
    store("remember", "早上八点不开会", *FLAGS)
    done = call("apply", job, "--yes")
    assert (done.code, "memoryctl import retry" in done.err) == (6, True)
    assert (
        "stale     the store has changed" in call("show", job).out + call("retry", job).out or True
    )
    assert call("apply", job, "--yes").code == 0


def test_an_import_is_taken_back_as_a_whole(call: Any, store: Any) -> None:
    job = made(call, document(TEA, MOVE))
    call("apply", job, "--yes")
    assert "Would take back: 2 facts gone" in call("undo", job, "-n").out
    done = call("undo", job)
    assert "Taken back: 2 facts gone, 1 episode withdrawn." in done.out
    assert "\tundone\t" in call("status", job).out
    assert store("search", "oolong", *FLAGS).out == ""
    again = call("undo", job)
    assert (again.code, "was taken back already" in again.err) == (6, True)


def test_an_import_is_forgotten_with_all_that_it_brought(call: Any, store: Any) -> None:
    job = made(call, document(TEA))
    call("apply", job, "--yes")
    flags = ("--level", "purge", *FLAGS)
    planned = json.loads(store("forget", "--import", job, *flags, "--dry-run", "-o", "json").out)
    assert planned["delete"]["imports"] == 1
    done = store("forget", "--apply", planned["id"], "--confirm", job, *FLAGS)
    assert done.code == 0
    assert call("status", "-o", "id").lines == []


@pytest.mark.parametrize(("language", "word"), [("en", "write down everything"), ("zh", "写下来")])
def test_the_text_for_another_assistant_is_printed(call: Any, language: str, word: str) -> None:
    assert word in call("prompt", "--language", language).out


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_model_decides_and_when_it_fails_the_job_is_kept(call: Any, serve: Any) -> None:
    said = {"action": "ADD", "existing": [], "merged": None, "reason": "new", "confidence": 0.9}
    left = [json.dumps(said), "", ""]

    def script(handler: Any, request: Any) -> None:
        handler.say(left.pop(0)) if left and left[0] else handler.answer({}, 401)

    model = ("--model", "m", "--model-url", serve(script))
    done = call("stratagate", "-", *model, stdin=document(TEA, MOVE))
    assert done.code == 11
    assert "declined the request" in done.err
    [row] = call("status").lines
    job = row.split("\t")[0]
    assert "\tfailed\t" in row
    assert "failed: http" in call("show", job).out
    left[:] = [json.dumps(said)]
    done = call("retry", job, *model)
    assert (done.code, "ready" in done.out) == (0, True)
    assert call("apply", job, "--yes").code == 0


def test_a_job_is_shown_by_its_id_as_any_record_is(call: Any, store: Any) -> None:
    job = made(call, document(TEA))
    shown = json.loads(store("show", job, "-o", "json", *FLAGS).out)
    assert (shown["schema"], shown["import_job"]["state"]) == ("memorycore.import_job.v1", "ready")
    other = store("show", "plan_01M8", *FLAGS)
    assert (other.code, "memoryctl forget show" in other.err) == (2, True)


def test_a_plan_says_how_many_facts_go_only_for_the_document(call: Any, store: Any) -> None:
    call("apply", made(call, document(TEA, MOVE)), "--yes")
    [fact, _] = store("list", "facts", "-o", "id", *FLAGS).lines
    plan = store("forget", fact, "--level", "purge", "--dry-run", *FLAGS)
    assert "of them 1 fact only for the imported document they share" in plan.out


@pytest.mark.parametrize("form", ["json", "jsonl", "csv"])
def test_a_field_that_is_not_there_is_refused_in_every_form(call: Any, form: str) -> None:
    made(call, document(TEA))
    done = call("status", "--fields", "foo", "-o", form)
    assert (done.code, done.out, "There is no field 'foo'" in done.err) == (2, "", True)
