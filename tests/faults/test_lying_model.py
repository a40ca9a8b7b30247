"""A model endpoint that lies, stalls or breaks: progress is kept, and nothing is half-read.

The server is a real one on the loopback address. The first packet is always answered well; what
it does with the others is each test's own.
"""

import json
import logging
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from memorycore.errors import (
    ModelBusyError,
    ModelError,
    ModelFaultError,
    ModelUnreachableError,
    SchemaIgnoredError,
)
from memorycore.exchange.predicate_file import load_seeded
from memorycore.model.candidate_text import shape_of
from memorycore.model.heard import Heard
from memorycore.model.packet import Packet, build_packets
from memorycore.model.time import parse_moment
from memorycore.port.model_client import Endpoint, Patience
from memorycore.port.model_proposer import Answered, ModelProposer

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

KEY = "sk-secret-0123456789"
QUICK = Patience(attempts=2, initial=0.001, longest=0.01, jitter=0)
AT = "2025-03-03T09:00:00+00:00"
TEXTS = ("I like oolong.", "I like Quilla's viola.", "I like rowing.")
GOOD = {"predicate": "likes", "object": "oolong", "quote": "I like oolong", "message": "m1"}


Script = Callable[[Any, dict[str, Any]], None]
"""What the server does: with the handler of a request, and the request."""


@dataclass
class Run:
    """What came of a run, and how it ended."""

    endpoint: Endpoint
    answers: list[Answered] = field(default_factory=list)
    error: ModelError | None = None
    asked: int = 0

    @property
    def texts(self) -> list[str | None]:
        return [one.value for answered in self.answers for one in answered.candidates]


def packets() -> list[Packet]:
    said = parse_moment(AT)
    turns = [Heard(f"ep_{n}", text, said_at=said) for n, text in enumerate(TEXTS)]
    return build_packets(turns, current_date="2026-02-18", predicates=load_seeded(), max_turns=1)


def answer_of(*items: dict[str, Any]) -> str:
    return json.dumps({"candidates": items})


def is_first(request: dict[str, Any]) -> bool:
    """Tell the packet that is answered well, and the easy question, from the others."""
    new = request["messages"][1]["content"].split("<new_messages>")[1]
    return TEXTS[0] in new or "I live in Braga." in new


def is_last(request: dict[str, Any]) -> bool:
    return TEXTS[2] in request["messages"][1]["content"].split("<new_messages>")[1]


@pytest.fixture
def run(
    serve: Callable[[Script], str], caplog: pytest.LogCaptureFixture
) -> Iterator[Callable[..., Run]]:
    """Give the function that runs three packets against a script."""
    caplog.set_level(logging.DEBUG)

    def begin(script: Script, *, timeout: float = 5.0, from_start: bool = False) -> Run:
        def scripted(handler: Any, request: dict[str, Any]) -> None:
            done.asked += 1
            if is_first(request) and not from_start:
                handler.say(answer_of(GOOD))
            else:
                script(handler, request)

        done = Run(Endpoint(serve(scripted), "liar", KEY, timeout_s=timeout))
        try:
            for answered in ModelProposer(done.endpoint, patience=QUICK).propose(packets()):
                done.answers.append(answered)
        except ModelError as error:
            done.error = error
        return done

    yield begin
    assert KEY not in caplog.text
    assert not any(text in caplog.text for text in TEXTS)


def check_failed(done: Run, kind: type[ModelError]) -> None:
    """Check that the first packet is kept, and that the error names the endpoint and the cause."""
    assert type(done.error) is kind
    assert done.texts == ["oolong"]
    assert done.endpoint.name in done.error.message
    assert done.error.why
    shown = str(done.error.to_dict())
    assert KEY not in shown
    assert "Quilla" not in shown


PROSE = "The person {seems} to like music. " + answer_of(GOOD)
UNREADABLE = {
    "prose": "I could not find anything worth remembering.",
    "prose with braces before the JSON": PROSE,
    "JSON and prose after it": answer_of(GOOD) + "\nLet me know!",
    "another schema": '{"facts": [{"text": "likes the viola"}]}',
    "items of another schema": '{"candidates": [{"text": "likes the viola"}]}',
    "NaN": answer_of(GOOD).replace('"m1"', '"m1", "confidence": NaN'),
    "half an answer that says it is whole": answer_of(GOOD, GOOD)[:-30],
    "nothing": "",
}


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE)
def test_what_is_no_answer_gives_nothing_and_is_told_as_unread(
    run: Callable[..., Run], text: str
) -> None:
    done = run(lambda handler, _: handler.say(text))

    assert done.error is None
    assert [one.fault for one in done.answers] == [None, "schema_ignored", "schema_ignored"]
    assert done.texts == ["oolong"]


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE)
def test_an_endpoint_that_never_answers_in_the_form_is_named(
    run: Callable[..., Run], text: str
) -> None:
    done = run(lambda handler, _: handler.say(text), from_start=True)

    assert type(done.error) is SchemaIgnoredError
    assert done.endpoint.name in done.error.message
    assert "ignored the JSON schema" in done.error.message
    assert (done.texts, len(done.answers)) == ([], 1)


