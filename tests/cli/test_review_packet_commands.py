"""Memory review on the command line: build, check, apply, observe, the queue, exit codes."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
WEB = ("--scope", "project:web", "--scope", "user:ana")
TEXT = "提交前只暂存本次改动文件"
SEEN = json.dumps({"text": TEXT, "candidateKey": "commit.scope", "category": "习惯"})
CREATE = {
    "action": "create", "language": "zh-CN", "scope": "project", "projectKey": "web",
    "category": "习惯", "text": TEXT, "evidenceKeys": ["e1"],
}  # fmt: skip


@pytest.fixture
def cli(quick: Run) -> Run:
    assert quick("init-db").code == 0

    def call(*words: str, **more: Any) -> Any:
        return quick("review-packet", *words, *WEB, **more)

    return call


def build(cli: Run, change: str, *more: str, stdin: str = SEEN) -> Any:
    told = ("--workflow", "build", "--change", change, "--checkpoint", "检查点已通过")
    return cli("build", *told, "--language", "zh-CN", "--evidence", "-", *more, stdin=stdin)


@pytest.fixture
def documents(cli: Run, home: Path) -> Callable[..., tuple[str, str]]:
    """Give the function that writes a packet and the actions that answer it into files."""

    def write(change: str, *actions: dict[str, Any]) -> tuple[str, str]:
        packet, answer = home / f"{change}.packet.json", home / f"{change}.actions.json"
        packet.write_text(build(cli, change).out, "utf-8")
        document = {"schema": "comet.memory.actions.v1", "actions": list(actions)}
        answer.write_text(json.dumps(document, ensure_ascii=False), "utf-8")
        return str(packet), str(answer)

    return write


def facts(quick: Run) -> list[str]:
    found: list[str] = quick("list", "facts", *WEB, "--fields", "text").lines
    return found


def test_a_packet_is_printed_alone_and_the_talk_goes_elsewhere(cli: Run) -> None:
    done = build(cli, "c1")
    assert done.code == 0
    packet = json.loads(done.out)
    assert packet["schema"] == "comet.memory.review.v1"
    assert packet["projectKey"] == "web"
    assert "at most 4,096 bytes" in done.err


def test_two_answers_of_two_changes_make_a_memory(
    cli: Run, quick: Run, documents: Callable[..., tuple[str, str]]
) -> None:
    first = cli("apply", *documents("c1", CREATE))
    assert (first.code, first.out.split("\t")[1]) == (0, "candidate-created")
    assert "undo: memoryctl undo op_" in first.err
    assert facts(quick) == []
    assert "candidate-promoted" in cli("apply", *documents("c2", CREATE)).out
    assert facts(quick) == [f"web prefers {TEXT}"]
    again = cli("apply", *documents("c2", CREATE), "-o", "json")
    assert again.code == 0
    listed = cli("list").lines
    assert [line.split("\t")[1] for line in listed] == ["proven"]


def test_check_names_rule_and_place_and_writes_nothing(
    cli: Run, quick: Run, documents: Callable[..., tuple[str, str]]
) -> None:
    good = cli("check", *documents("c1", CREATE))
    assert (good.code, good.out) == (0, "No rule is broken: 1 may be applied.\n")
    broken = documents("c1", CREATE | {"evidenceKeys": ["e9"]}, CREATE | {"scope": "local"})
    bad = cli("check", *broken, "-o", "json")
    assert bad.code == 9
    found = json.loads(bad.out)
    assert found["schema"] == "memorycore.review_check.v1"
    assert [(one["rule"], one["place"]) for one in found["faults"]] == [
        ("CM-8", "actions[1].scope")
    ]
    assert len(quick("log", *WEB).lines) == 1


def test_check_needs_no_store(quick: Run, home: Path) -> None:
    (home / "p.json").write_text("{}")
    done = quick("review-packet", "check", str(home / "p.json"), "-", stdin="{}")
    assert done.code == 9
    assert done.lines[0].startswith("packet")


def test_a_broken_rule_or_another_project_refuses_and_says_what_to_do(
    cli: Run, quick: Run, documents: Callable[..., tuple[str, str]]
) -> None:
    done = cli("apply", *documents("c1", CREATE | {"language": "en"}))
    assert done.code == 6
    assert "CM-6 is broken at actions[0].language" in done.err
    assert "Try: memoryctl" in done.err
    other = quick("review-packet", "apply", *documents("c2", CREATE), "--scope", "project:api")
    assert other.code == 6
    assert "Try: --scope project:web" in other.err


def test_the_queue_runs_and_tells_how_it_ended(cli: Run, quick: Run) -> None:
    for change in ("c1", "c2"):
        assert cli("queue", "add", "-", stdin=build(cli, change).out).code == 0
    again = build(cli, "c2").out
    assert cli("queue", "add", "-", stdin=again).code == 0
    done = cli("queue", "run", "--all")
    assert done.code == 0
    assert [line.split("\t")[2] for line in done.lines] == [
        "candidate-created", "candidate-promoted", "deduplicated",
    ]  # fmt: skip
    assert facts(quick) == [f"web prefers {TEXT}"]
    assert cli("queue", "list", "--status", "processed", "-o", "id").lines
    assert "Nothing is due" in cli("queue", "run").err
    assert cli("queue", "retry").out == "To be tried again: 0 packets\n"


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_model_that_is_away_leaves_packets_waiting(cli: Run, serve: Callable[..., str]) -> None:
    url = serve(lambda handler, request: handler.answer({}, status=401))
    cli("queue", "add", "-", stdin=build(cli, "c1").out)
    done = cli("queue", "run", "--model", "qwen3-8b", "--model-url", url)
    assert done.code == 7
    assert done.lines[0].split("\t")[1:3] == ["waiting", "deferred"]
    assert "skip" not in done.out


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_model_reviews(cli: Run, serve: Callable[..., str]) -> None:
    document = {"schema": "comet.memory.actions.v1", "actions": [CREATE]}
    url = serve(lambda handler, request: handler.say(json.dumps(document)))
    cli("queue", "add", "-", stdin=build(cli, "c1").out)
    done = cli("queue", "run", "--model", "qwen3-8b", "--model-url", url)
    assert done.code == 0, done.err
    assert done.lines[0].split("\t")[1:3] == ["processed", "candidate-created"]


def test_observations_and_uses_are_reported(cli: Run, quick: Run) -> None:
    told = ("--language", "zh-CN", "--workflow", "build", "--candidate-key", "commit.scope")
    for change in ("c1", "c2"):
        done = cli("observe", TEXT, *told, "--change", change)
        assert done.code == 0
    record, fact = done.out.split()[-2:]
    gone = cli("used", record, "overridden", "--change", "c7")
    assert "negative-feedback" in gone.out
    assert facts(quick) == []
    assert "restored" in cli("used", record, "ignored", "--change", "c7").out
    assert facts(quick) == [f"web prefers {TEXT}"]
    assert quick("show", record, *WEB, "-o", "json").code == 0
    assert (
        "Hidden: 1 fact, 1 memory of reviews."
        in quick("forget", record, "--level", "soft", *WEB).out
    )
    assert facts(quick) == []
    assert fact.startswith("fct_")


def test_learning_is_paused_and_goes_on(cli: Run) -> None:
    told = ("--language", "zh-CN", "--workflow", "w", "--change", "c1", "--candidate-key", "k")
    assert cli("pause").out == "Learning is paused in project:web.\n"
    assert "paused" in cli("observe", TEXT, *told).out
    assert cli("pause").out == "Learning was paused in project:web already.\n"
    assert cli("resume").out == "Learning is on in project:web.\n"
    assert "candidate-created" in cli("observe", TEXT, *told).out


def test_forgetting_for_good_is_confirmed_by_the_id(
    cli: Run, quick: Run, documents: Callable[..., tuple[str, str]], home: Path
) -> None:
    for change in ("c1", "c2"):
        cli("apply", *documents(change, CREATE))
    fact = quick("list", "facts", *WEB, "-o", "id").out.strip()
    packet = home / "p.json"
    packet.write_text(build(cli, "c3", "--forget", fact, "--permanent", stdin="").out, "utf-8")
    forget = {"action": "forget", "language": "zh-CN", "targetId": fact, "permanent": True}
    answer = json.dumps({"schema": "comet.memory.actions.v1", "actions": [forget]})
    refused = cli("apply", str(packet), "-", stdin=answer)
    assert refused.code == 6
    assert f"--confirm {fact}" in refused.err
    done = cli("apply", str(packet), "-", "--confirm", fact, stdin=answer)
    assert done.code == 0
    assert "This cannot be undone." in done.err
    assert "memoryctl undo" not in done.err
    assert facts(quick) == []
    operation = next(word for word in done.err.split() if word.startswith("op_"))
    assert quick("undo", operation, *WEB).code == 6


@pytest.mark.parametrize("wish", [("--forget",), ("--correct",)])
def test_a_wish_names_a_memory_by_the_id_that_the_list_shows(
    cli: Run, quick: Run, documents: Callable[..., tuple[str, str]], wish: tuple[str, ...]
) -> None:
    for change in ("c1", "c2"):
        cli("apply", *documents(change, CREATE))
    [memory] = cli("list", "-o", "id").lines
    assert memory.startswith("mem_")
    more = ("每次提交只暂存一处改动",) if wish == ("--correct",) else ()
    done = build(cli, "c3", *wish, memory, *more, stdin="")
    assert done.code == 0, done.err
    fact = quick("list", "facts", *WEB, "-o", "id").out.strip()
    assert json.loads(done.out)["explicitRequest"]["targetId"] == fact
    assert cli("queue", "add", "-", stdin=done.out).code == 0
    assert cli("queue", "run").code == 0
    assert facts(quick) == [f"web prefers {text}" for text in more]


def test_a_wish_for_a_memory_that_is_not_there_says_how_to_find_one(cli: Run) -> None:
    done = build(cli, "c3", "--forget", "mem_00000000000000000000000000", stdin="")
    assert done.code == 2
    assert "Try: memoryctl review-packet list" in done.err


@pytest.mark.parametrize(
    ("text", "more", "code"),
    [
        ("token = banana", (), 6),
        (TEXT, ("--at", "2031-01-01"), 2),
        ("\u200b", (), 2),
    ],
)
def test_an_observation_that_is_not_taken_says_what_to_do(
    cli: Run, text: str, more: tuple[str, ...], code: int
) -> None:
    told = ("--language", "zh-CN", "--workflow", "w", "--change", "c1", "--candidate-key", "k")
    done = cli("observe", text, *told, *more)
    assert (done.code, "Try: " in done.err) == (code, True), done.err


def test_undoing_what_a_review_did_says_what_that_was(
    cli: Run, quick: Run, documents: Callable[..., tuple[str, str]]
) -> None:
    for change in ("c1", "c2"):
        cli("apply", *documents(change, CREATE))
    fact = quick("list", "facts", *WEB, "-o", "id").out.strip()
    forget = {"action": "forget", "language": "zh-CN", "targetId": fact}
    assert cli("apply", *documents("c3", forget)).code == 0
    assert "(review): what it hid is shown again." in quick("undo", *WEB).out
    told = ("--language", "zh-CN", "--workflow", "w", "--change", "c4", "--candidate-key", "other")
    assert cli("observe", "提交说明写明原因", *told).code == 0
    assert "(review): what it wrote is taken back." in quick("undo", *WEB).out


@pytest.mark.parametrize(
    "words",
    [
        ("--remember", "x y z", "--forget", "fct_0000"),
        ("--permanent",),
        ("--for", "global"),
        ("--max-bytes", "20000"),
    ],
)
def test_wishes_that_do_not_go_together_are_wrong_usage(cli: Run, words: tuple[str, ...]) -> None:
    assert build(cli, "c1", *words).code == 2


def test_a_document_that_cannot_be_read_is_told_by_name(cli: Run, home: Path) -> None:
    done = cli("apply", str(home / "none.json"), "-", stdin="{}")
    assert done.code == 2
    assert "none.json cannot be read" in done.err
