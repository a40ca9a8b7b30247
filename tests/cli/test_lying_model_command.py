"""The command against an endpoint that lies: code 11, the cause named, what was read is kept."""

import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import stamina

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

KEY = "sk-secret-0123456789"
ANA = ("--scope", "user:ana")
TURNS = [
    {"text": "I like oolong.", "speaker": "Ana", "at": "2025-03-01T09:00:00Z"},
    {"text": "我喜欢划船。", "speaker": "Ana", "at": "2025-03-02T09:00:00Z"},
    {"text": "I like Quilla's viola.", "speaker": "Ana", "at": "2025-03-03T09:00:00Z"},
]
"""Of three days: three packets."""
SAID = {"I like oolong": "oolong", "我喜欢划船": "划船", "I like Quilla's viola": "viola"}
Script = Callable[[Any, dict[str, Any]], None]


def good(request: dict[str, Any]) -> str:
    new = request["messages"][1]["content"].split("<new_messages>")[1].split("</new")[0]
    items = [
        {"predicate": "likes", "object": said, "quote": quote, "message": "m1", "confidence": 0.95}
        for quote, said in SAID.items()
        if quote in new
    ]
    return json.dumps({"candidates": items})


def is_first(request: dict[str, Any]) -> bool:
    new = request["messages"][1]["content"].split("<new_messages>")[1]
    return "oolong" in new or "I live in Braga." in new


@pytest.fixture
def learn(
    home: Path,
    quick: Any,
    serve: Callable[[Script], str],
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Callable[..., Any]]:
    """Give the function that learns from a script, which answers all but the first packet."""
    monkeypatch.setenv("MEMORYCORE_MODEL_KEY", KEY)
    monkeypatch.setenv("MEMORYCORE_MODEL_TIMEOUT", "1")
    lines = "".join(json.dumps(turn) + "\n" for turn in TURNS)
    assert quick("init-db").code == 0
    assert quick("ingest", "-", *ANA, stdin=lines).code == 0

    def run(script: Script) -> Any:
        def scripted(handler: Any, request: dict[str, Any]) -> None:
            if is_first(request):
                handler.say(good(request))
            else:
                script(handler, request)

        return quick("learn", *ANA, "--model", "liar", "--model-url", serve(scripted))

    with stamina.set_testing(True, attempts=2):
        yield run


def hang_up(handler: Any, _: Any) -> None:
    handler.connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{")
    handler.connection.shutdown(socket.SHUT_RDWR)


def hang(handler: Any, _: Any) -> None:
    handler.connection.settimeout(10)
    handler.connection.recv(1)


def flood(handler: Any, _: Any) -> None:
    handler.connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        handler.connection.sendall(b" " * 65_536)


ERROR = {"error": {"message": f"{KEY}: while reading 我喜欢划船", "code": "quota"}}
FAILURES: dict[str, tuple[Script, str]] = {
    "busy": (lambda handler, _: handler.answer(ERROR, 429), "status 429, too many requests"),
    "busy for long": (
        lambda handler, _: handler.answer(ERROR, 429, {"retry-after": "9999"}),
        "status 429, too many requests (quota)",
    ),
    "failing": (lambda handler, _: handler.answer(ERROR, 500), "status 500 (quota)"),
    "declining": (lambda handler, _: handler.answer(ERROR, 401), "status 401 (quota)"),
    "an error that calls itself 200": (lambda handler, _: handler.answer(ERROR), "status 200"),
    "a page": (lambda handler, _: handler.answer(b"<html>login</html>"), "no JSON object"),
    "closed": (hang_up, "the connection was closed before the answer was whole"),
    "hanging": (hang, "1 s were over"),
    "without end": (flood, "8 MiB"),
}


@pytest.mark.parametrize(("script", "cause"), FAILURES.values(), ids=FAILURES)
def test_an_endpoint_that_fails_ends_with_11_and_the_same_command_goes_on(
    learn: Callable[..., Any], quick: Any, script: Script, cause: str
) -> None:
    failed = learn(script)

    assert failed.code == 11
    assert failed.out == ""
    error, why, *_ = failed.err.splitlines()
    assert error.startswith("Error: http://127.0.0.1:")
    assert "/v1 (liar)" in error
    assert cause in why
    assert "1 turns were read before, and what they gave is kept" in why
    assert KEY not in failed.err
    assert "划船" not in failed.err
    assert facts(quick) == ["Ana likes oolong"]

    done = learn(lambda handler, request: handler.say(good(request)))
    assert done.code == 0
    assert facts(quick) == ["Ana likes oolong", "Ana likes viola", "Ana likes 划船"]


def facts(quick: Any) -> list[str]:
    shown = quick("list", "facts", *ANA, "-o", "csv", "--fields", "text").out
    return sorted(shown.splitlines()[1:])


def test_prose_costs_its_packets_and_is_told(learn: Callable[..., Any], quick: Any) -> None:
    done = learn(lambda handler, _: handler.say("I {cannot} tell. " + '{"candidates": []}'))

    assert done.code == 7
    assert done.lines[0] == "Read 3 turns; 0 gave nothing worth keeping"
    assert "not answered    2   no readable answer; --since all asks again" in done.out
    assert facts(quick) == ["Ana likes oolong"]


def test_prose_from_the_start_is_named_and_ends_with_11(
    learn: Callable[..., Any], quick: Any, serve: Any
) -> None:
    url = serve(lambda handler, _: handler.say("I cannot tell."))
    failed = quick("learn", *ANA, "--model", "liar", "--model-url", url)

    assert failed.code == 11
    assert f"{url} (liar) ignored the JSON schema" in failed.err
    assert "memoryctl doctor --model" in failed.err
    assert facts(quick) == []


def test_an_answer_that_breaks_off_is_never_taken_in_half(
    learn: Callable[..., Any], quick: Any
) -> None:
    done = learn(lambda handler, request: handler.say(good(request), "length"))

    assert done.code == 7
    assert facts(quick) == ["Ana likes oolong"]


def test_what_was_read_is_told_with_what_it_cost(learn: Callable[..., Any], quick: Any) -> None:
    done = learn(lambda handler, request: handler.say(good(request)))

    assert done.code == 0
    assert done.lines[0] == "Read 3 turns; 0 gave nothing worth keeping"
    assert done.lines[1].startswith(
        "  model           3 answers (json_schema) · 27 tokens in, 3 out · "
    )
    assert done.lines[1].endswith(" s")


def test_a_wrong_date_is_told_and_waits(learn: Callable[..., Any], quick: Any) -> None:
    late = {"text": "I moved to Braga last week.", "speaker": "Ana", "at": "2022-01-16"}
    quick("ingest", "-", *ANA, stdin=json.dumps(late) + "\n")
    item = {"predicate": "lives_in", "object": "Braga", "quote": "I moved to Braga last week",
            "message": "m1", "valid_from": "2026-W07", "time_text": "last week",
            "confidence": 0.95}  # fmt: skip

    def script(handler: Any, request: dict[str, Any]) -> None:
        handler.say(good(request))

    def moved(handler: Any, request: dict[str, Any]) -> None:
        new = request["messages"][1]["content"].split("<new_messages>")[1]
        if "moved to Braga" in new:
            handler.say(json.dumps({"candidates": [item]}))
        else:
            script(handler, request)

    done = learn(moved)
    assert "time_disagrees" in done.out
    assert "queued 1 (1 proposed as a candidate only)" in done.out