def test_a_fenced_answer_is_read(run: Callable[..., Run]) -> None:
    item = GOOD | {"object": "viola", "quote": "I like Quilla's viola"}
    done = run(lambda handler, _: handler.say(f"```json\n{answer_of(item)}\n```"))

    assert done.error is None
    assert done.texts == ["oolong", "viola", "viola"]
    assert not any(one.repaired for one in done.answers)


def test_a_lie_about_numbers_and_names_costs_that_candidate(run: Callable[..., Run]) -> None:
    lies = [{"predicate": "is_king_of"}, {"message": "m7"}, {"message": "ep_0"}, {"quote": 7}]
    done = run(lambda handler, _: handler.say(answer_of(GOOD, *(GOOD | lie for lie in lies))))

    second = done.answers[1]
    assert len(second.candidates) == 1
    codes = [aside.rejection.code for aside in second.quarantined]
    assert codes == ["unknown_predicate", "unknown_message", "unknown_message", "invalid_input"]
    assert second.candidates[0].quotes[0].episode == "ep_1"


def test_admission_refuses_invented_quotes_and_foreign_targets(
    run: Callable[..., Run], story: Any
) -> None:
    keys = [story.say(text) for text in TEXTS]

    def lie(handler: Any, request: dict[str, Any]) -> None:
        if is_last(request):
            item = GOOD | {"object": "rowing", "quote": "I like rowing", "target": "f7"}
            handler.say(answer_of(item | {"act": "retract"}))
        else:
            handler.say(answer_of(GOOD | {"object": "jazz", "quote": "I like jazz"}))

    done = run(lie)
    items = [
        shape_of(one)
        | {"external_id": keys[int(one.quotes[0].episode[3:])], "quote": one.quotes[0].text}
        for answered in done.answers
        for one in answered.candidates
    ]

    assert story.learn(*items, proposer="model") == [
        "add new", "reject quote_not_found", "review unknown_target",
    ]  # fmt: skip


def test_an_answer_that_breaks_off_is_not_taken_in_half(run: Callable[..., Run]) -> None:
    done = run(lambda handler, _: handler.say(answer_of(GOOD), "length"))

    assert [one.fault for one in done.answers] == [None, "output_truncated", "output_truncated"]
    assert done.texts == ["oolong"]


def test_a_storm_of_digits_ends_after_one_more_attempt(run: Callable[..., Run]) -> None:
    storm = '{"candidates": [{"predicate": "likes", "confidence": 0.' + "7" * 50_000
    done = run(lambda handler, _: handler.say(storm, "length"))

    assert [one.fault for one in done.answers] == [None, "output_truncated", "output_truncated"]
    assert done.asked == 5
    assert len(done.answers[1].quarantined[0].text or "") <= 4000


def test_a_repaired_answer_goes_to_review(run: Callable[..., Run]) -> None:
    def script(handler: Any, request: dict[str, Any]) -> None:
        is_repair = len(request["messages"]) == 4
        handler.say(answer_of(GOOD) if is_repair else "{'candidates': []}")

    done = run(script)

    assert [one.repaired for one in done.answers] == [False, True, True]
    assert [one.is_tentative for one in done.answers[1].candidates] == [True]


@pytest.mark.parametrize("headers", [{}, {"retry-after": "1"}, {"retry-after": "never"}])
def test_too_many_requests(run: Callable[..., Run], headers: dict[str, str]) -> None:
    body = {"error": {"message": f"quota of {KEY} for {TEXTS[1]}", "code": "rate_limit"}}
    done = run(lambda handler, _: handler.answer(body, 429, headers))

    check_failed(done, ModelBusyError)
    assert done.error is not None
    assert done.error.why == "status 429, too many requests (rate_limit)"
    assert done.asked == 1 + QUICK.attempts


def test_a_server_that_was_busy_once_is_asked_again(run: Callable[..., Run]) -> None:
    seen = []

    def script(handler: Any, request: dict[str, Any]) -> None:
        seen.append(request)
        if len(seen) == 1:
            handler.answer({}, 429, {"retry-after": "0"})
        else:
            handler.say(answer_of())

    assert run(script).error is None


@pytest.mark.parametrize("status", [500, 502, 503])
def test_a_server_that_fails(run: Callable[..., Run], status: int) -> None:
    body = {"error": {"message": f"while reading: {TEXTS[1]}"}}
    check_failed(run(lambda handler, _: handler.answer(body, status)), ModelFaultError)


def test_an_error_that_calls_itself_200(run: Callable[..., Run]) -> None:
    body = {"error": {"message": TEXTS[1], "type": "upstream_error"}}
    done = run(lambda handler, _: handler.answer(body))

    check_failed(done, ModelFaultError)
    assert done.error is not None
    assert done.error.why == "status 200 with an error in it (upstream_error)"


def test_a_page_where_an_answer_should_be(run: Callable[..., Run]) -> None:
    check_failed(run(lambda handler, _: handler.answer(b"<html>login</html>")), ModelFaultError)


def timed(run: Callable[..., Run], script: Script) -> tuple[Run, float]:
    began = time.monotonic()
    done = run(script, timeout=0.3)
    return done, time.monotonic() - began


def wait_for_the_client(handler: Any) -> None:
    """Wait until the client hangs up, or for ten seconds."""
    handler.connection.settimeout(10)
    handler.connection.recv(1)


def test_a_server_that_hangs(run: Callable[..., Run]) -> None:
    done, took = timed(run, lambda handler, _: wait_for_the_client(handler))

    check_failed(done, ModelUnreachableError)
    assert done.error is not None
    assert "0.3 s" in (done.error.why or "")
    assert took < 5


def drip(handler: Any, first: bytes, drop: bytes) -> None:
    handler.connection.sendall(first)
    for _ in range(200):
        handler.connection.sendall(drop)
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("first", "drop"),
    [
        (b"HTTP/1.1 200 OK\r\ncontent-length: 999999\r\n\r\n", b" "),
        (b"HTTP/1.1 200 OK\r\n", b"x"),
        (b"", b"H"),
    ],
    ids=["in the body", "in the headers", "before them"],
)
def test_an_answer_that_drips_for_ever(run: Callable[..., Run], first: bytes, drop: bytes) -> None:
    done, took = timed(run, lambda handler, _: drip(handler, first, drop))

    check_failed(done, ModelUnreachableError)
    assert took < 5


def test_a_stream_without_end(run: Callable[..., Run]) -> None:
    def script(handler: Any, _: dict[str, Any]) -> None:
        handler.connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            handler.connection.sendall(b" " * 65_536)

    done = run(script, timeout=20)

    check_failed(done, ModelFaultError)
    assert done.error is not None
    assert "8 MiB" in (done.error.why or "")


WHOLE = json.dumps({"choices": [{"message": {"content": answer_of(GOOD)}}]}).encode()


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nconten",
        b"HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n" + WHOLE,
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n%x\r\n%s\r\n" % (len(WHOLE), WHOLE),
        b"220 mail.test ESMTP\r\n",
    ],
    ids=["at once", "in the headers", "in the body", "in the chunks", "another protocol"],
)
def test_a_connection_that_is_closed(run: Callable[..., Run], sent: bytes) -> None:
    def script(handler: Any, _: dict[str, Any]) -> None:
        handler.connection.sendall(sent)
        handler.connection.shutdown(socket.SHUT_RDWR)

    check_failed(run(script), ModelUnreachableError)


def test_a_body_that_is_cut_without_a_length(run: Callable[..., Run]) -> None:
    def script(handler: Any, _: dict[str, Any]) -> None:
        handler.connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n" + WHOLE[:-20])
        handler.connection.shutdown(socket.SHUT_RDWR)

    check_failed(run(script), ModelFaultError)


def test_a_proxy_of_the_environment_is_not_asked_for_this_machine(
    run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)

    assert run(lambda handler, _: handler.say(answer_of())).error is None


def test_nobody_listens() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    endpoint = Endpoint(f"http://127.0.0.1:{port}/v1", "gone", KEY)
    with pytest.raises(ModelUnreachableError, match="cannot be reached"):
        list(ModelProposer(endpoint, patience=QUICK).propose(packets()))
